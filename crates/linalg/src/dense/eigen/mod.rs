//! Eigenvalues and eigenvectors of symmetric matrices.
//!
//! A matrix is made tridiagonal by reflections, and diagonal by plane rotations: the implicit QL method. Both are orthogonal
//! transformations, so that with `u` the unit roundoff and `p` a modest polynomial, of degree 2 in the bound and about `√n` in practice, the
//! computed eigenvalues are those of a matrix within `p(n)·u·‖A‖₂` of `A`; each is within that of the exact one, and so
//! is `‖A·V − V·Λ‖₂`, while `‖VᵀV − I‖₂ <= p(n)·u`. Single eigenvectors are as sensitive as the gaps between eigenvalues say.
//! Sources: Wilkinson, *The Algebraic Eigenvalue Problem* (1965), chapters 3, 5 and 8; Parlett, *The Symmetric Eigenvalue Problem*
//! (1998), chapters 7 and 8; *LAPACK Users' Guide* (1999), section 4.7.

mod iterate;
mod tridiagonalize;

use super::residual::largest_exponent;
use super::solve::check_symmetric;
use crate::backend::{Cpu, Gemm, Schedule};
use crate::cpu::rotate::Bands;
use crate::{Error, MatRef, Matrix, Scalar};

/// Whether vectors are wanted beside values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vectors {
    /// Values alone, for a third of the work or less.
    No,
    /// Vectors too.
    Yes,
}

/// `A = V·Λ·Vᵀ`
#[derive(Clone, Debug)]
pub struct Eigen<T> {
    /// The eigenvalues, in ascending order.
    pub values: Vec<T>,
    /// The eigenvectors where they are wanted: column `j` is that of `values[j]`, of length 1.
    pub vectors: Option<Matrix<T>>,
}

/// Eigenvalues and eigenvectors of a symmetric matrix, on the host.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::dense::eigen;
/// use nonius_num::{Dd, Real};
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
pub fn eigen<T: Scalar>(a: MatRef<'_, T>) -> Result<Eigen<T>, Error> {
    eigen_on(Cpu::default(), a, Vectors::Yes)
}

/// The eigenvalues of a symmetric matrix in ascending order, on the host.
///
/// # Errors
/// As [`eigen`].
pub fn eigenvalues<T: Scalar>(a: MatRef<'_, T>) -> Result<Vec<T>, Error> {
    Ok(eigen_on(Cpu::default(), a, Vectors::No)?.values)
}

/// [`eigen`] with products of matrices computed as the backend says, and vectors where they are wanted.
///
/// # Errors
/// As [`eigen`], and [`Error::NoArithmetic`] where numbers of this type do not have the backend's arithmetic.
pub fn eigen_on<T: Scalar>(
    cpu: Cpu,
    a: MatRef<'_, T>,
    vectors: Vectors,
) -> Result<Eigen<T>, Error> {
    Error::check_square(a.shape())?;
    Error::check_finite("a", a)?;
    check_symmetric(a)?;
    Gemm::<T>::check_products(&cpu)?;
    Schedule::run(&cpu, || of_finite(cpu, a, vectors))
}

fn of_finite<T: Scalar>(cpu: Cpu, a: MatRef<'_, T>, vectors: Vectors) -> Result<Eigen<T>, Error> {
    let n = a.rows();
    let exponent = largest_exponent(a).unwrap_or(0);
    let scaled = a.to_matrix().map(|x| x.ldexp(-exponent));
    let reduced = tridiagonalize::tridiagonalize(cpu, scaled);
    let (mut d, mut e) = (reduced.diagonal, reduced.beside);
    let mut rotated = (vectors == Vectors::Yes).then(|| Bands::new(&reduced.q.columns(&cpu, n, n)));
    iterate::diagonalize(&mut d, &mut e, |rotations| {
        if let Some(rotated) = &mut rotated {
            rotated.rotate(rotations);
        }
    })?;
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| d[i].partial_cmp(&d[j]).unwrap_or(core::cmp::Ordering::Equal));
    let values: Vec<T> = order.iter().map(|&j| d[j].ldexp(exponent)).collect();
    if let Some(column) = values.iter().position(|x| !x.is_finite()) {
        return Err(Error::Overflow { operand: "the eigenvalues", column });
    }
    Ok(Eigen { values, vectors: rotated.map(|rotated| rotated.columns(&order)) })
}
