//! Null pointers, sizes that no array has, indices outside.

use std::ptr::{null, null_mut};

use nonius_c::dense::*;
use nonius_c::factors::*;
use nonius_c::matrix::*;
use nonius_c::precision::*;
use nonius_c::sdp::*;
use nonius_c::settings::*;
use nonius_c::sparse::*;
use nonius_c::status::Status;

use super::{last, made, matrix, ok, text};

/// Every function refuses null for each pointer that it needs, one at a time.
#[test]
fn null_pointers() {
    let a = matrix(NONIUS_DD, 2, 2, &[2.0, 1.0, 1.0, 3.0]);
    let data = [1.0; 4];
    let (mut to, mut factors, mut sparse) = (null_mut(), null_mut(), null_mut());
    let (mut program, mut point, mut proof) = (null_mut(), null_mut(), null_mut());
    let name = text("1\n1\n1\n1\n0 1 1 1 1\n1 1 1 1 1\n");
    let none: *mut *mut Matrix = null_mut();
    let refused = |status: Status| {
        assert_eq!(status, Status::Pointer, "{}", last());
        assert!(last().ends_with("is a null pointer"), "{}", last());
    };
    // SAFETY: all pointers are null or valid, arrays have four elements.
    unsafe {
        let x: *const Matrix = null();
        let d = NONIUS_DD;
        for status in [
            nonius_matrix_zeros(d, 1, 1, none),
            nonius_matrix_from_doubles(d, 2, 2, null(), 2, &mut to),
            nonius_matrix_from_doubles(d, 2, 2, data.as_ptr(), 2, none),
            nonius_matrix_from_limbs(d, 2, 1, null(), 2, &mut to),
            nonius_matrix_from_limbs(d, 2, 1, data.as_ptr(), 2, none),
            nonius_matrix_from_decimals(d, 1, 1, null(), &mut to),
            nonius_matrix_from_decimals(d, 1, 1, [null()].as_ptr(), &mut to),
            nonius_matrix_from_decimals(d, 1, 1, [name.as_ptr()].as_ptr(), none),
            nonius_matrix_convert(x, d, &mut to),
            nonius_matrix_convert(a, d, none),
            nonius_matrix_shape(x, null_mut(), null_mut()),
            nonius_matrix_precision(x, &mut 0),
            nonius_matrix_precision(a, null_mut()),
            nonius_matrix_set(null_mut(), 0, 0, name.as_ptr()),
            nonius_matrix_set(a, 0, 0, null()),
            nonius_matrix_set_double(null_mut(), 0, 0, 1.0),
            nonius_matrix_to_doubles(x, [0.0; 4].as_mut_ptr(), 2),
            nonius_matrix_to_doubles(a, null_mut(), 2),
            nonius_matrix_to_limbs(x, [0.0; 8].as_mut_ptr(), 2),
            nonius_matrix_to_limbs(a, null_mut(), 2),
            nonius_matrix_decimal(x, 0, 0, 0, null_mut(), 0, null_mut()),
            nonius_matrix_decimal(a, 0, 0, 0, null_mut(), 100, null_mut()),
        ] {
            refused(status);
        }
        for status in [
            nonius_multiply(x, 0, a, 0, &mut to),
            nonius_multiply(a, 0, x, 0, &mut to),
            nonius_multiply(a, 0, a, 0, none),
            nonius_solve(x, a, &mut to, null_mut()),
            nonius_solve(a, x, &mut to, null_mut()),
            nonius_solve(a, a, none, null_mut()),
            nonius_solve_digits(x, a, 9, &mut to, null_mut()),
            nonius_solve_digits(a, x, 9, &mut to, null_mut()),
            nonius_solve_digits(a, a, 9, none, null_mut()),
            nonius_inverse(x, &mut to, null_mut()),
            nonius_inverse(a, none, null_mut()),
            nonius_least_squares(x, a, &mut to, null_mut()),
            nonius_least_squares(a, x, &mut to, null_mut()),
            nonius_least_squares(a, a, none, null_mut()),
            nonius_determinant(x, null_mut(), 0, null_mut(), null_mut()),
            nonius_determinant(a, null_mut(), 9, null_mut(), null_mut()),
            nonius_determinant_digits(x, 9, null_mut(), 0, null_mut(), null_mut()),
            nonius_determinant_digits(a, 9, null_mut(), 9, null_mut(), null_mut()),
            nonius_eigenvalues(x, &mut to, null_mut(), null_mut()),
            nonius_eigenvalues(a, none, null_mut(), null_mut()),
            nonius_singular_values(x, &mut to, null_mut(), null_mut(), null_mut()),
            nonius_singular_values(a, none, null_mut(), null_mut(), null_mut()),
            nonius_lu(x, &mut factors),
            nonius_lu(a, null_mut()),
            nonius_cholesky(x, &mut factors),
            nonius_cholesky(a, null_mut()),
            nonius_factors_solve(null(), a, &mut to),
        ] {
            refused(status);
        }
        let (zero, index) = ([0.0; 2], [0_i64; 2]);
        let (i, v) = (index.as_ptr(), zero.as_ptr());
        for status in [
            nonius_sparse_from_coo(1, 1, 1, null(), i, v, &mut sparse),
            nonius_sparse_from_coo(1, 1, 1, i, null(), v, &mut sparse),
            nonius_sparse_from_coo(1, 1, 1, i, i, null(), &mut sparse),
            nonius_sparse_from_coo(1, 1, 1, i, i, v, null_mut()),
            nonius_sparse_from_csr(1, 1, null(), i, v, &mut sparse),
            nonius_sparse_from_csr(1, 1, [0, 1].as_ptr(), null(), v, &mut sparse),
            nonius_sparse_from_csr(1, 1, [0, 1].as_ptr(), i, null(), &mut sparse),
            nonius_sparse_from_csr(1, 1, [0, 1].as_ptr(), i, v, null_mut()),
            nonius_sparse_set_values(null_mut(), a),
            nonius_sparse_solve(null(), a, x, 0, null(), 1e-9, 9, &mut to, null_mut()),
            nonius_sdp_read(null(), &mut program),
            nonius_sdp_read(name.as_ptr(), null_mut()),
            nonius_sdp_parse(null(), &mut program),
            nonius_sdp_parse(name.as_ptr(), null_mut()),
            nonius_sdp_size(null(), null_mut(), null_mut()),
            nonius_sdp_solve(null(), 0, 0.0, 0, &mut point),
            nonius_sdp_phase(null(), null_mut(), 0, null_mut()),
            nonius_sdp_objective(null(), 0, null_mut(), 0, null_mut()),
            nonius_sdp_progress(null(), null_mut(), null_mut()),
            nonius_sdp_x(null(), &mut to),
            nonius_sdp_block(null(), 0, 0, &mut to),
            nonius_sdp_certify(null(), null(), &mut proof),
            nonius_sdp_lower(null(), null_mut(), 0, null_mut()),
            nonius_sdp_upper(null(), null_mut(), 0, null_mut()),
            nonius_sdp_proved(null(), null_mut(), null_mut()),
            nonius_set_device(null()),
            nonius_gpu_count(null_mut()),
        ] {
            refused(status);
        }
        nonius_matrix_free(null_mut());
        nonius_factors_free(null_mut());
        nonius_sparse_free(null_mut());
        nonius_sdp_free(null_mut());
        nonius_sdp_point_free(null_mut());
        nonius_sdp_proof_free(null_mut());
        nonius_matrix_free(a);
    }
    assert!(to.is_null() && factors.is_null() && sparse.is_null());
    assert!(program.is_null() && point.is_null() && proof.is_null());
}

