//! Tridiagonal systems: threads share them, registers have one in each lane.

// Systems that lie interleaved are written to by several threads, each to places of its own.
#![allow(unsafe_code)]

mod output;
mod thomas;

use crate::SliceMut;
use crate::cpu::simd::dispatch;
use crate::reference::tridiag as reference;
use crate::threads::{Grain, map};
use crate::tridiag::{Batch, Failure, Method, Number};
use output::Output;
use thomas::Thomas;

/// Systems that a thread takes at a time.
const SYSTEMS_OF_A_THREAD: usize = 64;

/// How systems are eliminated.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Elimination {
    /// By a method, without row exchanges.
    Plain(Method),
    /// With row exchanges.
    Pivoted,
    /// With row exchanges, round a ring.
    Ring,
}

/// Solves all systems; returns those that were not solved. `x` is as long as the right sides.
pub(crate) fn solve<T: Number>(
    batch: &Batch<'_, T>,
    elimination: Elimination,
    x: &mut SliceMut<'_, T>,
) -> Vec<Failure> {
    assert_eq!(x.len(), batch.right().len(), "length");
    if x.is_empty() {
        return Vec::new();
    }
    let (systems, output) = (batch.systems(), Output::new(x.reborrow()));
    let share = |first: usize| {
        let count = SYSTEMS_OF_A_THREAD.min(systems - first);
        // SAFETY: no two threads have the same system, and each writes to places of its own systems
        // only.
        unsafe {
            if elimination == Elimination::Plain(Method::Thomas) {
                by_lanes(batch, first, count, &output)
            } else {
                one_by_one(batch, first, count, &output, elimination)
            }
        }
    };
    let shares = systems.div_ceil(SYSTEMS_OF_A_THREAD);
    let found = map(shares, Grain::ANY, |index| share(index * SYSTEMS_OF_A_THREAD));
    found.into_iter().flatten().collect()
}

/// # Safety
/// Nobody else reads or writes the solutions of these systems.
unsafe fn by_lanes<T: Number>(
    batch: &Batch<'_, T>,
    first: usize,
    count: usize,
    output: &Output<'_, T>,
) -> Vec<Failure> {
    // SAFETY: the caller's promise.
    let unsolved = dispatch(unsafe { Thomas::new(batch, first, count, output) });
    let mut x = vec![T::ZERO; batch.size()];
    let diagnose = |system| {
        let outcome =
            reference::solve(Method::Thomas, batch.order(), &batch.rows(false, system), &mut x);
        outcome.err().map(|(cause, row)| Failure { system, cause, row })
    };
    unsolved.into_iter().filter_map(diagnose).collect()
}

/// # Safety
/// As [`by_lanes`].
unsafe fn one_by_one<T: Number>(
    batch: &Batch<'_, T>,
    first: usize,
    count: usize,
    output: &Output<'_, T>,
    elimination: Elimination,
) -> Vec<Failure> {
    let mut x = vec![T::ZERO; batch.size()];
    let mut failures = Vec::new();
    for system in first..first + count {
        let rows = batch.rows(elimination == Elimination::Ring, system);
        let outcome = match elimination {
            Elimination::Plain(method) => reference::solve(method, batch.order(), &rows, &mut x),
            Elimination::Pivoted => reference::pivoted(&rows, &mut x),
            Elimination::Ring => reference::pivoted_ring(&rows, &mut x),
        };
        if let Err((cause, row)) = outcome {
            failures.push(Failure { system, cause, row });
        }
        for (i, &x) in x.iter().enumerate() {
            // SAFETY: the caller's promise.
            unsafe { output.write(batch.index(system, i), x) };
        }
    }
    failures
}
