//! Gauss–Jordan elimination.

use nonius_linalg::backend::{Cpu, Reference};
use nonius_linalg::dense::{Diagonal, Lu, Side, Transpose, Triangle, gauss_jordan};
use nonius_linalg::{Error, Matrix, reference};
use nonius_testkit::orthogonal::random_matrix;
use nonius_testkit::{Sample, order};

use crate::solve::common::{
    affordable, assert_residual, gamma, magnitudes, permuted, product, same_bits,
};
use crate::solve::lu::{Host, SIZES_OF_CPU, SIZES_OF_REFERENCE};

/// Residuals within `8nu·|L||U||U⁻¹||U||X|` (Higham, Theorem 14.5), and the by-product is the LU
/// factorisation.
fn check<T: Sample, B: Host<T>>(format: T::Format, backend: B, n: usize, rights: usize) {
    let (a, b) =
        (random_matrix::<T>(format, n, n, n as u64), random_matrix::<T>(format, n, rights, 1));
    let mut x = b.clone();
    let lu = gauss_jordan(backend.clone(), a.clone(), backend.view_mut(&mut x)).unwrap();
    let direct = Lu::new(backend, a.clone()).unwrap();
    assert_eq!(lu.pivots(), direct.pivots());
    let ((l, u), (l_direct, u_direct)) = (lu.triangles().unwrap(), direct.triangles().unwrap());
    // More columns are halved by LU, whose products then have other terms.
    if n <= B::SPAN {
        assert!(same_bits(&l, &l_direct) && same_bits(&u, &u_direct), "{} {n}", T::name(format));
    }
    let pa = permuted(&a, lu.pivots());
    let of_factors = product(&magnitudes(&l), &magnitudes(&u)).map(|x| gamma::<T>(n) * x);
    assert_residual(l.view(), u.view(), pa.view(), &of_factors, "factors");

    let mut inverse = Matrix::<T>::identity_in(format, n);
    let (side, diagonal) = (Side::Left, Diagonal::NonUnit);
    reference::trsm::trsm(
        side,
        Triangle::Upper,
        Transpose::No,
        diagonal,
        T::ONE,
        u.view(),
        inverse.view_mut(),
    );
    let (l, u) = (magnitudes(&l), magnitudes(&u));
    let size =
        product(&product(&l, &u), &product(&magnitudes(&inverse), &product(&u, &magnitudes(&x))));
    let bound = size.map(|x| 8.0 * gamma::<T>(n) * x);
    let pb = permuted(&b, lu.pivots());
    assert_residual(pa.view(), x.view(), pb.view(), &bound, &format!("{n}"));
}

fn solutions<T: Sample>(format: T::Format) {
    for n in affordable::<T, _>(format, SIZES_OF_CPU) {
        check::<T, _>(format, Cpu::default(), n, 3);
    }
    for n in SIZES_OF_REFERENCE {
        check::<T, _>(format, Reference, n, 3);
    }
    check::<T, _>(format, Cpu::default(), 20, 0);
    check::<T, _>(format, Cpu::default(), 20, 70);
}

#[test]
fn solutions_are_within_the_bound_and_the_factors_those_of_lu() {
    at_every_precision!(solutions);
}

fn refusals<T: Sample>(format: T::Format) {
    for (n, column) in [(1, 0), (17, 16), (34, 33), (70, 65)] {
        if order::<T>(format, n) < n {
            continue;
        }
        let mut a = random_matrix::<T>(format, n, n, 1);
        (0..n).for_each(|i| a.set(i, column, T::ZERO));
        let mut b = Matrix::zeros_in(format, n, 2);
        let error = gauss_jordan(Cpu::default(), a, b.view_mut()).err();
        assert_eq!(error, Some(Error::Singular { column }));
    }
    let mut b = Matrix::zeros_in(format, 4, 2);
    let error = Error::Shape { operand: "b", expected: (3, 2), found: (4, 2) };
    assert_eq!(
        gauss_jordan(Cpu::default(), Matrix::<T>::identity_in(format, 3), b.view_mut()).err(),
        Some(error)
    );
    let error = Error::NotSquare { rows: 2, cols: 3 };
    assert_eq!(
        gauss_jordan(Cpu::default(), Matrix::<T>::zeros_in(format, 2, 3), b.view_mut()).err(),
        Some(error)
    );
}

#[test]
fn refuses_what_it_cannot_solve() {
    at_every_precision!(refusals);
}
