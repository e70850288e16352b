//! Processes that a launcher of MPI has started.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

use nonius_comm::launch::Launch;
use nonius_comm::{Communicator, Error};

use crate::here::{Here, at};

/// This process's part in a run, until it is dropped: a rank among others where a launcher of MPI
/// has started several processes, a single one elsewhere. Without a launcher, MPI is not touched.
#[derive(Debug)]
pub struct Session {
    // Dropped before MPI is closed.
    here: Option<Here>,
    /// What ranks tell each other of their ends, beside messages of tasks.
    ends: Communicator,
    #[cfg(feature = "mpi")]
    mpi: Option<Joined>,
}

/// Why the processes of a launcher are no ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotJoined {
    /// There are several, and this program was built without the feature `mpi`.
    WithoutMpi {
        /// How many.
        processes: usize,
        /// This one among them, where that is known.
        rank: Option<usize>,
    },
    /// There are several, of which MPI has joined one: it was started by another MPI's launcher.
    Apart {
        /// How many.
        processes: usize,
        /// This one among them, where that is known.
        rank: Option<usize>,
    },
    /// MPI fails.
    Failed(Error),
}

impl Session {
    /// Joins the other processes, where there are some. A process joins once.
    ///
    /// # Errors
    /// [`NotJoined`].
    pub fn start() -> Result<Self, NotJoined> {
        match Launch::of_this_process() {
            None => Ok(Self::alone()),
            Some(launch) => Self::join(launch),
        }
    }

    fn alone() -> Self {
        Self {
            here: None,
            ends: Communicator::alone(),
            #[cfg(feature = "mpi")]
            mpi: None,
        }
    }

    #[cfg(not(feature = "mpi"))]
    fn join(launch: Launch) -> Result<Self, NotJoined> {
        Self::without_mpi(launch)
    }

    /// What a program without MPI is: a single process.
    #[cfg(any(test, not(feature = "mpi")))]
    fn without_mpi(launch: Launch) -> Result<Self, NotJoined> {
        match launch.size {
            Some(processes) if processes > 1 => {
                Err(NotJoined::WithoutMpi { processes, rank: launch.rank })
            }
            _ => Ok(Self::alone()),
        }
    }

    #[cfg(feature = "mpi")]
    fn join(launch: Launch) -> Result<Self, NotJoined> {
        let session = nonius_comm::mpi::Session::start().map_err(NotJoined::Failed)?;
        let ranks = session.communicator().clone();
        if let (1, Some(processes @ 2..)) = (ranks.size(), launch.size) {
            return Err(NotJoined::Apart { processes, rank: launch.rank });
        }
        let ends = ranks.split(0).map_err(NotJoined::Failed)?;
        let here = if ranks.size() > 1 { Some(Here::of(ranks)?) } else { None };
        Ok(Self { here, ends, mpi: Some(Joined(session)) })
    }

    /// This one among the ranks, and how many there are.
    pub fn rank(&self) -> (usize, usize) {
        (self.ends.rank(), self.ends.size())
    }

    /// Does this rank's work.
    pub fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        at(self.here.clone(), work)
    }

    /// Tells all ranks how this one has ended, and waits until all have: what each has said, in the
    /// order of the ranks. `None` where they have not within `patience`, some of them perhaps
    /// because they wait for this one.
    ///
    /// # Errors
    /// [`Error::Lost`], [`Error::NoMemory`].
    pub fn end(&self, said: &[u8], patience: Duration) -> Result<Option<Vec<Vec<u8>>>, Error> {
        let (send, receive) = sync_channel(1);
        let (ends, said) = (self.ends.clone(), said.to_vec());
        let all = move || {
            let found = ends.all_gather_lists(&said);
            // MPI may be closed once it has been sent.
            drop(ends);
            // Who has no patience is not there.
            let _ = send.send(found);
        };
        let started = thread::Builder::new().name("end".into()).spawn(all);
        started.map_err(|error| Error::NotStarted(error.to_string()))?;
        receive.recv_timeout(patience).ok().transpose()
    }

    /// What the first rank says.
    ///
    /// # Errors
    /// [`Error::Lost`].
    pub fn first_says(&self, word: u8) -> Result<u8, Error> {
        let mut word = [word];
        self.ends.broadcast(0, &mut word)?;
        Ok(word[0])
    }

    /// Ends the processes of all ranks at once, with this exit status.
    pub fn abort(self, exit_status: u8) -> ! {
        #[cfg(feature = "mpi")]
        if let Some(Joined(session)) = self.mpi {
            session.abort(exit_status.into());
        }
        std::process::exit(exit_status.into())
    }
}

/// MPI, joined.
#[cfg(feature = "mpi")]
struct Joined(nonius_comm::mpi::Session);

#[cfg(feature = "mpi")]
impl fmt::Debug for Joined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.communicator().fmt(f)
    }
}

/// The library of MPI and its version; `None` where this program was built without.
pub fn library() -> Option<String> {
    #[cfg(feature = "mpi")]
    return Some(nonius_comm::mpi::Session::library());
    #[cfg(not(feature = "mpi"))]
    None
}

#[cfg_attr(not(feature = "mpi"), expect(dead_code, reason = "only processes share cores so"))]
impl Here {
    /// This rank among those of its host. Ranks that may run on the same cores share these.
    fn of(ranks: Communicator) -> Result<Self, NotJoined> {
        let shared = || {
            let host = ranks.on_host()?;
            let mine = cores();
            let others = host.all_gather_lists(mine.as_bytes())?;
            let same = others.iter().filter(|cores| **cores == mine.as_bytes()).count();
            Ok((host.rank(), same))
        };
        let (place, same) = shared().map_err(NotJoined::Failed)?;
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = NonZeroUsize::new(cores / same.max(1)).unwrap_or(NonZeroUsize::MIN);
        Ok(Self { ranks, place, threads })
    }
}

/// The cores that this process may run on, which a launcher may have chosen for it; nothing where
/// the system does not tell.
fn cores() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("Cpus_allowed_list"));
    line.unwrap_or_default().to_owned()
}

impl NotJoined {
    /// Whether this process is the one that says it: the first, or each where that is not known.
    pub fn is_said_here(&self) -> bool {
        match self {
            Self::WithoutMpi { rank, .. } | Self::Apart { rank, .. } => rank.is_none_or(|r| r == 0),
            Self::Failed(_) => true,
        }
    }
}

impl fmt::Display for NotJoined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WithoutMpi { processes, .. } => write!(
                f,
                "{processes} processes were started, and this program is built without MPI: start one, or build it with the feature mpi"
            ),
            Self::Apart { processes, .. } => write!(
                f,
                "{processes} processes were started, and MPI has joined none of them: start them with the mpirun of the MPI that this program is built with, or with srun --mpi=pmix"
            ),
            Self::Failed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NotJoined {}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program without MPI does not do the work of one process several times.
    #[test]
    fn several_processes_need_mpi() {
        let started = |size, rank| Session::without_mpi(Launch { size, rank });
        for (rank, is_said) in [(Some(0), true), (Some(2), false), (None, true)] {
            let refused = started(Some(4), rank).unwrap_err();
            assert_eq!(refused.is_said_here(), is_said);
            assert!(refused.to_string().starts_with("4 processes were started"), "{refused}");
        }
        for size in [None, Some(1)] {
            assert_eq!(started(size, Some(0)).unwrap().rank(), (0, 1));
        }
    }
}
