//! Ways that pieces of a matrix take at the same time: each a stream with locked memory of the host
//! and memory of the device.

use core::mem::ManuallyDrop;
use core::ops::{Deref, DerefMut, Range};
use std::sync::{Arc, Mutex, PoisonError};

use crate::context::Context;
use crate::error::Error;
use crate::memory::{Buffer, Pinned};
use crate::plain::{bytes_of, bytes_of_mut};
use crate::stream::{Stream, Urgency};

/// Bytes of a piece: on the bus for a multiple of what queueing it takes.
pub const PIECE_BYTES: usize = 2 << 20;
/// Pieces of one matrix under way at the same time: one that the processor copies, two on the bus
/// or in a kernel, and one more for a processor that is late.
pub const LANES: usize = 4;
/// Lanes that a pool keeps while nobody uses them: making one takes longer than most transfers.
const MOST_IDLE_LANES: usize = 32;

/// A stream with memory for one piece on both sides.
#[derive(Debug)]
pub struct Lane {
    staging: Buffer,
    pinned: Pinned,
    stream: Stream,
}

impl Lane {
    /// With memory of its own.
    fn new(context: &Arc<Context>) -> Result<Self, Error> {
        let stream = Stream::new(context, Urgency::Usual)?;
        let pinned = Pinned::zeros(context, PIECE_BYTES / size_of::<f64>())?;
        let staging = Buffer::new(&stream, PIECE_BYTES)?;
        Ok(Self { staging, pinned, stream })
    }

    /// Its stream.
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// The locked memory.
    pub fn limbs(&self, count: usize) -> &[f64] {
        &self.pinned.as_slice()[..count]
    }

    /// The locked memory, to be filled.
    pub fn limbs_mut(&mut self, count: usize) -> &mut [f64] {
        &mut self.pinned.as_mut_slice()[..count]
    }

    /// The locked memory, to be filled by work queued in the stream.
    pub fn room(&mut self, count: usize) -> (&mut [f64], &Stream) {
        (&mut self.pinned.as_mut_slice()[..count], &self.stream)
    }

    /// Where a kernel reaches the locked memory itself.
    pub fn mapped(&self) -> u64 {
        self.pinned.mapped()
    }

    /// The memory on the device.
    pub fn staging(&self) -> u64 {
        self.staging.address()
    }

    /// Queues a copy of that many limbs from locked memory to the device's.
    ///
    /// # Safety
    /// The locked memory stays as it is until the stream has come so far.
    pub unsafe fn send(&mut self, count: usize) -> Result<(), Error> {
        let bytes = bytes_of(&self.pinned.as_slice()[..count]);
        // SAFETY: the caller's promise.
        unsafe { self.staging.write(&self.stream, 0, bytes) }
    }

    /// Queues a copy of that many limbs from the device's memory to locked memory.
    ///
    /// # Safety
    /// Nobody looks at the locked memory until the stream has come so far.
    pub unsafe fn fetch(&mut self, count: usize) -> Result<(), Error> {
        let bytes = bytes_of_mut(&mut self.pinned.as_mut_slice()[..count]);
        // SAFETY: the caller's promise; the memory lives as long as the lane, which waits for its
        // stream before it goes.
        unsafe { self.staging.read(&self.stream, 0, bytes) }
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        // Locked memory must not go while a copy is under way.
        let _ = self.stream.synchronize();
    }
}

/// Lanes of a device that are idle.
#[derive(Debug)]
pub struct LanePool {
    context: Arc<Context>,
    idle: Mutex<Vec<Lane>>,
}

impl LanePool {
    pub(crate) fn new(context: &Arc<Context>) -> Self {
        Self { context: Arc::clone(context), idle: Mutex::default() }
    }

    /// A lane for a transfer, which comes back at the end of the lease.
    ///
    /// # Errors
    /// Where there is no idle lane and no memory for another.
    pub fn lease(&self) -> Result<LaneLease<'_>, Error> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let lane = idle.map_or_else(|| Lane::new(&self.context), Ok)?;
        Ok(LaneLease { pool: self, lane: ManuallyDrop::new(lane) })
    }

    /// Takes a lane that is idle, for transfers to come.
    fn keep(&self, lane: Lane) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MOST_IDLE_LANES {
            idle.push(lane);
        }
    }
}

/// A lane out of a pool, to which it returns when its work is done.
#[derive(Debug)]
pub struct LaneLease<'a> {
    pool: &'a LanePool,
    lane: ManuallyDrop<Lane>,
}

impl Deref for LaneLease<'_> {
    type Target = Lane;

    fn deref(&self) -> &Lane {
        &self.lane
    }
}

impl DerefMut for LaneLease<'_> {
    fn deref_mut(&mut self) -> &mut Lane {
        &mut self.lane
    }
}

impl Drop for LaneLease<'_> {
    fn drop(&mut self) {
        // SAFETY: nobody uses it after this.
        let lane = unsafe { ManuallyDrop::take(&mut self.lane) };
        // Where that fails, so would the next transfer.
        if lane.stream.synchronize().is_ok() {
            self.pool.keep(lane);
        }
    }
}

/// The lanes of one transfer; piece `k` takes lane `k mod LANES`.
#[derive(Debug)]
pub struct Lanes<'a> {
    lanes: Vec<LaneLease<'a>>,
    /// Numbers of the array and of a piece.
    count: usize,
    piece: usize,
}

impl<'a> Lanes<'a> {
    /// Lanes for an array of `count` numbers. Their work waits for what is in `stream`.
    ///
    /// # Errors
    /// As [`LanePool::lease`].
    pub fn new(pool: &'a LanePool, stream: &Stream, count: usize) -> Result<Self, Error> {
        let piece = PIECE_BYTES / size_of::<f64>();
        let mut lanes = Self { lanes: Vec::new(), count, piece };
        let before = stream.record()?;
        for _ in 0..LANES.min(lanes.pieces()) {
            let lane = pool.lease()?;
            lane.stream.wait(&before)?;
            lanes.lanes.push(lane);
        }
        Ok(lanes)
    }

    /// How many pieces there are.
    pub fn pieces(&self) -> usize {
        self.count.div_ceil(self.piece)
    }

    /// The numbers of a piece.
    pub fn numbers(&self, index: usize) -> Range<usize> {
        let first = index * self.piece;
        first..self.count.min(first + self.piece)
    }

    /// The lane of a piece, when it is done with all that was queued there.
    pub fn idle(&mut self, index: usize) -> Result<&mut Lane, Error> {
        let lane = &mut self.lanes[index % LANES];
        lane.stream.synchronize()?;
        Ok(lane)
    }

    /// Lets `stream` go on when all lanes are done, and waits for that.
    pub fn join(self, stream: &Stream) -> Result<(), Error> {
        for lane in &self.lanes {
            stream.wait(&lane.stream.record()?)?;
            lane.stream.synchronize()?;
        }
        Ok(())
    }
}
