//! GPUs that stay open for arrays, each once for the process.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use nonius_cuda::Cuda;
use nonius_linalg::interrupt::uninterrupted;
use nonius_linalg::{DeviceFailure, Error};

/// A GPU that arrays share. Work on it is done one after the other, whatever thread asks.
#[derive(Clone)]
pub(super) struct Gpu {
    device: nonius_cuda::Device,
    cuda: Arc<Mutex<Cuda>>,
}

impl Gpu {
    /// The GPU of that number.
    pub(super) fn open(ordinal: usize) -> Result<Self, Error> {
        static OPEN: Mutex<Option<HashMap<usize, Gpu>>> = Mutex::new(None);
        let mut all = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        let all = all.get_or_insert_default();
        if let Some(gpu) = all.get(&ordinal) {
            return Ok(gpu.clone());
        }
        let device = nonius_cuda::Device::new(ordinal).map_err(failed)?;
        let cuda = Arc::new(Mutex::new(Cuda::new(&device).map_err(failed)?));
        let gpu = Self { device, cuda };
        all.insert(ordinal, gpu.clone());
        Ok(gpu)
    }

    pub(super) fn device(&self) -> &nonius_cuda::Device {
        &self.device
    }

    /// Does work to its end. It begins when what is in the device's default stream is done.
    pub(super) fn run<R>(&self, work: impl FnOnce(&Cuda) -> Result<R, Error>) -> Result<R, Error> {
        let cuda = self.cuda.lock().unwrap_or_else(PoisonError::into_inner);
        let gpu = cuda.renewed();
        uninterrupted(|| {
            gpu.fetch(|| gpu.stream().wait_for_default())?;
            let found = work(&gpu);
            let end = gpu.finish();
            let found = found?;
            end.map_err(failed)?;
            Ok(found)
        })
    }
}

/// The error of a failure of a device.
pub(super) fn failed(failure: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::Device(DeviceFailure::new(failure))
}

impl fmt::Debug for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cuda:{}", self.device.info().ordinal)
    }
}
