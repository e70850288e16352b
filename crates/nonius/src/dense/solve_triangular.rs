//! Systems with a triangle.

use nonius_linalg::dense::{Diagonal, Transpose, Triangle};
use nonius_linalg::{Error, MatRef, Matrix};
use nonius_num::Element;

use crate::{Number, room};

/// `op(T)·X = B` with a triangular matrix, on the host: by its substitutions every solution is that
/// of a triangle within `c·n·u·|T|` of `T` (Higham 2002, Theorem 8.5).
///
/// ```
/// use nonius::dense::{SolveTriangular, Triangle};
/// use nonius::prelude::*;
///
/// // The 9 stands below the diagonal and is not read.
/// let t = matrix![[2.0, 1.0], [9.0, 4.0]];
/// let x = SolveTriangular::new(Triangle::Upper, &t, &matrix![[4.0], [8.0]]).run()?;
/// assert_eq!(x, matrix![[1.0], [2.0]]);
/// # Ok::<(), nonius::dense::Error>(())
/// ```
#[must_use = "a system is solved by `run`"]
#[derive(Clone, Copy, Debug)]
pub struct SolveTriangular<'a, T: Element> {
    triangle: Triangle,
    t: MatRef<'a, T>,
    b: MatRef<'a, T>,
    transpose: Transpose,
    diagonal: Diagonal,
}

impl<'a, T: Number> SolveTriangular<'a, T> {
    /// The system with this triangle of `T`, `n × n`, and the right-hand sides `B`, `n × k`.
    pub fn new(
        triangle: Triangle,
        t: impl Into<MatRef<'a, T>>,
        b: impl Into<MatRef<'a, T>>,
    ) -> Self {
        let (transpose, diagonal) = (Transpose::No, Diagonal::NonUnit);
        Self { triangle, t: t.into(), b: b.into(), transpose, diagonal }
    }

    /// Whether the matrix of the system is the transpose.
    pub fn transpose(mut self, transpose: Transpose) -> Self {
        self.transpose = transpose;
        self
    }

    /// Whether the diagonal is read, or is all ones.
    pub fn diagonal(mut self, diagonal: Diagonal) -> Self {
        self.diagonal = diagonal;
        self
    }

    /// Solves the system. Returns `X`, `n × k`.
    ///
    /// # Errors
    /// As [`solve_triangular`](nonius_linalg::dense::solve_triangular); [`Error::NoRoom`] where
    /// memory does not do.
    pub fn run(self) -> Result<Matrix<T>, Error> {
        let Self { triangle, t, b, transpose, diagonal } = self;
        room::check::<T>(b.format(), "the solution", &[b.shape()])?;
        T::solve_triangular(triangle, transpose, diagonal, t, b)
    }
}
