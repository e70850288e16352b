//! AVX-512: sixteen `f32`, and `f64`s beside them.

// Intrinsics are unsafe to call from functions without their target feature; see the SAFETY
// argument on the types.
#![allow(unsafe_code)]

use core::arch::x86_64::*;
use core::ops::{Add, Div, Mul, Neg, Sub};

use nonius_num::Lane;

use super::avx512::F64x8;
use super::real::{Narrow, Pair, Real, RealKernel, Registers, each};

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

/// Three of four columns of pairs of rows: a register has a pair of rows in each of its quarters,
/// for a column each.
#[inline(always)]
fn columns(pairs: [__m512d; 4]) -> [__m512d; 3] {
    // SAFETY: see `F64x8`, from which these come.
    unsafe {
        let left = [
            _mm512_shuffle_f64x2::<0x44>(pairs[0], pairs[1]),
            _mm512_shuffle_f64x2::<0x44>(pairs[2], pairs[3]),
        ];
        let right = [
            _mm512_shuffle_f64x2::<0xee>(pairs[0], pairs[1]),
            _mm512_shuffle_f64x2::<0xee>(pairs[2], pairs[3]),
        ];
        [
            _mm512_shuffle_f64x2::<0x88>(left[0], left[1]),
            _mm512_shuffle_f64x2::<0xdd>(left[0], left[1]),
            _mm512_shuffle_f64x2::<0x88>(right[0], right[1]),
        ]
    }
}

/// Adds the first or the second half of a register to a row.
#[inline(always)]
fn add_row(row: &mut [f64; 4], x: __m512d, is_second: bool) {
    // SAFETY: see `F64x8`, from which these come; a row holds four numbers.
    unsafe {
        let half =
            if is_second { _mm512_extractf64x4_pd::<1>(x) } else { _mm512_castpd512_pd256(x) };
        let sum = _mm256_add_pd(_mm256_loadu_pd(row.as_ptr()), half);
        _mm256_storeu_pd(row.as_mut_ptr(), sum);
    }
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
    fn rows(table: &[[f64; 8]], at: &[u16]) -> [Self; 6] {
        let at = &at[..8];
        // SAFETY: as of the type; a row holds eight numbers.
        unsafe {
            let load = [
                _mm512_loadu_pd(table[usize::from(at[0])].as_ptr()),
                _mm512_loadu_pd(table[usize::from(at[1])].as_ptr()),
                _mm512_loadu_pd(table[usize::from(at[2])].as_ptr()),
                _mm512_loadu_pd(table[usize::from(at[3])].as_ptr()),
                _mm512_loadu_pd(table[usize::from(at[4])].as_ptr()),
                _mm512_loadu_pd(table[usize::from(at[5])].as_ptr()),
                _mm512_loadu_pd(table[usize::from(at[6])].as_ptr()),
                _mm512_loadu_pd(table[usize::from(at[7])].as_ptr()),
            ];
            // Of two rows the even and the odd columns, of four rows two columns each, of eight
            // one.
            let even = [
                _mm512_unpacklo_pd(load[0], load[1]),
                _mm512_unpacklo_pd(load[2], load[3]),
                _mm512_unpacklo_pd(load[4], load[5]),
                _mm512_unpacklo_pd(load[6], load[7]),
            ];
            let odd = [
                _mm512_unpackhi_pd(load[0], load[1]),
                _mm512_unpackhi_pd(load[2], load[3]),
                _mm512_unpackhi_pd(load[4], load[5]),
                _mm512_unpackhi_pd(load[6], load[7]),
            ];
            let [c0, c2, c4] = columns(even);
            let [c1, c3, c5] = columns(odd);
            [Self(c0), Self(c1), Self(c2), Self(c3), Self(c4), Self(c5)]
        }
    }
    #[inline(always)]
    fn add_to_rows(x: [Self; 3], table: &mut [[f64; 4]], at: &[u16]) {
        let at = &at[..8];
        // SAFETY: as of the type.
        let rows = unsafe {
            let zero = _mm512_setzero_pd();
            let first = [_mm512_unpacklo_pd(x[0].0, x[1].0), _mm512_unpacklo_pd(x[2].0, zero)];
            let second = [_mm512_unpackhi_pd(x[0].0, x[1].0), _mm512_unpackhi_pd(x[2].0, zero)];
            let low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
            let high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
            [
                _mm512_permutex2var_pd(first[0], low, first[1]),
                _mm512_permutex2var_pd(second[0], low, second[1]),
                _mm512_permutex2var_pd(first[0], high, first[1]),
                _mm512_permutex2var_pd(second[0], high, second[1]),
            ]
        };
        add_row(&mut table[usize::from(at[0])], rows[0], false);
        add_row(&mut table[usize::from(at[1])], rows[1], false);
        add_row(&mut table[usize::from(at[2])], rows[0], true);
        add_row(&mut table[usize::from(at[3])], rows[1], true);
        add_row(&mut table[usize::from(at[4])], rows[2], false);
        add_row(&mut table[usize::from(at[5])], rows[3], false);
        add_row(&mut table[usize::from(at[6])], rows[2], true);
        add_row(&mut table[usize::from(at[7])], rows[3], true);
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
/// SAFETY of every intrinsic below: values of this type come into being only inside [`run`], which
/// is entered only on processors with AVX-512 F and DQ.
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
    fn rows(table: &[[f32; 8]], at: &[u16]) -> [Self; 6] {
        let mut columns = [[0.0; 16]; 6];
        for (lane, &at) in at[..16].iter().enumerate() {
            let row = &table[usize::from(at)];
            for k in 0..6 {
                columns[k][lane] = row[k];
            }
        }
        each!(6, K => Real::load(&columns[K]))
    }
    #[inline(always)]
    fn add_to_rows(x: [Self; 3], table: &mut [[f32; 4]], at: &[u16]) {
        let mut columns = [[0.0; 16]; 3];
        for (column, x) in columns.iter_mut().zip(x) {
            Real::store(x, column);
        }
        for (lane, &at) in at[..16].iter().enumerate() {
            let row = &mut table[usize::from(at)];
            for (row, column) in row.iter_mut().zip(&columns) {
                *row += column[lane];
            }
        }
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
