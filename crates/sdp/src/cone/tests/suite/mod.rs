//! Cones of semidefinite matrices: a suite for those of every backend.
//!
//! Every operation is compared with a naive computation in 704 bits or more, from the numbers that
//! the backend was given or has itself returned, and may differ by the roundings of its sums, in
//! units of the sum of magnitudes of what is summed.

mod blocks;
mod exact;
mod factors;
mod host;
mod lengths;
mod maps;
mod outcomes;
mod program;
mod schur;
mod second_order;
mod vectors;

use nonius_linalg::Numbers;
use nonius_linalg::mp::{Bits, Mp};
use nonius_testkit::Random;

use self::exact::{Blocks, Exact, assert_bound, wide};
use self::program::Entry;
use crate::cone::{Cone, Congruent};

pub(crate) use host::{Bitwise, Limbs};
pub(crate) use outcomes::{outcomes, outcomes_of};
pub(crate) use program::{Data, dense, large, sparse};

/// What the suite needs beside a cone.
pub(crate) trait Suite {
    /// The cone.
    type Cone: Cone;

    /// The cone for a program.
    fn cone(&self, data: &Data) -> Self::Cone;
    /// The number nearest to `x`.
    fn number(&self, x: &Mp) -> Number<Self>;
    /// The bits of exact numbers.
    fn wide(&self) -> Bits {
        wide()
    }
    /// The number, with as many bits as [`wide`](Self::wide) says.
    fn exact(&self, x: &Number<Self>) -> Mp;
    /// The factor `c` in the bound `c·u·Σ|x||y|` of the error of a sum of `terms` products, however
    /// an operation sums.
    fn sum(&self, terms: usize) -> f64;
    /// The factor `c` in the bound `c·u·Σ|x||y|` of what is left of a number after `terms` products
    /// of unknowns are subtracted, and it is divided or its root is taken.
    fn elimination(&self, terms: usize) -> f64;
    /// The entries of a Schur complement column by column.
    fn schur(&self, b: &<Self::Cone as Cone>::Schur) -> Vec<Number<Self>>;
}

/// Numbers of a cone's format.
fn listed<C: Cone>(cone: &C, from: impl Iterator<Item = C::Number>) -> Numbers<C::Number> {
    let mut numbers = Numbers::new(cone.format());
    from.for_each(|x| numbers.push(x));
    numbers
}

/// A number of a suite's cone.
pub(crate) type Number<S> = <<S as Suite>::Cone as Cone>::Number;
/// A vector of a suite's cone.
type Vector<S> = <<S as Suite>::Cone as Cone>::Vector;
/// A matrix of a suite's cone.
type Matrix<S> = <<S as Suite>::Cone as Cone>::Blocks;

/// All that a cone has to do.
///
/// # Panics
/// Where it does not.
pub(crate) fn suite<S: Suite<Cone: Congruent>>(suite: &S) {
    let programs = [program::dense(), program::sparse()].concat();
    suite_of(suite, &programs);
}

/// The same with some programs.
///
/// # Panics
/// Where the cone does not do it.
pub(crate) fn suite_of<S: Suite<Cone: Congruent>>(suite: &S, programs: &[Data]) {
    for data in programs {
        let mut case = Case::new(suite, data);
        case.shapes();
        vectors::check(&mut case);
        blocks::check(&mut case);
        factors::check(&mut case);
        factors::check_hard(&mut case);
        second_order::check(&mut case);
        maps::check(&mut case);
        schur::check(&mut case);
        lengths::check(&mut case);
    }
}

/// A program under test.
struct Case<'a, S: Suite> {
    suite: &'a S,
    cone: S::Cone,
    data: &'a Data,
    /// The unit of error bounds.
    unit: f64,
    /// `F₀, F₁, …`.
    matrices: Vec<Vec<Entry>>,
    random: Random,
}

/// What a random matrix is like.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    General,
    Symmetric,
    /// Symmetric with eigenvalues from 1 to about 5.
    Definite,
}

impl<'a, S: Suite> Case<'a, S> {
    fn new(suite: &'a S, data: &'a Data) -> Self {
        let cone = suite.cone(data);
        let unit = cone.unit_roundoff();
        Self { suite, cone, data, unit, matrices: data.matrices(), random: Random::new(9) }
    }

    fn shapes(&self) {
        assert_eq!(self.cone.constraints(), self.data.objective.len(), "{}", self.data.name);
        assert_eq!(self.cone.squares(), self.data.squares, "{}", self.data.name);
        assert_eq!(self.cone.diagonal(), self.data.diagonal, "{}", self.data.name);
        let cones = &self.data.second_order;
        assert_eq!(self.cone.second_order(), *cones, "{}", self.data.name);
        let others = self.data.diagonal - cones.iter().sum::<usize>();
        let degree = self.data.squares.iter().sum::<usize>() + others + cones.len();
        assert_eq!(self.cone.degree(), degree, "{}", self.data.name);
    }

