//! Version, errors, device and threads.

use std::cell::Cell;
use std::ffi::c_char;
use std::num::NonZeroUsize;

use nonius::{Device, threads};

use crate::failure::{Failure, guarded, last};
use crate::pointers::{check, put, text};
use crate::status::Status;

thread_local! {
    static DEVICE: Cell<Device> = const { Cell::new(Device::Auto) };
    static THREADS: Cell<Option<NonZeroUsize>> = const { Cell::new(None) };
}

/// The device that the calling thread has chosen.
pub(crate) fn device() -> Device {
    DEVICE.get()
}

/// Does work with as many threads as the calling thread has chosen.
pub(crate) fn on_threads<R: Send>(
    work: impl FnOnce() -> Result<R, Failure> + Send,
) -> Result<R, Failure> {
    match THREADS.get() {
        None => work(),
        chosen => threads::with(chosen, work)?,
    }
}

/// The version, as in `0.2.0`. The text stays for as long as the library is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn nonius_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Why the last call of this thread that failed did so: one sentence, empty where none failed. The
/// text stays until the next call of this thread fails.
#[unsafe(no_mangle)]
pub extern "C" fn nonius_last_error() -> *const c_char {
    last()
}

/// A status in a few words. The text stays for as long as the library is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn nonius_status_name(status: i32) -> *const c_char {
    Status::name(status).as_ptr()
}

/// Chooses the device for later calls of this thread: `auto`, `cpu`, `cuda:0` for the first GPU, or
/// `cuda:all` for all. At first it is `auto`: a GPU where there is one and the work is long enough.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_set_device(name: *const c_char) -> Status {
    guarded(|| {
        // SAFETY: the contract for a text.
        let name = unsafe { text(name, "name") }?;
        let chosen: Device = name.parse().map_err(Failure::argument)?;
        chosen.check()?;
        DEVICE.set(chosen);
        Ok(())
    })
}

/// Chooses how many threads later calls of this thread work with, 1024 at most. 0, as at first,
/// stands for as many as there are cores. Results do not depend on it.
#[unsafe(no_mangle)]
pub extern "C" fn nonius_set_threads(count: usize) -> Status {
    guarded(|| {
        if count > threads::MOST {
            return Err(threads::Error::TooMany(count).into());
        }
        THREADS.set(NonZeroUsize::new(count));
        Ok(())
    })
}

/// How many NVIDIA GPUs this machine has: 0 where it has no driver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_gpu_count(count: *mut usize) -> Status {
    guarded(|| {
        check(count, "count")?;
        let found = Device::gpus().map_or(0, |gpus| gpus.len());
        // SAFETY: the contract for a value that is written; the pointer is checked.
        unsafe { put(count, 0, found) };
        Ok(())
    })
}
