//! What is said of a problem, from what is said of the problem that is left.

use std::collections::HashMap;

use nonius_linalg::Number;

use super::Eliminated;
use super::points::digits;
use crate::certify::{Certificate, Unproved};
use crate::decimal::{Decimal, Towards};
use crate::text::{nearest, text};
use crate::{Interior, Parameters, Report, Row};

impl Eliminated<'_> {
    /// `σ`, and what is in the objectives besides, rounded.
    fn rounded(&self) -> [f64; 2] {
        let [above, below] = &self.scale;
        [above.to_f64() / below.to_f64(), self.constant.to_f64()]
    }

    /// The objective of the problem, from that of the problem that is left.
    fn objective(&self, left: &Decimal, digits: i64, towards: Towards) -> Option<Decimal> {
        let [above, below] = &self.scale;
        left.plus(&-&self.constant)?.times(below).quotient(above, digits, towards)
    }

    /// What the solver of what is left is told: bounds of objectives are those of what is left.
    pub fn parameters(&self, parameters: &Parameters) -> Parameters {
        let [scale, constant] = self.rounded();
        Parameters {
            lower_bound: parameters.lower_bound * scale + constant,
            upper_bound: parameters.upper_bound * scale + constant,
            ..*parameters
        }
    }

    /// A line of the history with the objectives of the problem; what is relative stays that of
    /// what is left.
    pub fn row(&self, row: &Row) -> Row {
        let [scale, constant] = self.rounded();
        let objectives = row.objectives.map(|objective| (objective - constant) / scale);
        Row { objectives, mu: row.mu / scale, ..row.clone() }
    }

    /// The largest factor by which `cᵢ − Fᵢ•Y` is more than what is left of it: columns were
    /// multiplied by `mᵢ` and divided by `gᵢ`, and what was added to them is zero for the `Y` that
    /// is restored.
    fn largest_divisor(&self) -> f64 {
        let mut factors: HashMap<usize, f64> = HashMap::new();
        for term in self.steps.iter().flat_map(|step| &step.terms).filter(|term| term.matrix > 0) {
            *factors.entry(term.matrix).or_insert(1.0) *=
                term.common.to_f64() / term.times.to_f64();
        }
        factors.into_values().fold(1.0, f64::max)
    }

    /// A report with the objectives and the units of the problem, for a run that was told
    /// `parameters`; what is relative stays that of what is left. Of the infeasibility of `Y` it
    /// has a bound from above: it is not said in which constraint that is.
    pub fn report<T: Number>(
        &self,
        report: Report,
        parameters: &Parameters,
        format: T::Format,
    ) -> Report {
        let equalities = self.equalities();
        if self.is_whole() {
            return Report { equalities, ..report };
        }
        let digits = digits::<T>(format);
        let objective = |left: &String| {
            let left = Decimal::parse(left.as_bytes());
            let number = left.and_then(|left| self.objective(&left, digits, Towards::Below));
            text(nearest::<T>(number.as_ref(), format))
        };
        let [scale, _] = self.rounded();
        let [primal, dual] = report.infeasibilities;
        let dual = dual * self.largest_divisor();
        let Parameters { lower_bound, upper_bound, .. } = *parameters;
        Report {
            objectives: report.objectives.each_ref().map(objective),
            mu: report.mu / scale,
            gap: report.gap / scale,
            infeasibilities: [primal / scale, dual],
            interior: Interior {
                within: report.interior.within / scale,
                least: [report.interior.least[0] / scale, report.interior.least[1]],
                mean: [report.interior.mean[0] / scale, report.interior.mean[1]],
            },
            parameters: Parameters { lower_bound, upper_bound, ..report.parameters },
            history: report.history.iter().map(|row| self.row(row)).collect(),
            equalities,
            ..report
        }
    }

    /// What is proved of the problem, from what is proved of what is left.
    pub fn certificate(&self, certificate: Certificate) -> Certificate {
        /// Digits of a bound beyond those of the one of what is left.
        const GUARD_DIGITS: i64 = 4;
        if self.is_whole() {
            return certificate;
        }
        let bound = |text: Result<String, Unproved>, towards| {
            let text = text?;
            let left = Decimal::parse(text.as_bytes()).ok_or(Unproved::Range)?;
            // However large the constant is beside the bound.
            let end = left.order() - text.len() as i64 - GUARD_DIGITS;
            let digits = left.order().max(self.constant.order()) - end + GUARD_DIGITS;
            let bound = self.objective(&left, digits, towards).ok_or(Unproved::Range)?;
            // The same place in units of the problem, `σ` being known to a factor of a hundred.
            let [above, below] = &self.scale;
            let end = if above == below { end } else { end - above.order() + below.order() - 2 };
            Ok(bound.rounded((bound.order() - end).max(1), towards))
        };
        let lower: Result<_, Unproved> = bound(certificate.lower, Towards::Below);
        let upper: Result<_, Unproved> = bound(certificate.upper, Towards::Above);
        let width = match (&lower, &upper) {
            (Ok(lower), Ok(upper)) => width(lower, upper),
            _ => Some(f64::INFINITY),
        };
        let Some(width) = width else {
            let (lower, upper) = (Err(Unproved::Crossed), Err(Unproved::Crossed));
            return Certificate { lower, upper, width: f64::INFINITY, ..certificate };
        };
        let [lower, upper] = [lower, upper].map(|bound| bound.map(|bound| bound.to_string()));
        Certificate { lower, upper, width, ..certificate }
    }
}

/// Of the difference of two bounds, beside the larger magnitude, a bound from above; `None` where
/// the bound from below is above the other.
pub(crate) fn width(lower: &Decimal, upper: &Decimal) -> Option<f64> {
    let Some(width) = upper.plus(&-lower) else { return Some(f64::INFINITY) };
    if width.is_negative() {
        return None;
    }
    if width.is_zero() {
        return Some(0.0);
    }
    let most = lower.to_f64().abs().max(upper.to_f64().abs());
    // Three roundings.
    Some(width.to_f64() / most * (1.0 + 4.0 * f64::EPSILON))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_of_bounds() {
        let width = |lower: &str, upper: &str| {
            let [lower, upper] =
                [lower, upper].map(|text| Decimal::parse(text.as_bytes()).unwrap());
            width(&lower, &upper)
        };
        assert_eq!(width("0", "0"), Some(0.0));
        assert_eq!(width("1.5", "1.5"), Some(0.0));
        let found = width("-2", "-1").unwrap();
        assert!((0.5..=0.5 * (1.0 + 8.0 * f64::EPSILON)).contains(&found));
        // However little that is.
        assert_eq!(width("1.00000000000000000000000000000000000001", "1"), None);
    }
}
