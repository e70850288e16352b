//! The ranks of a backend, and what has failed.

use std::sync::{Arc, Mutex, PoisonError};

use nonius_linalg::Error;

use super::carry::{Link, Wire, lost};
use super::grid::Grid;

/// Ranks, each with a device of its own, as one backend: see the [module](super).
#[derive(Clone, Debug)]
pub struct Ranks<B: Link> {
    pub(super) grid: Grid,
    pub(super) local: B,
    pub(super) wire: B::Wire,
    /// The first thing that failed: nothing is done from then on.
    failure: Arc<Mutex<Option<Error>>>,
}

impl<B: Link> Ranks<B> {
    /// The ranks of a grid, which call this together; this one computes with `local`.
    ///
    /// # Errors
    /// [`Error::Device`]: a rank is lost.
    pub fn new(grid: Grid, local: B) -> Result<Self, Error> {
        let wire = local.connect(grid.ranks())?;
        Ok(Self { grid, local, wire, failure: Arc::default() })
    }

    /// The ranks in rows and columns.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// What this rank computes with.
    pub fn local(&self) -> &B {
        &self.local
    }

    /// The same ranks, which keep one failure, in other rows and columns.
    pub(super) fn with_grid(&self, grid: Grid) -> Self {
        Self { grid, ..self.clone() }
    }

    /// The same ranks, which keep one failure, with another way of this one to compute.
    pub(super) fn with_local(&self, local: B) -> Self {
        Self { local, ..self.clone() }
    }

    /// What failed first.
    fn failure(&self) -> Option<Error> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether something holds on every rank.
    ///
    /// # Errors
    /// [`Error::Device`]: a rank is lost.
    pub fn agree(&self, here: bool) -> Result<bool, Error> {
        self.grid.ranks().agree(here).map_err(lost)
    }

    /// Does something, unless something has failed; the others learn of a failure.
    ///
    /// # Errors
    /// That of the work, or the one before.
    pub fn attempt<R>(&self, work: impl FnOnce() -> Result<R, Error>) -> Result<R, Error> {
        if let Some(failure) = self.failure() {
            return Err(failure);
        }
        let found = work();
        // What a device finds, or meets, where another rank is lost is that rank's failure.
        self.wire.check().and(found).inspect_err(|error| {
            self.grid.ranks().fail(&error.to_string());
            let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            *failure = Some(error.clone());
        })
    }

    /// [`attempt`](Self::attempt) of what has no result: whoever fetches one learns of a failure.
    pub fn queue(&self, work: impl FnOnce() -> Result<(), Error>) {
        // It is kept.
        let _ = self.attempt(work);
    }
}
