//! Iterative refinement of one column until its error bound proves the digits asked for.
//!
//! Wilkinson's scheme: `y ← y + R·(b − A·y)` with residuals in higher precision. The bound of the
//! step's result needs no residual of its own: for `z ≈ R·r` the theorem of the
//! [certificate](super::certificate) bounds `x − (y + z)` by what `z` errs, `γ_i/(1 − γ)·‖R·r‖_∞`,
//! and the rounding of the sum.

use nonius_num::mp::{Bits, Mp};

use super::candidate;
use super::certificate::Certificate;
use super::column::Column;
use super::definite::{Corrected, Definite};
use super::inverse::Inverse;
use super::machine::Machine;
use super::magnitude::Magnitude;
use super::residual::{Residual, is_solution, residual};
use super::system::System;
use super::target::{Judgement, Target};
use super::triangle::Triangle;
use super::zeros::Zeros;
use crate::backend::Cpu;
use crate::{Error, mp};

/// What brings a column nearer to the solution.
#[derive(Clone, Copy)]
pub(super) enum Corrector<'a> {
    /// An approximate inverse, and what is proved of it.
    Inverse(&'a Inverse<Cpu>, &'a Certificate),
    /// Factors of a positive definite matrix.
    Definite(&'a Definite),
    /// Substitution from the start, with more bits each time.
    Triangle(&'a Triangle),
}

/// How refinement ends.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum End {
    /// The digits are proved.
    Done,
    /// A better inverse is needed.
    Stagnates,
    /// More bits of what is given are needed; the largest relative error that is left.
    DataTooShort(Magnitude),
    /// More bits are needed than there may be; the same.
    NoMoreBits(Magnitude),
    /// The digits are proved of all entries but these, which are nothing beside others.
    Undecided(Vec<usize>),
}

/// What is left to do after a step.
enum Settled {
    /// Entries that are open.
    Open(Judgement),
    /// Nothing.
    End(End),
}

/// What a step did.
struct Step {
    method: Magnitude,
    bits: Magnitude,
    given: Magnitude,
}

impl Column {
    /// Zeros, of which nothing is known.
    pub(super) fn new(system: &System, index: usize, target: &Target) -> Self {
        let n = system.order();
        Self {
            index,
            values: mp::Matrix::zeros_in(target.working_bits(), n, 1),
            errors: vec![Magnitude::INFINITE; n],
            worst: Magnitude::INFINITE,
            zeros: None,
            zero: vec![false; n],
        }
    }

    /// An approximation that was found otherwise.
    pub(super) fn from_parts(
        index: usize,
        values: mp::Matrix,
        errors: Vec<Magnitude>,
        worst: Magnitude,
    ) -> Self {
        let zero = vec![false; errors.len()];
        Self { index, values, errors, worst, zeros: None, zero }
    }

    /// Whether it is the solution.
    pub(super) fn is_exact(&self) -> bool {
        self.errors.iter().all(|error| error.is_zero())
    }

    /// Steps until there is a reason to end; `report` hears the error bound after each.
    pub(super) fn refine<M: Machine>(
        &mut self,
        machine: &M,
        system: &System,
        corrector: Corrector<'_>,
        target: &Target,
        report: &mut dyn FnMut(Magnitude),
    ) -> Result<End, Error> {
        let mut before: Option<Step> = None;
        loop {
            let step = match corrector {
                Corrector::Inverse(inverse, certificate) => {
                    self.step(machine, system, inverse, certificate)?
                }
                Corrector::Definite(definite) => self.definite_step(machine, system, definite)?,
                Corrector::Triangle(triangle) => {
                    return Ok(self.substitute(system, triangle, target, report));
                }
            };
            let Some(step) = step else {
                self.worst = Magnitude::ZERO;
                report(self.worst);
                return Ok(End::Done);
            };
            let judgement = match self.settle(system, target, report) {
                Settled::Open(judgement) => judgement,
                Settled::End(end) => return Ok(end),
            };
            if !step.method.less(step.bits.max(step.given)) {
                let slow = |before: &Step| !step.method.shifted(2).less(before.method);
                if before.as_ref().is_some_and(slow) {
                    return Ok(End::Stagnates);
                }
                before = Some(step);
                continue;
            }
            if step.bits.less(step.given) {
                return Ok(End::DataTooShort(self.worst));
            }
            let Some(bits) = target.more_bits(self.values.bits()) else {
                return Ok(self.no_more_bits(judgement));
            };
            self.values = self.values.with_bits(bits);
            before = None;
        }
    }

