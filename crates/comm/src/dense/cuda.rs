//! Memory of GPUs: from one's to another's by NCCL, or through their hosts.

// Copies between devices and hosts.
#![allow(unsafe_code)]

use core::ops::Range;
use std::collections::HashSet;
use std::sync::Arc;

use nonius_cuda::{Cuda, DeviceMatrix, DeviceMut, DeviceRef, HeldColumns, QueuedWay};
use nonius_gpu::nccl::{self, Key, Links};
use nonius_gpu::{Buffer, Stream, bytes_of, bytes_of_mut};
use nonius_linalg::Error;
use nonius_linalg::backend::View;
use nonius_linalg::dense::gemm::{self, Report, Whole};
use nonius_linalg::dense::{Transpose, Triangle};

use super::cargo::Cargo;
use super::carry::{Carry, Link, Queue, TAG, Wire, lost};
use super::piece::Piece;
use super::watch::{Watched, failed, with_all_ranks};
use crate::item::zeros;
use crate::{Communicator, Reduction};

/// What carries memory from one GPU to another.
#[derive(Clone, Debug)]
pub struct CudaWire(Way);

#[derive(Clone, Debug)]
pub(crate) enum Way {
    /// NCCL: every rank has a GPU of its own.
    Direct(Arc<Watched<Links>>),
    /// Copies through the hosts.
    ByHost(Communicator),
}

impl CudaWire {
    /// How it does.
    pub(crate) fn way(&self) -> &Way {
        &self.0
    }

    /// Queues messages to and from other ranks, which call this in the same order with messages of
    /// the same lengths: whole buffers of the stream's device.
    ///
    /// # Errors
    /// [`Error::Device`]: a rank is lost, or the device.
    pub fn exchange<'a>(
        &self,
        stream: &Stream,
        sends: impl IntoIterator<Item = (usize, &'a Buffer)>,
        receives: impl IntoIterator<Item = (usize, &'a mut Buffer)>,
    ) -> Result<(), Error> {
        let ranks = match &self.0 {
            Way::Direct(links) => {
                return links.call(|links| links.exchange(stream, sends, receives));
            }
            Way::ByHost(ranks) => ranks,
        };
        for (to, buffer) in sends {
            let mut bytes = zeros(buffer.bytes()).map_err(lost)?;
            // SAFETY: looked at when the stream has been waited for.
            unsafe { buffer.read(stream, 0, &mut bytes) }.map_err(failed)?;
            stream.synchronize().map_err(failed)?;
            ranks.send::<u8>(to, TAG, &bytes).map_err(lost)?;
        }
        for (from, buffer) in receives {
            let mut bytes = zeros(buffer.bytes()).map_err(lost)?;
            ranks.receive::<u8>(from, TAG, &mut bytes).map_err(lost)?;
            // SAFETY: not locked memory.
            unsafe { buffer.write(stream, 0, &bytes) }.map_err(failed)?;
        }
        Ok(())
    }
}

impl CudaWire {
    /// Replaces words of a buffer by the greatest that any rank has in their places, in the order
    /// of the stream. All ranks call it in the same order. Says why where ranks are lost.
    fn greatest(
        &self,
        stream: &Stream,
        buffer: &mut Buffer,
        words: Range<usize>,
        why: &mut Option<Error>,
    ) -> Result<(), nonius_gpu::Error> {
        let ranks = match &self.0 {
            Way::Direct(links) => {
                *why = links.call(|links| links.greatest_words(stream, buffer, words)).err();
                return Ok(());
            }
            Way::ByHost(ranks) => ranks,
        };
        let (mut all, first) = (vec![0_u64; words.len()], words.start * size_of::<u64>());
        // SAFETY: looked at when the stream has been waited for.
        unsafe { buffer.read(stream, first, bytes_of_mut(&mut all)) }?;
        stream.synchronize()?;
        *why = ranks.all_reduce(Reduction::Greatest, &mut all).map_err(lost).err();
        // SAFETY: not locked memory.
        unsafe { buffer.write(stream, first, bytes_of(&all)) }
    }
}

impl Wire for CudaWire {
    fn check(&self) -> Result<(), Error> {
        match &self.0 {
            Way::Direct(links) => links.check(),
            Way::ByHost(ranks) => ranks.check(),
        }
    }
}

impl Link for Cuda {
    type Wire = CudaWire;

    /// A message takes as long as the arithmetic of many columns.
    const CHOLESKY_COLUMNS: usize = 512;
    const LU_COLUMNS: usize = 512;
    const IN_PARTS: bool = true;

