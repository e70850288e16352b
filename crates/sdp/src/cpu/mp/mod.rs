//! The [`Kernels`] of numbers of any precision.
//!
//! **Error.** With `u = 2^-bits`, a sum of products is rounded once ([`nonius_num::mp::Dot`]),
//! within `(1 + 2^-61)·u` times the sum of their magnitudes.

mod congruence;
mod schur;
mod sums;

use nonius_linalg::mp::Mp;
use nonius_linalg::{Matrix, Slice, SliceMut};

use super::kernels::{Factors, Kernels, Pair};
use crate::cone::{Diagonal, Square};

impl Kernels for Mp {
    const COSTS: usize = 4;
    const TERMS: usize = 1 << 8;

    fn gather(to: SliceMut<'_, Mp>, x: Slice<'_, Mp>, y: Slice<'_, Mp>, pairs: &[Pair]) {
        sums::gather(to, x, y, pairs);
    }

    fn weigh(to: SliceMut<'_, Mp>, weights: Slice<'_, Mp>, a: Slice<'_, Mp>, places: &[usize]) {
        sums::weigh(to, weights, a, places);
    }

    fn add_to(to: &mut SliceMut<'_, Mp>, i: usize, x: Slice<'_, Mp>, j: usize) {
        let sum = to.as_slice().entry(i) + x.entry(j);
        to.put(i, sum.view());
    }

    fn congruence(m: &Matrix<Mp>, a: &Matrix<Mp>, q: &[f64], w: &mut [f64]) {
        congruence::congruence(m, a, q, w);
    }

    fn entries_times(
        entries: &[(usize, usize, usize)],
        values: Slice<'_, Mp>,
        v: &Matrix<Mp>,
        g: &mut Matrix<Mp>,
    ) {
        schur::entries_times(entries, values, v, g);
    }

    fn add_diagonal(
        diagonal: &Diagonal<Mp>,
        own: &[Pair],
        uv: Slice<'_, Mp>,
        column: &mut SliceMut<'_, Mp>,
        place: impl FnMut(usize) -> usize,
    ) {
        schur::add_diagonal(diagonal, own, uv, column, place);
    }

    fn add_half(
        square: &Square<Mp>,
        k: usize,
        u: &Matrix<Mp>,
        g: &Matrix<Mp>,
        column: &mut SliceMut<'_, Mp>,
        place: impl FnMut(usize) -> usize,
    ) {
        schur::add_half(square, k, (u, g), column, place);
    }

    fn add_sparse(
        factors: Factors<'_, Mp>,
        k: usize,
        column: &mut SliceMut<'_, Mp>,
        place: impl FnMut(usize) -> usize,
    ) {
        schur::add_sparse(factors, k, column, place);
    }
}
