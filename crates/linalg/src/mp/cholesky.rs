//! Cholesky factors, by halves: products of matrices do most of the work.
//!
//! **Error.** The factor of a matrix of order `n` satisfies `|A − L·Lᵀ| <= (2.1·n + 8)·u·|L||Lᵀ|`, entrywise, `u = 2^-bits`: an entry is what is left of one of `A` after sums of
//! products are subtracted, divided as in [triangular systems](super::triangle), or on the diagonal its root, which is rounded once. (N. J. Higham, *Accuracy and Stability of
//! Numerical Algorithms*, 2nd ed., Theorem 10.3, with sums in any order.) What falls below the range of exponents adds at most `(n + 8)·2^-(2^28)·max(1, |L|)`.

use nonius_num::mp::{Dot, Mp};

use super::triangle::{WIDTH, half, remainder, solve_lower};
use super::{Matrix, gemm};
use crate::Error;
use crate::dense::Transpose;
use crate::dense::gemm::Products;

/// Orders up to which all of a product is computed where a triangle of it is needed.
const TRIANGLE: usize = 256;

/// `L` with `A = L·Lᵀ` and zeros above its diagonal, from the lower triangle of `A`; `None` where a pivot is not a positive number.
///
/// # Errors
/// Those of products of matrices.
pub fn cholesky(a: &Matrix) -> Result<Option<Matrix>, Error> {
    let (n, bits) = (a.rows(), a.bits());
    if n <= WIDTH {
        return Ok(row_by_row(a));
    }
    let h = half(n);
    let Some(top) = cholesky(&a.block(0..h, 0..h))? else { return Ok(None) };
    let below = a.block(h..n, 0..h).transposed();
    let below = solve_lower(&top, Some(&reciprocals(&top)), below)?;
    let mut rest = a.block(h..n, h..n);
    subtract_gram(&below, &mut rest)?;
    let Some(low) = cholesky(&rest)? else { return Ok(None) };
    let mut l = Matrix::try_zeros(bits, n, n)?;
    l.set_block(0, 0, &top);
    l.set_block(h, 0, &below.transposed());
    l.set_block(h, h, &low);
    Ok(Some(l))
}

/// Of the diagonal.
pub fn reciprocals(l: &Matrix) -> Vec<Mp> {
    let one = Mp::one(l.bits());
    (0..l.cols()).map(|i| one.view() / l.at(i, i)).collect()
}

/// `C − Rᵀ·R` in the lower triangle.
fn subtract_gram(r: &Matrix, c: &mut Matrix) -> Result<(), Error> {
    let n = c.rows();
    if n <= TRIANGLE {
        return subtract_product(r, r, c);
    }
    let h = half(n);
    let (left, right) = (r.block(0..r.rows(), 0..h), r.block(0..r.rows(), h..n));
    let [mut top, mut low] = [0..h, h..n].map(|range| c.block(range.clone(), range));
    let mut below = c.block(h..n, 0..h);
    subtract_gram(&left, &mut top)?;
    subtract_product(&right, &left, &mut below)?;
    subtract_gram(&right, &mut low)?;
    c.set_block(0, 0, &top);
    c.set_block(h, 0, &below);
    c.set_block(h, h, &low);
    Ok(())
}

/// `C − Aᵀ·B`
fn subtract_product(a: &Matrix, b: &Matrix, c: &mut Matrix) -> Result<(), Error> {
    let one = Mp::one(c.bits());
    let (minus, yes, no) = (one.view().negated(), Transpose::Yes, Transpose::No);
    gemm(Products::default(), yes, no, minus, a, b, one.view(), c).map(|_| ())
}

