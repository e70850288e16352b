//! Units in which the numbers of a problem are of ordinary size.
//!
//! What counts as feasible is relative to one more than the largest magnitude in `F₀` and in `c`,
//! and a gap to one at least, as SDPA has it: in units in which all numbers are tiny, everything is
//! feasible and no gap is open. So a problem whose `F₀` or `c` has its largest magnitude beyond 10⁶
//! or below 10⁻², whose `Fᵢ` are beyond 10⁶ or below 10⁻⁵, or differ by more than 10⁴, is solved in
//! other units, powers of two that make it about one, and everything is told in its own:
//!
//! `F₀ = 2^β·F₀'`, `Fᵢ = 2^kᵢ·Fᵢ'`, `cᵢ = 2^(kᵢ + γ)·cᵢ'`, so that `xᵢ = 2^(β − kᵢ)·xᵢ'`,
//! `X = 2^β·X'`, `Y = 2^γ·Y'`, and objectives are those in the other units times `2^(β + γ)`.

use std::borrow::Cow;
use std::collections::HashMap;

use nonius_linalg::{Number, SliceMut};
use num_bigint::BigInt;

use crate::certify::{Certificate, Unproved};
use crate::decimal::{Decimal, Towards};
use crate::equalities::width;
use crate::text::{decimal, nearest, text};
use crate::{Interior, Misfit, Parameters, Problem, Report, Row, Solution};

/// Decimal orders of the largest number in an ordinary `Fᵢ`.
const ORDINARY: core::ops::RangeInclusive<i64> = -4..=6;

/// Those of `F₀` and of `c`, next to which tolerances are one.
const MET: core::ops::RangeInclusive<i64> = -1..=6;

/// Orders by which the matrices of constraints may differ without units of their own.
const SPREAD: i64 = 4;

/// Digits of a bound beyond those of the one in these units.
const MORE_DIGITS: i64 = 4;

/// A problem in units of its own size, and the way back.
#[derive(Clone, Debug)]
pub struct Units<'a> {
    problem: Cow<'a, Problem>,
    /// `β`.
    constant: i64,
    /// `γ`.
    objective: i64,
    /// `kᵢ`.
    constraints: Vec<i64>,
}

impl<'a> Units<'a> {
    /// The units that a problem is solved in.
    pub fn new(problem: &'a Problem) -> Self {
        Self::find(problem).unwrap_or_else(|| Self {
            problem: Cow::Borrowed(problem),
            constant: 0,
            objective: 0,
            constraints: vec![0; problem.constraints()],
        })
    }

    /// `None` where they are those of the problem.
    fn find(problem: &'a Problem) -> Option<Self> {
        let numbers = problem.numbers();
        let decimals: Option<Vec<Decimal>> =
            (0..numbers.len() as u32).map(|k| Decimal::parse(numbers.text(k).as_bytes())).collect();
        let decimals = decimals?;
        let order = |number: u32| {
            let decimal = &decimals[number as usize];
            (!decimal.is_zero()).then(|| decimal.order())
        };
        let of_matrix =
            |k: usize| problem.matrix(k).iter().filter_map(|entry| order(entry.value)).max();
        let constant = unit(of_matrix(0));
        let orders: Vec<Option<i64>> = (1..=problem.constraints()).map(of_matrix).collect();
        let known = || orders.iter().copied().flatten();
        let (least, most) = (known().min().unwrap_or(0), known().max().unwrap_or(0));
        let is_even =
            [least, most].iter().all(|order| ORDINARY.contains(order)) && most - least <= SPREAD;
        let of_constraint = |order: &Option<i64>| match order {
            Some(order) if !is_even => power_of_ten(*order),
            _ => 0,
        };
        let constraints: Vec<i64> = orders.iter().map(of_constraint).collect();
        // In units of their constraints.
        let objective = problem.objective().iter().zip(&constraints);
        let objective = objective
            .filter_map(|(&c, &k)| Some(order(c)? - (k as f64 / f64::log2(10.0)).round() as i64));
        let objective = unit(objective.max());
        if constant == 0 && objective == 0 && constraints.iter().all(|&k| k == 0) {
            return None;
        }
        let mut numbers = numbers.clone();
        let mut places = HashMap::new();
        let mut shifted = |number: u32, by: i64| {
            if by == 0 {
                return number;
            }
            *places.entry((number, by)).or_insert_with(|| {
                let number = decimals[number as usize].times(&power(by));
                numbers.place(number.to_string().as_bytes())
            })
        };
        let objective_places = problem.objective().iter().zip(&constraints);
        let objective_places =
            objective_places.map(|(&c, &k)| shifted(c, -(k + objective))).collect();
        let entries = problem.entries().iter().map(|entry| {
            let by = match entry.place.matrix {
                0 => -constant,
                k => -constraints[k as usize - 1],
            };
            crate::Entry { value: shifted(entry.value, by), ..*entry }
        });
        let entries = entries.collect();
        let problem = Problem::new(numbers, objective_places, problem.blocks().to_vec(), entries);
        Some(Self { problem: Cow::Owned(problem), constant, objective, constraints })
    }

