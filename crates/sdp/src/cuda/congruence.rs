//! Products of a vector with `M·A·Mᵀ`.

use nonius_comm::dense::Cargo;
use nonius_cuda::DeviceMut;
use nonius_linalg::backend::{Elementwise, Gemv, View, ViewMut};
use nonius_linalg::dense::{Operand, Transpose};
use nonius_linalg::{BinaryOp, Error as LinalgError};

use super::arguments::SECOND_ORDER_LEAST;
use super::blocks::CudaBlocks;
use super::cone::CudaCone;
use super::second_order_kernels::Operands as OfCones;
use super::small::Position;
use crate::cone::{Cone, Congruent};

impl<T: Cargo> Congruent for CudaCone<T> {
    fn congruence(
        &self,
        m: &CudaBlocks<T>,
        a: &CudaBlocks<T>,
        q: &[f64],
        w: &mut [f64],
    ) -> Result<(), LinalgError> {
        self.check(m);
        self.check(a);
        assert_eq!([q.len(), w.len()], [Cone::order(self); 2], "length");
        w.fill(0.0);
        let is_zero = |q: &[f64]| q.iter().all(|&x| x == 0.0);
        if is_zero(q) {
            return Ok(());
        }
        let mut x = self.upload(q)?;
        let mut y = self.zeros(q.len(), 1);
        let small = (m.small.as_ref(), a.small.as_ref());
        let vectors = (x.as_ref().layout(), y.as_mut().layout());
        self.gpu.attempt(|| self.small_congruence(small, vectors));
        let mut start = 0;
        for (&order, position) in self.orders.iter().zip(&self.positions) {
            let range = start..start + order;
            start += order;
            let Position::Alone(number) = *position else { continue };
            if is_zero(&q[range.clone()]) {
                continue;
            }
            let (m, a) = (m.squares[number].as_ref(), a.squares[number].as_ref());
            let mut x = x.as_mut().block_mut(range.start, 0, order, 1);
            let mut y = y.as_mut().block_mut(range.start, 0, order, 1);
            let gemv = |transpose, a, x: &mut DeviceMut<'_, T>, y: &mut DeviceMut<'_, T>| {
                self.gpu.gemv(transpose, T::ONE, a, x.as_ref(), T::ZERO, y.reborrow());
            };
            gemv(Transpose::Yes, m, &mut x, &mut y);
            gemv(Transpose::No, a, &mut y, &mut x);
            gemv(Transpose::No, m, &mut x, &mut y);
        }
        let mut y_diagonal = y.as_mut().block_mut(start, 0, self.order, 1);
        let (m, a) = (m.diagonal.as_ref(), a.diagonal.as_ref());
        let x = x.as_ref().block(start, 0, self.order, 1);
        self.gpu.elementwise(BinaryOp::Mul, [Operand::Entries(m); 2], y_diagonal.reborrow());
        for factor in [a, x] {
            let operands = [Operand::Output, Operand::Entries(factor)];
            self.gpu.elementwise(BinaryOp::Mul, operands, y_diagonal.reborrow());
        }
        if !is_zero(&q[start + self.rows()..]) {
            let (d, v) = (a.layout(), x.layout());
            let cones = OfCones { d, v, ..OfCones::new(m, y_diagonal.reborrow()) };
            self.gpu.attempt(|| self.each_cone(SECOND_ORDER_LEAST, cones));
        }
        let y = self.downloaded(y.as_ref())?;
        w.iter_mut().zip(y.as_slice().iter()).for_each(|(w, y)| *w = y.to_f64());
        Ok(())
    }
}
