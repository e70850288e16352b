//! Products, triangular systems and factors in place, on parts of arrays: BLAS and LAPACK.
//!
//! The functions have the names and meanings of the field, without the letter of the precision.
//! They take views with leading dimensions and run on the host's processor. Programs that were
//! written for BLAS and LAPACK need them; any other program is better served by
//! [`dense`](crate::dense), whose tasks choose methods and report how good results are.
//!
//! | function | does |
//! |---|---|
//! | [`gemm`] | `C ← α·op(A)·op(B) + β·C` |
//! | [`syrk`] | one triangle of `C ← α·op(A)·op(A)ᵀ + β·C` |
//! | [`trsm`] | `B ← α·op(A)⁻¹·B` or `α·B·op(A)⁻¹` for a triangular `A` |
//! | [`potrf`], [`potrs`] | Cholesky factor of one triangle, and solutions with it |
//! | [`getrf`], [`getrs`] | LU factors with partial pivoting, and solutions with them |
//! | [`syev`] | eigenvalues and eigenvectors of a symmetric matrix by one triangle |
//!
//! Only the stated triangles are read and written. A call that fails leaves its operands as they
//! were. The results are those of [`Cholesky`], [`Lu`](crate::dense::Lu) and
//! [`Eigenvalues`](crate::dense::Eigenvalues), bit for bit and with the same error bounds.
//!
//! ```
//! use nonius::dense::{MatMut, Transpose};
//! use nonius::lapack::{getrf, getrs};
//! use nonius::Qd;
//!
//! // The matrix [0 2; 4 1], column by column in an array whose columns have three numbers.
//! let mut a = [0.0, 4.0, 9.0, 2.0, 1.0].map(Qd::from);
//! let mut pivots = [0; 2];
//! let none = getrf(MatMut::from_parts(&mut a, 2, 2, 3), &mut pivots)?;
//! assert_eq!((none, pivots, a[2]), (None, [1, 1], Qd::from(9.0)));
//! let mut b = [2.0, 5.0].map(Qd::from);
//! let factors = nonius::dense::MatRef::from_parts(&a, 2, 2, 3);
//! getrs(Transpose::No, factors, &pivots, (&mut b).into())?;
//! assert_eq!(b, [1.0, 1.0].map(Qd::from));
//! # Ok::<(), nonius::dense::Error>(())
//! ```

use nonius_linalg::backend::{Breakdown, Cpu, Order, Panel, Schedule};
use nonius_linalg::dense::{
    Algorithms, Cholesky, Diagonal, Side, Transpose, Triangle, Vectors, lu_in_place,
};
use nonius_linalg::{Error, MatMut, MatRef, Matrix};

use crate::Number;

pub use nonius_linalg::dense::gemm::gemm;
pub use nonius_linalg::dense::{syrk, trsm};

/// The Cholesky factor of a symmetric positive definite matrix, in the place of its triangle: `L`
/// with `A = L·Lᵀ`, or `U` with `A = Uᵀ·U`.
///
/// # Errors
/// [`Error::NotSquare`]; [`Error::NotFinite`] for an entry of the triangle;
/// [`Error::NotPositiveDefinite`] for a pivot that is not positive, [`Error::Overflow`] for one
/// that is not finite.
pub fn potrf<T: Number>(triangle: Triangle, mut a: MatMut<'_, T>) -> Result<(), Error> {
    let lower = Cholesky::factor(triangle, a.as_ref())?.lower()?;
    let n = lower.rows();
    for j in 0..n {
        match triangle {
            Triangle::Lower => {
                a.column_mut(j).range(j..n).copy_from(lower.column(j).range(j..n));
            }
            Triangle::Upper => (0..=j).for_each(|i| a.set(i, j, lower.at(j, i))),
        }
    }
    Ok(())
}

