//! Ranks that share tasks: threads of this process, or processes under MPI.
//!
//! A computation on several ranks is one function that each of them runs, with the same arguments.
//! Tasks within it share their work out, and every rank gets the whole result, with the bits of one
//! device. [`run`] starts ranks as threads. Where a launcher of MPI has started the processes of a
//! program that is built with the feature `mpi`, a [`Session`] makes them ranks.
//!
//! On several ranks these tasks share their work: products, systems, inverses, iterations,
//! tridiagonal batches, prices, implied volatilities, semidefinite programs and solids. All others
//! are refused.
//!
//! [`Device::Auto`](crate::Device::Auto) is the CPU there. With
//! [`Device::CudaAll`](crate::Device::CudaAll) the ranks of a host take its GPUs in turn. Where
//! there are no ranks, such a task has a thread for each GPU by itself. Whoever observes the task
//! hears of it on the caller's thread.

mod session;

use std::fmt;

pub use nonius_comm::Communicator;
use nonius_comm::threads;
pub use nonius_comm::threads::Failure;

use crate::here::{Here, at, here};
use crate::threads::{of_rank, share};

pub use self::session::{NotJoined, Session, library};
/// The version of NCCL, by which GPUs of ranks send each other messages; `None` where its library
/// is not there, and messages go over the hosts.
pub use nonius_gpu::nccl::version as nccl;

/// The ranks that share tasks, seen from this one: a single one where there are no others.
pub fn current() -> Communicator {
    here().map_or_else(Communicator::alone, |here| here.ranks)
}

/// Does work that is not shared: tasks within it are those of this rank alone.
pub fn alone<R>(work: impl FnOnce() -> R) -> R {
    at(None, work)
}

/// Runs a function on so many ranks, which share the threads of this one, and returns their results
/// in the order of the ranks.
///
/// ```
/// use nonius::prelude::*;
/// use nonius::ranks;
///
/// let a = Matrix::from_fn(100, 100, |i, j| Qd::ONE / (i + j + 1) as f64);
/// let inverse = || Inverse::new(&a).device(Device::Cpu).run();
/// let (one, _) = inverse()?;
/// for (shared, _) in ranks::run(2, inverse).map_err(|failure| failure.to_string())? {
///     assert_eq!(shared, one); // to the last bit
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Panics where `count` is zero.
///
/// # Errors
/// [`Failure`]: the first rank that failed, or that threads could not be started.
pub fn run<R: Send, E: fmt::Display + Send>(
    count: usize,
    work: impl Fn() -> Result<R, E> + Sync,
) -> Result<Vec<R>, Failure<E>> {
    let share = share(count);
    let found = threads::run(count, |ranks| {
        let here = Here { ranks: ranks.clone(), place: ranks.rank(), threads: share };
        of_rank(Some(here), None, &work).map_err(OfRank::Threads)?.map_err(OfRank::Work)
    });
    found.map_err(|failure| match failure {
        Failure::Rank { rank, error: OfRank::Work(error) } => Failure::Rank { rank, error },
        Failure::Rank { error: OfRank::Threads(error), .. } => {
            Failure::NotStarted(error.to_string())
        }
        Failure::NotStarted(cause) => Failure::NotStarted(cause),
    })
}

/// Why a rank has no result.
enum OfRank<E> {
    Work(E),
    Threads(crate::threads::Error),
}

impl<E: fmt::Display> fmt::Display for OfRank<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Work(error) => error.fmt(f),
            Self::Threads(error) => error.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Threads of a pool work for the rank that has started them, and nobody else does.
    #[test]
    fn threads_know_their_rank() {
        let found = run(3, || {
            let ranks = current();
            let of_pool = rayon::broadcast(|_| current().rank());
            assert!(of_pool.iter().all(|&rank| rank == ranks.rank()));
            assert_eq!(crate::threads::inside(|| current().size()), 3);
            assert_eq!(alone(|| current().size()), 1);
            Ok::<_, String>((ranks.rank(), ranks.size()))
        });
        assert_eq!(found, Ok(vec![(0, 3), (1, 3), (2, 3)]));
        assert_eq!((current().rank(), current().size()), (0, 1));
    }

    #[test]
    fn the_first_failure_is_told() {
        let failed = || if current().rank() == 1 { Err("why") } else { Ok(()) };
        assert_eq!(run(2, failed), Err(Failure::Rank { rank: 1, error: "why" }));
    }
}
