//! How many threads work. Results do not depend on it.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

pub use nonius_linalg::threads::{alone, available};
use rayon::{ThreadBuilder, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::here::{self, Here};

/// Most threads that can be asked for. More would only take minutes to start.
pub const MOST: usize = 1024;

/// The threads asked for could not be had.
#[derive(Debug)]
pub enum Error {
    /// More than [`MOST`].
    TooMany(usize),
    /// The system did not start them.
    NotStarted(ThreadPoolBuildError),
}

/// Runs `work` on a pool of `threads` threads, or as many as the machine has cores. The
/// [ranks](crate::ranks) of a machine share its cores.
///
/// No thread of the pool is left when the function returns. A thread that used a GPU gives the
/// driver's state for it back as it ends; a driver whose library is being closed meanwhile, because
/// the process ends, aborts the process.
///
/// The number of threads changes no bit of a result:
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use nonius::prelude::*;
/// use nonius::threads;
///
/// let a = Matrix::from_fn(40, 40, |i, j| Qd::ONE / (i + j + 1) as f64);
/// let found = [1, 3].map(|threads| {
///     threads::with(NonZeroUsize::new(threads), || Inverse::new(&a).device(Device::Cpu).run())
/// });
/// let [one, three] = found.map(|found| found.unwrap().unwrap().0);
/// assert_eq!(one, three);
/// ```
///
/// # Errors
/// [`Error`].
pub fn with<R: Send>(
    threads: Option<NonZeroUsize>,
    work: impl FnOnce() -> R + Send,
) -> Result<R, Error> {
    of_rank(here::here(), threads, work)
}

/// [`with`] threads that work for a rank.
pub(crate) fn of_rank<R: Send>(
    here: Option<Here>,
    threads: Option<NonZeroUsize>,
    work: impl FnOnce() -> R + Send,
) -> Result<R, Error> {
    let (mut work, mut result) = (Some(work), None);
    on_threads(here, threads, &mut || result = work.take().map(|work| work()))?;
    Ok(result.expect("work that has run"))
}

fn on_threads(
    here: Option<Here>,
    threads: Option<NonZeroUsize>,
    work: &mut (dyn FnMut() + Send),
) -> Result<(), Error> {
    let threads = threads.or(here.as_ref().map(|here| here.threads));
    let threads = threads.map_or(0, NonZeroUsize::get);
    if threads > MOST {
        return Err(Error::TooMany(threads));
    }
    let started = Started { here, handles: Mutex::default() };
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .spawn_handler(|builder| started.spawn(builder))
        .build()
        .map_err(Error::NotStarted)?;
    pool.install(work);
    Ok(())
}

/// The threads of a pool, which a pool's end tells to end but does not wait for.
struct Started {
    /// The rank that they work for.
    here: Option<Here>,
    handles: Mutex<Vec<JoinHandle<()>>>,
}

impl Started {
    fn spawn(&self, builder: ThreadBuilder) -> std::io::Result<()> {
        let thread = thread::Builder::new().name(format!("nonius-{}", builder.index()));
        let here = self.here.clone();
        let handle = thread.spawn(|| here::at(here, || builder.run()))?;
        self.handles.lock().unwrap_or_else(PoisonError::into_inner).push(handle);
        Ok(())
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        for handle in self.handles.get_mut().unwrap_or_else(PoisonError::into_inner).drain(..) {
            // A panic of the work has reached whoever called `install`.
            let _ = handle.join();
        }
    }
}

/// The threads of each of so many ranks that share those of this one.
pub(crate) fn share(ranks: usize) -> NonZeroUsize {
    NonZeroUsize::new(available() / ranks.max(1)).unwrap_or(NonZeroUsize::MIN)
}

/// Runs `work` on one of the threads that work. From another one, every operation that they share
/// would have to be handed over, which takes longer than many of them.
pub(crate) fn inside<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let here = here::here();
    rayon::scope(|_| here::at(here, work))
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany(n) => write!(f, "expected at most {MOST} threads, found {n}"),
            Self::NotStarted(error) => write!(f, "threads cannot be started: {error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::TooMany(_) => None,
            Self::NotStarted(error) => Some(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// What a thread does last, once its own work is done, is done before the pool's caller goes
    /// on.
    #[test]
    fn no_thread_outlives_its_pool() {
        static ENDED: AtomicUsize = AtomicUsize::new(0);
        struct Last;
        impl Drop for Last {
            fn drop(&mut self) {
                thread::sleep(std::time::Duration::from_millis(50));
                ENDED.fetch_add(1, Ordering::SeqCst);
            }
        }
        thread_local!(static LAST: Last = const { Last });
        with(NonZeroUsize::new(3), || rayon::broadcast(|_| LAST.with(|_| ()))).unwrap();
        assert_eq!(ENDED.load(Ordering::SeqCst), 3);
    }

    #[test]
    fn the_pool_has_the_threads_asked_for() {
        for n in [1, 3] {
            assert_eq!(with(NonZeroUsize::new(n), available).unwrap(), n);
        }
        assert!(with(None, available).unwrap() >= 1);
        assert!(inside(rayon::current_thread_index).is_some());
        let error = with(NonZeroUsize::new(1025), || ()).unwrap_err();
        assert_eq!(error.to_string(), "expected at most 1024 threads, found 1025");
    }
}
