//! The method of generalised minimal residuals, restarted after a given number of iterations.
//!
//! **Method.** Saad and Schultz, *GMRES: a generalized minimal residual algorithm for solving
//! nonsymmetric linear systems* (1986), preconditioned from the right. Arnoldi's process makes an
//! orthonormal basis `v₀ = r/‖r‖, v₁, …` of the space of `r, A·M⁻¹r, …`: of `w = A·M⁻¹vⱼ` its parts
//! `h = w·vᵢ` along all `vᵢ` so far are taken away, and what is left is divided by its norm.
//! Rotations `(c, s)` turn the `h` into a triangular matrix `R`, a column an iteration, and
//! `‖r‖·e₀` into `g`; the residual's norm is the last entry of `g` in magnitude. After `m`
//! iterations, or where that is small enough, `R·y = g` is solved, `x ← x + M⁻¹·V·y`, and the
//! method begins anew from `b − A·x`. So `x` changes at the end of a cycle alone. A cycle has at
//! most `n` iterations.
//!
//! The norm of the residual never grows; without beginning anew it is the least that the space
//! permits. With it the method may stagnate before it arrives, for any `m` less than the order.
//! Memory is `m + 1` vectors and some `m²/2` numbers; the work of an iteration grows with its place
//! in the cycle.
//!
//! **Orthogonality** is that of modified Gram–Schmidt, once: what it loses is lost as the residual
//! falls, and no earlier than the solution is as good as one by a backward stable factorisation
//! (Paige, Rozložník and Strakoš, *Modified Gram–Schmidt (MGS), least squares, and backward
//! stability of MGS-GMRES*, 2006). Classical Gram–Schmidt twice would form twice as many sums, and
//! gains where one pass over memory forms them all; the operations of a [`Space`] form one at a
//! time.
//!
//! **Breakdown.** Where nothing is left of `w` (a happy breakdown), the space has the solution and
//! the residual becomes zero, unless the matrix is singular: then `ρ = 0` too, by which the
//! rotation divides, and the method ends with an error.
//!
//! **Residuals.** As `M` stands on the right, the last entry of `g` is the norm of the system's own
//! residual, up to roundings of a cycle: every cycle begins with `b − A·x`. Where the true residual
//! is to be small enough and is not, further cycles refine the solution, until one gains nothing.

use super::method::{Method, System, Work};
use super::solver::Solver;
use super::watch::Watch;
use crate::Error;
use crate::backend::{NumberOp, Reading, Sign, Space};

/// GMRES for nonsymmetric systems, restarted after a given number of iterations.
///
/// ```
/// use std::ops::ControlFlow::Continue;
///
/// use nonius_linalg::Numbers;
/// use nonius_linalg::krylov::{Gmres, HostSpace, Identity, Options};
/// use nonius_linalg::sparse::{Coo, Csr, Triplet};
/// use nonius_num::Qd;
///
/// // A rotation by a right angle, which stops BiCGSTAB.
/// let t = |row, col, value| Triplet { row, col, value };
/// let a = Csr::<f64>::from_coo(Coo::new(2, 2, vec![t(0, 1, -1.0), t(1, 0, 1.0)]).unwrap())?;
/// let (b, mut x) = (Numbers::from(vec![Qd::ONE, Qd::from(2)]), Numbers::zeros((), 2));
/// let mut space = HostSpace::new(());
/// let options = Options { tolerance: 1e-50, ..Options::default() };
/// let mut gmres = Gmres::new(&space, 2, 50)?;
/// let report = gmres.solve(&mut space, &a, &Identity, &b, &mut x, &options, |_| Continue(()))?;
/// assert!(report.converged && (x[0] - 2.0).abs().to_f64() < 1e-49);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
pub type Gmres<S> = Solver<S, GeneralisedMinimalResiduals<S>>;

/// What GMRES has in memory, beside what all methods have.
#[derive(Clone, Debug)]
pub struct GeneralisedMinimalResiduals<S: Space> {
    /// `v`, one more than a cycle has iterations.
    basis: Vec<S::Vector>,
    /// Columns of `R`, each with as many numbers as its place has, counted from 1.
    columns: Vec<Vec<S::Number>>,
    /// `(c, s)`.
    rotations: Vec<(S::Number, S::Number)>,
    /// `g`, then `y`.
    g: Vec<S::Number>,
    zero: S::Number,
    /// `‖w‖²`.
    length: S::Number,
    /// `ρ²`.
    pivot: S::Number,
    spare: [S::Number; 3],
}

impl<S: Space> Gmres<S> {
    /// Memory for systems of order `n`, and cycles of `restart` iterations, one at least.
    ///
    /// # Errors
    /// [`Error::TooLarge`], and [`Error::Device`].
    pub fn new(space: &S, n: usize, restart: usize) -> Result<Self, Error> {
        let cycle = restart.min(n).max(1);
        let too_large = |_| Error::TooLarge { rows: n, cols: cycle };
        let mut basis = Vec::new();
        basis.try_reserve_exact(cycle + 1).map_err(too_large)?;
        for _ in 0..=cycle {
            basis.push(space.vector(n)?);
        }
        let number = || space.number();
        let numbers = |count| (0..count).map(|_| number()).collect();
        let method = GeneralisedMinimalResiduals {
            basis,
            columns: (1..=cycle).map(numbers).collect(),
            rotations: (0..cycle).map(|_| (number(), number())).collect(),
            g: numbers(cycle + 1),
            zero: number(),
            length: number(),
            pivot: number(),
            spare: [number(), number(), number()],
        };
        Self::with_method(space, n, method)
    }
}

