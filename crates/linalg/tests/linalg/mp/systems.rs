//! What reports say of solutions, inverses and determinants, against sums in more bits.

use nonius_linalg::backend::{Cpu, Reading};
use nonius_linalg::dense::{
    Diagonal, Method, Qr, Transpose, Triangle, determinant_on, inverse_on, relative_residual,
    residual, solve_on, solve_triangular,
};
use nonius_linalg::mp::{Bits, Matrix, Mp, MpRef};
use nonius_linalg::{Error, MatRef, Number};
use nonius_num::Real;

use super::{bits, matrix};

const PRECISIONS: [u32; 5] = [64, 106, 424, 1000, 2048];
const ORDERS: [usize; 9] = [0, 1, 2, 5, 16, 17, 33, 70, 131];

/// The bits in which the truth is computed.
fn wide(p: Bits) -> Bits {
    bits((2 * p.get() + 64).min(Bits::MOST))
}

/// `|x|·2^p` for an error `x` of numbers of `p` bits.
fn units(x: &Mp, p: Bits) -> f64 {
    x.ldexp(p.get() as i32).to_f64().abs()
}

/// `Σ x_k·y_k` and `Σ |x_k·y_k|`.
fn sums<'a>(w: Bits, terms: impl Iterator<Item = (MpRef<'a>, MpRef<'a>)>) -> (Mp, f64) {
    terms.fold((Mp::zero(w), 0.0), |(sum, size), (x, y)| {
        let product = x.to_mp(w) * y.to_mp(w);
        (sum + product, size + product.to_f64().abs())
    })
}

/// `A·Aᵀ` with so much more on the diagonal.
fn definite(p: Bits, n: usize, more: f64, seed: u64) -> Matrix {
    let g = matrix(p, n, n, seed);
    Matrix::from_fn_in(p, n, n, |i, j| {
        let (i, j) = (i.max(j), i.min(j));
        let (sum, _) = sums(wide(p), (0..n).map(|k| (g.entry(i, k), g.entry(j, k))));
        if i == j { sum + Mp::from_f64(p, more) } else { sum }
    })
}

fn each(work: impl Fn(Bits, usize)) {
    for p in PRECISIONS {
        for n in ORDERS.into_iter().filter(|&n| n < 100 || p <= 424) {
            work(bits(p), n);
        }
    }
}

/// The largest error beside the largest entry of the solution.
fn error_of(x: &Matrix, exact: impl Fn(usize, usize) -> Mp) -> Reading {
    let mut worst = Reading::ZERO;
    for j in 0..x.cols() {
        let largest = (0..x.rows()).map(|i| x.at(i, j).size()).fold(Reading::ZERO, Reading::max);
        for i in 0..x.rows() {
            worst = worst.max((x.at(i, j) - exact(i, j)).size() / largest);
        }
    }
    worst
}

#[test]
fn solutions_are_as_good_as_their_reports_say() {
    each(|p, n| {
        for method in [Method::Auto, Method::Lu, Method::GaussJordan, Method::Cholesky] {
            let a = definite(p, n, 0.5, 11);
            let exact = matrix(p, n, 3, 2);
            let w = wide(p);
            // Rounded: another system, whose solution is as near as the condition lets it.
            let b = Matrix::from_fn_in(p, n, 3, |i, j| {
                sums(w, (0..n).map(|k| (a.entry(i, k), exact.entry(k, j)))).0
            });
            let found = solve_on(Cpu::default(), a.view(), b.view(), method).unwrap();
            let report = found.report;
            if n == 0 {
                assert!(report.forward_error_estimate == 0.0);
                continue;
            }
            let unit = Mp::unit_roundoff(p);
            let error = error_of(&found.x, |i, j| exact.at(i, j));
            let what = format!("{n}, mp{p} {method}: {error:e} {report:?}");
            assert!(error <= report.forward_error_estimate * Reading::of(10.0), "{what}");
            assert!(report.forward_error_estimate <= unit * Reading::of(1e6 * n as f64), "{what}");
            assert!(report.relative_residual <= unit * Reading::of(n as f64 + 3.0), "{what}");
            assert!(report.condition_estimate >= 0.99, "{what}");
        }
    });
}

