//! Factors, solutions, determinants, spectra and sums of numbers of any precision against MPFR, for
//! adversarial matrices.

use nonius_linalg::Error;
use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::{
    Cholesky, Lu, Method, Triangle, asum, determinant_on, dot, eigen, eigenvalues, least_squares,
    nrm2, singular_values, solve, sum, svd,
};
use nonius_linalg::mp::Matrix;
use nonius_num::mp::{Bits, Head, Mp};
use nonius_oracle::dense::{
    self, Rows, difference, largest, magnitudes, norm, of_reading, product, rows, transposed,
};
use nonius_oracle::mp::{float, nearest, number};
use nonius_oracle::symmetric;
use nonius_testkit::orthogonal::{gamma, scaled};
use nonius_testkit::spectra::{eigen_factor, svd_factor};
use nonius_testkit::{PRECISIONS, Random, Sample, matrices};
use rug::Float;

/// Around panels of 16 columns and blocks of 32.
const ORDERS: [usize; 7] = [1, 2, 15, 17, 31, 33, 40];

/// Exponents of entries up to this one in magnitude.
const FAR: i32 = 7000;

fn bits(p: u32) -> Bits {
    Bits::new(p).unwrap()
}

/// Bits of what judges: many more than twice those of the numbers, and what cancels.
fn wide(p: Bits) -> u32 {
    4 * p.get() + 400
}

fn random(p: Bits, rows: usize, cols: usize, range: i32, seed: u64) -> Matrix {
    let mut random = Random::new(seed);
    Matrix::from_fn_in(p, rows, cols, |_, _| number(p, range, &mut random))
}

/// Square matrices that are hard on elimination.
fn inputs(p: Bits, n: usize) -> Vec<(&'static str, Matrix)> {
    let plain = random(p, n, n, 2, n as u64);
    let tiny = random(p, n, n, 2, 100 + n as u64);
    let grade = |i: usize| FAR / 2 * (i as i32 % 5 - 2);
    let cancelling = Matrix::from_fn_in(p, n, n, |i, j| match i {
        0 => plain.at(0, j),
        _ => plain.at(0, j) + tiny.at(i, j).ldexp(-(p.get() as i32) / 2),
    });
    let sparse = Matrix::from_fn_in(p, n, n, |i, j| {
        if i == j || (i * 7 + j * 3) % 5 == 0 { plain.at(i, j) } else { Mp::zero(p) }
    });
    vec![
        ("random", plain.clone()),
        ("of all exponents", random(p, n, n, FAR, 200 + n as u64)),
        ("graded rows", scaled(&plain, |i, _| grade(i))),
        ("graded columns", scaled(&plain, |_, j| grade(j))),
        ("graded rows and columns", scaled(&plain, |i, j| grade(i) + grade(j + 2))),
        ("nearly equal rows", cancelling),
        ("zeros", sparse),
        ("near the least exponent", scaled(&plain, |_, _| Head::LEAST_EXPONENT + 9000)),
        ("near the greatest exponent", scaled(&plain, |_, _| Head::GREATEST_EXPONENT - 200)),
    ]
}

/// `γ_n` in units of roundoff: `n` products subtracted in pieces, and a division or a root.
fn gamma_of_factors(n: usize) -> f64 {
    Mp::sum_error(n) + (n as f64 / 16.0 + 4.0) * (Mp::sum_error(0) + 2.0) + 8.0
}

/// Panics unless `|X| <= units·2^-p·S`, entry by entry.
fn assert_within(p: Bits, x: &Rows, size: &Rows, units: f64, what: &str) {
    for (i, (x, size)) in x.iter().zip(size).enumerate() {
        for (j, (x, size)) in x.iter().zip(size).enumerate() {
            let bound = Float::with_val(64, size * units) >> p.get();
            let error = Float::with_val(64, x.abs_ref());
            assert!(error <= bound, "mp{p} {what} ({i}, {j}): {error:.3} > {bound:.3}");
        }
    }
}

/// The rows in the order that exchanges bring them to.
fn permuted(mut a: Rows, pivots: &[usize]) -> Rows {
    pivots.iter().enumerate().for_each(|(i, &row)| a.swap(i, row));
    a
}

