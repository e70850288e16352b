//! Stabilised biconjugate gradients, for nonsymmetric systems.
//!
//! **Method.** Van der Vorst, *Bi-CGSTAB: a fast and smoothly converging variant of Bi-CG for the
//! solution of nonsymmetric linear systems* (1992), preconditioned from the right: with
//! `r = b − A·x`, `r̂ = r` for ever, `p = r`, `ρ = r̂·r`, an iteration is
//!
//! `v = A·M⁻¹p`, `α = ρ / r̂·v`, `x ← x + α·M⁻¹p`, `s = r − α·v`, `t = A·M⁻¹s`, `ω = t·s / t·t`,
//! `x ← x + ω·M⁻¹s`, `r ← s − ω·t`, `β = (ρ′ / ρ)·(α / ω)`, `p ← r + β·(p − ω·v)`.
//!
//! It takes two products with the matrix, and memory that does not grow. Where `s` is small enough
//! the iteration ends there, and counts as a whole one. The residual falls irregularly, and need
//! not fall at all: the method ends with an error where `r̂·v`, `t·t`, `t·s` or `r̂·r` is zero. `ω`
//! is real, so that eigenvalues near the imaginary axis make it slow, and a skew-symmetric matrix
//! ends it at once: GMRES takes these.
//!
//! **Residuals.** As for [conjugate gradients](super::Cg), `r` is updated and drifts away from
//! `b − A·x`: by up to about `u` times the greatest residual on the way, times `κ(A)` relative to
//! the solution (Sleijpen and van der Vorst, *Reliable updated residuals in hybrid Bi-CG methods*,
//! 1996). As `M` stands on the right, `r` is the system's own residual.

use super::method::{Method, System, Work};
use super::solver::Solver;
use super::watch::Watch;
use crate::Error;
use crate::backend::{NumberOp, Reading, Sign, Space};

/// BiCGSTAB, for nonsymmetric systems.
///
/// ```
/// use std::ops::ControlFlow::Continue;
///
/// use nonius_linalg::Numbers;
/// use nonius_linalg::krylov::{Bicgstab, HostSpace, Identity, Options};
/// use nonius_linalg::sparse::{Coo, Csr, Triplet};
///
/// let t = |row, col, value| Triplet { row, col, value };
/// let a = Coo::new(2, 2, vec![t(0, 0, 3.0), t(0, 1, 1.0), t(1, 1, 2.0)]).unwrap();
/// let a = Csr::<f64>::from_coo(a)?;
/// let (b, mut x) = (Numbers::from(vec![4.0, 2.0]), Numbers::zeros((), 2));
/// let mut space = HostSpace::new(());
/// let mut solver = Bicgstab::new(&space, 2)?;
/// let options = Options::default();
/// let report = solver.solve(&mut space, &a, &Identity, &b, &mut x, &options, |_| Continue(()))?;
/// assert!(report.converged && (x[0] - 1.0).abs() < 1e-7);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
pub type Bicgstab<S> = Solver<S, StabilisedBiconjugateGradients<S>>;

/// What BiCGSTAB has in memory, beside what all methods have: `q` there is `t`, `r` also `s`.
#[derive(Clone, Debug)]
pub struct StabilisedBiconjugateGradients<S: Space> {
    /// `M⁻¹·p` or `M⁻¹·s`; of no entries until a preconditioner needs it.
    z: S::Vector,
    p: S::Vector,
    v: S::Vector,
    /// `r̂`.
    shadow: S::Vector,
    alpha: S::Number,
    beta: S::Number,
    omega: S::Number,
    /// `r̂·r`, and that of the iteration after.
    rho: S::Number,
    rho_after: S::Number,
    /// `r̂·v`.
    sigma: S::Number,
    /// `t·t`.
    length: S::Number,
    /// `t·s`.
    overlap: S::Number,
    spare: [S::Number; 2],
}

impl<S: Space> Bicgstab<S> {
    /// Memory for systems of order `n`.
    ///
    /// # Errors
    /// [`Error::TooLarge`], and [`Error::Device`].
    pub fn new(space: &S, n: usize) -> Result<Self, Error> {
        let number = || space.number();
        let method = StabilisedBiconjugateGradients {
            z: space.vector(0)?,
            p: space.vector(n)?,
            v: space.vector(n)?,
            shadow: space.vector(n)?,
            alpha: number(),
            beta: number(),
            omega: number(),
            rho: number(),
            rho_after: number(),
            sigma: number(),
            length: number(),
            overlap: number(),
            spare: [number(), number()],
        };
        Self::with_method(space, n, method)
    }
}

