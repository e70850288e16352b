//! How many threads work. Results do not depend on it.

use std::fmt;
use std::num::NonZeroUsize;

use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

/// The threads asked for could not be started.
#[derive(Debug)]
pub struct ThreadsError {
    threads: usize,
    source: ThreadPoolBuildError,
}

/// Threads that work unless [`with_threads`] says otherwise.
pub fn available_threads() -> usize {
    rayon::current_num_threads()
}

/// Runs `work` on a pool of `threads` threads, or as many as the machine has cores.
pub fn with_threads<R: Send>(
    threads: Option<NonZeroUsize>,
    work: impl FnOnce() -> R + Send,
) -> Result<R, ThreadsError> {
    let threads = threads.map_or(0, NonZeroUsize::get);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    Ok(pool.map_err(|source| ThreadsError { threads, source })?.install(work))
}

impl fmt::Display for ThreadsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot start {} threads: {}", self.threads, self.source)
    }
}

impl std::error::Error for ThreadsError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pool_has_the_threads_asked_for() {
        for n in [1, 3] {
            assert_eq!(with_threads(NonZeroUsize::new(n), available_threads).unwrap(), n);
        }
        assert!(with_threads(None, available_threads).unwrap() >= 1);
    }
}