#[test]
fn sizes_that_nothing_has() {
    let mut to = null_mut();
    let data = [1.0; 4];
    // SAFETY: the sizes are refused before an array is looked at.
    unsafe {
        for (rows, cols) in [(usize::MAX, 2), (1 << 40, 1 << 40), (usize::MAX, usize::MAX)] {
            for precision in [NONIUS_F64, NONIUS_QD, NONIUS_MP + 4096] {
                let status = nonius_matrix_zeros(precision, rows, cols, &mut to);
                assert_eq!(status, Status::Memory, "{}", last());
                let from = data.as_ptr();
                let status = nonius_matrix_from_doubles(precision, rows, cols, from, rows, &mut to);
                assert_eq!(status, Status::Shape, "{}", last());
                let status = nonius_matrix_from_limbs(precision, rows, cols, from, 4, &mut to);
                assert_eq!(status, Status::Shape, "{}", last());
            }
        }
        let from = data.as_ptr();
        assert_eq!(nonius_matrix_from_doubles(NONIUS_DD, 2, 2, from, 1, &mut to), Status::Shape);
        assert_eq!(last(), "the stride is 1 where 2 or more is needed");
        assert_eq!(nonius_matrix_from_limbs(NONIUS_DD, 2, 2, from, 0, &mut to), Status::Argument);
        assert_eq!(nonius_matrix_zeros(99, 2, 2, &mut to), Status::Precision);
        let crooked = from.cast::<u8>().add(1).cast();
        let status = nonius_matrix_from_doubles(NONIUS_DD, 1, 1, crooked, 1, &mut to);
        assert_eq!((status, last().as_str()), (Status::Pointer, "data is not aligned to 8 bytes"));
        assert!(to.is_null());
        // Nothing is an array of none.
        for (rows, cols) in [(0, 0), (0, 5), (5, 0)] {
            let a = made(|to| nonius_matrix_from_doubles(NONIUS_DD, rows, cols, null(), rows, to));
            ok(nonius_matrix_to_doubles(a, null_mut(), rows));
            let product = made(|to| nonius_multiply(a, 1, a, 0, to));
            nonius_matrix_free(product);
            let status = nonius_matrix_set_double(a, 0, 0, 1.0);
            assert_eq!(status, Status::Shape);
            nonius_matrix_free(a);
        }
    }
}

