//! When something is written.

use crate::model::Outputs;

/// Rows of the history of a model that does not say when they are due.
const ROWS: f64 = 200.0;
/// Fields of one, beside those at the beginning.
const FIELDS: usize = 20;

/// When rows and fields are due.
pub(super) struct Times {
    period: f64,
    rows: u64,
    fields: u64,
}

impl Times {
    pub(super) fn of(outputs: &Outputs, period: f64) -> Self {
        let interval = outputs.history.unwrap_or(period / ROWS);
        let rows = (period / interval).ceil().clamp(1.0, 1e6) as u64;
        Self { period, rows, fields: outputs.fields.unwrap_or(FIELDS).max(1) as u64 }
    }

    /// All times, ascending, and whether fields are due.
    pub(super) fn all(&self) -> Vec<(f64, bool)> {
        let at = |k: u64, of: u64| {
            if k == of { self.period } else { self.period * (k as f64 / of as f64) }
        };
        let rows = (1..=self.rows).map(|k| (at(k, self.rows), false));
        let fields = (1..=self.fields).map(|k| (at(k, self.fields), true));
        let mut all: Vec<(f64, bool)> = rows.chain(fields).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Times that rounding alone tells apart are one.
        all.dedup_by(|next, kept| {
            let same = next.0 - kept.0 <= 1e-9 * self.period;
            kept.1 |= same && next.1;
            same
        });
        if let Some(last) = all.last_mut() {
            last.0 = self.period;
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_ascend_and_end_with_the_period() {
        let outputs = Outputs { fields: Some(3), history: Some(0.25), probes: Vec::new() };
        let all = Times::of(&outputs, 1.0).all();
        let expected = [
            (0.25, false),
            (1.0 / 3.0, true),
            (0.5, false),
            (2.0 / 3.0, true),
            (0.75, false),
            (1.0, true),
        ];
        assert_eq!(all, expected);
    }
}
