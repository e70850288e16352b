//! The ranks that share rows, and what has failed.

use core::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use nonius_linalg::{DeviceFailure, Error};

use super::rows::Rows;
use crate::Communicator;
use crate::item::zeros;

/// Ranks and their rows.
#[derive(Clone, Debug)]
pub(super) struct Team {
    pub(super) ranks: Communicator,
    pub(super) rows: Rows,
    /// The first thing that failed: nothing is done from then on.
    failure: Arc<Mutex<Option<Error>>>,
}

impl Team {
    /// Panics where the rows are those of more or fewer ranks.
    pub(super) fn new(ranks: &Communicator, rows: Rows) -> Self {
        assert_eq!(rows.ranks(), ranks.size(), "ranks");
        Self { ranks: ranks.clone(), rows, failure: Arc::default() }
    }

    /// The rows of this rank.
    pub(super) fn own(&self) -> Range<usize> {
        self.rows.of(self.ranks.rank())
    }

    /// `Ok` while nothing has failed, else what failed first.
    pub(super) fn check(&self) -> Result<(), Error> {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone();
        failure.map_or(Ok(()), Err)
    }

    /// Says that this rank has failed.
    pub(super) fn fail(&self, error: Error) {
        self.ranks.fail(&error.to_string());
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.get_or_insert(error);
    }

    /// The words of all ranks, one rank after the other, of which a rank gives `length(rank)`.
    pub(super) fn all_gather(
        &self,
        mut mine: Vec<u64>,
        length: impl Fn(usize) -> usize,
    ) -> Result<Vec<u64>, Error> {
        let size = self.ranks.size();
        let most = (0..size).map(&length).max().unwrap_or(0);
        if most == 0 {
            return Ok(Vec::new());
        }
        mine.resize(most, 0);
        let mut all = zeros(size * most).map_err(lost)?;
        self.ranks.all_gather(&mine, &mut all).map_err(lost)?;
        let mut end = 0;
        for rank in 0..size {
            // What ranks gave moves together.
            all.copy_within(rank * most..rank * most + length(rank), end);
            end += length(rank);
        }
        all.truncate(end);
        Ok(all)
    }
}

/// A failure of the ranks among those of devices.
pub(super) fn lost(error: crate::Error) -> Error {
    Error::Device(DeviceFailure::new(error))
}
