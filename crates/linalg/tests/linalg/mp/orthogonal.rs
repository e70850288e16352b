//! Orthogonal factors, least squares, eigenvalues and singular values, against sums in more bits.

use nonius_linalg::backend::{Cpu, Reading, Reference};
use nonius_linalg::dense::{
    Qr, Vectors, eigen, eigen_on, eigenvalues, judged_eigen_on, judged_svd_on, least_squares,
    singular_values, svd,
};
use nonius_linalg::mp::{Bits, Matrix, Mp};
use nonius_linalg::{Error, Number};

use super::{bits, matrix};

const PRECISIONS: [u32; 5] = [64, 106, 424, 1000, 2048];

/// Twice the bits, in which the truth is computed.
fn wide(p: Bits) -> Bits {
    bits((2 * p.get() + 64).min(Bits::MOST))
}

/// `op(A)·B` with all its bits.
fn product(transposed: bool, a: &Matrix, b: &Matrix) -> Matrix {
    let w = wide(a.bits());
    let (m, k) = if transposed { (a.cols(), a.rows()) } else { a.shape() };
    let at = |i, l| if transposed { a.entry(l, i) } else { a.entry(i, l) };
    Matrix::from_fn_in(w, m, b.cols(), |i, j| {
        (0..k).fold(Mp::zero(w), |sum, l| sum + at(i, l).to_mp(w) * b.entry(l, j).to_mp(w))
    })
}

/// The largest magnitude.
fn largest(a: &Matrix) -> Reading {
    a.numbers().as_slice().iter().map(|x| x.size()).fold(Reading::ZERO, Reading::max)
}

/// The largest entry of `A − B`.
fn distance(a: &Matrix, b: &Matrix) -> Reading {
    let w = a.bits().max(b.bits());
    let (rows, cols) = a.shape();
    largest(&Matrix::from_fn_in(w, rows, cols, |i, j| a.at(i, j) - b.at(i, j)))
}

/// How far columns are from orthonormal.
fn defect(q: &Matrix) -> Reading {
    distance(&product(true, q, q), &Matrix::identity_in(q.bits(), q.cols()))
}

fn units(count: f64, p: Bits) -> Reading {
    Reading::of(count) * Mp::unit_roundoff(p)
}

fn symmetric(p: Bits, n: usize, seed: u64) -> Matrix {
    let a = matrix(p, n, n, seed);
    Matrix::from_fn_in(p, n, n, |i, j| a.at(i.max(j), i.min(j)))
}

#[test]
fn qr_factors_are_orthonormal_and_those_of_the_matrix() {
    for p in PRECISIONS.map(bits) {
        for (m, n) in [(0, 0), (1, 1), (5, 3), (17, 17), (40, 33), (70, 40)] {
            if m > 40 && p.get() > 424 {
                continue;
            }
            let a = matrix(p, m, n, 3);
            let check = |q: &Matrix, r: &Matrix, order: &[usize], what: &str| {
                let size = 4.0 * (m * n) as f64;
                assert!(defect(q) <= units(size, p), "{what} {m} × {n}, {:e}", defect(q));
                let moved = Matrix::from_fn_in(p, m, n, |i, j| a.at(i, order[j]));
                let error = distance(&product(false, q, r), &moved);
                assert!(error <= units(size, p), "{what} {m} × {n}: {error:e}");
                assert!((0..n).all(|j| (j + 1..n).all(|i| r.entry(i, j).head().is_zero())));
            };
            let fast = Qr::factor(a.view()).unwrap();
            check(&fast.q().unwrap(), &fast.r().unwrap(), fast.order(), "fast");
            if m <= 20 {
                let slow = Qr::factor_on(Reference, a.view()).unwrap();
                check(&slow.q().unwrap(), &slow.r().unwrap(), slow.order(), "textbook");
            }
            let pivoted = Qr::factor_pivoted(a.view()).unwrap();
            let r = pivoted.r().unwrap();
            check(&pivoted.q().unwrap(), &r, pivoted.order(), "pivoted");
            let falls =
                |j: usize| r.at(j, j).abs() <= r.at(j - 1, j - 1).abs() * Mp::from_f64(p, 1.001);
            assert!((1..n).all(falls), "{m} × {n}");
        }
    }
}

#[test]
fn least_squares_know_their_error() {
    for p in PRECISIONS.map(bits) {
        for (m, n) in [(1, 1), (9, 4), (30, 30), (4, 9), (40, 17), (17, 40)] {
            let (a, b) = (matrix(p, m, n, 5), matrix(p, m, 2, 6));
            let found = least_squares(a.view(), b.view()).unwrap();
            // The same with more bits is as good as exact.
            let w = wide(p);
            let exact = least_squares(a.with_bits(w).view(), b.with_bits(w).view()).unwrap();
            let error = distance(&found.x, &exact.x);
            let size = largest(&exact.x);
            let report = found.report;
            let what = format!("{m} × {n}, mp{p}: {error:e}, {report:?}");
            assert!(error <= size * report.forward_error_estimate * Reading::of(10.0), "{what}");
            assert!(report.forward_error_estimate <= units(1e7, p), "{what}");
        }
    }
    let p = bits(212);
    let a = Matrix::from_fn_in(p, 6, 3, |i, j| {
        if j == 2 { Mp::from_f64(p, 3.0) } else { Mp::from_f64(p, (i * (j + 1) % 5) as f64) }
    });
    let dependent =
        Matrix::from_fn_in(
            p,
            6,
            3,
            |i, j| if j == 2 { a.at(i, 0) + a.at(i, 1) } else { a.at(i, j) },
        );
    let error = least_squares(dependent.view(), a.view()).unwrap_err();
    assert_eq!(error, Error::RankDeficient { rank: 2, needed: 3 });
}

