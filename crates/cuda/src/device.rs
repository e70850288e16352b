//! GPUs: what there are, and one opened for work.

use core::ffi::{c_char, c_int};
use core::fmt;
use core::ptr;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cudarc::driver::sys::{self, CUdevice_attribute as Attribute};

use crate::cache::Cache;
use crate::driver::{check, device_count, init};
use crate::error::{Error, Version};
use crate::kernels::Source;
use crate::lanes::{self, Lane, Lent};
use crate::module::Module;
use crate::nvrtc::Nvrtc;
use crate::stream::{Stream, Urgency};

/// What a GPU says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Its number: the `i` of `cuda:i`.
    pub ordinal: usize,
    /// Its name, such as `NVIDIA H200`.
    pub name: String,
    /// Its compute capability, such as 9.0.
    pub capability: (u32, u32),
    /// Its memory in bytes.
    pub memory: u64,
    /// Its multiprocessors.
    pub multiprocessors: u32,
}

impl DeviceInfo {
    /// All GPUs of this machine.
    ///
    /// # Errors
    /// Where there is no driver, one too old, or no GPU.
    pub fn all() -> Result<Vec<Self>, Error> {
        (0..device_count()?).map(Self::of).collect()
    }

    /// GPU `ordinal`, counted from 0, without opening it.
    ///
    /// # Errors
    /// Where there is no driver, one too old, or no such GPU.
    pub fn of(ordinal: usize) -> Result<Self, Error> {
        Self::read(ordinal).map(|found| found.1)
    }

    /// The architecture that kernels are compiled for: `sm_80`; `sm_90a`, whose own instructions no other has.
    pub fn architecture(&self) -> String {
        let (major, minor) = self.capability;
        format!("sm_{major}{minor}{}", if (major, minor) == (9, 0) { "a" } else { "" })
    }

    /// Of a GPU its handle, what it says of itself, and bytes of shared memory that a block may have.
    fn read(ordinal: usize) -> Result<(sys::CUdevice, Self, usize), Error> {
        let count = device_count()?;
        let number = c_int::try_from(ordinal).ok().filter(|_| ordinal < count);
        let Some(number) = number else { return Err(Error::NoSuchDevice { ordinal, count }) };
        const DOING: &str = "reading a GPU's properties";
        let mut device = 0;
        let mut memory = 0;
        let mut name = [0 as c_char; 256];
        // SAFETY: the driver is started, the pointers outlive the calls, and the length is that of `name`.
        unsafe {
            check(sys::cuDeviceGet(&mut device, number), DOING)?;
            check(sys::cuDeviceTotalMem_v2(&mut memory, device), DOING)?;
            check(sys::cuDeviceGetName(name.as_mut_ptr(), name.len() as c_int, device), DOING)?;
        }
        let attribute = |attribute| {
            let mut value = 0;
            // SAFETY: the device was given by the driver, and `value` outlives the call.
            check(unsafe { sys::cuDeviceGetAttribute(&mut value, attribute, device) }, DOING)?;
            Ok(value.unsigned_abs())
        };
        let name = name.iter().take_while(|&&c| c != 0).map(|&c| c as u8).collect::<Vec<_>>();
        let info = Self {
            ordinal,
            name: String::from_utf8_lossy(&name).into_owned(),
            capability: (
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
            ),
            memory: memory as u64,
            multiprocessors: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        };
        if attribute(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)? == 0 {
            let lacks = "memory pools";
            return Err(Error::Unsupported { device: info.name, lacks });
        }
        let shared = attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?;
        Ok((device, info, shared as usize))
    }
}

/// The driver's state for one GPU. It lives as long as anything on the device.
pub(crate) struct Context {
    info: DeviceInfo,
    /// Bytes of shared memory that a block may have.
    shared_memory: usize,
    device: sys::CUdevice,
    raw: sys::CUcontext,
}

// SAFETY: handles of the driver's, whose functions may be called from any thread.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cuda:{}", self.info.ordinal)
    }
}

impl Context {
    fn new(ordinal: usize) -> Result<Self, Error> {
        let (device, info, shared_memory) = DeviceInfo::read(ordinal)?;
        let mut raw = ptr::null_mut();
        // SAFETY: the device was given by the driver, and `raw` outlives the call.
        let result = unsafe { sys::cuDevicePrimaryCtxRetain(&mut raw, device) };
        check(result, "opening a GPU")?;
        let context = Self { info, shared_memory, device, raw };
        context.bind()?;
        context.keep_freed_memory()?;
        Ok(context)
    }

    /// Makes the context that of the calling thread; comes before every call of the driver that needs one.
    pub(crate) fn bind(&self) -> Result<(), Error> {
        // SAFETY: the context is retained as long as `self` lives.
        check(unsafe { sys::cuCtxSetCurrent(self.raw) }, "choosing a GPU")
    }

