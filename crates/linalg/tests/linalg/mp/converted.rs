//! Operands of products that are converted once.

use nonius_linalg::dense::gemm::{Converted, Engine, Factor, Products, gemm_of};
use nonius_linalg::dense::{Side, Transpose};
use nonius_linalg::mp::Mp;
use nonius_testkit::orthogonal::scaled;

use super::*;

const CRT: Products = Products {
    engine: Some(Engine::Crt),
    arithmetic: nonius_linalg::dense::gemm::Arithmetic::Delayed,
    accuracy: nonius_linalg::dense::gemm::Accuracy::Entrywise,
    workspace: None,
};

#[test]
fn products_with_converted_operands_have_the_same_bits() {
    for (p, [m, k, n]) in [(106, [9, 30, 7]), (424, [20, 11, 40]), (1000, [5, 9, 4])] {
        let p = bits(p);
        let (a, b) = (matrix(p, m, k, 1), matrix(p, n, k, 2));
        let (no, yes) = (Transpose::No, Transpose::Yes);
        let (plain_a, plain_b) = (Factor::Matrix(no, a.view()), Factor::Matrix(yes, b.view()));
        let product = |a, b| {
            let mut c = matrix(p, m, n, 3);
            let (alpha, beta) = (Mp::from_f64(p, 3.0), Mp::from_f64(p, -0.5));
            let report = gemm_of(CRT, alpha, a, b, beta, c.view_mut()).unwrap();
            assert_eq!(report.engine, Engine::Crt);
            (c, report.bits)
        };
        let (expected, taken) = product(plain_a, plain_b);
        let left = Converted::new(Side::Left, no, a.view(), taken.unwrap());
        let right = Converted::new(Side::Right, yes, b.view(), taken.unwrap());
        assert_eq!((left.bits(), right.bits()), (taken, taken));
        for (a, b) in [
            (Factor::Converted(&left), plain_b),
            (plain_a, Factor::Converted(&right)),
            (Factor::Converted(&left), Factor::Converted(&right)),
        ] {
            let (found, bits) = product(a, b);
            assert_eq!(bits, taken);
            assert_same_bits(&found, &expected, "converted");
        }
    }
}

#[test]
fn products_that_take_more_bits_are_converted_anew() {
    let p = bits(212);
    let grade = |l: usize| 8 * (l as i32 - 10);
    let a = scaled(&matrix(p, 8, 20, 1), |_, l| grade(l));
    let b = scaled(&matrix(p, 20, 6, 2), |l, _| -grade(l));
    let right = Factor::Matrix(Transpose::No, b.view());
    let product = |left| {
        let (mut c, one, zero) = (Matrix::zeros_in(p, 8, 6), Mp::one(p), Mp::zero(p));
        let report = gemm_of(CRT, one, left, right, zero, c.view_mut()).unwrap();
        (c, report)
    };
    let (expected, plain) = product(Factor::Matrix(Transpose::No, a.view()));
    assert!(plain.bits > Some(212));
    let least = Converted::new(Side::Left, Transpose::No, a.view(), 0);
    let (found, report) = product(Factor::Converted(&least));
    assert_eq!((least.bits(), report), (Some(212), plain));
    assert_same_bits(&found, &expected, "anew");
    let enough = Converted::new(Side::Left, Transpose::No, a.view(), plain.bits.unwrap());
    let (found, report) = product(Factor::Converted(&enough));
    assert_eq!((enough.bits(), report.bits), (plain.bits, plain.bits));
    assert_same_bits(&found, &expected, "converted");
}
