//! Matrices between host and device, where their limbs change from side by side to planes.
//!
//! The device does the change: raw numbers travel, and a kernel writes or reads the planes.

use nonius_linalg::{MatRef, Matrix, Scalar, limbs_of, limbs_of_mut};

use crate::device::{Device, Lent};
use crate::error::Error;
use crate::kernels::Source;
use crate::matrix::{DeviceMut, DeviceRef, Layout};
use crate::memory::{Buffer, bytes_of, bytes_of_mut};
use crate::module::{Argument, Kernel, Shape, argument};
use crate::stream::Stream;

/// How matrices travel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transfer {
    /// In one piece, the driver moving the host's ordinary memory.
    #[default]
    Synchronous,
    /// In pieces through locked memory and several streams: one piece is copied by the processor while another is on the
    /// bus and a third in a kernel.
    Asynchronous,
    /// Through locked memory that the kernels reach over the bus.
    Mapped,
}

/// Bytes of a piece.
const PIECE: usize = 8 << 20;
/// Pieces under way at the same time.
const PIECES: usize = 3;
/// Threads of a block.
const THREADS: u32 = 256;
/// Blocks at the most; threads take several numbers where there are more.
const BLOCKS: u64 = 1 << 16;

fn source(limbs: usize) -> Source {
    Source::new("convert", limbs, "convert.cu", &[])
}

/// Every module of this capability.
pub(crate) fn sources(limbs: usize) -> Vec<Source> {
    vec![source(limbs)]
}

/// One thread for each of `count` numbers' limbs.
fn shape(count: usize, limbs: usize) -> Shape {
    let blocks = (count as u64 * limbs as u64).div_ceil(u64::from(THREADS)).min(BLOCKS);
    Shape { grid: [blocks as u32, 1, 1], block: [THREADS, 1, 1], shared: 0 }
}

/// Writes a host matrix over a rectangle of the same shape.
pub(crate) fn upload<T: Scalar>(
    device: &Device,
    stream: &Stream,
    mode: Transfer,
    from: MatRef<'_, T>,
    to: DeviceMut<'_, T>,
) -> Result<(), Error> {
    assert_eq!(from.shape(), to.layout.shape(), "shape of an upload");
    if to.layout.is_empty() {
        return Ok(());
    }
    let gathered;
    let numbers = match from.as_contiguous() {
        Some(numbers) => numbers,
        None => {
            gathered = from.to_matrix();
            gathered.as_slice()
        }
    };
    let job = Job::new::<T>(device, stream, to.layout, c"to_planes")?;
    let limbs = limbs_of(numbers);
    match mode {
        Transfer::Synchronous => {
            let mut staging = Buffer::of_numbers(stream, Some(limbs.len()))?;
            // SAFETY: the driver has copied ordinary memory by the end of the call. Locked memory cannot be seen to be such
            // here; the stream is waited for below.
            unsafe { staging.write(stream, 0, bytes_of(limbs))? };
            job.launch(stream, staging.address(), 0, numbers.len())?;
            stream.synchronize()
        }
        Transfer::Mapped => {
            let mut staging = device.locked(limbs.len())?;
            staging.as_mut_slice()[..limbs.len()].copy_from_slice(limbs);
            job.launch(stream, staging.mapped(), 0, numbers.len())?;
            stream.synchronize()
        }
        Transfer::Asynchronous => {
            let mut lanes = Lanes::new::<T>(device, stream, numbers.len())?;
            for (index, piece) in limbs.chunks(lanes.piece * T::LIMBS).enumerate() {
                let first = index * lanes.piece;
                let lane = lanes.next(index)?;
                lane.pinned.as_mut_slice()[..piece.len()].copy_from_slice(piece);
                let bytes = &bytes_of(lane.pinned.as_slice())[..size_of_val(piece)];
                // SAFETY: the lane's locked memory is written again only after its stream was waited for, by `next`, and
                // freed only after `join`.
                unsafe { lane.staging.write(&lane.stream, 0, bytes)? };
                job.launch(&lane.stream, lane.staging.address(), first, piece.len() / T::LIMBS)?;
            }
            lanes.join(stream)
        }
    }
}

