//! AVX2 with FMA: four numbers in a register.

// Intrinsics are unsafe to call from functions without their target feature; see the SAFETY
// argument on the type.
#![allow(unsafe_code)]

use core::arch::x86_64::*;
use core::ops::{Add, Div, Mul, Neg, Sub};

use nonius_num::Lane;

use super::kernel::Kernel;

/// Runs a kernel compiled with this level's instructions.
///
/// # Safety
/// The processor must have them.
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<F64x4>()
}

/// Four `f64`.
///
/// SAFETY of every intrinsic below: values of this type come into being only inside [`run`], which
/// is entered only on processors with AVX2 and FMA; the type does not leave this module except as
/// the parameter of a kernel.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct F64x4(pub(super) __m256d);

macro_rules! operators {
    ($($operator:ident $method:ident $intrinsic:ident;)*) => {$(
        impl $operator for F64x4 {
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
    Add add _mm256_add_pd;
    Sub sub _mm256_sub_pd;
    Mul mul _mm256_mul_pd;
    Div div _mm256_div_pd;
}

impl Neg for F64x4 {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_xor_pd(self.0, _mm256_set1_pd(-0.0)) })
    }
}

impl Lane for F64x4 {
    type Mask = __m256d;
    const LANES: usize = 4;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_set1_pd(x) })
    }

    #[inline(always)]
    fn from_fn(f: impl FnMut(usize) -> f64) -> Self {
        let lanes: [f64; 4] = core::array::from_fn(f);
        // SAFETY: see the type; the array holds four numbers.
        Self(unsafe { _mm256_loadu_pd(lanes.as_ptr()) })
    }

    #[inline(always)]
    fn lane(self, i: usize) -> f64 {
        let mut lanes = [0.0; 4];
        // SAFETY: see the type; the array holds four numbers.
        unsafe { _mm256_storeu_pd(lanes.as_mut_ptr(), self.0) };
        lanes[i]
    }

    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        let from = &from[..4];
        // SAFETY: see the type; the slice holds four numbers.
        Self(unsafe { _mm256_loadu_pd(from.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        let to = &mut to[..4];
        // SAFETY: see the type; the slice holds four numbers.
        unsafe { _mm256_storeu_pd(to.as_mut_ptr(), self.0) };
    }

    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_fmadd_pd(self.0, b.0, c.0) })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_sqrt_pd(self.0) })
    }

    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0) })
    }

    #[inline(always)]
    fn less(a: Self, b: Self) -> __m256d {
        // SAFETY: see the type.
        unsafe { _mm256_cmp_pd::<_CMP_LT_OQ>(a.0, b.0) }
    }

    #[inline(always)]
    fn equal(a: Self, b: Self) -> __m256d {
        // SAFETY: see the type.
        unsafe { _mm256_cmp_pd::<_CMP_EQ_OQ>(a.0, b.0) }
    }

    #[inline(always)]
    fn select(mask: __m256d, a: Self, b: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_blendv_pd(b.0, a.0, mask) })
    }

    #[inline(always)]
    fn all(mask: __m256d) -> bool {
        // SAFETY: see the type.
        unsafe { _mm256_movemask_pd(mask) == 0xf }
    }

    #[inline(always)]
    fn exp2_integer(k: Self) -> Self {
        // Adding 2^52 + 2^51 + 1023 leaves k + 1023 in the low bits of the sum's significand.
        const ANCHOR: f64 = 6_755_399_441_055_744.0 + 1023.0;
        // SAFETY: see the type.
        Self(unsafe {
            let biased = _mm256_castpd_si256(_mm256_add_pd(k.0, _mm256_set1_pd(ANCHOR)));
            _mm256_castsi256_pd(_mm256_slli_epi64::<52>(biased))
        })
    }

    #[inline(always)]
    fn exponent(self) -> Self {
        // The biased exponent, put below the bits of 2^52, reads as 2^52 + exponent + 1023.
        const ANCHOR: f64 = 4_503_599_627_370_496.0;
        // SAFETY: see the type.
        Self(unsafe {
            let bits = _mm256_castpd_si256(Self::abs(self).0);
            let biased = _mm256_castsi256_pd(_mm256_or_si256(
                _mm256_srli_epi64::<52>(bits),
                _mm256_castpd_si256(_mm256_set1_pd(ANCHOR)),
            ));
            _mm256_sub_pd(biased, _mm256_set1_pd(ANCHOR + 1023.0))
        })
    }

    #[inline(always)]
    fn look_up(self, table: &[f64]) -> Self {
        let length = table.len().min(i32::MAX as usize) as i32;
        // SAFETY: see the type; NaN, negative and large indices convert to negative numbers, so
        // that every lane of `inside` is set only where 0 <= index < length, and the gather reads
        // inside the table.
        unsafe {
            let index = _mm256_cvttpd_epi32(self.0);
            let below = _mm_cmplt_epi32(index, _mm_set1_epi32(length));
            let inside = _mm_andnot_si128(_mm_srai_epi32::<31>(index), below);
            assert!(_mm_movemask_epi8(inside) == 0xffff, "index outside the table");
            Self(_mm256_i32gather_pd::<8>(table.as_ptr(), index))
        }
    }

    #[inline(always)]
    fn load_integers(from: &[i32]) -> Self {
        let from = &from[..4];
        // SAFETY: see the type; the slice holds four integers.
        Self(unsafe { _mm256_cvtepi32_pd(_mm_loadu_si128(from.as_ptr().cast())) })
    }

    #[inline(always)]
    fn load_limbs<const N: usize>(from: &[f64]) -> [Self; N] {
        let from = &from[..4 * N];
        let mut limbs = [Self::splat(0.0); N];
        for (i, limb) in limbs.iter_mut().enumerate() {
            *limb = Self::load(&from[4 * i..]);
        }
        match N {
            2 => {
                let [even, odd] = halves(limbs[0], limbs[1]);
                [limbs[0], limbs[1]] = unpack(even, odd);
            }
            3 => {
                let [a, b, c] = rotate([limbs[0], limbs[1], limbs[2]]);
                [limbs[0], limbs[1], limbs[2]] = reorder([a, b, c]);
            }
            4 => transpose(&mut limbs),
            _ => {}
        }
        limbs
    }

    #[inline(always)]
    fn store_limbs<const N: usize>(limbs: [Self; N], to: &mut [f64]) {
        let to = &mut to[..4 * N];
        let mut numbers = limbs;
        match N {
            2 => {
                let [even, odd] = unpack(limbs[0], limbs[1]);
                [numbers[0], numbers[1]] = halves(even, odd);
            }
            3 => {
                let [a, b, c] = reorder([limbs[0], limbs[1], limbs[2]]);
                [numbers[2], numbers[1], numbers[0]] = rotate([c, b, a]);
            }
            4 => transpose(&mut numbers),
            _ => {}
        }
        for (i, number) in numbers.into_iter().enumerate() {
            number.store(&mut to[4 * i..]);
        }
    }
}

