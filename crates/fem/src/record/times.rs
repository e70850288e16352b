//! When something is written.

use crate::Simulation;
use crate::model::Outputs;
use crate::solid::Goal;

/// Rows of the history of a model that does not say when they are due.
const ROWS: u64 = 200;
/// Fields of one, beside those at the beginning.
const FIELDS: u64 = 20;
/// Exact times that differ by less than this part of the period are one: they are rounded, and
/// steps between them would be tiny.
const SAME: f64 = 1e-9;

/// More marks than there are steps, ever.
const MOST_MARKS: u64 = 1 << 62;

/// Times at equal distances, the last of them the end of the period.
#[derive(Clone, Debug)]
pub(super) struct Marks {
    period: f64,
    /// The time from one to the next, or the number of parts of the period.
    every: Every,
    /// How many there are.
    pub(super) count: u64,
    /// Whether steps end there.
    pub(super) exact: bool,
    /// The first that is not reached, from 1.
    next: u64,
}

#[derive(Clone, Copy, Debug)]
enum Every {
    Interval(f64),
    Part(u64),
}

impl Marks {
    fn new(period: f64, every: Every, exact: bool) -> Self {
        let count = match every {
            Every::Part(parts) => parts.clamp(1, MOST_MARKS),
            // A part that rounding makes is none.
            Every::Interval(interval) => {
                (period / interval - SAME).ceil().max(1.0).min(MOST_MARKS as f64) as u64
            }
        };
        Self { period, every, count, exact, next: 1 }
    }

    /// Time from one to the next.
    pub(super) fn interval(&self) -> f64 {
        match self.every {
            Every::Interval(interval) => interval,
            Every::Part(parts) => self.period / parts as f64,
        }
    }

    fn at(&self, number: u64) -> f64 {
        if number >= self.count {
            return self.period;
        }
        match self.every {
            Every::Interval(interval) => interval * number as f64,
            Every::Part(parts) => self.period * (number as f64 / parts as f64),
        }
    }

    /// The first that is not reached.
    fn due(&self) -> Option<f64> {
        (self.next <= self.count).then(|| self.at(self.next))
    }

    /// Passes those that are reached, which come before all others; whether there are any.
    fn pass(&mut self, reached: impl Fn(f64) -> bool) -> bool {
        let (mut low, mut high) = (self.next, self.count + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            if reached(self.at(middle)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low > std::mem::replace(&mut self.next, low)
    }
}

/// When rows and fields are due.
pub(super) struct Times {
    period: f64,
    pub(super) rows: Marks,
    pub(super) fields: Marks,
}

impl Times {
    pub(super) fn of(outputs: &Outputs, period: f64) -> Self {
        let rows = outputs.history.map_or(Every::Part(ROWS), Every::Interval);
        let fields = Every::Part(outputs.fields.map_or(FIELDS, |fields| fields as u64));
        Self {
            period,
            rows: Marks::new(period, rows, outputs.exact_history),
            fields: Marks::new(period, fields, outputs.exact_fields),
        }
    }

    /// Where steps lead next; nowhere at the end.
    pub(super) fn goal(&self) -> Option<Goal> {
        let all = [&self.rows, &self.fields];
        let first = |exact: bool| {
            let due = all.iter().filter(|marks| marks.exact == exact).filter_map(|of| of.due());
            due.fold(self.period, f64::min)
        };
        let end = first(true);
        all.iter()
            .any(|marks| marks.due().is_some())
            .then(|| Goal { end, pause: end.min(first(false)) })
    }

    /// Passes what is reached; whether there is anything, and whether fields are.
    pub(super) fn pass(&mut self, simulation: &Simulation<'_>) -> (bool, bool) {
        let (time, period) = (simulation.time(), self.period);
        let mut passed = [false; 2];
        // What is nearest depends on the next step, and that on exact times.
        for exact in [true, false] {
            let Some(Goal { end, .. }) = self.goal() else { break };
            let reached = |mark: f64| {
                if mark >= period {
                    time >= period
                } else if exact {
                    mark - time <= SAME * period
                } else {
                    mark <= time || simulation.has_come_to(Goal { end, pause: mark })
                }
            };
            for (marks, passed) in [&mut self.rows, &mut self.fields].into_iter().zip(&mut passed) {
                *passed |= marks.exact == exact && marks.pass(reached);
            }
        }
        (passed[0] || passed[1], passed[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(every: Every) -> Vec<f64> {
        let mut marks = Marks::new(1.0, every, false);
        let mut all = Vec::new();
        while let Some(due) = marks.due() {
            all.push(due);
            assert!(marks.pass(|mark| mark <= due));
        }
        all
    }

    #[test]
    fn marks_ascend_and_end_with_the_period() {
        assert_eq!(marks(Every::Part(4)), [0.25, 0.5, 0.75, 1.0]);
        assert_eq!(marks(Every::Interval(0.3)), [0.3, 0.6, 0.3 * 3.0, 1.0]);
        assert_eq!(marks(Every::Interval(0.1)).len(), 10);
        assert_eq!(marks(Every::Interval(7.0)), [1.0]);
    }

    #[test]
    fn marks_are_passed_at_once() {
        // Marks lie closer together than doubles near one half, so that marks share doubles.
        let mut marks = Marks::new(1.0, Every::Interval(1e-16), false);
        assert!(marks.pass(|mark| mark <= 0.5));
        assert!(marks.due().is_some_and(|due| due > 0.5 && due < 0.5 + 4.0 * f64::EPSILON));
        assert!(!marks.pass(|mark| mark <= 0.5));
    }
}
