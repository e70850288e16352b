//! Links between GPUs that end where a rank is lost.
//!
//! A GPU that waits for another rank's message waits for ever where that rank is gone, and so does
//! every host that waits for its stream. So a thread beside them looks whether all ranks are there.
//! Where one is not, it keeps why, and then ends all messages. Streams go on with whatever is in
//! their memory. Whoever has waited for one therefore asks [`Watched::check`] before it believes
//! what it finds.

use core::time::Duration;
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

use nonius_gpu::nccl::Links;
use nonius_linalg::{DeviceFailure, Error};

use super::carry::lost;
use crate::Communicator;

/// How often the thread looks.
const PULSE: Duration = Duration::from_millis(10);

/// How long a failure of messages waits to learn of a rank that is lost: what a device meets may be
/// earlier than the news.
const NEWS: Duration = Duration::from_secs(1);

/// Does what waits for all ranks, on a thread of its own, which is left behind where one is lost.
///
/// # Errors
/// Those of the work; [`Error::Device`] where a rank is lost or the system starts no thread.
pub(super) fn with_all_ranks<R: Send + 'static>(
    ranks: &Communicator,
    work: impl FnOnce() -> Result<R, Error> + Send + 'static,
) -> Result<R, Error> {
    let started = thread::Builder::new().name("join".into()).spawn(work);
    let started = started.map_err(|error| Error::Device(DeviceFailure::new(error)))?;
    while !started.is_finished() {
        ranks.check_ranks().map_err(lost)?;
        thread::sleep(PULSE);
    }
    started.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// What carries messages between devices.
pub(crate) trait Breakable: Send + Sync + 'static {
    /// What has become of messages under way, as far as is known without waiting.
    fn check(&self) -> Result<(), nonius_gpu::Error>;

    /// Ends all messages; what waits for them goes on.
    fn abort(&self);
}

impl Breakable for Links {
    fn check(&self) -> Result<(), nonius_gpu::Error> {
        self.check()
    }

    fn abort(&self) {
        self.abort();
    }
}

/// Links that end where a rank is lost.
#[derive(Debug)]
pub(crate) struct Watched<L> {
    links: Arc<L>,
    ranks: Communicator,
    /// Why messages have ended.
    failure: Arc<OnceLock<Error>>,
    /// The thread, which goes on until this end of the channel is gone.
    watcher: Option<(Sender<()>, JoinHandle<()>)>,
}

impl<L: Breakable> Watched<L> {
    /// Links of this rank to the others.
    ///
    /// # Errors
    /// [`Error::Device`] where the system starts no thread.
    pub(super) fn new(links: L, ranks: &Communicator) -> Result<Self, Error> {
        let (links, failure) = (Arc::new(links), Arc::new(OnceLock::new()));
        let (open, closed) = channel();
        let (watched, kept, others) = (Arc::clone(&links), Arc::clone(&failure), ranks.clone());
        let watch = move || {
            while closed.recv_timeout(PULSE) == Err(RecvTimeoutError::Timeout) {
                let ranks = others.check_ranks().map_err(lost);
                if let Err(error) = ranks.and_then(|()| watched.check().map_err(failed)) {
                    // Before streams go on.
                    kept.get_or_init(|| error);
                    // MPI may be closed while messages end.
                    drop(others);
                    return watched.abort();
                }
            }
        };
        let started = thread::Builder::new().name("links".into()).spawn(watch);
        let started = started.map_err(|error| Error::Device(DeviceFailure::new(error)))?;
        Ok(Self { links, ranks: ranks.clone(), failure, watcher: Some((open, started)) })
    }

    /// `Ok` while messages arrive; else why they do not.
    ///
    /// # Errors
    /// [`Error::Device`]: a rank is lost, or what carries messages has failed.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.failure.get().map_or(Ok(()), |failure| Err(failure.clone()))
    }

    /// Calls the links. Where they fail because a rank is lost, that is the error.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub(crate) fn call(
        &self,
        work: impl FnOnce(&L) -> Result<(), nonius_gpu::Error>,
    ) -> Result<(), Error> {
        self.check()?;
        work(&self.links).map_err(|error| self.news().err().unwrap_or(failed(error)))
    }

    /// Waits for the news that a rank is lost, for a second at most.
    fn news(&self) -> Result<(), Error> {
        for _ in 0..NEWS.as_millis() / PULSE.as_millis() {
            self.check()?;
            self.ranks.check_ranks().map_err(lost)?;
            thread::sleep(PULSE);
        }
        Ok(())
    }
}

/// The thread ends first, but where it ends messages: that may take a while.
impl<L> Drop for Watched<L> {
    fn drop(&mut self) {
        if let Some((open, watcher)) = self.watcher.take() {
            drop(open);
            if self.failure.get().is_none() {
                // It does not panic.
                let _ = watcher.join();
            }
        }
    }
}

