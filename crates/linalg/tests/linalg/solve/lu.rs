//! LU factors, and what follows from them.

use nonius_linalg::backend::{Cpu, Dense, Memory, Reference};
use nonius_linalg::dense::{Lu, Transpose, norm_one};
use nonius_linalg::{Error, MatRef, Matrix};
use nonius_testkit::orthogonal::{random_matrix, scaled};
use nonius_testkit::{Random, Sample, matrices, order};

use crate::solve::common::{
    affordable, assert_residual, gamma, magnitudes, permuted, product, same_bits,
};

/// A backend in the host's memory.
pub(crate) trait Host<T: Sample>:
    Dense<T> + Memory<T, Matrix = Matrix<T>> + for<'a> Memory<T, Ref<'a> = MatRef<'a, T>>
{
}

impl<T: Sample, B> Host<T> for B where
    B: Dense<T> + Memory<T, Matrix = Matrix<T>> + for<'a> Memory<T, Ref<'a> = MatRef<'a, T>>
{
}

/// Sizes on both sides of every boundary: of registers, panels and blocks.
pub(crate) const SIZES_OF_CPU: [usize; 19] =
    [0, 1, 2, 7, 8, 9, 15, 16, 17, 24, 31, 33, 48, 63, 64, 65, 81, 127, 129];
pub(crate) const SIZES_OF_REFERENCE: [usize; 12] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13];

/// `|P·A − L·U| <= γ_n·|L||U|` (Higham, Theorem 9.3), solutions of `A·X = B` and `Aᵀ·X = B` within
/// `3γ_n·|L||U||X|` (Theorem 9.4).
fn assert_backward_stable<T: Sample, B: Host<T>>(backend: B, a: &Matrix<T>, what: &str) {
    let (n, format) = (a.rows(), a.format());
    let lu = Lu::new(backend.clone(), a.clone()).unwrap();
    let (l, u) = lu.triangles().unwrap();
    let pa = permuted(a, lu.pivots());
    let size = product(&magnitudes(&l), &magnitudes(&u));
    let gamma = gamma::<T>(n);
    assert_residual(l.view(), u.view(), pa.view(), &size.map(|x| gamma * x), what);
    // Multipliers of partial pivoting, by first limbs.
    let all = l.numbers().as_slice();
    assert!(all.iter().all(|x| x.to_f64().abs() <= 1.0 + f64::EPSILON), "{what}");

    let b = random_matrix::<T>(format, n, 5, 77);
    let x = lu.solve(b.view()).unwrap();
    let bound = product(&size, &magnitudes(&x)).map(|x| 3.0 * gamma * x);
    assert_residual(pa.view(), x.view(), permuted(&b, lu.pivots()).view(), &bound, what);

    let mut x = b.clone();
    lu.solve_in_place(Transpose::Yes, backend.view_mut(&mut x)).unwrap();
    let px = permuted(&x, lu.pivots());
    let bound = product(&size.transposed(), &magnitudes(&px)).map(|x| 3.0 * gamma * x);
    assert_residual(a.transposed().view(), x.view(), b.view(), &bound, what);
}

fn random_matrices<T: Sample>(format: T::Format) {
    for n in affordable::<T, _>(format, SIZES_OF_CPU) {
        assert_backward_stable(
            Cpu::default(),
            &random_matrix::<T>(format, n, n, n as u64),
            &format!("cpu {n}"),
        );
    }
    for n in SIZES_OF_REFERENCE {
        assert_backward_stable(
            Reference,
            &random_matrix::<T>(format, n, n, n as u64),
            &format!("reference {n}"),
        );
    }
}

#[test]
fn factors_and_solutions_are_backward_stable() {
    at_every_precision!(random_matrices);
}

fn hard_matrices<T: Sample>(format: T::Format) {
    let n = order::<T>(format, 70);
    let random = random_matrix::<T>(format, n, n, 9);
    let graded = scaled(&random, |i, j| -3 * i as i32 - 2 * j as i32);
    let reversed = Matrix::from_fn_in(format, n, n, |i, j| graded.at(n - 1 - i, n - 1 - j));
    let sparse = Matrix::from_fn_in(format, n, n, |i, j| {
        if i == j || (i * 7 + j * 3) % 11 == 0 { random.at(i, j) } else { T::ZERO }
    });
    let m = n.min(50);
    let wilkinson = Matrix::from_fn_in(format, m, m, |i, j| matrices::wilkinson(m, i, j));
    let hilbert = Matrix::from_fn_in(format, 12, 12, |i, j| matrices::hilbert(format, i, j));
    for (a, what) in [
        (graded, "graded"),
        (reversed, "graded backwards"),
        (sparse, "sparse"),
        (wilkinson, "wilkinson"),
        (hilbert, "hilbert"),
    ] {
        assert_backward_stable(Cpu::default(), &a, what);
        assert_backward_stable(Reference, &a, what);
    }
}

#[test]
fn graded_sparse_and_growing_matrices() {
    at_every_precision!(hard_matrices);
}

