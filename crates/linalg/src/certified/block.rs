//! Iterative refinement of all columns at once, by products of matrices.
//!
//! The scheme and the bound are those of [columns](super::refine), with coarser bounds of what
//! rounding does.

use nonius_num::mp::Bits;

use super::certificate::Certificate;
use super::inverse::Inverse;
use super::judged::Bounds;
use super::machine::{Correction, Held, Machine};
use super::magnitude::Magnitude;
use super::system::System;
use super::target::{Target, Verdict};
use crate::{Error, mp};

/// The system in a machine's memory.
pub(super) struct Loaded<M: Machine> {
    /// As [`System::rows`].
    pub(super) rows: M::Numbers,
    rights: M::Numbers,
    /// Upper bounds of the magnitudes in `B′`, column by column.
    largest_rights: Vec<Magnitude>,
}

impl<M: Machine> Loaded<M> {
    pub(super) fn new(machine: &M, system: &System) -> Result<Self, Error> {
        let (rows, rights) = (machine.hold(&system.rows)?, machine.hold(&system.rights)?);
        let largest_rights = powers(&machine.column_exponents(&rights)?);
        Ok(Self { rows, rights, largest_rights })
    }
}

/// An approximation of `Y`.
pub(super) struct Block<M: Machine> {
    values: M::Numbers,
    /// What was found last of each column; empty at first.
    pub(super) verdicts: Vec<Verdict>,
    bounds: Option<OwnedBounds>,
}

/// How refinement ends.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum End {
    /// The digits are proved of all columns, but perhaps of those with entries that seem to be
    /// zero.
    Done,
    /// A better inverse is needed.
    Stagnates,
    /// More bits of what is given are needed; the largest relative error that is left.
    DataTooShort(Magnitude),
    /// More bits are needed than there may be; the same.
    NoMoreBits(Magnitude),
}

/// The lists of [`Bounds`].
struct OwnedBounds {
    row_sums: Vec<Magnitude>,
    shares: Vec<f64>,
    noise: Vec<Magnitude>,
    reach: Vec<Magnitude>,
    floors: Vec<Magnitude>,
}

/// What bounds the errors of a column.
#[derive(Clone, Copy)]
struct Step {
    /// Bits of the largest entry.
    gained: i64,
    method: Magnitude,
    bits: Magnitude,
    given: Magnitude,
}

/// Bits that residuals have more than approximations.
const GUARD: u32 = 32;
/// Bits of approximations at first.
const FIRST_BITS: u32 = 128;

/// `2^e`
fn powers(exponents: &[Option<i64>]) -> Vec<Magnitude> {
    exponents.iter().map(|e| e.map_or(Magnitude::ZERO, Magnitude::power)).collect()
}

fn greatest(all: &[Magnitude]) -> Magnitude {
    all.iter().copied().fold(Magnitude::ZERO, Magnitude::max)
}

impl<M: Machine> Block<M> {
    /// Zeros, of which nothing is known.
    pub(super) fn new(machine: &M, system: &System, target: &Target) -> Result<Self, Error> {
        let (rows, cols) = (system.order(), system.rights());
        let working = target.working_bits();
        let first = Bits::new(FIRST_BITS).map_or(working, |first| first.min(working));
        let zeros = mp::Matrix::try_zeros_in(first, rows, cols)?;
        Ok(Self { values: machine.hold(&zeros)?, verdicts: Vec::new(), bounds: None })
    }

    /// Steps until there is a reason to end; `report` hears the largest error bound after each, and
    /// its column.
    pub(super) fn refine(
        &mut self,
        machine: &M,
        (system, loaded): (&System, &Loaded<M>),
        (inverse, certificate): (&Inverse<M>, &Certificate),
        target: &Target,
        report: &mut dyn FnMut(usize, Magnitude),
    ) -> Result<End, Error> {
        let mut before: Option<Vec<Step>> = None;
        loop {
            let steps = self.step(machine, (system, loaded), (inverse, certificate), target)?;
            let worst = |&i: &usize, &j: &usize| {
                let (x, y) = (self.verdicts[i].worst, self.verdicts[j].worst);
                if x.less(y) { core::cmp::Ordering::Less } else { core::cmp::Ordering::Greater }
            };
            if let Some(column) = (0..self.verdicts.len()).max_by(worst) {
                report(column, self.verdicts[column].worst);
            }
            let open = |j: &usize| {
                let Verdict { done, negligible, .. } = self.verdicts[*j];
                !done && !negligible
            };
            let open: Vec<usize> = (0..steps.len()).filter(open).collect();
            if open.is_empty() {
                return Ok(End::Done);
            }
            let limited = |j: &usize| steps[*j].method.less(steps[*j].bits.max(steps[*j].given));
            if !open.iter().all(limited) {
                let slow = |j: &usize| {
                    let method = before.as_ref().map(|before| before[*j].method);
                    !limited(j) && method.is_some_and(|m| !steps[*j].method.shifted(2).less(m))
                };
                if open.iter().any(slow) {
                    return Ok(End::Stagnates);
                }
                self.prepare(machine, &steps, before.as_deref(), target)?;
                before = Some(steps);
                continue;
            }
            let worst =
                || greatest(&open.iter().map(|&j| self.verdicts[j].worst).collect::<Vec<_>>());
            if open.iter().any(|&j| steps[j].bits.less(steps[j].given)) {
                return Ok(End::DataTooShort(worst()));
            }
            let Some(bits) = target.more_bits(self.values.bits()) else {
                return Ok(End::NoMoreBits(worst()));
            };
            self.values = machine.rounded(&self.values, bits)?;
            before = None;
        }
    }