#[test]
fn eigenvectors_make_matrices_diagonal() {
    for p in PRECISIONS.map(bits) {
        for n in [0, 1, 2, 5, 17, 33] {
            let a = symmetric(p, n, n as u64);
            let found = eigen(a.view()).unwrap();
            let v = found.vectors.unwrap();
            let size = 8.0 * (n * n) as f64;
            assert!(defect(&v) <= units(size, p), "{n}, mp{p}: {:e}", defect(&v));
            let left = product(false, &a, &v);
            let right = Matrix::from_fn_in(wide(p), n, n, |i, j| v.at(i, j) * found.values[j]);
            let error = distance(&left, &right);
            assert!(error <= units(size * n as f64, p), "{n}, mp{p}: {error:e}");
            assert!(found.values.windows(2).all(|pair| pair[0] <= pair[1]));
            // Without vectors by another way.
            let alone = eigenvalues(a.view()).unwrap();
            for (x, y) in alone.iter().zip(&found.values) {
                let error = (*x - *y).size();
                assert!(error <= units(size * n as f64, p), "{n}, mp{p}: {error:e}");
            }
            let judged = judged_eigen_on(&Cpu::default(), a.view(), Vectors::Yes).unwrap();
            assert!(judged.quality.unwrap().residual <= units(size, p));
        }
    }
}

/// Eigenvalues of the second difference: `2 − 2·cos(kπ/(n + 1))`; of order 3 they are `2 − √2`, 2
/// and `2 + √2`.
#[test]
fn known_eigenvalues_have_all_their_digits() {
    for p in PRECISIONS.map(bits) {
        let a = Matrix::from_fn_in(p, 3, 3, |i, j| match i.abs_diff(j) {
            0 => Mp::from_f64(p, 2.0),
            1 => Mp::from_f64(p, -1.0),
            _ => Mp::zero(p),
        });
        let (two, root) = (Mp::from_f64(p, 2.0), Mp::from_f64(p, 2.0).sqrt());
        for found in [eigen(a.view()).unwrap().values, eigenvalues(a.view()).unwrap()] {
            for (x, exact) in found.into_iter().zip([two - root, two, two + root]) {
                assert!((x - exact).size() <= units(16.0, p), "mp{p}: {x}");
            }
        }
    }
}

#[test]
fn repeated_and_graded_eigenvalues_are_found() {
    let p = bits(424);
    let ones = Matrix::from_fn_in(p, 9, 9, |_, _| Mp::one(p));
    let hilbert =
        Matrix::from_fn_in(p, 24, 24, |i, j| Mp::one(p) / Mp::from_f64(p, (i + j + 1) as f64));
    let far = Matrix::from_fn_in(p, 12, 12, |i, j| {
        Mp::one(p) / Mp::from_f64(p, (i + j + 1) as f64).ldexp(40_000)
    });
    for a in [ones, Matrix::identity_in(p, 6), hilbert, far, Matrix::zeros_in(p, 4, 4)] {
        let n = a.rows();
        let found = eigen_on(&Cpu::default(), a.view(), Vectors::Yes).unwrap();
        let v = found.vectors.unwrap();
        assert!(defect(&v) <= units(8.0 * (n * n) as f64, p), "{:e}", defect(&v));
        let right = Matrix::from_fn_in(wide(p), n, n, |i, j| v.at(i, j) * found.values[j]);
        let error = distance(&product(false, &a, &v), &right);
        assert!(error <= units(8.0 * (n * n) as f64, p) * largest(&a), "{n}: {error:e}");
    }
}

#[test]
fn singular_vectors_make_matrices_diagonal() {
    for p in PRECISIONS.map(bits) {
        for (m, n) in [(0, 3), (1, 1), (5, 2), (17, 17), (12, 20), (33, 30)] {
            let a = matrix(p, m, n, 12);
            let found = svd(a.view()).unwrap();
            let (u, v) = found.vectors.unwrap();
            let k = m.min(n);
            let size = 16.0 * (m + n) as f64 * (k + 1) as f64;
            assert!(
                defect(&u) <= units(size, p) && defect(&v) <= units(size, p),
                "{m} × {n}, mp{p}"
            );
            let right = Matrix::from_fn_in(wide(p), m, k, |i, j| u.at(i, j) * found.values[j]);
            let error = distance(&product(false, &a, &v), &right);
            assert!(error <= units(size * (k + 1) as f64, p), "{m} × {n}, mp{p}: {error:e}");
            assert!(found.values.windows(2).all(|pair| pair[0] >= pair[1]));
            for (x, y) in singular_values(a.view()).unwrap().iter().zip(&found.values) {
                assert!((*x - *y).size() <= units(size * (k + 1) as f64, p), "{m} × {n}, mp{p}");
            }
            let judged = judged_svd_on(&Cpu::default(), a.view(), Vectors::Yes).unwrap();
            assert!(judged.quality.unwrap().residual <= units(size, p));
        }
    }
}
