//! A GPU's properties, and the driver's state for it.

use core::ffi::{c_char, c_int};
use core::fmt;
use core::ptr;

use cudarc::driver::sys::{self, CUdevice_attribute as Attribute};

use crate::current::turn_to;
use crate::driver::{check, device_count};
use crate::error::Error;

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

    /// The architecture that kernels are compiled for: `sm_80`; `sm_90a`, whose own instructions no
    /// other has.
    pub fn architecture(&self) -> String {
        let (major, minor) = self.capability;
        format!("sm_{major}{minor}{}", if (major, minor) == (9, 0) { "a" } else { "" })
    }

    /// Of a GPU its handle, what it says of itself, and bytes of shared memory that a block may
    /// have.
    fn read(ordinal: usize) -> Result<(sys::CUdevice, Self, usize), Error> {
        let count = device_count()?;
        let number = c_int::try_from(ordinal).ok().filter(|_| ordinal < count);
        let Some(number) = number else { return Err(Error::NoSuchDevice { ordinal, count }) };
        turn_to(ordinal);
        const DOING: &str = "reading a GPU's properties";
        let mut device = 0;
        let mut memory = 0;
        let mut name = [0 as c_char; 256];
        // SAFETY: the driver is started, the pointers outlive the calls, and the length is that of
        // `name`.
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
pub struct Context {
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
    pub(crate) fn new(ordinal: usize) -> Result<Self, Error> {
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

    /// What the GPU says of itself.
    pub(crate) fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// Bytes of shared memory that a block may have.
    pub(crate) fn shared_memory(&self) -> usize {
        self.shared_memory
    }

    /// What tells the GPU from all others, of other machines too.
    pub(crate) fn identity(&self) -> Result<[u8; 16], Error> {
        let mut identity = sys::CUuuid { bytes: [0; 16] };
        // SAFETY: the device was given by the driver, and `identity` outlives the call.
        let result = unsafe { sys::cuDeviceGetUuid_v2(&mut identity, self.device) };
        check(result, "asking a GPU for its identity")?;
        Ok(identity.bytes.map(|byte| byte as u8))
    }

    /// Makes the context that of the calling thread; comes before every call of the driver that
    /// needs one.
    pub fn bind(&self) -> Result<(), Error> {
        turn_to(self.info.ordinal);
        // SAFETY: the context is retained as long as `self` lives.
        check(unsafe { sys::cuCtxSetCurrent(self.raw) }, "choosing a GPU")
    }

    /// Waits until the work of all streams is done; reports what failed there.
    pub fn synchronize(&self) -> Result<(), Error> {
        self.bind()?;
        // SAFETY: takes no pointer; the context is current.
        check(unsafe { sys::cuCtxSynchronize() }, "waiting for its work")
    }

    /// Bytes that the pool keeps for allocations to come.
    pub(crate) fn pooled(&self) -> Result<u64, Error> {
        use sys::CUmemPool_attribute::{
            CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT as RESERVED,
            CU_MEMPOOL_ATTR_USED_MEM_CURRENT as USED,
        };
        const DOING: &str = "asking for free memory";
        let mut pool = ptr::null_mut();
        // SAFETY: the device was given by the driver, and `pool` outlives the call.
        check(unsafe { sys::cuDeviceGetDefaultMemPool(&mut pool, self.device) }, DOING)?;
        let bytes = |attribute| {
            let mut bytes = 0_u64;
            // SAFETY: the pool is the device's; the attributes are 64-bit numbers, which outlive
            // the call.
            let result =
                unsafe { sys::cuMemPoolGetAttribute(pool, attribute, (&raw mut bytes).cast()) };
            check(result, DOING).map(|()| bytes)
        };
        Ok(bytes(RESERVED)?.saturating_sub(bytes(USED)?))
    }

    /// Lets the pool keep what is freed, so that allocating again costs no call to the system.
    fn keep_freed_memory(&self) -> Result<(), Error> {
        const DOING: &str = "setting up the memory pool";
        let mut pool = ptr::null_mut();
        let mut everything = u64::MAX;
        // SAFETY: the device was given by the driver; the attribute is a 64-bit number, which
        // outlives the call.
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
