//! Ways that pieces of a matrix take at the same time: each a stream with locked memory of the host and memory of the device.

use core::mem::ManuallyDrop;
use core::ops::{Deref, DerefMut, Range};

use nonius_linalg::Scalar;

use crate::device::Device;
use crate::error::Error;
use crate::memory::{Buffer, Pinned, bytes_of, bytes_of_mut};
use crate::stream::Stream;

/// Bytes of a piece: on the bus for a multiple of what queueing it takes.
pub(crate) const PIECE: usize = 2 << 20;
/// Pieces of one matrix under way at the same time: one that the processor copies, two on the bus or in a kernel, and one
/// more for a processor that is late.
pub(crate) const LANES: usize = 4;
/// Lanes that a device keeps while nobody uses them: making one takes longer than most transfers.
pub(crate) const KEPT: usize = 32;

/// A stream with memory for one piece on both sides.
#[derive(Debug)]
pub(crate) struct Lane {
    staging: Buffer,
    pinned: Pinned,
    stream: Stream,
}

impl Lane {
    /// With memory of its own.
    pub(crate) fn new(device: &Device) -> Result<Self, Error> {
        let stream = device.stream()?;
        let pinned = Pinned::zeros(device.context(), PIECE / size_of::<f64>())?;
        let staging = Buffer::new(&stream, PIECE)?;
        Ok(Self { staging, pinned, stream })
    }

    pub(crate) fn stream(&self) -> &Stream {
        &self.stream
    }

    /// The locked memory.
    pub(crate) fn limbs(&self, count: usize) -> &[f64] {
        &self.pinned.as_slice()[..count]
    }

    /// The locked memory, to be filled.
    pub(crate) fn limbs_mut(&mut self, count: usize) -> &mut [f64] {
        &mut self.pinned.as_mut_slice()[..count]
    }

    /// The locked memory, to be filled by work queued in the stream.
    pub(crate) fn room(&mut self, count: usize) -> (&mut [f64], &Stream) {
        (&mut self.pinned.as_mut_slice()[..count], &self.stream)
    }

    /// Where a kernel reaches the locked memory itself.
    pub(crate) fn mapped(&self) -> u64 {
        self.pinned.mapped()
    }

    /// The memory on the device.
    pub(crate) fn staging(&self) -> u64 {
        self.staging.address()
    }

    /// Queues a copy of that many limbs from locked memory to the device's.
    ///
    /// # Safety
    /// The locked memory stays as it is until the stream has come so far.
    pub(crate) unsafe fn send(&mut self, count: usize) -> Result<(), Error> {
        let bytes = bytes_of(&self.pinned.as_slice()[..count]);
        // SAFETY: the caller's promise.
        unsafe { self.staging.write(&self.stream, 0, bytes) }
    }

    /// Queues a copy of that many limbs from the device's memory to locked memory.
    ///
    /// # Safety
    /// Nobody looks at the locked memory until the stream has come so far.
    pub(crate) unsafe fn fetch(&mut self, count: usize) -> Result<(), Error> {
        let bytes = bytes_of_mut(&mut self.pinned.as_mut_slice()[..count]);
        // SAFETY: the caller's promise; the memory lives as long as the lane, which waits for its stream before it goes.
        unsafe { self.staging.read(&self.stream, 0, bytes) }
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        // Locked memory must not go while a copy is under way.
        let _ = self.stream.synchronize();
    }
}

/// A lane lent by a device, which takes it back when it is idle.
#[derive(Debug)]
pub(crate) struct Lent<'a> {
    device: &'a Device,
    lane: ManuallyDrop<Lane>,
}

impl<'a> Lent<'a> {
    pub(crate) fn new(device: &'a Device, lane: Lane) -> Self {
        Self { device, lane: ManuallyDrop::new(lane) }
    }
}

impl Deref for Lent<'_> {
    type Target = Lane;

    fn deref(&self) -> &Lane {
        &self.lane
    }
}

impl DerefMut for Lent<'_> {
    fn deref_mut(&mut self) -> &mut Lane {
        &mut self.lane
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        // SAFETY: nobody uses it after this.
        let lane = unsafe { ManuallyDrop::take(&mut self.lane) };
        // Where that fails, so would the next transfer.
        if lane.stream.synchronize().is_ok() {
            self.device.keep(lane);
        }
    }
}

/// The lanes of one transfer; piece `k` takes lane `k mod LANES`.
#[derive(Debug)]
pub(crate) struct Lanes<'a> {
    lanes: Vec<Lent<'a>>,
    /// Numbers of a matrix and of a piece.
    count: usize,
    piece: usize,
}

impl<'a> Lanes<'a> {
    /// For a matrix of so many numbers; their work waits for what is in `stream`.
    pub(crate) fn new<T: Scalar>(
        device: &'a Device,
        stream: &Stream,
        count: usize,
    ) -> Result<Self, Error> {
        let piece = PIECE / (size_of::<f64>() * T::LIMBS);
        let mut lanes = Self { lanes: Vec::new(), count, piece };
        let before = stream.record()?;
        for _ in 0..LANES.min(lanes.pieces()) {
            let lane = device.lane()?;
            lane.stream.wait(&before)?;
            lanes.lanes.push(lane);
        }
        Ok(lanes)
    }

    /// How many pieces there are.
    pub(crate) fn pieces(&self) -> usize {
        self.count.div_ceil(self.piece)
    }

    /// The numbers of a piece.
    pub(crate) fn numbers(&self, index: usize) -> Range<usize> {
        let first = index * self.piece;
        first..self.count.min(first + self.piece)
    }

    /// The lane of a piece, when it is done with all that was queued there.
    pub(crate) fn idle(&mut self, index: usize) -> Result<&mut Lane, Error> {
        let lane = &mut self.lanes[index % LANES];
        lane.stream.synchronize()?;
        Ok(lane)
    }

    /// Lets `stream` go on when all lanes are done, and waits for that.
    pub(crate) fn join(self, stream: &Stream) -> Result<(), Error> {
        for lane in &self.lanes {
            stream.wait(&lane.stream.record()?)?;
            lane.stream.synchronize()?;
        }
        Ok(())
    }
}
