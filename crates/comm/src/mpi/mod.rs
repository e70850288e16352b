//! Ranks as processes, which MPI starts and joins: `mpirun -n 4 program`.
//!
//! Where a process dies, `mpirun` ends the others and names it; a rank that fails with an error
//! says so and calls [`Session::abort`].

// Handles of MPI are pointers of a foreign library.
#![allow(unsafe_code)]

mod group;
mod sends;

use std::sync::Arc;

use mpi::environment::Universe;
use mpi::topology::Communicator as _;
use mpi::{Threading, initialize_with_threading};

use crate::{Communicator, Error};
use group::Group;

/// This process's part in a run under MPI, until it is dropped. Communicators must not be used
/// after that.
pub struct Session {
    communicator: Communicator,
    // Dropped last: it waits for the others, then closes MPI.
    universe: Universe,
}

impl Session {
    /// Joins the other processes. A process joins once.
    ///
    /// # Errors
    /// [`Error::NotStarted`] where this process has joined before, or where MPI does not let
    /// several threads communicate.
    pub fn start() -> Result<Self, Error> {
        let refused = |cause: &str| Error::NotStarted(cause.into());
        let (universe, threading) = initialize_with_threading(Threading::Multiple)
            .ok_or_else(|| refused("this process has started MPI before"))?;
        if threading != Threading::Multiple {
            return Err(refused("this MPI lets one thread alone communicate"));
        }
        let communicator = Communicator::new(Arc::new(Group::new(universe.world())));
        Ok(Self { communicator, universe })
    }

    /// All ranks.
    pub fn communicator(&self) -> &Communicator {
        &self.communicator
    }

    /// The library's name and version.
    pub fn library() -> String {
        mpi::environment::library_version().unwrap_or_else(|_| "MPI".into())
    }

    /// Ends the processes of all ranks, this one's with the exit status `code`.
    pub fn abort(self, code: i32) -> ! {
        self.universe.world().abort(code)
    }
}
