//! When work is shared among the threads of the current pool.
//!
//! Handing work to another thread takes some ten microseconds where that thread has to be woken. So
//! work is shared only where every thread gets several times that.

use crate::Number;
use crate::threads::available;

/// Units that are worth a thread: by measurement 50 to 80 µs with registers of eight.
const UNITS_OF_A_THREAD: usize = 1 << 22;

/// How many threads `multiply_adds` multiply-adds are worth; 1 at least.
pub(super) fn worth<T: Number>(format: T::Format, multiply_adds: usize) -> usize {
    let shares = multiply_adds.saturating_mul(T::cost(format)) / UNITS_OF_A_THREAD;
    available().min(shares).max(1)
}
