//! What the tests of factorisations share.

use nonius_linalg::backend::Reading;
use nonius_linalg::dense::residual;
use nonius_linalg::{MatRef, Matrix};
use nonius_testkit::orthogonal::random_matrix;
use nonius_testkit::{Sample, order};

/// `γ_n` of Higham's theorems, in units of roundoff, for an entry that `n` products are subtracted
/// from: the error of sums by the accumulator, in at most `n/16 + 4` pieces (by blocks, halves of a
/// block, and panels of 16 columns), each rounded when it joins the entry, and 8 units for a
/// division or a root. The textbook kernels, at 4 units a product, stay below.
pub(crate) fn gamma<T: Sample>(n: usize) -> f64 {
    let (whole, once) = (T::sum_error(n), T::sum_error(0));
    let pieces = n as f64 / 16.0 + 4.0;
    whole + pieces * (once + 2.0) + 8.0
}

/// A magnitude in units of roundoff.
pub(crate) fn units<T: Sample>(format: T::Format, size: impl Into<Reading>) -> f64 {
    (size.into() / T::units(format, 1.0)).to_f64()
}

/// Those orders for which a test has time.
pub(crate) fn affordable<T: Sample, const N: usize>(
    format: T::Format,
    orders: [usize; N],
) -> impl Iterator<Item = usize> {
    orders.into_iter().filter(move |&n| order::<T>(format, n) == n)
}

/// Symmetric positive definite: `G·Gᵀ/n + I` for a random `G`, exactly symmetric.
pub(crate) fn random_definite<T: Sample>(format: T::Format, n: usize, seed: u64) -> Matrix<T> {
    let g = random_matrix::<T>(format, n, n, seed);
    let mut a = Matrix::identity_in(format, n);
    for i in 0..n {
        for j in 0..=i {
            let sum = (0..n).fold(T::ZERO, |sum, k| sum + g.at(i, k) * g.at(j, k));
            a.set(i, j, a.at(i, j) + sum / T::from_f64(n as f64));
            a.set(j, i, a.at(i, j));
        }
    }
    a
}

/// Magnitudes, rounded to `f64`.
pub(crate) fn magnitudes<T: Sample>(a: &Matrix<T>) -> Matrix<f64> {
    Matrix::from_fn(a.rows(), a.cols(), |i, j| a.at(i, j).to_f64().abs())
}

pub(crate) fn product(a: &Matrix<f64>, b: &Matrix<f64>) -> Matrix<f64> {
    let entry = |i, j| (0..a.cols()).map(|k| a[(i, k)] * b[(k, j)]).sum();
    Matrix::from_fn(a.rows(), b.cols(), entry)
}

/// The rows in the order that the exchanges of a factorisation bring them to.
pub(crate) fn permuted<T: Sample>(a: &Matrix<T>, pivots: &[usize]) -> Matrix<T> {
    let mut a = a.clone();
    for (i, &row) in pivots.iter().enumerate() {
        a.view_mut().swap_rows(i, row);
    }
    a
}

/// Asserts `|B − A·X| <= bound`, entrywise and in units of roundoff, the left side in twice the
/// precision.
pub(crate) fn assert_residual<T: Sample>(
    a: MatRef<'_, T>,
    x: MatRef<'_, T>,
    b: MatRef<'_, T>,
    bound: &Matrix<f64>,
    what: &str,
) {
    let (format, r) = (a.format(), residual(a, x, b).unwrap());
    for j in 0..r.cols() {
        for i in 0..r.rows() {
            let (found, allowed) = (units::<T>(format, r.at(i, j).magnitude()), bound[(i, j)]);
            let name = T::name(format);
            assert!(found <= allowed, "{what}: {name} ({i}, {j}): {found:e} > {allowed:e}");
        }
    }
}

/// Whether two matrices have the same bits.
pub(crate) fn same_bits<T: Sample>(a: &Matrix<T>, b: &Matrix<T>) -> bool {
    let places = (0..a.cols()).flat_map(|j| (0..a.rows()).map(move |i| (i, j)));
    a.shape() == b.shape() && places.into_iter().all(|(i, j)| a.at(i, j).same_bits(b.at(i, j)))
}
