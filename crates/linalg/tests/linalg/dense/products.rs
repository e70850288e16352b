//! Matrix products against hand-computed ones.

use nonius_linalg::backend::{Cpu, Reference};
use nonius_linalg::dense::gemm::{Arithmetic, Products, gemm, gemm_on};
use nonius_linalg::dense::{
    Cholesky, Diagonal, Lu, Method, Side, Transpose, Triangle, gauss_jordan, solve_on, syrk, trsm,
};
use nonius_linalg::{Error, Matrix, Scalar};
use nonius_num::{Dd, Qd, Td};
use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::{Random, Sample};

fn matrix<T: Scalar + Sample>(rows: usize, cols: usize, entries: &[f64]) -> Matrix<T> {
    Matrix::from_fn(rows, cols, |i, j| T::from_f64(entries[i * cols + j]))
}

fn small<T: Scalar + Sample>() {
    let f = T::from_f64;
    let a = matrix::<T>(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let b = matrix::<T>(3, 2, &[1.0, 0.0, 2.0, 1.0, 0.0, 3.0]);
    let want = matrix::<T>(2, 2, &[5.0, 11.0, 14.0, 23.0]);
    for (transpose_a, a) in [(Transpose::No, a.clone()), (Transpose::Yes, a.transposed())] {
        for (transpose_b, b) in [(Transpose::No, b.clone()), (Transpose::Yes, b.transposed())] {
            let mut c = matrix::<T>(2, 2, &[f64::NAN; 4]);
            gemm(transpose_a, transpose_b, f(1.0), a.view(), b.view(), f(0.0), c.view_mut())
                .unwrap();
            assert_eq!(c, want);
            gemm(transpose_a, transpose_b, f(2.0), a.view(), b.view(), f(-1.0), c.view_mut())
                .unwrap();
            assert_eq!(c, want);
        }
        let mut c = matrix::<T>(2, 2, &[0.0, 7.0, 0.0, 0.0]);
        syrk(Triangle::Lower, transpose_a, f(1.0), a.view(), f(0.0), c.view_mut()).unwrap();
        assert_eq!(c, matrix(2, 2, &[14.0, 7.0, 32.0, 77.0]));
    }
    let l = matrix::<T>(2, 2, &[2.0, f64::NAN, 3.0, 4.0]);
    let x = matrix::<T>(2, 2, &[1.0, -2.0, 5.0, 0.5]);
    let mut b = matrix::<T>(2, 2, &[2.0, -4.0, 23.0, -4.0]);
    trsm(
        Side::Left,
        Triangle::Lower,
        Transpose::No,
        Diagonal::NonUnit,
        f(1.0),
        l.view(),
        b.view_mut(),
    )
    .unwrap();
    assert_eq!(b, x);
    // X·Lᵀ with a unit diagonal.
    let mut b = matrix::<T>(2, 2, &[1.0, 1.0, 5.0, 15.5]);
    trsm(
        Side::Right,
        Triangle::Lower,
        Transpose::Yes,
        Diagonal::Unit,
        f(1.0),
        l.view(),
        b.view_mut(),
    )
    .unwrap();
    assert_eq!(b, x);
}

#[test]
fn small_products_are_exact() {
    small::<f64>();
    small::<Dd>();
    small::<Td>();
    small::<Qd>();
}

#[test]
fn shapes_that_do_not_fit_are_reported() {
    let a = Matrix::<f64>::zeros(2, 3);
    let mut c = Matrix::<f64>::zeros(2, 2);
    let error =
        gemm(Transpose::No, Transpose::Yes, 1.0, a.view(), c.clone().view(), 0.0, c.view_mut());
    assert_eq!(error, Err(Error::Shape { operand: "b", expected: (2, 3), found: (2, 2) }));
    let error = syrk(Triangle::Upper, Transpose::Yes, 1.0, a.view(), 0.0, c.view_mut());
    assert_eq!(error, Err(Error::Shape { operand: "c", expected: (3, 3), found: (2, 2) }));
    let error = trsm(
        Side::Right,
        Triangle::Upper,
        Transpose::No,
        Diagonal::Unit,
        1.0,
        a.view(),
        c.view_mut(),
    );
    assert_eq!(error, Err(Error::Shape { operand: "a", expected: (2, 2), found: (2, 3) }));
}

/// Operators one after the other are what the textbook kernel has. (At dd the addition is another.)
#[test]
fn ieee_products_have_the_textbooks_bits() {
    fn check<T: Scalar + Sample>() {
        let mut random = Random::new(1);
        let mut matrix = |rows, cols| {
            Matrix::<T>::from_fn(rows, cols, |_, _| {
                let limbs = random.spread_limbs::<4>(20);
                T::from_limbs(|l| limbs[l])
            })
        };
        let (a, b, no) = (matrix(29, 300), matrix(300, 13), Transpose::No);
        let (mut fast, mut textbook) = (Matrix::<T>::zeros(29, 13), Matrix::<T>::zeros(29, 13));
        let ieee = Cpu::new(Products { arithmetic: Arithmetic::Ieee, ..Products::default() });
        let (alpha, beta) = (T::ONE, T::ZERO);
        gemm_on(&ieee, no, no, alpha, a.view(), b.view(), beta, fast.view_mut()).unwrap();
        let to = textbook.view_mut();
        gemm_on(&Reference, no, no, alpha, a.view(), b.view(), beta, to).unwrap();
        assert_same_bits(&fast, &textbook, T::NAME);
    }
    check::<f64>();
    check::<Td>();
    check::<Qd>();
}

#[test]
fn cheap_products_are_for_dd() {
    fn check<T: Scalar + Sample>(arithmetic: Arithmetic) {
        let cpu = Cpu::new(Products { arithmetic, ..Products::default() });
        let error = Some(Error::NoArithmetic { arithmetic, precision: T::NAME });
        assert!(arithmetic.error::<T>(1).is_infinite());
        let (a, no) = (Matrix::<T>::identity(3), Transpose::No);
        let mut b = a.clone();
        let (one, zero) = (T::ONE, T::ZERO);
        let product = gemm_on(&cpu, no, no, one, a.view(), a.view(), zero, b.view_mut());
        assert_eq!(product.err(), error);
        assert_eq!(Lu::new(cpu, a.clone()).err(), error);
        assert_eq!(Cholesky::new(cpu, a.clone()).err(), error);
        assert_eq!(gauss_jordan(cpu, a.clone(), b.view_mut()).err(), error);
        for method in Method::ALL {
            assert_eq!(solve_on(cpu, a.view(), b.view(), method).err(), error);
        }
        assert_eq!(b, a);
    }
    for arithmetic in [Arithmetic::IeeeSloppy, Arithmetic::Cray, Arithmetic::Sloppy] {
        check::<f64>(arithmetic);
        check::<Td>(arithmetic);
        check::<Qd>(arithmetic);
    }
}
