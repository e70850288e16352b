//! Many modules compiled at once, for tests and for machines without NVRTC.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::cache::Cache;
use crate::error::Error;
use crate::nvrtc::Nvrtc;
use crate::source::Source;

/// Compiles modules on all processors, hands each one's machine code to `done`, and returns the bytes of all.
///
/// # Errors
/// The failure of one that failed.
pub fn compile(
    nvrtc: &Nvrtc,
    sources: &[Source],
    architecture: &str,
    done: impl Fn(&Source, &[u8]) + Sync,
) -> Result<usize, Error> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut outcomes = Vec::new();
        while let Some(source) = sources.get(next.fetch_add(1, Ordering::Relaxed)) {
            outcomes.push(nvrtc.compile(source, architecture).map(|code| {
                done(source, &code);
                code.len()
            }));
        }
        outcomes.into_iter().sum::<Result<usize, Error>>()
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .sum()
    })
}

/// Compiles modules for an architecture such as `sm_90a` into a folder, which `NONIUS_CACHE_DIR` may name on machines without
/// NVRTC; needs no GPU. Returns their bytes.
///
/// # Errors
/// [`Error::NoNvrtc`], [`Error::Compile`].
pub fn precompile(sources: &[Source], architecture: &str, folder: &Path) -> Result<usize, Error> {
    let nvrtc = Nvrtc::get()?;
    let cache = Cache::at(folder);
    compile(nvrtc, sources, architecture, |source, code| {
        cache.store(source, architecture, nvrtc.version(), code);
    })
}
