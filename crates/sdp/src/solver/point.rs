//! Points of the method.

use crate::cone::Cone;

/// A point of the method.
#[expect(missing_debug_implementations, reason = "matrices of a backend")]
pub struct Point<C: Cone> {
    /// `x`.
    pub x: C::Vector,
    /// `X`.
    pub primal: C::Blocks,
    /// `Y`.
    pub dual: C::Blocks,
}
