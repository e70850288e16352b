//! Many modules compiled at once, for tests and for machines without NVRTC.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::cache::Cache;
use crate::error::Error;
use crate::nvrtc::Nvrtc;
use crate::source::Source;

/// Compiles modules on all processors and hands each one's machine code to `done`.
///
/// # Errors
/// The failure of one that failed.
fn compile(
    nvrtc: &Nvrtc,
    sources: &[Source],
    architecture: &str,
    done: impl Fn(&Source, &[u8]) + Sync,
) -> Result<(), Error> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut outcomes = Vec::new();
        while let Some(source) = sources.get(next.fetch_add(1, Ordering::Relaxed)) {
            outcomes.push(nvrtc.compile(source, architecture).map(|code| done(source, &code)));
        }
        outcomes.into_iter().collect::<Result<(), Error>>()
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })
}

/// Compiles modules for an architecture such as `sm_90a` into a folder, which `NONIUS_CACHE_DIR` may name on machines without
/// NVRTC, or into the folder of this machine where none is named; needs no GPU. What is there already is not compiled again.
///
/// # Errors
/// [`Error::NoNvrtc`], [`Error::Compile`].
pub fn precompile(
    sources: &[Source],
    architecture: &str,
    folder: Option<&Path>,
) -> Result<(), Error> {
    let nvrtc = Nvrtc::get()?;
    let cache = folder.map_or_else(Cache::from_environment, Cache::at);
    let by = nvrtc.version();
    let absent = |source: &&Source| cache.load(source, architecture, |found| found == by).is_none();
    let sources: Vec<Source> = sources.iter().filter(absent).cloned().collect();
    compile(nvrtc, &sources, architecture, |source, code| {
        cache.store(source, architecture, by, code);
    })
}