impl<S: Space> StabilisedBiconjugateGradients<S> {
    /// `x ← x + α·M⁻¹p`, `s = r − α·v`.
    fn first_half(
        &mut self,
        space: &mut S,
        System { a, m }: &System<'_, S>,
        x: &mut S::Vector,
        r: &mut S::Vector,
    ) {
        let p = if m.is_identity() {
            &self.p
        } else {
            m.apply(space, &self.p, &mut self.z);
            &self.z
        };
        a.apply(space, p, &mut self.v);
        space.dot(&self.shadow, &self.v, &mut self.sigma);
        space.compute(NumberOp::Div, &self.rho, &self.sigma, &mut self.alpha);
        space.axpy(Sign::Plus, &self.alpha, p, x);
        space.axpy(Sign::Minus, &self.alpha, &self.v, r);
    }

    /// `x ← x + ω·M⁻¹s`, `r ← s − ω·t`, and the next direction.
    fn second_half(
        &mut self,
        space: &mut S,
        System { a, m }: &System<'_, S>,
        x: &mut S::Vector,
        r: &mut S::Vector,
        t: &mut S::Vector,
    ) {
        let s = if m.is_identity() {
            &*r
        } else {
            m.apply(space, r, &mut self.z);
            &self.z
        };
        a.apply(space, s, t);
        space.dot(t, t, &mut self.length);
        space.dot(t, r, &mut self.overlap);
        space.compute(NumberOp::Div, &self.overlap, &self.length, &mut self.omega);
        space.axpy(Sign::Plus, &self.omega, s, x);
        space.axpy(Sign::Minus, &self.omega, t, r);
        space.dot(&self.shadow, r, &mut self.rho_after);
        let [growth, ratio] = &mut self.spare;
        space.compute(NumberOp::Div, &self.rho_after, &self.rho, growth);
        space.compute(NumberOp::Div, &self.alpha, &self.omega, ratio);
        space.compute(NumberOp::Mul, growth, ratio, &mut self.beta);
        space.assign(&self.rho_after, &mut self.rho);
        space.axpy(Sign::Minus, &self.omega, &self.v, &mut self.p);
        space.xpay(r, Sign::Plus, &self.beta, &mut self.p);
    }
}

impl<S: Space> Method<S> for StabilisedBiconjugateGradients<S> {
    const COLUMNS: usize = 4;
    const STEPS: usize = 2;

    fn prepare(&mut self, space: &S, n: usize, is_identity: bool) -> Result<(), Error> {
        if !is_identity && space.length(&self.z) != n {
            self.z = space.vector(n)?;
        }
        Ok(())
    }

    fn begin(&mut self, space: &mut S, _: &System<'_, S>, work: &mut Work<S>) {
        space.copy(&work.r, &mut self.shadow);
        space.copy(&work.r, &mut self.p);
        space.assign(&work.square, &mut self.rho);
    }

    fn step(
        &mut self,
        space: &mut S,
        system: &System<'_, S>,
        x: &mut S::Vector,
        work: &mut Work<S>,
        step: usize,
        log: &mut S::Log,
    ) {
        let Work { r, q, square, .. } = work;
        if step.is_multiple_of(2) {
            self.first_half(space, system, x, r);
            space.dot(r, r, square);
            space.record(log, [square, &self.sigma, &self.sigma, &self.sigma]);
        } else {
            self.second_half(space, system, x, r, q);
            space.dot(r, r, square);
            space.record(log, [square, &self.length, &self.overlap, &self.rho]);
        }
    }

    fn judge(row: &[Reading], step: usize, watch: &mut Watch<'_>) -> Result<(), Error> {
        let &[square, divisor, overlap, rho] = row else { return Ok(()) };
        if step.is_multiple_of(2) {
            watch.begin();
            watch.divisor("r̂·v", divisor)?;
            return watch.residual(square);
        }
        watch.divisor("t·t", divisor)?;
        watch.residual(square)?;
        if watch.is_met() {
            return Ok(());
        }
        watch.divisor("t·s", overlap)?;
        watch.divisor("r̂·r", rho)
    }
}
