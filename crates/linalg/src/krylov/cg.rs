//! The method of conjugate gradients, with and without a preconditioner.
//!
//! **Method.** Hestenes and Stiefel, *Methods of conjugate gradients for solving linear systems*
//! (1952), in the form with a preconditioner `M`: with `r = b − A·x`, `z = M⁻¹·r`, `p = z`, an
//! iteration is
//!
//! `α = r·z / p·Ap`, `x ← x + α·p`, `r ← r − α·Ap`, `z = M⁻¹·r`, `β = (r·z)′ / r·z`, `p ← z + β·p`.
//!
//! For symmetric positive definite `A` and `M` the error in the `A`-norm falls with every
//! iteration, in exact arithmetic to zero after as many as `A` has different eigenvalues. Roundings
//! cost orthogonality, and so iterations: the fewer the more bits. For an indefinite `A` the
//! iteration is the same formally; it ends with an error only where `p·Ap = 0`.
//!
//! **Residuals.** What the recursion calls `r` and `b − A·x` drift apart by roundings: by up to
//! about `u·κ(A)` relative to the solution (Greenbaum, *Estimating the attainable accuracy of
//! recursively computed residual methods*, 1997). The report has both.

use super::method::{Method, System, Work};
use super::solver::Solver;
use super::watch::Watch;
use crate::Error;
use crate::backend::{NumberOp, Reading, Sign, Space};

/// Conjugate gradients, for symmetric positive definite systems.
///
/// ```
/// use std::ops::ControlFlow::Continue;
///
/// use nonius_linalg::Numbers;
/// use nonius_linalg::krylov::{Cg, HostSpace, Identity, Options};
/// use nonius_linalg::sparse::Dia;
/// use nonius_num::Dd;
///
/// // As many iterations as the matrix has different eigenvalues.
/// let a = Dia::<f64>::diagonal(vec![1.0, 2.0, 2.0, 1.0].into());
/// let (b, mut x) = (Numbers::from(vec![Dd::ONE; 4]), Numbers::zeros((), 4));
/// let options = Options { tolerance: 1e-28, ..Options::default() };
/// let mut space = HostSpace::new(());
/// let mut cg = Cg::new(&space, 4)?;
/// let report = cg.solve(&mut space, &a, &Identity, &b, &mut x, &options, |_| Continue(()))?;
/// assert_eq!(report.iterations, 2);
/// assert!((x[1] - 0.5).abs().to_f64() < 1e-28);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
pub type Cg<S> = Solver<S, ConjugateGradients<S>>;

/// What conjugate gradients have in memory, beside what all methods have: `q` there is `A·p`.
#[derive(Clone, Debug)]
pub struct ConjugateGradients<S: Space> {
    /// `M⁻¹·r`; of no entries until a preconditioner needs it.
    z: S::Vector,
    p: S::Vector,
    alpha: S::Number,
    beta: S::Number,
    /// `p·Ap`.
    curvature: S::Number,
    /// `r·z`, and that of the iteration before.
    rho: S::Number,
    rho_before: S::Number,
}

impl<S: Space> Cg<S> {
    /// Memory for systems of order `n`.
    ///
    /// # Errors
    /// [`Error::TooLarge`], and [`Error::Device`].
    pub fn new(space: &S, n: usize) -> Result<Self, Error> {
        let number = || space.number();
        let method = ConjugateGradients {
            z: space.vector(0)?,
            p: space.vector(n)?,
            alpha: number(),
            beta: number(),
            curvature: number(),
            rho: number(),
            rho_before: number(),
        };
        Self::with_method(space, n, method)
    }
}

impl<S: Space> Method<S> for ConjugateGradients<S> {
    const COLUMNS: usize = 3;

    fn prepare(&mut self, space: &S, n: usize, is_identity: bool) -> Result<(), Error> {
        if !is_identity && space.length(&self.z) != n {
            self.z = space.vector(n)?;
        }
        Ok(())
    }

    /// The first direction.
    fn begin(&mut self, space: &mut S, system: &System<'_, S>, work: &mut Work<S>) {
        if system.m.is_identity() {
            space.copy(&work.r, &mut self.p);
            space.assign(&work.square, &mut self.rho);
        } else {
            system.m.apply(space, &work.r, &mut self.z);
            space.dot(&work.r, &self.z, &mut self.rho);
            space.copy(&self.z, &mut self.p);
        }
    }

    fn step(
        &mut self,
        space: &mut S,
        system: &System<'_, S>,
        x: &mut S::Vector,
        work: &mut Work<S>,
        _: usize,
        log: &mut S::Log,
    ) {
        let System { a, m } = system;
        let Work { r, q, square, .. } = work;
        a.apply(space, &self.p, q);
        space.dot(&self.p, q, &mut self.curvature);
        space.compute(NumberOp::Div, &self.rho, &self.curvature, &mut self.alpha);
        space.axpy(Sign::Plus, &self.alpha, &self.p, x);
        space.axpy(Sign::Minus, &self.alpha, q, r);
        space.assign(&self.rho, &mut self.rho_before);
        if m.is_identity() {
            space.dot(r, r, &mut self.rho);
        } else {
            m.apply(space, r, &mut self.z);
            space.dot(r, &self.z, &mut self.rho);
            space.dot(r, r, square);
        }
        space.compute(NumberOp::Div, &self.rho, &self.rho_before, &mut self.beta);
        let z = if m.is_identity() { &*r } else { &self.z };
        space.xpay(z, Sign::Plus, &self.beta, &mut self.p);
        let square = if m.is_identity() { &self.rho } else { &*square };
        space.record(log, [square, &self.rho, &self.curvature]);
    }

    fn judge(row: &[Reading], _: usize, watch: &mut Watch<'_>) -> Result<(), Error> {
        let &[square, rho, curvature] = row else { return Ok(()) };
        watch.begin();
        watch.divisor("p·Ap", curvature)?;
        watch.curvature(curvature)?;
        watch.residual(square)?;
        if watch.is_met() { Ok(()) } else { watch.divisor("r·z", rho) }
    }
}
