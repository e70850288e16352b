//! How long a piece of work takes.

use std::time::Instant;

/// The shortest of several runs, in seconds: the run least disturbed by whatever else the machine
/// does.
///
/// Repeats until half a second has gone by, three times at least, so that short work is seen often.
pub(crate) fn best_of(mut work: impl FnMut()) -> f64 {
    const LEAST_SECONDS: f64 = 0.5;
    let mut best = f64::INFINITY;
    let mut total = 0.0;
    let mut runs = 0;
    while runs < 3 || (total < LEAST_SECONDS && runs < 1000) {
        let start = Instant::now();
        work();
        let seconds = start.elapsed().as_secs_f64();
        best = best.min(seconds);
        total += seconds;
        runs += 1;
        if runs == 1 && seconds > 20.0 {
            break;
        }
    }
    best
}
