//! Choosing the widest registers of this machine at run time.

// The one call below that enters code compiled for the found processor.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

use core::sync::atomic::{AtomicU8, Ordering};

use nonius_num::Lane;

/// A set of registers to compute with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// One number at a time, on any processor.
    Scalar,
    /// Four numbers: x86-64 with AVX2 and FMA.
    Avx2,
    /// Eight numbers: x86-64 with AVX-512 F, DQ and FMA.
    Avx512,
}

impl Level {
    /// The widest level that this processor has.
    pub fn best() -> Level {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("fma")
            {
                return Level::Avx512;
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                return Level::Avx2;
            }
        }
        Level::Scalar
    }

    /// All levels that this processor has, narrowest first.
    pub fn available() -> impl Iterator<Item = Level> {
        let best = Level::best();
        [Level::Scalar, Level::Avx2, Level::Avx512].into_iter().filter(move |&l| l <= best)
    }

    /// The level that kernels use: the best, unless [`set`](Level::set) said otherwise.
    pub fn current() -> Level {
        match CURRENT.load(Ordering::Relaxed) {
            1 => Level::Scalar,
            2 => Level::Avx2,
            3 => Level::Avx512,
            _ => {
                let best = Level::best();
                Level::set(best);
                best
            }
        }
    }

    /// Makes kernels use `level`, or the best that this processor has where it lacks it. Results do not change.
    pub fn set(level: Level) {
        let level = level.min(Level::best());
        CURRENT.store(level as u8 + 1, Ordering::Relaxed);
    }

    /// The name as `nonius info` prints it.
    pub fn name(self) -> &'static str {
        match self {
            Level::Scalar => "scalar",
            Level::Avx2 => "avx2+fma",
            Level::Avx512 => "avx512",
        }
    }
}

/// 0 before the first use, then `Level as u8 + 1`.
static CURRENT: AtomicU8 = AtomicU8::new(0);

/// Work that is written once for registers of any width.
pub trait Kernel {
    /// What it returns.
    type Output;

    /// Does the work with registers `L`. Implementations must be `#[inline(always)]`, and so must everything
    /// they call per element: only what is inlined here is compiled with the level's instructions.
    fn run<L: Lane>(self) -> Self::Output;
}

/// Runs a kernel with the registers of [`Level::current`].
#[inline]
pub fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    match Level::current() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `Level::set` admits a level only when the processor has its instructions.
        Level::Avx512 => unsafe { avx512::run(kernel) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Level::Avx2 => unsafe { avx2::run(kernel) },
        _ => kernel.run::<f64>(),
    }
}
