//! Systems with a rectangular matrix.

use super::scale::{check_range, is_ordinary, norm_one};
use super::solve::forward_error;
use crate::backend::{Reading, Resident, Task, View, ViewMut};
use crate::dense::condition::inverse_norm_estimate;
use crate::dense::qr::check_rank;
use crate::dense::{Qr, Transpose, least_squares_on};
use crate::{Error, Matrix, Number};

/// A solution in a backend's memory, and what is known of it.
#[derive(Clone, Debug)]
pub struct Minimiser<M> {
    /// `X`.
    pub x: M,
    /// An estimate of `κ₁` of `R`; for fewer rows than columns that of the transpose.
    pub condition_estimate: Reading,
    /// `(m + 3)·u·κ₁`, or infinity where that is no less than 1. Where the residual is large, the
    /// error may grow with the square of the condition (Wedin).
    pub forward_error_estimate: Reading,
}

impl<M> Minimiser<M> {
    /// Decimal digits of the largest entries of the solution that should be right where the
    /// residual is small; 0 where none are.
    pub fn correct_digits(&self) -> f64 {
        (-self.forward_error_estimate.log10()).max(0.0)
    }
}

/// Minimises `‖B − A·X‖₂`, column by column. Where `A` has fewer rows than columns, `X` is the
/// shortest solution of `A·X = B`. Where columns are of extraordinary sizes, beyond `2^±250`, the
/// host scales them on their way.
///
/// # Errors
/// As [`least_squares_on`](crate::dense::least_squares_on). Where the condition is beyond what the
/// precision resolves, the rank is found on the host.
pub fn least_squares<T: Number, B: Resident<T>>(
    backend: &B,
    a: B::Ref<'_>,
    b: B::Ref<'_>,
) -> Result<Minimiser<B::Matrix>, Error> {
    let ((m, n), (_, columns), format) = (a.shape(), b.shape(), a.format());
    Error::check_shape("b", (m, columns), b.shape())?;
    Error::check_format::<T>("b", format, b.format())?;
    backend.check_products()?;
    backend.prepare(Task::Reflect, format, m.min(n), columns);
    let columns_of_a = if m < n { Transpose::No } else { Transpose::Yes };
    let has_ordinary = is_ordinary(backend, "a", columns_of_a, a)?;
    if !(is_ordinary(backend, "b", Transpose::Yes, b)? && has_ordinary) {
        let (a, b) = (backend.download(a)?, backend.download(b)?);
        let found = least_squares_on(backend.clone(), a.view(), b.view())?;
        let report = found.report;
        return Ok(Minimiser {
            x: backend.upload(found.x.view()),
            condition_estimate: report.condition_estimate,
            forward_error_estimate: report.forward_error_estimate,
        });
    }
    let tall = if m < n { backend.transpose_of(a) } else { backend.copy_of(a) };
    let qr = Qr::new(backend.clone(), tall)?;
    let condition = condition(backend, &qr)?;
    let error = forward_error::<T>(format, m.max(n), condition);
    if !error.is_finite() {
        let host = backend.download(a)?;
        let transposed = (m < n).then(|| host.view().transposed());
        let tall = transposed.as_ref().unwrap_or(&host);
        check_rank(tall.view(), T::Size::from(condition))?;
    }
    let mut y = backend.copy_of(b);
    let x = if m < n {
        let mut x = backend.zeros(format, n, columns);
        let mut top = backend.view_mut(&mut x).block_mut(0, 0, m, columns);
        backend.copy(backend.view(&y), top.reborrow());
        qr.solve_triangle(Transpose::Yes, top);
        qr.apply_q(Transpose::No, backend.view_mut(&mut x))?;
        x
    } else {
        qr.apply_q(Transpose::Yes, backend.view_mut(&mut y))?;
        let top = backend.view_mut(&mut y).block_mut(0, 0, n, columns);
        qr.solve_triangle(Transpose::No, top);
        backend.copy_of(backend.view(&y).block(0, 0, n, columns))
    };
    check_range(backend, "x", backend.view(&x))?;
    Ok(Minimiser { x, condition_estimate: condition, forward_error_estimate: error })
}

/// An estimate of `κ₁` of `R`.
fn condition<T: Number, B: Resident<T>>(backend: &B, qr: &Qr<T, B>) -> Result<Reading, Error> {
    let (_, n) = qr.shape();
    let r = qr.r_on();
    let norm = norm_one(backend, "a", backend.view(&r))?;
    let solve = |op, x: &Matrix<T>| qr.solve_r(op, x);
    let inverse = inverse_norm_estimate(backend.view(&r).format(), n, solve);
    Ok(norm.times(inverse.into()))
}
