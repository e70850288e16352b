//! The routines, for numbers of either kind.
//!
//! Each is unsafe as the functions of C are, by the [contract](crate#contract) for its arrays.

#![expect(clippy::too_many_arguments, reason = "the calling sequence of BLAS and LAPACK")]

use std::ffi::c_char;

use nonius::Matrix;
use nonius::dense::{Diagonal, Error, MatMut, MatRef, Transpose, Triangle, Vectors};
use nonius::lapack;

use super::operands::{
    Array, Limbs, Output, Region, Told, diagonal, informed, routine, side, size, transpose,
    triangle, vectors,
};
use crate::failure::Failure;
use crate::pointers::{check, elements, put};
use crate::settings::on_threads;

pub(super) unsafe fn gemm<T: Limbs>(
    transa: *const c_char,
    transb: *const c_char,
    m: i64,
    n: i64,
    k: i64,
    alpha: T::C,
    a: *mut T::C,
    lda: i64,
    b: *mut T::C,
    ldb: i64,
    beta: T::C,
    c: *mut T::C,
    ldc: i64,
) -> i64 {
    routine("Rgemm", || {
        // SAFETY: the contract for options.
        let (op_a, op_b) = unsafe { (transpose(1, transa)?, transpose(2, transb)?) };
        let (m, n, k) = (size(3, "m", m)?, size(4, "n", n)?, size(5, "k", k)?);
        let (alpha, beta) = (T::of(alpha), T::of(beta));
        // Without a factor A and B are not read, and may be anything.
        let is_read = alpha != T::ZERO && m > 0 && n > 0 && k > 0;
        let array = |position, pointer, op, (rows, cols), ld| {
            let (rows, cols) = if op == Transpose::No { (rows, cols) } else { (cols, rows) };
            let cols = if is_read { cols } else { 0 };
            Array::<T>::new((position, pointer), (rows, cols), (position + 1, ld))
        };
        let a = array(7, a, op_a, (m, k), lda)?;
        let b = array(9, b, op_b, (k, n), ldb)?;
        let c = Array::<T>::new((12, c), (m, n), (13, ldc))?;
        if c.is_empty() || (!is_read && beta == T::ONE) {
            return Ok(());
        }
        // SAFETY: the contract for arrays that are read, and for C, which is written at the end.
        unsafe {
            // Where β is zero, C may hold anything that is no number.
            let mut product = match beta == T::ZERO {
                true => Output::Copied(c.zeros()?, &c),
                false => c.change(&[&a, &b])?,
            };
            let none;
            if is_read {
                let (a, b) = (a.read(Region::Full)?, b.read(Region::Full)?);
                multiply((op_a, a.view()), (op_b, b.view()), (alpha, beta), product.view())?;
            } else {
                none = (Matrix::<T>::zeros(m, 0), Matrix::<T>::zeros(0, n));
                let (a, b) = (none.0.view(), none.1.view());
                let no = Transpose::No;
                multiply((no, a), (no, b), (T::ONE, beta), product.view())?;
            }
            product.finish();
        }
        Ok(())
    })
}

