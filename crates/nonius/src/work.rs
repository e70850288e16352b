//! What a job costs, and whether it is worth a GPU's start.
//!
//! The first use of a GPU in a process makes a context and loads kernels, which takes longer than
//! many a job. An estimate of the time on the CPU, from the operations and a rate once measured,
//! decides; that it is rough does not matter, since jobs of about the same time on both may go
//! either way.

use nonius_linalg::cpu::simd::Level;

use crate::Precision;
use crate::threads::available;
use crate::tridiag;

/// Seconds until a GPU does what it is asked for: context and kernels from the cache, measured on
/// an H200.
const GPU_START_SECONDS: f64 = 1.0;
/// Bytes a second to a GPU and back: downloads to memory that was not locked before, the slowest
/// way, measured on an H200.
const TRANSFER_RATE: f64 = 1.9e9;

/// Seconds that are not worth sharing, at the rates of this module, which small matrices miss by
/// several times.
const SHORT: f64 = 1e-5;

/// What a job costs, to leading order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work {
    /// Additions and multiplications.
    pub(crate) operations: f64,
    /// Seconds that they take one thread.
    seconds: f64,
    /// Seconds beside these, however many threads there are.
    alone: f64,
    /// Seconds that they take a GPU; zero where they are few beside its start.
    on_gpu: f64,
    /// Bytes that a GPU would be sent and would return.
    bytes: f64,
    pub(crate) precision: Precision,
}

/// Seconds that a job should take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// On the CPU, with the threads there are.
    pub cpu_seconds: f64,
    /// On a GPU: its start, the numbers' way there and back, and its work where that is not little
    /// beside them.
    pub gpu_seconds: f64,
}

/// Additions and multiplications a second of one thread: products of matrices of order 512 to 1024,
/// measured on an EPYC (Zen 5) with AVX-512.
fn product_rate(precision: Precision) -> f64 {
    let rate = match precision {
        Precision::F64 => 85e9,
        Precision::Dd => 14e9,
        Precision::Td => 3.6e9,
        Precision::Qd => 1.4e9,
        // By residues: time grows with the bits.
        Precision::Mp(bits) => 4e9 * 212.0 / f64::from(bits.get()),
    };
    rate / Level::current().slowdown()
}

/// Multiplications with an addition a second of one thread in operations on vectors and on rows of
/// a few entries, which wait for memory: conjugate gradients on bcsstk27, measured on an EPYC (Zen
/// 3).
fn vector_rate(precision: Precision) -> f64 {
    match precision {
        Precision::F64 => 2.2e8,
        Precision::Dd => 1.9e8,
        Precision::Td => 1.2e8,
        Precision::Qd => 7e7,
        Precision::Mp(bits) => 3.2e7 * 424.0 / f64::from(bits.get()),
    }
}

impl Work {
    /// Work on `numbers` numbers that a GPU would be sent or would return.
    pub(crate) fn new(precision: Precision, operations: f64, numbers: f64) -> Self {
        Self::at_rate(precision, operations, product_rate(precision), numbers)
    }

    /// Iterations with a sparse matrix of so many entries and vectors of `n` numbers.
    pub(crate) fn iterations(precision: Precision, count: f64, entries: f64, n: f64) -> Self {
        let operations = count * (entries + 6.0 * n);
        Self::at_rate(precision, operations, vector_rate(precision), entries + 4.0 * n)
    }

    /// Tridiagonal systems of so many rows altogether.
    pub(crate) fn tridiagonal(precision: tridiag::Precision, rows: f64) -> Self {
        // Rows a second of one thread by Thomas's method, measured on a Xeon with AVX-512; those of
        // any bits on an EPYC (Zen 5), from 128 to 4096 bits within a fifth.
        let (precision, rate) = match precision {
            tridiag::Precision::Single => (Precision::F64, 1e8),
            tridiag::Precision::Of(precision) => (
                precision,
                match precision {
                    Precision::F64 => 1.1e8,
                    Precision::Dd => 8e7,
                    Precision::Td => 4e7,
                    Precision::Qd => 2.2e7,
                    Precision::Mp(bits) => {
                        let bits = f64::from(bits.get());
                        1.0 / (2e-6 + 1e-9 * bits + 2e-12 * bits * bits)
                    }
                },
            ),
        };
        Self::at_rate(precision, rows, rate, 5.0 * rows)
    }

