//! Dense tasks in the memory of a device, and those that are larger.

use nonius_comm::dense::{Cargo, Grid};
use nonius_linalg::dense::gemm::{Report, gemm_on};
use nonius_linalg::out_of_core::{Device, OutOfCore, product_bytes_in_core, system_bytes_in_core};
use nonius_linalg::{Error, MatMut, Number};

use crate::dense::Operands;

/// What does a dense task.
pub(crate) enum Fit<D, L> {
    /// Matrices are in the device's memory.
    InCore(D),
    /// They are in the host's memory, and pieces of them on the device.
    OutOfCore(L),
}

/// The size of a dense task.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Size {
    /// A system of an order with so many right-hand sides; an inverse has as many as rows.
    System { order: usize, columns: usize },
    /// A product of `m × k` and `k × n` matrices: `[m, n, k]`.
    Product([usize; 3]),
}

impl Size {
    /// Bytes that a device needs to do it in its own memory.
    fn bytes<T: Cargo>(self, format: T::Format) -> usize {
        match self {
            Self::System { order, columns } => system_bytes_in_core::<T>(format, order, columns),
            Self::Product(sizes) => product_bytes_in_core::<T>(format, sizes),
        }
    }

    /// Bytes that the device of each rank needs.
    fn bytes_on<T: Cargo>(self, grid: &Grid, format: T::Format) -> usize {
        match self {
            Self::System { order, columns } => {
                grid.system_bytes_in_core::<T>(format, order, columns)
            }
            Self::Product(sizes) => grid.product_bytes_in_core::<T>(format, sizes),
        }
    }

    /// What does it where a device has room for so many bytes of matrices; `None` where that is all
    /// that the host has.
    pub(crate) fn fit<T: Cargo, B>(
        self,
        format: T::Format,
        device: B,
        room: Option<usize>,
    ) -> Fit<B, OutOfCore<B>> {
        fit(self.bytes::<T>(format), device, room)
    }

    /// The same on ranks, each of which has such a device and that room on it.
    pub(crate) fn fit_on<T: Cargo, B>(
        self,
        format: T::Format,
        grid: &Grid,
        device: B,
        room: Option<usize>,
    ) -> Fit<B, OutOfCore<B>> {
        fit(self.bytes_on::<T>(grid, format), device, room)
    }
}

fn fit<B>(needed: usize, device: B, room: Option<usize>) -> Fit<B, OutOfCore<B>> {
    match room {
        Some(room) if needed > room => Fit::OutOfCore(OutOfCore::new(device, room)),
        _ => Fit::InCore(device),
    }
}

/// `C ← α·op(A)·op(B) + β·C`, all of them in the host's memory.
pub(super) fn multiply_out_of_core<T: Number, B: Device<T> + Clone>(
    large: &OutOfCore<B>,
    product: &Operands<'_, T>,
    beta: T,
    c: MatMut<'_, T>,
) -> Result<Report, Error> {
    let &Operands { a, transpose_a, b, transpose_b, alpha } = product;
    let report = gemm_on(large, transpose_a, transpose_b, alpha, a, b, beta, c)?;
    large.check()?;
    Ok(report)
}

#[cfg(test)]
mod tests {
    use nonius_comm::Communicator;
    use nonius_num::Dd;

    use super::*;

    /// Bytes in core of a task, found by asking what fits.
    fn needed(size: Size, grid: Option<&Grid>) -> usize {
        let is_out = |room| {
            let fit = match grid {
                Some(grid) => size.fit_on::<Dd, _>((), grid, (), Some(room)),
                None => size.fit::<Dd, _>((), (), Some(room)),
            };
            matches!(fit, Fit::OutOfCore(_))
        };
        let (mut small, mut large) = (0, usize::MAX);
        while small < large {
            let middle = small + (large - small) / 2;
            if is_out(middle) { small = middle + 1 } else { large = middle }
        }
        large
    }

    /// The matrices themselves fit, and no device needs ten times as much; ranks need less each.
    #[test]
    fn estimates_are_of_the_order_of_the_matrices() {
        let n = 3000;
        let grid = Grid::new(&Communicator::alone(), 64);
        for (size, numbers) in [
            (Size::System { order: n, columns: 1 }, n * n),
            (Size::System { order: n, columns: n }, 2 * n * n),
            (Size::Product([n, n, n]), 3 * n * n),
            (Size::Product([1, n, n]), n * n),
        ] {
            for bytes in [needed(size, None), needed(size, Some(&grid))] {
                assert!(bytes > 16 * numbers && bytes < 160 * numbers, "{size:?}: {bytes}");
            }
        }
        let none = Size::Product([0, 0, 0]).fit::<Dd, _>((), (), Some(0));
        assert!(matches!(none, Fit::InCore(())));
        let largest = Size::System { order: usize::MAX, columns: usize::MAX };
        assert!(matches!(largest.fit::<Dd, _>((), (), Some(1 << 60)), Fit::OutOfCore(_)));
        assert!(matches!(largest.fit::<Dd, _>((), (), None), Fit::InCore(())));
    }
}
