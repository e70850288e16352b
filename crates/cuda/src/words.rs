//! The structures that kernels of dense matrices take.

use nonius_linalg::Scalar;
use nonius_linalg::dense::Transpose;

use crate::matrix::Layout;

/// A rectangle with a stride from row to row and one from column to column (`Matrix` in `matrix.cuh`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Strided {
    data: u64,
    plane: i64,
    pub(crate) row: i64,
    pub(crate) column: i64,
}

impl Strided {
    /// `op` of a rectangle.
    pub(crate) fn new(transpose: Transpose, layout: Layout) -> Self {
        let (row, column) = match transpose {
            Transpose::No => (1, layout.ld),
            Transpose::Yes => (layout.ld, 1),
        };
        Self { data: layout.data, plane: layout.plane, row, column }
    }
}

/// A structure in memory, built member by member; all of them fill words of eight bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words(Vec<u64>);

impl Words {
    /// A `long long`.
    pub(crate) fn long(mut self, x: usize) -> Self {
        self.0.push(x as u64);
        self
    }

    /// An address.
    pub(crate) fn address(mut self, x: u64) -> Self {
        self.0.push(x);
        self
    }

    /// Two of type `int` or `unsigned`. Panics where one does not fit, which callers exclude.
    pub(crate) fn pair(mut self, x: usize, y: usize) -> Self {
        let half = |x: usize| u64::from(u32::try_from(x).expect("a count below 2^32"));
        self.0.push(half(x) | half(y) << 32);
        self
    }

    /// A `Matrix`.
    pub(crate) fn matrix(mut self, x: Strided) -> Self {
        self.0.extend([x.data, x.plane as u64, x.row as u64, x.column as u64]);
        self
    }

    /// A `Number`.
    pub(crate) fn number<T: Scalar>(mut self, x: T) -> Self {
        self.0.extend((0..T::LIMBS).map(|l| x.limb(l).to_bits()));
        self
    }

    /// Zeros up to so many words.
    pub(crate) fn padded(mut self, length: usize) -> Self {
        self.0.resize(length, 0);
        self
    }

    /// The words.
    pub(crate) fn as_slice(&self) -> &[u64] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_num::Dd;

    #[test]
    fn members_fill_words() {
        let layout = Layout { data: 4096, rows: 3, cols: 2, ld: 16, plane: 32 };
        let words = Words::default()
            .pair(1, 2)
            .long(3)
            .matrix(Strided::new(Transpose::Yes, layout))
            .number(Dd::from(1.0))
            .padded(10);
        let one = 1.0_f64.to_bits();
        assert_eq!(words.as_slice(), [1 | 2 << 32, 3, 4096, 32, 16, 1, one, 0, 0, 0]);
    }
}