/// A permutation of `n` rows that moves all of them.
fn shuffled(n: usize) -> Vec<usize> {
    let mut random = Random::new(4);
    let mut rows: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        rows.swap(i, random.below(i));
    }
    rows
}

fn permuted_identity<T: Sample>(format: T::Format) {
    for n in affordable::<T, _>(format, [1, 5, 16, 40, 130]) {
        let rows = shuffled(n);
        let a =
            Matrix::from_fn_in(format, n, n, |i, j| if rows[i] == j { T::ONE } else { T::ZERO });
        let lu = Lu::factor(a.view()).unwrap();
        let b = random_matrix::<T>(format, n, 3, 1);
        let x = lu.solve(b.view()).unwrap();
        for (i, &row) in rows.iter().enumerate() {
            for j in 0..3 {
                assert_eq!(x.at(row, j), b.at(i, j));
            }
        }
        assert!(same_bits(&lu.inverse().unwrap(), &a.transposed()));
        let determinant = lu.determinant().unwrap().value();
        assert_eq!(determinant.abs(), T::ONE);
        // The sign from the cycles of the permutation.
        let mut seen = vec![false; n];
        let mut sign = T::ONE;
        for start in 0..n {
            let mut length = 0;
            let mut i = start;
            while !core::mem::replace(&mut seen[i], true) {
                i = rows[i];
                length += 1;
            }
            if length > 0 && length % 2 == 0 {
                sign = -sign;
            }
        }
        assert_eq!(determinant, sign);
        let condition = lu.condition_estimate(norm_one(a.view())).to_f64();
        assert!((condition - 1.0).abs() <= n as f64 * f64::EPSILON, "{condition}");
    }
}

#[test]
fn a_permutation_is_undone_exactly() {
    at_every_precision!(permuted_identity);
}

fn singular<T: Sample>(format: T::Format) {
    let from = |rows: &[&[f64]]| {
        Matrix::from_fn_in(format, rows.len(), rows.len(), |i, j| T::from_f64(rows[i][j]))
    };
    // Each column: the first that depends on those before it, with multipliers that are powers of
    // two.
    for (a, column) in [
        (from(&[&[0.0]]), 0),
        (from(&[&[1.0, 2.0], &[2.0, 4.0]]), 1),
        (from(&[&[4.0, 2.0, 6.0], &[2.0, 5.0, 7.0], &[1.0, 3.0, 4.0]]), 2),
        (from(&[&[0.0, 1.0, 2.0], &[0.0, 3.0, 1.0], &[0.0, 1.0, 1.0]]), 0),
        (from(&[&[1.0, 1.0, 5.0], &[1.0, 1.0, 2.0], &[1.0, 1.0, 7.0]]), 1),
    ] {
        assert_eq!(Lu::new(Reference, a.clone()).err(), Some(Error::Singular { column }));
        assert_eq!(Lu::factor(a.view()).err(), Some(Error::Singular { column }));
    }
    // A column of zeros stays one, on every side of the boundaries.
    for n in affordable::<T, _>(format, [1, 15, 16, 17, 33, 64, 65, 100]) {
        for column in [0, n / 2, n - 1] {
            let mut a = random_matrix::<T>(format, n, n, 3);
            (0..n).for_each(|i| a.set(i, column, T::ZERO));
            assert_eq!(Lu::factor(a.view()).err(), Some(Error::Singular { column }));
        }
    }
}

#[test]
fn a_singular_matrix_is_an_error_that_says_where() {
    at_every_precision!(singular);
}

fn refusals<T: Sample>(format: T::Format) {
    let mut a = random_matrix::<T>(format, 20, 20, 1);
    a.set(17, 3, T::from_f64(f64::NAN));
    a.set(2, 9, T::from_f64(f64::INFINITY));
    let error = Error::NotFinite { operand: "a", row: 17, col: 3 };
    assert_eq!(Lu::factor(a.view()).err(), Some(error));
    // Past the check of the entry point it is found by the pivots.
    for backend in [false, true] {
        let error = if backend {
            Lu::new(Reference, a.clone()).err()
        } else {
            Lu::new(Cpu::default(), a.clone()).err()
        };
        assert!(matches!(error, Some(Error::Overflow { operand: "a", .. })), "{error:?}");
    }
    let error = Error::NotSquare { rows: 3, cols: 2 };
    assert_eq!(Lu::factor(Matrix::<T>::zeros_in(format, 3, 2).view()).err(), Some(error));
    let lu = Lu::factor(Matrix::<T>::identity_in(format, 3).view()).unwrap();
    let error = Error::Shape { operand: "b", expected: (3, 4), found: (2, 4) };
    assert_eq!(lu.solve(Matrix::zeros_in(format, 2, 4).view()), Err(error));
    // Elimination doubles the last entry of a column in each step.
    let quarter = T::extremes()[0];
    let huge = Matrix::from_fn_in(format, 4, 4, |i, j| matrices::wilkinson::<T>(4, i, j) * quarter);
    assert!(matches!(
        Lu::factor(huge.view()).err(),
        Some(Error::Overflow { operand: "a", column: 3 })
    ));
}

