//! The instructions of this processor that multiply bytes.

// Entered only where the processor has them.
#![allow(unsafe_code)]

use core::sync::atomic::{AtomicU8, Ordering};

use super::words::Kernel;

/// Instructions that multiply bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Level {
    /// None.
    Plain,
    /// AVX-VNNI.
    Avx,
    /// AVX-512 VNNI.
    Avx512,
}

impl Level {
    pub(in super::super) const ALL: [Level; 3] = [Level::Plain, Level::Avx, Level::Avx512];

    /// Whether this processor has them.
    pub(in super::super) fn is_available(self) -> bool {
        match self {
            Level::Plain => true,
            #[cfg(target_arch = "x86_64")]
            Level::Avx => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("fma")
                    && is_x86_feature_detected!("avxvnni")
            }
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vnni")
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The best that this processor has, unless a test [`set`](Self::set) another.
    pub(in super::super) fn current() -> Self {
        let known = CURRENT.load(Ordering::Relaxed);
        if known > 0 {
            return Level::ALL[known as usize - 1];
        }
        let best = (0..3).rev().find(|&i| Level::ALL[i].is_available()).unwrap_or(0);
        CURRENT.store(best as u8 + 1, Ordering::Relaxed);
        Level::ALL[best]
    }

    /// Makes it the current one, which the processor has to have.
    #[cfg(test)]
    pub(in super::super) fn set(self) {
        assert!(self.is_available());
        CURRENT.store(self as u8 + 1, Ordering::Relaxed);
    }
}

/// 0 before the first use, then 1 and the index in [`Level::ALL`].
static CURRENT: AtomicU8 = AtomicU8::new(0);

/// Runs a kernel with the instructions of [`Level::current`].
pub(super) fn dispatch<K: Kernel>(kernel: K) {
    match Level::current() {
        // SAFETY: the level is one of this processor's.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { super::avx512::run(kernel) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx => unsafe { super::avx::run(kernel) },
        _ => kernel.run::<[i32; 16]>(),
    }
}