/// The Hilbert matrix, whose entries are rounded.
fn hilbert(p: Bits, n: usize) -> Matrix {
    Matrix::from_fn_in(p, n, n, |i, j| Mp::one(p) / Mp::from_f64(p, (i + j + 1) as f64))
}

#[test]
fn conditions_beyond_f64_are_told() {
    // κ of order n is about e^(3.5·n): of order 230 about 10^350.
    let p = bits(2048);
    let a = hilbert(p, 230);
    let ones = Matrix::from_fn_in(p, 230, 1, |_, _| Mp::one(p));
    let mut b = Matrix::zeros_in(p, 230, 1);
    let (no, one) = (Transpose::No, Mp::ONE);
    nonius_linalg::dense::gemm::gemm(no, no, one, a.view(), ones.view(), Mp::ZERO, b.view_mut())
        .unwrap();
    let found = solve_on(Cpu::default(), a.view(), b.view(), Method::Auto).unwrap();
    let report = found.report;
    let log = report.condition_estimate.log10();
    assert!((340.0..360.0).contains(&log), "{log}");
    let error = error_of(&found.x, |_, _| Mp::one(p));
    assert!(error <= report.forward_error_estimate, "{error:e} {report:?}");
    assert!(report.correct_digits() > 250.0 && report.correct_digits() < 280.0, "{report:?}");
}

#[test]
fn entries_of_all_exponents_are_solved() {
    let p = bits(212);
    for far in [0, 300, 5_000, 1_000_000] {
        let n = 24;
        let (rows, cols) =
            (|i: usize| far * (i as i32 % 5 - 2), |j: usize| far * (j as i32 % 3 - 1));
        let a = matrix(p, n, n, 9);
        let scaled = Matrix::from_fn_in(p, n, n, |i, j| a.at(i, j).ldexp(rows(i) + cols(j)));
        let exact = matrix(p, n, 2, 4);
        let b = Matrix::from_fn_in(p, n, 2, |i, j| {
            sums(wide(p), (0..n).map(|k| (a.entry(i, k), exact.entry(k, j)))).0.ldexp(rows(i))
        });
        let found = solve_on(Cpu::default(), scaled.view(), b.view(), Method::Lu).unwrap();
        for j in 0..2 {
            for i in 0..n {
                let x = found.x.at(i, j).ldexp(cols(i));
                let error = (x - exact.at(i, j)).size();
                assert!(error <= Mp::unit_roundoff(p) * Reading::of(1e6), "2^{far}: {error:e}");
            }
        }
        let found = determinant_on(&Cpu::default(), scaled.view()).unwrap();
        let plain = determinant_on(&Cpu::default(), a.view()).unwrap();
        let shift: i64 = (0..n).map(|i| i64::from(rows(i)) + i64::from(cols(i))).sum();
        let ratio = found.value.mantissa / plain.value.mantissa;
        let ratio = ratio.ldexp((found.value.exponent - plain.value.exponent - shift) as i32);
        let error = (ratio - Mp::ONE).size();
        assert!(error <= found.error_estimate + plain.error_estimate, "2^{far}: {error:e}");
    }
}

#[test]
fn inverses_are_told_and_right() {
    each(|p, n| {
        let a = matrix(p, n, n, 21);
        let found = inverse_on(Cpu::default(), a.view()).unwrap();
        let identity = Matrix::identity_in(p, n);
        let again = relative_residual(a.view(), found.x.view(), identity.view()).unwrap();
        assert_eq!(found.report.relative_residual, again);
        let bound = Mp::unit_roundoff(p) * Reading::of(n as f64 + 3.0);
        assert!(again <= bound, "{n}, mp{p}: {again:e}");
        // On the other side too, to what the condition allows.
        let other = residual(found.x.view(), a.view(), identity.view()).unwrap();
        let worst = error_of(
            &Matrix::from_fn_in(p, n, n, |i, j| other.at(i, j) + identity.at(i, j)),
            |i, j| identity.at(i, j),
        );
        let condition = found.report.condition_estimate;
        assert!(n == 0 || worst <= bound * condition * Reading::of(10.0), "{n}, mp{p}: {worst:e}");
    });
}

