//! What is said of a problem, from what is said of the problem that is left.

use nonius_linalg::sparse::matrix_market::Entry;

use super::Eliminated;
use super::decimal::{Decimal, Towards};
use super::points::{digits, nearest};
use crate::certify::{Certificate, Unproved};
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

    /// A line of the history with the objectives of the problem; what is relative stays that of what is left.
    pub fn row(&self, row: &Row) -> Row {
        let [scale, constant] = self.rounded();
        let objectives = row.objectives.map(|objective| (objective - constant) / scale);
        Row { objectives, mu: row.mu / scale, ..row.clone() }
    }

    /// A report with the objectives and the units of the problem, for a run that was told `parameters`; what is relative stays that of what is left.
    pub fn report<T: Entry>(
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
        let objective = |text: &String| {
            let left = Decimal::parse(text.as_bytes());
            let number = left.and_then(|left| self.objective(&left, digits, Towards::Below));
            let mut text = Vec::new();
            nearest::<T>(number.as_ref(), format).print(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        };
        let [scale, _] = self.rounded();
        let [primal, dual] = report.infeasibilities;
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
        const MORE: i64 = 4;
        if self.is_whole() {
            return certificate;
        }
        let bound = |text: Result<String, Unproved>, towards| {
            let text = text?;
            let left = Decimal::parse(text.as_bytes()).ok_or(Unproved::Range)?;
            // However large the constant is beside the bound.
            let end = left.order() - text.len() as i64 - MORE;
            let digits = left.order().max(self.constant.order()) - end + MORE;
            let bound = self.objective(&left, digits, towards).ok_or(Unproved::Range)?;
            Ok(bound.rounded((bound.order() - end).max(1), towards))
        };
        let lower: Result<_, Unproved> = bound(certificate.lower, Towards::Below);
        let upper: Result<_, Unproved> = bound(certificate.upper, Towards::Above);
        let width = match (&lower, &upper) {
            (Ok(lower), Ok(upper)) => {
                let most = lower.to_f64().abs().max(upper.to_f64().abs());
                let width = upper.plus(&-lower).map_or(f64::INFINITY, |width| width.to_f64());
                // Three roundings.
                width / most * (1.0 + 4.0 * f64::EPSILON)
            }
            _ => f64::INFINITY,
        };
        let [lower, upper] = [lower, upper].map(|bound| bound.map(|bound| bound.to_string()));
        Certificate { lower, upper, width, ..certificate }
    }
}
