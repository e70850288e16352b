//! Operands of products by residues that are converted once: the bits of whole products, bounds
//! whatever the other operand, and triangles.

use nonius_linalg::cpu;
use nonius_linalg::dense::gemm::crt::Fallback;
use nonius_linalg::dense::gemm::{
    Arithmetic, Converted, Engine, Factor, Products, Report, gemm_of,
};
use nonius_linalg::dense::{Matrix, Side, Transpose, Triangle};
use nonius_linalg::{Error, MatRef, Scalar};
use nonius_num::{Dd, Qd, Td};
use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::{ExactSum, Random, Sample};

const CRT: Products = Products {
    engine: Some(Engine::Crt),
    arithmetic: Arithmetic::Delayed,
    accuracy: nonius_linalg::dense::gemm::Accuracy::Entrywise,
    workspace: None,
};

fn matrix<T: Scalar + Sample>(rows: usize, cols: usize, seed: u64) -> Matrix<T> {
    let mut random = Random::new(seed);
    Matrix::from_fn(rows, cols, |_, _| {
        let limbs = random.limbs::<4>();
        T::from_limbs(|l| limbs[l])
    })
}

type Operand<'a, T> = Factor<'a, MatRef<'a, T>>;

/// `C ← 3·A·B − C` over the same `C` each time.
fn product<T: Scalar + Sample>(
    how: Products,
    a: Operand<'_, T>,
    b: Operand<'_, T>,
    shape: (usize, usize),
) -> (Matrix<T>, Report) {
    let mut c = matrix(shape.0, shape.1, 77);
    let report = gemm_of(how, T::from_f64(3.0), a, b, -T::ONE, c.view_mut()).unwrap();
    (c, report)
}

#[test]
fn products_with_converted_operands_have_the_same_bits() {
    fn check<T: Scalar + Sample>(m: usize, k: usize, n: usize) {
        let (a, b) = (matrix::<T>(m, k, 1), matrix::<T>(n, k, 2));
        let (no, yes) = (Transpose::No, Transpose::Yes);
        let (plain_a, plain_b) = (Factor::Matrix(no, a.view()), Factor::Matrix(yes, b.view()));
        let left = Converted::new(Side::Left, no, a.view(), 0);
        let right = Converted::new(Side::Right, yes, b.view(), 0);
        assert_eq!(left.bits(), Some(53 * T::LIMBS as u32));
        let (expected, report) = product(CRT, plain_a, plain_b, (m, n));
        assert_eq!(report.bits, left.bits());
        for (left, right) in [
            (Factor::Converted(&left), plain_b),
            (plain_a, Factor::Converted(&right)),
            (Factor::Converted(&left), Factor::Converted(&right)),
        ] {
            let (found, converted) = product(CRT, left, right, (m, n));
            assert_eq!((converted.engine, converted.bits), (Engine::Crt, report.bits));
            assert_same_bits(&found, &expected, "converted");
        }
        // Twice, and with another operand.
        let other = matrix::<T>(k, 5, 3);
        let other = Factor::Matrix(no, other.view());
        let (expected, _) = product(CRT, plain_a, other, (m, 5));
        let (found, _) = product(CRT, Factor::Converted(&left), other, (m, 5));
        assert_same_bits(&found, &expected, "another");
    }
    check::<Dd>(70, 90, 40);
    check::<Td>(33, 20, 65);
    check::<Qd>(17, 130, 50);
    check::<Qd>(1, 1, 1);
}

#[test]
fn the_bound_holds_with_operands_that_take_more_bits_or_fewer() {
    let (m, k, n) = (20, 64, 15);
    let limbs = |x: Dd| x.limbs();
    for (span, bits) in [(0, 0), (0, 150), (20, 0), (20, 200), (300, 0)] {
        let mut random = Random::new(span as u64);
        let grades: Vec<i32> =
            (0..k).map(|_| random.below(2 * span + 1) as i32 - span as i32).collect();
        let (a, b) = (matrix::<Dd>(m, k, 4), matrix::<Dd>(k, n, 5));
        let a = Matrix::from_fn(m, k, |i, l| a[(i, l)].ldexp(grades[l]));
        let b = Matrix::from_fn(k, n, |l, j| b[(l, j)].ldexp(-grades[l]));
        let left = Converted::new(Side::Left, Transpose::No, a.view(), bits);
        let right = Factor::Matrix(Transpose::No, b.view());
        let mut c = matrix(m, n, 6);
        let report =
            gemm_of(CRT, Dd::ONE, Factor::Converted(&left), right, Dd::ZERO, c.view_mut()).unwrap();
        for j in 0..n {
            for i in 0..m {
                let (mut sum, mut size) = (ExactSum::new(), 0.0);
                for l in 0..k {
                    sum.add_product(&limbs(a[(i, l)]), &limbs(b[(l, j)]));
                    size += (a[(i, l)].to_f64() * b[(l, j)].to_f64()).abs();
                }
                let units = sum.distance(&limbs(c[(i, j)])) / (size * Dd::UNIT_ROUNDOFF);
                assert!(units <= Arithmetic::Delayed.error::<Dd>(k), "2^{span}: {units}");
            }
        }
        // Those converted where they do, others where not, and the direct engine where there are
        // not enough.
        match (span, bits) {
            (0, _) | (20, 200) => assert_eq!(report.bits, Some(bits.max(106))),
            (20, _) => assert!(report.bits > left.bits(), "{report:?}"),
            _ => assert!(matches!(report.fallback, Some(Fallback::Spread { .. })), "{report:?}"),
        }
    }
}

