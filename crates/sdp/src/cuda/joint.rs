//! What ranks decide together while they form their columns of the Schur complement.

use std::sync::OnceLock;

use nonius_comm::{Communicator, Error, Reduction};

/// The ranks that form columns together.
#[derive(Debug)]
pub(super) struct Joint {
    ranks: Communicator,
    failure: OnceLock<Error>,
}

impl Joint {
    pub(super) fn new(ranks: &Communicator) -> Self {
        Self { ranks: ranks.clone(), failure: OnceLock::new() }
    }

    /// Replaces numbers by the greatest that any rank has in their places; a failure is kept.
    pub(super) fn greatest(&self, numbers: &mut [f64]) {
        if let Err(error) = self.ranks.all_reduce(Reduction::Greatest, numbers) {
            self.failure.get_or_init(|| error);
        }
    }

    /// What failed, if anything did.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.failure.get().map_or(Ok(()), |error| Err(error.clone()))
    }
}
