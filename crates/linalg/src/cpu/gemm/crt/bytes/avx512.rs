//! The registers of AVX-512 VNNI.

// Intrinsics are unsafe to call from functions without their target feature; see the SAFETY
// arguments on the type.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::words::{Kernel, Words};

/// Runs a kernel compiled with these instructions.
///
/// # Safety
/// The processor must have them.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) unsafe fn run(kernel: impl Kernel) {
    kernel.run::<Whole>();
}

/// A register of AVX-512.
///
/// SAFETY of every intrinsic below: values of this type come into being only inside [`run`], which
/// is entered only on processors that have the instructions.
#[derive(Clone, Copy)]
pub(super) struct Whole(__m512i);

impl Words for Whole {
    const COLUMNS: usize = 8;
    const GROUPS: usize = 2;

    #[inline(always)]
    fn splat(x: i32) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_set1_epi32(x) })
    }

    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: see the type; the words are there by the contract.
        Self(unsafe { _mm512_loadu_si512(from.cast()) })
    }

    #[inline(always)]
    fn store(self, to: &mut [u32]) {
        let to = &mut to[..16];
        // SAFETY: see the type; the slice holds sixteen words.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), self.0) };
    }

    #[inline(always)]
    fn store_past(self, to: &mut [u32]) {
        let to = &mut to[..16];
        if !to.as_ptr().cast::<__m512i>().is_aligned() {
            return self.store(to);
        }
        // SAFETY: see the type; the slice holds sixteen words and is aligned.
        unsafe { _mm512_stream_si512(to.as_mut_ptr().cast(), self.0) };
    }

    #[inline(always)]
    fn after_stores_past() {
        // SAFETY: see the type.
        unsafe { _mm_sfence() };
    }

    #[inline(always)]
    fn store_signed(self, to: &mut [i32]) {
        let to = &mut to[..16];
        // SAFETY: see the type; the slice holds sixteen integers.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), self.0) };
    }

    #[inline(always)]
    fn load_bytes(from: &[i8]) -> Self {
        let from = &from[..16];
        // SAFETY: see the type; the slice holds sixteen bytes.
        Self(unsafe { _mm512_cvtepi8_epi32(_mm_loadu_si128(from.as_ptr().cast())) })
    }

    #[inline(always)]
    fn store_bytes(self, to: &mut [i8]) {
        let to = &mut to[..16];
        // SAFETY: see the type; the slice holds sixteen bytes.
        unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), _mm512_cvtepi32_epi8(self.0)) };
    }

    #[inline(always)]
    fn dot_bytes(self, a: Self, b: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_dpbusd_epi32(self.0, a.0, b.0) })
    }

    #[inline(always)]
    fn dot_halves(self, a: Self, b: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_dpwssd_epi32(self.0, a.0, b.0) })
    }

    #[inline(always)]
    fn scaled(self, factor: f32, addend: f32) -> Self {
        // SAFETY: see the type.
        Self(unsafe {
            let (factor, addend) = (_mm512_set1_ps(factor), _mm512_set1_ps(addend));
            _mm512_cvtps_epi32(_mm512_fmadd_ps(_mm512_cvtepi32_ps(self.0), factor, addend))
        })
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_add_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_xor_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_and_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_or_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn shift_left<const N: u32>(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_slli_epi32::<N>(self.0) })
    }

    #[inline(always)]
    fn shift_right<const N: u32>(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_srai_epi32::<N>(self.0) })
    }

    #[inline(always)]
    fn add_halves(self, other: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_add_epi16(self.0, other.0) })
    }

    #[inline(always)]
    fn sub_halves(self, other: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_sub_epi16(self.0, other.0) })
    }

    #[inline(always)]
    fn balance_halves(self, highest: Self, m: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe {
            let lowest = _mm512_sub_epi16(_mm512_setzero_si512(), highest.0);
            let above = _mm512_cmpgt_epi16_mask(self.0, highest.0);
            let below = _mm512_cmplt_epi16_mask(self.0, lowest);
            let x = _mm512_mask_sub_epi16(self.0, above, self.0, m.0);
            _mm512_mask_add_epi16(x, below, x, m.0)
        })
    }

    #[inline(always)]
    fn add_bytes(self, other: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_add_epi8(self.0, other.0) })
    }

    #[inline(always)]
    fn sub_bytes_modulo(self, other: Self, m: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe {
            let difference = _mm512_sub_epi8(self.0, other.0);
            let less = _mm512_cmplt_epu8_mask(self.0, other.0);
            _mm512_mask_add_epi8(difference, less, difference, m.0)
        })
    }

    #[inline(always)]
    fn sub_bytes_above(self, highest: Self, m: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe {
            let above = _mm512_cmpgt_epu8_mask(self.0, highest.0);
            _mm512_mask_sub_epi8(self.0, above, self.0, m.0)
        })
    }
}