    /// A number in (−1, 1) of full length.
    fn number(&mut self) -> Number<S> {
        let wide = self.suite.wide();
        let words: Vec<u64> = (0..wide.words()).map(|_| self.random.bits()).collect();
        let negative = self.random.bits() & 1 == 1;
        let exponent = -64 * words.len() as i64;
        self.suite.number(&Mp::rounded(wide, negative, &words, exponent, false))
    }

    fn vector(&mut self) -> (Vector<S>, Vec<Exact>) {
        let numbers: Vec<Number<S>> =
            (0..self.data.objective.len()).map(|_| self.number()).collect();
        let numbers = listed(&self.cone, numbers.into_iter());
        let x = self.cone.upload_vector(&numbers).unwrap();
        (x, self.exact(&numbers))
    }

    fn exact(&self, x: &Numbers<Number<S>>) -> Vec<Exact> {
        x.as_slice().iter().map(|x| Exact::new(&self.suite.exact(&x))).collect()
    }

    fn exact_vector(&self, x: &Vector<S>) -> Vec<Exact> {
        self.exact(&self.cone.download_vector(x).unwrap())
    }

    fn exact_blocks(&self, a: &Matrix<S>) -> Blocks {
        let parts = self.cone.download_blocks(a).unwrap();
        let parts = parts.iter().map(|part| self.exact(part)).collect();
        Blocks { orders: self.data.squares.clone(), parts, cones: self.data.cones() }
    }

    fn upload(&self, a: &Blocks) -> Matrix<S> {
        let number = |x: &Exact| self.suite.number(&x.value);
        let part = |part: &Vec<Exact>| listed(&self.cone, part.iter().map(number));
        let parts: Vec<Numbers<Number<S>>> = a.parts.iter().map(part).collect();
        self.cone.upload_blocks(&parts).unwrap()
    }

    fn blocks(&mut self, kind: Kind) -> (Matrix<S>, Blocks) {
        let (orders, diagonal) = (self.data.squares.clone(), self.data.diagonal);
        let all = Blocks::from_fn(&orders, diagonal, &self.data.cones(), |_, _, _| {
            let x = self.number();
            Exact::new(&self.suite.exact(&x))
        });
        let a = match kind {
            Kind::General => all,
            Kind::Symmetric => all.with(|block, i, j| all.at(block, i.min(j), i.max(j)).clone()),
            Kind::Definite => {
                let square = all.times(&all.transposed());
                square
                    .with(|block, i, j| {
                        let n = if block == orders.len() { 1 } else { orders[block] };
                        // Symmetric to the last bit.
                        let mut sum = square.at(block, i.min(j), i.max(j)).times(1.0 / n as f64);
                        sum.add(&Exact::of(f64::from(u8::from(i == j))));
                        sum
                    })
                    .with_cones([&all], |[x]| {
                        let scale = 1.0 / (x.len() as f64).sqrt();
                        let entry = |(i, x): (usize, &Exact)| match i {
                            0 => Exact::of(2.0),
                            _ => x.times(scale),
                        };
                        x.iter().enumerate().map(entry).collect()
                    })
            }
        };
        let uploaded = self.upload(&a);
        let exact = self.exact_blocks(&uploaded);
        (uploaded, exact)
    }

    /// Panics unless a number is within `units` units of what it should be.
    fn assert_number(&self, found: &Number<S>, expected: &Exact, units: f64, what: &str) {
        let error = expected.distance(&self.suite.exact(found));
        assert_bound(error, units * self.unit * expected.size, &self.named(what));
    }

    fn assert_vector(&self, found: &Vector<S>, expected: &[Exact], units: f64, what: &str) {
        let found = self.cone.download_vector(found).unwrap();
        assert_eq!(found.len(), expected.len(), "{}", self.named(what));
        for (i, (found, expected)) in found.as_slice().iter().zip(expected).enumerate() {
            self.assert_number(&found, expected, units, &format!("{what} {i}"));
        }
    }

    fn assert_blocks(&self, found: &Matrix<S>, expected: &Blocks, units: f64, what: &str) {
        let found = self.cone.download_blocks(found).unwrap();
        assert_eq!(found.len(), expected.parts.len(), "{}", self.named(what));
        for (block, (found, expected)) in found.iter().zip(&expected.parts).enumerate() {
            assert_eq!(found.len(), expected.len(), "{}", self.named(what));
            for (i, (found, expected)) in found.as_slice().iter().zip(expected).enumerate() {
                self.assert_number(&found, expected, units, &format!("{what} {block} {i}"));
            }
        }
    }

    fn named(&self, what: &str) -> String {
        format!("{}, {what}, u = {:e}", self.data.name, self.unit)
    }

    /// The largest order.
    fn order(&self) -> usize {
        let orders = self.data.squares.iter().chain(&self.data.second_order);
        orders.copied().max().unwrap_or(0).max(1)
    }

    /// How many rows second-order cones have.
    fn rows_of_cones(&self) -> usize {
        self.data.second_order.iter().sum()
    }

    /// The number of blocks.
    fn count(&self) -> f64 {
        self.data.squares.len() as f64 + 1.0
    }
}
