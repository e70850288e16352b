//! What the host reads of iterations on a device.

use std::sync::Arc;

use nonius_gpu::{Buffer, Error, bytes_of, bytes_of_mut};
use nonius_linalg::backend::Reading;

use crate::backend::Cuda;

/// Bytes before the rows (`Log` in `log.cuh`): whether it is met, the count of rows, the limit.
const HEADER: usize = 24;
/// Rows that there is room for; when they are used up, the host reads them.
const ROWS: usize = 256;

/// Rows of numbers that the device writes.
#[derive(Debug)]
pub struct CudaLog {
    /// `None` where there was a failure.
    buffer: Option<Arc<Buffer>>,
    pub(super) columns: usize,
    /// Rows that were asked for since the device's count was read.
    queued: usize,
    rows: Vec<Reading>,
    /// Whether the host has looked at the rows.
    seen: bool,
}

impl CudaLog {
    pub(super) fn new(cuda: &Cuda, columns: usize, limit: Reading) -> Self {
        let buffer = cuda.attempt(|| {
            let mut buffer = Buffer::new(cuda.stream(), HEADER + 16 * columns * ROWS)?;
            let header = [0, limit.significand.to_bits(), limit.exponent as u64];
            // SAFETY: not locked memory.
            unsafe { buffer.write(cuda.stream(), 0, bytes_of(&header))? };
            Ok(Arc::new(buffer))
        });
        Self { buffer, columns, queued: 0, rows: Vec::new(), seen: false }
    }

    /// The device's part.
    pub(super) fn buffer(&self) -> Option<&Arc<Buffer>> {
        self.buffer.as_ref()
    }

    /// Makes room for one more row.
    pub(super) fn expect_row(&mut self, cuda: &Cuda) -> Result<(), Error> {
        if self.queued == ROWS {
            self.read(cuda)?;
        }
        self.queued += 1;
        Ok(())
    }

    /// Waits for the device and takes its rows.
    pub(super) fn read(&mut self, cuda: &Cuda) -> Result<(), Error> {
        if self.seen {
            self.rows.clear();
            self.seen = false;
        }
        let Some(buffer) = &self.buffer else { return Ok(()) };
        let mut words = vec![0_u64; HEADER / 8 + 2 * self.columns * self.queued];
        // SAFETY: `words` is looked at when the stream has been waited for.
        unsafe { buffer.read(cuda.stream(), 0, bytes_of_mut(&mut words))? };
        cuda.stream().synchronize()?;
        // The count is the upper half of the first word.
        let count = ((words[0] >> 32) as usize).min(self.queued);
        let readings = words[HEADER / 8..].chunks_exact(2).take(count * self.columns);
        self.rows.extend(readings.map(|pair| Reading {
            significand: f64::from_bits(pair[0]),
            exponent: pair[1] as i64,
        }));
        buffer.clear_range(cuda.stream(), 4, 4)?;
        self.queued = 0;
        Ok(())
    }

    /// The rows that were read since the host looked.
    pub(super) fn look(&mut self) -> &[Reading] {
        self.seen = true;
        &self.rows
    }
}
