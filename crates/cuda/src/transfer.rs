//! Matrices between host and device, where their limbs change from side by side to planes.
//!
//! The device does the change: raw numbers travel, and a kernel writes or reads the planes.

use core::ops::Range;

use nonius_linalg::{MatRef, Matrix, Scalar, limbs_of, limbs_of_mut};

use crate::device::Device;
use crate::error::Error;
use crate::host;
use crate::kernels::Source;
use crate::lanes::{LANES, Lane, Lanes};
use crate::matrix::{DeviceMut, DeviceRef, Layout};
use crate::memory::{Buffer, bytes_of, bytes_of_mut};
use crate::module::{Argument, Kernel, Shape, argument};
use crate::stream::Stream;

/// How matrices travel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transfer {
    /// In one piece, the driver moving the host's ordinary memory.
    Synchronous,
    /// In pieces through locked memory and several streams: the threads of the current pool copy one piece while others are
    /// on the bus and in a kernel.
    #[default]
    Asynchronous,
    /// In pieces through locked memory that the kernels reach over the bus.
    Mapped,
}

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
    // Without gaps one long column does as well.
    let from = from.as_contiguous().map_or(from, MatRef::from_column);
    let count = from.rows() * from.cols();
    let job = Job::new::<T>(device, stream, to.layout, c"to_planes")?;
    if mode == Transfer::Synchronous {
        let gathered;
        let limbs = match from.as_contiguous() {
            Some(numbers) => limbs_of(numbers),
            None => {
                gathered = from.to_matrix();
                limbs_of(gathered.as_slice())
            }
        };
        let mut staging = Buffer::of_numbers(stream, Some(limbs.len()))?;
        // SAFETY: the driver has copied ordinary memory by the end of the call. Locked memory cannot be seen to be such
        // here; the stream is waited for below.
        unsafe { staging.write(stream, 0, bytes_of(limbs))? };
        job.launch(stream, staging.address(), 0, count)?;
        return stream.synchronize();
    }
    let mut lanes = Lanes::new::<T>(device, stream, count)?;
    host::in_pool(lanes.pieces() > 1, || {
        for index in 0..lanes.pieces() {
            let Range { start, end } = lanes.numbers(index);
            let lane = lanes.idle(index)?;
            let limbs = (end - start) * T::LIMBS;
            host::gather(lane.limbs_mut(limbs), from, start);
            if mode != Transfer::Mapped {
                // SAFETY: the lane's memory is written again only when the lane is idle.
                unsafe { lane.send(limbs)? };
            }
            job.launch(lane.stream(), seen_by_kernel(lane, mode), start, end - start)?;
        }
        lanes.join(stream)
    })
}

/// The entries of a rectangle.
pub(crate) fn download<T: Scalar>(
    device: &Device,
    stream: &Stream,
    mode: Transfer,
    from: DeviceRef<'_, T>,
) -> Result<Matrix<T>, Error> {
    let (rows, cols) = from.layout.shape();
    if from.layout.is_empty() {
        // What was queued before may have failed.
        return stream.synchronize().map(|()| Matrix::zeros(rows, cols));
    }
    let count = rows * cols;
    let job = Job::new::<T>(device, stream, from.layout, c"from_planes")?;
    let numbers = if mode == Transfer::Synchronous {
        let mut numbers = host::zeros::<T>(count)?;
        let limbs = limbs_of_mut(&mut numbers);
        let staging = Buffer::of_numbers(stream, Some(limbs.len()))?;
        job.launch(stream, staging.address(), 0, count)?;
        // SAFETY: the stream is waited for before anyone looks; where waiting fails, nobody does.
        unsafe { staging.read(stream, 0, bytes_of_mut(limbs))? };
        stream.synchronize()?;
        numbers
    } else {
        let lanes = Lanes::new::<T>(device, stream, count)?;
        host::in_pool(lanes.pieces() > 1, || download_in_pieces(lanes, stream, mode, &job, count))?
    };
    Ok(Matrix::from_columns(rows, cols, numbers).expect("as many numbers as entries"))
}

/// All `count` numbers, through lanes.
fn download_in_pieces<T: Scalar>(
    mut lanes: Lanes<'_>,
    stream: &Stream,
    mode: Transfer,
    job: &Job,
    count: usize,
) -> Result<Vec<T>, Error> {
    let queue = |lanes: &mut Lanes<'_>, index: usize| {
        let Range { start, end } = lanes.numbers(index);
        let lane = lanes.idle(index)?;
        job.launch(lane.stream(), seen_by_kernel(lane, mode), start, end - start)?;
        if mode != Transfer::Mapped {
            // SAFETY: the lane's memory is looked at only when the lane is idle.
            unsafe { lane.fetch((end - start) * T::LIMBS)? };
        }
        Ok(())
    };
    let pieces = lanes.pieces();
    for index in 0..pieces.min(LANES) {
        queue(&mut lanes, index)?;
    }
    let mut numbers = host::reserve::<T>(count)?;
    let room = host::limbs_of_room(&mut numbers.spare_capacity_mut()[..count]);
    host::touch(room);
    for index in 0..pieces {
        let Range { start, end } = lanes.numbers(index);
        let to = &mut room[start * T::LIMBS..end * T::LIMBS];
        host::fill(to, lanes.idle(index)?.limbs(to.len()));
        if index + LANES < pieces {
            queue(&mut lanes, index + LANES)?;
        }
    }
    lanes.join(stream)?;
    // SAFETY: the capacity is `count` at least, and the pieces, each filled, make up all of it.
    unsafe { numbers.set_len(count) };
    Ok(numbers)
}

/// Where kernels find a lane's numbers.
fn seen_by_kernel(lane: &Lane, mode: Transfer) -> u64 {
    if mode == Transfer::Mapped { lane.mapped() } else { lane.staging() }
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
