//! Cholesky factors of matrices, and their inverses.

use nonius_comm::dense::Cargo;
use nonius_cuda::DeviceMut;
use nonius_linalg::backend::{Elementwise, Memory, View};
use nonius_linalg::dense::{Operand, cholesky_in_place, invert};
use nonius_linalg::{BinaryOp, Error as LinalgError, UnaryOp};

use super::arguments::{CLEAR_UPPER, SECOND_ORDER_INVERT, SMALL_INVERT};
use super::blocks::CudaBlocks;
use super::cone::CudaCone;
use super::second_order_kernels::Operands as OfCones;
use crate::cone::Cone;

impl<T: Cargo> CudaCone<T> {
    /// Puts the Cholesky factor in the place of the lower triangle; whether there is one.
    pub(super) fn factor_alone(&self, a: DeviceMut<'_, T>) -> Result<bool, LinalgError> {
        if a.layout().is_empty() {
            return Ok(true);
        }
        let is_definite = cholesky_in_place(&self.gpu, a).is_ok();
        self.gpu.fetch(|| Ok(is_definite))
    }

    /// The Cholesky factors of all blocks but for the large squares that this rank has not.
    pub(super) fn factor_of(
        &self,
        a: &CudaBlocks<T>,
        l: &mut CudaBlocks<T>,
        has: impl Fn(usize) -> bool,
    ) -> Result<bool, LinalgError> {
        let (small, mut is_definite) = (self.operands(a, l), true);
        for (square, (a, l)) in a.squares.iter().zip(&mut l.squares).enumerate() {
            if has(square) {
                self.gpu.copy(a.as_ref(), l.as_mut());
                is_definite &= self.factor_alone(l.as_mut())?;
            }
        }
        self.each_square(CLEAR_UPPER, l);
        is_definite &= self.gpu.fetch(|| self.factor_small(small))?;
        if self.order > 0 {
            let pivots = a.diagonal.as_ref();
            self.gpu.elementwise(UnaryOp::Sqrt, [Operand::Entries(pivots)], l.diagonal.as_mut());
            let pivots = self.downloaded(pivots.block(0, 0, self.rows(), 1))?;
            is_definite &= pivots.as_slice().iter().all(|x| x > T::ZERO && x.is_finite());
            let cones = OfCones::new(a.diagonal.as_ref(), l.diagonal.as_mut());
            is_definite &= self.gpu.fetch(|| self.root_of_cones(cones))?;
        }
        Ok(is_definite)
    }

    /// The inverses of factors, but for the large squares that this rank has not.
    pub(super) fn invert_factor_of(
        &self,
        l: &CudaBlocks<T>,
        m: &mut CudaBlocks<T>,
        has: impl Fn(usize) -> bool,
    ) {
        let small = self.operands(l, m);
        self.identity(1.0, m);
        for (square, (l, m)) in l.squares.iter().zip(&mut m.squares).enumerate() {
            if l.as_ref().shape().0 > 0 && has(square) {
                invert(&self.gpu, l.as_ref(), m.as_mut());
            }
        }
        self.gpu.attempt(|| self.each_small(SMALL_INVERT, small));
        let operands = [Operand::Scalar(T::ONE), Operand::Entries(l.diagonal.as_ref())];
        self.gpu.elementwise(BinaryOp::Div, operands, m.diagonal.as_mut());
        let cones = OfCones::new(l.diagonal.as_ref(), m.diagonal.as_mut());
        self.gpu.attempt(|| self.each_cone(SECOND_ORDER_INVERT, cones));
    }
}
