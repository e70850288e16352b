use nonius_linalg::backend::{Reading, Reference};
use nonius_linalg::dense::{Lu, Transpose, least_squares, least_squares_on, residual};
use nonius_linalg::{Error, Matrix};
use nonius_testkit::orthogonal::{difference, gamma, norm, product, random_matrix, scaled};
use nonius_testkit::{Sample, affordable, matrices};

/// A residual of a least squares solution is orthogonal to the columns: with `A + ΔA`,
/// `‖ΔA‖_F <= γ‖A‖_F`, and the same for `b`, `‖Aᵀr‖ <= 2γ·‖A‖(‖r‖ + ‖A‖‖x‖ + ‖b‖)` to first order.
fn tall<T: Sample>(format: T::Format) {
    let shapes = [(1, 1), (5, 3), (40, 40), (90, 17), (200, 130)];
    for (m, n) in shapes.into_iter().filter(|(m, n)| affordable::<T>(format, m * n * n)) {
        let (a, b) = (random_matrix::<T>(format, m, n, 1), random_matrix::<T>(format, m, 3, 2));
        let mut all = vec![least_squares(a.view(), b.view()).unwrap()];
        if m <= 40 {
            all.push(least_squares_on(Reference, a.view(), b.view()).unwrap());
        }
        for found in all {
            let r = residual(a.view(), found.x.view(), b.view()).unwrap();
            let gradient = product(Transpose::Yes, &a, Transpose::No, &r);
            for j in 0..3 {
                let columns = [found.x.column(j), b.column(j), r.column(j)];
                let [x, b, r] = columns.map(|column| norm::<T>(column));
                let size = norm(&a) * (r + norm(&a) * x + b);
                let bound = Reading::of(2.0) * gamma::<T>(format, m, n) * size;
                let error = norm::<T>(gradient.column(j));
                assert!(error <= bound, "{m} × {n} {}: {error:e} > {bound:e}", T::name(format));
                let reported = found.report.residual_norms[j];
                // Two norms err by (m/2 + 4)·u each, as `reference::nrm2` states.
                let rounding = Reading::of((m as f64 + 8.0) * f64::EPSILON / 2.0);
                assert!((reported - r).abs() <= rounding * r);
            }
            let relative = found.report.relative_residual.to_f64();
            assert!(if m > n { relative > 0.01 } else { relative < 1.0 }, "{relative}");
        }
    }
}

#[test]
fn residuals_are_orthogonal_to_the_columns() {
    at_every_precision!(tall);
}

/// The shortest solution solves, and is a combination of the rows.
fn wide<T: Sample>(format: T::Format) {
    let shapes = [(1, 2), (3, 5), (17, 90), (130, 200)];
    for (m, n) in shapes.into_iter().filter(|(m, n)| affordable::<T>(format, m * m * n)) {
        let (a, b) = (random_matrix::<T>(format, m, n, 3), random_matrix::<T>(format, m, 2, 4));
        let found = least_squares(a.view(), b.view()).unwrap();
        let gamma = gamma::<T>(format, n, m);
        let condition = found.report.condition_estimate;
        let r = residual(a.view(), found.x.view(), b.view()).unwrap();
        for j in 0..2 {
            let size = norm(&a) * norm::<T>(found.x.column(j));
            let (error, bound) = (norm::<T>(r.column(j)), Reading::of(2.0) * gamma * size);
            assert!(error <= bound, "{m} × {n}: {error:e} > {bound:e}");
        }
        // Aᵀ(AAᵀ)⁻¹b by the normal equations, which lose the square of the condition.
        let normal = product(Transpose::No, &a, Transpose::Yes, &a);
        let y = Lu::factor(normal.view()).unwrap().solve(b.view()).unwrap();
        let shortest = product(Transpose::Yes, &a, Transpose::No, &y);
        let error = norm(&difference(&shortest, &found.x)) / norm(&shortest);
        let bound = Reading::of(4.0 * m as f64) * gamma * condition * condition;
        assert!(error <= bound, "{m} × {n}: {error:e} > {bound:e}");
    }
}

#[test]
fn the_shortest_solution_of_few_equations() {
    at_every_precision!(wide);
}