    /// Takes as many bits as the next step needs, if it gains as many as the last.
    fn prepare(
        &mut self,
        machine: &M,
        steps: &[Step],
        before: Option<&[Step]>,
        target: &Target,
    ) -> Result<(), Error> {
        let most = |steps: &[Step]| steps.iter().map(|step| step.gained).max().unwrap_or(0);
        let gained = most(steps);
        let wanted = 2 * gained - before.map_or(0, most).min(gained) + 16;
        let wanted = u32::try_from(wanted.max(0)).unwrap_or(0).next_multiple_of(64);
        let bits = self.values.bits();
        let wanted = wanted.min(target.working_bits().get());
        if let Some(bits) = Bits::new(wanted).ok().filter(|&wanted| wanted > bits) {
            self.values = machine.rounded(&self.values, bits)?;
        }
        Ok(())
    }

    /// One step for all columns.
    fn step(
        &mut self,
        machine: &M,
        (system, loaded): (&System, &Loaded<M>),
        (inverse, certificate): (&Inverse<M>, &Certificate),
        target: &Target,
    ) -> Result<Vec<Step>, Error> {
        let n = system.order();
        let bits = self.values.bits();
        let residual = self.residual(machine, system, loaded)?;
        let exponents: Vec<i64> = residual.exponents.iter().map(|e| e.unwrap_or(0)).collect();
        let unit: Vec<Magnitude>;
        let floors: Vec<Magnitude>;
        let sizes: Vec<Magnitude>;
        let (in_f64, in_mp);
        let correction = match inverse {
            Inverse::F64(r) => {
                let scaled = machine.scaled(&residual.values, &exponents)?;
                in_f64 = machine.times(machine.view(r), machine.view(&scaled))?;
                let view = machine.view(&in_f64);
                let maxima = machine.column_maxima(view)?;
                let of = |bound: &dyn Fn(i64) -> Magnitude| {
                    let bound = |e: &Option<i64>| e.map_or(Magnitude::ZERO, bound);
                    residual.exponents.iter().map(bound).collect()
                };
                unit = of(&|e| super::rounding_f64(n, e));
                floors = of(&|e| Magnitude::power(e - 1000));
                let size = |(&x, &e): (&f64, &i64)| Magnitude::new(x, e);
                sizes = maxima.iter().zip(&exponents).map(size).collect();
                Correction::F64(view, exponents)
            }
            Inverse::Mp(transpose) => {
                let precision = transpose.bits();
                let r = machine.rounded(&residual.values, precision)?;
                in_mp = machine.product(true, transpose, &r)?;
                // The largest of a row of R is at most the sum, and the power of two above it at
                // most twice that.
                let terms = 6.0 * n as f64 + 1.0;
                let relative = Magnitude::new(terms, -i64::from(precision.get()));
                unit = powers(&residual.exponents).iter().map(|x| x.times(relative)).collect();
                floors = vec![Magnitude::ZERO; unit.len()];
                sizes = powers(&machine.column_exponents(&in_mp)?);
                Correction::Mp(&in_mp)
            }
        };
        let row_sum = greatest(&certificate.row_sums);
        let columns = 0..sizes.len();
        let noise: Vec<Magnitude> = columns
            .clone()
            .map(|j| unit[j].plus(residual.rounding[j]).plus(residual.given[j]))
            .collect();
        let reach = |j: usize| sizes[j].plus(row_sum.times(noise[j])).plus(floors[j]);
        let reach: Vec<Magnitude> = columns.clone().map(reach).collect();
        let bounds = OwnedBounds {
            row_sums: certificate.row_sums.clone(),
            shares: certificate.shares(),
            noise,
            reach,
            floors,
        };
        let all = machine.correct(&mut self.values, correction, &bounds.view(system, target))?;
        self.verdicts = all.iter().map(|judged| target.verdict(judged)).collect();
        let share = bounds.shares.iter().copied().fold(0.0, f64::max);
        let step = |j: usize| {
            let method =
                row_sum.times(unit[j]).plus(Magnitude::new(share, 0).times(bounds.reach[j]));
            let exponents = all[j].largest.exponent().zip(method.exponent());
            Step {
                gained: exponents.map_or(0, |(size, error)| size - error),
                method,
                bits: row_sum
                    .times(residual.rounding[j])
                    .plus(all[j].largest.plus(sizes[j]).shifted(-i64::from(bits.get()))),
                given: row_sum.times(residual.given[j]),
            }
        };
        let steps = columns.map(step).collect();
        self.bounds = Some(bounds);
        Ok(steps)
    }