#[test]
fn refuses_what_has_no_factors() {
    at_every_precision!(refusals);
}

fn determinants<T: Sample>(format: T::Format) {
    // Products of powers of two, far beyond the range of the format.
    let (n, far) = (order::<T>(format, 90), 174 + T::LEAST_EXPONENT);
    for power in [-far, far] {
        let a =
            Matrix::from_fn_in(
                format,
                n,
                n,
                |i, j| if i == j { T::ONE.ldexp(power) } else { T::ZERO },
            );
        let determinant = Lu::factor(a.view()).unwrap().determinant().unwrap();
        assert_eq!(determinant.log2_abs(), f64::from(power) * n as f64);
        assert_eq!(determinant.sign(), 1);
        assert_eq!(determinant.value().to_f64(), if power > 0 { f64::INFINITY } else { 0.0 });
    }
    let a = Matrix::from_fn_in(format, 3, 3, |i, j| {
        T::from_f64([[0.0, 2.0, 1.0], [4.0, 1.0, 0.0], [2.0, 0.5, 3.0]][i][j])
    });
    assert_eq!(Lu::factor(a.view()).unwrap().determinant().unwrap().value(), T::from_f64(-24.0));
    let empty = Lu::factor(Matrix::<T>::zeros_in(format, 0, 0).view()).unwrap();
    assert_eq!(empty.determinant().unwrap().value(), T::ONE);
}

#[test]
fn determinants_do_not_overflow() {
    at_every_precision!(determinants);
}

fn inverses<T: Sample>(format: T::Format) {
    let n = order::<T>(format, 40);
    let a = random_matrix::<T>(format, n, n, 2);
    let lu = Lu::factor(a.view()).unwrap();
    let inverse = lu.inverse().unwrap();
    let (l, u) = lu.triangles().unwrap();
    let bound = product(&product(&magnitudes(&l), &magnitudes(&u)), &magnitudes(&inverse));
    let pa = permuted(&a, lu.pivots());
    let p = permuted(&Matrix::identity_in(format, n), lu.pivots());
    let bound = bound.map(|x| 3.0 * gamma::<T>(n) * x);
    assert_residual(pa.view(), inverse.view(), p.view(), &bound, "inverse");
}

#[test]
fn the_inverse_solves_for_the_identity() {
    at_every_precision!(inverses);
}

/// The estimate is at most the norm and not far below; the norm from the inverse.
fn condition<T: Sample>(format: T::Format) {
    for n in [1, 2, 3, 10, order::<T>(format, 40)] {
        for seed in 0..4 {
            let mut a = random_matrix::<T>(format, n, n, seed);
            if seed % 2 == 1 {
                a = Matrix::from_fn_in(format, n, n, |i, j| a.at(i, j).ldexp(-(i as i32)));
            }
            let lu = Lu::factor(a.view()).unwrap();
            let norm = norm_one(a.view());
            let exact = (norm * norm_one(lu.inverse().unwrap().view())).to_f64();
            let estimate = lu.condition_estimate(norm).to_f64();
            assert!(estimate <= exact * (1.0 + 1e3 * f64::EPSILON), "{estimate:e} {exact:e}");
            assert!(estimate >= exact / 3.0, "{n} {seed}: {estimate:e} {exact:e}");
        }
    }
    let empty = Lu::factor(Matrix::<T>::zeros_in(format, 0, 0).view()).unwrap();
    assert!(empty.condition_estimate(0.0.into()) == 0.0);
}

#[test]
fn the_condition_estimate_is_close() {
    at_every_precision!(condition);
}

fn same_pivots<T: Sample>(format: T::Format) {
    for n in [5, 40, 100].map(|n| order::<T>(format, n)) {
        let a = random_matrix::<T>(format, n, n, 6);
        let fast = Lu::new(Cpu::default(), a.clone()).unwrap();
        let textbook = Lu::new(Reference, a.clone()).unwrap();
        assert_eq!(fast.pivots(), textbook.pivots());
    }
}

#[test]
fn backends_choose_the_same_pivots() {
    at_every_precision!(same_pivots);
}

#[test]
fn right_hand_sides_of_any_number_and_stride() {
    let mut random = Random::new(1);
    let lu = Lu::factor(random_matrix::<nonius_num::Dd>((), 33, 33, 1).view()).unwrap();
    let data: Vec<nonius_num::Dd> = (0..50 * 9).map(|_| Sample::random((), &mut random)).collect();
    let all = lu.solve(MatRef::from_parts(&data, 33, 9, 50)).unwrap();
    for j in 0..9 {
        let one = lu.solve(MatRef::from_column(&data[50 * j..50 * j + 33])).unwrap();
        assert_eq!(one.as_slice(), all.col(j));
    }
    assert_eq!(lu.solve(Matrix::zeros(33, 0).view()).unwrap().shape(), (33, 0));
}
