//! The determinant with a proved number of digits.
//!
//! The matrix is scaled by powers of two and factored with so many bits that the product of the pivots has the digits asked for. How far it is from the
//! determinant, the module `bound` tells; where the bits do not suffice it tells how many do, and the second factorisation is the last one, unless even the
//! condition was out of reach. Where entries are integers times powers of two, so is the determinant: with an error below half the unit it is found exactly.

mod bound;
mod integer;

use std::time::Instant;

use nonius_num::mp::{Bits, Mp};

use super::condition::condition;
use super::data::Data;
use super::inverse::Inverse;
use super::machine::Machine;
use super::magnitude::Magnitude;
use super::modular;
use super::outcome::{By, Failure, Refusal, Stage};
use super::rank::{NumericalRank, numerical_rank};
use super::residual::lowest_bit;
use super::solve::Options;
use super::system::{System, to_f64};
use super::target::Target;
use crate::mp::{self, Lu};
use crate::{Error, Matrix};
use bound::{Source, Triangles};

/// A determinant with proved digits.
#[derive(Clone, Debug)]
pub struct Determinant {
    /// The number. With as many bits as the digits need, more where these hold it exactly.
    pub value: Mp,
    /// Written as decimal text that reads back as the same, the number has so many correct digits; `None` where it is the determinant exactly, and all its digits are
    /// in the text if numbers of the most bits have as many.
    pub digits: Option<u32>,
    /// An upper bound of the relative error, that of the text included.
    pub error_bound: Magnitude,
    /// An estimate of `‖A‖_∞·‖A^-1‖_∞`; infinite for a singular matrix.
    pub condition: Magnitude,
    /// The factorisations.
    pub route: Vec<Stage>,
}

/// Bits beside those of the digits that the first factorisation has, for the condition.
const SPARE: u32 = 64;
/// Bits of the first inverses of triangles.
const TRIANGLES: u32 = 64;

