//! The determinant with a proved number of digits.
//!
//! The matrix is scaled by powers of two. The determinant of a triangle is the product of its
//! diagonal. Else products with inverses of triangular factors in `f64`, on the machine, lead to
//! one that is next to the identity, whose determinant is a series in the traces of few powers (the
//! modules `precondition` and `series`). Small matrices, and those of which factors in `f64` say
//! nothing, are factored on the host with so many bits that the product of the pivots has the
//! digits asked for (`elimination` and `bound`). Both ways tell how far the number found is from
//! the determinant, and so how many more bits are enough where those taken are too few. The second
//! attempt is the last one, unless even the condition was out of reach. Where entries are integers
//! times powers of two, so is the determinant: with an error below half the unit it is found
//! exactly.

mod bound;
mod elimination;
mod found;
mod integer;
mod precondition;
mod series;
#[cfg(test)]
mod tests;

use std::time::Instant;

use nonius_num::mp::{Bits, Mp};

use super::data::Data;
use super::machine::Machine;
use super::magnitude::Magnitude;
use super::modular;
use super::outcome::{By, Failure, Refusal, Stage};
use super::rank::{NumericalRank, numerical_rank};
use super::residual::lowest_bit;
use super::solve::Options;
use super::system::System;
use super::target::Target;
use super::triangle::{self, Shape};
use crate::backend::Task;
use crate::mp;
use found::{Found, Product};
use precondition::{Attempt, Preconditioning};

/// A determinant with proved digits.
#[derive(Clone, Debug)]
pub struct Determinant {
    /// The number. With as many bits as the digits need, more where these hold it exactly.
    pub value: Mp,
    /// How many digits of the number are correct, written as decimal text that reads back as the
    /// same. `None` where it is the determinant exactly: all its digits are in the text if numbers
    /// of the most bits have as many.
    pub digits: Option<u32>,
    /// An upper bound of the relative error, that of the text included.
    pub error_bound: Magnitude,
    /// An estimate of `‖A‖_∞·‖A^-1‖_∞`; infinite for a singular matrix.
    pub condition: Magnitude,
    /// The attempts, of which the last one has the digits.
    pub route: Vec<Stage>,
}

/// Bits beside those of the digits that the first factorisation has, for the condition.
const SPARE: u32 = 64;

/// The determinant of `A` with the digits asked for, or exactly; [`Options::digits_in`] says
/// nothing of a single number. What has to do with whole matrices runs on the machine, but for
/// small ones and those that are eliminated with mp numbers. `report` hears the bits of each
/// attempt before it starts. A matrix of order 0 has the determinant 1.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::backend::Cpu;
/// use nonius_linalg::certified::{Data, DigitsIn, Options, determinant};
/// use nonius_num::mp::Bits;
///
/// // 134217729·134217727 − 2⁵⁴ = −1, which `f64` rounds to 0.
/// let entry = |i: usize, j: usize| 134_217_728.0 + [[1.0, 0.0], [0.0, -1.0]][i][j];
/// let a = Data::from_matrix(Matrix::from_fn(2, 2, entry).view());
/// let options = Options { digits: 10, digits_in: DigitsIn::Entry, most_bits: Bits::new(1024)? };
/// let found = determinant(&Cpu::default(), &a, options, &mut |_| {})?;
/// assert!(found.value.to_f64() == -1.0 && found.digits.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Refusal`]: why not, and what is known. A matrix with a row or a column of zeros has the
/// determinant 0; one that is [`Failure::Singular`] has it, but for an incredible coincidence,
/// where no bound proves that.
pub fn determinant<M: Machine>(
    machine: &M,
    a: &Data,
    options: Options,
    report: &mut dyn FnMut(Bits),
) -> Result<Determinant, Refusal> {
    machine.prepare(Task::Prove, (), a.values.rows(), 0);
    find(machine, a, options, M::ELIMINATION, report)
}

/// [`determinant`], where an elimination takes the time of `elimination` products.
fn find<M: Machine>(
    machine: &M,
    a: &Data,
    options: Options,
    elimination: f64,
    report: &mut dyn FnMut(Bits),
) -> Result<Determinant, Refusal> {
    let mut search = Search {
        machine,
        elimination,
        options,
        report,
        route: Vec::new(),
        condition: None,
        rank: None,
        bits_needed: None,
    };
    search.run(a).map_err(|failure| Refusal {
        failure,
        route: core::mem::take(&mut search.route),
        condition: search.condition,
        rank: search.rank,
        bits_needed: search.bits_needed,
    })
}

struct Search<'a, M> {
    machine: &'a M,
    elimination: f64,
    options: Options,
    report: &'a mut dyn FnMut(Bits),
    route: Vec<Stage>,
    condition: Option<Magnitude>,
    rank: Option<Box<NumericalRank>>,
    bits_needed: Option<u32>,
}

