//! Systems and inverses.

use super::scale::{check_finite, check_range, is_ordinary, norm_one};
use crate::backend::{Reading, Resident, Task, View};
use crate::dense::solved::check_symmetric;
use crate::dense::trsm::TriangularSystem;
use crate::dense::{
    Cholesky, Diagonal, Lu, Method, Operand, Report, Transpose, Triangle, gauss_jordan, inverse_on,
    solve_on,
};
use crate::{BinaryOp, Error, Matrix, Number};

/// A solution in a backend's memory, and what is known of it.
#[derive(Clone, Debug)]
pub struct Solution<M> {
    /// `X`.
    pub x: M,
    /// The method used; never [`Method::Auto`].
    pub method: Method,
    /// Why Cholesky, which [`Method::Auto`] tried first, had to be given up.
    pub rejected: Option<Error>,
    /// An estimate of `κ₁(A)`.
    pub condition_estimate: Reading,
    /// `(n + 3)·u·κ₁`, or infinity where that is no less than 1: about the largest error of a
    /// column beside its largest entry.
    pub forward_error_estimate: Reading,
}

impl<M> Solution<M> {
    /// A solution of the host, back in the memory of a backend.
    fn of_host<T: Number, B: Resident<T, Matrix = M>>(
        backend: &B,
        x: &Matrix<T>,
        report: Report,
    ) -> Self {
        let Report { method, rejected, condition_estimate, forward_error_estimate, .. } = report;
        let x = backend.upload(x.view());
        Self { x, method, rejected, condition_estimate, forward_error_estimate }
    }

    /// Decimal digits of the largest entries of the solution that should be right; 0 where none
    /// are.
    pub fn correct_digits(&self) -> f64 {
        (-self.forward_error_estimate.log10()).max(0.0)
    }
}

/// `(n + 3)·u·κ`, or infinity where that is no less than 1.
pub(super) fn forward_error<T: Number>(format: T::Format, n: usize, condition: Reading) -> Reading {
    let unit: Reading = T::unit_roundoff(format).into();
    let error = Reading::of(n as f64 + 3.0) * unit * condition;
    if error < Reading::of(1.0) { error } else { Reading::INFINITY }
}

/// Whether rows and columns of a matrix are of ordinary sizes: those of others are balanced.
fn has_ordinary_lines<T: Number, B: Resident<T>>(
    backend: &B,
    a: B::Ref<'_>,
) -> Result<bool, Error> {
    Ok(is_ordinary(backend, "a", Transpose::Yes, a)?
        && is_ordinary(backend, "a", Transpose::No, a)?)
}

/// Solves `A·X = B` with a square matrix. Where rows, columns or right-hand sides are of
/// extraordinary sizes, beyond `2^±250`, the host balances the system on its way.
///
/// # Errors
/// As [`solve_on`](crate::dense::solve_on).
pub fn solve<T: Number, B: Resident<T>>(
    backend: &B,
    a: B::Ref<'_>,
    b: B::Ref<'_>,
    method: Method,
) -> Result<Solution<B::Matrix>, Error> {
    Error::check_square(a.shape())?;
    let (n, columns) = b.shape();
    Error::check_shape("b", (a.shape().0, columns), (n, columns))?;
    Error::check_format::<T>("b", a.format(), b.format())?;
    backend.check_products()?;
    backend.prepare(Task::Eliminate, a.format(), n, columns);
    let has_ordinary = has_ordinary_lines(backend, a)?;
    if !(is_ordinary(backend, "b", Transpose::Yes, b)? && has_ordinary) {
        let (a, b) = (backend.download(a)?, backend.download(b)?);
        let solution = solve_on(backend.clone(), a.view(), b.view(), method)?;
        return Ok(Solution::of_host(backend, &solution.x, solution.report));
    }
    match method {
        Method::Cholesky => {
            if !is_symmetric(backend, a)? {
                check_symmetric(backend.download(a)?.view())?;
            }
            by_cholesky(backend, a, b)
        }
        Method::Auto if has_positive_diagonal(backend, a)? && is_symmetric(backend, a)? => {
            match by_cholesky(backend, a, b) {
                Err(error @ Error::NotPositiveDefinite { .. }) => {
                    let found = by_elimination(backend, a, b, Method::Lu)?;
                    Ok(Solution { rejected: Some(error), ..found })
                }
                found => found,
            }
        }
        Method::Auto => by_elimination(backend, a, b, Method::Lu),
        Method::Lu | Method::GaussJordan => by_elimination(backend, a, b, method),
    }
}

/// The inverse of a square matrix.
///
/// # Errors
/// As [`inverse_on`](crate::dense::inverse_on).
pub fn inverse<T: Number, B: Resident<T>>(
    backend: &B,
    a: B::Ref<'_>,
) -> Result<Solution<B::Matrix>, Error> {
    Error::check_square(a.shape())?;
    let (n, _) = a.shape();
    backend.check_products()?;
    if !has_ordinary_lines(backend, a)? {
        let a = backend.download(a)?;
        let inverse = inverse_on(backend.clone(), a.view())?;
        return Ok(Solution::of_host(backend, &inverse.x, inverse.report));
    }
    let identity = backend.identity(a.format(), n, n);
    let mut found = solve(backend, a, backend.view(&identity), Method::Auto)?;
    if found.method == Method::Cholesky {
        // Rounding errors of either triangle are independent.
        backend.mirror_lower(backend.view_mut(&mut found.x));
    }
    Ok(found)
}

