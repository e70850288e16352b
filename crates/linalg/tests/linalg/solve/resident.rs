//! Tasks whose matrices stay in a backend's memory: the bits of those with matrices of the host.

use nonius_linalg::backend::{Cpu, Reading, Reference, Resident};
use nonius_linalg::dense::resident::{self, CholeskyFactor, LuFactors, QrFactors};
use nonius_linalg::dense::{
    Cholesky, Diagonal, Lu, Method, Qr, Transpose, Triangle, inverse_on, least_squares_on,
    norm_one, solve_on, solve_triangular,
};
use nonius_linalg::{Error, MatMut, MatRef, Matrix, Number};
use nonius_testkit::Sample;
use nonius_testkit::orthogonal::{random_matrix, scaled};

use crate::solve::common::{gamma, random_definite, same_bits, units};

const NO: Transpose = Transpose::No;

/// A backend in the host's memory.
trait Here<T: Number>:
    for<'a> Resident<T, Matrix = Matrix<T>, Ref<'a> = MatRef<'a, T>, Mut<'a> = MatMut<'a, T>>
{
}

impl<T: Number> Here<T> for Reference {}
impl<T: Number> Here<T> for Cpu {}

/// Asserts that two estimates agree, whose sums of `n` numbers are rounded to `f64` or later.
fn assert_close(n: usize, found: Reading, expected: Reading) {
    let bound = Reading::of(4.0 * (n as f64 + 2.0) * f64::EPSILON) * expected;
    assert!((found - expected).abs() <= bound, "{found:e} and {expected:e}");
}

fn systems<T: Sample<Format = ()>, B: Here<T>>(backend: &B) {
    for n in [1, 2, 6, 13, 33] {
        let b = random_matrix::<T>((), n, 3, 7);
        let general = random_matrix::<T>((), n, n, n as u64);
        for a in [general.clone(), random_definite::<T>((), n, 5)] {
            for method in [Method::Auto, Method::Lu, Method::GaussJordan] {
                let there = resident::solve(backend, a.view(), b.view(), method).unwrap();
                let here = solve_on(backend.clone(), a.view(), b.view(), method).unwrap();
                assert!(same_bits(&there.x, &here.x), "{n} by {method:?}");
                assert_eq!(there.method, here.report.method);
                assert_close(n, there.condition_estimate, here.report.condition_estimate);
                // Of these matrices, whose rows and columns have about one size.
                let digits = here.report.correct_digits() + 1.0;
                assert!(there.correct_digits() <= digits, "{n}: {}", there.correct_digits());
            }
            let there = resident::inverse(backend, a.view()).unwrap();
            let here = inverse_on(backend.clone(), a.view()).unwrap();
            assert!(same_bits(&there.x, &here.x), "inverse of {n}");
        }
        // Symmetric, with a positive diagonal and a negative eigenvalue.
        let mut indefinite = random_definite::<T>((), n, 5);
        if n > 1 {
            indefinite.set(n - 1, 0, T::from_f64(100.0));
            indefinite.set(0, n - 1, T::from_f64(100.0));
            let there =
                resident::solve(backend, indefinite.view(), b.view(), Method::Auto).unwrap();
            assert_eq!(there.method, Method::Lu);
            assert!(matches!(there.rejected, Some(Error::NotPositiveDefinite { .. })));
        }
    }
}

#[test]
fn systems_have_the_bits_of_the_hosts() {
    fn both<T: Sample<Format = ()>>() {
        systems::<T, _>(&Reference);
        systems::<T, _>(&Cpu::default());
    }
    at_every_width!(both);
}