    /// Solves with more and more bits.
    fn substitute(
        &mut self,
        system: &System,
        triangle: &Triangle,
        target: &Target,
        report: &mut dyn FnMut(Magnitude),
    ) -> End {
        loop {
            let bits = self.values.bits();
            let found = triangle.substitute(system, self.index, bits, &self.zero);
            let errors = found.rounding.iter().zip(&found.given);
            self.errors = errors.map(|(rounding, given)| rounding.plus(*given)).collect();
            self.values = found.values;
            let judgement = match self.settle(system, target, report) {
                Settled::Open(judgement) => judgement,
                Settled::End(end) => return end,
            };
            if judgement.open.iter().any(|&i| found.rounding[i].less(found.given[i])) {
                return End::DataTooShort(self.worst);
            }
            let Some(next) = target.more_bits(bits) else { return self.no_more_bits(judgement) };
            // Errors shrink by half with each bit.
            let excess = |&i: &usize| {
                let size = self.values.entry(i, 0).head().exponent()?;
                Some(self.errors[i].exponent()? - i64::from(size))
            };
            let excess = judgement.open.iter().filter_map(excess).max().unwrap_or(0);
            let wanted = i64::from(bits.get() + target.bits.get()) + excess;
            let most = target.most_working_bits();
            let wanted = wanted.clamp(next.get().into(), most.get().into()) as u32;
            let wanted = Bits::new(wanted.next_multiple_of(64)).map_or(most, |x| x.min(most));
            self.values = self.values.with_bits(wanted);
        }
    }

    /// Settles what can be settled after a step, and judges.
    fn settle(
        &mut self,
        system: &System,
        target: &Target,
        report: &mut dyn FnMut(Magnitude),
    ) -> Settled {
        self.find_zeros();
        let judgement = target.judge(system, self);
        self.worst = judgement.worst;
        report(self.worst);
        if system.is_exact() && candidate::exact(system, self) {
            return Settled::End(End::Done);
        }
        if judgement.open.is_empty() {
            return Settled::End(End::Done);
        }
        if judgement.negligible {
            // Zeros may be proved later, where no more bits are needed than there may be.
            let zeros = system.is_exact().then(|| Zeros::new(system, self.index));
            let wanted = Magnitude::power(-i64::from(target.most_working_bits().get()));
            let within_reach = |zeros: &Zeros| zeros.include(judgement.largest.times(wanted));
            self.zeros = self.zeros.take().or(zeros).filter(within_reach);
            if self.zeros.is_none() {
                return Settled::End(End::Undecided(judgement.open));
            }
        }
        Settled::Open(judgement)
    }

    fn no_more_bits(&self, judgement: Judgement) -> End {
        if judgement.negligible {
            End::Undecided(judgement.open)
        } else {
            End::NoMoreBits(self.worst)
        }
    }

    /// Sets entries that are proved to be zero.
    fn find_zeros(&mut self) {
        let Some(zeros) = &self.zeros else { return };
        for (i, zero) in self.zero.iter_mut().enumerate() {
            let bound = Magnitude::above(self.values.entry(i, 0)).plus(self.errors[i]);
            if !*zero && zeros.include(bound) {
                *zero = true;
                self.values.put(i, 0, Mp::zero(self.values.bits()).view());
                self.errors[i] = Magnitude::ZERO;
            }
        }
    }

    /// The residual; `None` where the column is the solution exactly.
    fn residual<M: Machine>(
        &mut self,
        machine: &M,
        system: &System,
    ) -> Result<Option<Residual>, Error> {
        let Ok(sums) = Bits::new(self.values.bits().get() + 64) else {
            return Err(Error::TooLarge { rows: system.order(), cols: 1 });
        };
        let r = residual(machine, system, &self.values, self.index, sums)?;
        if r.largest.is_zero() && system.is_exact() && is_solution(system, &self.values, self.index)
        {
            self.errors.fill(Magnitude::ZERO);
            return Ok(None);
        }
        Ok(Some(r))
    }