/// The first halves of `a` and `b` in one register, the second halves in another.
#[inline(always)]
fn halves(a: F64x4, b: F64x4) -> [F64x4; 2] {
    // SAFETY: see the type.
    unsafe {
        [
            F64x4(_mm256_permute2f128_pd::<0x20>(a.0, b.0)),
            F64x4(_mm256_permute2f128_pd::<0x31>(a.0, b.0)),
        ]
    }
}

/// `a0 b0 a2 b2` and `a1 b1 a3 b3`.
#[inline(always)]
fn unpack(a: F64x4, b: F64x4) -> [F64x4; 2] {
    // SAFETY: see the type.
    unsafe { [F64x4(_mm256_unpacklo_pd(a.0, b.0)), F64x4(_mm256_unpackhi_pd(a.0, b.0))] }
}

/// The transpose of the first four registers.
#[inline(always)]
fn transpose<const N: usize>(rows: &mut [F64x4; N]) {
    let [a, c] = unpack(rows[0], rows[1]);
    let [b, d] = unpack(rows[2], rows[3]);
    [rows[0], rows[2]] = halves(a, b);
    [rows[1], rows[3]] = halves(c, d);
}

/// From four three-limb numbers to registers of one limb each, the lanes in the order that
/// [`reorder`] undoes. With operands and results in reverse order, the inverse.
#[inline(always)]
fn rotate([a, b, c]: [F64x4; 3]) -> [F64x4; 3] {
    // SAFETY: see the type.
    unsafe {
        let mix = |x: F64x4, y: F64x4, z: F64x4| {
            // x0 y1 z2 x3
            F64x4(_mm256_blend_pd::<0b0100>(_mm256_blend_pd::<0b0010>(x.0, y.0), z.0))
        };
        [mix(a, c, b), mix(b, a, c), mix(c, b, a)]
    }
}

/// Exchanges lanes 1 and 3 of the first register, neighbours in the second, lanes 0 and 2 of the
/// third.
#[inline(always)]
fn reorder([a, b, c]: [F64x4; 3]) -> [F64x4; 3] {
    // SAFETY: see the type.
    unsafe {
        [
            F64x4(_mm256_permute4x64_pd::<0b01_10_11_00>(a.0)),
            F64x4(_mm256_permute4x64_pd::<0b10_11_00_01>(b.0)),
            F64x4(_mm256_permute4x64_pd::<0b11_00_01_10>(c.0)),
        ]
    }
}
