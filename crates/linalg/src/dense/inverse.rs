//! Inverses, and triangular systems for whoever wants their conditions checked.
//!
//! **Error** (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., chapter 14). A
//! column of the inverse is the solution for a unit vector, so that the right residual is small,
//! `|A·X − I| <= 3c·n·u·|L||U||X|` for factors of `A` with exchanged rows (section 14.3), and for a
//! triangle `|A·X − I| <= c·n·u·|A||X|` (section 14.2), entrywise, where `c·u` bounds the error of
//! one multiplication and addition.

use nonius_num::Element;
use std::time::Instant;

use super::balance::Rights;
use super::solved::Solved;
use super::trsm::TriangularSystem;
use super::{Diagonal, Method, Report, Transpose, Triangle};
use crate::backend::{Cpu, Dense, Task};
use crate::{Error, MatRef, Matrix, Number};

/// The inverse of a square matrix, how it was found and how good it is.
#[derive(Clone, Debug)]
pub struct Inverse<T: Element> {
    /// `A⁻¹`.
    pub x: Matrix<T>,
    /// That of a solution of `A·X = I`, by [`Method::Cholesky`] or [`Method::Lu`].
    pub report: Report,
}

/// The inverse of a square matrix, on the host: by Cholesky factors where the matrix is symmetric
/// and positive definite, else by LU.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::dense::inverse;
///
/// let a = Matrix::from_fn(2, 2, |i, j| [[2.0, 1.0], [4.0, 4.0]][i][j]);
/// let x = inverse(a.view())?.x;
/// assert_eq!(x, Matrix::from_fn(2, 2, |i, j| [[1.0, -0.25], [-1.0, 0.5]][i][j]));
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// [`Error::NotSquare`], [`Error::NotFinite`], [`Error::Singular`], and [`Error::Overflow`] where
/// the inverse leaves the range of the format.
pub fn inverse<T: Number>(a: MatRef<'_, T>) -> Result<Inverse<T>, Error> {
    inverse_on(Cpu::default(), a)
}

/// [`inverse`] on the backend of one's choice.
///
/// # Errors
/// As [`inverse`], and [`Error::NoArithmetic`] where numbers of this type do not have the backend's
/// arithmetic.
pub fn inverse_on<T: Number, B: Dense<T>>(
    backend: B,
    a: MatRef<'_, T>,
) -> Result<Inverse<T>, Error> {
    let start = Instant::now();
    let identity = Matrix::identity_in(a.format(), a.rows());
    backend.prepare(Task::Eliminate, a.format(), a.rows(), a.rows());
    let found = find(&backend, a, identity.view())?;
    let report = found.report(a, identity.view(), start.elapsed())?;
    Ok(Inverse { x: found.x, report })
}

/// The inverse alone, on the host.
///
/// # Errors
/// As [`inverse`].
pub(crate) fn inverse_alone<T: Number>(a: MatRef<'_, T>) -> Result<Matrix<T>, Error> {
    Ok(find(&Cpu::default(), a, Matrix::identity_in(a.format(), a.rows()).view())?.x)
}

fn find<'a, T: Number, B: Dense<T>>(
    backend: &B,
    a: MatRef<'a, T>,
    identity: MatRef<'a, T>,
) -> Result<Solved<'a, T, B>, Error> {
    Error::check_square(a.shape())?;
    Error::check_finite("a", a)?;
    Solved::by(backend, a, Rights::Identity(identity), Method::Auto)
}

/// The inverse of a triangular matrix, on the host. The other triangle is not read; that of the
/// inverse is zero.
///
/// # Errors
/// As [`solve_triangular`].
pub fn inverse_triangular<T: Number>(
    triangle: Triangle,
    diagonal: Diagonal,
    a: MatRef<'_, T>,
) -> Result<Matrix<T>, Error> {
    let identity = Matrix::identity_in(a.format(), a.rows());
    solve_triangular(triangle, Transpose::No, diagonal, a, identity.view())
}

/// The solution of `op(A)·X = B` for a triangular `A`, on the host. The other triangle is not read,
/// nor is the diagonal where it is [`Diagonal::Unit`].
///
/// Error (Higham 2002, Theorem 8.5): each column is exact for a triangle within `c·n·u·|A|` of `A`.
/// Beside [`trsm`](super::trsm) it looks for what has no solution.
///
/// ```
/// use nonius_linalg::dense::{Diagonal, Transpose, Triangle, solve_triangular};
/// use nonius_linalg::{Error, Matrix};
///
/// let a = Matrix::from_columns(2, 2, vec![2.0, 0.0, 1.0, 4.0]).unwrap();
/// let b = Matrix::from_columns(2, 1, vec![4.0, 8.0]).unwrap();
/// let (upper, no, diagonal) = (Triangle::Upper, Transpose::No, Diagonal::NonUnit);
/// let x = solve_triangular(upper, no, diagonal, a.view(), b.view())?;
/// assert_eq!(x.as_slice(), [1.0, 2.0]);
/// // The lower triangle of this matrix has a zero on its diagonal.
/// let a = Matrix::from_columns(2, 2, vec![0.0, 1.0, 1.0, 1.0]).unwrap();
/// let refused = solve_triangular(Triangle::Lower, no, diagonal, a.view(), b.view());
/// assert!(matches!(refused, Err(Error::Singular { .. })));
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// [`Error::NotSquare`], [`Error::Shape`], [`Error::Precision`] where `B` has another precision
/// than `A`, [`Error::NotFinite`] for an entry that is read, [`Error::Singular`] where one on the
/// diagonal is zero, [`Error::Overflow`] where the solution leaves the range of the format.
pub fn solve_triangular<T: Number>(
    triangle: Triangle,
    op: Transpose,
    diagonal: Diagonal,
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
) -> Result<Matrix<T>, Error> {
    Error::check_square(a.shape())?;
    let n = a.rows();
    Error::check_shape("b", (n, b.cols()), b.shape())?;
    Error::check_format::<T>("b", a.format(), b.format())?;
    Error::check_finite("b", b)?;
    for col in 0..n {
        let read =
            |i: usize| triangle.contains(i, col) && (i != col || diagonal == Diagonal::NonUnit);
        if let Some(row) = (0..n).find(|&i| read(i) && !a.at(i, col).is_finite()) {
            return Err(Error::NotFinite { operand: "a", row, col });
        }
        if diagonal == Diagonal::NonUnit && a.at(col, col) == T::ZERO {
            return Err(Error::Singular { column: col });
        }
    }
    let mut x = b.to_matrix();
    TriangularSystem::left(triangle, op, diagonal).solve(&Cpu::default(), T::ONE, a, x.view_mut());
    match Error::check_finite("x", x.view()) {
        Err(Error::NotFinite { col, .. }) => Err(Error::Overflow { operand: "x", column: col }),
        _ => Ok(x),
    }
}
