//! A GPU opened for work.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::cache::Cache;
use crate::compile::for_all;
use crate::context::{Context, DeviceInfo};
use crate::driver::init;
use crate::error::{Error, Version};
use crate::lanes::LanePool;
use crate::memory::free_and_total;
use crate::module::Module;
use crate::nvrtc::Nvrtc;
use crate::source::Source;
use crate::stream::{Stream, Urgency};

/// A GPU opened for work.
#[derive(Clone, Debug)]
pub struct Device(Arc<Opened>);

#[derive(Debug)]
struct Opened {
    context: Arc<Context>,
    cache: Cache,
    /// Lanes that transfers have used and others may use.
    lanes: LanePool,
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
        let lanes = LanePool::new(&context);
        let (cache, modules) = (Cache::from_environment(), Mutex::default());
        Ok(Self(Arc::new(Opened { context, cache, lanes, modules })))
    }

    /// What the GPU says of itself.
    pub fn info(&self) -> &DeviceInfo {
        self.0.context.info()
    }

    /// What tells the GPU from all others, of other machines too.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn identity(&self) -> Result<[u8; 16], Error> {
        self.0.context.identity()
    }

    /// Bytes of shared memory that a block may have.
    pub fn shared_memory(&self) -> usize {
        self.0.context.shared_memory()
    }

    /// A new queue of work.
    pub fn stream(&self) -> Result<Stream, Error> {
        Stream::new(&self.0.context, Urgency::Usual)
    }

    /// A new queue of work that goes before that of others.
    pub fn urgent_stream(&self) -> Result<Stream, Error> {
        Stream::new(&self.0.context, Urgency::First)
    }

    /// Bytes of memory that are free, and all.
    pub fn memory(&self) -> Result<(u64, u64), Error> {
        self.0.context.bind()?;
        free_and_total()
    }

    /// Bytes that allocations may have: those that are free, and those that the pool keeps.
    pub fn room(&self) -> Result<u64, Error> {
        let (free, _) = self.memory()?;
        Ok(free.saturating_add(self.0.context.pooled()?))
    }

    /// The lanes of its transfers.
    pub fn lanes(&self) -> &LanePool {
        &self.0.lanes
    }

    /// The driver's state for the GPU.
    pub fn context(&self) -> &Arc<Context> {
        &self.0.context
    }

    /// A module, compiled or read from the cache at its first use.
    pub fn module(&self, source: &Source) -> Result<Module, Error> {
        let slot = {
            let mut modules = self.0.modules.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(modules.entry(source.name().to_string()).or_default())
        };
        slot.get_or_init(|| self.load(source)).clone()
    }

    /// Compiles and loads modules on all processors, those that no machine code is kept of. Whoever
    /// is about to use several asks for them together, so that their first use on a machine takes
    /// as long as the longest of them. A failure is told where its module is used.
    pub fn prepare(&self, sources: &[Source]) {
        let asked_for = self.0.modules.lock().unwrap_or_else(PoisonError::into_inner);
        let mut names = HashSet::new();
        let mut is_new =
            |name: &str| !asked_for.contains_key(name) && names.insert(name.to_string());
        let new: Vec<&Source> = sources.iter().filter(|source| is_new(source.name())).collect();
        drop(asked_for);
        let absent = self.0.cache.absent(&new, &self.info().architecture());
        if absent.len() > 1 {
            for_all(&absent, |source| drop(self.module(source)));
        }
    }

    fn load(&self, source: &Source) -> Result<Module, Error> {
        let (context, cache) = (self.context(), &self.0.cache);
        let architecture = self.info().architecture();
        let driver = init()?;
        let nvrtc = Nvrtc::get();
        // Code by a newer compiler of the driver's generation is as good as code by this machine's.
        let oldest = nvrtc.as_ref().map_or(Version { major: 0, minor: 0 }, |nvrtc| nvrtc.version());
        let accept = |version: Version| version >= oldest && version.major <= driver.major;
        if let Some(code) = cache.load(source, &architecture, accept) {
            let module = Module::load(context, &code);
            if module.is_ok() || nvrtc.is_err() {
                return module;
            }
        }
        let nvrtc = nvrtc?;
        if nvrtc.version().major > driver.major {
            let needed = Version { major: nvrtc.version().major, minor: 0 };
            return Err(Error::DriverTooOld { found: driver, needed });
        }
        let code = nvrtc.compile(source, &architecture)?;
        let module = Module::load(context, &code)?;
        cache.store(source, &architecture, nvrtc.version(), &code);
        Ok(module)
    }
}
