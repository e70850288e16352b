//! The registers of AVX-VNNI.

// Intrinsics are unsafe to call from functions without their target feature; see the SAFETY
// arguments on the type.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::words::{Kernel, Words};

/// Runs a kernel compiled with these instructions.
///
/// # Safety
/// The processor must have them.
#[target_feature(enable = "avx2,fma,avxvnni")]
pub(super) unsafe fn run(kernel: impl Kernel) {
    kernel.run::<Halves>();
}

/// Two registers of AVX.
///
/// SAFETY of every intrinsic below: values of this type come into being only inside [`run`], which
/// is entered only on processors that have the instructions.
#[derive(Clone, Copy)]
pub(super) struct Halves([__m256i; 2]);

/// The same for both halves; not a closure, which would lack the instructions.
macro_rules! both {
    ($f:ident($($x:expr),*)) => {
        // SAFETY: see the type.
        unsafe { Self([$f($($x.0[0]),*), $f($($x.0[1]),*)]) }
    };
}

impl Words for Halves {
    const COLUMNS: usize = 4;
    const GROUPS: usize = 1;

    #[inline(always)]
    fn splat(x: i32) -> Self {
        // SAFETY: see the type.
        Self([unsafe { _mm256_set1_epi32(x) }; 2])
    }

    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: see the type; the words are there by the contract.
        Self(unsafe { [_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.add(8).cast())] })
    }

    #[inline(always)]
    fn store(self, to: &mut [u32]) {
        let to = &mut to[..16];
        for (half, to) in self.0.into_iter().zip(to.chunks_exact_mut(8)) {
            // SAFETY: see the type; the slice holds eight words.
            unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), half) };
        }
    }

    #[inline(always)]
    fn store_signed(self, to: &mut [i32]) {
        let to = &mut to[..16];
        for (half, to) in self.0.into_iter().zip(to.chunks_exact_mut(8)) {
            // SAFETY: see the type; the slice holds eight integers.
            unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), half) };
        }
    }

    #[inline(always)]
    fn load_bytes(from: &[i8]) -> Self {
        let from = &from[..16];
        // SAFETY: see the type; the slice holds sixteen bytes.
        Self(unsafe {
            let bytes = _mm_loadu_si128(from.as_ptr().cast());
            [_mm256_cvtepi8_epi32(bytes), _mm256_cvtepi8_epi32(_mm_srli_si128::<8>(bytes))]
        })
    }

    #[inline(always)]
    fn store_bytes(self, to: &mut [i8]) {
        let mut words = [0; 16];
        self.store(&mut words);
        to[..16].copy_from_slice(&words.map(|x| x as i8));
    }

    #[inline(always)]
    fn dot_bytes(self, a: Self, b: Self) -> Self {
        both!(_mm256_dpbusd_avx_epi32(self, a, b))
    }

    #[inline(always)]
    fn dot_halves(self, a: Self, b: Self) -> Self {
        both!(_mm256_dpwssd_avx_epi32(self, a, b))
    }

    #[inline(always)]
    fn scaled(self, factor: f32, addend: f32) -> Self {
        // SAFETY: see the type.
        unsafe {
            let (factor, addend) = (_mm256_set1_ps(factor), _mm256_set1_ps(addend));
            let [x, y] = [_mm256_cvtepi32_ps(self.0[0]), _mm256_cvtepi32_ps(self.0[1])];
            Self([
                _mm256_cvtps_epi32(_mm256_fmadd_ps(x, factor, addend)),
                _mm256_cvtps_epi32(_mm256_fmadd_ps(y, factor, addend)),
            ])
        }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        both!(_mm256_add_epi32(self, other))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        both!(_mm256_xor_si256(self, other))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        both!(_mm256_and_si256(self, other))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        both!(_mm256_or_si256(self, other))
    }

    #[inline(always)]
    fn shift_left<const N: u32>(self) -> Self {
        // SAFETY: see the type.
        unsafe {
            let count = _mm_cvtsi32_si128(N as i32);
            Self([_mm256_sll_epi32(self.0[0], count), _mm256_sll_epi32(self.0[1], count)])
        }
    }

    #[inline(always)]
    fn shift_right<const N: u32>(self) -> Self {
        // SAFETY: see the type.
        unsafe {
            let count = _mm_cvtsi32_si128(N as i32);
            Self([_mm256_sra_epi32(self.0[0], count), _mm256_sra_epi32(self.0[1], count)])
        }
    }

    #[inline(always)]
    fn add_halves(self, other: Self) -> Self {
        both!(_mm256_add_epi16(self, other))
    }

    #[inline(always)]
    fn sub_halves(self, other: Self) -> Self {
        both!(_mm256_sub_epi16(self, other))
    }

    #[inline(always)]
    fn balance_halves(self, highest: Self, m: Self) -> Self {
        let lowest = Self::splat(0).sub_halves(highest);
        let above = both!(_mm256_cmpgt_epi16(self, highest));
        let below = both!(_mm256_cmpgt_epi16(lowest, self));
        self.sub_halves(above.and(m)).add_halves(below.and(m))
    }

    #[inline(always)]
    fn add_bytes(self, other: Self) -> Self {
        both!(_mm256_add_epi8(self, other))
    }

    #[inline(always)]
    fn sub_bytes_modulo(self, other: Self, m: Self) -> Self {
        let difference = both!(_mm256_sub_epi8(self, other));
        // All bits where `self` is not less.
        let largest = both!(_mm256_max_epu8(self, other));
        let not_less = both!(_mm256_cmpeq_epi8(largest, self));
        let more = both!(_mm256_andnot_si256(not_less, m));
        both!(_mm256_add_epi8(difference, more))
    }

    #[inline(always)]
    fn sub_bytes_above(self, highest: Self, m: Self) -> Self {
        let smallest = both!(_mm256_min_epu8(self, highest));
        let not_above = both!(_mm256_cmpeq_epi8(smallest, self));
        let off = both!(_mm256_andnot_si256(not_above, m));
        both!(_mm256_sub_epi8(self, off))
    }
}
