//! Systems with the factor.

use super::factor::Factor;
use super::{Kernels, Symbolic};
use crate::{Number, Numbers};

impl<T: Number> Factor<T> {
    /// `x ← A⁻¹·x`; `work` has as many numbers.
    pub fn solve(
        &self,
        kernels: &impl Kernels<T>,
        symbolic: &Symbolic,
        x: &mut Numbers<T>,
        work: &mut Numbers<T>,
    ) {
        let (order, shape) = (symbolic.order(), symbolic.shape());
        order.iter().enumerate().for_each(|(k, &row)| work.set(k, x.at(row as usize)));
        for s in 0..shape.len() {
            let (panel, first) = (self.panel(symbolic, s), shape.columns(s).start);
            kernels.forward(panel, first, shape.below(s), work);
        }
        for s in (0..shape.len()).rev() {
            let (panel, first) = (self.panel(symbolic, s), shape.columns(s).start);
            kernels.backward(panel, first, shape.below(s), work);
        }
        order.iter().enumerate().for_each(|(k, &row)| x.set(row as usize, work.at(k)));
    }
}
