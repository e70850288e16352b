//! The functions of cuBLASLt.

use core::ffi::{c_int, c_void};
use std::path::PathBuf;
use std::sync::OnceLock;

use libloading::Library;

use crate::error::Error;
use crate::libraries;

/// Names the library's file; where it is set, no other is tried.
const VARIABLE: &str = "NONIUS_CUBLASLT";

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

macro_rules! functions {
    ($($field:ident $name:literal ($($argument:ty),*);)*) => {
        pub(super) struct Functions {
            $(pub(super) $field: unsafe extern "C" fn($($argument),*) -> Status,)*
            _library: Library,
        }

        impl Functions {
            fn of(library: Library) -> Result<Self, libloading::Error> {
                // SAFETY: the types are those of cublasLt.h, the same since CUDA 11; the functions are used no longer than the
                // library lives.
                unsafe {
                    Ok(Self { $($field: *library.get(concat!($name, "\0").as_bytes())?,)* _library: library })
                }
            }
        }
    };
}

functions! {
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

impl Functions {
    /// The library of this machine, looked for once.
    pub(super) fn get() -> Option<&'static Self> {
        static FOUND: OnceLock<Option<Functions>> = OnceLock::new();
        FOUND.get_or_init(|| candidates().iter().find_map(Self::open)).as_ref()
    }

    fn open(file: &PathBuf) -> Option<Self> {
        // SAFETY: the file is cuBLASLt by its name or by the user's word; its initialisers have no preconditions.
        Self::of(unsafe { Library::new(file) }.ok()?).ok()
    }
}

/// The files that cuBLASLt may be in.
fn candidates() -> Vec<PathBuf> {
    let names: &[&str] = if cfg!(windows) {
        &["cublasLt64_13.dll", "cublasLt64_12.dll"]
    } else {
        &["libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"]
    };
    libraries::candidates(VARIABLE, names)
}

pub(super) fn check(status: Status, doing: &'static str) -> Result<(), Error> {
    if status == 0 {
        return Ok(());
    }
    Err(Error::Driver { failure: format!("cuBLASLt's error {status}"), doing })
}
