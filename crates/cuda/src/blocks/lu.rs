//! `P·A = L·U` for a block of columns.

use nonius_gpu::Error;
use nonius_linalg::Number;
use nonius_linalg::backend::{Diagonalize, Memory, Order, Panel, Schedule};
use nonius_linalg::dense::{Diagonal, Transpose, Triangle, lu_in_place};
use nonius_num::Dd;

use super::correction::{Approximate, Correction, Product, SPARE, no};
use super::kernels::Word;
use super::outcome::{Inverse, Negative, Rest, Stop};
use crate::backend::Cuda;
use crate::matrix::{DeviceMatrix, DeviceMut, DeviceRef, Layout, assert_formats};
use crate::operand::Operand;

/// Factors a block in its place.
pub(super) fn factor<T: Number>(
    cuda: &Cuda,
    a: &DeviceMut<'_, T>,
    pivots: &mut [usize],
) -> Result<Inverse<T>, Stop> {
    let (rows, width) = a.layout.shape();
    let block = Correction::<T>::new(cuda, a.format)?;
    let (mut doubles, mut negative) = (block.doubles(rows, width)?, block.room(rows, width)?);
    // The rows below, until nothing can fail that panels have to make good.
    let below = block.room(rows - width, width)?;
    let (in_doubles, of_negative) = (doubles.as_mut().layout, negative.as_mut().layout);
    block.kernels.largest_exponent(a.layout, false)?;
    block.kernels.begin(a.layout, in_doubles, of_negative, false)?;
    if lu_in_place::<Dd, Cuda>(cuda, doubles.as_mut(), pivots).is_err() {
        return Err(Stop::Panels);
    }
    Panel::<T>::swap_rows(cuda, negative.as_mut(), pivots, Order::Forward);
    let square = |layout: Layout| layout.block(0, 0, width, width);
    let factors = Factors::begin(&block, square(of_negative), square(in_doubles))?;
    let inverses = factors.inverses();
    let digits = block.correct(inverses, |step, bits| factors.correct(&block, step, bits))?;
    // What is used afterwards is not of the stream aside.
    let rooms = (block.zeros(width, width)?, block.zeros(width, width)?);
    let (lower, upper) = block.cuda().join(
        || block.refine(&inverses[0], digits[0], rooms.0),
        || block.refine(&inverses[1], digits[1], rooms.1),
    );
    let (lower, upper) = (lower?, upper?);
    let rows_below = |layout: Layout| layout.block(width, 0, rows - width, width);
    if rows > width {
        // −A·(−U⁻¹)
        let (from, to) = (no(rows_below(of_negative)), below.as_ref().layout);
        let bits = block.bits() + SPARE;
        block.product(Product::plain(from, no(factors.negative_upper()), to, bits))?;
        let rest = no(upper.matrix.as_ref().layout);
        block.product(Product::added(T::ONE, from, rest, to, upper.bits))?;
    }
    // U is to the scale of the matrix again.
    let own = |layout, roots, rest: Rest<T>| -> Result<Negative<T>, Stop> {
        let mut near = block.room(width, width)?;
        block.kernels.shift(layout, roots, near.as_mut().layout)?;
        if roots != 0 {
            let of_rest = rest.matrix.as_ref().layout;
            block.kernels.shift(of_rest, roots, of_rest)?;
        }
        Ok(Negative { near, rest })
    };
    let inverse = Inverse {
        lower: own(factors.negative_lower(), 0, lower)?,
        upper: own(factors.negative_upper(), -2, upper)?,
    };
    block.kernels.finish(factors.lower(), Some(factors.upper()), square(a.layout))?;
    block.copy(below.as_ref().layout, rows_below(a.layout));
    Ok(inverse)
}

/// `B ← op(A)⁻¹·B` for an inverse of `A`.
pub(super) fn solve<T: Number>(
    cuda: &Cuda,
    Negative { near, rest }: &Negative<T>,
    op: Transpose,
    b: &DeviceMut<'_, T>,
) -> Result<(), Error> {
    if b.layout.is_empty() {
        return Ok(());
    }
    let format = b.format;
    assert_formats::<T, _>(format, [near.format()]);
    let from = cuda.copy_of(DeviceRef::<T>::of(b.layout, format));
    let (right, bits) = (no(from.as_ref().layout), T::precision(format).bits());
    let left = |matrix: &DeviceMatrix<T>| Operand::new(op, matrix.as_ref().layout);
    let normwise = Diagonalize::<T>::normwise(cuda);
    let whole =
        Product { alpha: -T::ONE, ..Product::plain(left(near), right, b.layout, bits + SPARE) };
    whole.queue_in_any_case(&normwise, format)?;
    let rest = Product::added(-T::ONE, left(&rest.matrix), right, b.layout, rest.bits);
    rest.queue_in_any_case(&normwise, format)
}

