//! Whether iterations still lead anywhere.

use super::Measures;

/// What has to become so much smaller counts as progress.
const PROGRESS_FACTOR: f64 = 0.8;
/// What counts as nothing beside another part of the gap.
const NOTHING: f64 = 0.1;

/// Values that become small on the way to an optimum or to a certificate that there is none.
#[derive(Debug)]
pub(super) struct Progress {
    /// Complementarity, infeasibilities and certificates.
    values: Least<5>,
    /// The distance from what is asked for, complementarity while the objectives have not even
    /// their size in common, and certificates.
    outcomes: Least<4>,
}

/// The least values so far, and the iteration that found the last of them.
#[derive(Debug)]
struct Least<const N: usize> {
    values: [f64; N],
    number: u64,
}

impl<const N: usize> Least<N> {
    fn new() -> Self {
        Self { values: [f64::INFINITY; N], number: 0 }
    }

    /// Takes the values of an iteration; for how many none was less than before.
    fn idle(&mut self, number: u64, values: [f64; N]) -> u64 {
        for (least, value) in self.values.iter_mut().zip(values) {
            if value < PROGRESS_FACTOR * *least {
                *least = value;
                self.number = number;
            }
        }
        number - self.number
    }
}

impl Progress {
    pub(super) fn new() -> Self {
        Self { values: Least::new(), outcomes: Least::new() }
    }

    /// Takes a further iteration; for how many there was none that led anywhere, those that led
    /// nearer to an outcome by nothing counted half.
    pub(super) fn idle<N>(&mut self, number: u64, distance: f64, measures: &Measures<N>) -> u64 {
        let [primal, dual] = measures.relative_infeasibilities();
        // What infeasibility makes of the gap is small by chance where `X` is not feasible, and
        // complementarity far from where it will be; and complementarity that is nothing beside the
        // rest of the gap leads nowhere.
        let rest = NOTHING * measures.gap_of_infeasibility();
        let complementarity =
            if primal > 0.0 { f64::INFINITY } else { measures.complementarity.max(rest) };
        let [of_primal, of_dual] = measures.absence.map(f64::recip);
        let values = [complementarity, primal, dual, of_primal, of_dual];
        let idle = self.values.idle(number, values);
        let far = if measures.relative_distance() >= 1.0 { complementarity } else { f64::INFINITY };
        idle.max(self.outcomes.idle(number, [distance, far, of_primal, of_dual]) / 2)
    }
}