/// The solution of `op(A)·X = B` for one triangle of `A`; the other is not read, nor is the
/// diagonal where it is [`Diagonal::Unit`].
///
/// # Errors
/// As [`solve_triangular`](crate::dense::solve_triangular), and [`Error::Device`].
pub fn solve_triangular<T: Number, B: Resident<T>>(
    backend: &B,
    triangle: Triangle,
    op: Transpose,
    diagonal: Diagonal,
    a: B::Ref<'_>,
    b: B::Ref<'_>,
) -> Result<B::Matrix, Error> {
    Error::check_square(a.shape())?;
    let (n, columns) = b.shape();
    Error::check_shape("b", (a.shape().0, columns), (n, columns))?;
    Error::check_format::<T>("b", a.format(), b.format())?;
    backend.check_products()?;
    check_finite(backend, "b", b)?;
    let t = match (diagonal, triangle) {
        (Diagonal::NonUnit, _) => backend.triangle_of(triangle, a),
        (Diagonal::Unit, Triangle::Lower) => backend.unit_lower(a),
        (Diagonal::Unit, Triangle::Upper) => {
            let lower = backend.unit_lower(backend.view(&backend.transpose_of(a)));
            backend.transpose_of(backend.view(&lower))
        }
    };
    check_finite(backend, "a", backend.view(&t))?;
    if diagonal == Diagonal::NonUnit {
        let on_diagonal = diagonal_of(backend, a)?;
        if let Some(column) = on_diagonal.column(0).iter().position(|x| x == T::ZERO) {
            return Err(Error::Singular { column });
        }
    }
    let mut x = backend.copy_of(b);
    let (t, to) = (backend.view(&t), backend.view_mut(&mut x));
    let system = TriangularSystem::left(triangle, op, diagonal);
    backend.run(|| system.solve(backend, T::ONE, t, to));
    check_range(backend, "x", backend.view(&x))?;
    Ok(x)
}

fn diagonal_of<T: Number, B: Resident<T>>(backend: &B, a: B::Ref<'_>) -> Result<Matrix<T>, Error> {
    let diagonal = backend.diagonal_of(a);
    backend.download(backend.view(&diagonal))
}

fn has_positive_diagonal<T: Number, B: Resident<T>>(
    backend: &B,
    a: B::Ref<'_>,
) -> Result<bool, Error> {
    Ok(diagonal_of(backend, a)?.column(0).iter().all(|x| x > T::ZERO))
}

/// Whether every entry of a finite matrix equals its mirror image.
fn is_symmetric<T: Number, B: Resident<T>>(backend: &B, a: B::Ref<'_>) -> Result<bool, Error> {
    let mut difference = backend.transpose_of(a);
    let operands = [Operand::Entries(a), Operand::Output];
    backend.elementwise(BinaryOp::Sub, operands, backend.view_mut(&mut difference));
    // What overflows is not zero.
    match norm_one(backend, "a", backend.view(&difference)) {
        Ok(norm) => Ok(norm == Reading::ZERO),
        Err(Error::NotFinite { .. } | Error::Overflow { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// The solution of a system, in the place of its right-hand sides, by factors of its matrix.
fn found<T: Number, B: Resident<T>>(
    backend: &B,
    x: B::Matrix,
    method: Method,
    condition: Reading,
) -> Result<Solution<B::Matrix>, Error> {
    check_range(backend, "x", backend.view(&x))?;
    let (view, condition_estimate) = (backend.view(&x), condition);
    let forward_error_estimate = forward_error::<T>(view.format(), view.shape().0, condition);
    Ok(Solution { x, method, rejected: None, condition_estimate, forward_error_estimate })
}

fn by_elimination<T: Number, B: Resident<T>>(
    backend: &B,
    a: B::Ref<'_>,
    b: B::Ref<'_>,
    method: Method,
) -> Result<Solution<B::Matrix>, Error> {
    let norm = norm_one(backend, "a", a)?;
    let (matrix, mut x) = (backend.copy_of(a), backend.copy_of(b));
    let to = backend.view_mut(&mut x);
    let lu = match method {
        Method::GaussJordan => gauss_jordan(backend.clone(), matrix, to)?,
        _ => {
            let lu = Lu::new(backend.clone(), matrix)?;
            lu.solve_in_place(Transpose::No, to)?;
            lu
        }
    };
    found(backend, x, method, lu.condition_estimate(norm))
}

fn by_cholesky<T: Number, B: Resident<T>>(
    backend: &B,
    a: B::Ref<'_>,
    b: B::Ref<'_>,
) -> Result<Solution<B::Matrix>, Error> {
    let norm = norm_one(backend, "a", a)?;
    let factor = Cholesky::new(backend.clone(), backend.copy_of(a))?;
    let mut x = backend.copy_of(b);
    factor.solve_in_place(backend.view_mut(&mut x))?;
    found(backend, x, Method::Cholesky, factor.condition_estimate(norm))
}