    /// One step with factors; `None` where the column is the solution exactly.
    fn definite_step<M: Machine>(
        &mut self,
        machine: &M,
        system: &System,
        definite: &Definite,
    ) -> Result<Option<Step>, Error> {
        let n = system.order();
        let bits = self.values.bits();
        let Some(r) = self.residual(machine, system)? else { return Ok(None) };
        let root = Magnitude::new((n as f64).sqrt() * (1.0 + f64::EPSILON), 0);
        let of_norm = |x: Magnitude| definite.inverse.times(root).times(x);
        let (of_rounding, given) = (of_norm(r.rounding), of_norm(r.given));
        let found = definite.correct(&r)?;
        let method = match &found {
            Some(found) => definite.inverse.times(found.left),
            None => of_norm(r.largest),
        };
        let noise = method.plus(of_rounding).plus(given);
        let mut step = Step { method, bits: of_rounding, given };
        let mut sum = Mp::zero(bits);
        for i in 0..n {
            let mut rounding = Magnitude::ZERO;
            if let Some(Corrected { z, e, .. }) = &found {
                let z = Mp::from_f64(super::least_bits(), z[(i, 0)]).ldexp(*e as i32);
                sum.set_sum(self.values.entry(i, 0), z.view());
                self.values.put(i, 0, sum.view());
                rounding = Magnitude::above(sum.view()).shifted(-i64::from(bits.get()));
            }
            self.errors[i] = noise.plus(rounding);
            if self.zero[i] {
                self.values.put(i, 0, Mp::zero(bits).view());
                self.errors[i] = Magnitude::ZERO;
            }
            step.bits = step.bits.max(of_rounding.plus(rounding));
        }
        Ok(Some(step))
    }

    /// One step; `None` where the column is the solution exactly.
    fn step<M: Machine>(
        &mut self,
        machine: &M,
        system: &System,
        inverse: &Inverse<Cpu>,
        certificate: &Certificate,
    ) -> Result<Option<Step>, Error> {
        let n = system.order();
        let bits = self.values.bits();
        let Some(r) = self.residual(machine, system)? else { return Ok(None) };
        let product = inverse.apply(machine, &r)?;
        let noise = product.unit.plus(r.rounding).plus(r.given);
        // |R·r|_i exceeds |z_i| by so much.
        let missed: Vec<Magnitude> = certificate
            .row_sums
            .iter()
            .zip(&product.rounding)
            .map(|(sum, rounding)| sum.times(noise).plus(*rounding))
            .collect();
        let reach = |i: usize| Magnitude::above(product.values.entry(i, 0)).plus(missed[i]);
        let largest = (0..n).map(reach).fold(Magnitude::ZERO, Magnitude::max);
        let shares = certificate.shares();
        let share = |i: usize| Magnitude::new(shares[i], 0).times(largest);
        let mut step =
            Step { method: Magnitude::ZERO, bits: Magnitude::ZERO, given: Magnitude::ZERO };
        let mut sum = Mp::zero(bits);
        for (i, missed) in missed.iter().enumerate() {
            sum.set_sum(self.values.entry(i, 0), product.values.entry(i, 0));
            self.values.put(i, 0, sum.view());
            let rounding = Magnitude::above(sum.view()).shifted(-i64::from(bits.get()));
            self.errors[i] = missed.plus(share(i)).plus(rounding);
            if self.zero[i] {
                self.values.put(i, 0, Mp::zero(bits).view());
                self.errors[i] = Magnitude::ZERO;
            }
            let row_sum = certificate.row_sums[i];
            step.method = step.method.max(row_sum.times(product.unit).plus(share(i)));
            step.bits = step.bits.max(row_sum.times(r.rounding).plus(rounding));
            step.given = step.given.max(row_sum.times(r.given));
        }
        Ok(Some(step))
    }
}
