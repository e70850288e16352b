//! Machine code on a device, and the launch of its kernels.

use core::ffi::CStr;
use core::marker::PhantomData;
use core::ptr;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::sys;

use crate::arguments::{Arguments, Entry};
use crate::context::Context;
use crate::driver::check;
use crate::error::Error;
use crate::stream::Stream;

/// A module on a device.
#[derive(Clone, Debug)]
pub struct Module(Arc<Loaded>);

#[derive(Debug)]
struct Loaded {
    context: Arc<Context>,
    raw: sys::CUmodule,
    /// The kernels found so far: looking for one takes the driver as long as half a launch.
    kernels: Mutex<HashMap<&'static CStr, sys::CUfunction>>,
    /// Held while limits of the module's kernels are raised.
    limits: Mutex<()>,
}

// SAFETY: a handle of the driver's, whose functions may be called from any thread.
unsafe impl Send for Loaded {}
// SAFETY: as above.
unsafe impl Sync for Loaded {}

impl Module {
    /// Loads the machine code that NVRTC made.
    pub fn load(context: &Arc<Context>, code: &[u8]) -> Result<Self, Error> {
        context.bind()?;
        let mut raw = ptr::null_mut();
        // SAFETY: a context is current; `code` is a whole cubin by its hash or fresh from the
        // compiler, which states its own size, and the driver copies it.
        let result = unsafe { sys::cuModuleLoadData(&mut raw, code.as_ptr().cast()) };
        check(result, "loading kernels")?;
        let (context, kernels) = (Arc::clone(context), Mutex::default());
        Ok(Self(Arc::new(Loaded { context, raw, kernels, limits: Mutex::new(()) })))
    }

    /// One of its kernels.
    pub fn kernel<A: Arguments>(&self, entry: Entry<A>) -> Result<Kernel<A>, Error> {
        let mut kernels = self.0.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        let raw = match kernels.get(entry.name()) {
            Some(&raw) => raw,
            None => {
                self.0.context.bind()?;
                let mut raw = ptr::null_mut();
                let name = entry.name().as_ptr();
                // SAFETY: the module is alive, the name ends with zero, and `raw` outlives the
                // call.
                let result = unsafe { sys::cuModuleGetFunction(&mut raw, self.0.raw, name) };
                check(result, "finding a kernel")?;
                kernels.insert(entry.name(), raw);
                raw
            }
        };
        Ok(Kernel { module: self.clone(), raw, arguments: PhantomData })
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        if self.context.bind().is_ok() {
            // SAFETY: unloaded once; the driver waits for kernels that run.
            unsafe { sys::cuModuleUnload(self.raw) };
        }
    }
}

/// A kernel, ready to be launched with what it takes.
#[derive(Clone, Debug)]
pub struct Kernel<A> {
    /// Keeps the code loaded.
    module: Module,
    raw: sys::CUfunction,
    arguments: PhantomData<fn(A)>,
}

/// How many threads a kernel is run by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads in a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory of a block.
    pub shared: u32,
}

impl<A: Arguments> Kernel<A> {
    /// Lets blocks of the kernel have `bytes` bytes of dynamic shared memory. The limit is the
    /// kernel's, not a launch's, and other threads launch the kernel at the same time. So the limit
    /// is raised and never lowered.
    pub fn allow_shared(&self, bytes: u32) -> Result<(), Error> {
        let module = &self.module.0;
        module.context.bind()?;
        let attribute = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        let _held = module.limits.lock().unwrap_or_else(PoisonError::into_inner);
        let mut allowed = 0;
        // SAFETY: the kernel is loaded, and `allowed` outlives the call.
        let result = unsafe { sys::cuFuncGetAttribute(&mut allowed, attribute, self.raw) };
        check(result, "asking for shared memory")?;
        if allowed >= bytes as i32 {
            return Ok(());
        }
        // SAFETY: the kernel is loaded.
        let result = unsafe { sys::cuFuncSetAttribute(self.raw, attribute, bytes as i32) };
        check(result, "asking for shared memory")
    }

    /// Blocks of `threads` threads that run on a multiprocessor at the same time, each with
    /// `shared` bytes of dynamic shared memory.
    pub fn resident_blocks(&self, threads: u32, shared: u32) -> Result<usize, Error> {
        self.module.0.context.bind()?;
        let mut blocks = 0;
        // SAFETY: the kernel is loaded, and `blocks` outlives the call.
        let result = unsafe {
            sys::cuOccupancyMaxActiveBlocksPerMultiprocessor(
                &mut blocks,
                self.raw,
                threads as i32,
                shared as usize,
            )
        };
        check(result, "asking what runs at the same time")?;
        Ok(blocks.unsigned_abs() as usize)
    }

    /// [`launch`](Self::launch) with all blocks running at the same time, so that they can wait for
    /// each other.
    ///
    /// # Safety
    /// As [`launch`](Self::launch).
    pub unsafe fn launch_together(
        &self,
        stream: &Stream,
        shape: Shape,
        arguments: &A,
    ) -> Result<(), Error> {
        self.module.0.context.bind()?;
        let ([gx, gy, gz], [bx, by, bz]) = (shape.grid, shape.block);
        let mut places = arguments.places();
        // SAFETY: as in `launch`; the driver refuses more blocks than can run at the same time.
        let result = unsafe {
            sys::cuLaunchCooperativeKernel(
                self.raw,
                gx,
                gy,
                gz,
                bx,
                by,
                bz,
                shape.shared,
                stream.raw(),
                places.as_mut_ptr().cast(),
            )
        };
        check(result, "launching a kernel")
    }

    /// Puts the kernel into a stream. Does nothing where there is no block.
    ///
    /// # Safety
    /// Memory that the kernel reads or writes by its arguments is allocated on the stream's device
    /// until the stream has come so far, and nobody else uses it meanwhile in a way that conflicts.
    pub unsafe fn launch(&self, stream: &Stream, shape: Shape, arguments: &A) -> Result<(), Error> {
        if shape.grid.contains(&0) {
            return Ok(());
        }
        self.module.0.context.bind()?;
        let ([gx, gy, gz], [bx, by, bz]) = (shape.grid, shape.block);
        let mut places = arguments.places();
        // SAFETY: the kernel is loaded, and takes an `A`: that was checked where its module was
        // compiled. The places are those of a live value, which the driver copies during the call.
        // The rest is the caller's promise.
        let result = unsafe {
            sys::cuLaunchKernel(
                self.raw,
                gx,
                gy,
                gz,
                bx,
                by,
                bz,
                shape.shared,
                stream.raw(),
                places.as_mut_ptr().cast(),
                ptr::null_mut(),
            )
        };
        check(result, "launching a kernel")
    }
}

// SAFETY: a handle of the driver's, whose functions may be called from any thread.
unsafe impl<A> Send for Kernel<A> {}
// SAFETY: as above.
unsafe impl<A> Sync for Kernel<A> {}