    /// Whether these are the problem's own.
    pub fn is_whole(&self) -> bool {
        matches!(self.problem, Cow::Borrowed(_))
    }

    /// The problem in these units, with the same blocks and constraints.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// `β + γ`.
    fn of_objectives(&self) -> i64 {
        self.constant + self.objective
    }

    /// What the solver is told: bounds of objectives are in these units.
    pub fn parameters(&self, parameters: &Parameters) -> Parameters {
        let k = -self.of_objectives();
        Parameters {
            lower_bound: times_power(parameters.lower_bound, k),
            upper_bound: times_power(parameters.upper_bound, k),
            ..*parameters
        }
    }

    /// A line of the history with the objectives of the problem; what is relative stays that in
    /// these units.
    pub fn row(&self, row: &Row) -> Row {
        let k = self.of_objectives();
        let objectives = row.objectives.map(|objective| times_power(objective, k));
        Row { objectives, mu: times_power(row.mu, k), ..row.clone() }
    }

    /// A report in the units of the problem, for a run that was told `parameters`; what is relative
    /// stays that in these units. Of the infeasibility of `Y` it has a bound from above: it is not
    /// said in which constraint that is.
    pub fn report<T: Number>(
        &self,
        report: Report,
        parameters: &Parameters,
        format: T::Format,
    ) -> Report {
        if self.is_whole() {
            return report;
        }
        let k = self.of_objectives();
        let factor = power(k);
        let objective = |found: &String| {
            let number = Decimal::parse(found.as_bytes()).map(|number| number.times(&factor));
            text(nearest::<T>(number.as_ref(), format))
        };
        let largest = self.constraints.iter().max().map_or(0, |k| k + self.objective);
        let [primal, dual] = report.infeasibilities;
        let units = [self.constant, self.objective];
        let of_both = |values: [f64; 2]| [0, 1].map(|i| times_power(values[i], units[i]));
        let Parameters { lower_bound, upper_bound, .. } = *parameters;
        Report {
            objectives: report.objectives.each_ref().map(objective),
            mu: times_power(report.mu, k),
            gap: times_power(report.gap, k),
            infeasibilities: [times_power(primal, self.constant), times_power(dual, largest)],
            interior: Interior {
                within: times_power(report.interior.within, k),
                least: of_both(report.interior.least),
                mean: of_both(report.interior.mean),
            },
            parameters: Parameters { lower_bound, upper_bound, ..report.parameters },
            history: report.history.iter().map(|row| self.row(row)).collect(),
            ..report
        }
    }

    /// What is proved of the problem, from what is proved of it in these units.
    pub fn certificate(&self, certificate: Certificate) -> Certificate {
        if self.is_whole() {
            return certificate;
        }
        let factor = power(self.of_objectives());
        let bound = |text: Result<String, Unproved>, towards| {
            let text = text?;
            let bound = Decimal::parse(text.as_bytes()).ok_or(Unproved::Range)?;
            Ok(bound.times(&factor).rounded(text.len() as i64 + MORE_DIGITS, towards))
        };
        let lower: Result<_, Unproved> = bound(certificate.lower, Towards::Below);
        let upper: Result<_, Unproved> = bound(certificate.upper, Towards::Above);
        let width = match (&lower, &upper) {
            (Ok(lower), Ok(upper)) => width(lower, upper),
            _ => None,
        };
        let [lower, upper] = [lower, upper].map(|bound| bound.map(|bound| bound.to_string()));
        Certificate { lower, upper, width: width.unwrap_or(f64::INFINITY), ..certificate }
    }

    /// A point of the problem in these units: the same numbers but for their exponents.
    ///
    /// # Errors
    /// [`Misfit`] where it is not one of the problem.
    pub fn restrict<T: Number>(&self, solution: Solution<T>) -> Result<Solution<T>, Misfit> {
        self.moved(solution, -1)
    }

