//! Ranks as threads of this process.

pub(crate) mod group;
mod room;

use core::any::Any;
use core::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread;

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

/// Runs a function on so many ranks, a thread each, and returns their results in the order of the
/// ranks.
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
    let room = Arc::new(Room::new(ranks));
    let of_rank = |rank| {
        let communicator = Communicator::new(Arc::new(Group::world(Arc::clone(&room), rank)));
        let outcome = catch_unwind(AssertUnwindSafe(|| work(&communicator)));
        match &outcome {
            Ok(Ok(_)) => room.end(rank, None),
            Ok(Err(error)) => room.end(rank, Some(error.to_string())),
            Err(panic) => room.end(rank, Some(words_of(panic.as_ref()))),
        }
        outcome
    };
    let outcomes = thread::scope(|scope| {
        let mut handles = Vec::with_capacity(ranks);
        for rank in 0..ranks {
            let started = thread::Builder::new()
                .name(format!("rank-{rank}"))
                .spawn_scoped(scope, move || of_rank(rank));
            match started {
                Ok(handle) => handles.push(handle),
                Err(error) => {
                    room.end(rank, Some(error.to_string()));
                    return Err(Failure::NotStarted(error.to_string()));
                }
            }
        }
        // A thread's panic was caught.
        Ok(handles.into_iter().map(|handle| handle.join().and_then(|outcome| outcome)).collect())
    })?;
    results(outcomes, room.failed())
}

type Outcome<R, E> = Result<Result<R, E>, Box<dyn Any + Send>>;

/// The results, or what the rank that failed first returned.
fn results<R, E>(
    outcomes: Vec<Outcome<R, E>>,
    failed: Option<usize>,
) -> Result<Vec<R>, Failure<E>> {
    let mut found = Vec::with_capacity(outcomes.len());
    let mut first = None;
    for (rank, outcome) in outcomes.into_iter().enumerate() {
        match outcome {
            Ok(Ok(result)) => found.push(result),
            Ok(Err(error)) if failed == Some(rank) => first = Some(Failure::Rank { rank, error }),
            Ok(Err(_)) => {}
            Err(panic) => resume_unwind(panic),
        }
    }
    first.map_or(Ok(found), Err)
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