/// The factors of a square and their inverses, side by side as residuals need them: `[−A, L, I,
/// −U⁻¹]` and, below one another, `−L⁻¹`, `I`, `U`.
struct Factors<T: Number> {
    width: usize,
    wide: DeviceMatrix<T>,
    tall: DeviceMatrix<T>,
}

impl<T: Number> Factors<T> {
    /// From factors in double-double.
    fn begin(block: &Correction<'_, T>, negative: Layout, doubles: Layout) -> Result<Self, Stop> {
        let width = negative.shape().0;
        let (wide, tall) = (block.room(width, 4 * width)?, block.room(3 * width, width)?);
        let factors = Self { width, wide, tall };
        block.copy(negative, factors.columns(0, 1));
        block.identity(factors.columns(2, 1));
        block.identity(factors.rows(1, 1));
        let (lower, upper) = (block.doubles(width, width)?, block.doubles(width, width)?);
        let (of_lower, of_upper) = block.cuda().join(
            || block.invert((Triangle::Lower, Diagonal::Unit), doubles, &lower),
            || block.invert((Triangle::Upper, Diagonal::NonUnit), doubles, &upper),
        );
        of_lower.and(of_upper)?;
        let [of_lower, of_inverse] = block.magnitudes(width)?;
        let widen = |from: Layout, kind, to, of: &DeviceMatrix<f64>| {
            block.kernels.widen(from, kind, to, of.as_ref().layout)
        };
        widen(doubles, (false, true, false), factors.lower(), &of_lower)?;
        let to = factors.negative_lower();
        widen(lower.as_ref().layout, (false, true, true), to, &of_inverse)?;
        block.growth(&of_lower, &of_inverse, &[Word::Lower])?;
        widen(doubles, (true, false, false), factors.upper(), &of_lower)?;
        let to = factors.negative_upper();
        widen(upper.as_ref().layout, (true, false, true), to, &of_inverse)?;
        block.growth(&of_lower, &of_inverse, &[Word::Upper])?;
        Ok(factors)
    }

    fn columns(&self, first: usize, count: usize) -> Layout {
        let Self { width, wide, .. } = self;
        wide.as_ref().layout.block(0, first * width, *width, count * width)
    }

    fn rows(&self, first: usize, count: usize) -> Layout {
        let Self { width, tall, .. } = self;
        tall.as_ref().layout.block(first * width, 0, count * width, *width)
    }

    fn lower(&self) -> Layout {
        self.columns(1, 1)
    }

    fn upper(&self) -> Layout {
        self.rows(2, 1)
    }

    /// `−L⁻¹`
    fn negative_lower(&self) -> Layout {
        self.rows(0, 1)
    }

    /// `−U⁻¹`
    fn negative_upper(&self) -> Layout {
        self.columns(3, 1)
    }

    /// A step. `of_residual` are the bits of the residual's integers, `bits` those of the later
    /// products.
    fn correct(
        &self,
        block: &Correction<'_, T>,
        step: usize,
        [of_residual, bits]: [u32; 2],
    ) -> Result<(), Stop> {
        let rooms = block.squares::<4>(self.width)?;
        let [residual, product, low, up] = rooms.each_ref().map(|room| room.as_ref().layout);
        let [lower, upper] = [self.lower(), self.upper()];
        let [inverse_lower, inverse_upper] = [self.negative_lower(), self.negative_upper()];
        // −A + L·U, L⁻¹ of it and U⁻¹: −F.
        let (left, right) = (no(self.columns(0, 2)), no(self.rows(1, 2)));
        block.product(Product::plain(left, right, residual, of_residual))?;
        block.product(Product::plain(no(inverse_lower), no(residual), product, bits))?;
        block.product(Product::plain(no(product), no(inverse_upper), residual, bits))?;
        block.kernels.split(residual, low, Some(up), step)?;
        let less = -T::ONE;
        let of_lower = Product::added(less, no(lower), no(low), lower, bits).of(Triangle::Lower);
        let of_upper = Product::added(less, no(up), no(upper), upper, bits).of(Triangle::Upper);
        let (first, second) =
            block.cuda().join(|| block.product(of_lower), || block.product(of_upper));
        first.and(second)
    }

    /// `−L⁻¹` with `I − L·L⁻¹`, `−U⁻¹` with `I − U⁻¹·U`.
    fn inverses(&self) -> [Approximate; 2] {
        [
            Approximate {
                inverse: self.negative_lower(),
                triangle: Triangle::Lower,
                residual: [no(self.columns(1, 2)), no(self.rows(0, 2))],
            },
            Approximate {
                inverse: self.negative_upper(),
                triangle: Triangle::Upper,
                residual: [no(self.columns(2, 2)), no(self.rows(1, 2))],
            },
        ]
    }
}
