//! Sizes of rows and columns in a backend's memory, and powers of two that bring them near 1.

use crate::backend::{Reading, Resident, View, ViewMut};
use crate::dense::{Operand, Transpose};
use crate::{BinaryOp, Error, Matrix, Number, Size, UnaryOp};

/// Exponents that the sizes of rows and columns may have, in magnitude, before anything is scaled:
/// the numbers that elimination makes of them, down to the last limb, are in the range.
const ORDINARY: i32 = 250;
/// By how many powers of two sums are taken down where they overflow.
const DOWN: i32 = 600;
/// The most that is multiplied by at once, which is a number of every format.
const STEP: i32 = 500;

/// `2^k` for `|k| <= STEP`.
fn power<T: Number>(format: T::Format, k: i32) -> T {
    T::ONE.to_format(format).ldexp(k)
}

/// Multiplies a rectangle by `2^k`; exact unless it leaves the range.
pub(super) fn scale<T: Number, B: Resident<T>>(backend: &B, mut k: i32, mut a: B::Mut<'_>) {
    let (rows, cols) = a.shape();
    while k != 0 && rows > 0 && cols > 0 {
        let step = k.clamp(-STEP, STEP);
        let factor = Operand::Scalar(power::<T>(a.format(), step));
        backend.elementwise(BinaryOp::Mul, [Operand::Output, factor], a.reborrow());
        k -= step;
    }
}

/// Multiplies column `j` by two to the power `exponents[j]`.
pub(super) fn scale_columns<T: Number, B: Resident<T>>(
    backend: &B,
    exponents: &[i32],
    mut a: B::Mut<'_>,
) {
    let (rows, _) = a.shape();
    for (j, &k) in exponents.iter().enumerate().filter(|&(_, &k)| k != 0) {
        scale(backend, k, a.reborrow().block_mut(0, j, rows, 1));
    }
}

/// Sums of magnitudes, of each row for [`Transpose::No`] or of each column for [`Transpose::Yes`],
/// on the host.
fn sums<T: Number, B: Resident<T>>(
    backend: &B,
    along: Transpose,
    a: B::Ref<'_>,
) -> Result<Matrix<T>, Error> {
    let (count, terms) = along.shape(a.shape());
    let format = a.format();
    if count == 0 || terms == 0 {
        return Ok(Matrix::zeros_in(format, count, 1));
    }
    let mut sizes = backend.copy_of(a);
    backend.elementwise(UnaryOp::Abs, [Operand::Output], backend.view_mut(&mut sizes));
    let ones = backend.upload(Matrix::from_fn_in(format, terms, 1, |_, _| T::ONE).view());
    let mut sums = backend.zeros(format, count, 1);
    let (x, y) = (backend.view(&ones), backend.view_mut(&mut sums));
    backend.gemv(along, T::ONE, backend.view(&sizes), x, T::ZERO, y);
    backend.download(backend.view(&sums))
}

/// What sums of magnitudes say.
pub(super) enum Sums<T: Number> {
    /// All are finite, and so are all entries. They have to be multiplied by two to this power.
    Finite(Matrix<T>, i32),
    /// The first that is not, of a row or column with such an entry.
    Infinite(usize),
}

/// [`sums`], which do not overflow where no entry does.
pub(super) fn sums_in_range<T: Number, B: Resident<T>>(
    backend: &B,
    along: Transpose,
    a: B::Ref<'_>,
) -> Result<Sums<T>, Error> {
    let found = sums(backend, along, a)?;
    if T::are_finite(found.column(0)) {
        return Ok(Sums::Finite(found, 0));
    }
    let mut small = backend.copy_of(a);
    scale(backend, -DOWN, backend.view_mut(&mut small));
    let found = sums(backend, along, backend.view(&small))?;
    let infinite = found.column(0).iter().position(|sum| !sum.is_finite());
    Ok(infinite.map_or(Sums::Finite(found, DOWN), Sums::Infinite))
}

/// Sums of magnitudes of rows or columns of an operand that has to be finite.
fn sizes<T: Number, B: Resident<T>>(
    backend: &B,
    operand: &'static str,
    along: Transpose,
    a: B::Ref<'_>,
) -> Result<(Matrix<T>, i32), Error> {
    match sums_in_range(backend, along, a)? {
        Sums::Finite(sums, power) => Ok((sums, power)),
        Sums::Infinite(index) => {
            Error::check_finite(operand, backend.download(a)?.view())?;
            // An entry at the very end of the range, whose magnitude the backend rounds up.
            Err(Error::Overflow { operand, column: index })
        }
    }
}

/// `Ok` where all entries are finite; else the first that is not, column by column.
pub(super) fn check_finite<T: Number, B: Resident<T>>(
    backend: &B,
    operand: &'static str,
    a: B::Ref<'_>,
) -> Result<(), Error> {
    sizes(backend, operand, Transpose::Yes, a).map(drop)
}

/// `Ok` where a result is in the range of its format.
pub(super) fn check_range<T: Number, B: Resident<T>>(
    backend: &B,
    operand: &'static str,
    x: B::Ref<'_>,
) -> Result<(), Error> {
    match sums_in_range(backend, Transpose::Yes, x)? {
        Sums::Finite(..) => Ok(()),
        Sums::Infinite(column) => Err(Error::Overflow { operand, column }),
    }
}

/// Exponents of the sums of magnitudes; 0 for sums that are zero.
fn exponents<T: Number>((sums, power): &(Matrix<T>, i32)) -> Vec<i32> {
    let of_sum = |sum: T| sum.exponent().map_or(0, |exponent| exponent + power);
    sums.column(0).iter().map(of_sum).collect()
}

/// Exponents of the sizes of the columns of an operand that has to be finite, which are divided by
/// two to these powers; zeros where all are ordinary.
pub(super) fn bring_columns_near_one<T: Number, B: Resident<T>>(
    backend: &B,
    operand: &'static str,
    a: &mut B::Matrix,
) -> Result<Vec<i32>, Error> {
    let sizes = sizes(backend, operand, Transpose::Yes, backend.view(a))?;
    let exponents = ordinary(exponents(&sizes));
    let down: Vec<i32> = exponents.iter().map(|e| -e).collect();
    scale_columns(backend, &down, backend.view_mut(a));
    Ok(exponents)
}

/// The exponents; zeros where all are ordinary.
fn ordinary(exponents: Vec<i32>) -> Vec<i32> {
    let is_ordinary = exponents.iter().all(|e| e.abs() <= ORDINARY);
    if is_ordinary { vec![0; exponents.len()] } else { exponents }
}

/// The 1-norm.
pub(super) fn norm_one<T: Number, B: Resident<T>>(
    backend: &B,
    operand: &'static str,
    a: B::Ref<'_>,
) -> Result<Reading, Error> {
    let (sums, power) = sizes(backend, operand, Transpose::Yes, a)?;
    let largest = T::sizes(sums.column(0)).fold(T::Size::ZERO, Size::max);
    let norm: Reading = largest.into();
    Ok(norm.scaled(power.into()))
}

/// Whether the sizes of all rows, or of all columns, of an operand that has to be finite are
/// ordinary.
pub(super) fn is_ordinary<T: Number, B: Resident<T>>(
    backend: &B,
    operand: &'static str,
    along: Transpose,
    a: B::Ref<'_>,
) -> Result<bool, Error> {
    let all = exponents(&sizes(backend, operand, along, a)?);
    Ok(all.iter().all(|e| e.abs() <= ORDINARY))
}