    /// `B − A·Y`.
    ///
    /// **Error.** With `2^E` above the entries of `Y`, and those of `A` below 1, that of the
    /// product is at most `3n·2^(E − p)`, and `p` bits hold `A` and `Y`. The product is less than
    /// `2n·2^E`. So the rounding of `B` and that of the difference add at most
    /// `2·2^-p·(|R| + 2n·2^E)`.
    fn residual(
        &self,
        machine: &M,
        system: &System,
        loaded: &Loaded<M>,
    ) -> Result<Residual<M>, Error> {
        let n = system.order();
        let least = loaded.rows.bits().get().max(self.values.bits().get() + GUARD);
        let too_large = Error::TooLarge { rows: n, cols: system.rights() };
        let bits = Bits::new(least).map_err(|_| too_large)?;
        let y = machine.rounded(&self.values, bits)?;
        let of_y = machine.column_exponents(&y)?;
        let mut values = machine.rounded(&loaded.rights, bits)?;
        // At first Y is zero.
        if of_y.iter().any(Option::is_some) {
            values = machine.difference(&values, &machine.product(true, &loaded.rows, &y)?)?;
        }
        let of_y = powers(&of_y);
        let exponents = machine.column_exponents(&values)?;
        let p = i64::from(bits.get());
        let terms = n as f64;
        let radius = greatest(&system.radii);
        let columns = || powers(&exponents).into_iter().zip(&of_y);
        let rounding = columns().map(|(r, y)| {
            let product = y.times(Magnitude::new(8.0 * terms, 0));
            r.shifted(1).plus(product).shifted(-p)
        });
        let given = of_y.iter().zip(&loaded.largest_rights).map(|(y, b)| {
            let of_matrix = system.matrix_error.times(*y).times(Magnitude::new(terms, 0));
            of_matrix.plus(system.rights_error.times(*b)).plus(radius)
        });
        let (rounding, given) = (rounding.collect(), given.collect());
        Ok(Residual { values, exponents, rounding, given })
    }

    /// The approximation in the host's memory, with `bits` bits, or with all its bits for `None`.
    pub(super) fn fetch(&self, machine: &M, bits: Option<Bits>) -> Result<mp::Matrix, Error> {
        match bits {
            Some(bits) => machine.fetch(&machine.rounded(&self.values, bits)?),
            None => machine.fetch(&self.values),
        }
    }

    /// A bound of the error of an entry, of which a bound is given.
    pub(super) fn error(
        &self,
        system: &System,
        target: &Target,
        place: (usize, usize),
        size: Magnitude,
    ) -> Magnitude {
        let bits = self.values.bits();
        // What was added last is less than what it reaches.
        self.bounds.as_ref().map_or(Magnitude::INFINITE, |bounds| {
            let added = bounds.reach[place.1];
            bounds.view(system, target).error(place, bits, size.plus(added))
        })
    }
}

impl OwnedBounds {
    fn view<'a>(&'a self, system: &'a System, target: &Target) -> Bounds<'a> {
        Bounds {
            row_sums: &self.row_sums,
            shares: &self.shares,
            noise: &self.noise,
            reach: &self.reach,
            floors: &self.floors,
            scales: &system.column_scales,
            result_bits: target.bits,
            tolerance: target.tolerance,
        }
    }
}

/// The residual of all right-hand sides.
struct Residual<M: Machine> {
    values: M::Numbers,
    /// Its columns are below these powers of two.
    exponents: Vec<Option<i64>>,
    /// Bounds of errors that come from rounding.
    rounding: Vec<Magnitude>,
    /// Bounds of those that come from what is given.
    given: Vec<Magnitude>,
}
