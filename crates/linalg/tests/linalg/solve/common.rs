//! What the tests of factorisations share.

use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::dense::residual;
use nonius_linalg::{MatRef, Matrix, Scalar};
use nonius_testkit::Random;

/// `γ_n` of Higham's theorems for an entry that `n` products are subtracted from: the error of sums by the
/// accumulator, in at most `n/16 + 4` pieces (by blocks, halves of a block, and panels of 16 columns), each rounded
/// when it joins the entry, and 8 units for a division or a root. The textbook kernels, at 4 units a product, stay
/// below.
pub(crate) fn gamma<T: Scalar>(n: usize) -> f64 {
    let (whole, once) = (Arithmetic::Delayed.error::<T>(n), Arithmetic::Delayed.error::<T>(0));
    let pieces = n as f64 / 16.0 + 4.0;
    (whole + pieces * (once + 2.0) + 8.0) * T::UNIT_ROUNDOFF
}

/// Entries in (−1, 1), some with gaps between limbs or fewer limbs.
pub(crate) fn random_matrix<T: Scalar>(rows: usize, cols: usize, seed: u64) -> Matrix<T> {
    let mut random = Random::new(seed);
    Matrix::from_fn(rows, cols, |_, _| random_number(&mut random))
}

pub(crate) fn random_number<T: Scalar>(random: &mut Random) -> T {
    let limbs = random.limbs::<4>();
    T::from_limbs(|i| limbs[i])
}

/// Symmetric positive definite: `G·Gᵀ/n + I` for a random `G`, exactly symmetric.
pub(crate) fn random_definite<T: Scalar>(n: usize, seed: u64) -> Matrix<T> {
    let g = random_matrix::<T>(n, n, seed);
    let mut a = Matrix::identity(n);
    for i in 0..n {
        for j in 0..=i {
            let sum = (0..n).fold(T::ZERO, |sum, k| sum + g[(i, k)] * g[(j, k)]);
            a[(i, j)] += sum / T::from_f64(n as f64);
            a[(j, i)] = a[(i, j)];
        }
    }
    a
}

/// Magnitudes, rounded to `f64`.
pub(crate) fn magnitudes<T: Scalar>(a: &Matrix<T>) -> Matrix<f64> {
    a.map(|x| x.to_f64().abs())
}

pub(crate) fn product(a: &Matrix<f64>, b: &Matrix<f64>) -> Matrix<f64> {
    let entry = |i, j| (0..a.cols()).map(|k| a[(i, k)] * b[(k, j)]).sum();
    Matrix::from_fn(a.rows(), b.cols(), entry)
}

/// The rows in the order that the exchanges of a factorisation bring them to.
pub(crate) fn permuted<T: Scalar>(a: &Matrix<T>, pivots: &[usize]) -> Matrix<T> {
    let mut a = a.clone();
    for (i, &row) in pivots.iter().enumerate() {
        a.view_mut().swap_rows(i, row);
    }
    a
}

/// Asserts `|B − A·X| <= bound`, entrywise, the left side in twice the precision.
pub(crate) fn assert_residual<T: Scalar>(
    a: MatRef<'_, T>,
    x: MatRef<'_, T>,
    b: MatRef<'_, T>,
    bound: &Matrix<f64>,
    what: &str,
) {
    let r = residual(a, x, b).unwrap();
    for j in 0..r.cols() {
        for i in 0..r.rows() {
            let (found, allowed) = (r[(i, j)].to_f64().abs(), bound[(i, j)]);
            assert!(found <= allowed, "{what}: {} ({i}, {j}): {found:e} > {allowed:e}", T::NAME);
        }
    }
}

/// Whether two matrices have the same limbs.
pub(crate) fn same_bits<T: Scalar>(a: &Matrix<T>, b: &Matrix<T>) -> bool {
    let bits = |x: &T| (0..T::LIMBS).map(|i| x.limb(i).to_bits()).collect::<Vec<_>>();
    a.shape() == b.shape() && a.as_slice().iter().zip(b.as_slice()).all(|(x, y)| bits(x) == bits(y))
}
