//! When work is shared among the threads of the current pool.
//!
//! Handing work to another thread takes some ten microseconds where that thread has to be woken. So work is shared
//! only where every thread gets several times that.

use crate::Scalar;

/// What a multiply-add costs with 1, 2, 3, 4 limbs, in units of a fused multiply-add: instructions, and for one limb
/// the memory that they wait for.
const COST: [usize; 5] = [0, 2, 10, 41, 106];

/// Units that are worth a thread: by measurement 50 to 80 µs with registers of eight.
const UNITS_OF_A_THREAD: usize = 1 << 22;

/// How many threads so many multiply-adds are worth; 1 at least.
pub(super) fn worth<T: Scalar>(multiply_adds: usize) -> usize {
    let shares = multiply_adds.saturating_mul(COST[T::LIMBS]) / UNITS_OF_A_THREAD;
    rayon::current_num_threads().min(shares).max(1)
}
