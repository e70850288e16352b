//! AVX2 with FMA: eight `f32`, and `f64`s beside them.

// Intrinsics are unsafe to call from functions without their target feature; see the SAFETY
// argument on the types.
#![allow(unsafe_code)]

use core::arch::x86_64::*;
use core::ops::{Add, Div, Mul, Neg, Sub};

use nonius_num::Lane;

use super::avx2::F64x4;
use super::real::{Narrow, Pair, Real, RealKernel, Registers, each};

/// Runs a kernel compiled with this level's instructions.
///
/// # Safety
/// The processor must have them.
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn run<K: RealKernel>(kernel: K) -> K::Output {
    kernel.run::<Avx2>()
}

/// The registers.
pub(super) struct Avx2;

impl Registers for Avx2 {
    type Double = F64x4;
    type Single = F32x8;
    type Wide = Pair<F64x4>;
}

impl Real for F64x4 {
    type Number = f64;
    type Lane = Self;
    const LANES: usize = 4;

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
    fn rows(table: &[[f64; 8]], at: &[u16]) -> [Self; 6] {
        let mut columns = [[0.0; 4]; 6];
        for (lane, &at) in at[..4].iter().enumerate() {
            let row = &table[usize::from(at)];
            for k in 0..6 {
                columns[k][lane] = row[k];
            }
        }
        each!(6, K => Real::load(&columns[K]))
    }
    #[inline(always)]
    fn add_to_rows(x: [Self; 3], table: &mut [[f64; 4]], at: &[u16]) {
        let mut columns = [[0.0; 4]; 3];
        for (column, x) in columns.iter_mut().zip(x) {
            Real::store(x, column);
        }
        for (lane, &at) in at[..4].iter().enumerate() {
            let row = &mut table[usize::from(at)];
            for (row, column) in row.iter_mut().zip(&columns) {
                *row += column[lane];
            }
        }
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
            let magnitude = _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0);
            _mm256_and_pd(_mm256_cmp_pd::<_CMP_NLT_UQ>(magnitude, _mm256_set1_pd(least)), self.0)
        })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_max_pd(self.0, other.0) })
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_min_pd(self.0, other.0) })
    }
}

/// Eight `f32`.
///
/// SAFETY of every intrinsic below: values of this type come into being only inside [`run`], which
/// is entered only on processors with AVX2 and FMA.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct F32x8(__m256);

macro_rules! operators {
    ($($operator:ident $method:ident $intrinsic:ident;)*) => {$(
        impl $operator for F32x8 {
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
    Add add _mm256_add_ps;
    Sub sub _mm256_sub_ps;
    Mul mul _mm256_mul_ps;
    Div div _mm256_div_ps;
}

impl Neg for F32x8 {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_xor_ps(self.0, _mm256_set1_ps(-0.0)) })
    }
}

impl Real for F32x8 {
    type Number = f32;
    type Lane = F64x4;
    const LANES: usize = 8;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_set1_ps(x as f32) })
    }
    #[inline(always)]
    fn load(from: &[f32]) -> Self {
        let from = &from[..8];
        // SAFETY: see the type; the slice holds eight numbers.
        Self(unsafe { _mm256_loadu_ps(from.as_ptr()) })
    }
    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        let to = &mut to[..8];
        // SAFETY: see the type; the slice holds eight numbers.
        unsafe { _mm256_storeu_ps(to.as_mut_ptr(), self.0) };
    }
    #[inline(always)]
    fn rows(table: &[[f32; 8]], at: &[u16]) -> [Self; 6] {
        let mut columns = [[0.0; 8]; 6];
        for (lane, &at) in at[..8].iter().enumerate() {
            let row = &table[usize::from(at)];
            for k in 0..6 {
                columns[k][lane] = row[k];
            }
        }
        each!(6, K => Real::load(&columns[K]))
    }
    #[inline(always)]
    fn add_to_rows(x: [Self; 3], table: &mut [[f32; 4]], at: &[u16]) {
        let mut columns = [[0.0; 8]; 3];
        for (column, x) in columns.iter_mut().zip(x) {
            Real::store(x, column);
        }
        for (lane, &at) in at[..8].iter().enumerate() {
            let row = &mut table[usize::from(at)];
            for (row, column) in row.iter_mut().zip(&columns) {
                *row += column[lane];
            }
        }
    }
    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_fmadd_ps(self.0, b.0, c.0) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_sqrt_ps(self.0) })
    }
    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0) })
    }
    #[inline(always)]
    fn without_tiny(self, least: f64) -> Self {
        // SAFETY: see the type.
        Self(unsafe {
            let magnitude = _mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0);
            _mm256_and_ps(
                _mm256_cmp_ps::<_CMP_NLT_UQ>(magnitude, _mm256_set1_ps(least as f32)),
                self.0,
            )
        })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_max_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_min_ps(self.0, other.0) })
    }
}

impl Narrow<F32x8> for Pair<F64x4> {
    #[inline(always)]
    fn narrow(self) -> F32x8 {
        let [a, b] = self.0;
        // SAFETY: see the type.
        F32x8(unsafe { _mm256_set_m128(_mm256_cvtpd_ps(b.0), _mm256_cvtpd_ps(a.0)) })
    }
    #[inline(always)]
    fn widen(x: F32x8) -> Self {
        // SAFETY: see the type.
        unsafe {
            let low = _mm256_cvtps_pd(_mm256_castps256_ps128(x.0));
            let high = _mm256_cvtps_pd(_mm256_extractf128_ps::<1>(x.0));
            Self([F64x4(low), F64x4(high)])
        }
    }
}
