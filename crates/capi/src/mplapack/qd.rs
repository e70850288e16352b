//! The routines for quad-doubles.
//!
//! Every routine returns `info`: 0, or minus the position of an argument that it does not take, or
//! [`NONIUS_INFO_FAILURE`](super::NONIUS_INFO_FAILURE), or a positive number that the routine
//! explains. Those of LAPACK write it to their last argument too, unless that is null.

#![allow(non_snake_case)]

use std::ffi::c_char;

use nonius::Qd;

use super::{QuadDouble, routines};

/// C ← α·op(A)·op(B) + β·C, where op(A) is m × k, op(B) is k × n, and op is nothing for N, the
/// transpose for T and C. With β = 0 C is not read, with α = 0 neither A nor B.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_qd_Rgemm(
    transa: *const c_char,
    transb: *const c_char,
    m: i64,
    n: i64,
    k: i64,
    alpha: QuadDouble,
    a: *const QuadDouble,
    lda: i64,
    b: *const QuadDouble,
    ldb: i64,
    beta: QuadDouble,
    c: *mut QuadDouble,
    ldc: i64,
) -> i64 {
    // SAFETY: as this function's.
    unsafe {
        routines::gemm::<Qd>(
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
pub unsafe extern "C" fn nonius_qd_Rsyrk(
    uplo: *const c_char,
    trans: *const c_char,
    n: i64,
    k: i64,
    alpha: QuadDouble,
    a: *const QuadDouble,
    lda: i64,
    beta: QuadDouble,
    c: *mut QuadDouble,
    ldc: i64,
) -> i64 {
    // SAFETY: as this function's.
    unsafe { routines::syrk::<Qd>(uplo, trans, n, k, alpha, a.cast_mut(), lda, beta, c, ldc) }
}

/// B ← α·op(A)⁻¹·B for side L, or α·B·op(A)⁻¹ for side R, where B is m × n and A a triangle, U or
/// L, whose diagonal is not read but taken as ones where diag is U. The other triangle is not read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_qd_Rtrsm(
    side: *const c_char,
    uplo: *const c_char,
    transa: *const c_char,
    diag: *const c_char,
    m: i64,
    n: i64,
    alpha: QuadDouble,
    a: *const QuadDouble,
    lda: i64,
    b: *mut QuadDouble,
    ldb: i64,
) -> i64 {
    // SAFETY: as this function's.
    unsafe {
        routines::trsm::<Qd>(side, uplo, transa, diag, m, n, alpha, a.cast_mut(), lda, b, ldb)
    }
}

/// The Cholesky factor of a symmetric positive definite matrix in the place of its triangle: L with
/// A = L·Lᵀ, or U with A = Uᵀ·U. A positive info is the order of the leading square that is not
/// positive definite; A is then as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_qd_Rpotrf(
    uplo: *const c_char,
    n: i64,
    a: *mut QuadDouble,
    lda: i64,
    info: *mut i64,
) -> i64 {
    // SAFETY: as this function's.
    unsafe { routines::potrf::<Qd>(uplo, n, a, lda, info) }
}

/// The solution of A·X = B, in the place of B, by the factor that Rpotrf left in a triangle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_qd_Rpotrs(
    uplo: *const c_char,
    n: i64,
    nrhs: i64,
    a: *const QuadDouble,
    lda: i64,
    b: *mut QuadDouble,
    ldb: i64,
    info: *mut i64,
) -> i64 {
    // SAFETY: as this function's.
    unsafe { routines::potrs::<Qd>(uplo, n, nrhs, a.cast_mut(), lda, b, ldb, info) }
}

/// Rpotrf and Rpotrs in one. With a positive info A and B are as they were.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_qd_Rposv(
    uplo: *const c_char,
    n: i64,
    nrhs: i64,
    a: *mut QuadDouble,
    lda: i64,
    b: *mut QuadDouble,
    ldb: i64,
    info: *mut i64,
) -> i64 {
    // SAFETY: as this function's.
    unsafe { routines::posv::<Qd>(uplo, n, nrhs, a, lda, b, ldb, info) }
}

/// LU factors of an m × n matrix with partial pivoting, in its place: L, whose diagonal of ones is
/// not stored, and U. Row i was exchanged with row ipiv[i - 1], for i from 1 to the lesser of m and
/// n. A positive info is the first column whose pivot is zero; the factors are complete all the
/// same. A number that is not finite counts as an illegal argument 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_qd_Rgetrf(
    m: i64,
    n: i64,
    a: *mut QuadDouble,
    lda: i64,
    ipiv: *mut i64,
    info: *mut i64,
) -> i64 {
    // SAFETY: as this function's.
    unsafe { routines::getrf::<Qd>(m, n, a, lda, ipiv, info) }
}

/// The solution of op(A)·X = B, in the place of B, by the factors that Rgetrf left.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_qd_Rgetrs(
    trans: *const c_char,
    n: i64,
    nrhs: i64,
    a: *const QuadDouble,
    lda: i64,
    ipiv: *const i64,
    b: *mut QuadDouble,
    ldb: i64,
    info: *mut i64,
) -> i64 {
    // SAFETY: as this function's.
    unsafe {
        routines::getrs::<Qd>(trans, n, nrhs, a.cast_mut(), lda, ipiv.cast_mut(), b, ldb, info)
    }
}

/// Rgetrf and Rgetrs in one. With a positive info B is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_qd_Rgesv(
    n: i64,
    nrhs: i64,
    a: *mut QuadDouble,
    lda: i64,
    ipiv: *mut i64,
    b: *mut QuadDouble,
    ldb: i64,
    info: *mut i64,
) -> i64 {
    // SAFETY: as this function's.
    unsafe { routines::gesv::<Qd>(n, nrhs, a, lda, ipiv, b, ldb, info) }
}

/// The eigenvalues of the symmetric matrix that a triangle says, in ascending order in w. With V in
/// place of N for jobz the eigenvectors take the place of the whole matrix A as columns; with N A
/// is as it was. lwork is at least 3·n - 1; with lwork = -1 the first number of work says so, and
/// nothing else is done. Nothing else is kept in work.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_qd_Rsyev(
    jobz: *const c_char,
    uplo: *const c_char,
    n: i64,
    a: *mut QuadDouble,
    lda: i64,
    w: *mut QuadDouble,
    work: *mut QuadDouble,
    lwork: i64,
    info: *mut i64,
) -> i64 {
    // SAFETY: as this function's.
    unsafe { routines::syev::<Qd>(jobz, uplo, n, a, lda, w, work, lwork, info) }
}
