//! Elimination with row exchanges for tridiagonal systems, periodic ones too, as matrices of
//! bandwidth 2.
//!
//! **Order of unknowns.** A ring is folded: its unknowns 0, n−1, 1, n−2, … stand in this order, and
//! so do the rows. Neighbours on the ring are then at most two places apart, so the matrix has two
//! diagonals on each side of the main one. No part of the matrix has to be regular for itself, as
//! formulas of low rank ask for.
//!
//! **Method.** Gaussian elimination with scaled partial pivoting: of the three rows that have an
//! entry in a column, the pivot row is the one whose entry is the largest beside the largest entry
//! of its row. Fill-in reaches four diagonals.
//!
//! **Errors.** For the matrix whose rows are divided by their largest entries this is partial
//! pivoting, whose growth is at most `2^(2p−1) − (p−1)·2^(p−2) = 7` for bandwidth `p = 2` (Bohte,
//! *Bounds for rounding errors in the Gaussian elimination for band systems*, 1975). So the
//! computed unknowns solve a system of which each entry of a row differs by a small multiple of `u`
//! times the largest entry of its row.

use core::ops::{Mul, Neg};

use crate::tridiag::Number;

/// What elimination asks of a number.
pub(crate) trait Element: Copy + Neg<Output = Self> + Mul<Output = Self> {
    /// A magnitude.
    type Size: Copy;

    /// 0.
    fn zero() -> Self;
    /// `self·y + z`.
    fn fused(self, y: Self, z: Self) -> Self;
    /// `1 / self`, not finite for zero.
    fn inverse(self) -> Self;
    /// Whether this is neither infinite nor NaN.
    fn is_finite(self) -> bool;
    /// The magnitude, by the first limb.
    fn size(self) -> Self::Size;
    /// `x / y`; no larger than anything where both are zero.
    fn ratio(x: Self::Size, y: Self::Size) -> Self::Size;
    /// Whether `x > y`.
    fn is_larger(x: Self::Size, y: Self::Size) -> bool;
}

impl<T: Number> Element for T {
    type Size = T::Size;

    fn zero() -> Self {
        T::ZERO
    }

    fn fused(self, y: Self, z: Self) -> Self {
        Number::fused(self, y, z)
    }

    fn inverse(self) -> Self {
        T::ONE / self
    }

    fn is_finite(self) -> bool {
        Number::is_finite(self)
    }

    fn size(self) -> T::Size {
        self.magnitude()
    }

    fn ratio(x: T::Size, y: T::Size) -> T::Size {
        x / y
    }

    fn is_larger(x: T::Size, y: T::Size) -> bool {
        x > y
    }
}

/// The unknown, and the row, at place `k` of a folded ring of `n`.
fn unfolded(n: usize, k: usize) -> usize {
    if k.is_multiple_of(2) { k / 2 } else { n - 1 - k / 2 }
}

/// The place of unknown `i`.
fn folded(n: usize, i: usize) -> usize {
    if i < n.div_ceil(2) { 2 * i } else { 2 * (n - 1 - i) + 1 }
}

/// A row as elimination sees it: its entries from the column on that is eliminated next, its
/// right-hand side, its size.
#[derive(Clone, Copy)]
struct Active<E: Element> {
    entries: [E; 5],
    right: E,
    scale: E::Size,
}

/// Solves a system of rows of lower, main and upper entry and right-hand side; those of a ring have
/// three equations or more.
///
/// Returns the row of the first pivot without finite inverse, if there is one; the unknowns behind
/// it are of no use.
pub(crate) fn solve<E: Element>(rows: &[[E; 4]], is_ring: bool, x: &mut [E]) -> Option<usize> {
    let (n, zero) = (rows.len(), E::zero());
    let row_of = |k: usize| if is_ring { unfolded(n, k) } else { k };
    let place = |i: usize| if is_ring { folded(n, i) } else { i };
    // Row `k`, as it enters when column `column` is next.
    let entering = |k: usize, column: usize| {
        let mut active = Active { entries: [zero; 5], right: zero, scale: zero.size() };
        if k >= n {
            return active;
        }
        let i = row_of(k);
        let [lower, diagonal, upper, right] = rows[i];
        let mut put = |j: usize, entry: E| active.entries[place(j) - column] = entry;
        put(i, diagonal);
        if is_ring || i > 0 {
            put((i + n - 1) % n, lower);
        }
        if is_ring || i + 1 < n {
            put((i + 1) % n, upper);
        }
        active.right = right;
        let sizes = active.entries.map(E::size);
        active.scale = sizes.into_iter().fold(zero.size(), larger::<E>);
        active
    };
    let mut spoilt = None;
    let mut above = vec![[zero; 4]; n];
    let mut active = [entering(0, 0), entering(1, 0), entering(2, 0)];
    for k in 0..n {
        let (mut best, mut largest) = (0, E::ratio(active[0].entries[0].size(), active[0].scale));
        for (candidate, row) in active.iter().enumerate().skip(1) {
            let size = E::ratio(row.entries[0].size(), row.scale);
            if E::is_larger(size, largest) {
                (best, largest) = (candidate, size);
            }
        }
        active.swap(0, best);
        let [pivot, others @ ..] = &mut active;
        let w = pivot.entries[0].inverse();
        if !w.is_finite() {
            spoilt = spoilt.or(Some(row_of(k)));
        }
        let [_, rest @ ..] = pivot.entries;
        above[k] = rest.map(|entry| entry * w);
        x[row_of(k)] = pivot.right * w;
        for other in others {
            let factor = -other.entries[0];
            for (j, &q) in above[k].iter().enumerate() {
                other.entries[j] = factor.fused(q, other.entries[j + 1]);
            }
            other.entries[4] = zero;
            other.right = factor.fused(x[row_of(k)], other.right);
        }
        active = [active[1], active[2], entering(k + 3, k + 1)];
    }
    for k in (0..n).rev() {
        for (j, &q) in above[k].iter().enumerate().take(n - 1 - k) {
            x[row_of(k)] = (-q).fused(x[row_of(k + 1 + j)], x[row_of(k)]);
        }
    }
    spoilt
}

fn larger<E: Element>(x: E::Size, y: E::Size) -> E::Size {
    if E::is_larger(y, x) { y } else { x }
}
