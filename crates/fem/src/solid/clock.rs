//! Where runs are, where they lead, and how long their steps are.

use core::num::NonZeroU64;

/// How long steps are, and how far forces are summed up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// A part of what is stable.
    pub factor: f64,
    /// The longest allowed.
    pub most: f64,
    /// In [mixed precision](super::Precision::Mixed), after how many steps, counted from the
    /// beginning, forces are computed in full and not summed up of increments: in every step where
    /// this is one, the usual choice; in none where there is no number. Other precisions always
    /// have forces in full.
    pub resync: Option<NonZeroU64>,
}

impl Limits {
    /// Whether a step, counted from 1, has forces in full where others have increments.
    pub fn is_in_full(&self, step: u64) -> bool {
        self.resync.is_some_and(|every| step.is_multiple_of(every.get()))
    }
}

/// Where steps lead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// A time at which a step ends, no matter how long that step is. All steps until then are as
    /// long as each other, as far as stability allows.
    pub end: f64,
    /// A time until the end that no step is shortened for: steps stop where they come nearest to
    /// it.
    pub pause: f64,
}

impl From<f64> for Goal {
    /// An end alone.
    fn from(end: f64) -> Self {
        Self { end, pause: end }
    }
}

/// Where a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    /// The time.
    pub time: f64,
    /// Steps until now.
    pub steps: u64,
    /// The length of the last step.
    pub last: f64,
    /// The longest stable step.
    pub stable: f64,
}

impl Clock {
    /// The length of the next step. Until the end all are equal but for changes of what is stable:
    /// energies are kept as long as steps are.
    ///
    /// Of `n` steps each may be longer than the longest by the part `1/(1024·n)`: times are
    /// rounded, and one unit in the last place beyond a whole number of steps would make two half
    /// steps of the last.
    pub fn next(&self, limits: Limits, end: f64) -> f64 {
        let longest = (limits.factor * few_bits(self.stable)).min(limits.most);
        let left = end - self.time;
        if left.is_finite() { left / (left / longest - SLACK).ceil().max(1.0) } else { longest }
    }

    /// Whether the end has come, or the pause is no nearer to the end of the next step than to now.
    pub fn has_come_to(&self, limits: Limits, goal: Goal) -> bool {
        let Goal { end, pause } = goal;
        self.time >= end || 2.0 * (pause - self.time) <= self.next(limits, end)
    }
}

/// By what part a last step may be longer than the longest. The sum of `n` steps is off by
/// `½·n²·2⁻⁵³` of a step at most, by less than this for up to four million.
const SLACK: f64 = 1.0 / 1024.0;

/// A number rounded down to seven bits.
fn few_bits(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !(u64::MAX >> 18))
}