    /// Vectors of so many nodes altogether, each of which takes steps: so many altogether.
    pub(crate) fn evolutions(precision: Precision, nodes: f64, node_steps: f64) -> Self {
        // Nodes a second of one thread, measured on a Xeon with AVX-512, European options in a
        // book, at f64; operations of a node for the others.
        let rate = match precision {
            Precision::F64 => 1.4e9,
            Precision::Dd => 1.2e8,
            Precision::Td => 3e7,
            Precision::Qd => 1e7,
            // Not measured: a microsecond for five operations of 424 bits.
            Precision::Mp(bits) => 1e6 * 424.0 / f64::from(bits.get()),
        };
        Self::at_rate(precision, node_steps, rate, 8.0 * nodes)
    }

    /// Steps of elements of a number of points altogether, with so many numbers.
    pub(crate) fn solids(points: f64, steps: f64, numbers: f64) -> Self {
        // Points a second of one thread, C3D8 with AVX-512 and in f64, measured on a Xeon.
        Self::at_rate(Precision::F64, points * steps, 3.5e7, numbers)
    }

    /// Work of which seconds are known: those of one thread that threads share, others, and those
    /// on a GPU that is there.
    pub(crate) fn measured(
        precision: Precision,
        [seconds, alone, on_gpu]: [f64; 3],
        numbers: f64,
    ) -> Self {
        let bytes = numbers * f64::from(precision.bits().div_ceil(53) * 8);
        Self { operations: 0.0, seconds, alone, on_gpu, bytes, precision }
    }

    fn at_rate(precision: Precision, operations: f64, rate: f64, numbers: f64) -> Self {
        let bytes = numbers * f64::from(precision.bits().div_ceil(53) * 8);
        let seconds = operations / rate;
        Self { operations, seconds, alone: 0.0, on_gpu: 0.0, bytes, precision }
    }

    /// Whether a thread has done it before others are awake.
    pub(crate) fn is_short(self) -> bool {
        self.seconds + self.alone < SHORT
    }

    pub(crate) fn estimate(self) -> Estimate {
        Estimate {
            cpu_seconds: self.seconds / available() as f64 + self.alone,
            gpu_seconds: GPU_START_SECONDS + self.bytes / TRANSFER_RATE + self.on_gpu,
        }
    }
}

impl Estimate {
    /// Whether a GPU may be done before the CPU is.
    pub(crate) fn favours_gpu(self) -> bool {
        self.cpu_seconds > self.gpu_seconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_jobs_are_those_of_small_orders() {
        let solve = |n: f64| Work::new(Precision::Dd, 2.0 / 3.0 * n * n * n, 2.0 * n * n);
        assert!(solve(2.0).is_short() && solve(16.0).is_short());
        assert!(!solve(256.0).is_short());
    }

    #[test]
    fn small_jobs_stay_and_large_ones_go() {
        let product = |n: f64| Work::new(Precision::Qd, 2.0 * n * n * n, 4.0 * n * n);
        assert!(!product(100.0).estimate().favours_gpu());
        // 2·10^15 operations take 1000 threads more than a second, the matrices' way 7 seconds.
        let large = product(100_000.0).estimate();
        assert!(large.favours_gpu() || available() > 1000);
        // However many, numbers that nothing is done with stay.
        let sum = Work::new(Precision::F64, 1e9, 1e9);
        assert!(!sum.estimate().favours_gpu());
        assert!(large.gpu_seconds > GPU_START_SECONDS);
    }
}
