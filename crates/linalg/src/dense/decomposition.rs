//! Eigenvalues and singular values with what is known of their quality.

use std::time::{Duration, Instant};

use super::gemm::gemm_on;
use super::residual::largest_exponent;
use super::{Eigen, Matrix, Svd, Transpose, Vectors, eigen_on, svd_on};
use crate::backend::{Diagonalize, Gemm, Reading, Reflecting, Task, View};
use crate::cpu::reduce::nrm2;
use crate::{Error, MatRef, Number};

/// Values and vectors, and how good they are.
#[derive(Clone, Debug)]
pub struct Decomposition<D> {
    /// The values, and the vectors where they were wanted.
    pub found: D,
    /// Time for these.
    pub solve_time: Duration,
    /// Time for what follows.
    pub check_time: Duration,
    /// What is known, where there are vectors.
    pub quality: Option<Orthogonality>,
}

/// How good values and vectors are. The values are within [`residual`](Self::residual) times `‖A‖`
/// of the exact ones, but for the roundoff of the check itself (Weyl's theorem).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orthogonality {
    /// `‖A·V − V·Λ‖ / ‖A‖` or `‖A·V − U·Σ‖ / ‖A‖` in the Frobenius norm.
    pub residual: Reading,
    /// `‖VᵀV − I‖` in the Frobenius norm, the larger one of `U` and `V`.
    pub defect: Reading,
}

/// [`eigen_on`], and how good what it found is.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::backend::Cpu;
/// use nonius_linalg::dense::{Vectors, judged_eigen_on};
/// use nonius_num::Qd;
///
/// let a = Matrix::from_fn(3, 3, |i, j| Qd::ONE / (i + j + 1) as f64);
/// let judged = judged_eigen_on(&Cpu::default(), a.view(), Vectors::Yes)?;
/// let quality = judged.quality.unwrap();
/// assert!(quality.residual < 1e-60 && quality.defect < 1e-60);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// As [`eigen_on`].
pub fn judged_eigen_on<T: Number, B: Diagonalize<T>>(
    backend: &B,
    a: MatRef<'_, T>,
    vectors: Vectors,
) -> Result<Decomposition<Eigen<T>>, Error> {
    let start = Instant::now();
    backend.prepare(Task::Diagonalize, a.format(), a.rows(), 0);
    let found = eigen_on(backend, a, vectors)?;
    let solve_time = start.elapsed();
    let start = Instant::now();
    let quality = match &found.vectors {
        None => None,
        Some(v) => {
            let there = backend.upload(v.view());
            let there = backend.view(&there);
            let residual = residual(backend, a, there, v, &found.values)?;
            Some(Orthogonality { residual, defect: defect(backend, there)? })
        }
    };
    Ok(Decomposition { found, solve_time, check_time: start.elapsed(), quality })
}

/// [`svd_on`], and how good what it found is.
///
/// # Errors
/// As [`svd_on`].
pub fn judged_svd_on<T: Number, B: Diagonalize<T> + Reflecting<T>>(
    backend: &B,
    a: MatRef<'_, T>,
    vectors: Vectors,
) -> Result<Decomposition<Svd<T>>, Error> {
    let start = Instant::now();
    backend.prepare(Task::Diagonalize, a.format(), a.rows().min(a.cols()), 0);
    let found = svd_on(backend, a, vectors)?;
    let solve_time = start.elapsed();
    let start = Instant::now();
    let quality = match &found.vectors {
        None => None,
        Some((u, v)) => {
            let [left, right] = [u, v].map(|vectors| backend.upload(vectors.view()));
            let [left, right] = [&left, &right].map(|vectors| backend.view(vectors));
            let residual = residual(backend, a, right, u, &found.values)?;
            let defect = defect(backend, left)?.max(defect(backend, right)?);
            Some(Orthogonality { residual, defect })
        }
    };
    Ok(Decomposition { found, solve_time, check_time: start.elapsed(), quality })
}

/// `‖A·V − U·diag(values)‖ / ‖A‖`, with `A` and the values scaled so that nothing leaves the range.
fn residual<T: Number, B: Gemm<T>>(
    backend: &B,
    a: MatRef<'_, T>,
    v: B::Ref<'_>,
    u: &Matrix<T>,
    values: &[T],
) -> Result<Reading, Error> {
    let Some(exponent) = largest_exponent(a) else { return Ok(Reading::ZERO) };
    let exponent = exponent + 1;
    let a = a.scaled(|_, _| -exponent);
    let scaled = |i, j: usize| u.at(i, j) * values[j].ldexp(-exponent);
    let r = Matrix::from_fn_in(a.format(), u.rows(), u.cols(), scaled);
    let there = backend.upload(a.view());
    let r = updated(backend, Transpose::No, backend.view(&there), v, backend.upload(r.view()))?;
    let norm = |a: &Matrix<T>| nrm2(a.numbers()).leading();
    Ok(norm(&r) / norm(&a))
}

/// `‖VᵀV − I‖`
fn defect<T: Number, B: Gemm<T>>(backend: &B, v: B::Ref<'_>) -> Result<Reading, Error> {
    let ((_, count), format) = (v.shape(), v.format());
    let gram = updated(backend, Transpose::Yes, v, v, backend.identity(format, count, count))?;
    Ok(nrm2(gram.numbers()).leading())
}

/// `op(A)·B − C`
fn updated<T: Number, B: Gemm<T>>(
    backend: &B,
    op: Transpose,
    a: B::Ref<'_>,
    b: B::Ref<'_>,
    mut c: B::Matrix,
) -> Result<Matrix<T>, Error> {
    let to = backend.view_mut(&mut c);
    gemm_on(backend, op, Transpose::No, T::ONE, a, b, -T::ONE, to)?;
    backend.download(backend.view(&c))
}