#[test]
fn sparse_matrices_that_are_none() {
    let (mut to, values) = (null_mut(), [1.0; 3]);
    let v = values.as_ptr();
    // SAFETY: arrays are as long as the counts say.
    unsafe {
        for (rows, cols) in [([0, 2, 0], [0; 3]), ([0; 3], [0, -1, 0]), ([0, 0, i64::MIN], [0; 3])]
        {
            let status = nonius_sparse_from_coo(2, 2, 3, rows.as_ptr(), cols.as_ptr(), v, &mut to);
            assert_eq!(status, Status::Shape);
            assert!(last().ends_with("outside the matrix of 2 × 2"), "{}", last());
        }
        for (starts, status) in [
            ([1, 2, 3], Status::Argument),
            ([0, 3, 2], Status::Argument),
            ([0, -1, 3], Status::Argument),
            ([0, -1, -1], Status::Argument),
        ] {
            let found = nonius_sparse_from_csr(2, 2, starts.as_ptr(), [0; 3].as_ptr(), v, &mut to);
            assert_eq!(found, status, "{starts:?}");
        }
        assert!(to.is_null());
        let a = made(|to| {
            let (starts, cols) = ([0, 1, 2], [0, 1]);
            nonius_sparse_from_csr(2, 2, starts.as_ptr(), cols.as_ptr(), v, to)
        });
        let b = matrix(NONIUS_DD, 2, 1, &[1.0, 1.0]);
        let other = matrix(NONIUS_QD, 2, 1, &[1.0, 1.0]);
        let long = matrix(NONIUS_DD, 3, 1, &[1.0; 3]);
        let (mut x, none) = (null_mut(), null());
        let mut solve = |b, start, method, how, tolerance| {
            let status =
                nonius_sparse_solve(a, b, start, method, how, tolerance, 9, &mut x, null_mut());
            assert!(x.is_null());
            status
        };
        assert_eq!(solve(b, null(), 4, none, 1e-9), Status::Argument);
        assert_eq!(solve(b, null(), 0, text("ilu").as_ptr(), 1e-9), Status::Argument);
        assert_eq!(solve(b, null(), 0, none, f64::NAN), Status::Argument);
        assert_eq!(solve(b, null(), 0, none, -1.0), Status::Argument);
        assert_eq!(solve(b, other, 0, none, 1e-9), Status::Precision);
        assert_eq!(solve(long, null(), 0, none, 1e-9), Status::Shape);
        assert_eq!(nonius_sparse_set_values(a, long), Status::Shape);
        ok(nonius_sparse_set_values(a, other));
        assert_eq!(solve(b, null(), 0, none, 1e-9), Status::Precision);
        nonius_sparse_free(a);
        [b, other, long].into_iter().for_each(|handle| nonius_matrix_free(handle));
    }
}

#[test]
fn texts_and_settings() {
    // SAFETY: texts live.
    unsafe {
        for name in ["gpu", "", "cuda:x"] {
            assert_eq!(nonius_set_device(text(name).as_ptr()), Status::Argument);
        }
        let latin = [0xe9_u8, 0];
        assert_eq!(nonius_set_device(latin.as_ptr().cast()), Status::Text);
        assert_eq!(nonius_set_threads(1025), Status::Argument);
        let version = core::ffi::CStr::from_ptr(nonius_version());
        assert_eq!(version.to_str(), Ok(env!("CARGO_PKG_VERSION")));
        for status in -1..12 {
            assert!(!core::ffi::CStr::from_ptr(nonius_status_name(status)).is_empty());
        }
        let a = matrix(NONIUS_DD, 1, 1, &[1.0]);
        let status = nonius_matrix_decimal(a, 0, 0, u32::MAX, null_mut(), 0, null_mut());
        assert_eq!(status, Status::Argument);
        nonius_matrix_free(a);
    }
}
