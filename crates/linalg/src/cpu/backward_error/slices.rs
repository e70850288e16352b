//! Numbers scaled by powers of two and cut into slices.

use core::ops::Range;

use nonius_num::{Lane, eft};

use crate::cpu::limbs::limbs_of;
use crate::cpu::output::Output;
use crate::cpu::reduce::load;
use crate::cpu::simd::{Kernel, dispatch};
use crate::scalar::exponent;
use crate::threads::{Grain, chunks, for_each, for_each_index};
use crate::{MatMut, MatRef, Scalar};

/// Bits of a slice: `t`.
pub(super) const BITS: i32 = 21;
/// Slices of a number, by its limbs.
pub(super) const SLICES: [usize; 5] = [0, 4, 7, 9, 12];

/// The exponent `e` of a power with `|x| <= 2^e` for the numbers with these first limbs. Numbers so
/// small that it could not be taken out count as larger: they are nothing beside the largest.
fn scale(first_limbs: impl Iterator<Item = f64>) -> i32 {
    let largest = first_limbs.fold(0.0_f64, |largest, x| largest.max(x.abs()));
    exponent(largest).map_or(0, |e| (e + 1).max(-900))
}

pub(super) fn scales_of_rows<T: Scalar>(a: MatRef<'_, T>) -> Vec<i32> {
    let mut largest = vec![0.0_f64; a.rows()];
    for k in 0..a.cols() {
        for (largest, x) in largest.iter_mut().zip(a.col(k)) {
            *largest = largest.max(x.limb(0).abs());
        }
    }
    largest.into_iter().map(|x| scale([x].into_iter())).collect()
}

pub(super) fn scale_of_column<T: Scalar>(x: MatRef<'_, T>, j: usize) -> i32 {
    scale(x.col(j).iter().map(|x| x.limb(0)))
}

pub(super) fn power(exponent: i32) -> f64 {
    2.0_f64.powi(exponent)
}

/// Cuts columns `ks` of `A` into slices: column `k` of slice `i` is column `i·deep + k` of `to`.
pub(super) fn slice_rows<T: Scalar, const N: usize>(
    a: MatRef<'_, T>,
    ks: Range<usize>,
    deep: usize,
    row_powers: &[f64],
    to: &mut [f64],
) {
    let height = row_powers.len();
    let slices = SLICES[N];
    let to = &Output::new(MatMut::from_parts(to, height, slices * deep, height));
    for_each_index(ks.len(), Grain::ANY, |at| {
        // SAFETY: the columns `i·deep + at` are those of this `at` alone, and `i` takes each value
        // once.
        #[allow(unsafe_code)]
        let mut slices: Vec<&mut [f64]> =
            (0..slices).map(|i| unsafe { to.column(i * deep + at, 0..height) }).collect();
        let from = limbs_of(a.col(ks.start + at));
        dispatch(Slice::<N> { from, powers: row_powers, slices: &mut slices });
    });
}

/// Cuts rows `ks` of `X` into slices: rows of slice `i` begin at row `(s − 1 − i)·deep` of `to`.
pub(super) fn slice_columns<T: Scalar, const N: usize>(
    x: MatRef<'_, T>,
    ks: Range<usize>,
    deep: usize,
    to: &mut [f64],
) {
    let size = SLICES[N] * deep;
    for_each(chunks(&mut to[..size * x.cols()], size), Grain::ANY, |j, column| {
        let powers = vec![power(-scale_of_column(x, j)); deep];
        let mut slices: Vec<&mut [f64]> = column.chunks_exact_mut(deep).rev().collect();
        let from = limbs_of(&x.col(j)[ks.clone()]);
        dispatch(Slice::<N> { from, powers: &powers, slices: &mut slices });
    });
}

/// Cuts numbers, times powers, into slices; the slices are as long as the powers, with zeros beyond
/// the last number.
struct Slice<'a, 'b, const N: usize> {
    from: &'a [f64],
    powers: &'a [f64],
    slices: &'a mut [&'b mut [f64]],
}

impl<const N: usize> Kernel for Slice<'_, '_, N> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        for at in (0..self.powers.len()).step_by(L::LANES) {
            let scale = L::load(&self.powers[at..]);
            let mut rest: [L; N] = load(self.from, at * N);
            for limb in &mut rest {
                *limb = *limb * scale;
            }
            for (i, slice) in (1..).zip(self.slices.iter_mut()) {
                // Adding 1.5·2^52·g rounds to a multiple of g.
                let anchor = L::splat(1.5 * power(53 - BITS * i));
                let high = (rest[0] + anchor) - anchor;
                high.store(&mut slice[at..]);
                rest[0] = rest[0] - high;
                for l in (1..N).rev() {
                    (rest[l - 1], rest[l]) = eft::two_sum(rest[l - 1], rest[l]);
                }
            }
        }
    }
}
