//! The GPUs of a machine, as [`Device::CudaAll`](super::Device::CudaAll) has them.

use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, PoisonError};

use nonius_cuda::{Cuda, DeviceInfo};
use nonius_linalg::{DeviceFailure, Error};

#[cfg(not(test))]
pub(crate) use gpus::{One, count, open};
/// This crate's own tests need no GPU.
#[cfg(test)]
pub(crate) use hosts::{One, count, open};

/// Held while ranks work on all GPUs.
static TURN: Mutex<()> = Mutex::new(());

thread_local! {
    /// Whether this thread holds it.
    static HAS_TURN: Cell<bool> = const { Cell::new(false) };
}

/// Does work on all GPUs when that of other threads has ended: on each GPU the messages of one task
/// could wait for those of another, in a different order on every GPU.
pub(crate) fn in_turn<R>(work: impl FnOnce() -> R) -> R {
    /// Ends the turn, however the work ends.
    struct Turn {
        _held: MutexGuard<'static, ()>,
    }
    impl Drop for Turn {
        fn drop(&mut self) {
            HAS_TURN.set(false);
        }
    }
    // Whoever watches a task may begin another.
    if HAS_TURN.get() {
        return work();
    }
    let _turn = Turn { _held: TURN.lock().unwrap_or_else(PoisonError::into_inner) };
    HAS_TURN.set(true);
    work()
}

/// The GPU of that number.
pub(crate) fn open_gpu(ordinal: usize) -> Result<Cuda, Error> {
    let opened = nonius_cuda::Device::new(ordinal).and_then(|device| Cuda::new(&device));
    opened.map_err(|error| Error::Device(DeviceFailure::new(error)))
}

/// How many GPUs there are; at least one.
pub(crate) fn count_gpus() -> Result<usize, Error> {
    let all = DeviceInfo::all().map_err(|error| Error::Device(DeviceFailure::new(error)))?;
    Ok(all.len())
}

#[cfg(not(test))]
mod gpus {
    pub(crate) use super::{count_gpus as count, open_gpu as open};
    /// One of them.
    pub(crate) type One = super::Cuda;
}

#[cfg(test)]
mod hosts {
    use nonius_linalg::Error;
    use nonius_linalg::backend::Cpu;

    /// One of them.
    pub(crate) type One = Cpu;

    #[expect(clippy::unnecessary_wraps, reason = "as of GPUs")]
    pub(crate) fn count() -> Result<usize, Error> {
        Ok(3)
    }

    #[expect(clippy::unnecessary_wraps, reason = "as of GPUs")]
    pub(crate) fn open(_: usize) -> Result<Cpu, Error> {
        Ok(Cpu::default())
    }
}

#[cfg(test)]
mod tests;