    /// By NCCL, unless a rank lacks it or two ranks have one GPU. Where NCCL fails, the rank does:
    /// others may wait for it there.
    fn connect(&self, ranks: &Communicator) -> Result<CudaWire, Error> {
        let all = |mine: bool| ranks.agree(mine).map_err(lost);
        let by_host = CudaWire(Way::ByHost(ranks.clone()));
        if ranks.size() == 1 || !all(nccl::version().is_some())? {
            return Ok(by_host);
        }
        // NCCL would wait for ever for ranks that it refuses for having one GPU.
        let mine = self.device().identity();
        let others = ranks.all_gather_lists(mine.as_ref().unwrap_or(&[0; 16])).map_err(lost)?;
        let distinct: HashSet<_> = others.iter().collect();
        if !all(mine.is_ok() && distinct.len() == ranks.size())? {
            return Ok(by_host);
        }
        let mut key = [0; Key::BYTES];
        let made = if ranks.rank() == 0 { Key::new().map(Some) } else { Ok(None) };
        if let Ok(Some(made)) = &made {
            key = made.bytes();
        }
        ranks.broadcast(0, &mut key).map_err(lost)?;
        if !all(made.is_ok())? {
            return Ok(by_host);
        }
        let (device, key) = (self.device().clone(), Key::from_bytes(key));
        let (rank, size) = (ranks.rank(), ranks.size());
        let join = move || Links::join(&device, key, rank, size).map_err(failed);
        let links = Watched::new(with_all_ranks(ranks, join)?, ranks)?;
        Ok(CudaWire(Way::Direct(Arc::new(links))))
    }

    /// In two streams.
    fn beside<R, S>(&self, first: impl FnOnce() -> R, second: impl FnOnce() -> S) -> (R, S) {
        Cuda::beside(self, first, second)
    }
}

impl<T: Cargo> Carry<T> for Cuda {
    fn exchange(
        &self,
        wire: &CudaWire,
        from: DeviceRef<'_, T>,
        given: &[Piece],
        to: &mut DeviceMatrix<T>,
        taken: &[Piece],
    ) -> Result<(), Error> {
        let (stream, format) = (self.stream(), from.format());
        let given: Vec<_> = given.iter().map(|one| (one.rank(), one.read(self, from))).collect();
        let room = |piece: &Piece| {
            let (rows, cols) = piece.shape();
            DeviceMatrix::new_in(stream, format, rows, cols)
        };
        let mut found: Vec<DeviceMatrix<T>> =
            self.fetch(|| taken.iter().map(room).collect::<Result<_, _>>())?;
        let sends = given.iter().map(|(to, matrix)| (*to, matrix.buffer()));
        let receives = taken.iter().zip(&mut found);
        let receives = receives.map(|(piece, matrix)| (piece.rank(), matrix.buffer_mut()));
        wire.exchange(stream, sends, receives)?;
        taken.iter().zip(&found).for_each(|(piece, message)| piece.write(self, message, to));
        Ok(())
    }
}

impl<T: Cargo> Queue<T> for Cuda {
    type Way = QueuedWay;
    type Held = HeldColumns;

    fn hold(&self, whole: &Whole<'_>, b: (Transpose, DeviceRef<'_, T>)) -> Option<HeldColumns> {
        self.hold_columns(whole, b)
    }

    fn gemm_by_held(
        &self,
        way: gemm::Way,
        held: Option<&HeldColumns>,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: DeviceRef<'_, T>,
        b: DeviceRef<'_, T>,
        beta: T,
        c: DeviceMut<'_, T>,
    ) -> Report {
        self.gemm_by_held(way, held, transpose_a, transpose_b, alpha, a, b, beta, c)
    }

    fn queued_way(
        &self,
        wire: &CudaWire,
        whole: &Whole<'_>,
        a: (Transpose, DeviceRef<'_, T>),
        b: (Transpose, DeviceRef<'_, T>),
    ) -> Result<QueuedWay, Error> {
        let mut why = None;
        let mut join =
            |buffer: &mut Buffer, words| wire.greatest(self.stream(), buffer, words, &mut why);
        let way = self.queued_way(whole, a, b, &mut join)?;
        why.map_or(Ok(way), Err)
    }

    fn known(way: &QueuedWay) -> Option<gemm::Way> {
        way.known()
    }

    fn queue_gemm_by(
        &self,
        way: &QueuedWay,
        held: Option<&HeldColumns>,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: DeviceRef<'_, T>,
        b: DeviceRef<'_, T>,
        beta: T,
        c: DeviceMut<'_, T>,
    ) {
        self.queue_gemm_by(way, held, transpose_a, transpose_b, alpha, a, b, beta, c);
    }

    fn queue_syrk_by(
        &self,
        way: &QueuedWay,
        triangle: Triangle,
        transpose: Transpose,
        alpha: T,
        a: DeviceRef<'_, T>,
        beta: T,
        c: DeviceMut<'_, T>,
    ) {
        self.queue_syrk_by(way, triangle, transpose, alpha, a, beta, c);
    }
}
