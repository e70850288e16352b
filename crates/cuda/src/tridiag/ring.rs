//! Periodic systems: by systems that are not, as [`nonius_linalg::tridiag::ring`] has it, or with
//! row exchanges.

use nonius_gpu::{Buffer, Entry, Error, Shape, Source, Stream, copy};
use nonius_linalg::tridiag::Method;

use super::arguments::{Array, Band, Closing, Opening};
use super::batch::{UNKNOWNS, View};
use super::queue;
use crate::backend::Cuda;
use crate::kind::Kind;

/// Threads of a block.
const THREADS: usize = 128;

const OPEN: Entry<Opening> = Entry::new(c"open");
const CLOSE: Entry<Closing> = Entry::new(c"close");
const PIVOTED: Entry<Band> = Entry::new(c"pivoted");

pub(super) fn source(kind: Kind) -> Source {
    kind.module("tridiag-ring", "tridiag/ring.cu").entry(OPEN).entry(CLOSE).entry(PIVOTED)
}

fn shape(threads: usize) -> Shape {
    Shape {
        grid: [threads.div_ceil(THREADS) as u32, 1, 1],
        block: [THREADS as u32, 1, 1],
        shared: 0,
    }
}

/// Queues elimination with row exchanges on periodic systems, a thread for each.
pub(super) fn pivoted(cuda: &Cuda, stream: &Stream, view: &View) -> Result<(), Error> {
    let extent = &view.extent;
    let kernel = cuda.device().module(&source(extent.kind))?.kernel(PIVOTED)?;
    let above = Buffer::new(stream, 4 * extent.array())?;
    let stride = (extent.array() / extent.word()) as i64;
    let arguments = Band { batch: view.batch(), above: Array::of(&above), stride };
    // SAFETY: a batch of three equations or more, and four arrays as large as its own, `stride`
    // words apart.
    unsafe { kernel.launch(stream, shape(extent.systems), &arguments) }
}

/// Queues a method without row exchanges on periodic systems.
pub(super) fn solve(
    cuda: &Cuda,
    stream: &Stream,
    view: &View,
    method: Method,
) -> Result<(), Error> {
    let extent = &view.extent;
    let kernels = cuda.device().module(&source(extent.kind))?;
    let array = || Buffer::new(stream, extent.array());
    let (diagonal, mut corner, correction) = (array()?, array()?, array()?);
    corner.clear()?;
    // SAFETY: two arrays of this size, which live until the stream has come so far.
    unsafe { copy(stream, view.arrays[1], diagonal.address(), extent.array())? };
    let [lower, _, upper, right, x] = view.arrays;
    let batch = view.batch();
    let arguments = Opening { batch, diagonal: Array::of(&diagonal), corner: Array::of(&corner) };
    // SAFETY: a batch of three equations or more, and two arrays as large as its own.
    unsafe { kernels.kernel(OPEN)?.launch(stream, shape(extent.systems), &arguments)? };
    let mut open = View { arrays: [lower, diagonal.address(), upper, right, x], ..*view };
    queue::solve(cuda, stream, &open, method, false)?;
    (open.arrays[UNKNOWNS - 1], open.arrays[UNKNOWNS]) = (corner.address(), correction.address());
    open.faults = 0;
    queue::solve(cuda, stream, &open, method, false)?;
    let arguments = Closing { batch, correction: Array::of(&correction) };
    // SAFETY: as above.
    unsafe { kernels.kernel(CLOSE)?.launch(stream, shape(32 * extent.systems), &arguments) }
}
