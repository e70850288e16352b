//! The ranks that share rows, and what has failed.

use core::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use nonius_linalg::{DeviceFailure, Error};

use super::rows::Rows;
use crate::Communicator;
use crate::dense::{Link, Wire};

/// Ranks, their rows, and what carries vectors, a `W`.
#[derive(Clone, Debug)]
pub(super) struct Team<W> {
    pub(super) ranks: Communicator,
    pub(super) rows: Rows,
    pub(super) wire: W,
    /// The first thing that failed: nothing is done from then on.
    failure: Arc<Mutex<Option<Error>>>,
}

impl<W: Wire> Team<W> {
    /// The ranks with these backends, which call this together.
    ///
    /// Panics where the rows are those of more or fewer ranks.
    pub(super) fn new<B: Link<Wire = W>>(
        ranks: &Communicator,
        rows: Rows,
        device: &B,
    ) -> Result<Self, Error> {
        assert_eq!(rows.ranks(), ranks.size(), "ranks");
        let wire = device.connect(ranks)?;
        Ok(Self { ranks: ranks.clone(), rows, wire, failure: Arc::default() })
    }

    /// The rows of this rank.
    pub(super) fn own(&self) -> Range<usize> {
        self.rows.of(self.ranks.rank())
    }

    /// How many rows each rank has.
    pub(super) fn counts(&self) -> Vec<usize> {
        (0..self.ranks.size()).map(|rank| self.rows.of(rank).len()).collect()
    }

    /// `Ok` while nothing has failed, else what failed first.
    pub(super) fn check(&self) -> Result<(), Error> {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone();
        failure.map_or_else(|| self.wire.check(), Err)
    }

    /// Says that this rank has failed; by another one, where that is lost.
    pub(super) fn fail(&self, error: Error) {
        let error = self.wire.check().err().unwrap_or(error);
        self.ranks.fail(&error.to_string());
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.get_or_insert(error);
    }
}

/// A failure of the ranks among those of devices.
pub(super) fn lost(error: crate::Error) -> Error {
    Error::Device(DeviceFailure::new(error))
}