/// `(a, b) ← (c·a + s·b, c·b − s·a)`.
fn rotate<S: Space>(
    space: &mut S,
    (c, s): &(S::Number, S::Number),
    a: &mut S::Number,
    b: &mut S::Number,
    [t, u, v]: &mut [S::Number; 3],
) {
    space.compute(NumberOp::Mul, s, a, t);
    space.compute(NumberOp::Mul, c, a, u);
    space.compute(NumberOp::Mul, s, b, v);
    space.compute(NumberOp::Add, u, v, a);
    space.compute(NumberOp::Mul, c, b, u);
    space.compute(NumberOp::Sub, u, t, b);
}

impl<S: Space> GeneralisedMinimalResiduals<S> {
    /// The next vector of the basis, before it is divided by its norm, and a column of `h`.
    fn arnoldi(
        &mut self,
        space: &mut S,
        System { a, m }: &System<'_, S>,
        z: &mut S::Vector,
        j: usize,
    ) {
        let (basis, rest) = self.basis.split_at_mut(j + 1);
        let w = &mut rest[0];
        if m.is_identity() {
            a.apply(space, &basis[j], w);
        } else {
            m.apply(space, &basis[j], z);
            a.apply(space, z, w);
        }
        for (v, h) in basis.iter().zip(&mut self.columns[j]) {
            space.dot(w, v, h);
            space.axpy(Sign::Minus, h, v, w);
        }
        space.dot(w, w, &mut self.length);
    }

    /// A column of `R` from one of `h`, and the next entry of `g`.
    fn triangularise(&mut self, space: &mut S, j: usize) {
        let column = &mut self.columns[j];
        for (i, rotation) in self.rotations[..j].iter().enumerate() {
            let (upper, lower) = column.split_at_mut(i + 1);
            rotate(space, rotation, &mut upper[i], &mut lower[0], &mut self.spare);
        }
        let last = &mut column[j];
        let [t, norm, _] = &mut self.spare;
        space.compute(NumberOp::Mul, last, last, t);
        space.compute(NumberOp::Add, t, &self.length, &mut self.pivot);
        space.root(&self.pivot, t);
        space.root(&self.length, norm);
        let rotation = &mut self.rotations[j];
        space.compute(NumberOp::Div, last, t, &mut rotation.0);
        space.compute(NumberOp::Div, norm, t, &mut rotation.1);
        space.assign(t, last);
        let (upper, lower) = self.g.split_at_mut(j + 1);
        space.assign(&self.zero, &mut lower[0]);
        rotate(space, rotation, &mut upper[j], &mut lower[0], &mut self.spare);
    }

    /// `y` in place of the first `k` entries of `g`.
    fn substitute(&mut self, space: &mut S, k: usize) {
        let [t, u, _] = &mut self.spare;
        for i in (0..k).rev() {
            let (upper, lower) = self.g.split_at_mut(i + 1);
            let entry = &mut upper[i];
            for (y, column) in lower.iter().zip(&self.columns[i + 1..k]) {
                space.compute(NumberOp::Mul, &column[i], y, t);
                space.compute(NumberOp::Sub, entry, t, u);
                space.assign(u, entry);
            }
            space.compute(NumberOp::Div, entry, &self.columns[i][i], u);
            space.assign(u, entry);
        }
    }
}

impl<S: Space> Method<S> for GeneralisedMinimalResiduals<S> {
    const COLUMNS: usize = 2;

    fn cycle(&self) -> Option<usize> {
        Some(self.columns.len())
    }

    fn begin(&mut self, space: &mut S, _: &System<'_, S>, work: &mut Work<S>) {
        let [t, ..] = &mut self.spare;
        space.root(&work.square, &mut self.g[0]);
        space.compute(NumberOp::Div, &work.one, &self.g[0], t);
        space.copy(&work.r, &mut self.basis[0]);
        space.scale(t, &mut self.basis[0]);
    }

    fn step(
        &mut self,
        space: &mut S,
        system: &System<'_, S>,
        _: &mut S::Vector,
        work: &mut Work<S>,
        step: usize,
        log: &mut S::Log,
    ) {
        self.arnoldi(space, system, &mut work.q, step);
        self.triangularise(space, step);
        let residual = &self.g[step + 1];
        space.compute(NumberOp::Mul, residual, residual, &mut work.square);
        space.record(log, [&work.square, &self.pivot]);
        // No further step of the cycle needs what follows where the row met the log; it divides by
        // zero after a happy breakdown.
        let [t, u, _] = &mut self.spare;
        space.root(&self.length, t);
        space.compute(NumberOp::Div, &work.one, t, u);
        space.scale(u, &mut self.basis[step + 1]);
    }

    fn judge(row: &[Reading], _: usize, watch: &mut Watch<'_>) -> Result<(), Error> {
        let &[square, pivot] = row else { return Ok(()) };
        watch.begin();
        watch.divisor("ρ²", pivot)?;
        watch.residual(square)
    }

    fn finish(
        &mut self,
        space: &mut S,
        system: &System<'_, S>,
        x: &mut S::Vector,
        work: &mut Work<S>,
        steps: usize,
    ) {
        self.substitute(space, steps);
        let terms = self.g.iter().zip(&self.basis).take(steps);
        if system.m.is_identity() {
            terms.for_each(|(y, v)| space.axpy(Sign::Plus, y, v, x));
        } else {
            space.clear(&mut work.r);
            terms.for_each(|(y, v)| space.axpy(Sign::Plus, y, v, &mut work.r));
            system.m.apply(space, &work.r, &mut work.q);
            space.axpy(Sign::Plus, &work.one, &work.q, x);
        }
    }
}
