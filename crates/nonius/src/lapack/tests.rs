//! Tests of the routines, by their definitions.

use super::*;
use crate::dense::Lu;
use crate::{Dd, Qd};

/// A number for each place. No row or column of the matrix depends on others.
fn entry(i: usize, j: usize) -> f64 {
    ((i * i * 7 + j * j * 3 + i * j * 13 + i * 37 + j * 101) % 997) as f64 - 498.5
}

/// The same, with rows and columns that repeat after 64 others.
fn periodic(i: usize, j: usize) -> f64 {
    ((i * 37 + j * 101 + i * j * 13) % 64) as f64 - 31.5
}

/// The largest entry of `|P·A − L·U|` beside `n·u·|L||U|`.
fn defect(a: &Matrix<Dd>, factors: &Matrix<Dd>, pivots: &[usize]) -> f64 {
    let (m, n) = a.shape();
    let mut permuted = a.clone();
    pivots.iter().enumerate().for_each(|(j, &row)| permuted.view_mut().swap_rows(j, row));
    let mut worst: f64 = 0.0;
    for i in 0..m {
        for j in 0..n {
            let (mut sum, mut size) = (-permuted[(i, j)], 0.0);
            for k in 0..=i.min(j).min(pivots.len() - 1) {
                let l = if i == k { Dd::ONE } else { factors[(i, k)] };
                sum += l * factors[(k, j)];
                size += (l * factors[(k, j)]).abs().to_f64();
            }
            let bound = 8.0 * n as f64 * Dd::UNIT_ROUNDOFF * size;
            if sum.abs().to_f64() > 0.0 {
                worst = worst.max(sum.abs().to_f64() / bound);
            }
        }
    }
    worst
}

#[test]
fn factors_of_any_shape() {
    for (m, n) in [(1, 1), (5, 5), (5, 9), (9, 5), (1, 7), (7, 1), (150, 131), (131, 150)] {
        let a = Matrix::from_fn(m, n, |i, j| Dd::from(entry(i, j)) / 7.0);
        let (mut factors, mut pivots) = (a.clone(), vec![0; m.min(n)]);
        assert_eq!(getrf(factors.view_mut(), &mut pivots), Ok(None), "{m} × {n}");
        assert!(defect(&a, &factors, &pivots) < 1.0, "{m} × {n}");
    }
}

/// Columns without a pivot are told, and the factors are complete all the same.
#[test]
fn factors_of_singular_matrices() {
    for zeros in [&[0][..], &[4], &[11], &[0, 1, 2], &[3, 8], &[0, 11]] {
        let mut a = Matrix::from_fn(12, 12, |i, j| Dd::from(entry(i, j)));
        zeros.iter().for_each(|&j| (0..12).for_each(|i| a.set(i, j, Dd::ZERO)));
        let (mut factors, mut pivots) = (a.clone(), vec![99; 12]);
        assert_eq!(getrf(factors.view_mut(), &mut pivots), Ok(Some(zeros[0])));
        assert!(defect(&a, &factors, &pivots) < 1.0, "{zeros:?}");
        zeros.iter().for_each(|&j| assert_eq!(factors[(j, j)], 0.0));
    }
}

/// The same where factors have several blocks.
#[test]
fn factors_of_large_singular_matrices() {
    for zeros in [&[0][..], &[127, 128, 129], &[40, 131], &[149]] {
        let mut a = Matrix::from_fn(150, 150, |i, j| Dd::from(entry(i, j)));
        zeros.iter().for_each(|&j| (0..150).for_each(|i| a.set(i, j, Dd::ZERO)));
        let (mut factors, mut pivots) = (a.clone(), vec![999; 150]);
        assert_eq!(getrf(factors.view_mut(), &mut pivots), Ok(Some(zeros[0])));
        assert!(defect(&a, &factors, &pivots) < 1.0, "{zeros:?}");
    }
    // Where the rank is 64 at most, rounding decides which pivots are zero.
    for (m, n) in [(150, 131), (131, 150), (140, 140)] {
        let a = Matrix::from_fn(m, n, |i, j| Dd::from(periodic(i, j)) / 7.0);
        let (mut factors, mut pivots) = (a.clone(), vec![999; m.min(n)]);
        getrf(factors.view_mut(), &mut pivots).unwrap();
        assert!(defect(&a, &factors, &pivots) < 1.0, "{m} × {n}");
    }
}

