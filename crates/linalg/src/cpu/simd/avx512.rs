//! AVX-512: eight numbers in a register.

// Intrinsics are unsafe to call from functions without their target feature; see the SAFETY argument on the type.
#![allow(unsafe_code)]

use core::arch::x86_64::*;
use core::ops::{Add, Div, Mul, Neg, Sub};

use nonius_num::Lane;

use super::Kernel;

/// Runs a kernel compiled with this level's instructions.
///
/// # Safety
/// The processor must have them.
#[target_feature(enable = "avx512f,avx512dq,avx2,fma")]
pub(super) unsafe fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<F64x8>()
}

/// Eight `f64`.
///
/// SAFETY of every intrinsic below: values of this type come into being only inside [`run`], which is entered only
/// on processors with AVX-512 F and DQ; the type does not leave this module except as the parameter of a kernel.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct F64x8(__m512d);

macro_rules! operators {
    ($($operator:ident $method:ident $intrinsic:ident;)*) => {$(
        impl $operator for F64x8 {
            type Output = Self;

            #[inline(always)]
            fn $method(self, y: Self) -> Self {
                // SAFETY: see the type.
                Self(unsafe { $intrinsic(self.0, y.0) })
            }
        }
    )*};
}

operators! {
    Add add _mm512_add_pd;
    Sub sub _mm512_sub_pd;
    Mul mul _mm512_mul_pd;
    Div div _mm512_div_pd;
}

impl Neg for F64x8 {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_xor_pd(self.0, _mm512_set1_pd(-0.0)) })
    }
}

impl Lane for F64x8 {
    type Mask = __mmask8;
    const LANES: usize = 8;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_set1_pd(x) })
    }

    #[inline(always)]
    fn from_fn(f: impl FnMut(usize) -> f64) -> Self {
        let lanes: [f64; 8] = core::array::from_fn(f);
        // SAFETY: see the type; the array holds eight numbers.
        Self(unsafe { _mm512_loadu_pd(lanes.as_ptr()) })
    }

    #[inline(always)]
    fn lane(self, i: usize) -> f64 {
        let mut lanes = [0.0; 8];
        // SAFETY: see the type; the array holds eight numbers.
        unsafe { _mm512_storeu_pd(lanes.as_mut_ptr(), self.0) };
        lanes[i]
    }

    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        let from = &from[..8];
        // SAFETY: see the type; the slice holds eight numbers.
        Self(unsafe { _mm512_loadu_pd(from.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        let to = &mut to[..8];
        // SAFETY: see the type; the slice holds eight numbers.
        unsafe { _mm512_storeu_pd(to.as_mut_ptr(), self.0) };
    }

    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_fmadd_pd(self.0, b.0, c.0) })
    }

    /// Five instructions for six: once the terms are ordered by magnitude, which takes two, the error is FastTwoSum's (Dekker 1971).
    ///
    /// An exact error has one value, and both forms give `+0` where it is zero. They differ only where no exact error
    /// exists (an overflow, an infinity), or where a term is the largest finite number and Knuth's form overflows on the way
    /// (Boldo, Graillat, Muller, *On the robustness of the 2Sum and Fast2Sum algorithms*, 2017).
    #[inline(always)]
    fn two_sum(a: Self, b: Self) -> (Self, Self) {
        let s = a + b;
        // SAFETY: see the type. The constants ask for the greater and the smaller magnitude with its own sign.
        let (large, small) = unsafe {
            (Self(_mm512_range_pd::<0b0111>(a.0, b.0)), Self(_mm512_range_pd::<0b0110>(a.0, b.0)))
        };
        (s, (large - s) + small)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_sqrt_pd(self.0) })
    }

    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_abs_pd(self.0) })
    }

    #[inline(always)]
    fn less(a: Self, b: Self) -> __mmask8 {
        // SAFETY: see the type.
        unsafe { _mm512_cmp_pd_mask::<_CMP_LT_OQ>(a.0, b.0) }
    }

    #[inline(always)]
    fn equal(a: Self, b: Self) -> __mmask8 {
        // SAFETY: see the type.
        unsafe { _mm512_cmp_pd_mask::<_CMP_EQ_OQ>(a.0, b.0) }
    }

    #[inline(always)]
    fn select(mask: __mmask8, a: Self, b: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_mask_blend_pd(mask, b.0, a.0) })
    }

    #[inline(always)]
    fn all(mask: __mmask8) -> bool {
        mask == 0xff
    }

    #[inline(always)]
    fn exp2_integer(k: Self) -> Self {
        // Adding 2^52 + 2^51 + 1023 leaves k + 1023 in the low bits of the sum's significand.
        const ANCHOR: f64 = 6_755_399_441_055_744.0 + 1023.0;
        // SAFETY: see the type.
        Self(unsafe {
            let biased = _mm512_castpd_si512(_mm512_add_pd(k.0, _mm512_set1_pd(ANCHOR)));
            _mm512_castsi512_pd(_mm512_slli_epi64::<52>(biased))
        })
    }

    #[inline(always)]
    fn exponent(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_getexp_pd(self.0) })
    }

    #[inline(always)]
    fn look_up(self, table: &[f64]) -> Self {
        Self::from_fn(|i| table[self.lane(i) as usize])
    }
}