/// The entries of a rectangle.
pub(crate) fn download<T: Scalar>(
    device: &Device,
    stream: &Stream,
    mode: Transfer,
    from: DeviceRef<'_, T>,
) -> Result<Matrix<T>, Error> {
    let (rows, cols) = from.layout.shape();
    let mut matrix = Matrix::<T>::zeros(rows, cols);
    if from.layout.is_empty() {
        // What was queued before may have failed.
        return stream.synchronize().map(|()| matrix);
    }
    let count = rows * cols;
    let job = Job::new::<T>(device, stream, from.layout, c"from_planes")?;
    let limbs = limbs_of_mut(matrix.as_mut_slice());
    match mode {
        Transfer::Synchronous => {
            let staging = Buffer::of_numbers(stream, Some(limbs.len()))?;
            job.launch(stream, staging.address(), 0, count)?;
            // SAFETY: the stream is waited for before anyone looks; where waiting fails, nobody does.
            unsafe { staging.read(stream, 0, bytes_of_mut(limbs))? };
            stream.synchronize()?;
        }
        Transfer::Mapped => {
            let staging = device.locked(limbs.len())?;
            job.launch(stream, staging.mapped(), 0, count)?;
            stream.synchronize()?;
            limbs.copy_from_slice(&staging.as_slice()[..limbs.len()]);
        }
        Transfer::Asynchronous => {
            let mut lanes = Lanes::new::<T>(device, stream, count)?;
            let piece = lanes.piece * T::LIMBS;
            let pieces = limbs.len().div_ceil(piece);
            // A lane's piece is taken out when the lane is needed again, and after the last.
            for index in 0..pieces + PIECES {
                if let Some(done) = index.checked_sub(PIECES) {
                    let range = done * piece..limbs.len().min((done + 1) * piece);
                    if let Some(to) = limbs.get_mut(range) {
                        let lane = lanes.next(index)?;
                        to.copy_from_slice(&lane.pinned.as_slice()[..to.len()]);
                    }
                }
                if index < pieces {
                    let first = index * lanes.piece;
                    let numbers = lanes.piece.min(count - first);
                    let lane = lanes.next(index)?;
                    job.launch(&lane.stream, lane.staging.address(), first, numbers)?;
                    let bytes = numbers * T::LIMBS * size_of::<f64>();
                    let to = &mut bytes_of_mut(lane.pinned.as_mut_slice())[..bytes];
                    // SAFETY: the lane's stream is waited for before its memory is read, by `next`, or freed, by `join`.
                    unsafe { lane.staging.read(&lane.stream, 0, to)? };
                }
            }
            lanes.join(stream)?;
        }
    }
    Ok(matrix)
}

/// Copies a rectangle over another on the device.
pub(crate) fn copy<T: Scalar>(
    device: &Device,
    stream: &Stream,
    from: DeviceRef<'_, T>,
    to: DeviceMut<'_, T>,
) -> Result<(), Error> {
    assert_eq!(from.layout.shape(), to.layout.shape(), "shape of a copy");
    if to.layout.is_empty() {
        return Ok(());
    }
    let kernel = device.module(&source(T::LIMBS))?.kernel(c"copy")?;
    let (rows, cols) = to.layout.shape();
    let arguments = &mut [argument(&to.layout), argument(&from.layout)];
    // SAFETY: the kernel takes two views; both lie in matrices whose memory is freed in the order of the stream, and the
    // written one is borrowed mutably.
    unsafe { kernel.launch(stream, shape(rows * cols, T::LIMBS), arguments) }
}

/// The kernel that writes or reads the planes of one rectangle.
struct Job {
    kernel: Kernel,
    layout: Layout,
    limbs: usize,
}

impl Job {
    fn new<T: Scalar>(
        device: &Device,
        stream: &Stream,
        layout: Layout,
        name: &'static core::ffi::CStr,
    ) -> Result<Self, Error> {
        stream.context().bind()?;
        let kernel = device.module(&source(T::LIMBS))?.kernel(name)?;
        Ok(Self { kernel, layout, limbs: T::LIMBS })
    }

    /// For `count` numbers from number `first` on, which lie side by side from `address` on.
    fn launch(
        &self,
        stream: &Stream,
        address: u64,
        first: usize,
        count: usize,
    ) -> Result<(), Error> {
        let (first, numbers) = (first as i64, count as i64);
        let arguments: &mut [Argument<'_>] =
            &mut [argument(&self.layout), argument(&address), argument(&first), argument(&numbers)];
        // SAFETY: the kernels take a view, an address and two numbers; the callers give staging memory of `count` numbers that
        // lives until the stream is waited for or is freed in its order, and a rectangle that they have borrowed.
        unsafe { self.kernel.launch(stream, shape(count, self.limbs), arguments) }
    }
}

/// Streams with locked and device memory for a piece each.
struct Lanes {
    lanes: Vec<Lane>,
    /// Numbers of a piece.
    piece: usize,
}

struct Lane {
    // Dropped first, in the order of the stream.
    staging: Buffer,
    stream: Stream,
    pinned: Lent,
}

impl Lanes {
    /// For a matrix of so many numbers; their work waits for what is in `stream`.
    fn new<T: Scalar>(device: &Device, stream: &Stream, count: usize) -> Result<Self, Error> {
        let piece = (PIECE / (size_of::<f64>() * T::LIMBS)).min(count);
        let before = stream.record()?;
        let lane = |_| {
            let own = device.stream()?;
            own.wait(&before)?;
            let pinned = device.locked(PIECE / size_of::<f64>())?;
            let staging = Buffer::of_numbers(&own, Some(piece * T::LIMBS))?;
            Ok(Lane { staging, stream: own, pinned })
        };
        let lanes = (0..PIECES.min(count.div_ceil(piece))).map(lane).collect::<Result<_, _>>()?;
        Ok(Self { lanes, piece })
    }

    /// The lane of piece `index`, when it is done with the piece before.
    fn next(&mut self, index: usize) -> Result<&mut Lane, Error> {
        let turn = index % PIECES;
        let lane = &mut self.lanes[turn];
        lane.stream.synchronize()?;
        Ok(lane)
    }

    /// Lets `stream` go on when all lanes are done, and waits for that: their memory is free to go.
    fn join(self, stream: &Stream) -> Result<(), Error> {
        for lane in &self.lanes {
            stream.wait(&lane.stream.record()?)?;
            lane.stream.synchronize()?;
        }
        Ok(())
    }
}

impl Drop for Lanes {
    fn drop(&mut self) {
        for lane in &self.lanes {
            // After a failure: locked memory must not go while a copy is under way.
            let _ = lane.stream.synchronize();
        }
    }
}
