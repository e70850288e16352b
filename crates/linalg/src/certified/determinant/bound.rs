//! How far the product of the pivots is from the determinant.
//!
//! **Theorem.** Let `P·A = L·U + Δ` and `E = (L·U)^-1·Δ`, and let `|E|·e <= ε·e` for the vector `e`
//! of ones with `n·ε < 1`. All eigenvalues of `E` are at most `ε` in magnitude, and
//! `det(P·A) = det(L·U)·det(I + E)`, so that `A` is nonsingular and
//!
//! `|det(P·A)/det(L·U) − 1| <= (1 + ε)^n − 1 <= n·ε/(1 − n·ε)`.
//!
//! That `det(I + E)` is next to 1 is how S. M. Rump (*Verification methods*, Acta Numerica 19,
//! 2010, section 10) and F. Johansson (*Arb*, `arb_mat_det_precond`) enclose determinants. Here `Δ`
//! is bounded by the error of the factorisation and that of what is given, and `|E|·e` by what the
//! inverses of the triangles do to vectors:
//!
//! **Lemma.** Let `w >= 0`. With `L·Y = I + F` and `|F|·w <= φ·w`, `φ < 1`:
//! `|L^-1|·w <= |Y|·w/(1 − φ)`. With `Yᵀ·U = I + F`, `z = |Yᵀ|·w` and `|F|·z <= φ·z`:
//! `|U^-1|·w <= z/(1 − φ)`. (Neumann's series; the errors `F` are those of
//! [`Factors::inverse_triangles`].) Neither depends on how rows are scaled, so that inverses with
//! few bits do for a matrix whose condition shows in the sizes of its pivots.

use nonius_num::mp::{Bits, Head, MpRef};

use super::super::factors::Factors;
use super::super::magnitude::Magnitude;
use super::super::system::System;
use crate::mp::Matrix;
use crate::threads::{Grain, map};

/// Inverses of the triangles of a factorisation.
pub(super) struct Triangles<'a> {
    pub(super) factors: &'a Factors,
    /// `Y` with `L·Y ≈ I`, and with `Uᵀ·Y ≈ I`.
    pub(super) lower: Matrix,
    pub(super) upper: Matrix,
}

/// A bound of `|E|·e`, and how good the inverses are.
pub(super) struct Bound {
    /// `φ`, the larger one.
    pub(super) defect: Magnitude,
    /// `ε`; infinite where `φ` is not below 1.
    pub(super) epsilon: Magnitude,
}

/// What of `Δ` is looked at.
#[derive(Clone, Copy)]
pub(super) enum Source {
    /// All.
    All,
    /// What comes from numbers held that are not those given.
    Given,
}

fn one() -> Magnitude {
    Magnitude::power(0)
}

/// `Σ |x_k|·w_k`
fn sum<'a>(terms: impl Iterator<Item = (MpRef<'a>, Magnitude)>) -> Magnitude {
    terms.fold(Magnitude::ZERO, |sum, (x, w)| sum.plus(Magnitude::above(x).times(w)))
}

/// The coefficient of `|L||U|` in the errors, for order `n` and factors with `bits` bits.
fn unit(n: usize, bits: Bits) -> Magnitude {
    Magnitude::new(2.1 * n as f64 + 10.0, -i64::from(bits.get()))
}

/// What numbers below the range of exponents add to a sum, beside the largest magnitude of factors.
fn floor(n: usize, factors: &Matrix) -> Magnitude {
    let largest =
        factors.numbers().as_slice().heads().iter().filter_map(|head| head.exponent()).max();
    let largest = Magnitude::power(i64::from(largest.unwrap_or(0).max(0)));
    largest.times(Magnitude::new(n as f64 + 8.0, i64::from(Head::LEAST_EXPONENT)))
}

/// `f(i)` for all `i`.
fn vector(n: usize, f: impl Fn(usize) -> Magnitude + Sync) -> Vec<Magnitude> {
    map(n, Grain::AtLeast(16), f)
}

/// `|L|·x` with the ones on its diagonal.
fn by_lower(factors: &Matrix, x: &[Magnitude]) -> Vec<Magnitude> {
    vector(x.len(), |i| sum((0..i).map(|k| (factors.entry(i, k), x[k]))).plus(x[i]))
}

