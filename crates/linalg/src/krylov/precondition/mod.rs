//! Matrices near the system's whose inverse is easily applied.

mod block;
mod cholesky;
mod jacobi;

pub use block::block_jacobi;
pub(super) use block::block_jacobi_in;
pub use cholesky::IncompleteCholesky;
pub use jacobi::jacobi;

use super::operator::LinearOperator;
use crate::backend::Space;

/// A matrix `M` by the application of its inverse.
pub trait Preconditioner<S: Space> {
    /// `z ← M⁻¹·r`.
    fn apply(&self, space: &mut S, r: &S::Vector, z: &mut S::Vector);

    /// Whether `M` is the identity, which methods then leave out.
    fn is_identity(&self) -> bool {
        false
    }
}

/// No preconditioner.
#[derive(Clone, Copy, Debug, Default)]
pub struct Identity;

impl<S: Space> Preconditioner<S> for Identity {
    fn apply(&self, space: &mut S, r: &S::Vector, z: &mut S::Vector) {
        space.copy(r, z);
    }

    fn is_identity(&self) -> bool {
        true
    }
}

/// The preconditioner whose inverse is this operator.
///
/// ```
/// use std::ops::ControlFlow::Continue;
///
/// use nonius_linalg::Numbers;
/// use nonius_linalg::krylov::{Cg, HostSpace, Inverse, Options};
/// use nonius_linalg::sparse::Dia;
///
/// // The inverse of the matrix is the best preconditioner.
/// let a = Dia::<f64>::diagonal(vec![1.0, 2.0, 4.0, 8.0].into());
/// let m = Inverse(Dia::<f64>::diagonal(vec![1.0, 0.5, 0.25, 0.125].into()));
/// let (b, mut x) = (Numbers::from(vec![1.0; 4]), Numbers::zeros((), 4));
/// let (mut space, options) = (HostSpace::new(()), Options::default());
/// let mut cg = Cg::new(&space, 4)?;
/// let report = cg.solve(&mut space, &a, &m, &b, &mut x, &options, |_| Continue(()))?;
/// assert_eq!((report.iterations, x.plain()), (1, &[1.0, 0.5, 0.25, 0.125][..]));
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Inverse<A>(pub A);

impl<S: Space, A: LinearOperator<S>> Preconditioner<S> for Inverse<A> {
    fn apply(&self, space: &mut S, r: &S::Vector, z: &mut S::Vector) {
        self.0.apply(space, r, z);
    }
}
