//! AVX-512: eight numbers in a register.

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
#[target_feature(enable = "avx512f,avx512dq,avx2,fma")]
pub(super) unsafe fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<F64x8>()
}

/// Eight `f64`.
///
/// SAFETY of every intrinsic below: values of this type come into being only inside [`run`], which
/// is entered only on processors with AVX-512 F and DQ; the type does not leave this module except
/// as the parameter of a kernel.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct F64x8(pub(super) __m512d);

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

    /// Five instructions for six: once the terms are ordered by magnitude, which takes two, the
    /// error is FastTwoSum's (Dekker 1971).
    ///
    /// An exact error has one value, and both forms give `+0` where it is zero. They differ only
    /// where no exact error exists (an overflow, an infinity), or where a term is the largest
    /// finite number and Knuth's form overflows on the way (Boldo, Graillat, Muller, *On the
    /// robustness of the 2Sum and Fast2Sum algorithms*, 2017).
    #[inline(always)]
    fn two_sum(a: Self, b: Self) -> (Self, Self) {
        let s = a + b;
        // SAFETY: see the type. The constants ask for the greater and the smaller magnitude with
        // its own sign.
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
    fn all_ordinary(self) -> bool {
        /// NaN (quiet, signalling), zeros, infinities.
        const OTHERS: i32 = 0x01 | 0x80 | 0x02 | 0x04 | 0x08 | 0x10;
        // SAFETY: see the type.
        unsafe { _mm512_fpclass_pd_mask::<OTHERS>(self.0) == 0 }
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
        // SAFETY: see the type; NaN and negative indices convert to numbers whose sign bit is set,
        // which as unsigned numbers are above every length, so the gather reads inside the table.
        unsafe {
            let index = _mm512_cvttpd_epi64(self.0);
            let length = _mm512_set1_epi64(table.len() as i64);
            assert!(_mm512_cmplt_epu64_mask(index, length) == 0xff, "index outside the table");
            Self(_mm512_i64gather_pd::<8>(index, table.as_ptr()))
        }
    }

    #[inline(always)]
    fn load_integers(from: &[i32]) -> Self {
        let from = &from[..8];
        // SAFETY: see the type; the slice holds eight integers.
        Self(unsafe { _mm512_cvtepi32_pd(_mm256_loadu_si256(from.as_ptr().cast())) })
    }

    #[inline(always)]
    fn load_limbs<const N: usize>(from: &[f64]) -> [Self; N] {
        let from = &from[..8 * N];
        let mut numbers = [Self::splat(0.0); N];
        for (i, number) in numbers.iter_mut().enumerate() {
            *number = Self::load(&from[8 * i..]);
        }
        let mut limbs = numbers;
        match N {
            2 => {
                for (limb, order) in limbs.iter_mut().zip(PAIRS_APART) {
                    *limb = pick(numbers[0], numbers[1], order);
                }
            }
            3 => {
                for (limb, (order, last)) in limbs.iter_mut().zip(TRIPLES_APART) {
                    *limb = pick(pick(numbers[0], numbers[1], order), numbers[2], last);
                }
            }
            4 => {
                // Four numbers' limbs 0 and 1, their limbs 2 and 3; then the halves of eight
                // numbers.
                for (pair, order) in QUADS.into_iter().enumerate() {
                    let near = pick(numbers[0], numbers[1], order);
                    let far = pick(numbers[2], numbers[3], order);
                    [limbs[2 * pair], limbs[2 * pair + 1]] = halves(near, far);
                }
            }
            _ => {}
        }
        limbs
    }

    #[inline(always)]
    fn store_limbs<const N: usize>(limbs: [Self; N], to: &mut [f64]) {
        let to = &mut to[..8 * N];
        let mut numbers = limbs;
        match N {
            2 => {
                for (number, order) in numbers.iter_mut().zip(PAIRS_TOGETHER) {
                    *number = pick(limbs[0], limbs[1], order);
                }
            }
            3 => {
                for (number, (order, last)) in numbers.iter_mut().zip(TRIPLES_TOGETHER) {
                    *number = pick(pick(limbs[0], limbs[1], order), limbs[2], last);
                }
            }
            4 => {
                let upper = halves(limbs[0], limbs[1]);
                let lower = halves(limbs[2], limbs[3]);
                for half in 0..2 {
                    for (i, order) in QUADS.into_iter().enumerate() {
                        numbers[2 * half + i] = pick(upper[half], lower[half], order);
                    }
                }
            }
            _ => {}
        }
        for (i, number) in numbers.into_iter().enumerate() {
            number.store(&mut to[8 * i..]);
        }
    }
}

/// Positions in two registers laid end to end, for [`pick`].
type Order = [i64; 8];

/// Limb 0 of eight two-limb numbers, and limb 1.
const PAIRS_APART: [Order; 2] = [[0, 2, 4, 6, 8, 10, 12, 14], [1, 3, 5, 7, 9, 11, 13, 15]];
/// The inverse: four numbers from their limbs, and the other four.
const PAIRS_TOGETHER: [Order; 2] = [[0, 8, 1, 9, 2, 10, 3, 11], [4, 12, 5, 13, 6, 14, 7, 15]];
/// The same limbs of two times two four-limb numbers, and back.
const QUADS: [Order; 2] = [[0, 4, 8, 12, 1, 5, 9, 13], [2, 6, 10, 14, 3, 7, 11, 15]];
/// Limb `l` of eight three-limb numbers: from the first two registers, then from these and the
/// third.
const TRIPLES_APART: [(Order, Order); 3] = triples_apart();
/// The inverse.
const TRIPLES_TOGETHER: [(Order, Order); 3] = triples_together();

const fn triples_apart() -> [(Order, Order); 3] {
    let mut orders = [([0; 8], [0; 8]); 3];
    let mut at = 0;
    while at < 24 {
        let (number, limb) = (at / 3, at % 3);
        let (order, last) = &mut orders[limb];
        if at < 16 {
            order[number] = at as i64;
            last[number] = number as i64;
        } else {
            last[number] = at as i64 - 8;
        }
        at += 1;
    }
    orders
}

const fn triples_together() -> [(Order, Order); 3] {
    let mut orders = [([0; 8], [0; 8]); 3];
    let mut at = 0;
    while at < 24 {
        let (number, limb) = (at / 3, at % 3);
        let (order, last) = &mut orders[at / 8];
        if limb < 2 {
            order[at % 8] = (number + 8 * limb) as i64;
            last[at % 8] = (at % 8) as i64;
        } else {
            last[at % 8] = number as i64 + 8;
        }
        at += 1;
    }
    orders
}

/// Eight of the sixteen numbers in `a` and `b`.
#[inline(always)]
fn pick(a: F64x8, b: F64x8, order: Order) -> F64x8 {
    // SAFETY: see the type; the array holds eight indices, of which the instruction reads the low
    // four bits.
    unsafe {
        let order = _mm512_loadu_epi64(order.as_ptr());
        F64x8(_mm512_permutex2var_pd(a.0, order, b.0))
    }
}

/// The first halves of `a` and `b` in one register, the second halves in another.
#[inline(always)]
fn halves(a: F64x8, b: F64x8) -> [F64x8; 2] {
    // SAFETY: see the type.
    unsafe {
        [
            F64x8(_mm512_shuffle_f64x2::<0x44>(a.0, b.0)),
            F64x8(_mm512_shuffle_f64x2::<0xee>(a.0, b.0)),
        ]
    }
}
