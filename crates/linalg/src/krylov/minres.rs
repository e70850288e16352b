//! The method of minimal residuals, for symmetric systems, definite or not.
//!
//! **Method.** Paige and Saunders, *Solution of sparse indefinite systems of linear equations*
//! (1975), with a positive definite preconditioner `M` as Elman, Silvester and Wathen write it
//! (*Finite elements and fast iterative solvers*, 2005). Lanczos's process, with `v₁ = b − A·x`,
//! `z = M⁻¹v / γ`, `γ² = v·M⁻¹v`,
//!
//! `δ = z·Az`, `v₊ = A·z − (δ/γ)·v − (γ/γ₋)·v₋`,
//!
//! makes a tridiagonal matrix, which rotations `(c, s)` turn into a triangular one, a column an
//! iteration:
//!
//! `α₁ = c·δ − c₋·s·γ`, `α₂ = s·δ + c₋·c·γ`, `α₃ = s₋·γ`, `ρ² = α₁² + γ₊²`, `c₊ = α₁/ρ`,
//! `s₊ = γ₊/ρ`,
//!
//! so that with `d₊ = z − (α₂/ρ₋)·d − (α₃/ρ₋₋)·d₋` and `η₊ = −s₊·η` the solution is
//! `x ← x + (c₊·η/ρ)·d₊`. Here signs mark the iteration before and after. Without a preconditioner
//! `|η|` is the norm of the residual; with one it is the norm in `M⁻¹`, which the method minimises.
//! So that every method ends by the same norm, the residual itself is updated then:
//! `r ← s₊²·r − (c₊·η/ρ)·v₊`, for a vector more.
//!
//! For any symmetric `A` the norm that is minimised never grows. `ρ = 0` shows that the matrix is
//! singular and the system without solution; a negative `v·M⁻¹v` that `M` is not positive definite.
//!
//! **Residuals.** The directions `d` come of short recurrences with a triangular matrix as
//! ill-conditioned as `A`: roundings move `x` by up to about `u·κ(A)²`, where GMRES is moved by
//! `u·κ(A)`, and `b − A·x` stays behind `η` accordingly (Sleijpen, van der Vorst and Modersitzki,
//! *Differences in the effects of rounding errors in Krylov solvers for symmetric indefinite linear
//! systems*, 2001). More bits are the remedy.

use super::method::{Method, System, Work};
use super::operator::LinearOperator;
use super::solver::Solver;
use super::watch::Watch;
use crate::Error;
use crate::backend::{NumberOp, Reading, Sign, Space};

/// MINRES, for symmetric systems, definite or not.
///
/// ```
/// use std::ops::ControlFlow::Continue;
///
/// use nonius_linalg::Numbers;
/// use nonius_linalg::krylov::{HostSpace, Identity, Minres, Options};
/// use nonius_linalg::sparse::Dia;
///
/// // A symmetric matrix with eigenvalues of both signs.
/// let a = Dia::<f64>::diagonal(vec![1.0, -2.0, 4.0].into());
/// let (b, mut x) = (Numbers::from(vec![1.0; 3]), Numbers::zeros((), 3));
/// let mut space = HostSpace::new(());
/// let mut minres = Minres::new(&space, 3)?;
/// let options = Options::default();
/// let report = minres.solve(&mut space, &a, &Identity, &b, &mut x, &options, |_| Continue(()))?;
/// assert!(report.converged && (x[1] + 0.5).abs() < 1e-7);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
pub type Minres<S> = Solver<S, MinimalResiduals<S>>;

/// What MINRES has in memory, beside what all methods have: `q` there is `A·z`, `r` the residual
/// where a preconditioner needs it.
#[derive(Clone, Debug)]
pub struct MinimalResiduals<S: Space> {
    z: S::Vector,
    /// `v` and `v₋`, in turn.
    v: [S::Vector; 2],
    /// `d` and `d₋`, in turn.
    d: [S::Vector; 2],
    zero: S::Number,
    /// `γ₊²`, and that of the iteration before.
    square: Pair<S::Number>,
    gamma: Pair<S::Number>,
    c: Pair<S::Number>,
    s: Pair<S::Number>,
    rho: Pair<S::Number>,
    delta: S::Number,
    eta: S::Number,
    /// `ρ²`.
    pivot: S::Number,
    spare: [S::Number; 4],
}

/// A number and that of the iteration before.
#[derive(Clone, Debug)]
struct Pair<N> {
    now: N,
    before: N,
}

impl<S: Space> Minres<S> {
    /// Memory for systems of order `n`.
    ///
    /// # Errors
    /// [`Error::TooLarge`], and [`Error::Device`].
    pub fn new(space: &S, n: usize) -> Result<Self, Error> {
        let number = || space.number();
        let pair = || Pair { now: number(), before: number() };
        let method = MinimalResiduals {
            z: space.vector(n)?,
            v: [space.vector(n)?, space.vector(n)?],
            d: [space.vector(n)?, space.vector(n)?],
            zero: number(),
            square: pair(),
            gamma: pair(),
            c: pair(),
            s: pair(),
            rho: pair(),
            delta: number(),
            eta: number(),
            pivot: number(),
            spare: [number(), number(), number(), number()],
        };
        Self::with_method(space, n, method)
    }
}

/// What is now becomes what was before, and `next` what is now.
fn shift<S: Space>(space: &mut S, pair: &mut Pair<S::Number>, next: &S::Number) {
    space.assign(&pair.now, &mut pair.before);
    space.assign(next, &mut pair.now);
}

