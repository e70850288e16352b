//! Solutions by every method.

use nonius_linalg::backend::{Memory, Syrk};
use nonius_linalg::dense::{Cholesky, Lu, Transpose, Triangle, gauss_jordan, relative_residual};
use nonius_linalg::{Error, Matrix};
use nonius_testkit::orthogonal::random_matrix;
use nonius_testkit::{Random, Sample, affordable};

use super::result;
use crate::gpu;

/// Backward errors of a few units of roundoff, relative to the bound of a product of that size.
fn are_backward_stable<T: Sample>(format: T::Format) {
    let gpu = &gpu();
    // A residual relative to the norms of a matrix and a solution.
    let bound = |n| T::units(format, 4.0 * T::sum_error(n));
    for n in [1, 33, 40, 65, 200, 333] {
        if !affordable::<T>(format, n * n * n) {
            continue;
        }
        let a = random_matrix::<T>(format, n, n, 12);
        let b = random_matrix::<T>(format, n, 5, 13);
        let check = |x: &Matrix<T>, what: &str| {
            let residual = relative_residual(a.view(), x.view(), b.view()).expect("shapes");
            let bound = bound(n);
            assert!(residual <= bound, "{} {what} {n}: {residual:e} > {bound:e}", T::name(format));
        };
        let lu = Lu::new(gpu.clone(), gpu.upload(a.view())).expect("a regular matrix");
        let host = Lu::factor(a.view()).expect("a regular matrix");
        assert_eq!(lu.pivots(), host.pivots(), "{} {n}", T::name(format));
        check(&lu.solve(b.view()).expect("a solution"), "lu");
        let x = result(gpu, &b, |b| {
            gauss_jordan(gpu.clone(), gpu.upload(a.view()), b).expect("a regular matrix");
        });
        check(&x, "gauss-jordan");

        let mut square = Matrix::<T>::zeros_in(format, n, n);
        let uploaded = gpu.upload(a.view());
        square = result(gpu, &square, |c| {
            gpu.syrk(Triangle::Lower, Transpose::No, T::ONE, gpu.view(&uploaded), T::ZERO, c);
        });
        let definite = Matrix::from_fn_in(format, n, n, |i, j| {
            let x = if i < j { square.at(j, i) } else { square.at(i, j) };
            if i == j { x + T::ONE } else { x }
        });
        let cholesky =
            Cholesky::new(gpu.clone(), gpu.upload(definite.view())).expect("a definite matrix");
        let x = cholesky.solve(b.view()).expect("a solution");
        let residual = relative_residual(definite.view(), x.view(), b.view()).expect("shapes");
        let bound = bound(n);
        assert!(residual <= bound, "{} cholesky {n}: {residual:e} > {bound:e}", T::name(format));
    }
    let random = &mut Random::new(71);
    let singular = Matrix::<T>::from_fn_in(format, 70, 70, |_, j| {
        if j == 40 { T::ZERO } else { T::random(format, random) }
    });
    let failure = Lu::new(gpu.clone(), gpu.upload(singular.view())).err();
    let expected = Lu::factor(singular.view()).err();
    assert!(matches!(failure, Some(Error::Singular { .. })), "{failure:?}");
    assert_eq!(failure, expected);
}

at_every_precision!(are_backward_stable);