#[test]
fn residuals_are_those_of_twice_the_bits() {
    each(|p, n| {
        for columns in [1, 9] {
            let (a, x) = (matrix(p, n + 2, n, 1), matrix(p, n, columns, 2));
            let w = wide(p);
            let product = |i, j| sums(w, (0..n).map(|k| (a.entry(i, k), x.entry(k, j)))).0;
            let b = Matrix::from_fn_in(p, n + 2, columns, product);
            let r = residual(a.view(), x.view(), b.view()).unwrap();
            for j in 0..columns {
                for i in 0..n + 2 {
                    let exact = b.at(i, j).to_format(w) - product(i, j);
                    let error = units(&(r.at(i, j).to_format(w) - exact), p).abs();
                    assert!(
                        error <= (n as f64 + 4.0) * n as f64 * 2.0_f64.powi(-60),
                        "{n}, mp{p}: {error:e}"
                    );
                }
            }
        }
    });
}

#[test]
fn matrices_of_two_precisions_do_not_meet() {
    let (a, b) = (matrix(bits(106), 4, 4, 1), matrix(bits(107), 4, 4, 2));
    let found = solve_on(Cpu::default(), a.view(), b.view(), Method::Auto).unwrap_err();
    assert_eq!(found, Error::Precision { operand: "b", expected: 106, found: 107 });
    let view: MatRef<'_, Mp> = a.view();
    assert_eq!(view.format(), bits(106));

    let refused = |operand, expected, found| Some(Error::Precision { operand, expected, found });
    let judge = |a: &Matrix, x: &Matrix, b: &Matrix| {
        let (a, x, b) = (a.view(), x.view(), b.view());
        let found = residual(a, x, b).err();
        assert_eq!(relative_residual(a, x, b).err(), found);
        found
    };
    assert_eq!(judge(&a, &b, &b), refused("a", 107, 106));
    assert_eq!(judge(&b, &a, &b), refused("x", 107, 106));
    assert_eq!(judge(&a, &a, &b), refused("a", 107, 106));
    assert_eq!(judge(&a, &a, &a), None);
    let (lower, unit) = (Triangle::Lower, Diagonal::Unit);
    let found = solve_triangular(lower, Transpose::No, unit, a.view(), b.view());
    assert_eq!(found.err(), refused("b", 106, 107));
    let qr = Qr::factor(a.view()).unwrap();
    assert_eq!(qr.solve(b.view()).err(), refused("b", 106, 107));
    assert_eq!(qr.solve_transposed(b.view()).err(), refused("b", 106, 107));
    let mut c = b.clone();
    assert_eq!(qr.apply_q(Transpose::No, c.view_mut()).err(), refused("c", 106, 107));
    assert_eq!(c, b);
}

/// What the check of formats refuses would be wrong: of a matrix of more bits than `B`, the bits
/// beyond those of `B` count.
#[test]
fn residuals_take_all_bits_of_the_matrix() {
    let [few, many] = [64, 300].map(bits);
    let third = Mp::one(many) / Mp::from_f64(many, 3.0);
    let [a, x] = [third, Mp::from_f64(many, 3.0)].map(|x| Matrix::from_fn_in(many, 1, 1, |_, _| x));
    let b = Matrix::from_fn_in(few, 1, 1, |_, _| Mp::ONE);
    assert!(residual(a.view(), x.view(), b.view()).is_err());
    let r = residual(a.view(), x.view(), b.with_bits(many).view()).unwrap();
    assert!(r.at(0, 0).to_f64().abs() <= 2.0_f64.powi(-299));
}
