//! Many modules compiled at once, for tests and for machines without NVRTC.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::cache::Cache;
use crate::error::Error;
use crate::nvrtc::Nvrtc;
use crate::source::Source;

/// Does something for all modules, on all processors.
pub(crate) fn for_all<R: Send>(sources: &[Source], work: impl Fn(&Source) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let turns = || {
        let mut results = Vec::new();
        while let Some(source) = sources.get(next.fetch_add(1, Ordering::Relaxed)) {
            results.push(work(source));
        }
        results
    };
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..processors.min(sources.len())).map(|_| scope.spawn(turns)).collect();
        let joined = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        joined.flatten().collect()
    })
}

/// A module that was compiled.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// Its name.
    pub name: String,
    /// How long that took.
    pub time: Duration,
}

/// Sees on all processors that modules compile for an architecture, without code that is of use.
/// Those that were seen to before are not compiled again.
///
/// # Errors
/// [`Error::NoNvrtc`], [`Error::Compile`].
pub fn check(sources: &[Source], architecture: &str) -> Result<(), Error> {
    let nvrtc = Nvrtc::get()?;
    let (cache, by) = (Cache::from_environment(), nvrtc.version());
    // What is kept under this name is no code: that a file is there says all.
    let seen = format!("{architecture}-seen");
    let outcomes = for_all(sources, |source| {
        if cache.load(source, &seen, |found| found == by).is_none() {
            nvrtc.check(source, architecture)?;
            cache.store(source, &seen, by, &[]);
        }
        Ok(())
    });
    outcomes.into_iter().collect()
}

/// Compiles modules for an architecture such as `sm_90a` into a folder, which `NONIUS_CACHE_DIR`
/// may name on machines without NVRTC; needs no GPU. What is there already is not compiled again;
/// says what was.
///
/// # Errors
/// [`Error::NoNvrtc`], [`Error::Compile`].
pub fn precompile(
    sources: &[Source],
    architecture: &str,
    folder: &Path,
) -> Result<Vec<Compiled>, Error> {
    let nvrtc = Nvrtc::get()?;
    let cache = Cache::at(folder);
    let by = nvrtc.version();
    let absent = |source: &&Source| cache.load(source, architecture, |found| found == by).is_none();
    let sources: Vec<Source> = sources.iter().filter(absent).cloned().collect();
    let outcomes = for_all(&sources, |source| {
        let start = Instant::now();
        let code = nvrtc.compile(source, architecture)?;
        cache.store(source, architecture, by, &code);
        Ok(Compiled { name: source.name().to_string(), time: start.elapsed() })
    });
    outcomes.into_iter().collect()
}