fn factors<T: Sample<Format = ()>, B: Here<T>>(backend: &B) {
    for n in [1, 2, 6, 13, 33] {
        let a = random_matrix::<T>((), n, n, n as u64);
        let LuFactors { lower, upper, pivots, condition_estimate } =
            resident::lu(backend, a.view()).unwrap();
        let here = Lu::new(backend.clone(), a.clone()).unwrap();
        let (l, u) = here.triangles().unwrap();
        assert!(same_bits(&lower, &l) && same_bits(&upper, &u) && pivots == here.pivots());
        let norm = norm_one(a.view());
        assert_close(n, condition_estimate, here.condition_estimate(norm));
        let definite = random_definite::<T>((), n, 3);
        let here = Cholesky::new(backend.clone(), definite.clone()).unwrap().lower().unwrap();
        for triangle in [Triangle::Lower, Triangle::Upper] {
            // The other triangle is not read.
            let given = Matrix::from_fn_in((), n, n, |i, j| {
                if triangle.contains(i, j) { definite.at(i, j) } else { T::from_f64(f64::NAN) }
            });
            let CholeskyFactor { lower, .. } =
                resident::cholesky(backend, triangle, given.view()).unwrap();
            assert!(same_bits(&lower, &here), "{triangle:?} {n}");
            for (op, diagonal) in
                [(NO, Diagonal::NonUnit), (Transpose::Yes, Diagonal::Unit), (NO, Diagonal::Unit)]
            {
                let b = random_matrix::<T>((), n, 2, 4);
                let (a, b) = (given.view(), b.view());
                let there =
                    resident::solve_triangular(backend, triangle, op, diagonal, a, b).unwrap();
                let here = solve_triangular(triangle, op, diagonal, a, b).unwrap();
                // Kernels of another backend add in another order.
                let largest = |x: &Matrix<T>| {
                    x.numbers().as_slice().iter().map(|x| x.abs().to_f64()).fold(0.0, f64::max)
                };
                let difference =
                    Matrix::from_fn_in((), n, 2, |i, j| there.at(i, j) - here.at(i, j));
                let condition = 4.0_f64.powi(n as i32);
                let bound = 2.0 * gamma::<T>(n) * condition * largest(&here);
                assert!(units::<T>((), T::from_f64(largest(&difference)).magnitude()) <= bound);
            }
        }
    }
    for (m, n) in [(1, 1), (7, 3), (33, 33), (40, 13), (3, 8), (13, 40)] {
        let a = random_matrix::<T>((), m, n, 11);
        let QrFactors { q, r } = resident::qr(backend, a.view(), true).unwrap();
        let (q, k) = (q.unwrap(), m.min(n));
        let here = Qr::factor_on(backend.clone(), a.view().block(0, 0, m, k)).unwrap();
        assert!(same_bits(&q, &here.q().unwrap()), "Q of {m} × {n}");
        let left = r.view().block(0, 0, k, k).to_matrix();
        assert!(same_bits(&left, &here.r().unwrap()), "R of {m} × {n}");
        assert_eq!(r.shape(), (k, n));
        let b = random_matrix::<T>((), m, 2, 12);
        let there = resident::least_squares(backend, a.view(), b.view()).unwrap();
        let here = least_squares_on(backend.clone(), a.view(), b.view()).unwrap();
        assert!(same_bits(&there.x, &here.x), "solution of {m} × {n}");
    }
}

#[test]
fn factors_have_the_bits_of_the_hosts() {
    fn both<T: Sample<Format = ()>>() {
        factors::<T, _>(&Reference);
        factors::<T, _>(&Cpu::default());
    }
    at_every_width!(both);
}

/// Rows and columns of sizes from `2^-700` to `2^700`: `D₁·A·D₂·X = D₁·B` has the solution
/// `D₂⁻¹·X`.
fn sizes<T: Sample<Format = ()>>() {
    let n = 13;
    let (row, col) = (|i: usize| 100 * i as i32 - 600, |j: usize| 50 - 10 * j as i32);
    let b = random_matrix::<T>((), n, 2, 1);
    for a in [random_matrix::<T>((), n, n, 2), random_definite::<T>((), n, 3)] {
        let known = solve_on(Cpu::default(), a.view(), b.view(), Method::Auto).unwrap();
        let condition = known.report.condition_estimate.to_f64();
        let check = |a: &Matrix<T>, b: &Matrix<T>, back: &dyn Fn(usize) -> i32, method| {
            let found = resident::solve(&Cpu::default(), a.view(), b.view(), Method::Auto).unwrap();
            assert_eq!(found.method, method);
            for (i, j) in (0..n).flat_map(|i| [(i, 0), (i, 1)]) {
                let difference = found.x.at(i, j).ldexp(back(i)) - known.x.at(i, j);
                let size = (0..n).map(|i| known.x.at(i, j).abs().to_f64()).fold(0.0, f64::max);
                let bound = 6.0 * n as f64 * gamma::<T>(3 * n) * condition * size;
                let error = units::<T>((), difference.magnitude());
                assert!(error <= bound, "{} ({i}, {j}): {error:e} > {bound:e}", T::name(()));
            }
        };
        let by_rows = scaled(&b, |i, _| row(i));
        check(&scaled(&a, |i, j| row(i) + col(j)), &by_rows, &col, Method::Lu);
        if a == a.transposed() {
            let half = |i: usize| row(i) / 2;
            let symmetric = scaled(&a, |i, j| half(i) + half(j));
            check(&symmetric, &scaled(&b, |i, _| half(i)), &half, Method::Cholesky);
        }
        // Right-hand sides near the ends of the range.
        for power in [-400, 700] {
            let found = resident::solve(
                &Cpu::default(),
                a.view(),
                scaled(&b, |_, _| power).view(),
                Method::Auto,
            )
            .unwrap();
            let x = scaled(&found.x, |_, _| -power);
            assert!(same_bits(&x, &known.x), "{power}");
        }
    }
}

#[test]
fn sizes_do_not_matter() {
    at_every_width!(sizes);
}

