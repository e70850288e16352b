//! What kernels are made of.

use crate::Pack;

/// One function of `K` numbers, as kernels are instantiated for it.
pub(crate) trait Operation<const K: usize>: Copy + Send + Sync {
    /// The operation in every lane.
    fn pack<P: Pack>(self, operands: [P; K]) -> P;
}
