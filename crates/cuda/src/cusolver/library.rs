//! The functions of cuSOLVER and cuBLAS.
use core::ffi::{c_int, c_void};

use nonius_gpu::library;

pub(super) type Handle = *mut c_void;

library! {
    // Where the variable is set, it names the only file that is tried.
    Solver, "NONIUS_CUSOLVER",
    unix ["libcusolver.so.12", "libcusolver.so.11", "libcusolver.so"],
    windows ["cusolver64_12.dll", "cusolver64_11.dll"];
    create "cusolverDnCreate" (*mut Handle);
    destroy "cusolverDnDestroy" (Handle);
    set_stream "cusolverDnSetStream" (Handle, *mut c_void);
    create_parameters "cusolverDnCreateParams" (*mut Handle);
    destroy_parameters "cusolverDnDestroyParams" (Handle);
    factor_size "cusolverDnXgetrf_bufferSize" (
        Handle, Handle, i64, i64, c_int, u64, i64, c_int, *mut usize, *mut usize
    );
    factor "cusolverDnXgetrf" (
        Handle, Handle, i64, i64, c_int, u64, i64, u64, c_int, u64, usize, *mut c_void, usize, u64
    );
    eigenvectors_size "cusolverDnXsyevd_bufferSize" (
        Handle, Handle, c_int, c_int, i64, c_int, u64, i64, c_int, u64, c_int, *mut usize, *mut usize
    );
    eigenvectors "cusolverDnXsyevd" (
        Handle, Handle, c_int, c_int, i64, c_int, u64, i64, c_int, u64, c_int, u64, usize, *mut c_void,
        usize, u64
    );
    singular_vectors_size "cusolverDnXgesvdp_bufferSize" (
        Handle, Handle, c_int, c_int, i64, i64, c_int, u64, i64, c_int, u64, c_int, u64, i64, c_int, u64,
        i64, c_int, *mut usize, *mut usize
    );
    singular_vectors "cusolverDnXgesvdp" (
        Handle, Handle, c_int, c_int, i64, i64, c_int, u64, i64, c_int, u64, c_int, u64, i64, c_int, u64,
        i64, c_int, u64, usize, *mut c_void, usize, u64, *mut f64
    );
}

library! {
    Blas, "NONIUS_CUBLAS",
    unix ["libcublas.so.13", "libcublas.so.12", "libcublas.so"],
    windows ["cublas64_13.dll", "cublas64_12.dll"];
    create "cublasCreate_v2" (*mut Handle);
    destroy "cublasDestroy_v2" (Handle);
    set_stream "cublasSetStream_v2" (Handle, *mut c_void);
    multiply "cublasDgemmStridedBatched" (
        Handle, c_int, c_int, c_int, c_int, c_int, *const f64, u64, c_int, i64, u64, c_int, i64,
        *const f64, u64, c_int, i64, c_int
    );
}