    /// The point of the problem that a point in these units is.
    ///
    /// # Errors
    /// As [`Self::restrict`].
    pub fn restore<T: Number>(&self, solution: Solution<T>) -> Result<Solution<T>, Misfit> {
        self.moved(solution, 1)
    }

    fn moved<T: Number>(
        &self,
        mut solution: Solution<T>,
        sign: i64,
    ) -> Result<Solution<T>, Misfit> {
        solution.check(&self.problem)?;
        for (i, k) in self.constraints.iter().enumerate() {
            let x = solution.x.as_mut_slice().range(i..i + 1);
            shift(x, sign * (self.constant - k));
        }
        let blocks = [(&mut solution.primal, self.constant), (&mut solution.dual, self.objective)];
        for (blocks, k) in blocks {
            for block in blocks {
                shift(block.entries_mut().as_mut_slice(), sign * k);
            }
        }
        Ok(solution)
    }
}

/// The binary logarithm of the unit of numbers whose largest has this decimal order.
fn unit(order: Option<i64>) -> i64 {
    order.filter(|order| !MET.contains(order)).map_or(0, power_of_ten)
}

/// The binary logarithm of the power of two next to a power of ten.
fn power_of_ten(order: i64) -> i64 {
    (order as f64 * f64::log2(10.0)).round() as i64
}

/// `2^k`
fn power(k: i64) -> Decimal {
    let size = k.unsigned_abs().min(u64::from(u32::MAX)) as u32;
    if k >= 0 {
        Decimal::new(BigInt::from(1) << size, 0)
    } else {
        Decimal::new(BigInt::from(5).pow(size), k)
    }
}

/// `x·2^k`, for any `k`.
fn times_power(x: f64, k: i64) -> f64 {
    let parts = [k / 2, k - k / 2].map(|k| 2_f64.powi(k.clamp(-4000, 4000) as i32));
    if x == 0.0 { x } else { x * parts[0] * parts[1] }
}

/// Multiplies numbers by `2^k`: exactly, within the range of their exponents.
fn shift<T: Number>(mut numbers: SliceMut<'_, T>, k: i64) {
    if k == 0 {
        return;
    }
    let factor = power(k);
    for i in 0..numbers.len() {
        let number = numbers.at(i);
        if number != T::ZERO {
            let product = decimal(number).map(|number| number.times(&factor));
            let format = numbers.format();
            numbers.set(i, nearest(product.as_ref(), format));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BlockValues;
    use crate::input::read_sparse;

    #[test]
    fn ordinary_problems_keep_their_units() {
        let text = "1\n1\n2\n1e5\n0 1 1 1 -2e-2\n1 1 1 2 3e-5\n";
        assert!(Units::new(&read_sparse(text.as_bytes()).unwrap()).is_whole());
    }

    #[test]
    fn points_come_back_as_they_were() {
        let text = "2\n1\n2\n1e50 -3e-40\n0 1 1 1 2e-90\n1 1 1 2 3e-26\n2 1 2 2 7e12\n";
        let problem = read_sparse(text.as_bytes()).unwrap();
        let units = Units::new(&problem);
        let order = |number: u32| {
            Decimal::parse(units.problem().numbers().text(number).as_bytes()).unwrap().order()
        };
        for entry in units.problem().entries() {
            assert!(order(entry.value).abs() <= 1, "{entry:?}");
        }
        assert!(units.problem().objective().iter().any(|&c| order(c).abs() <= 1));
        let block =
            || BlockValues::Dense { order: 2, entries: vec![1.1, -2.3e-7, -2.3e-7, 5e8].into() };
        let x = vec![0.1, -7e9].into();
        let point = Solution { x, primal: vec![block()], dual: vec![block()] };
        let moved = units.restrict(point.clone()).unwrap();
        assert_ne!(moved, point);
        assert_eq!(units.restore(moved).unwrap(), point);
    }

    #[test]
    fn products_of_any_exponents() {
        assert_eq!(times_power(3.0, 2), 12.0);
        assert_eq!(times_power(3.0, -2000), 0.0);
        assert_eq!(times_power(0.0, 9000), 0.0);
        assert_eq!(times_power(-f64::INFINITY, -300), -f64::INFINITY);
        assert_eq!(power(-3).to_string().parse(), Ok(0.125));
        assert_eq!(power(10).to_string().parse(), Ok(1024.0));
    }
}
