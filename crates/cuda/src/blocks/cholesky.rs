//! `A = L·Lᵀ` for the square on top of a block of columns, and the rows below it times `L⁻ᵀ`.

use nonius_linalg::Number;
use nonius_linalg::dense::{Diagonal, Triangle, cholesky_in_place};
use nonius_num::Dd;

use super::correction::{Approximate, Correction, Product, SPARE, no, transposed};
use super::kernels::Word;
use super::outcome::Stop;
use crate::backend::Cuda;
use crate::matrix::{DeviceMatrix, DeviceMut, Layout};
use crate::transfer;

/// Factors a block in its place.
pub(super) fn factor<T: Number>(cuda: &Cuda, a: &DeviceMut<'_, T>) -> Result<(), Stop> {
    let (rows, width) = a.layout.shape();
    let block = Correction::<T>::new(cuda, a.format)?;
    let (mut doubles, mut negative) = (block.doubles(width, width)?, block.room(rows, width)?);
    // The rows below, until nothing can fail that panels have to make good.
    let below = block.room(rows - width, width)?;
    let (in_doubles, of_negative) = (doubles.as_mut().layout, negative.as_mut().layout);
    let square = |layout: Layout| layout.block(0, 0, width, width);
    // Rows below may be far larger, and are scaled by the root alone.
    block.kernels.largest_exponent(square(a.layout), true)?;
    block.kernels.begin(a.layout, in_doubles, of_negative, true)?;
    if cholesky_in_place::<Dd, Cuda>(cuda, doubles.as_mut()).is_err() {
        return Err(Stop::Panels);
    }
    let factor = Factor::begin(&block, square(of_negative), in_doubles)?;
    let inverse = factor.inverse();
    let [digits] = block.correct([inverse], |step, bits| factor.correct(&block, step, bits))?;
    let rest = block.refine(&inverse, digits, block.zeros(width, width)?)?;
    let rows_below = |layout: Layout| layout.block(width, 0, rows - width, width);
    if rows > width {
        // −A·(−L⁻ᵀ)
        let (from, to) = (no(rows_below(of_negative)), below.as_ref().layout);
        let right = transposed(factor.negative_inverse());
        block.product(Product::plain(from, right, to, block.bits() + SPARE))?;
        let right = transposed(rest.matrix.as_ref().layout);
        block.product(Product::added(T::ONE, from, right, to, rest.bits))?;
    }
    block.kernels.finish(factor.lower(), None, square(a.layout))?;
    block.copy(below.as_ref().layout, rows_below(a.layout));
    Ok(())
}

/// The factor of a square and its inverse, side by side as residuals need them: `[−A, L]`, `[I, L]`
/// and, below one another, `I`, `−L⁻¹`.
struct Factor<T: Number> {
    width: usize,
    with_square: DeviceMatrix<T>,
    with_ones: DeviceMatrix<T>,
    inverse: DeviceMatrix<T>,
}

impl<T: Number> Factor<T> {
    /// From the factor in double-double.
    fn begin(block: &Correction<'_, T>, negative: Layout, doubles: Layout) -> Result<Self, Stop> {
        let width = negative.shape().0;
        let factor = Self {
            width,
            with_square: block.room(width, 2 * width)?,
            with_ones: block.room(width, 2 * width)?,
            inverse: block.room(2 * width, width)?,
        };
        let square = factor.with_square.as_ref().layout.block(0, 0, width, width);
        block.copy(negative, square);
        factor.mirror(block, square)?;
        block.identity(factor.with_ones.as_ref().layout.block(0, 0, width, width));
        block.identity(factor.inverse.as_ref().layout.block(0, 0, width, width));
        let inverse = block.doubles(width, width)?;
        block.invert((Triangle::Lower, Diagonal::NonUnit), doubles, &inverse)?;
        let [of_lower, of_inverse] = block.magnitudes(width)?;
        let (from, at) = (inverse.as_ref().layout, of_lower.as_ref().layout);
        block.kernels.widen(doubles, (false, false, false), factor.lower(), at)?;
        let (to, at) = (factor.negative_inverse(), of_inverse.as_ref().layout);
        block.kernels.widen(from, (false, false, true), to, at)?;
        block.copy(factor.lower(), factor.lower_again());
        // That of the inverse's transpose is the same.
        block.growth(&of_lower, &of_inverse, &[Word::Lower, Word::Upper])?;
        Ok(factor)
    }

    fn mirror(&self, block: &Correction<'_, T>, square: Layout) -> Result<(), Stop> {
        let (device, stream) = (block.cuda().device(), block.cuda().stream());
        Ok(transfer::mirror_lower::<T>(device, stream, DeviceMut::of(square, block.format))?)
    }

    fn lower(&self) -> Layout {
        self.with_square.as_ref().layout.block(0, self.width, self.width, self.width)
    }

    fn lower_again(&self) -> Layout {
        self.with_ones.as_ref().layout.block(0, self.width, self.width, self.width)
    }

    /// `−L⁻¹`
    fn negative_inverse(&self) -> Layout {
        self.inverse.as_ref().layout.block(self.width, 0, self.width, self.width)
    }

    /// A step. `of_residual` are the bits of the residual's integers, `bits` those of the later
    /// products.
    fn correct(
        &self,
        block: &Correction<'_, T>,
        step: usize,
        [of_residual, bits]: [u32; 2],
    ) -> Result<(), Stop> {
        let rooms = block.squares::<3>(self.width)?;
        let [residual, product, low] = rooms.each_ref().map(|room| room.as_ref().layout);
        let (lower, inverse) = (self.lower(), self.negative_inverse());
        let of_triangle =
            |a, b, c, bits| block.product(Product::plain(a, b, c, bits).of(Triangle::Lower));
        // −A + L·Lᵀ, L⁻¹ of it and L⁻ᵀ: −F.
        let [left, right] = [&self.with_square, &self.with_ones].map(|x| x.as_ref().layout);
        of_triangle(no(left), transposed(right), residual, of_residual)?;
        self.mirror(block, residual)?;
        block.product(Product::plain(no(inverse), no(residual), product, bits))?;
        of_triangle(no(product), transposed(inverse), residual, bits)?;
        block.kernels.split(residual, low, None, step)?;
        let better = Product::added(-T::ONE, no(lower), no(low), lower, bits);
        block.product(better.of(Triangle::Lower))?;
        block.copy(lower, self.lower_again());
        Ok(())
    }

    /// `−L⁻¹` with `I − L·L⁻¹`.
    fn inverse(&self) -> Approximate {
        let residual = [&self.with_ones, &self.inverse].map(|x| no(x.as_ref().layout));
        Approximate { inverse: self.negative_inverse(), triangle: Triangle::Lower, residual }
    }
}