/// Columns of a Hilbert matrix, whose condition grows: the estimate of the error holds.
fn conditions<T: Sample>(format: T::Format) {
    for n in [4, 8] {
        let m = 2 * n;
        // A right-hand side in the range, of a solution of ones, whose entries are sums of few
        // terms.
        let a = Matrix::from_fn_in(format, m, n, |i, j| matrices::hilbert::<T>(format, i, j));
        let ones = Matrix::from_fn_in(format, n, 1, |_, _| T::ONE);
        let b = product(Transpose::No, &a, Transpose::No, &ones);
        let found = least_squares(a.view(), b.view()).unwrap();
        let error = norm(&difference(&found.x, &ones)) / norm(&ones);
        let estimate = found.report.forward_error_estimate;
        let bound = gamma::<T>(format, m, n) / T::units(format, 1.0) * estimate;
        assert!(error <= bound, "{n} {}: {error:e} > {bound:e}", T::name(format));
        let condition = found.report.condition_estimate;
        assert!(condition > if n == 4 { 1e2 } else { 1e6 });
    }
}

#[test]
fn errors_grow_with_the_condition() {
    at_every_precision!(conditions);
}

fn deficient<T: Sample>(format: T::Format) {
    let x = random_matrix::<T>(format, 30, 5, 6);
    let y = random_matrix::<T>(format, 5, 8, 7);
    let a = product(Transpose::No, &x, Transpose::No, &y);
    let error = Some(Error::RankDeficient { rank: 5, needed: 8 });
    let b = random_matrix::<T>(format, 30, 1, 8);
    assert_eq!(least_squares(a.view(), b.view()).err(), error);
    let b = random_matrix::<T>(format, 8, 1, 8);
    assert_eq!(least_squares(a.transposed().view(), b.view()).err(), error);
    let zero = Matrix::<T>::zeros_in(format, 4, 2);
    let error = Some(Error::RankDeficient { rank: 0, needed: 2 });
    assert_eq!(least_squares(zero.view(), Matrix::zeros_in(format, 4, 1).view()).err(), error);
}

#[test]
fn a_deficient_rank_is_an_error() {
    at_every_precision!(deficient);
}

/// Powers of two in rows and columns change nothing but the solution's exponents.
fn scales<T: Sample>(format: T::Format) {
    let (a, b) = (random_matrix::<T>(format, 12, 4, 1), random_matrix::<T>(format, 12, 1, 2));
    let plain = least_squares(a.view(), b.view()).unwrap().x;
    let far = -T::LEAST_EXPONENT;
    let shifts = [far - 374, 424 - far, 0, 300];
    // Neither squares nor products of these are in the range; all their limbs are.
    let graded = scaled(&a, |_, j| shifts[j]);
    let found = least_squares(graded.view(), scaled(&b, |_, _| 10).view()).unwrap().x;
    for (j, shift) in shifts.into_iter().enumerate() {
        assert_eq!(found.at(j, 0).ldexp(shift - 10), plain.at(j, 0));
    }
    let huge = scaled(&b, |_, _| far - 74);
    let small = scaled(&a, |_, _| -500);
    let error = Error::Overflow { operand: "x", column: 0 };
    assert_eq!(least_squares(small.view(), huge.view()).err(), Some(error));
}

#[test]
fn entries_of_any_size() {
    at_every_precision!(scales);
}

#[test]
fn refuses_what_does_not_fit() {
    let a = Matrix::<f64>::from_fn(3, 2, |i, j| (i + 2 * j) as f64);
    let error = Error::Shape { operand: "b", expected: (3, 1), found: (2, 1) };
    assert_eq!(least_squares(a.view(), Matrix::zeros(2, 1).view()).err(), Some(error));
    let mut b = Matrix::zeros(3, 1);
    b[(1, 0)] = f64::NAN;
    let error = Error::NotFinite { operand: "b", row: 1, col: 0 };
    assert_eq!(least_squares(a.view(), b.view()).err(), Some(error));
    for (m, n) in [(0, 0), (3, 0), (0, 3)] {
        let a = Matrix::<f64>::zeros(m, n);
        let found = least_squares(a.view(), Matrix::zeros(m, 2).view()).unwrap();
        assert_eq!(found.x, Matrix::zeros(n, 2));
    }
}