/// `|U|·x`
fn by_upper(factors: &Matrix, x: &[Magnitude]) -> Vec<Magnitude> {
    vector(x.len(), |i| sum((i..x.len()).map(|k| (factors.entry(i, k), x[k]))))
}

/// The largest `(a·x_i + b)/y_i`.
fn ratio(a: Magnitude, x: &[Magnitude], b: Magnitude, y: &[Magnitude]) -> Magnitude {
    let ratios = x.iter().zip(y).map(|(x, &y)| {
        let above = a.times(*x).plus(b);
        if above.is_zero() { above } else { above.over_difference(y, Magnitude::ZERO) }
    });
    ratios.fold(Magnitude::ZERO, Magnitude::max)
}

impl Triangles<'_> {
    /// Of the factors of the matrix whose columns are the rows of the system's.
    pub(super) fn bound(&self, system: &System, source: Source) -> Bound {
        let (factors, n) = (self.factors.packed(), self.factors.order());
        let q = self.lower.bits();
        let (error, below) = (unit(n, q), floor(n, factors));
        let change = self.change(system, source);

        let z = vector(n, |i| sum((0..=i).map(|k| (self.lower.entry(i, k), change[k]))));
        let total = change.iter().copied().fold(Magnitude::ZERO, Magnitude::plus);
        let first = ratio(error, &by_lower(factors, &z), below.times(total), &change);
        // An upper bound of z/(1 − φ), and the vector that the other triangle takes.
        let Some(up) = grown(first) else { return Bound::none(first) };
        let z: Vec<Magnitude> = z.into_iter().map(|x| x.times(up)).collect();

        let transposed =
            |x: &[Magnitude]| vector(n, |i| sum((i..n).map(|k| (self.upper.entry(k, i), x[k]))));
        let z = transposed(&z);
        let total = z.iter().copied().fold(Magnitude::ZERO, Magnitude::plus);
        let residual = transposed(&by_upper(factors, &z));
        let second = ratio(error, &residual, below.times(total), &z);
        let Some(up) = grown(second) else { return Bound::none(second) };
        let largest = z.into_iter().fold(Magnitude::ZERO, Magnitude::max);
        Bound { defect: first.max(second), epsilon: largest.times(up) }
    }

    /// A bound of `|Δ|·e`.
    fn change(&self, system: &System, source: Source) -> Vec<Magnitude> {
        let (factors, n) = (self.factors.packed(), self.factors.order());
        let p = factors.bits();
        let held = &system.rows;
        let row_sum =
            |i: usize| sum((0..n).map(|k| (held.entry(self.factors.rows()[i], k), one())));
        let given = |i: usize| system.matrix_error.times(row_sum(i));
        if let Source::Given = source {
            return vector(n, given);
        }
        let ones = vec![one(); n];
        let products = by_lower(factors, &by_upper(factors, &ones));
        let cut =
            if held.bits() > p { Magnitude::power(-i64::from(p.get())) } else { Magnitude::ZERO };
        let (error, below) = (unit(n, p), floor(n, factors).times(Magnitude::new(n as f64, 0)));
        let relative = system.matrix_error.plus(cut);
        vector(n, |i| {
            let of_rows = if relative.is_zero() { relative } else { relative.times(row_sum(i)) };
            error.times(products[i]).plus(of_rows).plus(below)
        })
    }
}

/// `1/(1 − φ)`, where `φ < 1/2`.
fn grown(defect: Magnitude) -> Option<Magnitude> {
    defect.less(Magnitude::power(-1)).then(|| one().over_difference(one(), defect))
}

impl Bound {
    fn none(defect: Magnitude) -> Self {
        Self { defect, epsilon: Magnitude::INFINITE }
    }

    /// `n·ε/(1 − n·ε)`; infinite unless `n·ε < 1`.
    pub(super) fn of_determinant(&self, n: usize) -> Magnitude {
        let sum = self.epsilon.times(Magnitude::new(n as f64, 0));
        sum.over_difference(one(), sum)
    }
}
