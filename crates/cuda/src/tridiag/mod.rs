//! Batches of tridiagonal systems on a device, with the bits of
//! [`nonius_linalg::reference::tridiag`].
//!
//! Numbers lie in planes of limbs, or of words, in the order of the batch. The hybrid method reads
//! and writes every number once: a thread has a chunk of rows in registers, threads that share a
//! system exchange an equation for each chunk. Cyclic reduction is that of the paper of 2012.
//! Thomas's method and pivoting take a thread for each system, and memory beside.
//!
//! A [`DeviceBatch`] lies in the device's memory, a [`PinnedBatch`] in locked memory of the host,
//! from which it is solved [in three ways](Transfer).

mod arguments;
mod batch;
#[cfg(test)]
mod blocks;
mod generate;
mod number;
mod queue;
mod ring;
mod solution;
mod travel;

use nonius_gpu::Source;
use nonius_linalg::tridiag::{Batch, Method, Options, Report, settle};
use nonius_linalg::{Error as LinalgError, SliceMut};

use crate::backend::Cuda;
use crate::kind::Kind;
use crate::transfer::Transfer;

pub use batch::{DeviceBatch, PinnedBatch};
pub use generate::Generator;
pub use number::DeviceNumber;

use batch::Extent;
use solution::{MOST_ROWS, queue_view, read_failures};

/// Most unknowns of a system that cyclic reduction takes: threads of a block.
const MOST_BY_PCR: usize = 1024;

/// Every module for such numbers that usual sizes take.
pub(crate) fn sources(kind: Kind) -> Vec<Source> {
    queue::sources(kind).into_iter().chain([ring::source(kind)]).collect()
}

fn method(options: &Options, extent: &Extent) -> Result<Method, LinalgError> {
    let (method, found) = (options.resolved(Method::Hybrid)?, extent.size);
    if found >= MOST_ROWS {
        return Err(LinalgError::TooLarge { rows: found, cols: extent.systems });
    }
    if options.periodic && found < 3 {
        let what = "a periodic tridiagonal system";
        return Err(LinalgError::TooSmall { what, least: 3, found });
    }
    if method == Method::Pcr && found > MOST_BY_PCR {
        return Err(LinalgError::TooLargeForMethod { method, most: MOST_BY_PCR, found });
    }
    Ok(method)
}

impl Cuda {
    /// Solves all systems of a batch in the device's memory; their unknowns take the place of those
    /// before. Returns when they are there.
    ///
    /// Systems beyond the range of the numbers stay as the method left them: [`settle`] solves them
    /// again on the host.
    ///
    /// # Errors
    /// As [`tridiag::solve`](nonius_linalg::tridiag::solve); [`LinalgError::TooLargeForMethod`] for
    /// cyclic reduction of more than 1024 unknowns; [`LinalgError::Device`].
    pub fn solve_tridiagonal<T: DeviceNumber>(
        &self,
        batch: &mut DeviceBatch<T>,
        options: &Options,
    ) -> Result<Report, LinalgError> {
        let method = self.queue_tridiagonal(batch, options)?;
        let failures =
            self.fetch(|| read_failures(self, batch.faults(), batch.extent().systems))?;
        Ok(Report { method, failures })
    }

    /// The same without waiting for it, and without a report. Returns the method.
    ///
    /// # Errors
    /// As there; a failure of the device is kept for whoever waits.
    pub fn queue_tridiagonal<T: DeviceNumber>(
        &self,
        batch: &mut DeviceBatch<T>,
        options: &Options,
    ) -> Result<Method, LinalgError> {
        let method = method(options, batch.extent())?;
        self.attempt(|| {
            batch.clear_faults(options)?;
            queue_view(self, self.stream(), &batch.view(), method, options)
        });
        Ok(method)
    }

    /// Solves all systems of a batch in the host's memory.
    ///
    /// # Errors
    /// As [`solve_tridiagonal`](Self::solve_tridiagonal), and [`LinalgError::Shape`].
    pub fn tridiagonal<'x, T: DeviceNumber>(
        &self,
        batch: &Batch<'_, T>,
        options: &Options,
        x: impl Into<SliceMut<'x, T>>,
    ) -> Result<Report, LinalgError> {
        let mut x = x.into();
        LinalgError::check_length("x", batch.right().len(), x.len())?;
        let mut pinned = self.fetch(|| PinnedBatch::of(self, batch))?;
        let mut report = self.solve_pinned(&mut pinned, options, self.transfer())?;
        pinned.unknowns(x.reborrow());
        report.failures = settle(batch, options, x, &report.failures)?;
        Ok(report)
    }

    /// Solves all systems of a batch in locked memory, but for what [`settle`] does afterwards.
    ///
    /// # Errors
    /// As [`solve_tridiagonal`](Self::solve_tridiagonal).
    pub fn solve_pinned<T: DeviceNumber>(
        &self,
        batch: &mut PinnedBatch<T>,
        options: &Options,
        transfer: Transfer,
    ) -> Result<Report, LinalgError> {
        let method = method(options, batch.extent())?;
        let failures = self.fetch(|| match transfer {
            Transfer::Synchronous => travel::at_once(self, batch, method, options),
            Transfer::Asynchronous => travel::in_pieces(self, batch, method, options),
            Transfer::Mapped => travel::mapped(self, batch, method, options),
        })?;
        Ok(Report { method, failures })
    }
}
