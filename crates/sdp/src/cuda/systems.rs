//! Systems with the factor of the Schur complement.

use nonius_comm::dense::Cargo;
use nonius_cuda::{Cuda, DeviceMut, DeviceRef, Kind};
use nonius_linalg::backend::{Gemv, Memory, Trsm, View, ViewMut};
use nonius_linalg::dense::{Diagonal, Side, Transpose, Triangle};

use super::arguments::CLEAR_UPPER;
use super::cone::CudaCone;

impl<T: Cargo> CudaCone<T> {
    /// Makes a factor ready for systems: squares on its diagonal become their inverses, so that
    /// unknowns are products of a matrix and a vector. Substitution would wait for one unknown
    /// after the other, ten times as long as all products take.
    pub(super) fn prepare_systems(&self, mut l: DeviceMut<'_, T>) {
        self.gpu.attempt(|| {
            if self.gpu.invert_diagonal_squares(l.reborrow())? {
                self.each(CLEAR_UPPER, l, |l| l)?;
            }
            Ok(())
        });
    }

    /// `x ← L⁻¹·x`, or `x ← L⁻ᵀ·x`, for a lower triangular `L` that is ready: one half of the
    /// unknowns, what they contribute to the equations of the other half, and that one.
    pub(super) fn solve_triangle(
        &self,
        transpose: Transpose,
        l: DeviceRef<'_, T>,
        mut x: DeviceMut<'_, T>,
    ) {
        let (order, _) = l.shape();
        if order <= Cuda::INVERTED_ROWS {
            if let Kind::Mp(_) = self.kind() {
                let (side, triangle, diagonal) = (Side::Left, Triangle::Lower, Diagonal::NonUnit);
                return self.gpu.trsm(side, triangle, transpose, diagonal, T::ONE, l, x);
            }
            let right = self.gpu.copy_of(x.as_ref());
            return self.gpu.gemv(transpose, T::ONE, l, right.as_ref(), T::ZERO, x);
        }
        let half = order.div_ceil(Cuda::INVERTED_ROWS) / 2 * Cuda::INVERTED_ROWS;
        let rest = order - half;
        let squares = [l.block(0, 0, half, half), l.block(half, half, rest, rest)];
        let beside = l.block(half, 0, rest, half);
        let places = [(0, half), (half, rest)];
        let (first, second) = if transpose == Transpose::No { (0, 1) } else { (1, 0) };
        let [known, unknown] = [first, second].map(|which| places[which]);
        let found = x.reborrow().block_mut(known.0, 0, known.1, 1);
        self.solve_triangle(transpose, squares[first], found);
        // Rows of one column: those that are read are copied.
        let known = self.gpu.copy_of(x.as_ref().block(known.0, 0, known.1, 1));
        let mut right = x.block_mut(unknown.0, 0, unknown.1, 1);
        self.gpu.gemv(transpose, -T::ONE, beside, known.as_ref(), T::ONE, right.reborrow());
        self.solve_triangle(transpose, squares[second], right);
    }
}
