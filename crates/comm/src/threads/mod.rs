//! Ranks as threads of this process.

pub(crate) mod group;
mod room;

use core::any::Any;
use core::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread::{self, ScopedJoinHandle};

use crate::{Communicator, Error};
use group::Group;
use room::Room;

/// Why a computation of several ranks failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure<E> {
    /// The first rank that failed, and its error.
    Rank {
        /// The rank.
        rank: usize,
        /// Its error.
        error: E,
    },
    /// The system did not start the threads.
    NotStarted(String),
}

/// Runs a function on so many ranks and returns their results in the order of the ranks. The first
/// rank is the caller's thread, and each of the others has a thread of its own.
///
/// Where a rank returns an error, the others' communication fails with [`Error::Lost`], and the
/// error of the first one is returned. A panic reaches the caller once all ranks have ended.
///
/// Panics where `ranks` is zero.
///
/// # Errors
/// [`Failure`].
pub fn run<R: Send, E: fmt::Display + Send>(
    ranks: usize,
    work: impl Fn(&Communicator) -> Result<R, E> + Sync,
) -> Result<Vec<R>, Failure<E>> {
    assert_ne!(ranks, 0, "ranks");
    let (first, others) = run_with(&work, vec![&work; ranks - 1])?;
    Ok([first].into_iter().chain(others).collect())
}

/// Runs functions on ranks: the first one on the caller's thread, which it need not leave, and each
/// of the others on a thread of its own. Returns what they return, as [`run`] does.
///
/// ```
/// use nonius_comm::{Communicator, Error, threads};
///
/// let mut heard = Vec::new();
/// let first = |ranks: &Communicator| {
///     let mut word = [0_u8];
///     ranks.receive(1, 0, &mut word)?;
///     heard.push(word[0]); // what is not shared by threads
///     Ok::<_, Error>("done")
/// };
/// let other = |ranks: &Communicator| ranks.send(0, 0, &[7_u8]);
/// assert_eq!(threads::run_with(first, vec![other])?, ("done", vec![()]));
/// assert_eq!(heard, [7]);
/// # Ok::<(), nonius_comm::threads::Failure<Error>>(())
/// ```
///
/// # Errors
/// [`Failure`].
pub fn run_with<R, S: Send, E: fmt::Display + Send>(
    first: impl FnOnce(&Communicator) -> Result<R, E>,
    others: Vec<impl FnOnce(&Communicator) -> Result<S, E> + Send>,
) -> Result<(R, Vec<S>), Failure<E>> {
    let room = &Arc::new(Room::new(1 + others.len()));
    let (first, others) = thread::scope(|scope| {
        let mut handles = Vec::with_capacity(others.len());
        for (rank, work) in (1..).zip(others) {
            let thread = thread::Builder::new().name(format!("rank-{rank}"));
            match thread.spawn_scoped(scope, move || of_rank(room, rank, work)) {
                Ok(handle) => handles.push(handle),
                Err(error) => {
                    room.end(rank, Some(error.to_string()));
                    return Err(Failure::NotStarted(error.to_string()));
                }
            }
        }
        let first = of_rank(room, 0, first);
        // A thread's panic was caught.
        let join = |handle: ScopedJoinHandle<'_, _>| handle.join().and_then(|outcome| outcome);
        Ok((first, handles.into_iter().map(join).collect::<Vec<_>>()))
    })?;
    let mut errors = Vec::new();
    let first = result(0, first, &mut errors);
    let others: Vec<Option<S>> =
        (1..).zip(others).map(|(rank, outcome)| result(rank, outcome, &mut errors)).collect();
    match first {
        Some(first) if errors.is_empty() => Ok((first, others.into_iter().flatten().collect())),
        _ => {
            let is_first = |(rank, _): &(usize, E)| room.failed() == Some(*rank);
            let at = errors.iter().position(is_first).unwrap_or(0);
            let (rank, error) = errors.swap_remove(at);
            Err(Failure::Rank { rank, error })
        }
    }
}

/// Does the work of a rank, and says how it has ended.
fn of_rank<R, E: fmt::Display>(
    room: &Arc<Room>,
    rank: usize,
    work: impl FnOnce(&Communicator) -> Result<R, E>,
) -> Outcome<R, E> {
    let communicator = Communicator::new(Arc::new(Group::world(Arc::clone(room), rank)));
    let outcome = catch_unwind(AssertUnwindSafe(|| work(&communicator)));
    match &outcome {
        Ok(Ok(_)) => room.end(rank, None),
        Ok(Err(error)) => room.end(rank, Some(error.to_string())),
        Err(panic) => room.end(rank, Some(words_of(panic.as_ref()))),
    }
    outcome
}

/// What a rank returns, or its panic.
type Outcome<R, E> = Result<Result<R, E>, Box<dyn Any + Send>>;

/// What a rank returns, unless that is an error.
fn result<R, E>(rank: usize, outcome: Outcome<R, E>, errors: &mut Vec<(usize, E)>) -> Option<R> {
    let found = outcome.unwrap_or_else(|panic| resume_unwind(panic));
    found.map_err(|error| errors.push((rank, error))).ok()
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic").into()
}

impl<E: fmt::Display> fmt::Display for Failure<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rank { rank, error } => write!(f, "rank {rank}: {error}"),
            Self::NotStarted(cause) => Error::NotStarted(cause.clone()).fmt(f),
        }
    }
}

impl<E: std::error::Error + 'static> std::error::Error for Failure<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Rank { error, .. } => Some(error),
            Self::NotStarted(_) => None,
        }
    }
}
