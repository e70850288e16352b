//! Triangular systems with many right-hand sides.

use crate::backend::{Cpu, Gemm, Trsm, View, ViewMut};
use crate::dense::halve::halve;
use crate::dense::{Diagonal, MatMut, MatRef, Side, Transpose, Triangle};
use crate::{Error, Number};

/// Right-hand sides from which on long products are worth it.
pub(super) const RIGHTS: usize = 64;

/// Solves with a triangular matrix `A`: `B ← α·op(A)⁻¹·B` or `B ← α·B·op(A)⁻¹`.
///
/// The former is [`Side::Left`], the latter [`Side::Right`]. `op` is nothing or the transpose.
///
/// Only `triangle` of `A` is read, without its diagonal when that is [`Diagonal::Unit`]. A zero on
/// the diagonal is divided by as IEEE arithmetic does. With `α = 0`, neither `A` nor `B` is read.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::dense::{Diagonal, Side, Transpose, Triangle, trsm};
///
/// // The 9 stands above the diagonal and is not read.
/// let a = Matrix::from_columns(2, 2, vec![2.0, 1.0, 9.0, 4.0]).unwrap();
/// let mut b = Matrix::from_columns(2, 1, vec![6.0, 7.0]).unwrap();
/// let (lower, no, diagonal) = (Triangle::Lower, Transpose::No, Diagonal::NonUnit);
/// trsm(Side::Left, lower, no, diagonal, 1.0, a.view(), b.view_mut())?;
/// assert_eq!(b.as_slice(), [3.0, 1.0]);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// [`Error::Shape`] when the shapes do not fit, [`Error::Precision`] when the precisions differ.
pub fn trsm<T: Number>(
    side: Side,
    triangle: Triangle,
    transpose: Transpose,
    diagonal: Diagonal,
    alpha: T,
    a: MatRef<'_, T>,
    b: MatMut<'_, T>,
) -> Result<(), Error> {
    trsm_on(&Cpu::default(), side, triangle, transpose, diagonal, alpha, a, b)
}

/// [`trsm`] on the backend of one's choice. Systems of an order beyond [`Trsm::ORDER`] are halved:
/// solved for one half of the unknowns, whose contribution is a product of matrices, then for the
/// other.
///
/// **Error.** To first order `|α·B − op(A)·X| <= (Σ c(k_i) + 12 + h)·u·(|op(A)||X|)` entrywise,
/// where halving `h` times leaves an unknown's terms to `h + 1` sums of `k_i`, each with the bound
/// `c` of its product. Beside what one substitution takes ([`cpu::trsm`](crate::cpu::trsm)) each
/// half adds a difference, of which the result is what the terms still to come amount to.
///
/// # Errors
/// [`Error::Shape`] when the shapes do not fit, [`Error::Precision`] when the precisions differ,
/// [`Error::NoArithmetic`] as for [`gemm_on`](crate::dense::gemm::gemm_on).
#[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
pub fn trsm_on<T: Number, B: Trsm<T> + Gemm<T>>(
    backend: &B,
    side: Side,
    triangle: Triangle,
    transpose: Transpose,
    diagonal: Diagonal,
    alpha: T,
    a: B::Ref<'_>,
    b: B::Mut<'_>,
) -> Result<(), Error> {
    let n = if side == Side::Left { b.shape().0 } else { b.shape().1 };
    Error::check_shape("a", (n, n), a.shape())?;
    Error::check_format::<T>("a", b.format(), a.format())?;
    backend.check_products()?;
    TriangularSystem { side, triangle, transpose, diagonal }.solve(backend, alpha, a, b);
    Ok(())
}

/// What is known of a triangular system beside its numbers.
#[derive(Clone, Copy, Debug)]
pub struct TriangularSystem {
    side: Side,
    triangle: Triangle,
    transpose: Transpose,
    diagonal: Diagonal,
}

impl TriangularSystem {
    /// `op(A)·X = α·B`.
    pub fn left(triangle: Triangle, transpose: Transpose, diagonal: Diagonal) -> Self {
        Self { side: Side::Left, triangle, transpose, diagonal }
    }

    /// Puts the solution in the place of `b`; for shapes that fit, and a backend that has its
    /// arithmetic.
    pub fn solve<T: Number, B: Trsm<T> + Gemm<T>>(
        self,
        backend: &B,
        alpha: T,
        a: B::Ref<'_>,
        b: B::Mut<'_>,
    ) {
        let Self { side, triangle, transpose, diagonal } = self;
        let ((n, _), (rows, cols)) = (a.shape(), b.shape());
        let rights = if side == Side::Left { cols } else { rows };
        // Without a factor there is nothing to solve.
        if n <= B::ORDER || rights < RIGHTS || alpha == T::ZERO {
            return backend.trsm(side, triangle, transpose, diagonal, alpha, a, b);
        }
        let half = halve(n, B::ORDER);
        let rest = n - half;
        let (top, bottom) = (a.block(0, 0, half, half), a.block(half, half, rest, rest));
        // The corner of A that is not zero, and whether the first unknowns come first.
        let corner = match triangle {
            Triangle::Lower => a.block(half, 0, rest, half),
            Triangle::Upper => a.block(0, half, half, rest),
        };
        let downwards = triangle.transposed(transpose) == Triangle::Lower;
        match side {
            Side::Left => {
                let (first, second) = ((0, half), (half, rest));
                let ((at, count), (next, others), squares) = if downwards {
                    (first, second, [top, bottom])
                } else {
                    (second, first, [bottom, top])
                };
                let mut b = b;
                self.solve(backend, alpha, squares[0], b.reborrow().block_mut(at, 0, count, cols));
                // A product must not read what it writes to, and these are rows of the same
                // columns.
                let found = backend.copy_of(b.as_ref().block(at, 0, count, cols));
                let mut right = b.block_mut(next, 0, others, cols);
                let (found, to) = (backend.view(&found), right.reborrow());
                backend.queue_gemm(transpose, Transpose::No, -T::ONE, corner, found, alpha, to);
                self.solve(backend, T::ONE, squares[1], right);
            }
            Side::Right => {
                let (left, right) = b.split_cols(half);
                let (mut first, mut second, squares) = if downwards {
                    (right, left, [bottom, top])
                } else {
                    (left, right, [top, bottom])
                };
                self.solve(backend, alpha, squares[0], first.reborrow());
                let (found, to) = (first.as_ref(), second.reborrow());
                backend.queue_gemm(Transpose::No, transpose, -T::ONE, found, corner, alpha, to);
                self.solve(backend, T::ONE, squares[1], second);
            }
        }
    }
}
