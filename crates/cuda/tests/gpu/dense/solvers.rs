//! Solutions by every method.

use nonius_linalg::backend::{Memory, Syrk};
use nonius_linalg::dense::{Cholesky, Lu, Transpose, Triangle, gauss_jordan, relative_residual};
use nonius_linalg::{Error, Matrix, Scalar};

use super::{error, random, result};
use crate::gpu;

/// Backward errors of a few units of roundoff, relative to the bound of a product of that size.
fn are_backward_stable<T: Scalar>() {
    let gpu = &gpu();
    for n in [1, 40, 65, 200, 333] {
        let a = random::<T>(n, n, 12);
        let b = random::<T>(n, 5, 13);
        let check = |x: &Matrix<T>, what: &str| {
            let residual = relative_residual(a.view(), x.view(), b.view()).expect("shapes");
            let bound = 4.0 * error::<T>(n) * T::UNIT_ROUNDOFF;
            assert!(residual <= bound, "{} {what} {n}: {residual:e} > {bound:e}", T::NAME);
        };
        let lu = Lu::new(gpu.clone(), gpu.upload(a.view())).expect("a regular matrix");
        let host = Lu::factor(a.view()).expect("a regular matrix");
        assert_eq!(lu.pivots(), host.pivots(), "{} {n}", T::NAME);
        check(&lu.solve(b.view()).expect("a solution"), "lu");
        let x = result(gpu, &b, |b| {
            gauss_jordan(gpu.clone(), gpu.upload(a.view()), b).expect("a regular matrix");
        });
        check(&x, "gauss-jordan");

        let mut square = Matrix::<T>::zeros(n, n);
        let uploaded = gpu.upload(a.view());
        square = result(gpu, &square, |c| {
            gpu.syrk(Triangle::Lower, Transpose::No, T::ONE, gpu.view(&uploaded), T::ZERO, c);
        });
        let definite = Matrix::from_fn(n, n, |i, j| {
            let x = if i < j { square[(j, i)] } else { square[(i, j)] };
            if i == j { x + T::ONE } else { x }
        });
        let cholesky =
            Cholesky::new(gpu.clone(), gpu.upload(definite.view())).expect("a definite matrix");
        let x = cholesky.solve(b.view()).expect("a solution");
        let residual = relative_residual(definite.view(), x.view(), b.view()).expect("shapes");
        let bound = 4.0 * error::<T>(n) * T::UNIT_ROUNDOFF;
        assert!(residual <= bound, "{} cholesky {n}: {residual:e} > {bound:e}", T::NAME);
    }
    let singular = Matrix::<T>::from_fn(70, 70, |i, j| {
        if j == 40 { T::ZERO } else { random::<T>(1, 1, (71 * i + j) as u64)[(0, 0)] }
    });
    let failure = Lu::new(gpu.clone(), gpu.upload(singular.view())).err();
    let expected = Lu::factor(singular.view()).err();
    assert!(matches!(failure, Some(Error::Singular { .. })), "{failure:?}");
    assert_eq!(failure, expected);
}

at_every_precision!(are_backward_stable);
