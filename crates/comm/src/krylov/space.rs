//! Vectors whose rows are shared out.

use core::fmt;

use nonius_linalg::Error;
use nonius_linalg::backend::{NumberOp, Reading, Round, SEGMENT, Sign, Space};

use super::rows::Rows;
use super::sum::additions;
use super::team::Team;
use super::travel::{Travel, Wire};
use crate::Communicator;

/// A space of vectors of one order, of which each rank has its rows in a space of its own: see the
/// [module](super).
///
/// Numbers and logs are on all ranks, and the same. Where a rank fails, all hear of it when they
/// [look](Space::look) next.
pub struct RankSpace<S: Travel> {
    pub(super) team: Team<Wire<S>>,
    /// The space of this rank's rows.
    pub(super) local: S,
    /// Runs of this rank's segments, by their places among its rows, and the sums over them.
    runs: S::Pairs,
    sums: S::Vector,
    /// How many runs each rank has, the sums of all, and how they are added.
    counts: Vec<usize>,
    all: S::Vector,
    additions: S::Pairs,
}

/// A vector of which each rank has its rows.
#[derive(Clone, Debug)]
pub struct RankVector<V> {
    /// Entries of all ranks.
    length: usize,
    pub(super) local: V,
}

impl<V> RankVector<V> {
    /// The entries of this rank.
    pub fn here(&self) -> &V {
        &self.local
    }
}

impl<S: Travel> RankSpace<S> {
    /// The space of these ranks, which call this together; this one computes in `local`.
    ///
    /// Panics where the rows are those of more or fewer ranks.
    ///
    /// # Errors
    /// [`Error::Device`]: a rank is lost, or a device has too little memory.
    pub fn new(ranks: &Communicator, rows: Rows, local: S) -> Result<Self, Error> {
        Self::of_team(Team::new(ranks, rows, &local.device())?, local)
    }

    pub(super) fn of_team(team: Team<Wire<S>>, local: S) -> Result<Self, Error> {
        let runs: Vec<Vec<usize>> = (0..team.ranks.size()).map(|r| team.rows.runs(r)).collect();
        let (rows, mut next) = (team.own().len(), 0);
        let place = |&segments: &usize| {
            let first = next;
            next = rows.min(first + segments * SEGMENT);
            (first, next)
        };
        let here: Vec<(usize, usize)> = runs[team.ranks.rank()].iter().map(place).collect();
        let counts: Vec<usize> = runs.iter().map(Vec::len).collect();
        let (sums, all) = (local.vector(here.len())?, local.vector(counts.iter().sum())?);
        let additions = local.pairs(&additions(runs.into_iter().flatten()))?;
        let runs = local.pairs(&here)?;
        Ok(Self { team, local, runs, sums, counts, all, additions })
    }

    /// The rows of each rank.
    pub fn rows(&self) -> &Rows {
        &self.team.rows
    }

    /// The space of this rank's rows.
    pub fn local(&self) -> &S {
        &self.local
    }

    /// This rank's part of a vector that all ranks have.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::TooLarge`], [`Error::Device`].
    pub fn share(&mut self, x: &S::Vector) -> Result<RankVector<S::Vector>, Error> {
        let order = self.team.rows.order();
        Error::check_length("x", order, self.local.length(x))?;
        self.local.check_numbers("x", x)?;
        let mut shared = self.vector(order)?;
        self.keep(x, &mut shared);
        Ok(shared)
    }

    /// The vector of which each rank has these rows in its device's memory.
    ///
    /// Panics where this rank has not as many rows.
    pub fn of_parts(&self, local: S::Vector) -> RankVector<S::Vector> {
        assert_eq!(self.local.length(&local), self.team.own().len(), "rows of this rank");
        RankVector { length: self.team.rows.order(), local }
    }

    /// The vector with the rows of all ranks, on every rank.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::Device`].
    pub fn whole(&mut self, x: &RankVector<S::Vector>) -> Result<S::Vector, Error> {
        self.team.check()?;
        let Self { team, local, .. } = self;
        let mut whole = local.vector(x.length)?;
        if x.length > 0 {
            let own = (team.ranks.rank(), &x.local);
            local.gather(&team.wire, own, &team.counts(), &mut whole)?;
        }
        Ok(whole)
    }

    /// Keeps what is this rank's of a vector that all ranks have.
    pub(super) fn keep(&mut self, whole: &S::Vector, to: &mut RankVector<S::Vector>) {
        let own = self.team.own();
        self.local.place(whole, own.start, &mut to.local, 0..own.len());
    }

    /// Does what may fail, unless something has failed; the others learn of a failure.
    pub(super) fn attempt(&mut self, work: impl FnOnce(&mut Self) -> Result<(), Error>) {
        if self.team.check().is_ok()
            && let Err(error) = work(self)
        {
            self.team.fail(error);
        }
    }