/// The factor, entry by entry.
fn row_by_row(a: &Matrix) -> Option<Matrix> {
    let (n, bits) = (a.rows(), a.bits());
    let (one, zero, mut dot) = (Mp::one(bits), Mp::zero(bits), Dot::new(bits));
    // Rows of the factor are its columns.
    let mut rows = Matrix::zeros(bits, n, n);
    let mut reciprocals: Vec<Mp> = Vec::with_capacity(n);
    for i in 0..n {
        let rest = |rows: &Matrix, j: usize, dot: &mut Dot| {
            remainder(a.at(i, j), rows.col(i).range(0..j), rows.col(j).range(0..j), dot)
        };
        for (j, reciprocal) in reciprocals.iter().enumerate() {
            let x = &rest(&rows, j, &mut dot) * reciprocal;
            rows.set(j, i, x.view());
        }
        let pivot = rest(&rows, i, &mut dot);
        if !pivot.is_finite() || pivot <= zero {
            return None;
        }
        let root = pivot.sqrt();
        rows.set(i, i, root.view());
        reciprocals.push(one / root);
    }
    Some(rows.transposed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_num::mp::Bits;

    /// Numbers between ±1 from a congruential sequence.
    fn random(bits: Bits, n: usize) -> Matrix {
        let mut state = n as u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            state ^ state >> 29
        };
        Matrix::from_fn(bits, n, n, |_, _| {
            let words: Vec<u64> = (0..bits.words()).map(|_| next()).collect();
            Mp::rounded(bits, next() >> 40 & 1 == 1, &words, -64 * bits.words() as i64, false)
        })
    }

    /// `G·Gᵀ` with so much more on the diagonal.
    fn definite(bits: Bits, n: usize, more: f64) -> Matrix {
        let (g, mut a) = (random(bits, n), Matrix::identity(bits, n));
        let (one, more) = (Mp::one(bits), Mp::from_f64(bits, more));
        let (no, yes) = (Transpose::No, Transpose::Yes);
        gemm(Products::default(), no, yes, one.view(), &g, &g, more.view(), &mut a).unwrap();
        a
    }

    #[test]
    fn the_product_is_within_its_bound() {
        for n in [0, 1, 2, 31, 32, 33, 64, 65, 100, 300] {
            for p in [64, 130, 424] {
                let (bits, wide) = (Bits::new(p).unwrap(), Bits::new(2 * p + 64).unwrap());
                let a = definite(bits, n, 0.125);
                let read = |i, j| if i >= j { a.at(i, j).to_mp(bits) } else { Mp::nan(bits) };
                let l = cholesky(&Matrix::from_fn(bits, n, n, read)).unwrap().unwrap();
                let size = |x: nonius_num::mp::MpRef<'_>| x.to_f64().abs();
                let step = if n == 300 { 37 } else { 1 };
                for (i, j) in (0..n).step_by(step).flat_map(|i| (0..=i).map(move |j| (i, j))) {
                    assert!(i == j || l.at(j, i).head().is_zero());
                    let (mut rest, mut sizes) = (a.at(i, j).to_mp(wide), 0.0);
                    for k in 0..=j {
                        let (x, y) = (l.at(i, k), l.at(j, k));
                        rest -= x.to_mp(wide) * y.to_mp(wide);
                        sizes += size(x) * size(y);
                    }
                    let units = rest.ldexp(p as i32).to_f64().abs();
                    assert!(units <= (2.1 * n as f64 + 8.0) * sizes, "{n}, mp{p}, ({i}, {j})");
                }
            }
        }
    }

    #[test]
    fn what_is_not_definite_has_no_factor() {
        let bits = Bits::new(106).unwrap();
        for n in [1, 20, 33, 70] {
            for place in [0, n / 2, n - 1] {
                let a = definite(bits, n, 1.0);
                let with = |x: Mp| {
                    let mut a = a.clone();
                    a.set(place, place, x.view());
                    cholesky(&a).unwrap()
                };
                assert!(with(a.at(place, place).to_mp(bits)).is_some());
                assert!(with(-a.at(place, place).to_mp(bits)).is_none());
                assert!(with(Mp::nan(bits)).is_none());
                assert!(with(Mp::infinity(bits, false)).is_none());
                let mut a = a.clone();
                a.set(n - 1, place, Mp::infinity(bits, true).view());
                assert!(cholesky(&a).unwrap().is_none());
            }
        }
        let ones = Matrix::from_fn(bits, 40, 40, |_, _| Mp::one(bits));
        assert!(cholesky(&ones).unwrap().is_none());
    }
}
