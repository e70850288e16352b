//! The host's kernels with operands of several precisions, and factors of more bits than the result
//! has.

use nonius_linalg::cpu::gemm::gemm;
use nonius_linalg::cpu::gemv::gemv;
use nonius_linalg::cpu::reduce::dot;
use nonius_linalg::cpu::residual::residual;
use nonius_linalg::cpu::syrk::syrk;
use nonius_linalg::cpu::trsm::trsm;
use nonius_linalg::dense::gemm::{Engine, Products};
use nonius_linalg::dense::{Diagonal, Side, Transpose, Triangle};
use nonius_linalg::mp::{Bits, Matrix, Mp};
use nonius_linalg::{MatRef, Number};

use super::{assert_same_bits, bits, matrix};

const TRANSPOSES: [Transpose; 2] = [Transpose::No, Transpose::Yes];
/// Bits in which the sums of these tests are exact, or nearly so.
const EXACT: u32 = 2000;

/// `|found − expected| <= 2^-p·size`
fn near(found: Mp, expected: Mp, p: u32, size: Mp, what: &str) {
    let bound = size.ldexp(-(p as i32));
    assert!((found - expected).abs() <= bound, "{what}: {found} is not near {expected}");
}

/// `op(A)·op(B)` and `|op(A)||op(B)|`, entry by entry.
fn products(
    transposes: [Transpose; 2],
    a: MatRef<'_, Mp>,
    b: MatRef<'_, Mp>,
) -> impl Fn(usize, usize) -> (Mp, Mp) {
    let [of_a, of_b] = transposes;
    move |i, j| {
        let terms = (0..of_a.shape(a.shape()).1).map(|l| {
            let product = a.at_op(of_a, i, l).in_bits(bits(EXACT)) * b.at_op(of_b, l, j);
            (product, product.abs())
        });
        terms.fold((Mp::ZERO, Mp::ZERO), |(sum, size), (x, y)| (sum + x, size + y))
    }
}

#[test]
fn sums_of_products_have_the_bits_of_the_wider_vector() {
    let (few, many) = (matrix(bits(64), 1500, 1, 1), matrix(bits(300), 1500, 1, 2));
    let (sum, size) = products([Transpose::Yes, Transpose::No], few.view(), many.view())(0, 0);
    for (x, y) in [(&few, &many), (&many, &few)] {
        let found = dot(x.column(0), y.column(0));
        assert_eq!(found.bits(), bits(300));
        near(found, sum, 298, size, "dot");
    }
    assert_eq!(dot(few.column(0).range(0..0), many.column(0).range(0..0)).bits(), bits(300));
}

#[test]
fn products_have_the_bits_of_the_result() {
    for (p, q) in [(64, 256), (256, 64)] {
        let (a, b) = (matrix(bits(p), 30, 20, 1), matrix(bits(q), 20, 9, 2));
        let product = products([Transpose::No; 2], a.view(), b.view());
        for engine in [Engine::Direct, Engine::Crt] {
            let how = Products { engine: Some(engine), ..Products::default() };
            let mut c = Matrix::zeros_in(bits(256), 30, 9);
            let (no, c_mut) = (Transpose::No, c.view_mut());
            let report = gemm(how, no, no, Mp::ONE, a.view(), b.view(), Mp::ZERO, c_mut);
            assert_eq!(report.engine, engine);
            for (i, j) in (0..30).flat_map(|i| (0..9).map(move |j| (i, j))) {
                let (sum, size) = product(i, j);
                near(c.at(i, j), sum, 250, size, "product");
            }
        }
        let y = Matrix::zeros_in(bits(256), 30, 1);
        for transpose in TRANSPOSES {
            let a = if transpose == Transpose::Yes { a.transposed() } else { a.clone() };
            let mut y = y.clone();
            gemv(transpose, Mp::ONE, a.view(), b.column(0), Mp::ZERO, y.column_mut(0));
            for i in 0..30 {
                let (sum, size) = product(i, 0);
                near(y.at(i, 0), sum, 254, size, "product with a vector");
            }
        }
    }
}

/// `B − A·X` where it cancels to the last bits of `B`, for few columns and for many.
#[test]
fn residuals_carry_64_bits_more_than_the_widest_operand() {
    const K: usize = 12;
    for (of_a, of_x, of_b) in [(300, 64, 64), (64, 300, 64), (64, 64, 300), (4096, 64, 64)] {
        for columns in [3, 9] {
            let (a, x) = (matrix(bits(of_a), 10, K, 1), matrix(bits(of_x), K, columns, 2));
            let product = products([Transpose::No; 2], a.view(), x.view());
            let b = Matrix::from_fn_in(bits(of_b), 10, columns, |i, j| product(i, j).0);
            let mut r = b.clone();
            residual(a.view(), x.view(), r.view_mut());
            for (i, j) in (0..10).flat_map(|i| (0..columns).map(move |j| (i, j))) {
                let (sum, size) = product(i, j);
                let expected = b.at(i, j) - sum;
                let carried = of_a.max(of_x).max(of_b).min(1000) + 64 - 6;
                let rounding = expected.abs().ldexp(-(of_b as i32));
                let bound = rounding + size.ldexp(-(carried as i32));
                let what = format!("{of_a} {of_x} {of_b}, {columns} columns");
                near(r.at(i, j), expected, 0, bound, &what);
            }
        }
    }
}

