//! Telling the caches what will be needed.

// The intrinsic.
#![allow(unsafe_code)]

/// Fetches the cache line of `x` into all caches, where the processor has an instruction for it.
#[inline(always)]
pub(crate) fn prefetch<T>(x: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has SSE; the address is valid, not that it has to be.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(x).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = x;
}

/// Fetches all cache lines of `x`.
#[inline(always)]
pub(crate) fn prefetch_all<T>(x: &[T]) {
    const CACHE_LINE: usize = 64;
    let step = (CACHE_LINE / size_of::<T>().max(1)).max(1);
    x.iter().step_by(step).for_each(prefetch);
}