#[test]
fn the_factors_are_those_of_lu() {
    let a = Matrix::from_fn(40, 40, |i, j| Qd::from(entry(i, j)) / 3.0);
    let b = Matrix::from_fn(40, 3, |i, j| Qd::from(entry(j, i)));
    let (lu, mut factors, mut pivots) = (Lu::factor(a.view()).unwrap(), a.clone(), [0; 40]);
    getrf(factors.view_mut(), &mut pivots).unwrap();
    assert_eq!(lu.pivots(), pivots);
    let mut x = b.clone();
    getrs(Transpose::No, factors.view(), &pivots, x.view_mut()).unwrap();
    assert_eq!(x, lu.solve(b.view()).unwrap());
    // Aᵀ·x = b
    let mut y = b.clone();
    getrs(Transpose::Yes, factors.view(), &pivots, y.view_mut()).unwrap();
    let mut back = b;
    gemm(Transpose::Yes, Transpose::No, Qd::ONE, a.view(), y.view(), -Qd::ONE, back.view_mut())
        .unwrap();
    assert!(back.iter().all(|x| x.abs().to_f64() < 1e-58));
}

#[test]
fn one_triangle_is_read_and_written() {
    for n in [0, 1, 2, 33] {
        let nan = Dd::from(f64::NAN);
        let full = |i: usize, j: usize| Dd::from(if i == j { 3.0 * n as f64 } else { 1.0 });
        let b = Matrix::from_fn(n, 2, |i, j| Dd::from(entry(i, j)));
        let mut found = Vec::new();
        for (triangle, is_kept) in [
            (Triangle::Lower, (|i, j| i < j) as fn(usize, usize) -> bool),
            (Triangle::Upper, |i, j| i > j),
        ] {
            let mut a = Matrix::from_fn(n, n, |i, j| if is_kept(i, j) { nan } else { full(i, j) });
            potrf(triangle, a.view_mut()).unwrap();
            let kept = (0..n).all(|i| (0..n).all(|j| !is_kept(i, j) || a[(i, j)].is_nan()));
            assert!(kept, "{n}");
            let mut x = b.clone();
            potrs(triangle, a.view(), x.view_mut()).unwrap();
            found.push(x);
        }
        let cholesky = Cholesky::factor(Triangle::Lower, Matrix::from_fn(n, n, full).view());
        assert_eq!(found[0], cholesky.unwrap().solve(b.view()).unwrap());
        for (x, y) in found[0].iter().zip(&found[1]) {
            assert!((x - y).abs().to_f64() <= 1e-29 * y.abs().to_f64());
        }
    }
}

#[test]
fn failures_leave_operands_as_they_were() {
    let a = Matrix::from_fn(3, 3, |i, j| Dd::from(if i == j { -1.0 } else { 2.0 }));
    let mut changed = a.clone();
    let refused = potrf(Triangle::Upper, changed.view_mut());
    assert!(matches!(refused, Err(Error::NotPositiveDefinite { index: 0, .. })));
    assert_eq!(changed, a);
    let huge = Matrix::from_fn(3, 3, |i, j| Dd::from([1e300, -1.7e308][(i + j) % 2]));
    let mut changed = huge.clone();
    let mut pivots = [0; 3];
    if getrf(changed.view_mut(), &mut pivots).is_err() {
        assert_eq!(changed, huge);
    }
    let mut a = Matrix::from_fn(2, 2, |i, j| Dd::from([1.0, f64::NAN][i * j]));
    let refused = getrf(a.view_mut(), &mut [0; 2]);
    assert_eq!(refused, Err(Error::NotFinite { operand: "a", row: 1, col: 1 }));
    let refused = getrs(Transpose::No, a.view(), &[0, 2], (&mut [Dd::ONE; 2]).into());
    assert!(matches!(refused, Err(Error::Shape { operand: "pivots", .. })));
}

#[test]
fn eigenvalues_by_one_triangle() {
    let nan = Qd::from(f64::NAN);
    for triangle in [Triangle::Lower, Triangle::Upper] {
        let lower = triangle == Triangle::Lower;
        // The second difference of order 3 has the eigenvalues 2 − √2, 2 and 2 + √2.
        let entry = |i: usize, j: usize| {
            let stated = if lower { i >= j } else { i <= j };
            if stated { Qd::from([2.0, -1.0, 0.0][i.abs_diff(j)]) } else { nan }
        };
        let mut a = Matrix::from_fn(3, 3, entry);
        let values = syev(Vectors::No, triangle, a.view_mut()).unwrap();
        assert!((values[0] - 2.0 + Qd::from(2.0).sqrt()).abs().to_f64() < 1e-60);
        let again = syev(Vectors::Yes, triangle, a.view_mut()).unwrap();
        assert!((values[2] - again[2]).abs().to_f64() < 1e-60);
        // The middle vector is (1, 0, −1)/√2.
        assert!(a[(1, 1)].abs().to_f64() < 1e-60);
    }
}
