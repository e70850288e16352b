//! Systems with the factor.

use super::factor::Factor;
use super::{Kernels, Symbolic};
use crate::sparse::Values;

impl<D: Send + Sync> Factor<D> {
    /// `x ← A⁻¹·x`; `work` has as many numbers.
    pub fn solve<V: Values, K: Kernels<V, Panel = D>>(
        &self,
        kernels: &K,
        symbolic: &Symbolic,
        x: &mut V,
        work: &mut V,
    ) {
        let (order, shape) = (symbolic.order(), symbolic.shape());
        order.iter().enumerate().for_each(|(k, &row)| work.copy_from(k, x, row as usize));
        for s in 0..shape.len() {
            let (panel, first) = (self.panel(symbolic, s), shape.columns(s).start);
            kernels.forward(panel, first, shape.below(s), work);
        }
        for s in (0..shape.len()).rev() {
            let (panel, first) = (self.panel(symbolic, s), shape.columns(s).start);
            kernels.backward(panel, first, shape.below(s), work);
        }
        order.iter().enumerate().for_each(|(k, &row)| x.copy_from(row as usize, work, k));
    }
}