#[test]
fn residuals_that_vanish_are_plus_zero() {
    for columns in [1, 7, 8, 20] {
        let a = Matrix::from_fn_in(bits(100), 4, 3, |i, j| Mp::from_f64(bits(100), (i + j) as f64));
        let x = Matrix::from_fn_in(bits(100), 3, columns, |_, _| Mp::ONE);
        let mut r = Matrix::from_fn_in(bits(100), 4, columns, |i, _| {
            Mp::from_f64(bits(100), (3 * i + 3) as f64)
        });
        // A zero with a sign, less a sum of nothing but zeros.
        let zeros = Matrix::zeros_in(bits(100), 4, 3);
        let mut signed = Matrix::from_fn_in(bits(100), 4, columns, |_, _| -Mp::ZERO);
        residual(a.view(), x.view(), r.view_mut());
        residual(zeros.view(), x.view(), signed.view_mut());
        for r in [r, signed] {
            assert_same_bits(&r, &Matrix::zeros_in(bits(100), 4, columns), "residual");
        }
    }
}

#[test]
fn triangular_systems_are_solved_to_the_bits_of_the_right_hand_sides() {
    let n = 40;
    let entry = |a: &Matrix, i: usize, j: usize| match i.cmp(&j) {
        core::cmp::Ordering::Less => Mp::ZERO,
        core::cmp::Ordering::Equal => a.at(i, j) + Mp::from_f64(bits(64), 4.0),
        core::cmp::Ordering::Greater => a.at(i, j),
    };
    let random = matrix(bits(64), n, n, 1);
    let a = Matrix::from_fn_in(bits(64), n, n, |i, j| entry(&random, i, j));
    for (side, transpose) in [
        (Side::Left, Transpose::No),
        (Side::Left, Transpose::Yes),
        (Side::Right, Transpose::No),
        (Side::Right, Transpose::Yes),
    ] {
        for rights in [1, 6] {
            let (rows, cols) = if side == Side::Left { (n, rights) } else { (rights, n) };
            let b = matrix(bits(256), rows, cols, 2);
            let mut x = b.clone();
            let (lower, unit) = (Triangle::Lower, Diagonal::NonUnit);
            trsm(side, lower, transpose, unit, Mp::ONE, a.view(), x.view_mut());
            let (no, a, x) = (Transpose::No, a.view(), x.view());
            for (i, j) in (0..rows).flat_map(|i| (0..cols).map(move |j| (i, j))) {
                let (sum, size) = match side {
                    Side::Left => products([transpose, no], a, x)(i, j),
                    Side::Right => products([no, transpose], x, a)(i, j),
                };
                near(sum, b.at(i, j), 250, size, "right-hand side");
            }
        }
    }
}

/// A third, which rounds differently to fewer bits.
fn third() -> Mp {
    Mp::one(bits(4096)) / Mp::from_f64(bits(4096), 3.0)
}

/// Runs `work`, which changes a matrix, with factors as they are and with factors that are rounded
/// before.
fn check_rounding(what: &str, p: Bits, work: impl Fn([Mp; 2], &mut Matrix)) {
    let factors = [third(), -third() * third()];
    let results = [factors, factors.map(|x| x.in_bits(p))].map(|factors| {
        let mut c = matrix(p, 20, 20, 3);
        work(factors, &mut c);
        c
    });
    assert_same_bits(&results[0], &results[1], what);
}

#[test]
fn factors_are_rounded_to_the_bits_of_the_result() {
    let no = Transpose::No;
    for p in [64, 106, 424].map(bits) {
        let (a, b) = (matrix(p, 20, 20, 1), matrix(p, 20, 20, 2));
        let (a, b) = (a.view(), b.view());
        for engine in [Engine::Direct, Engine::Crt] {
            let how = Products { engine: Some(engine), ..Products::default() };
            check_rounding("product", p, |[alpha, beta], c| {
                gemm(how, no, no, alpha, a, b, beta, c.view_mut());
            });
            check_rounding("triangle", p, |[alpha, beta], c| {
                syrk(how, Triangle::Lower, no, alpha, a, beta, c.view_mut());
            });
        }
        check_rounding("no terms", p, |[alpha, beta], c| {
            let how = Products::default();
            let (a, b) = (a.block(0, 0, 20, 0), b.block(0, 0, 0, 20));
            gemm(how, no, no, alpha, a, b, beta, c.view_mut());
        });
        for transpose in TRANSPOSES {
            check_rounding("product with a vector", p, |[alpha, beta], c| {
                gemv(transpose, alpha, a, b.column(0), beta, c.column_mut(0));
            });
        }
        for side in [Side::Left, Side::Right] {
            check_rounding("triangular system", p, |[alpha, _], c| {
                let (lower, unit) = (Triangle::Lower, Diagonal::NonUnit);
                trsm(side, lower, no, unit, alpha, a, c.view_mut());
            });
        }
        check_rounding("multiple", p, |[alpha, _], c| multiple(alpha, c));
        check_rounding("quotient", p, |[alpha, _], c| quotient(alpha, c));
    }
}

fn multiple<T: Number>(alpha: T, c: &mut nonius_linalg::Matrix<T>) {
    T::scale(c.numbers_mut(), alpha);
}

fn quotient<T: Number>(by: T, c: &mut nonius_linalg::Matrix<T>) {
    T::divide(c.numbers_mut(), by);
}