/// Powers of two pass through reflections as they are.
fn sizes_of_columns<T: Sample<Format = ()>>() {
    let cpu = Cpu::default();
    let power = |j: usize| 90 * j as i32 - 450;
    for (m, n) in [(17, 9), (9, 17)] {
        let a = random_matrix::<T>((), m, n, 2);
        let by_lines = |i, j| power(if m < n { i } else { j });
        for right in [0, 350, -350] {
            let a = scaled(&a, by_lines);
            let b = scaled(&random_matrix::<T>((), m, 2, 1), |_, _| right);
            let there = resident::least_squares(&cpu, a.view(), b.view()).unwrap();
            let here = least_squares_on(cpu, a.view(), b.view()).unwrap();
            assert!(same_bits(&there.x, &here.x), "{m} × {n} {}, {right}", T::name(()));
        }
    }
}

#[test]
fn sizes_of_columns_do_not_matter() {
    at_every_width!(sizes_of_columns);
}

#[test]
fn bad_input_is_told_as_the_host_tells_it() {
    let cpu = Cpu::default();
    let a = Matrix::from_fn(3, 3, |i, j| (1 + i + 2 * j) as f64);
    let b = Matrix::from_fn(3, 1, |i, _| i as f64);
    let with = |i, j, x| {
        let mut a = a.clone();
        a.set(i, j, x);
        a
    };
    for a in [
        Matrix::from_fn(3, 3, |_, _| 1.0),
        with(1, 2, f64::NAN),
        with(2, 0, f64::NEG_INFINITY),
        Matrix::from_fn(3, 2, |_, _| 1.0),
        Matrix::from_fn(2, 2, |i, j| f64::from(i == j)),
        Matrix::zeros(3, 3),
    ] {
        for method in [Method::Auto, Method::Lu, Method::Cholesky] {
            let here = solve_on(cpu, a.view(), b.view(), method).unwrap_err();
            let there = resident::solve(&cpu, a.view(), b.view(), method).unwrap_err();
            assert_eq!(there, here);
        }
    }
    let large = Matrix::from_fn(2, 2, |i, j| if i == j { 1e200 } else { 0.0 });
    let error = resident::multiply(&cpu, NO, large.view(), NO, large.view()).unwrap_err();
    assert_eq!(error, Error::Overflow { operand: "the product", column: 0 });
    let bad = with(1, 2, f64::NAN);
    let error = resident::multiply(&cpu, NO, a.view(), NO, bad.view()).unwrap_err();
    assert_eq!(error, Error::NotFinite { operand: "b", row: 1, col: 2 });
    let error = resident::multiply(&cpu, NO, a.view(), NO, large.view()).unwrap_err();
    assert!(matches!(error, Error::Shape { operand: "b", .. }));
    let small = Matrix::from_fn(1, 1, |_, _| 1e-300);
    let right = Matrix::from_fn(1, 1, |_, _| 1e300);
    let error = resident::solve(&cpu, small.view(), right.view(), Method::Lu).unwrap_err();
    assert_eq!(error, Error::Overflow { operand: "x", column: 0 });
    let twice = Matrix::from_fn(4, 2, |i, _| i as f64);
    let (twice, right) = (twice.view(), Matrix::from_fn(4, 1, |_, _| 1.0));
    let here = least_squares_on(cpu, twice, right.view()).unwrap_err();
    assert_eq!(resident::least_squares(&cpu, twice, right.view()).unwrap_err(), here);
    let error = resident::cholesky(&cpu, Triangle::Lower, a.view()).unwrap_err();
    assert!(matches!(error, Error::NotPositiveDefinite { .. }));
    let upper = resident::cholesky(&cpu, Triangle::Upper, bad.view()).unwrap_err();
    assert_eq!(upper, Error::NotFinite { operand: "a", row: 1, col: 2 });
}

#[test]
fn empty_matrices_are_solved() {
    let cpu = Cpu::default();
    let (none, b) = (Matrix::<f64>::zeros(0, 0), Matrix::<f64>::zeros(0, 3));
    let found = resident::solve(&cpu, none.view(), b.view(), Method::Auto).unwrap();
    assert_eq!(found.x.shape(), (0, 3));
    let a = Matrix::<f64>::identity(3);
    let b = Matrix::<f64>::zeros(3, 0);
    assert_eq!(resident::solve(&cpu, a.view(), b.view(), Method::Auto).unwrap().x.shape(), (3, 0));
    let tall = Matrix::<f64>::zeros(3, 0);
    assert_eq!(resident::qr(&cpu, tall.view(), true).unwrap().r.shape(), (0, 0));
    let c = resident::multiply(&cpu, NO, tall.view(), NO, none.view()).unwrap();
    assert_eq!(c.shape(), (3, 0));
}
