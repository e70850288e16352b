//! What the tests share.

use nonius_linalg::dense::gemm::{Arithmetic, gemm};
use nonius_linalg::dense::{Transpose, nrm2};
use nonius_linalg::{MatRef, Matrix, Scalar};
use nonius_testkit::Random;

/// `c·m·n·u` of the theorems on reflections for `n` columns of `m` entries: each of `n` reflections takes a sum of `m` terms, whose bound holds
/// the constant, and a few operations that the constant of an empty sum covers.
pub(crate) fn gamma<T: Scalar>(m: usize, n: usize) -> f64 {
    n as f64 * Arithmetic::Delayed.error::<T>(m + 4) * T::UNIT_ROUNDOFF
}

/// Entries in (−1, 1), some with gaps between limbs or fewer limbs.
pub(crate) fn random_matrix<T: Scalar>(rows: usize, cols: usize, seed: u64) -> Matrix<T> {
    let mut random = Random::new(seed);
    Matrix::from_fn(rows, cols, |_, _| {
        let limbs = random.limbs::<4>();
        T::from_limbs(|i| limbs[i])
    })
}

/// `op(A)·op(B)`.
pub(crate) fn product<T: Scalar>(
    op_a: Transpose,
    a: &Matrix<T>,
    op_b: Transpose,
    b: &Matrix<T>,
) -> Matrix<T> {
    let (m, n) = (op_a.shape(a.shape()).0, op_b.shape(b.shape()).1);
    let mut c = Matrix::zeros(m, n);
    gemm(op_a, op_b, T::ONE, a.view(), b.view(), T::ZERO, c.view_mut()).unwrap();
    c
}

/// The 2-norm of a vector, the Frobenius norm of a matrix.
pub(crate) fn norm<'a, T: Scalar>(a: impl Into<MatRef<'a, T>>) -> f64 {
    nrm2(a).to_f64()
}

pub(crate) fn difference<T: Scalar>(a: &Matrix<T>, b: &Matrix<T>) -> Matrix<T> {
    assert_eq!(a.shape(), b.shape());
    Matrix::from_fn(a.rows(), a.cols(), |i, j| a[(i, j)] - b[(i, j)])
}

/// Asserts `‖QᵀQ − I‖_F <= bound`.
pub(crate) fn assert_orthonormal<T: Scalar>(q: &Matrix<T>, bound: f64, what: &str) {
    let gram = product(Transpose::Yes, q, Transpose::No, q);
    let error = norm(&difference(&gram, &Matrix::identity(q.cols())));
    assert!(error <= bound, "{what} {}: QᵀQ off by {error:e} > {bound:e}", T::NAME);
}

/// Runs a generic test at every precision.
#[macro_export]
macro_rules! at_every_precision {
    ($check:ident $(, $argument:expr)*) => {
        $check::<f64>($($argument),*);
        $check::<nonius_num::Dd>($($argument),*);
        $check::<nonius_num::Td>($($argument),*);
        $check::<nonius_num::Qd>($($argument),*);
    };
}
/// The same with its lower triangle mirrored.
pub(crate) fn random_symmetric<T: Scalar>(n: usize, seed: u64) -> Matrix<T> {
    let a = random_matrix::<T>(n, n, seed);
    Matrix::from_fn(n, n, |i, j| a[(i.max(j), i.min(j))])
}
