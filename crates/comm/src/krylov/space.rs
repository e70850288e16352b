//! Vectors whose rows are shared out.

use core::ops::Range;

use nonius_linalg::Error;
use nonius_linalg::backend::{NumberOp, Reading, Round, SEGMENT, Segments, Sign, Space};

use super::rows::Rows;
use super::sum;
use super::team::Team;
use crate::Communicator;

/// A space of vectors of one order, of which each rank has its rows in a space of its own: see the
/// [module](super).
///
/// Numbers and logs are on all ranks, and the same. Where a rank fails, all hear of it when they
/// [look](Space::look) next.
#[derive(Clone, Debug)]
pub struct RankSpace<S: Space> {
    pub(super) team: Team,
    /// The space of this rank's rows.
    pub(super) local: S,
    /// Segments in the runs of each rank.
    runs: Vec<Vec<usize>>,
    /// Runs of this rank, by their places among its rows.
    here: Vec<Range<usize>>,
    /// Sums of segments.
    sums: Vec<S::Number>,
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

impl<S: Segments> RankSpace<S> {
    /// The space of these ranks, where this one computes in `local`.
    ///
    /// Panics where the rows are those of more or fewer ranks.
    pub fn new(ranks: &Communicator, rows: Rows, local: S) -> Self {
        Self::of_team(Team::new(ranks, rows), local)
    }

    pub(super) fn of_team(team: Team, local: S) -> Self {
        let runs: Vec<Vec<usize>> = (0..team.ranks.size()).map(|r| team.rows.runs(r)).collect();
        let (rows, mut next) = (team.own().len(), 0);
        let place = |&segments: &usize| {
            let first = next;
            next = rows.min(first + segments * SEGMENT);
            first..next
        };
        let here = runs[team.ranks.rank()].iter().map(place).collect();
        Self { team, local, runs, here, sums: Vec::new() }
    }

    /// The rows of each rank.
    pub fn rows(&self) -> &Rows {
        &self.team.rows
    }

    /// This rank's part of a vector that all ranks have.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::TooLarge`], [`Error::Device`].
    pub fn share(&self, x: &S::Vector) -> Result<RankVector<S::Vector>, Error> {
        let order = self.team.rows.order();
        Error::check_length("x", order, self.local.length(x))?;
        self.local.check_numbers("x", x)?;
        let mut shared = self.vector(order)?;
        self.keep(x, &mut shared);
        Ok(shared)
    }

    /// The vector with the rows of all ranks, on every rank.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::Device`].
    pub fn whole(&self, x: &RankVector<S::Vector>) -> Result<S::Vector, Error> {
        self.team.check()?;
        let (words, mut mine) = (self.local.words(), Vec::new());
        self.local.pack(&x.local, 0..self.local.length(&x.local), &mut mine);
        let all = self.team.all_gather(mine, |rank| words * self.team.rows.of(rank).len())?;
        let mut whole = self.local.vector(x.length)?;
        self.local.unpack(&all, &mut whole, 0..x.length);
        Ok(whole)
    }

    /// Keeps what is this rank's of a vector that all ranks have.
    pub(super) fn keep(&self, whole: &S::Vector, to: &mut RankVector<S::Vector>) {
        let (own, mut words) = (self.team.own(), Vec::new());
        let count = own.len();
        self.local.pack(whole, own, &mut words);
        self.local.unpack(&words, &mut to.local, 0..count);
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
        let Self { team, local, runs, here, sums } = self;
        let mut mine = Vec::new();
        for run in here.iter() {
            local.dot_within(run.clone(), &x.local, &y.local, to);
            local.pack_number(to, &mut mine);
        }
        let words = local.words();
        let all = team.all_gather(mine, |rank| words * runs[rank].len())?;
        sum::add(local, runs.iter().flatten().copied(), &all, sums, to);
        if !local.is_finite(to) {
            // One device then adds the whole in another way.
            let (x, y) = (self.whole(x)?, self.whole(y)?);
            self.local.dot(&x, &y, to);
        }
        Ok(())
    }
}

impl<S: Segments> Space for RankSpace<S> {
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
        self.local.look(log)
    }
}

impl<F: Segments, S: Segments + Round<F>> Round<RankSpace<F>> for RankSpace<S> {
    fn round(&mut self, x: &Self::Vector, exponent: i64, to: &mut RankVector<F::Vector>) {
        self.local.round(&x.local, exponent, &mut to.local);
    }

    fn widen(&mut self, x: &RankVector<F::Vector>, exponent: i64, to: &mut Self::Vector) {
        self.local.widen(&x.local, exponent, &mut to.local);
    }
}
