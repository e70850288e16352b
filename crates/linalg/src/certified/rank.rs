//! The numerical rank, by elimination with complete pivoting.
//!
//! **Theorem.** Let `r` steps of elimination with complete pivoting, in numbers of `p` bits, leave
//! numbers of at most `M` in magnitude of a matrix `A`, and let `P_k` be the magnitudes of the
//! pivots, `u = 2^-p`. Then a matrix of rank `r` exactly differs from `A` by less than
//! `M + 5u·Σ P_k` in every entry. For with `L` of the multipliers, at most 1 and of full rank, and
//! `U` of the rows of pivots, of full rank too, `A = L·U + S + E`, where `|S| <= M` is what is left
//! and `E` what rounding did: `u·P_k` by the quotient in a multiplier, as much by a product, and
//! `2u·(1 + u)·P_k` by a difference of numbers up to `P_k`. So it is with a matrix that differs
//! from the one held by an error of what is given, which is added. (Eckart and Young's theorem is
//! the reason to stop where the rest is no more than that; N. J. Higham, *Accuracy and Stability of
//! Numerical Algorithms*, 2nd ed., sections 9.1 and 9.12, for the pivoting and why it seldom leaves
//! much more than the best `r` steps could.)

use nonius_num::mp::{Bits, Head, Mp};

use super::magnitude::Magnitude;
use super::system::System;
use crate::mp::SliceMut;
use crate::threads::{Grain, for_each, for_each_with};

/// The rank that elimination finds with numbers of some bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumericalRank {
    /// The rank of a matrix that differs from the one given by less than the tolerance in every
    /// entry, once rows and columns of both are scaled by powers of two so that the largest
    /// magnitude in each is next to 1. That no matrix as close has a lower rank is not proved, but
    /// what elimination with complete pivoting finds.
    pub rank: usize,
    /// Number of rows and columns.
    pub order: usize,
    /// The tolerance: what rounding to the bits of the elimination may have done, and what is left
    /// of the matrix, no more than that.
    pub tolerance: Magnitude,
    /// The bits of the elimination.
    pub bits: Bits,
}

/// Products of words that the elimination may take, a few seconds.
const WORK: usize = 1 << 33;
/// What an entry's multiplication and subtraction takes in such products, beside that of the words.
const MULTIPLY_ADD_OVERHEAD: usize = 16;
/// Bits beside those of the numbers given, where these were rounded.
const SPARE: i64 = 64;
/// Bits of eliminations that may be too long, but for matrices of low rank.
const FIRST_BITS: u32 = 128;

/// The numerical rank by numbers of at most `most` bits, fewer where the order is large; `None`
/// where it takes too long.
pub(super) fn numerical_rank(system: &System, most: Bits) -> Option<NumericalRank> {
    let n = system.order();
    // More bits than those of rounded numbers say little of the numbers given.
    let of_data = system.matrix_error.exponent().and_then(|e| u32::try_from(SPARE - e).ok());
    let most = of_data.and_then(|bits| Bits::new(bits).ok()).map_or(most, |bits| most.min(bits));
    let bits = affordable(n, most);
    let per_entry = bits.words() * bits.words() + MULTIPLY_ADD_OVERHEAD;
    let mut held = system.rows.with_bits(bits);
    let unit = Magnitude::power(-i64::from(bits.get()));
    let mut tolerance = system.matrix_error.plus(lost_range(n));
    if system.rows.bits() > bits {
        tolerance = tolerance.plus(unit);
    }
    // Rows, each with the place of its largest entry.
    let mut lines: Vec<(SliceMut<'_>, usize)> =
        held.numbers_mut().pieces(n.max(1)).into_iter().map(|line| (line, 0)).collect();
    for_each(&mut lines[..], Grain::ANY, |_, (line, largest)| *largest = largest_from(line, 0));
    let (mut rank, mut work) = (0, 0);
    let left = loop {
        let Some(pivot) = largest_line(&lines, rank) else { break Magnitude::ZERO };
        let (line, place) = &lines[pivot];
        let size = Magnitude::above(line.as_slice().entry(*place));
        if !tolerance.less(size) {
            break size;
        }
        work += (n - rank) * (n - rank) * per_entry;
        if work > WORK {
            return None;
        }
        let place = *place;
        lines.swap(rank, pivot);
        step(&mut lines, rank, place, bits);
        tolerance = tolerance.plus(size.times(unit).times(Magnitude::new(5.0, 0)));
        rank += 1;
    };
    Some(NumericalRank { rank, order: n, tolerance: tolerance.plus(left), bits })
}

/// The most bits with which an elimination of full rank may be done, up to some.
fn affordable(n: usize, most: Bits) -> Bits {
    let entries = (n * n * n / 3).max(1);
    let words = (WORK / entries).saturating_sub(2 * MULTIPLY_ADD_OVERHEAD).isqrt();
    let bits = (64 * words.min(most.words()) as u32).clamp(FIRST_BITS.min(most.get()), most.get());
    Bits::new(bits).unwrap_or(most)
}

/// What falls below the range of exponents, `n` times.
fn lost_range(n: usize) -> Magnitude {
    Magnitude::new(4.0 * n as f64 + 4.0, i64::from(Head::LEAST_EXPONENT))
}

/// The place of the largest magnitude from one on.
fn largest_from(line: &SliceMut<'_>, first: usize) -> usize {
    let line = line.as_slice();
    let larger = |best: usize, j: usize| {
        if line.entry(j).compare_magnitudes(line.entry(best)).is_gt() { j } else { best }
    };
    (first..line.len()).reduce(larger).unwrap_or(first)
}

/// The line with the largest magnitude of those from one on, unless all are zero.
fn largest_line(lines: &[(SliceMut<'_>, usize)], first: usize) -> Option<usize> {
    let largest = |i: usize| lines[i].0.as_slice().entry(lines[i].1);
    let larger = |best: usize, i: usize| {
        if largest(i).compare_magnitudes(largest(best)).is_gt() { i } else { best }
    };
    let best = (first..lines.len()).reduce(larger)?;
    (!largest(best).head().is_zero()).then_some(best)
}

/// Eliminates with the pivot in line `k` at `place`, whose columns are exchanged.
fn step(lines: &mut [(SliceMut<'_>, usize)], k: usize, place: usize, bits: Bits) {
    let (done, rest) = lines.split_at_mut(k + 1);
    let Some((top, _)) = done.last_mut() else { return };
    exchange(top, k, place, bits);
    let top = top.as_slice();
    let n = top.len();
    let numbers = || [(); 3].map(|()| Mp::zero(bits));
    for_each_with(rest, Grain::ANY, numbers, |[multiplier, product, sum], _, (line, largest)| {
        exchange(line, k, place, bits);
        if !line.as_slice().entry(k).head().is_zero() {
            multiplier.set_quotient(line.as_slice().entry(k), top.entry(k));
            for j in (k + 1..n).filter(|&j| !top.entry(j).head().is_zero()) {
                product.set_product(multiplier.view(), top.entry(j));
                sum.set_difference(line.as_slice().entry(j), product.view());
                line.put(j, sum.view());
            }
        }
        *largest = largest_from(line, (k + 1).min(n - 1));
    });
}

/// Exchanges two numbers.
fn exchange(line: &mut SliceMut<'_>, i: usize, j: usize, bits: Bits) {
    if i == j {
        return;
    }
    let words = bits.words();
    let (heads, significands) = line.reborrow().into_parts();
    heads.swap(i, j);
    let (low, high) = significands.split_at_mut(i.max(j) * words);
    low[i.min(j) * words..][..words].swap_with_slice(&mut high[..words]);
}
