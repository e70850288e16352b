//! Randomised tests: how many cases they run, from which seed, and how to see one of them again.
//!
//! A commit runs the number of cases that the test names, from a fixed seed.
//! `cargo xtask test --long` runs a thousand times as many on all cores, from a seed of the clock.
//! A failure prints the two variables that run its case alone. The name of each randomised test
//! contains `random`, by which the long run finds it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::Random;

/// How many times the cases of a commit a long run has.
const LONG_RUN_FACTOR: u64 = 1000;

/// The seed of every commit.
const SEED: u64 = 20_260_101;

/// Whether all is tried that there is time for in hours.
fn is_long() -> bool {
    std::env::var_os("NONIUS_LONG").is_some_and(|value| value == "1")
}

/// How many numbers a test compares that compares `per_commit` in a commit: in a long run a
/// hundred times as many.
pub fn comparisons(per_commit: usize) -> usize {
    if is_long() { 100 * per_commit } else { per_commit }
}

/// Runs `test` for `per_commit` cases, each with a stream of random numbers of its own.
///
/// `NONIUS_LONG=1` runs a thousand times as many, `NONIUS_SEED` another seed, `NONIUS_CASE` one
/// case alone.
///
/// # Panics
/// With the panic of the first case that fails, after its seed and number have gone to standard
/// error.
pub fn random_cases(name: &str, per_commit: u64, test: impl Fn(&mut Random) + Sync) {
    let long = is_long();
    let seed = number("NONIUS_SEED").unwrap_or(if long { clock() } else { SEED });
    if let Some(case) = number("NONIUS_CASE") {
        return test(&mut stream(seed, case));
    }
    let cases = if long { per_commit * LONG_RUN_FACTOR } else { per_commit };
    if long {
        eprintln!("{name}: {cases} cases, seed {seed}");
    }
    let next = AtomicU64::new(0);
    let failure: Mutex<Option<(u64, Box<dyn Any + Send>)>> = Mutex::new(None);
    let work = || {
        loop {
            let case = next.fetch_add(1, Ordering::Relaxed);
            if case >= cases {
                return;
            }
            let outcome = catch_unwind(AssertUnwindSafe(|| test(&mut stream(seed, case))));
            let Err(panic) = outcome else { continue };
            next.store(cases, Ordering::Relaxed);
            let mut failure = failure.lock().expect("no thread panics while it holds the lock");
            if failure.as_ref().is_none_or(|&(earlier, _)| case < earlier) {
                *failure = Some((case, panic));
            }
        }
    };
    if long {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    } else {
        work();
    }
    let failure = failure.into_inner().expect("no thread panics while it holds the lock");
    if let Some((case, panic)) = failure {
        eprintln!(
            "{name}: case {case} failed; NONIUS_SEED={seed} NONIUS_CASE={case} runs it alone"
        );
        resume_unwind(panic);
    }
}

/// Case `case`'s stream: neighbouring cases share nothing.
fn stream(seed: u64, case: u64) -> Random {
    Random::new(seed.wrapping_add(case.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

/// The whole number that an environment variable holds, if it is set.
fn number(variable: &str) -> Option<u64> {
    let value = std::env::var(variable).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{variable}={value}: expected a whole number")))
}

/// Nanoseconds of the clock.
fn clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(SEED, |time| time.as_nanos() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_runs_with_a_stream_of_its_own() {
        let seen = Mutex::new(Vec::new());
        random_cases("streams", 64, |random| seen.lock().expect("unpoisoned").push(random.bits()));
        let mut seen = seen.into_inner().expect("unpoisoned");
        assert!(seen.len() >= 64);
        let all = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), all);
    }

    #[test]
    fn a_case_that_fails_fails_the_test() {
        let runs = AtomicU64::new(0);
        let failing = || {
            random_cases("failing", 8, |_| assert_ne!(runs.fetch_add(1, Ordering::Relaxed), 2));
        };
        assert!(catch_unwind(failing).is_err());
    }
}
