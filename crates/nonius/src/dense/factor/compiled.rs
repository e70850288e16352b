//! The factorisations of all numbers, which are compiled here for each device.

use nonius_cuda::Cuda;
use nonius_linalg::backend::{Cpu, Reading, Reflecting};
use nonius_linalg::dense::{
    Cholesky, Diagonal, Lu, Qr, Transpose, Triangle, norm_one, solve_triangular,
};
use nonius_linalg::{Error, MatRef, Matrix};
use nonius_num::{Dd, Mp, Qd, Td};

use super::found::{Orthogonal, QColumns, Triangles};

/// What a device factors.
pub trait Factors<B>: nonius_linalg::Number {
    /// LU factors of a square matrix of finite numbers, and an estimate of its condition.
    ///
    /// # Errors
    /// As [`Lu::new`].
    fn lu(backend: B, a: MatRef<'_, Self>) -> Result<(Triangles<Self>, Reading), Error>;

    /// The lower Cholesky factor of a symmetric matrix of finite numbers, whose lower triangle is
    /// given, and an estimate of its condition.
    ///
    /// # Errors
    /// As [`Cholesky::new`].
    fn cholesky(backend: B, lower: MatRef<'_, Self>) -> Result<(Matrix<Self>, Reading), Error>;

    /// QR factors of a matrix of any shape.
    ///
    /// # Errors
    /// As [`Qr::factor_on`], but for the shape.
    fn qr(backend: B, a: MatRef<'_, Self>, columns: QColumns) -> Result<Orthogonal<Self>, Error>;
}

macro_rules! compile {
    ($($backend:ty: $($number:ty)*;)*) => {$($(
        impl Factors<$backend> for $number {
            fn lu(
                backend: $backend,
                a: MatRef<'_, Self>,
            ) -> Result<(Triangles<Self>, Reading), Error> {
                lu(backend, a)
            }

            fn cholesky(
                backend: $backend,
                lower: MatRef<'_, Self>,
            ) -> Result<(Matrix<Self>, Reading), Error> {
                cholesky(backend, lower)
            }

            fn qr(
                backend: $backend,
                a: MatRef<'_, Self>,
                columns: QColumns,
            ) -> Result<Orthogonal<Self>, Error> {
                qr(backend, a, columns)
            }
        }
    )*)*};
}

compile! {
    Cpu: f64 Dd Td Qd Mp;
    Cuda: f64 Dd Td Qd Mp;
}

fn lu<T: nonius_linalg::Number, B: Reflecting<T>>(
    backend: B,
    a: MatRef<'_, T>,
) -> Result<(Triangles<T>, Reading), Error> {
    let there = backend.upload(a);
    let lu = Lu::new(backend, there)?;
    let condition = lu.condition_estimate(norm_one(a));
    let (lower, upper) = lu.triangles()?;
    Ok((Triangles { lower, upper, pivots: lu.pivots().to_vec() }, condition))
}

fn cholesky<T: nonius_linalg::Number, B: Reflecting<T>>(
    backend: B,
    lower: MatRef<'_, T>,
) -> Result<(Matrix<T>, Reading), Error> {
    let n = lower.rows();
    let entry = |i: usize, j: usize| lower.at(i.max(j), i.min(j));
    let norm = norm_one(Matrix::from_fn_in(lower.format(), n, n, entry).view());
    let there = backend.upload(lower);
    let factor = Cholesky::new(backend, there)?;
    let condition = factor.condition_estimate(norm);
    Ok((factor.lower()?, condition))
}

fn qr<T: nonius_linalg::Number, B: Reflecting<T>>(
    backend: B,
    a: MatRef<'_, T>,
    columns: QColumns,
) -> Result<Orthogonal<T>, Error> {
    let (m, n) = a.shape();
    let k = m.min(n);
    let qr = Qr::factor_on(backend.clone(), a.block(0, 0, m, k))?;
    let mut r = qr.r()?;
    if n > k {
        // Columns beyond the square: Qᵀ times what they are, divided by a power of two meanwhile.
        let right = a.block(0, k, m, n - k);
        let exponent = |j| T::largest_exponent(right.column(j)).unwrap_or(0);
        let exponents: Vec<i32> = (0..n - k).map(exponent).collect();
        let scaled = |i, j: usize| right.at(i, j).ldexp(-exponents[j]);
        let scaled = Matrix::from_fn_in(a.format(), m, n - k, scaled);
        let mut there = backend.upload(scaled.view());
        qr.apply_q(Transpose::Yes, backend.view_mut(&mut there))?;
        let turned = backend.download(backend.view(&there))?;
        let entry = |i, j: usize| match j.checked_sub(k) {
            Some(j) => turned.at(i, j).ldexp(exponents[j]),
            None => r.at(i, j),
        };
        r = Matrix::from_fn_in(a.format(), k, n, entry);
    }
    let q = match columns {
        QColumns::None => None,
        QColumns::Reduced => Some(qr.q()?),
        QColumns::Complete => {
            let mut there = backend.identity(a.format(), m, m);
            qr.apply_q(Transpose::No, backend.view_mut(&mut there))?;
            Some(backend.download(backend.view(&there))?)
        }
    };
    if columns == QColumns::Complete && m > k {
        let entry = |i, j| if i < k { r.at(i, j) } else { T::ZERO };
        r = Matrix::from_fn_in(a.format(), m, n, entry);
    }
    Error::check_finite("r", r.view()).map_err(|error| match error {
        Error::NotFinite { col, .. } => Error::Overflow { operand: "r", column: col },
        error => error,
    })?;
    Ok(Orthogonal { q, r })
}

/// Triangles are solved on the host alone.
pub trait Substitution: nonius_linalg::Number {
    /// As [`solve_triangular`].
    ///
    /// # Errors
    /// As there.
    fn solve_triangular(
        triangle: Triangle,
        op: Transpose,
        diagonal: Diagonal,
        t: MatRef<'_, Self>,
        b: MatRef<'_, Self>,
    ) -> Result<Matrix<Self>, Error>;
}

macro_rules! compile_substitution {
    ($($number:ty)*) => {$(
        impl Substitution for $number {
            fn solve_triangular(
                triangle: Triangle,
                op: Transpose,
                diagonal: Diagonal,
                t: MatRef<'_, Self>,
                b: MatRef<'_, Self>,
            ) -> Result<Matrix<Self>, Error> {
                solve_triangular(triangle, op, diagonal, t, b)
            }
        }
    )*};
}

compile_substitution!(f64 Dd Td Qd Mp);
