//! Packed factors.

use std::sync::OnceLock;

use super::trsm::RIGHTS;
use crate::backend::{Cpu, Memory, Schedule};
use crate::{Error, MatRef, Matrix, Number};

/// Triangles of one square matrix, in a backend's memory and, where the host [solves systems with
/// few right-hand sides](Schedule::for_few), from the first of them on in the host's.
#[derive(Clone, Debug)]
pub(crate) struct Packed<T: Number, M> {
    pub(crate) matrix: M,
    /// Whether nothing above the diagonal is a factor's.
    is_lower: bool,
    on_host: OnceLock<Matrix<T>>,
}

impl<T: Number, M> Packed<T, M> {
    pub(crate) fn new(matrix: M) -> Self {
        Self { matrix, is_lower: false, on_host: OnceLock::new() }
    }

    /// Of one lower triangle.
    pub(crate) fn lower(matrix: M) -> Self {
        Self { is_lower: true, ..Self::new(matrix) }
    }

    /// The host and the factors in its memory, where that solves systems with so many right-hand
    /// sides.
    ///
    /// # Errors
    /// [`Error::Device`] where the backend failed.
    pub(crate) fn for_rights(
        &self,
        backend: &(impl Memory<T, Matrix = M> + Schedule),
        rights: usize,
    ) -> Result<Option<(Cpu, MatRef<'_, T>)>, Error> {
        let Some(host) = backend.for_few().filter(|_| rights < RIGHTS) else { return Ok(None) };
        if self.on_host.get().is_none() {
            let matrix = backend.view(&self.matrix);
            let found = if self.is_lower {
                backend.download_lower(matrix)?
            } else {
                backend.download(matrix)?
            };
            // Whoever was first has the same.
            let _ = self.on_host.set(found);
        }
        Ok(self.on_host.get().map(|factors| (host, factors.view())))
    }
}