impl<S: Space> MinimalResiduals<S> {
    /// `v₊` in place of `v₋`, and `δ`.
    fn lanczos(
        &mut self,
        space: &mut S,
        a: &dyn LinearOperator<S>,
        work: &mut Work<S>,
        turn: bool,
    ) {
        let Work { q, one, .. } = work;
        let [t, ..] = &mut self.spare;
        let (v, v_before) = in_turn(&mut self.v, turn);
        space.compute(NumberOp::Div, one, &self.gamma.now, t);
        space.scale(t, &mut self.z);
        a.apply(space, &self.z, q);
        space.dot(q, &self.z, &mut self.delta);
        space.compute(NumberOp::Div, &self.gamma.now, &self.gamma.before, t);
        space.xpay(q, Sign::Minus, t, v_before);
        space.compute(NumberOp::Div, &self.delta, &self.gamma.now, t);
        space.axpy(Sign::Minus, t, v, v_before);
    }

    /// `d₊` in place of `d₋`; leaves `α₁`.
    fn direction(&mut self, space: &mut S, turn: bool) {
        let [t, u, w, alpha] = &mut self.spare;
        let (gamma, c, s, rho) = (&self.gamma.now, &self.c, &self.s, &self.rho);
        let (d, d_before) = in_turn(&mut self.d, turn);
        space.compute(NumberOp::Mul, &s.before, gamma, t);
        space.compute(NumberOp::Div, t, &rho.before, u);
        space.xpay(&self.z, Sign::Minus, u, d_before);
        space.compute(NumberOp::Mul, &c.before, gamma, w);
        space.compute(NumberOp::Mul, &c.now, w, t);
        space.compute(NumberOp::Mul, &s.now, &self.delta, u);
        space.compute(NumberOp::Add, t, u, alpha);
        space.compute(NumberOp::Div, alpha, &rho.now, t);
        space.axpy(Sign::Minus, t, d, d_before);
        space.compute(NumberOp::Mul, &c.now, &self.delta, t);
        space.compute(NumberOp::Mul, &s.now, w, u);
        space.compute(NumberOp::Sub, t, u, alpha);
    }

    /// The next rotation, from `α₁` and `γ₊`; leaves `c₊·η/ρ`.
    fn rotate(&mut self, space: &mut S) {
        let [t, u, gamma, alpha] = &mut self.spare;
        space.root(&self.square.now, gamma);
        space.compute(NumberOp::Mul, alpha, alpha, t);
        space.compute(NumberOp::Add, t, &self.square.now, &mut self.pivot);
        space.root(&self.pivot, u);
        shift(space, &mut self.rho, u);
        space.compute(NumberOp::Div, alpha, &self.rho.now, t);
        shift(space, &mut self.c, t);
        space.compute(NumberOp::Div, gamma, &self.rho.now, t);
        shift(space, &mut self.s, t);
        shift(space, &mut self.gamma, gamma);
        space.compute(NumberOp::Mul, &self.c.now, &self.eta, t);
        space.compute(NumberOp::Div, t, &self.rho.now, alpha);
        space.compute(NumberOp::Mul, &self.s.now, &self.eta, t);
        space.compute(NumberOp::Sub, &self.zero, t, &mut self.eta);
    }
}

/// The vector of this iteration, and that of the one before.
fn in_turn<V>([even, odd]: &mut [V; 2], turn: bool) -> (&V, &mut V) {
    if turn { (odd, even) } else { (even, odd) }
}

impl<S: Space> Method<S> for MinimalResiduals<S> {
    const COLUMNS: usize = 4;

    fn begin(&mut self, space: &mut S, system: &System<'_, S>, work: &mut Work<S>) {
        let [v, v_before] = &mut self.v;
        space.copy(&work.r, v);
        space.clear(v_before);
        self.d.iter_mut().for_each(|d| space.clear(d));
        system.m.apply(space, v, &mut self.z);
        space.dot(v, &self.z, &mut self.square.now);
        space.root(&self.square.now, &mut self.gamma.now);
        space.assign(&self.gamma.now, &mut self.eta);
        space.assign(&work.one, &mut self.gamma.before);
        for pair in [&mut self.c, &mut self.rho] {
            shift(space, pair, &work.one);
            shift(space, pair, &work.one);
        }
        shift(space, &mut self.s, &self.zero);
        shift(space, &mut self.s, &self.zero);
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
        let turn = !step.is_multiple_of(2);
        self.lanczos(space, system.a, work, turn);
        self.direction(space, turn);
        // What was before is now.
        let (v, _) = in_turn(&mut self.v, !turn);
        system.m.apply(space, v, &mut self.z);
        space.assign(&self.square.now, &mut self.square.before);
        space.dot(v, &self.z, &mut self.square.now);
        self.rotate(space);
        let [t, _, _, factor] = &mut self.spare;
        let (v, _) = in_turn(&mut self.v, !turn);
        let (d, _) = in_turn(&mut self.d, !turn);
        space.axpy(Sign::Plus, factor, d, x);
        let Work { r, square, .. } = work;
        if system.m.is_identity() {
            space.compute(NumberOp::Mul, &self.eta, &self.eta, square);
        } else {
            space.compute(NumberOp::Mul, &self.s.now, &self.s.now, t);
            space.scale(t, r);
            space.axpy(Sign::Minus, factor, v, r);
            space.dot(r, r, square);
        }
        space.record(log, [square, &self.pivot, &self.square.now, &self.square.before]);
    }

    fn judge(row: &[Reading], _: usize, watch: &mut Watch<'_>) -> Result<(), Error> {
        let &[square, pivot, after, before] = row else { return Ok(()) };
        watch.begin();
        watch.square("v·M⁻¹v", before)?;
        watch.divisor("v·M⁻¹v", before)?;
        watch.square("v·M⁻¹v", after)?;
        watch.divisor("ρ²", pivot)?;
        watch.residual(square)
    }
}