/// The solution of `A·X = B` by the factor that [`potrf`] left in a triangle, in the place of `B`.
///
/// # Errors
/// [`Error::Shape`], [`Error::Precision`].
pub fn potrs<T: Number>(
    triangle: Triangle,
    factor: MatRef<'_, T>,
    mut b: MatMut<'_, T>,
) -> Result<(), Error> {
    let order = match triangle {
        Triangle::Lower => [Transpose::No, Transpose::Yes],
        Triangle::Upper => [Transpose::Yes, Transpose::No],
    };
    order.into_iter().try_for_each(|op| {
        trsm(Side::Left, triangle, op, Diagonal::NonUnit, T::ONE, factor, b.reborrow())
    })
}

/// LU factors with partial pivoting, `P·A = L·U`, in the place of an `m × n` matrix: `L`, whose
/// diagonal of ones is not stored, below the diagonal, `U` on and above it. Row `j` was exchanged
/// with row `pivots[j]`, for `j` from 0 to `min(m, n) − 1`.
///
/// Returns the first column whose pivot is zero: `U` has a zero there, and solves no system.
///
/// # Errors
/// [`Error::Shape`] unless there are `min(m, n)` pivots; [`Error::NotFinite`]; [`Error::Overflow`]
/// where elimination leaves the range of the numbers, in which case `A` is as it was.
pub fn getrf<T: Number>(a: MatMut<'_, T>, pivots: &mut [usize]) -> Result<Option<usize>, Error> {
    let (m, n) = a.shape();
    check_shape("pivots", (m.min(n), 1), (pivots.len(), 1))?;
    check_finite("a", a.as_ref())?;
    let mut a = a;
    let given = a.as_ref().to_matrix();
    let cpu = Cpu::default();
    let outcome = cpu.run(|| eliminate(&cpu, a.reborrow(), pivots));
    outcome.inspect_err(|_| a.copy_from(given.view()))
}

/// [`getrf`], which on failure leaves any numbers.
fn eliminate<T: Number>(
    cpu: &Cpu,
    mut a: MatMut<'_, T>,
    pivots: &mut [usize],
) -> Result<Option<usize>, Error> {
    let (m, n) = a.shape();
    let (mut start, mut width, mut first) = (0, pivots.len(), None);
    while start < pivots.len() {
        let rows = m - start;
        if width == 0 {
            // No row has a pivot for this column: it is zero already, and so are its multipliers.
            pivots[start] = start;
            first = first.or(Some(start));
            start += 1;
            width = pivots.len() - start;
            continue;
        }
        let saved = a.as_ref().block(start, start, rows, width).to_matrix();
        let mut columns = a.reborrow().block_mut(start, start, rows, width);
        let exchanges = &mut pivots[start..start + width];
        if let Err(Breakdown { column, pivot }) =
            lu_in_place::<T, Cpu>(cpu, columns.reborrow(), exchanges)
        {
            if pivot != 0.0 {
                return Err(Error::Overflow { operand: "a", column: start + column });
            }
            columns.copy_from(saved.view());
            width = column;
            continue;
        }
        let left = a.reborrow().block_mut(start, 0, rows, start);
        cpu.swap_rows(left, exchanges, Order::Forward);
        let here = a.reborrow().block_mut(start, start, rows, n - start);
        carry_over(cpu, here, exchanges)?;
        exchanges.iter_mut().for_each(|row| *row += start);
        start += width;
        width = pivots.len() - start;
    }
    Ok(first)
}