pub(super) fn failed(error: nonius_gpu::Error) -> Error {
    Error::Device(DeviceFailure::new(error))
}

#[cfg(test)]
mod tests {
    use std::sync::{Condvar, Mutex};
    use std::time::Instant;

    use super::*;
    use crate::threads::{Failure, run};

    /// A link over which nothing comes: who waits is told of its end alone.
    #[derive(Default)]
    struct Silent {
        ended: Mutex<bool>,
        end: Condvar,
        broken: OnceLock<nonius_gpu::Error>,
    }

    impl Silent {
        fn wait(&self) {
            let ended = self.ended.lock().unwrap();
            drop(self.end.wait_while(ended, |ended| !*ended).unwrap());
        }
    }

    impl Breakable for Arc<Silent> {
        fn check(&self) -> Result<(), nonius_gpu::Error> {
            self.broken.get().map_or(Ok(()), |error| Err(error.clone()))
        }

        fn abort(&self) {
            *self.ended.lock().unwrap() = true;
            self.end.notify_all();
        }
    }

    /// Whoever waits for a rank that fails goes on, and learns which one and why.
    #[test]
    fn a_rank_that_fails_ends_the_wait_of_others() {
        let start = Instant::now();
        let outcome = run(3, |ranks| {
            let silent = Arc::new(Silent::default());
            let watched = Watched::new(Arc::clone(&silent), ranks).map_err(|e| e.to_string())?;
            if ranks.rank() == 1 {
                return Err("the power went off".to_owned());
            }
            assert_eq!(watched.check(), Ok(()));
            silent.wait();
            let sentence = watched.check().unwrap_err().to_string();
            assert!(sentence.ends_with("rank 1 failed: the power went off"), "{sentence}");
            let late = watched.call(|_| unreachable!("messages have ended"));
            assert_eq!(late.unwrap_err().to_string(), sentence);
            Err::<(), _>(sentence)
        });
        let error = "the power went off".to_owned();
        assert_eq!(outcome, Err(Failure::Rank { rank: 1, error }));
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    /// Who joins others waits for them, but not for one that fails instead.
    #[test]
    fn nobody_joins_a_rank_that_fails() {
        let outcome = run(3, |ranks| {
            if ranks.rank() == 2 {
                return Err("no memory".to_owned());
            }
            let silent = Arc::new(Silent::default());
            let wait = move || {
                silent.wait();
                Ok(())
            };
            let error = with_all_ranks(ranks, wait).unwrap_err().to_string();
            assert!(error.ends_with("rank 2 failed: no memory"), "{error}");
            Err::<(), _>(error)
        });
        assert_eq!(outcome, Err(Failure::Rank { rank: 2, error: "no memory".into() }));
        let ranks = Communicator::alone();
        assert_eq!(with_all_ranks(&ranks, || Ok(7)), Ok(7));
        let refused = || Err::<(), _>(failed(nonius_gpu::Error::NoDevice));
        assert_eq!(with_all_ranks(&ranks, refused), refused());
    }

    /// Links may fail before the news of the rank that is lost comes.
    #[test]
    fn failures_of_links_are_blamed_on_the_rank_that_is_lost() {
        let outcome = run(2, |ranks| {
            let watched = Watched::new(Arc::new(Silent::default()), ranks).unwrap();
            ranks.barrier().map_err(|error| error.to_string())?;
            if ranks.rank() == 1 {
                thread::sleep(5 * PULSE);
                return Err("no memory".to_owned());
            }
            let error = watched.call(|_| Err(nonius_gpu::Error::NoNccl)).unwrap_err();
            assert!(error.to_string().ends_with("rank 1 failed: no memory"), "{error}");
            Err::<(), _>(error.to_string())
        });
        assert_eq!(outcome, Err(Failure::Rank { rank: 1, error: "no memory".into() }));
    }

    /// A failure that no rank has is the link's own.
    #[test]
    fn links_that_break_by_themselves_say_so() {
        let silent = Arc::new(Silent::default());
        let watched = Watched::new(Arc::clone(&silent), &Communicator::alone()).unwrap();
        silent.broken.set(nonius_gpu::Error::NoNccl).unwrap();
        silent.wait();
        assert_eq!(watched.check(), Err(failed(nonius_gpu::Error::NoNccl)));
        let watched = Watched::new(Arc::new(Silent::default()), &Communicator::alone()).unwrap();
        let refused = watched.call(|_| Err(nonius_gpu::Error::NoDevice));
        assert_eq!(refused, Err(failed(nonius_gpu::Error::NoDevice)));
        assert_eq!(watched.check(), Ok(()));
    }
}