    fn sum_products(
        &mut self,
        x: &RankVector<S::Vector>,
        y: &RankVector<S::Vector>,
        to: &mut S::Number,
    ) -> Result<(), Error> {
        let Self { team, local, runs, sums, counts, all, additions } = self;
        if local.length(all) == 0 {
            local.set(0.0, to);
            return Ok(());
        }
        local.sum_ranges(runs, &x.local, &y.local, sums);
        local.gather(&team.wire, (team.ranks.rank(), sums), counts, all)?;
        local.add_pairs(additions, all, to);
        Ok(())
    }
}

impl<S: Travel> fmt::Debug for RankSpace<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RankSpace").field(&self.team).finish()
    }
}

impl<S: Travel> Space for RankSpace<S> {
    type Vector = RankVector<S::Vector>;
    type Number = S::Number;
    type Log = S::Log;

    const LOOK: usize = S::LOOK;

    /// `n` is the order, or zero.
    fn vector(&self, n: usize) -> Result<Self::Vector, Error> {
        let own = if n == 0 { 0 } else { self.team.own().len() };
        if n != 0 {
            Error::check_length("x", self.team.rows.order(), n)?;
        }
        Ok(RankVector { length: n, local: self.local.vector(own)? })
    }

    fn number(&self) -> S::Number {
        self.local.number()
    }

    fn length(&self, x: &Self::Vector) -> usize {
        x.length
    }

    fn check_numbers(&self, operand: &'static str, x: &Self::Vector) -> Result<(), Error> {
        self.local.check_numbers(operand, &x.local)
    }

    fn set(&mut self, value: f64, to: &mut S::Number) {
        self.local.set(value, to);
    }

    fn copy(&mut self, x: &Self::Vector, y: &mut Self::Vector) {
        self.local.copy(&x.local, &mut y.local);
    }

    fn clear(&mut self, x: &mut Self::Vector) {
        self.local.clear(&mut x.local);
    }

    fn dot(&mut self, x: &Self::Vector, y: &Self::Vector, to: &mut S::Number) {
        self.attempt(|space| space.sum_products(x, y, to));
    }

    fn axpy(&mut self, sign: Sign, alpha: &S::Number, x: &Self::Vector, y: &mut Self::Vector) {
        self.local.axpy(sign, alpha, &x.local, &mut y.local);
    }

    fn xpay(&mut self, x: &Self::Vector, sign: Sign, beta: &S::Number, y: &mut Self::Vector) {
        self.local.xpay(&x.local, sign, beta, &mut y.local);
    }

    fn scale(&mut self, alpha: &S::Number, x: &mut Self::Vector) {
        self.local.scale(alpha, &mut x.local);
    }

    fn multiply(&mut self, x: &Self::Vector, y: &mut Self::Vector) {
        self.local.multiply(&x.local, &mut y.local);
    }

    fn norm(&mut self, x: &Self::Vector, to: &mut S::Number) {
        let mut square = self.number();
        self.dot(x, x, &mut square);
        self.root(&square, to);
    }

    fn assign(&mut self, a: &S::Number, to: &mut S::Number) {
        self.local.assign(a, to);
    }

    fn compute(&mut self, operation: NumberOp, a: &S::Number, b: &S::Number, to: &mut S::Number) {
        self.local.compute(operation, a, b, to);
    }

    fn root(&mut self, a: &S::Number, to: &mut S::Number) {
        self.local.root(a, to);
    }

    fn log(&self, columns: usize, limit: Reading) -> S::Log {
        self.local.log(columns, limit)
    }

    fn record<const K: usize>(&mut self, log: &mut S::Log, row: [&S::Number; K]) {
        self.local.record(log, row);
    }

    fn hold(&mut self, log: &S::Log) {
        self.local.hold(log);
    }

    fn release(&mut self) {
        self.local.release();
    }

    fn look<'a>(&mut self, log: &'a mut S::Log) -> Result<&'a [Reading], Error> {
        self.team.check()?;
        let found = self.local.look(log).inspect_err(|error| self.team.fail(error.clone()));
        self.team.check()?;
        found
    }
}

impl<F: Travel, S: Travel + Round<F>> Round<RankSpace<F>> for RankSpace<S> {
    fn round(&mut self, x: &Self::Vector, exponent: i64, to: &mut RankVector<F::Vector>) {
        self.local.round(&x.local, exponent, &mut to.local);
    }

    fn widen(&mut self, x: &RankVector<F::Vector>, exponent: i64, to: &mut Self::Vector) {
        self.local.widen(&x.local, exponent, &mut to.local);
    }
}
