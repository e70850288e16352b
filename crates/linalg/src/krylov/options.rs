//! When iterations end.

/// When an iteration ends, and what its report has.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The iteration ends where the norm of the residual is at most this.
    pub tolerance: f64,
    /// Whether the tolerance is a multiple of the norm of the first residual.
    pub relative: bool,
    /// The residual whose norm counts.
    pub residual: Residual,
    /// The most iterations.
    pub max_iterations: usize,
    /// Whether in conjugate gradients `p·Ap < 0` ends the iteration with an error, as it shows that
    /// the matrix is not positive definite.
    pub require_positive_definite: bool,
    /// Whether the report has the residuals of all iterations.
    pub history: bool,
}

/// `10^-8` of the first residual, by recursion, in 15000 iterations.
impl Default for Options {
    fn default() -> Self {
        Self {
            tolerance: 1e-8,
            relative: true,
            residual: Residual::Recursive,
            max_iterations: 15_000,
            require_positive_definite: false,
            history: false,
        }
    }
}

/// Of the two residuals that roundings make differ, which one ends the iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Residual {
    /// The one that the iteration updates.
    #[default]
    Recursive,
    /// `b − A·x`, which is looked at once the other one is small enough: from then on an iteration
    /// takes a product with the matrix more. GMRES begins anew from it.
    True,
}