fn each(check: impl Fn(Bits, usize, &str, Matrix)) {
    for p in PRECISIONS.map(bits) {
        for n in ORDERS.into_iter().filter(|&n| n < 40 || p.get() <= 424) {
            for (what, a) in inputs(p, n) {
                check(p, n, &format!("{what}, order {n}"), a);
            }
        }
    }
}

#[test]
fn lu_factors_and_solutions_are_backward_stable() {
    each(|p, n, what, a| {
        let w = wide(p);
        let lu = Lu::factor(a.view()).unwrap();
        let (l, u) = lu.triangles().unwrap();
        let (l, u, exact) = (rows(&l), rows(&u), permuted(rows(&a), lu.pivots()));
        let size = product(&magnitudes(&l), &magnitudes(&u), 64);
        let gamma = gamma_of_factors(n);
        assert_within(p, &difference(&exact, &product(&l, &u, w), w), &size, gamma, what);
        let b = random(p, n, 2, 3, 5);
        let inverse = lu.inverse().unwrap();
        let identity = Matrix::identity_in(p, n);
        for (b, x) in [(&b, &lu.solve(b.view()).unwrap()), (&identity, &inverse)] {
            let (b, x) = (permuted(rows(b), lu.pivots()), rows(x));
            let residual = difference(&b, &product(&exact, &x, w), w);
            let size = product(&size, &magnitudes(&x), 64);
            assert_within(p, &residual, &size, 3.0 * gamma, &format!("solution, {what}"));
        }
    });
}

#[test]
fn errors_of_solutions_and_determinants_are_no_larger_than_stated() {
    each(|p, n, what, a| {
        let (w, b) = (wide(p), random(p, n, 2, 3, 6));
        let Some((determinant, exact)) = dense::solve(rows(&a), rows(&b), w) else {
            panic!("{what}: singular")
        };
        for method in [Method::Auto, Method::Lu, Method::GaussJordan] {
            let found = solve(a.view(), b.view(), method).unwrap();
            let errors = transposed(&difference(&rows(&found.x), &exact, w));
            for (error, exact) in errors.iter().zip(&transposed(&exact)) {
                let (error, size) = (largest(error), largest(exact));
                let stated = of_reading(found.report.forward_error_estimate);
                let what = format!("mp{p} {method} {what}: {error:.3} of {size:.3}");
                assert!(error <= stated * size, "{what}, {:?}", found.report);
            }
        }
        // MPFR's exponents have 31 bits.
        if what.starts_with("near the") {
            return;
        }
        let found = determinant_on(&Cpu::default(), a.view()).unwrap();
        let value = float(found.value.mantissa.view()) << found.value.exponent as i32;
        let error = Float::with_val(w, value - &determinant).abs();
        let stated = of_reading(found.error_estimate) * determinant.clone().abs();
        assert!(error <= stated, "mp{p} determinant, {what}: {error:.3} > {stated:.3}");
    });
}

#[test]
fn matrices_without_rank_are_refused() {
    for p in PRECISIONS.map(bits) {
        for n in [2, 16, 17, 33, 40] {
            for row in [0, n / 2, n - 1] {
                let plain = random(p, n, n, FAR, n as u64);
                let zeros = Matrix::from_fn_in(p, n, n, |i, j| {
                    if i == row { Mp::zero(p) } else { plain.at(i, j) }
                });
                // Elimination finds the row of zeros when no other is left.
                let error = Some(Error::Singular { column: n - 1 });
                assert_eq!(Lu::factor(zeros.view()).err(), error, "mp{p}, order {n}");
                let found = determinant_on(&Cpu::default(), zeros.view()).unwrap();
                assert_eq!(found.value.sign(), 0);
                let zeros = Matrix::from_fn_in(p, n, n, |i, j| {
                    if j == row { Mp::zero(p) } else { plain.at(i, j) }
                });
                let error = Some(Error::Singular { column: row });
                assert_eq!(Lu::factor(zeros.view()).err(), error, "mp{p}, order {n}");
            }
        }
    }
}