/// `C ← α·op(A)·op(B) + β·C`
fn multiply<T: Limbs>(
    (op_a, a): (Transpose, MatRef<'_, T>),
    (op_b, b): (Transpose, MatRef<'_, T>),
    (alpha, beta): (T, T),
    c: MatMut<'_, T>,
) -> Result<(), Failure> {
    on_threads(|| Ok(lapack::gemm(op_a, op_b, alpha, a, b, beta, c).map(drop)?))
}

pub(super) unsafe fn syrk<T: Limbs>(
    uplo: *const c_char,
    trans: *const c_char,
    n: i64,
    k: i64,
    alpha: T::C,
    a: *mut T::C,
    lda: i64,
    beta: T::C,
    c: *mut T::C,
    ldc: i64,
) -> i64 {
    routine("Rsyrk", || {
        // SAFETY: the contract for options.
        let (half, op) = unsafe { (triangle(1, uplo)?, transpose(2, trans)?) };
        let (n, k) = (size(3, "n", n)?, size(4, "k", k)?);
        let (alpha, beta) = (T::of(alpha), T::of(beta));
        let is_read = alpha != T::ZERO && n > 0 && k > 0;
        let (rows, cols) = if op == Transpose::No { (n, k) } else { (k, n) };
        let a = Array::<T>::new((6, a), (rows, if is_read { cols } else { 0 }), (7, lda))?;
        let c = Array::<T>::new((9, c), (n, n), (10, ldc))?;
        if c.is_empty() || (!is_read && beta == T::ONE) {
            return Ok(());
        }
        let region = Region::Triangle(half);
        // SAFETY: the contract for arrays that are read, and for C, which is written at the end.
        unsafe {
            // Nothing is read where β is zero.
            let mut product = if beta == T::ZERO { c.zeros()? } else { c.copy(region)? };
            if is_read {
                let a = a.read(Region::Full)?;
                let (a, to) = (a.view(), product.view_mut());
                on_threads(|| Ok(lapack::syrk(half, op, alpha, a, beta, to)?))?;
            } else {
                let none = Matrix::<T>::zeros(n, 0);
                let (none, to) = (none.view(), product.view_mut());
                lapack::syrk(half, Transpose::No, T::ONE, none, beta, to)?;
            }
            c.write(region, product.view());
        }
        Ok(())
    })
}

pub(super) unsafe fn trsm<T: Limbs>(
    on: *const c_char,
    uplo: *const c_char,
    transa: *const c_char,
    diag: *const c_char,
    m: i64,
    n: i64,
    alpha: T::C,
    a: *mut T::C,
    lda: i64,
    b: *mut T::C,
    ldb: i64,
) -> i64 {
    routine("Rtrsm", || {
        // SAFETY: the contract for options.
        let (on, half) = unsafe { (side(1, on)?, triangle(2, uplo)?) };
        // SAFETY: the contract for options.
        let (op, ones) = unsafe { (transpose(3, transa)?, diagonal(4, diag)?) };
        let (m, n) = (size(5, "m", m)?, size(6, "n", n)?);
        let alpha = T::of(alpha);
        let order = if on == nonius::dense::Side::Left { m } else { n };
        let is_read = alpha != T::ZERO && m > 0 && n > 0;
        let a = Array::<T>::new((8, a), (order, if is_read { order } else { 0 }), (9, lda))?;
        let b = Array::<T>::new((10, b), (m, n), (11, ldb))?;
        if b.is_empty() {
            return Ok(());
        }
        let region =
            if ones == Diagonal::Unit { Region::Strict(half) } else { Region::Triangle(half) };
        // SAFETY: the contract for arrays that are read, and for B, which is written at the end.
        unsafe {
            if !is_read {
                b.write(Region::Full, b.zeros()?.view());
                return Ok(());
            }
            let (triangular, mut x) = (a.read(region)?, b.change(&[&a])?);
            let (triangular, to) = (triangular.view(), x.view());
            on_threads(|| Ok(lapack::trsm(on, half, op, ones, alpha, triangular, to)?))?;
            x.finish();
        }
        Ok(())
    })
}

pub(super) unsafe fn potrf<T: Limbs>(
    uplo: *const c_char,
    n: i64,
    a: *mut T::C,
    lda: i64,
    info: *mut i64,
) -> i64 {
    let found = routine("Rpotrf", || {
        // SAFETY: the contract for an option.
        let half = unsafe { triangle(1, uplo) }?;
        let n = size(2, "n", n)?;
        let a = Array::<T>::new((3, a), (n, n), (4, lda))?;
        // SAFETY: the contract for a triangle that is read, and written at the end.
        unsafe {
            let mut factor = a.copy(Region::Triangle(half))?;
            by_cholesky(half, &mut factor, 3)?;
            a.write(Region::Triangle(half), factor.view());
        }
        Ok(())
    });
    // SAFETY: the contract for a value that is written or null.
    unsafe { informed(info, found) }
}

fn by_cholesky<T: Limbs>(half: Triangle, a: &mut Matrix<T>, position: i64) -> Result<(), Told> {
    let to = a.view_mut();
    let outcome = on_threads(|| Ok(lapack::potrf(half, to)))?;
    outcome.map_err(|error| match error {
        Error::NotPositiveDefinite { index, .. } => Told::pivot(index + 1, error),
        other => of_matrix(other, position),
    })
}

/// An error about the matrix at this position.
fn of_matrix(error: Error, position: i64) -> Told {
    match error {
        Error::NotFinite { .. } => Told::argument(position, error),
        other => other.into(),
    }
}

pub(super) unsafe fn potrs<T: Limbs>(
    uplo: *const c_char,
    n: i64,
    nrhs: i64,
    a: *mut T::C,
    lda: i64,
    b: *mut T::C,
    ldb: i64,
    info: *mut i64,
) -> i64 {
    let found = routine("Rpotrs", || {
        // SAFETY: the contract for an option.
        let half = unsafe { triangle(1, uplo) }?;
        let (n, nrhs) = (size(2, "n", n)?, size(3, "nrhs", nrhs)?);
        let a = Array::<T>::new((4, a), (n, n), (5, lda))?;
        let b = Array::<T>::new((6, b), (n, nrhs), (7, ldb))?;
        // SAFETY: the contract for arrays that are read, and for B, which is written at the end.
        unsafe {
            let (factor, mut x) = (a.copy(Region::Triangle(half))?, b.change(&[])?);
            let (factor, to) = (factor.view(), x.view());
            on_threads(|| Ok(lapack::potrs(half, factor, to)?))?;
            x.finish();
        }
        Ok(())
    });
    // SAFETY: the contract for a value that is written or null.
    unsafe { informed(info, found) }
}

pub(super) unsafe fn posv<T: Limbs>(
    uplo: *const c_char,
    n: i64,
    nrhs: i64,
    a: *mut T::C,
    lda: i64,
    b: *mut T::C,
    ldb: i64,
    info: *mut i64,
) -> i64 {
    let found = routine("Rposv", || {
        // SAFETY: the contract for an option.
        let half = unsafe { triangle(1, uplo) }?;
        let (n, nrhs) = (size(2, "n", n)?, size(3, "nrhs", nrhs)?);
        let a = Array::<T>::new((4, a), (n, n), (5, lda))?;
        let b = Array::<T>::new((6, b), (n, nrhs), (7, ldb))?;
        let region = Region::Triangle(half);
        // SAFETY: the contract for arrays that are read, and written at the end.
        unsafe {
            let (mut factor, mut x) = (a.copy(region)?, b.change(&[&a])?);
            by_cholesky(half, &mut factor, 4)?;
            let (view, to) = (factor.view(), x.view());
            on_threads(|| Ok(lapack::potrs(half, view, to)?))?;
            a.write(region, factor.view());
            x.finish();
        }
        Ok(())
    });
    // SAFETY: the contract for a value that is written or null.
    unsafe { informed(info, found) }
}

pub(super) unsafe fn getrf<T: Limbs>(
    m: i64,
    n: i64,
    a: *mut T::C,
    lda: i64,
    ipiv: *mut i64,
    info: *mut i64,
) -> i64 {
    let found = routine("Rgetrf", || {
        let (m, n) = (size(1, "m", m)?, size(2, "n", n)?);
        let a = Array::<T>::new((3, a), (m, n), (4, lda))?;
        check_pivots(5, ipiv, m.min(n))?;
        // SAFETY: the contract for arrays that are read, and written at the end.
        unsafe {
            let mut factors = a.change(&[])?;
            let (pivots, none) = by_lu(factors.view(), 3)?;
            factors.finish();
            put_pivots(ipiv, &pivots);
            none.map_or(Ok(()), Err)
        }
    });
    // SAFETY: the contract for a value that is written or null.
    unsafe { informed(info, found) }
}

/// The pivots, and what is to be told where one is zero.
fn by_lu<T: Limbs>(a: MatMut<'_, T>, position: i64) -> Result<(Vec<usize>, Option<Told>), Told> {
    let (rows, cols) = a.shape();
    let mut pivots = vec![0; rows.min(cols)];
    let exchanges = &mut pivots;
    let outcome = on_threads(|| Ok(lapack::getrf(a, exchanges)))?;
    let none = outcome.map_err(|error| of_matrix(error, position))?;
    let told = none.map(|column| Told::pivot(column + 1, Error::Singular { column }));
    Ok((pivots, told))
}

fn check_pivots(position: i64, ipiv: *mut i64, count: usize) -> Result<(), Told> {
    if count == 0 {
        return Ok(());
    }
    check(ipiv, "ipiv").map_err(|failure| Told::argument(position, failure.text))
}

/// # Safety
/// The [contract](crate#contract) for an array of as many numbers, which are written.
unsafe fn put_pivots(ipiv: *mut i64, pivots: &[usize]) {
    for (j, &row) in pivots.iter().enumerate() {
        // SAFETY: the array has as many elements; the pointer is checked.
        unsafe { put(ipiv, j, row as i64 + 1) };
    }
}

pub(super) unsafe fn getrs<T: Limbs>(
    trans: *const c_char,
    n: i64,
    nrhs: i64,
    a: *mut T::C,
    lda: i64,
    ipiv: *mut i64,
    b: *mut T::C,
    ldb: i64,
    info: *mut i64,
) -> i64 {
    let found = routine("Rgetrs", || {
        // SAFETY: the contract for an option.
        let op = unsafe { transpose(1, trans) }?;
        let (n, nrhs) = (size(2, "n", n)?, size(3, "nrhs", nrhs)?);
        let a = Array::<T>::new((4, a), (n, n), (5, lda))?;
        check_pivots(6, ipiv, n)?;
        let b = Array::<T>::new((7, b), (n, nrhs), (8, ldb))?;
        // SAFETY: the contract for an array of `n` pivots that are read.
        let pivots = unsafe { elements(ipiv, n, "ipiv") }?;
        let row = |&row: &i64| {
            let from_zero = usize::try_from(row).ok().and_then(|row| row.checked_sub(1));
            from_zero.filter(|&row| row < n)
        };
        let pivots: Vec<usize> = match pivots.iter().position(|pivot| row(pivot).is_none()) {
            None => pivots.iter().filter_map(row).collect(),
            Some(j) => {
                let (found, j) = (pivots[j], j + 1);
                let text = format_args!("ipiv: expected a row from 1 to {n}, found {found} at {j}");
                return Err(Told::argument(6, text));
            }
        };
        // SAFETY: the contract for arrays that are read, and for B, which is written at the end.
        unsafe {
            let (factors, mut x) = (a.read(Region::Full)?, b.change(&[&a])?);
            let (factors, to) = (factors.view(), x.view());
            on_threads(|| Ok(lapack::getrs(op, factors, &pivots, to)?))?;
            x.finish();
        }
        Ok(())
    });
    // SAFETY: the contract for a value that is written or null.
    unsafe { informed(info, found) }
}

pub(super) unsafe fn gesv<T: Limbs>(
    n: i64,
    nrhs: i64,
    a: *mut T::C,
    lda: i64,
    ipiv: *mut i64,
    b: *mut T::C,
    ldb: i64,
    info: *mut i64,
) -> i64 {
    let found = routine("Rgesv", || {
        let (n, nrhs) = (size(1, "n", n)?, size(2, "nrhs", nrhs)?);
        let a = Array::<T>::new((3, a), (n, n), (4, lda))?;
        check_pivots(5, ipiv, n)?;
        let b = Array::<T>::new((6, b), (n, nrhs), (7, ldb))?;
        // SAFETY: the contract for arrays that are read, and written at the end.
        unsafe {
            let (mut factors, mut x) = (a.copy(Region::Full)?, b.change(&[&a])?);
            let (pivots, none) = by_lu(factors.view_mut(), 3)?;
            if none.is_none() {
                let (view, to) = (factors.view(), x.view());
                on_threads(|| Ok(lapack::getrs(Transpose::No, view, &pivots, to)?))?;
                x.finish();
            }
            a.write(Region::Full, factors.view());
            put_pivots(ipiv, &pivots);
            none.map_or(Ok(()), Err)
        }
    });
    // SAFETY: the contract for a value that is written or null.
    unsafe { informed(info, found) }
}

pub(super) unsafe fn syev<T: Limbs>(
    jobz: *const c_char,
    uplo: *const c_char,
    n: i64,
    a: *mut T::C,
    lda: i64,
    w: *mut T::C,
    work: *mut T::C,
    lwork: i64,
    info: *mut i64,
) -> i64 {
    let found = routine("Rsyev", || {
        // SAFETY: the contract for options.
        let (wanted, half) = unsafe { (vectors(1, jobz)?, triangle(2, uplo)?) };
        let n = size(3, "n", n)?;
        let least = n.saturating_mul(3).saturating_sub(1).max(1);
        let is_query = lwork == -1;
        if is_query {
            // The arrays of a query are not looked at.
            Array::<T>::new((4, a), (n, 0), (5, lda))?;
        } else if usize::try_from(lwork).map_or(true, |lwork| lwork < least) {
            let text = format_args!("lwork: expected -1, or {least} or more, found {lwork}");
            return Err(Told::argument(8, text));
        }
        let work = Array::<T>::new((7, work), (1, 1), (7, 1))?;
        let enough = Matrix::from_fn(1, 1, |_, _| T::from_f64(least as f64));
        if is_query {
            // SAFETY: the contract for an array of one number or more, which is written.
            unsafe { work.write(Region::Full, enough.view()) };
            return Ok(());
        }
        let a = Array::<T>::new((4, a), (n, n), (5, lda))?;
        let w = Array::<T>::new((6, w), (n, 1), (6, n.max(1) as i64))?;
        // SAFETY: the contract for a triangle that is read, and for arrays that are written.
        unsafe {
            let mut full = a.copy(Region::Triangle(half))?;
            let to = full.view_mut();
            let job = if wanted { Vectors::Yes } else { Vectors::No };
            let outcome = on_threads(|| Ok(lapack::syev(job, half, to)))?;
            let values = outcome.map_err(|error| match error {
                Error::NoConvergence { .. } => Told::pivot(1, error),
                other => of_matrix(other, 4),
            })?;
            if wanted {
                a.write(Region::Full, full.view());
            }
            w.write(Region::Full, MatRef::from_parts(&values, n, 1, n));
            work.write(Region::Full, enough.view());
        }
        Ok(())
    });
    // SAFETY: the contract for a value that is written or null.
    unsafe { informed(info, found) }
}