    /// Lets the pool keep what is freed, so that allocating again costs no call to the system.
    fn keep_freed_memory(&self) -> Result<(), Error> {
        const DOING: &str = "setting up the memory pool";
        let mut pool = ptr::null_mut();
        let mut everything = u64::MAX;
        // SAFETY: the device was given by the driver; the attribute is a 64-bit number, which outlives the call.
        unsafe {
            check(sys::cuDeviceGetDefaultMemPool(&mut pool, self.device), DOING)?;
            check(
                sys::cuMemPoolSetAttribute(
                    pool,
                    sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
                    (&raw mut everything).cast(),
                ),
                DOING,
            )
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: retained once, released once; nothing on the device outlives the context.
        unsafe { sys::cuDevicePrimaryCtxRelease_v2(self.device) };
    }
}

/// A GPU opened for work.
#[derive(Clone, Debug)]
pub struct Device(Arc<Opened>);

#[derive(Debug)]
struct Opened {
    context: Arc<Context>,
    cache: Cache,
    /// Lanes that transfers have used and others may use.
    lanes: Mutex<Vec<Lane>>,
    /// The modules loaded so far. Each is loaded once, different ones at the same time.
    modules: Mutex<HashMap<String, Slot>>,
}

/// A module that is loaded, being loaded, or cannot be.
type Slot = Arc<OnceLock<Result<Module, Error>>>;

impl Device {
    /// Opens GPU `ordinal`, counted from 0.
    ///
    /// # Errors
    /// Where there is no driver, one too old, or no such GPU.
    pub fn new(ordinal: usize) -> Result<Self, Error> {
        let context = Arc::new(Context::new(ordinal)?);
        let (cache, lanes, modules) =
            (Cache::from_environment(), Mutex::default(), Mutex::default());
        Ok(Self(Arc::new(Opened { context, cache, lanes, modules })))
    }

    /// What the GPU says of itself.
    pub fn info(&self) -> &DeviceInfo {
        &self.0.context.info
    }

    /// Bytes of shared memory that a block may have.
    pub(crate) fn shared_memory(&self) -> usize {
        self.context().shared_memory
    }

    /// A new queue of work.
    pub fn stream(&self) -> Result<Stream, Error> {
        Stream::new(&self.0.context, Urgency::Usual)
    }

    /// A new queue of work that goes before that of others.
    pub(crate) fn urgent_stream(&self) -> Result<Stream, Error> {
        Stream::new(&self.0.context, Urgency::First)
    }

    /// Bytes of memory that are free, and all.
    pub fn memory(&self) -> Result<(u64, u64), Error> {
        self.0.context.bind()?;
        crate::memory::free_and_total()
    }

    /// A lane for a transfer.
    pub(crate) fn lane(&self) -> Result<Lent<'_>, Error> {
        let kept = self.0.lanes.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Ok(Lent::new(self, kept.map_or_else(|| Lane::new(self), Ok)?))
    }

    /// Takes a lane that is idle, for transfers to come.
    pub(crate) fn keep(&self, lane: Lane) {
        let mut kept = self.0.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < lanes::KEPT {
            kept.push(lane);
        }
    }

    pub(crate) fn context(&self) -> &Arc<Context> {
        &self.0.context
    }

    /// A module, compiled or read from the cache at its first use.
    pub(crate) fn module(&self, source: &Source) -> Result<Module, Error> {
        let slot = {
            let mut modules = self.0.modules.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(modules.entry(source.name.clone()).or_default())
        };
        slot.get_or_init(|| self.load(source)).clone()
    }

    fn load(&self, source: &Source) -> Result<Module, Error> {
        let (context, cache) = (self.context(), &self.0.cache);
        let architecture = self.info().architecture();
        let driver = init()?;
        let nvrtc = Nvrtc::get();
        // Code by a newer compiler of the driver's generation is as good as code by this machine's.
        let oldest = nvrtc.as_ref().map_or(Version { major: 0, minor: 0 }, |nvrtc| nvrtc.version);
        let accept = |version: Version| version >= oldest && version.major <= driver.major;
        if let Some(code) = cache.load(source, &architecture, accept) {
            let module = Module::load(context, &code);
            if module.is_ok() || nvrtc.is_err() {
                return module;
            }
        }
        let nvrtc = nvrtc?;
        if nvrtc.version.major > driver.major {
            let needed = Version { major: nvrtc.version.major, minor: 0 };
            return Err(Error::DriverTooOld { found: driver, needed });
        }
        let code = nvrtc.compile(source, &architecture)?;
        let module = Module::load(context, &code)?;
        cache.store(source, &architecture, nvrtc.version, &code);
        Ok(module)
    }
}

/// Compiles every kernel for an architecture such as `sm_90a` into a folder, which `NONIUS_CACHE_DIR` may name on machines without
/// NVRTC; needs no GPU. Returns the number of modules and their bytes.
///
/// # Errors
/// [`Error::NoNvrtc`], [`Error::Compile`].
pub fn precompile(architecture: &str, folder: &Path) -> Result<(usize, usize), Error> {
    let nvrtc = Nvrtc::get()?;
    let cache = Cache::at(folder);
    let sources = crate::kernels::all(architecture);
    let bytes = crate::kernels::compile(nvrtc, &sources, architecture, |source, code| {
        cache.store(source, architecture, nvrtc.version, code);
    })?;
    Ok((sources.len(), bytes))
}