/// `G·Gᵀ + I`, and that with rows and columns of very different sizes.
fn definite(p: Bits, n: usize) -> [(&'static str, Matrix); 4] {
    let g = rows(&random(p, n, n, 2, 7));
    let square = product(&g, &transposed(&g), p.get());
    let a = Matrix::from_fn_in(p, n, n, |i, j| {
        let entry = nearest(p, &square[i.max(j)][i.min(j)]);
        if i == j { entry + Mp::one(p) } else { entry }
    });
    let grade = |i: usize| FAR / 2 * (i as i32 % 5 - 2);
    let both = scaled(&a, |i, j| grade(i) + grade(j));
    let [least, greatest] = [Head::LEAST_EXPONENT + 9000, Head::GREATEST_EXPONENT - 200];
    [
        ("graded", both),
        ("near the least exponent", scaled(&a, |_, _| least)),
        ("near the greatest exponent", scaled(&a, |_, _| greatest)),
        ("definite", a),
    ]
}

#[test]
fn cholesky_factors_and_solutions_are_backward_stable() {
    for p in PRECISIONS.map(bits) {
        let w = wide(p);
        for (n, (what, a)) in ORDERS.into_iter().flat_map(|n| definite(p, n).map(|a| (n, a))) {
            let factor = Cholesky::factor(Triangle::Lower, a.view()).unwrap();
            let (l, exact) = (rows(&factor.lower().unwrap()), rows(&a));
            let upper = transposed(&l);
            let size = product(&magnitudes(&l), &magnitudes(&upper), 64);
            let error = difference(&exact, &product(&l, &upper, w), w);
            let what = format!("{what}, order {n}");
            assert_within(p, &error, &size, gamma_of_factors(n + 1), &what);
            let b = random(p, n, 2, 3, 8);
            let x = rows(&factor.solve(b.view()).unwrap());
            let residual = difference(&rows(&b), &product(&exact, &x, w), w);
            let size = product(&size, &magnitudes(&x), 64);
            let units = gamma_of_factors(3 * n + 1);
            assert_within(p, &residual, &size, units, &format!("solution, {what}"));
            // A row of zeros decides at its own step.
            let zeros = Matrix::from_fn_in(p, n, n, |i, j| {
                if i.max(j) == n / 2 || i.min(j) == n / 2 { Mp::zero(p) } else { a.at(i, j) }
            });
            match Cholesky::factor(Triangle::Lower, zeros.view()).err() {
                Some(Error::NotPositiveDefinite { index, .. }) => assert_eq!(index, n / 2),
                other => panic!("mp{p} {what}: {other:?}"),
            }
        }
    }
}

/// Symmetric matrices that are hard on rotations.
fn symmetric_inputs(p: Bits, n: usize) -> Vec<(&'static str, Matrix)> {
    let plain = random(p, n, n, 2, 9);
    let of = |entry: &dyn Fn(usize, usize) -> Mp| {
        Matrix::from_fn_in(p, n, n, |i, j| entry(i.max(j), i.min(j)))
    };
    let a = of(&|i, j| plain.at(i, j));
    // Eigenvalues that agree to half of their bits.
    let near = of(&|i, j| {
        let tiny = plain.at(i, j).ldexp(-(p.get() as i32) / 2);
        if i == j { Mp::one(p) + tiny } else { tiny }
    });
    let gap = of(&|i, j| if i == n / 2 || j == n / 2 { Mp::zero(p) } else { plain.at(i, j) });
    vec![
        ("graded", scaled(&a, |i, j| -7 * (i + j) as i32)),
        ("graded far", scaled(&a, |i, j| -FAR / 12 * (i + j) as i32)),
        ("huge", scaled(&a, |_, _| FAR)),
        ("tiny", scaled(&a, |_, _| -FAR)),
        ("hilbert", of(&|i, j| matrices::hilbert(p, i, j))),
        ("nearly a multiple of the identity", near),
        ("a row of zeros", gap),
        ("random", a),
    ]
}

/// Panics unless values are within a bound of the exact ones.
fn assert_values(found: &[Mp], exact: &[Float], bound: &Float, what: &str) {
    assert_eq!(found.len(), exact.len());
    for (x, y) in found.iter().zip(exact) {
        let error = Float::with_val(y.prec(), float(x.view()) - y).abs();
        assert!(error <= *bound, "{what}: {error:.3} > {bound:.3}");
    }
}

/// `X·diag(values)`
fn times(x: &Rows, values: &[Mp], bits: u32) -> Rows {
    let values: Vec<Float> = values.iter().map(|x| float(x.view())).collect();
    let of_row = |row: &Vec<Float>| {
        row.iter().zip(&values).map(|(x, y)| Float::with_val(bits, x * y)).collect()
    };
    x.iter().map(of_row).collect()
}

/// Panics unless `‖XᵀX − I‖_F` is within a bound.
fn assert_orthonormal(x: &Rows, bound: &Float, bits: u32, what: &str) {
    let gram = product(&transposed(x), x, bits);
    let unit = |i, j| Float::with_val(64, u32::from(i == j));
    let n = gram.len();
    let identity = (0..n).map(|i| (0..n).map(|j| unit(i, j)).collect()).collect();
    let error = norm(&difference(&gram, &identity, bits));
    assert!(error <= *bound, "{what}: {error:.3} > {bound:.3}");
}

#[test]
fn eigenvalues_and_vectors_against_mpfr() {
    let n = 12;
    for p in PRECISIONS.map(bits) {
        let w = 2 * p.get() + 400;
        for (what, a) in symmetric_inputs(p, n) {
            let (what, exact) = (format!("mp{p} {what}"), rows(&a));
            let (values, _) = symmetric::eigen(exact.clone(), w);
            let factor = of_reading(eigen_factor::<Mp>(p, n));
            let bound = Float::with_val(64, &factor * norm(&exact));
            assert_values(&eigenvalues(a.view()).unwrap(), &values, &bound, &what);
            let found = eigen(a.view()).unwrap();
            assert_values(&found.values, &values, &bound, &what);
            let v = rows(&found.vectors.unwrap());
            let scale = Float::with_val(64, &factor * (n as f64).sqrt());
            assert_orthonormal(&v, &scale, w, &what);
            let residual = difference(&product(&exact, &v, w), &times(&v, &found.values, w), w);
            let error = norm(&residual);
            assert!(error <= bound, "{what}, vectors: {error:.3} > {bound:.3}");
        }
    }
}

/// The eigenvalues of `[0 A; Aᵀ 0]` are the singular values of `A` with either sign.
#[test]
fn singular_values_and_vectors_against_mpfr() {
    let n = 8;
    for p in PRECISIONS.map(bits) {
        let w = 2 * p.get() + 400;
        let squares = symmetric_inputs(p, n)
            .into_iter()
            .chain(inputs(p, n).into_iter().filter(|(what, _)| !what.starts_with("near the")));
        for (what, a) in squares {
            let (what, exact) = (format!("mp{p} {what}"), rows(&a));
            let turned = transposed(&exact);
            let zeros = || vec![Float::new(w); n];
            let upper = exact.iter().map(|row| [zeros(), row.clone()].concat());
            let lower = turned.iter().map(|row| [row.clone(), zeros()].concat());
            let (mut values, _) = symmetric::eigen(upper.chain(lower).collect(), w);
            values.drain(..n);
            values.reverse();
            let factor = of_reading(svd_factor::<Mp>(p, (n, n)));
            let bound = Float::with_val(64, &factor * norm(&exact));
            assert_values(&singular_values(a.view()).unwrap(), &values, &bound, &what);
            let found = svd(a.view()).unwrap();
            assert_values(&found.values, &values, &bound, &what);
            let (u, v) = found.vectors.unwrap();
            let (u, v) = (rows(&u), rows(&v));
            let scale = Float::with_val(64, &factor * (n as f64).sqrt());
            assert_orthonormal(&u, &scale, w, &what);
            assert_orthonormal(&v, &scale, w, &what);
            let back = product(&times(&u, &found.values, w), &transposed(&v), w);
            let error = norm(&difference(&back, &exact, w));
            assert!(error <= bound, "{what}, vectors: {error:.3} > {bound:.3}");
        }
    }
}

/// `(AᵀA)⁻¹·Aᵀb` in bits enough for the square of the condition.
#[test]
fn least_squares_against_mpfr() {
    let (m, n) = (34, 17);
    for p in PRECISIONS.map(bits) {
        let w = wide(p);
        let plain = random(p, m, n, 2, 11);
        let graded = |step: i32| scaled(&plain, |_, j| step * (j as i32 % 5 - 2));
        for (what, a) in [("random", &plain), ("graded", &graded(9)), ("far", &graded(FAR / 2))] {
            let b = random(p, m, 1, 2, 12);
            let found = least_squares(a.view(), b.view()).unwrap();
            let (exact_a, exact_b) = (rows(a), rows(&b));
            let turned = transposed(&exact_a);
            let (square, right) = (product(&turned, &exact_a, w), product(&turned, &exact_b, w));
            let (_, exact) = dense::solve(square, right, w).unwrap();
            let error = largest(difference(&rows(&found.x), &exact, w).iter().flatten());
            let factor = of_reading(gamma::<Mp>(p, m, n) / Mp::units(p, 1.0));
            let stated = factor * of_reading(found.report.forward_error_estimate);
            let bound = stated * largest(exact.iter().flatten());
            assert!(error <= bound, "mp{p} {what}: {error:.3} > {bound:.3}");
        }
    }
}

/// The bounds of `cpu::mp::reduce`, relative to the sum of magnitudes, however much cancels.
#[test]
fn sums_and_norms_are_within_their_bounds() {
    for p in PRECISIONS.map(bits) {
        for (n, range) in [(0, 1), (1, 1), (7, 2), (65, 40), (300, FAR), (2000, 3)] {
            let (x, y) = (random(p, n, 1, range, 13), random(p, n, 1, range, 14));
            // The second half cancels the first, but for the last of it.
            let x = Matrix::from_fn_in(p, 2 * n, 1, |i, _| {
                if i < n { x.at(i, 0) } else { -x.at(2 * n - 1 - i, 0) + x.at(n - 1, 0).ldexp(-90) }
            });
            let y = Matrix::from_fn_in(p, 2 * n, 1, |i, _| y.at(i.min(2 * n - 1 - i), 0));
            let all = |x: &Matrix| -> Vec<Float> { transposed(&rows(x)).concat() };
            let (a, b) = (all(&x), all(&y));
            let sizes = |x: &[Float]| -> Vec<Float> { x.iter().map(|x| x.clone().abs()).collect() };
            let (sizes_a, sizes_b) = (sizes(&a), sizes(&b));
            let w = 2 * (p.get() + FAR as u32) + 200;
            let rounds = (2 * n).div_ceil(1024).max(1).next_power_of_two().ilog2();
            let units = 1.0 + 2.0_f64.powi(-40) + f64::from(rounds);
            let check = |found: Mp, exact: Float, size: Float, units: f64, what: &str| {
                let error = Float::with_val(64, float(found.view()) - exact).abs();
                let bound = Float::with_val(64, size * units) >> p.get();
                assert!(error <= bound, "mp{p} {what} of {n}: {error:.3} > {bound:.3}");
            };
            let size = Float::with_val(64, Float::dot(sizes_a.iter().zip(&sizes_b)));
            let exact = Float::with_val(w, Float::dot(a.iter().zip(&b)));
            check(dot(&x, &y).unwrap(), exact, size, units, "dot");
            let size = Float::with_val(w, Float::sum(sizes_a.iter()));
            check(sum(&x), Float::with_val(w, Float::sum(a.iter())), size.clone(), units, "sum");
            check(asum(&x), size.clone(), size, units, "sum of magnitudes");
            let exact = Float::with_val(w, Float::dot(a.iter().zip(&a))).sqrt();
            let size = Float::with_val(64, &exact);
            check(nrm2(&x), exact, size, units / 2.0 + 1.0, "norm");
        }
    }
}
