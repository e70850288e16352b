//! The driver's library: whether it is there, and its results as [`Error`]s.
//!
//! cudarc resolves each function at its first use and panics where the library lacks it. So
//! [`init`] comes before everything else: it makes sure of the library and of a version that has
//! every function used here. The bindings are those of CUDA 12.9; of them only functions that CUDA
//! 11.4 already had are called.

use core::ffi::{CStr, c_int};
use std::sync::OnceLock;

use cudarc::driver::sys::{self, CUresult};

use crate::error::{Error, Version};

/// The oldest version of CUDA whose cubins NVRTC 12 and later make.
const NEEDED: Version = Version { major: 12, minor: 0 };

/// Starts the driver; `Ok` from then on means that its functions may be called.
pub(crate) fn init() -> Result<Version, Error> {
    static OUTCOME: OnceLock<Result<Version, Error>> = OnceLock::new();
    OUTCOME.get_or_init(start).clone()
}

fn start() -> Result<Version, Error> {
    // SAFETY: loading NVIDIA's driver library runs its initialisers only.
    if !unsafe { sys::is_culib_present() } {
        return Err(Error::NoDriver);
    }
    let mut number: c_int = 0;
    // SAFETY: the library is there, every version has this function, and `number` outlives the
    // call.
    check(unsafe { sys::cuDriverGetVersion(&mut number) }, "asking for its version")?;
    let version = decode(number);
    if version < NEEDED {
        return Err(Error::DriverTooOld { found: version, needed: NEEDED });
    }
    // SAFETY: takes no pointer.
    match unsafe { sys::cuInit(0) } {
        CUresult::CUDA_ERROR_NO_DEVICE => Err(Error::NoDevice),
        // A stub of the library, as toolkits bring it for linking.
        CUresult::CUDA_ERROR_STUB_LIBRARY => Err(Error::NoDriver),
        result => check(result, "starting").map(|()| version),
    }
}

/// The version that the driver encodes as `1000 · major + 10 · minor`.
fn decode(number: c_int) -> Version {
    let number = number.unsigned_abs();
    Version { major: number / 1000, minor: number % 1000 / 10 }
}

/// The version of CUDA that the driver supports.
///
/// # Errors
/// [`Error::NoDriver`], [`Error::DriverTooOld`], [`Error::NoDevice`].
pub fn driver_version() -> Result<Version, Error> {
    init()
}

/// How many GPUs there are, one at least.
///
/// # Errors
/// As [`driver_version`].
pub fn device_count() -> Result<usize, Error> {
    init()?;
    let mut count: c_int = 0;
    // SAFETY: the driver is started, and `count` outlives the call.
    check(unsafe { sys::cuDeviceGetCount(&mut count) }, "counting GPUs")?;
    if count < 1 { Err(Error::NoDevice) } else { Ok(count.unsigned_abs() as usize) }
}

/// The driver's result as ours; `doing` says what was being done.
pub(crate) fn check(result: CUresult, doing: &'static str) -> Result<(), Error> {
    use CUresult as R;
    match result {
        R::CUDA_SUCCESS => Ok(()),
        // After these the context is beyond repair.
        R::CUDA_ERROR_ILLEGAL_ADDRESS
        | R::CUDA_ERROR_LAUNCH_FAILED
        | R::CUDA_ERROR_LAUNCH_TIMEOUT
        | R::CUDA_ERROR_ILLEGAL_INSTRUCTION
        | R::CUDA_ERROR_MISALIGNED_ADDRESS
        | R::CUDA_ERROR_INVALID_ADDRESS_SPACE
        | R::CUDA_ERROR_INVALID_PC
        | R::CUDA_ERROR_HARDWARE_STACK_ERROR
        | R::CUDA_ERROR_ECC_UNCORRECTABLE
        | R::CUDA_ERROR_NVLINK_UNCORRECTABLE
        | R::CUDA_ERROR_DEVICE_UNAVAILABLE
        | R::CUDA_ERROR_CONTAINED
        | R::CUDA_ERROR_ASSERT => Err(Error::lost(name(result), doing)),
        _ => Err(Error::driver(name(result), doing)),
    }
}

/// What the driver calls a result.
fn name(result: CUresult) -> String {
    let mut text = core::ptr::null();
    // SAFETY: the library is there, for it gave the result; `text` outlives the call.
    let known = unsafe { sys::cuGetErrorName(result, &mut text) } == CUresult::CUDA_SUCCESS;
    if !known || text.is_null() {
        return format!("error {}", result as u32);
    }
    // SAFETY: a constant text of the driver's, ended by zero.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_as_the_driver_counts_them() {
        assert_eq!(decode(12090), Version { major: 12, minor: 9 });
        assert_eq!(decode(13000), Version { major: 13, minor: 0 });
    }

    /// On a machine without a GPU each way in is an error that says so; on one with a GPU each
    /// works.
    #[test]
    fn absence_is_an_error() {
        match (init(), device_count()) {
            (Ok(version), Ok(count)) => assert!(version >= NEEDED && count >= 1),
            (Err(one), Err(other)) => {
                assert_eq!(one, other);
                assert!(matches!(
                    one,
                    Error::NoDriver | Error::NoDevice | Error::DriverTooOld { .. }
                ));
            }
            mixed => panic!("{mixed:?}"),
        }
    }
}