/// Carries the first columns, which are factored, over to those on their right.
fn carry_over<T: Number>(cpu: &Cpu, a: MatMut<'_, T>, exchanges: &[usize]) -> Result<(), Error> {
    let ((rows, cols), width) = (a.shape(), exchanges.len());
    if cols == width {
        return Ok(());
    }
    let (factored, mut right) = a.split_cols(width);
    let factored = factored.as_ref();
    cpu.swap_rows(right.reborrow(), exchanges, Order::Forward);
    let mut top = right.reborrow().block_mut(0, 0, width, cols - width);
    let square = factored.block(0, 0, width, width);
    let (lower, no) = (Triangle::Lower, Transpose::No);
    trsm(Side::Left, lower, no, Diagonal::Unit, T::ONE, square, top.reborrow())?;
    let top = top.as_ref().to_matrix();
    let below = factored.block(width, 0, rows - width, width);
    let rest = right.block_mut(width, 0, rows - width, cols - width);
    gemm(no, no, -T::ONE, below, top.view(), T::ONE, rest).map(drop)
}

/// The solution of `op(A)·X = B` by the factors that [`getrf`] left, in the place of `B`.
///
/// # Errors
/// [`Error::Shape`] where shapes do not fit, or a pivot names no row; [`Error::Precision`].
pub fn getrs<T: Number>(
    op: Transpose,
    factors: MatRef<'_, T>,
    pivots: &[usize],
    mut b: MatMut<'_, T>,
) -> Result<(), Error> {
    let n = factors.rows();
    check_shape("a", (n, n), factors.shape())?;
    check_shape("b", (n, b.cols()), b.shape())?;
    let rows = pivots.iter().take_while(|&&row| row < n).count();
    check_shape("pivots", (n, 1), (rows, 1))?;
    let cpu = Cpu::default();
    let solve = |triangle, diagonal, b: MatMut<'_, T>| {
        trsm(Side::Left, triangle, op, diagonal, T::ONE, factors, b)
    };
    match op {
        Transpose::No => {
            cpu.swap_rows(b.reborrow(), pivots, Order::Forward);
            solve(Triangle::Lower, Diagonal::Unit, b.reborrow())?;
            solve(Triangle::Upper, Diagonal::NonUnit, b)
        }
        Transpose::Yes => {
            solve(Triangle::Upper, Diagonal::NonUnit, b.reborrow())?;
            solve(Triangle::Lower, Diagonal::Unit, b.reborrow())?;
            cpu.swap_rows(b, pivots, Order::Backward);
            Ok(())
        }
    }
}

/// The eigenvalues of the symmetric matrix that a triangle says, in ascending order. The
/// eigenvectors, where they are wanted, take the place of the whole matrix as columns.
///
/// # Errors
/// As [`Eigenvalues::run`](crate::dense::Eigenvalues::run).
pub fn syev<T: Number>(
    vectors: Vectors,
    triangle: Triangle,
    mut a: MatMut<'_, T>,
) -> Result<Vec<T>, Error> {
    let (n, cols) = a.shape();
    if n != cols {
        return Err(Error::NotSquare { rows: n, cols });
    }
    let mut full = Matrix::try_zeros_in(a.format(), n, n)?;
    for j in 0..n {
        for i in j..n {
            let x = match triangle {
                Triangle::Lower => a.at(i, j),
                Triangle::Upper => a.at(j, i),
            };
            full.set(i, j, x);
            full.set(j, i, x);
        }
    }
    let found = <T as Algorithms<Cpu>>::eigen(Cpu::default(), full.view(), vectors)?.found;
    if let Some(v) = &found.vectors {
        a.copy_from(v.view());
    }
    Ok(found.values)
}

fn check_shape(
    operand: &'static str,
    expected: (usize, usize),
    found: (usize, usize),
) -> Result<(), Error> {
    if expected == found { Ok(()) } else { Err(Error::Shape { operand, expected, found }) }
}

fn check_finite<T: Number>(operand: &'static str, a: MatRef<'_, T>) -> Result<(), Error> {
    let (rows, cols) = a.shape();
    for col in 0..if rows == 0 { 0 } else { cols } {
        if !T::are_finite(a.column(col)) {
            let row = (0..rows).find(|&row| !a.at(row, col).is_finite()).unwrap_or(0);
            return Err(Error::NotFinite { operand, row, col });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
