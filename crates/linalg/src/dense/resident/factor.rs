//! Factors.

use super::scale::{bring_columns_near_one, check_finite, check_range, norm_one, scale_columns};
use crate::backend::{Reading, Resident, Task, View, ViewMut};
use crate::dense::{Cholesky, Lu, Qr, Transpose, Triangle};
use crate::{Error, Number};

/// LU factors with partial pivoting, `P·A = L·U`, in a backend's memory.
#[derive(Clone, Debug)]
pub struct LuFactors<M> {
    /// `L`, with ones on its diagonal.
    pub lower: M,
    /// `U`.
    pub upper: M,
    /// Row `j` was exchanged with row `pivots[j]`, for `j` from the first to the last.
    pub pivots: Vec<usize>,
    /// An estimate of `κ₁(A)`.
    pub condition_estimate: Reading,
}

/// LU factors of a square matrix.
///
/// # Errors
/// As [`Lu::factor`], and [`Error::Device`].
pub fn lu<T: Number, B: Resident<T>>(
    backend: &B,
    a: B::Ref<'_>,
) -> Result<LuFactors<B::Matrix>, Error> {
    Error::check_square(a.shape())?;
    backend.prepare(Task::Eliminate, a.format(), a.shape().0, 1);
    let norm = norm_one(backend, "a", a)?;
    let lu = Lu::new(backend.clone(), backend.copy_of(a))?;
    let condition_estimate = lu.condition_estimate(norm);
    let pivots = lu.pivots().to_vec();
    let packed = lu.into_packed();
    let packed = backend.view(&packed);
    let (lower, upper) = (backend.unit_lower(packed), backend.triangle_of(Triangle::Upper, packed));
    Ok(LuFactors { lower, upper, pivots, condition_estimate })
}

/// The Cholesky factor of a symmetric positive definite matrix in a backend's memory.
#[derive(Clone, Debug)]
pub struct CholeskyFactor<M> {
    /// `L` with `A = L·Lᵀ`, zeros above its diagonal.
    pub lower: M,
    /// An estimate of `κ₁(A)`.
    pub condition_estimate: Reading,
}

/// The Cholesky factor of a symmetric matrix, of which only one triangle is read.
///
/// # Errors
/// As [`Cholesky::factor`], and [`Error::Device`].
pub fn cholesky<T: Number, B: Resident<T>>(
    backend: &B,
    triangle: Triangle,
    a: B::Ref<'_>,
) -> Result<CholeskyFactor<B::Matrix>, Error> {
    Error::check_square(a.shape())?;
    backend.prepare(Task::Eliminate, a.format(), a.shape().0, 1);
    let given = backend.triangle_of(triangle, a);
    check_finite(backend, "a", backend.view(&given))?;
    let lower = match triangle {
        Triangle::Lower => given,
        Triangle::Upper => backend.transpose_of(backend.view(&given)),
    };
    let mut whole = backend.copy_of(backend.view(&lower));
    backend.mirror_lower(backend.view_mut(&mut whole));
    let norm = norm_one(backend, "a", backend.view(&whole))?;
    let factor = Cholesky::new(backend.clone(), lower)?;
    let condition_estimate = factor.condition_estimate(norm);
    let packed = factor.into_packed();
    let lower = backend.triangle_of(Triangle::Lower, backend.view(&packed));
    Ok(CholeskyFactor { lower, condition_estimate })
}

/// `A = Q·R` of an `m × n` matrix in a backend's memory, with `k = min(m, n)`.
#[derive(Clone, Debug)]
pub struct QrFactors<M> {
    /// `m × k` with orthonormal columns, where it was asked for.
    pub q: Option<M>,
    /// `k × n`, with zeros below the diagonal.
    pub r: M,
}

/// QR factors of a matrix of any shape; `with_q` asks for `Q` too.
///
/// # Errors
/// [`Error::NotFinite`], [`Error::Overflow`] where an entry of `R` leaves the range,
/// [`Error::NoArithmetic`], [`Error::Device`].
pub fn qr<T: Number, B: Resident<T>>(
    backend: &B,
    a: B::Ref<'_>,
    with_q: bool,
) -> Result<QrFactors<B::Matrix>, Error> {
    let ((m, n), format) = (a.shape(), a.format());
    let k = m.min(n);
    backend.check_products()?;
    backend.prepare(Task::Reflect, format, k, 1);
    let mut left = backend.copy_of(a.block(0, 0, m, k));
    let exponents = bring_columns_near_one(backend, "a", &mut left)?;
    let qr = Qr::new(backend.clone(), left)?;
    let mut r = backend.zeros(format, k, n);
    let triangle = qr.r_on();
    let mut to = backend.view_mut(&mut r).block_mut(0, 0, k, k);
    backend.copy(backend.view(&triangle), to.reborrow());
    scale_columns(backend, &exponents, to);
    if n > k {
        let mut right = backend.copy_of(a.block(0, k, m, n - k));
        let exponents = bring_columns_near_one(backend, "a", &mut right)?;
        qr.apply_q(Transpose::Yes, backend.view_mut(&mut right))?;
        let mut to = backend.view_mut(&mut r).block_mut(0, k, k, n - k);
        backend.copy(backend.view(&right).block(0, 0, k, n - k), to.reborrow());
        scale_columns(backend, &exponents, to);
    }
    check_range(backend, "r", backend.view(&r))?;
    Ok(QrFactors { q: with_q.then(|| qr.q_on()), r })
}