impl<M: Machine> Search<'_, M> {
    fn run(&mut self, a: &Data) -> Result<Determinant, Failure> {
        let Options { digits, digits_in, most_bits } = self.options;
        let target =
            Target::new(digits, digits_in, most_bits).ok_or(Failure::TooManyDigits(digits))?;
        let none = Data::exact(mp::Matrix::zeros_in(a.values.bits(), a.values.rows(), 0));
        let system = System::new(a, &none)?;
        if a.relative_error() == Some(i32::MAX) || !a.radii.is_empty() {
            return Err(Failure::Data { bits: a.values.bits() });
        }
        // A row or column of zeros.
        let Ok(system) = system else { return Ok(self.zero(target.bits)) };
        let unit = a.is_exact().then(|| integer::unit(&system));
        match triangle::shape(&system) {
            Shape::Singular(_) => return Ok(self.zero(target.bits)),
            Shape::Triangle(triangle) => {
                self.condition = Some(triangle.condition(&system));
                return self.of_triangle(&system, &target, unit, a.values.bits());
            }
            Shape::Square => {}
        }
        // More bits than those of rounded numbers say little of the numbers given.
        let held = a.values.bits().get();
        let most = match unit {
            Some(_) => most_bits.get(),
            None => most_bits.get().min(held + SPARE),
        };
        let goal = i64::from(target.bits.get()) + 2;
        let log2 = 2 * (usize::BITS - system.order().leading_zeros());
        let eliminated = (target.bits.get() + SPARE + log2).next_multiple_of(64);
        let (mut preconditioning, mut first) = (None, None);
        if system.order() >= precondition::LEAST_ORDER {
            let mut steps = Preconditioning::new(self.machine, &system)?;
            let most_work = self.elimination * f64::from(eliminated);
            first = steps.first_bits(self.machine, goal, most_work)?;
            preconditioning = first.is_some().then_some(steps);
        }
        let mut wanted = first.unwrap_or(eliminated);
        let (mut nonsingular, mut rank_known) = (false, false);
        loop {
            let bits = wanted.min(most).max(Bits::LEAST);
            let bits = Bits::new(bits).map_err(|_| Failure::TooManyDigits(digits))?;
            (self.report)(bits);
            let attempt = match &mut preconditioning {
                Some(steps) => self.precondition(&system, steps, bits, goal)?,
                None => self.eliminate(&system, bits)?,
            };
            let (found, more) = match attempt {
                Attempt::Found(found) => (Some(found), None),
                Attempt::More(more) => (None, Some(more)),
                Attempt::Stuck => {
                    preconditioning = None;
                    wanted = eliminated.max(bits.get().next_multiple_of(64));
                    continue;
                }
            };
            if let Some(found) = &found
                && found.change.is_finite()
            {
                nonsingular = true;
                if let Some(done) = self.finish(&system, &target, found, unit)? {
                    return Ok(done);
                }
                if target.tolerance.less(found.given) {
                    return Err(Failure::Data { bits: a.values.bits() });
                }
            }
            if let Some(unit) = unit.filter(|_| !nonsingular && !rank_known) {
                rank_known = true;
                let (rank, order) = (modular::rank(&system.rows), system.order());
                if rank < order && integer::is_zero(&system, unit) {
                    return Ok(self.zero(target.bits));
                }
                if rank < order {
                    return Err(Failure::Singular { rank, order });
                }
            }
            // The bound of elimination is the sharper one.
            if bits.get() >= most && preconditioning.take().is_some() {
                continue;
            }
            // The bound shrinks by half with each bit.
            let excess = found.and_then(|found| found.sum.exponent());
            let needed = excess.map(|e| e + 4 - target.tolerance.exponent().unwrap_or(0));
            let missing = needed.and_then(|bits| u32::try_from(bits.max(1)).ok());
            if bits.get() >= most {
                self.bits_needed = missing.and_then(|missing| bits.get().checked_add(missing));
                if !nonsingular && most == most_bits.get() {
                    self.rank = numerical_rank(&system, bits).map(Box::new);
                }
                return Err(match unit {
                    None if most < most_bits.get() => Failure::Data { bits: a.values.bits() },
                    _ => Failure::Precision { most: most_bits, nonsingular },
                });
            }
            let more = missing.or(more).unwrap_or(bits.get());
            wanted = bits.get().saturating_add(more).next_multiple_of(64);
        }
    }

    /// The product of the diagonal. Entries may be of any sizes: no inverse is taken.
    fn of_triangle(
        &mut self,
        system: &System,
        target: &Target,
        unit: Option<i64>,
        held: Bits,
    ) -> Result<Determinant, Failure> {
        let start = Instant::now();
        let n = system.order();
        let most = self.options.most_bits;
        let wanted = target.bits.get() + SPARE + usize::BITS - n.leading_zeros();
        let bits = Bits::new(wanted.min(most.get()).max(Bits::LEAST)).unwrap_or(most);
        (self.report)(bits);
        let mut product = Product::one(bits);
        (0..n).for_each(|i| product.multiply(system.rows.entry(i, i).to_mp(bits).view()));
        // An entry and a product are rounded once each.
        let rounding = Magnitude::new(2.02 * n as f64, -i64::from(bits.get()));
        let given = system.matrix_error.times(Magnitude::new(n as f64, 0));
        let given = given.over_difference(Magnitude::power(0), given);
        let found = Found { product, change: rounding.plus(given), given, sum: rounding };
        let time = start.elapsed();
        self.route.push(Stage { by: By::Substitution, bits: Some(bits), steps: 1, time });
        match self.finish(system, target, &found, unit)? {
            Some(done) => Ok(done),
            None if target.tolerance.less(given.shifted(2)) => Err(Failure::Data { bits: held }),
            None => {
                self.bits_needed = Some(wanted);
                Err(Failure::Precision { most, nonsingular: true })
            }
        }
    }

    fn eliminate(&mut self, system: &System, bits: Bits) -> Result<Attempt, Failure> {
        let start = Instant::now();
        let found = elimination::eliminate(self.machine, system, bits)?;
        self.route.push(Stage { by: By::Lu, bits: Some(bits), steps: 0, time: start.elapsed() });
        Ok(match found {
            Some((found, condition)) => {
                self.condition = Some(condition);
                Attempt::Found(found)
            }
            None => Attempt::More(bits.get()),
        })
    }

    fn precondition(
        &mut self,
        system: &System,
        steps: &mut Preconditioning<M>,
        bits: Bits,
        goal: i64,
    ) -> Result<Attempt, Failure> {
        let start = Instant::now();
        let attempt = steps.attempt(self.machine, system, bits, goal)?;
        if let Attempt::Found(_) = &attempt {
            self.condition = Some(steps.condition(self.machine, system)?);
        }
        let (by, steps) = (By::Preconditioning, steps.steps());
        self.route.push(Stage { by, bits: Some(bits), steps, time: start.elapsed() });
        Ok(attempt)
    }

    /// The determinant, where the digits are proved or it is known exactly.
    fn finish(
        &mut self,
        system: &System,
        target: &Target,
        found: &Found,
        unit: Option<i64>,
    ) -> Result<Option<Determinant>, Failure> {
        let one = Magnitude::power(0);
        let relative = found.change.over_difference(one, found.change);
        let scales = system.row_scales.iter().chain(&system.column_scales).sum::<i64>();
        let exponent = found.product.exponent - scales;
        let exact = unit.and_then(|unit| {
            integer::nearest(&found.product.mantissa, relative, unit - found.product.exponent)
        });
        if let Some(exact) = exact {
            let bits = bits_of_text(&exact, exponent).max(target.bits);
            let value = scaled(&exact.view().to_mp(bits), exponent)?;
            return Ok(Some(self.determinant(value, Magnitude::ZERO)));
        }
        // Rounded to the bits of the result and to its text.
        let text = Magnitude::power(2 - i64::from(target.bits.get()));
        let error = relative.plus(text.times(one.plus(relative)));
        if target.tolerance.less(error) {
            return Ok(None);
        }
        let value = scaled(&found.product.mantissa.view().to_mp(target.bits), exponent)?;
        Ok(Some(self.determinant(value, error)))
    }

    fn zero(&mut self, bits: Bits) -> Determinant {
        self.condition = None;
        self.determinant(Mp::zero(bits), Magnitude::ZERO)
    }

    fn determinant(&mut self, value: Mp, error_bound: Magnitude) -> Determinant {
        Determinant {
            value,
            digits: error_bound.digits(),
            error_bound,
            condition: self.condition.unwrap_or(Magnitude::INFINITE),
            route: core::mem::take(&mut self.route),
        }
    }
}

/// Bits that hold `x·2^k`, and with which its shortest text has all its digits if numbers can have
/// that many bits.
fn bits_of_text(x: &Mp, k: i64) -> Bits {
    let high = x.head().exponent().map_or(0, i64::from) + k;
    let low = lowest_bit(x.view()).map_or(0, |low| low + k);
    // The last digit is worth 10^low or 1, the last bit less. log2 10 < 10/3.
    let all = high + (-low).max(0) * 10 / 3 + 2;
    let bits = |length: i64| u32::try_from(length).ok().and_then(|length| Bits::new(length).ok());
    let least = (high - low).max(Bits::LEAST.into());
    bits(all.max(least)).or(bits(least)).unwrap_or(x.bits())
}

/// `x·2^k`
fn scaled(x: &Mp, k: i64) -> Result<Mp, Failure> {
    let log2 = k + x.head().exponent().map_or(0, i64::from);
    let value = i32::try_from(k).ok().map(|k| (*x).ldexp(k));
    value.filter(|value| value.is_finite() && !value.is_zero()).ok_or(Failure::Range(log2))
}
