//! Batches in locked memory, solved on a device: the three ways of the paper of 2012.

use nonius_gpu::{Buffer, Error, Rectangle, Stream, copy_rectangle, count_received, count_sent};
use nonius_linalg::tridiag::{Failure, Method, Options, Order};

use super::batch::{ARRAYS, DeviceBatch, Extent, PinnedBatch, UNKNOWNS, View};
use super::number::DeviceNumber;
use super::solution::{queue_view, read_failures};
use crate::backend::Cuda;

/// Pieces that are under way at the same time.
const STREAMS: usize = 3;
/// Bytes of a piece, about: the bus is busy with one while kernels have another.
const PIECE_BYTES: usize = 8 << 20;

/// All arrays there, all systems solved, all unknowns back.
pub(super) fn at_once<T: DeviceNumber>(
    cuda: &Cuda,
    batch: &mut PinnedBatch<T>,
    method: Method,
    options: &Options,
) -> Result<Vec<Failure>, Error> {
    let (extent, stream) = (*batch.extent(), cuda.stream());
    let mut there =
        DeviceBatch::<T>::new(cuda, batch.format(), (extent.systems, extent.size), extent.order)?;
    there.clear_faults(options)?;
    let unknowns = UNKNOWNS * extent.array();
    // SAFETY: the locked memory is borrowed until the stream has been waited for.
    unsafe { there.arrays_mut().write(stream, 0, &batch.bytes()[..unknowns])? };
    queue_view(cuda, stream, &there.view(), method, options)?;
    // SAFETY: as above.
    unsafe { there.arrays().read(stream, unknowns, &mut batch.bytes_mut()[unknowns..])? };
    read_failures(cuda, there.faults(), extent.systems)
}

/// Kernels read and write the host's memory over the bus.
pub(super) fn mapped<T: DeviceNumber>(
    cuda: &Cuda,
    batch: &mut PinnedBatch<T>,
    method: Method,
    options: &Options,
) -> Result<Vec<Failure>, Error> {
    let systems = batch.extent().systems;
    let mut faults = Buffer::new(cuda.stream(), 4 * systems)?;
    faults.clear()?;
    queue_view(cuda, cuda.stream(), &batch.view(faults.address()), method, options)?;
    read_failures(cuda, &faults, systems)
}

/// Some systems at a time, in several streams: their copies and kernels overlap.
pub(super) fn in_pieces<T: DeviceNumber>(
    cuda: &Cuda,
    batch: &mut PinnedBatch<T>,
    method: Method,
    options: &Options,
) -> Result<Vec<Failure>, Error> {
    let extent = *batch.extent();
    let one = (ARRAYS * extent.planes() * extent.size * extent.word()).max(1);
    let systems = (PIECE_BYTES / one).clamp(1, extent.systems.max(1));
    let mut faults = Buffer::new(cuda.stream(), 4 * extent.systems)?;
    faults.clear()?;
    // What came before in the backend's stream is done before pieces begin.
    cuda.stream().synchronize()?;
    let host = batch.view(0);
    let mut lanes = Vec::new();
    for _ in 0..STREAMS {
        let stream = cuda.device().stream()?;
        let piece = Extent { systems, ..extent };
        let arrays = Buffer::new(&stream, ARRAYS * piece.array())?;
        lanes.push((stream, arrays));
    }
    let mut outcome = Ok(());
    for (index, first) in (0..extent.systems).step_by(systems).enumerate() {
        let piece = Extent { systems: systems.min(extent.systems - first), ..extent };
        let (stream, arrays) = &lanes[index % STREAMS];
        let there = View::new(piece, arrays.address(), faults.address() + 4 * first as u64);
        let all = (0..UNKNOWNS).map(|k| copy_array(stream, first, (&host, &there), k, true));
        outcome = all
            .collect::<Result<(), Error>>()
            .and_then(|()| queue_view(cuda, stream, &there, method, options))
            .and_then(|()| copy_array(stream, first, (&host, &there), UNKNOWNS, false));
        if outcome.is_err() {
            break;
        }
    }
    // Nobody returns while copies are under way.
    for (stream, ..) in &lanes {
        outcome = stream.synchronize().and(outcome);
    }
    outcome.and_then(|()| read_failures(cuda, &faults, extent.systems))
}

/// Copies array `k` of systems from `first` on between the host and a piece of them.
fn copy_array(
    stream: &Stream,
    first: usize,
    (host, piece): (&View, &View),
    k: usize,
    to_device: bool,
) -> Result<(), Error> {
    let (all, some, word) = (&host.extent, &piece.extent, host.extent.word());
    for l in 0..all.planes() {
        let plane = |extent: &Extent| (l * extent.plane() * word) as u64;
        let [_, system] = all.strides();
        let there = host.arrays[k] + plane(all) + (first * system * word) as u64;
        let here = piece.arrays[k] + plane(some);
        let (width, rows, pitch) = match all.order {
            Order::Contiguous => (some.count(), 1, some.count()),
            Order::Interleaved => (some.systems, some.size, all.systems),
        };
        let host = (there, pitch * word);
        let device = (here, width * word);
        let (from, to) = if to_device { (host, device) } else { (device, host) };
        let rectangle = Rectangle { from, to, width: width * word, rows };
        if to_device {
            count_sent(rectangle.width * rows);
        } else {
            count_received(rectangle.width * rows);
        }
        // SAFETY: the caller's batches have these rows and live until the stream has come so far.
        unsafe { copy_rectangle(stream, &rectangle)? };
    }
    Ok(())
}
