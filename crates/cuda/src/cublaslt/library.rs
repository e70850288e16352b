//! The functions of cuBLASLt.
use core::ffi::{c_int, c_void};

use nonius_gpu::{Error, library};

pub(super) type Handle = *mut c_void;
pub(super) type Status = c_int;

#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Algorithm([u64; 8]);

#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Heuristic {
    pub(super) algorithm: Algorithm,
    workspace: usize,
    pub(super) state: Status,
    waves: f32,
    reserved: [c_int; 4],
}

library! {
    // Where the variable is set, it names the only file that is tried.
    Functions, "NONIUS_CUBLASLT",
    unix ["libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"],
    windows ["cublasLt64_13.dll", "cublasLt64_12.dll"];
    create "cublasLtCreate" (*mut Handle);
    destroy "cublasLtDestroy" (Handle);
    create_operation "cublasLtMatmulDescCreate" (*mut Handle, c_int, c_int);
    destroy_operation "cublasLtMatmulDescDestroy" (Handle);
    set_operation "cublasLtMatmulDescSetAttribute" (Handle, c_int, *const c_void, usize);
    create_layout "cublasLtMatrixLayoutCreate" (*mut Handle, c_int, u64, u64, i64);
    destroy_layout "cublasLtMatrixLayoutDestroy" (Handle);
    set_layout "cublasLtMatrixLayoutSetAttribute" (Handle, c_int, *const c_void, usize);
    create_preference "cublasLtMatmulPreferenceCreate" (*mut Handle);
    destroy_preference "cublasLtMatmulPreferenceDestroy" (Handle);
    set_preference "cublasLtMatmulPreferenceSetAttribute" (Handle, c_int, *const c_void, usize);
    heuristic "cublasLtMatmulAlgoGetHeuristic" (
        Handle, Handle, Handle, Handle, Handle, Handle, Handle, c_int, *mut Heuristic, *mut c_int
    );
    multiply "cublasLtMatmul" (
        Handle, Handle, *const c_void, u64, Handle, u64, Handle, *const c_void, u64, Handle, u64, Handle,
        *const Algorithm, u64, usize, *mut c_void
    );
}

pub(super) fn check(status: Status, doing: &'static str) -> Result<(), Error> {
    if status == 0 {
        return Ok(());
    }
    Err(Error::driver(format!("cuBLASLt's error {status}"), doing))
}
