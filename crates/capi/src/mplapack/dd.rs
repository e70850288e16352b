//! The routines for double-doubles.
//!
//! Every routine returns `info`: 0, or minus the position of an argument that it does not take, or
//! [`NONIUS_INFO_FAILURE`](super::NONIUS_INFO_FAILURE), or a positive number that the routine
//! explains. Those of LAPACK write it to their last argument too, unless that is null.

#![allow(non_snake_case)]

use std::ffi::c_char;

use nonius::Dd;

use super::{DoubleDouble, routines};

/// C ← α·op(A)·op(B) + β·C, where op(A) is m × k, op(B) is k × n, and op is nothing for N, the
/// transpose for T and C. With β = 0 C is not read, with α = 0 neither A nor B.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_dd_Rgemm(
    transa: *const c_char,
    transb: *const c_char,
    m: i64,
    n: i64,
    k: i64,
    alpha: DoubleDouble,
    a: *const DoubleDouble,
    lda: i64,
    b: *const DoubleDouble,
    ldb: i64,
    beta: DoubleDouble,
    c: *mut DoubleDouble,
    ldc: i64,
) -> i64 {
    // SAFETY: as this function's.
    unsafe {
        routines::gemm::<Dd>(
            transa,
            transb,
            m,
            n,
            k,
            alpha,
            a.cast_mut(),
            lda,
            b.cast_mut(),
            ldb,
            beta,
            c,
            ldc,
        )
    }
}

/// One triangle, U or L, of C ← α·op(A)·op(A)ᵀ + β·C, where C is n × n and op(A) is n × k. The
/// other triangle of C is neither read nor written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_dd_Rsyrk(
    uplo: *const c_char,
    trans: *const c_char,
    n: i64,
    k: i64,
    alpha: DoubleDouble,
    a: *const DoubleDouble,
    lda: i64,
    beta: DoubleDouble,
    c: *mut DoubleDouble,
    ldc: i64,
) -> i64 {
    // SAFETY: as this function's.
    unsafe { routines::syrk::<Dd>(uplo, trans, n, k, alpha, a.cast_mut(), lda, beta, c, ldc) }
}

/// B ← α·op(A)⁻¹·B for side L, or α·B·op(A)⁻¹ for side R, where B is m × n and A a triangle, U or
/// L, whose diagonal is not read but taken as ones where diag is U. The other triangle is not read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_dd_Rtrsm(
    side: *const c_char,
    uplo: *const c_char,
    transa: *const c_char,
    diag: *const c_char,
    m: i64,
    n: i64,
    alpha: DoubleDouble,
    a: *const DoubleDouble,
    lda: i64,
    b: *mut DoubleDouble,
    ldb: i64,
) -> i64 {
    // SAFETY: as this function's.
    unsafe {
        routines::trsm::<Dd>(side, uplo, transa, diag, m, n, alpha, a.cast_mut(), lda, b, ldb)
    }
}

/// The Cholesky factor of a symmetric positive definite matrix in the place of its triangle: L with
/// A = L·Lᵀ, or U with A = Uᵀ·U. A positive info is the order of the leading square that is not
/// positive definite; A is then as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_dd_Rpotrf(
    uplo: *const c_char,
    n: i64,
    a: *mut DoubleDouble,
    lda: i64,
    info: *mut i64,
) -> i64 {
    // SAFETY: as this function's.
    unsafe { routines::potrf::<Dd>(uplo, n, a, lda, info) }
}

/// The solution of A·X = B, in the place of B, by the factor that Rpotrf left in a triangle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_dd_Rpotrs(
    uplo: *const c_char,
    n: i64,
    nrhs: i64,
    a: *const DoubleDouble,
    lda: i64,
    b: *mut DoubleDouble,
    ldb: i64,
    info: *mut i64,
) -> i64 {
    // SAFETY: as this function's.
    unsafe { routines::potrs::<Dd>(uplo, n, nrhs, a.cast_mut(), lda, b, ldb, info) }
}

/// Rpotrf and Rpotrs in one. With a positive info A and B are as they were.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_dd_Rposv(
    uplo: *const c_char,
    n: i64,
    nrhs: i64,
    a: *mut DoubleDouble,
    lda: i64,
    b: *mut DoubleDouble,
    ldb: i64,
    info: *mut i64,
) -> i64 {
    // SAFETY: as this function's.
    unsafe { routines::posv::<Dd>(uplo, n, nrhs, a, lda, b, ldb, info) }
}

/// LU factors of an m × n matrix with partial pivoting, in its place: L, whose diagonal of ones is
/// not stored, and U. Row i was exchanged with row ipiv[i - 1], for i from 1 to the lesser of m and
/// n. A positive info is the first column whose pivot is zero; the factors are complete all the
/// same. A number that is not finite counts as an illegal argument 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_dd_Rgetrf(
    m: i64,
    n: i64,
    a: *mut DoubleDouble,
    lda: i64,
    ipiv: *mut i64,
    info: *mut i64,
) -> i64 {
    // SAFETY: as this function's.
    unsafe { routines::getrf::<Dd>(m, n, a, lda, ipiv, info) }
}

/// The solution of op(A)·X = B, in the place of B, by the factors that Rgetrf left.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_dd_Rgetrs(
    trans: *const c_char,
    n: i64,
    nrhs: i64,
    a: *const DoubleDouble,
    lda: i64,
    ipiv: *const i64,
    b: *mut DoubleDouble,
    ldb: i64,
    info: *mut i64,
) -> i64 {
    // SAFETY: as this function's.
    unsafe {
        routines::getrs::<Dd>(trans, n, nrhs, a.cast_mut(), lda, ipiv.cast_mut(), b, ldb, info)
    }
}

/// Rgetrf and Rgetrs in one. With a positive info B is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_dd_Rgesv(
    n: i64,
    nrhs: i64,
    a: *mut DoubleDouble,
    lda: i64,
    ipiv: *mut i64,
    b: *mut DoubleDouble,
    ldb: i64,
    info: *mut i64,
) -> i64 {
    // SAFETY: as this function's.
    unsafe { routines::gesv::<Dd>(n, nrhs, a, lda, ipiv, b, ldb, info) }
}

/// The eigenvalues of the symmetric matrix that a triangle says, in ascending order in w. With V in
/// place of N for jobz the eigenvectors take the place of the whole matrix A as columns; with N A
/// is as it was. lwork is at least 3·n - 1; with lwork = -1 the first number of work says so, and
/// nothing else is done. Nothing else is kept in work.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_dd_Rsyev(
    jobz: *const c_char,
    uplo: *const c_char,
    n: i64,
    a: *mut DoubleDouble,
    lda: i64,
    w: *mut DoubleDouble,
    work: *mut DoubleDouble,
    lwork: i64,
    info: *mut i64,
) -> i64 {
    // SAFETY: as this function's.
    unsafe { routines::syev::<Dd>(jobz, uplo, n, a, lda, w, work, lwork, info) }
}