#[test]
fn operands_of_different_bits_are_multiplied() {
    let (a, b) = (matrix::<Dd>(30, 40, 1), matrix::<Dd>(40, 20, 2));
    let left = Converted::new(Side::Left, Transpose::No, a.view(), 0);
    let right = Converted::new(Side::Right, Transpose::No, b.view(), 120);
    let (c, report) = product(CRT, Factor::Converted(&left), Factor::Converted(&right), (30, 20));
    assert_eq!(report.bits, Some(106));
    let plain = Factor::Matrix(Transpose::No, b.view());
    assert_same_bits(&c, &product(CRT, Factor::Converted(&left), plain, (30, 20)).0, "fewer bits");
}

#[test]
fn what_cannot_be_converted_is_multiplied_as_it_is() {
    let mut a = matrix::<Dd>(9, 20, 7);
    a[(3, 4)] = Dd::from(f64::INFINITY);
    let b = matrix::<Dd>(20, 8, 8);
    let left = Converted::new(Side::Left, Transpose::No, a.view(), 0);
    assert_eq!((left.bits(), left.fallback()), (None, Some(Fallback::NotFinite)));
    let plain = Factor::Matrix(Transpose::No, b.view());
    let (c, report) = product(CRT, Factor::Converted(&left), plain, (9, 8));
    assert_eq!(report.fallback, Some(Fallback::NotFinite));
    let (expected, _) = product(CRT, Factor::Matrix(Transpose::No, a.view()), plain, (9, 8));
    assert_same_bits(&c, &expected, "not finite");
    // The direct engine takes the matrix.
    let finite = matrix::<Dd>(9, 20, 9);
    let left = Converted::new(Side::Left, Transpose::No, finite.view(), 0);
    let (c, report) = product(Products::direct(), Factor::Converted(&left), plain, (9, 8));
    assert_eq!(report, Report::direct());
    let plain_a = Factor::Matrix(Transpose::No, finite.view());
    assert_same_bits(&c, &product(Products::direct(), plain_a, plain, (9, 8)).0, "direct");
}

#[test]
fn the_wrong_side_and_shapes_are_errors_and_empty_ones_are_not() {
    let a = matrix::<Dd>(6, 6, 1);
    let right = Converted::new(Side::Right, Transpose::No, a.view(), 0);
    let mut c = matrix::<Dd>(6, 6, 2);
    let (one, plain) = (Dd::ONE, Factor::Matrix(Transpose::No, a.view()));
    let error = gemm_of(CRT, one, Factor::Converted(&right), plain, one, c.view_mut()).unwrap_err();
    assert_eq!(error, Error::WrongSide { needed: Side::Left });
    assert_eq!(error.to_string(), "the left operand of a product was converted for the right side");
    let other = matrix::<Dd>(6, 5, 3);
    let wide = Factor::Matrix(Transpose::Yes, other.view());
    let error = gemm_of(CRT, one, wide, Factor::Converted(&right), one, c.view_mut()).unwrap_err();
    assert!(matches!(error, Error::Shape { .. }));

    let (nothing, none) = (Matrix::<Dd>::zeros(6, 0), Matrix::<Dd>::zeros(0, 4));
    let left = Converted::new(Side::Left, Transpose::No, nothing.view(), 0);
    let plain = Factor::Matrix(Transpose::No, none.view());
    let mut c = matrix::<Dd>(6, 4, 2);
    gemm_of(CRT, one, Factor::Converted(&left), plain, Dd::ZERO, c.view_mut()).unwrap();
    assert_same_bits(&c, &Matrix::zeros(6, 4), "no terms");
    let left = Converted::new(Side::Left, Transpose::Yes, nothing.view(), 0);
    let mut c = Matrix::<Dd>::zeros(0, 6);
    gemm_of(
        CRT,
        one,
        Factor::Converted(&left),
        Factor::Matrix(Transpose::No, a.view()),
        one,
        c.view_mut(),
    )
    .unwrap();
}

#[test]
fn triangles_have_the_bits_of_products() {
    fn check<T: Scalar + Sample>(n: usize, k: usize, columns: usize) {
        let a = matrix::<T>(n, k, 11);
        // In memory of its own, so that its columns are converted for themselves.
        let first = Matrix::from_fn(columns, k, |i, l| a[(i, l)]);
        for workspace in [None, Some(1)] {
            let how = Products { workspace, ..CRT };
            let (no, yes) = (Transpose::No, Transpose::Yes);
            let (left, right) = (Factor::Matrix(no, a.view()), Factor::Matrix(yes, first.view()));
            let (expected, _) = product(how, left, right, (n, columns));
            for triangle in [Triangle::Lower, Triangle::Upper] {
                let before = matrix::<T>(n, columns, 77);
                let mut c = before.clone();
                let three = T::from_f64(3.0);
                let view = c.view_mut();
                let report = cpu::syrk::syrk(how, triangle, no, three, a.view(), -T::ONE, view);
                assert_eq!(report.engine, Engine::Crt);
                let all = Matrix::from_fn(n, columns, |i, j| {
                    if triangle.contains(i, j) { expected[(i, j)] } else { before[(i, j)] }
                });
                assert_same_bits(&c, &all, "triangle");
            }
        }
    }
    check::<Dd>(1, 3, 1);
    check::<Dd>(200, 70, 200);
    check::<Td>(130, 40, 65);
    check::<Qd>(150, 33, 150);
}
