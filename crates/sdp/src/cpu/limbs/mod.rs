//! The [`Kernels`] of numbers of limbs.

mod congruence;
mod schur;
mod sums;
mod weigh;

use nonius_linalg::{Matrix, Scalar, Slice, SliceMut};
use nonius_num::{Dd, Qd, Td};

use super::kernels::{Factors, Kernels, Pair};
use crate::cone::{Diagonal, Square};

macro_rules! limbs {
    ($($number:ty)*) => {$(
        impl Kernels for $number {
            const COSTS: usize = <Self as Scalar>::LIMBS;
            const TERMS: usize = 1 << 12;

            fn gather(
                to: SliceMut<'_, Self>,
                x: Slice<'_, Self>,
                y: Slice<'_, Self>,
                pairs: &[Pair],
            ) {
                sums::gather(to, x, y, pairs);
            }

            fn weigh(
                mut to: SliceMut<'_, Self>,
                weights: Slice<'_, Self>,
                a: Slice<'_, Self>,
                places: &[usize],
            ) {
                to.set(0, weigh::weigh(weights.cells(), a.cells(), places));
            }

            #[inline]
            fn add_to(to: &mut SliceMut<'_, Self>, i: usize, x: Slice<'_, Self>, j: usize) {
                to.set(i, to.at(i) + x.at(j));
            }

            fn congruence(m: &Matrix<Self>, a: &Matrix<Self>, q: &[f64], w: &mut [f64]) {
                congruence::congruence(m, a, q, w);
            }

            fn entries_times(
                entries: &[(usize, usize, usize)],
                values: Slice<'_, Self>,
                v: &Matrix<Self>,
                g: &mut Matrix<Self>,
            ) {
                schur::entries_times(entries, values.cells(), v, g);
            }

            fn add_diagonal(
                diagonal: &Diagonal<Self>,
                own: &[Pair],
                uv: Slice<'_, Self>,
                column: &mut SliceMut<'_, Self>,
                place: impl FnMut(usize) -> usize,
            ) {
                schur::add_diagonal(diagonal, own, uv.cells(), column.reborrow().plain(), place);
            }

            fn add_half(
                square: &Square<Self>,
                k: usize,
                u: &Matrix<Self>,
                g: &Matrix<Self>,
                column: &mut SliceMut<'_, Self>,
                place: impl FnMut(usize) -> usize,
            ) {
                schur::add_half(square, k, (u, g), column.reborrow().plain(), place);
            }

            fn add_sparse(
                factors: Factors<'_, Self>,
                k: usize,
                column: &mut SliceMut<'_, Self>,
                place: impl FnMut(usize) -> usize,
            ) {
                schur::add_sparse(factors, k, column.reborrow().plain(), place);
            }
        }
    )*};
}

limbs!(f64 Dd Td Qd);
