//! Whether iterations still lead anywhere.

use super::Measures;

/// What has to become so much smaller counts as progress.
const LESS: f64 = 0.8;

/// The least values so far of what becomes small on the way to an optimum or to a certificate that there is none, and the iteration that found the last of them.
#[derive(Debug, Default)]
pub(super) struct Progress {
    least: Option<[f64; 5]>,
    number: u64,
}

impl Progress {
    /// Takes a further iteration; for how many there was none that led anywhere.
    pub(super) fn idle<N>(&mut self, number: u64, measures: &Measures<N>) -> u64 {
        let [primal, dual] = measures.relative_infeasibilities();
        let values = [
            // Not the gap, which is small by chance where points are not feasible.
            measures.complementarity / measures.scale(),
            primal,
            dual,
            1.0 / measures.least_primal_norm(),
            1.0 / measures.least_dual_norm(),
        ];
        let least = self.least.get_or_insert([f64::INFINITY; 5]);
        for (least, value) in least.iter_mut().zip(values) {
            if value < LESS * *least {
                *least = value;
                self.number = number;
            }
        }
        number - self.number
    }
}
