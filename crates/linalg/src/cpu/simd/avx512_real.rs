//! AVX-512: sixteen `f32`, and `f64`s beside them.

// Intrinsics are unsafe to call from functions without their target feature; see the SAFETY argument on the types.
#![allow(unsafe_code)]

use core::arch::x86_64::*;
use core::ops::{Add, Div, Mul, Neg, Sub};

use nonius_num::Lane;

use super::avx512::F64x8;
use super::real::{Narrow, Pair, Real, RealKernel, Registers};

/// Runs a kernel compiled with this level's instructions.
///
/// # Safety
/// The processor must have them.
#[target_feature(enable = "avx512f,avx512dq,avx2,fma")]
pub(super) unsafe fn run<K: RealKernel>(kernel: K) -> K::Output {
    kernel.run::<Avx512>()
}

/// The registers.
pub(super) struct Avx512;

impl Registers for Avx512 {
    type Double = F64x8;
    type Single = F32x16;
    type Wide = Pair<F64x8>;
}

impl Real for F64x8 {
    type Number = f64;
    type Lane = Self;
    const LANES: usize = 8;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Lane::splat(x)
    }
    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        Lane::load(from)
    }
    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        Lane::store(self, to);
    }
    #[inline(always)]
    fn gather(table: &[f64], at: &[u16]) -> Self {
        let at = &at[..8];
        // SAFETY: as of the type; the slice holds eight indices, which are all inside the table when it is read.
        Self(unsafe {
            let at = _mm512_cvtepu16_epi64(_mm_loadu_si128(at.as_ptr().cast()));
            let length = _mm512_set1_epi64(table.len() as i64);
            assert!(_mm512_cmplt_epu64_mask(at, length) == 0xff, "index outside the table");
            _mm512_i64gather_pd::<8>(at, table.as_ptr())
        })
    }
    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        Lane::mul_add(self, b, c)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Lane::sqrt(self)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Lane::abs(self)
    }
    #[inline(always)]
    fn without_tiny(self, least: f64) -> Self {
        // SAFETY: see the type.
        Self(unsafe {
            let keep =
                _mm512_cmp_pd_mask::<_CMP_NLT_UQ>(_mm512_abs_pd(self.0), _mm512_set1_pd(least));
            _mm512_maskz_mov_pd(keep, self.0)
        })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_max_pd(self.0, other.0) })
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_min_pd(self.0, other.0) })
    }
}

/// Sixteen `f32`.
///
/// SAFETY of every intrinsic below: values of this type come into being only inside [`run`], which is entered only
/// on processors with AVX-512 F and DQ.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct F32x16(__m512);

macro_rules! operators {
    ($($operator:ident $method:ident $intrinsic:ident;)*) => {$(
        impl $operator for F32x16 {
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
    Add add _mm512_add_ps;
    Sub sub _mm512_sub_ps;
    Mul mul _mm512_mul_ps;
    Div div _mm512_div_ps;
}

impl Neg for F32x16 {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_xor_ps(self.0, _mm512_set1_ps(-0.0)) })
    }
}

impl Real for F32x16 {
    type Number = f32;
    type Lane = F64x8;
    const LANES: usize = 16;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_set1_ps(x as f32) })
    }
    #[inline(always)]
    fn load(from: &[f32]) -> Self {
        let from = &from[..16];
        // SAFETY: see the type; the slice holds sixteen numbers.
        Self(unsafe { _mm512_loadu_ps(from.as_ptr()) })
    }
    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        let to = &mut to[..16];
        // SAFETY: see the type; the slice holds sixteen numbers.
        unsafe { _mm512_storeu_ps(to.as_mut_ptr(), self.0) };
    }
    #[inline(always)]
    fn gather(table: &[f32], at: &[u16]) -> Self {
        let at = &at[..16];
        // SAFETY: see the type; the slice holds sixteen indices, which are all inside the table when it is read.
        Self(unsafe {
            let at = _mm512_cvtepu16_epi32(_mm256_loadu_si256(at.as_ptr().cast()));
            let length = _mm512_set1_epi32(table.len().min(1 << 16) as i32);
            assert!(_mm512_cmplt_epu32_mask(at, length) == 0xffff, "index outside the table");
            _mm512_i32gather_ps::<4>(at, table.as_ptr())
        })
    }
    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_fmadd_ps(self.0, b.0, c.0) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_sqrt_ps(self.0) })
    }
    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_abs_ps(self.0) })
    }
    #[inline(always)]
    fn without_tiny(self, least: f64) -> Self {
        // SAFETY: see the type.
        Self(unsafe {
            let keep = _mm512_cmp_ps_mask::<_CMP_NLT_UQ>(
                _mm512_abs_ps(self.0),
                _mm512_set1_ps(least as f32),
            );
            _mm512_maskz_mov_ps(keep, self.0)
        })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_max_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_min_ps(self.0, other.0) })
    }
}

impl Narrow<F32x16> for Pair<F64x8> {
    #[inline(always)]
    fn narrow(self) -> F32x16 {
        let [a, b] = self.0;
        // SAFETY: see the type.
        F32x16(unsafe {
            let low = _mm512_castps256_ps512(_mm512_cvtpd_ps(a.0));
            _mm512_insertf32x8::<1>(low, _mm512_cvtpd_ps(b.0))
        })
    }
    #[inline(always)]
    fn widen(x: F32x16) -> Self {
        // SAFETY: see the type.
        unsafe {
            let low = _mm512_cvtps_pd(_mm512_castps512_ps256(x.0));
            let high = _mm512_cvtps_pd(_mm512_extractf32x8_ps::<1>(x.0));
            Self([F64x8(low), F64x8(high)])
        }
    }
}
