//! Eigenvalues and eigenvectors of symmetric matrices.
//!
//! There are two ways. Reflections make a matrix tridiagonal and plane rotations make that
//! diagonal, the implicit QL method, on the host; or eigenvectors that were found in `f64` are
//! refined by products of matrices, which is faster for vectors of numbers of several limbs, and
//! the way of GPUs. Both are orthogonal transformations, so that with `u` the unit roundoff and `p`
//! a modest polynomial, of degree 2 in the bound and about `√n` in practice, the computed
//! eigenvalues are those of a matrix within `p(n)·u·‖A‖₂` of `A`; each is within that of the exact
//! one, and so is `‖A·V − V·Λ‖₂`, while `‖VᵀV − I‖₂ <= p(n)·u`. Single eigenvectors are as
//! sensitive as the gaps between eigenvalues say. Sources: Wilkinson, *The Algebraic Eigenvalue
//! Problem* (1965), chapters 3, 5 and 8; Parlett, *The Symmetric Eigenvalue Problem* (1998),
//! chapters 7 and 8; *LAPACK Users' Guide* (1999), section 4.7; Ogita and Aishima (2018, 2019) for
//! the second way.

pub(super) mod direct;
mod iterate;
mod refine;
mod tridiagonalize;
mod values;

pub use iterate::diagonalize;
pub use values::{Eigen, Vectors};

use super::residual::largest_exponent;
use super::solved::check_symmetric;
use crate::backend::{Cpu, Diagonalize, Schedule};
use crate::{Error, MatRef, Number};

/// Eigenvalues and eigenvectors of a symmetric matrix, on the host.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::dense::eigen;
/// use nonius_num::{Dd, Fixed};
///
/// let a = Matrix::from_fn(2, 2, |i, j| Dd::from(if i == j { 2.0 } else { 1.0 }));
/// let found = eigen(a.view())?;
/// let bound = 20.0 * Dd::UNIT_ROUNDOFF;
/// assert!((found.values[0] - 1.0).abs().to_f64() < bound);
/// assert!((found.values[1] - 3.0).abs().to_f64() < bound);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// - [`Error::NotSquare`], [`Error::NotFinite`], [`Error::NotSymmetric`];
/// - [`Error::Overflow`] where an eigenvalue leaves the range of the format;
/// - [`Error::NoConvergence`], which no matrix is known for.
pub fn eigen<T: Number>(a: MatRef<'_, T>) -> Result<Eigen<T>, Error> {
    eigen_on(&Cpu::default(), a, Vectors::Yes)
}

/// The eigenvalues of a symmetric matrix in ascending order, on the host.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::dense::eigenvalues;
/// use nonius_num::Qd;
///
/// // The second difference of order 4: 2 − 2·cos(kπ/5).
/// let a = Matrix::from_fn(4, 4, |i, j| Qd::from([2.0, -1.0, 0.0, 0.0][i.abs_diff(j)]));
/// let values = eigenvalues(a.view())?;
/// let exact = 2.0 - 2.0 * (Qd::PI / 5.0).cos();
/// assert!((values[0] - exact).abs().to_f64() < 1e-59);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// As [`eigen`].
pub fn eigenvalues<T: Number>(a: MatRef<'_, T>) -> Result<Vec<T>, Error> {
    Ok(eigen_on(&Cpu::default(), a, Vectors::No)?.values)
}

/// [`eigen`] on the backend of one's choice, with vectors where they are wanted.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::backend::Cpu;
/// use nonius_linalg::dense::{Vectors, eigen_on};
/// use nonius_num::Dd;
///
/// let a = Matrix::from_fn(2, 2, |i, j| Dd::from([[0.0, 1.0], [1.0, 0.0]][i][j]));
/// let found = eigen_on(&Cpu::default(), a.view(), Vectors::Yes)?;
/// let v = found.vectors.unwrap();
/// assert!((v[(0, 1)] - v[(1, 1)]).abs().to_f64() < 1e-29); // of the eigenvalue 1
/// assert!((v[(0, 0)] + v[(1, 0)]).abs().to_f64() < 1e-29); // of −1
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// As [`eigen`]; [`Error::NoArithmetic`] where numbers of this type do not have the backend's
/// arithmetic; [`Error::Device`] where it failed.
pub fn eigen_on<T: Number, B: Diagonalize<T>>(
    backend: &B,
    a: MatRef<'_, T>,
    vectors: Vectors,
) -> Result<Eigen<T>, Error> {
    Error::check_square(a.shape())?;
    Error::check_finite("a", a)?;
    check_symmetric(a)?;
    backend.check_products()?;
    let exponent = largest_exponent(a).unwrap_or(0);
    let scaled = a.scaled(|_, _| -exponent);
    let mut found = of_finite(backend, scaled.view(), vectors)?;
    found.values.iter_mut().for_each(|x| *x = x.ldexp(exponent));
    match found.values.iter().position(|x| !x.is_finite()) {
        Some(column) => Err(Error::Overflow { operand: "the eigenvalues", column }),
        None => Ok(found),
    }
}

fn of_finite<T: Number, B: Diagonalize<T>>(
    backend: &B,
    a: MatRef<'_, T>,
    vectors: Vectors,
) -> Result<Eigen<T>, Error> {
    if backend.refines(a.format(), a.rows(), vectors)
        && let Some(found) = refine::refine(backend, a, vectors)?
    {
        return Ok(found);
    }
    let cpu = backend.host();
    Schedule::run(&cpu, || direct::eigen(cpu, a, vectors))
}