/// The determinant of `A` with the digits asked for, or exactly; [`Options::digits_in`] says nothing of a single number. Products in `f64`, for the estimate of the condition, run
/// on the machine. `report` hears the bits of each factorisation before it starts. A matrix of order 0 has the determinant 1.
///
/// # Errors
/// [`Refusal`]: why not, and what is known. A matrix with a row or a column of zeros has the determinant 0; one that is [`Failure::Singular`] has it, but for an incredible
/// coincidence, where no bound proves that.
pub fn determinant<M: Machine>(
    machine: &M,
    a: &Data,
    options: Options,
    report: &mut dyn FnMut(Bits),
) -> Result<Determinant, Refusal> {
    let mut search = Search {
        machine,
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
    options: Options,
    report: &'a mut dyn FnMut(Bits),
    route: Vec<Stage>,
    condition: Option<Magnitude>,
    rank: Option<Box<NumericalRank>>,
    bits_needed: Option<u32>,
}

/// What factors of some bits prove.
struct Found {
    /// The product of the pivots: a number of magnitude between 1/2 and 1, times a power of two.
    mantissa: Mp,
    exponent: i64,
    /// `|det − product| <= change·|product|`
    change: Magnitude,
    /// The same of what comes from the numbers given alone.
    given: Magnitude,
    /// `n·ε`, beyond 1 too.
    sum: Magnitude,
}

impl<M: Machine> Search<'_, M> {
    fn run(&mut self, a: &Data) -> Result<Determinant, Failure> {
        let Options { digits, digits_in, most_bits } = self.options;
        let target =
            Target::new(digits, digits_in, most_bits).ok_or(Failure::TooManyDigits(digits))?;
        let none = Data::exact(mp::Matrix::zeros(a.values.bits(), a.values.rows(), 0));
        let system = System::new(a, &none)?;
        if a.relative_error() == Some(i32::MAX) || !a.radii.is_empty() {
            return Err(Failure::Data { bits: a.values.bits() });
        }
        // A row or column of zeros.
        let Ok(system) = system else { return Ok(self.zero(target.bits)) };
        let unit = a.is_exact().then(|| integer::unit(&system));
        // More bits than those of rounded numbers say little of the numbers given.
        let held = a.values.bits().get();
        let most = match unit {
            Some(_) => most_bits.get(),
            None => most_bits.get().min(held + SPARE),
        };
        let log2 = 2 * (usize::BITS - system.order().leading_zeros());
        let mut wanted = target.bits.get() + SPARE + log2;
        let (mut nonsingular, mut rank_known) = (false, false);
        loop {
            let bits = wanted.next_multiple_of(64).min(most).max(Bits::LEAST);
            let bits = Bits::new(bits).map_err(|_| Failure::TooManyDigits(digits))?;
            let found = self.factor(&system, bits)?;
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
            wanted = bits.get() + missing.unwrap_or(bits.get());
        }
    }

    /// `None` where elimination meets a zero.
    fn factor(&mut self, system: &System, bits: Bits) -> Result<Option<Found>, Failure> {
        let start = Instant::now();
        (self.report)(bits);
        let lu = match Lu::new(&system.rows.with_bits(bits)) {
            Ok(lu) => Some(lu),
            Err(Error::Singular { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let found = lu.map(|lu| self.prove(system, &lu)).transpose()?;
        self.route.push(Stage { by: By::Lu, bits: Some(bits), steps: 0, time: start.elapsed() });
        Ok(found)
    }

    /// Bounds the error of the product of the pivots, by inverses of the triangles with as few bits as do.
    fn prove(&mut self, system: &System, lu: &Lu) -> Result<Found, Failure> {
        let (n, p) = (lu.order(), lu.factors().bits());
        let mut bits = TRIANGLES;
        let (triangles, bound) = loop {
            let q = Bits::new(bits.min(p.get())).unwrap_or(p);
            let [lower, upper] = lu.inverse_triangles(q)?;
            let triangles = Triangles { lu, lower, upper };
            let bound = triangles.bound(system, Source::All);
            if bound.epsilon.is_finite() || q == p {
                break (triangles, bound);
            }
            let more = bound.defect.exponent().and_then(|e| u32::try_from(e + 4).ok());
            bits = (bits + more.unwrap_or(bits).max(bits)).next_multiple_of(64);
        };
        self.condition = Some(self.estimate(system, &triangles)?);
        let (mantissa, exponent) = product(lu);
        // Of n − 1 products, rounded once each.
        let rounding = Magnitude::new(1.01 * n as f64, -i64::from(p.get()));
        let given = if system.is_exact() {
            Magnitude::ZERO
        } else {
            triangles.bound(system, Source::Given).of_determinant(n)
        };
        let rounding = if n < 2 { Magnitude::ZERO } else { rounding };
        Ok(Found {
            mantissa,
            exponent,
            change: bound.of_determinant(n).plus(rounding),
            given,
            sum: bound.epsilon.times(Magnitude::new(n as f64, 0)),
        })
    }

    /// The condition number by the product of the inverses in `f64`.
    fn estimate(&self, system: &System, triangles: &Triangles<'_>) -> Result<Magnitude, Failure> {
        let n = system.order();
        let largest = |y: &mp::Matrix| {
            let heads = y.numbers().as_slice().heads();
            heads.iter().filter_map(|head| head.exponent()).max().map_or(0, i64::from)
        };
        let [lower, upper] = [&triangles.lower, &triangles.upper].map(|y| (y, largest(y)));
        let mut place = vec![0; n];
        triangles.lu.rows().iter().enumerate().for_each(|(i, &row)| place[row] = i);
        // A is the transpose of what was factored: A^-1 = Pᵀ·L^-ᵀ·U^-ᵀ.
        let left = Matrix::from_fn(n, n, |i, j| to_f64(lower.0.at(j, place[i]), -lower.1));
        let right = Matrix::from_fn(n, n, |i, j| to_f64(upper.0.at(i, j), -upper.1));
        let (left, right) = (self.machine.upload(left.view()), self.machine.upload(right.view()));
        let inverse =
            Inverse::F64(self.machine.times(self.machine.view(&left), self.machine.view(&right))?);
        Ok(condition(self.machine, system, &inverse)?.shifted(lower.1 + upper.1))
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
        let exponent = found.exponent - scales;
        let exact = unit
            .and_then(|unit| integer::nearest(&found.mantissa, relative, unit - found.exponent));
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
        let value = scaled(&found.mantissa.view().to_mp(target.bits), exponent)?;
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

/// `±Π u_ii`, as a number of magnitude between 1/2 and 1 and an exponent.
fn product(lu: &Lu) -> (Mp, i64) {
    let factors = lu.factors();
    let one = Mp::one(factors.bits());
    let (mut product, mut exponent) = (if lu.is_odd() { -one } else { one }, 0);
    for i in 0..lu.order() {
        product = product.view() * factors.at(i, i);
        let e = product.head().exponent().unwrap_or(0);
        product = product.ldexp(-e);
        exponent += i64::from(e);
    }
    (product, exponent)
}

/// Bits that hold `x·2^k`, and with which its shortest text has all its digits, where there may be so many.
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
    let value = i32::try_from(k).ok().map(|k| x.clone().ldexp(k));
    value.filter(|value| value.is_finite() && !value.is_zero()).ok_or(Failure::Range(log2))
}
