//! Singular values and vectors.
//!
//! A matrix with more rows than columns is factored as `Q·R` first, and one with fewer is
//! transposed. What is square is made bidiagonal by reflections, and diagonal by plane rotations,
//! the implicit QR method with shifts that are zero where small values would suffer, on the host;
//! or singular vectors that were found in `f64` are refined by products of matrices, which is
//! faster for vectors of numbers of several limbs, and the way of GPUs. Either way, with `u` the
//! unit roundoff and a modest polynomial `p`, of degree 2 in the bound and about `√n` in practice,
//! the computed values are those of a matrix within `p(m + n)·u·σ₁` of `A`, each within that of the
//! exact one; `‖A·V − U·Σ‖₂` is within it, and `U` and `V` within `p(m + n)·u` of orthonormal
//! columns. Values without vectors, on the host, are those of the bidiagonal matrix with small
//! relative errors, all of them.
//!
//! One-sided Jacobi rotations would give small values of some matrices (well conditioned but for
//! the sizes of their columns) with small relative errors, in several times the work, and without
//! vectors in ten times; a higher precision gives them for every matrix. Sources: Golub and Kahan
//! (1965); Demmel and Kahan, *Accurate singular values of bidiagonal matrices*, SIAM J. Sci. Stat.
//! Comput. 11 (1990); Chan, *An improved algorithm for computing the singular value decomposition*,
//! ACM Trans. Math. Softw. 8 (1982), for the first step; *LAPACK Users' Guide* (1999), section 4.9;
//! Ogita and Aishima (2020) for the second way.

mod bidiagonalize;
pub(super) mod direct;
mod iterate;
mod refine;
mod values;

pub use values::Svd;

use super::qr::Qr;
use super::residual::largest_exponent;
use super::{Transpose, Vectors};
use crate::backend::{Cpu, Diagonalize, Reflecting, Schedule};
use crate::{Error, MatRef, Matrix, Number};

/// Singular values and vectors of a matrix of any shape, on the host.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::dense::svd;
/// use nonius_num::{Dd, Fixed};
///
/// let a = Matrix::from_fn(3, 2, |i, j| Dd::from([[3.0, 0.0], [0.0, 0.0], [0.0, -4.0]][i][j]));
/// let found = svd(a.view())?;
/// let bound = 20.0 * Dd::UNIT_ROUNDOFF;
/// assert!((found.values[0] - 4.0).abs().to_f64() < bound);
/// assert!((found.values[1] - 3.0).abs().to_f64() < bound);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// - [`Error::NotFinite`];
/// - [`Error::Overflow`] where a singular value leaves the range of the format;
/// - [`Error::NoConvergence`], which no matrix is known for.
pub fn svd<T: Number>(a: MatRef<'_, T>) -> Result<Svd<T>, Error> {
    svd_on(&Cpu::default(), a, Vectors::Yes)
}

/// The singular values of a matrix of any shape in descending order, on the host.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::dense::singular_values;
/// use nonius_num::Qd;
///
/// // Both singular values of a triangle; `f64` has no digit of the small one.
/// let a = Matrix::from_fn(2, 2, |i, j| Qd::from([[1.0, 1e20], [0.0, 1.0]][i][j]));
/// let values = singular_values(a.view())?;
/// // det A = 1
/// assert!((values[0] * values[1] - 1.0).abs().to_f64() < 1e-20);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// As [`svd`].
pub fn singular_values<T: Number>(a: MatRef<'_, T>) -> Result<Vec<T>, Error> {
    Ok(svd_on(&Cpu::default(), a, Vectors::No)?.values)
}

/// [`svd`] on the backend of one's choice, with vectors where they are wanted.
///
/// # Errors
/// As [`svd`]; [`Error::NoArithmetic`] where numbers of this type do not have the backend's
/// arithmetic; [`Error::Device`] where it failed.
pub fn svd_on<T: Number, B: Diagonalize<T> + Reflecting<T>>(
    backend: &B,
    a: MatRef<'_, T>,
    vectors: Vectors,
) -> Result<Svd<T>, Error> {
    Error::check_finite("a", a)?;
    backend.check_products()?;
    let exponent = largest_exponent(a).unwrap_or(0);
    let scaled = a.scaled(|_, _| -exponent);
    let mut found = if a.rows() >= a.cols() {
        of_tall(backend, scaled, vectors)?
    } else {
        let Svd { values, vectors } = of_tall(backend, scaled.transposed(), vectors)?;
        Svd { values, vectors: vectors.map(|(u, v)| (v, u)) }
    };
    found.values.iter_mut().for_each(|x| *x = x.ldexp(exponent));
    match found.values.iter().position(|x| !x.is_finite()) {
        Some(column) => Err(Error::Overflow { operand: "the singular values", column }),
        None => Ok(found),
    }
}

fn of_tall<T: Number, B: Diagonalize<T> + Reflecting<T>>(
    backend: &B,
    a: Matrix<T>,
    vectors: Vectors,
) -> Result<Svd<T>, Error> {
    let (m, n) = a.shape();
    if m == n {
        return of_square(backend, a.view(), vectors);
    }
    let qr = Qr::factor_on(backend.clone(), a.view())?;
    let Svd { values, vectors } = of_square(backend, qr.r()?.view(), vectors)?;
    let Some((u, v)) = vectors else { return Ok(Svd { values, vectors }) };
    let entry = |i, j| if i < n { u.at(i, j) } else { T::ZERO };
    let tall = Matrix::from_fn_in(u.format(), m, n, entry);
    let mut tall = backend.upload(tall.view());
    qr.apply_q(Transpose::No, backend.view_mut(&mut tall))?;
    Ok(Svd { values, vectors: Some((backend.download(backend.view(&tall))?, v)) })
}

fn of_square<T: Number, B: Diagonalize<T>>(
    backend: &B,
    a: MatRef<'_, T>,
    vectors: Vectors,
) -> Result<Svd<T>, Error> {
    if backend.refines(a.format(), a.rows(), vectors)
        && let Some(found) = refine::refine(backend, a, vectors)?
    {
        return Ok(found);
    }
    let cpu = backend.host();
    Schedule::run(&cpu, || direct::svd(cpu, a, vectors))
}
