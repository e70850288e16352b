//! Kernels that solve the systems of a batch.

use nonius_gpu::{Buffer, Entry, Error, Shape, Source, Stream};
use nonius_linalg::tridiag::{Method, Order, Partition};

use super::arguments::{Array, Batch, Elimination, Split};
use super::batch::{Extent, View};
use crate::backend::Cuda;
use crate::texts;

/// Threads of a block where each has work of its own.
const THREADS: usize = 128;

/// Of [`whole`] and [`pcr`].
const SOLVE: Entry<Batch> = Entry::new(c"solve");
const SOLVE_SINGLE: Entry<Elimination> = Entry::new(c"solve");
const CONDENSE: Entry<Split> = Entry::new(c"condense");
const EXPAND: Entry<Split> = Entry::new(c"expand");

/// Systems side by side in a block, for chunks of so many rows: registers bound the threads of a block.
fn side(limbs: usize, chunk: usize, chunks: usize) -> usize {
    // Words of a thread's rows; arithmetic on limbs takes as many again.
    let words = 4 * chunk * if limbs > 1 { 2 * limbs } else { 1 };
    let systems = (256 / chunks).max(16);
    if words > 64 { systems.min(256 / chunks).max(1) } else { systems }
}

/// Whether chunks begin at multiples of 16 bytes.
fn has_vectors(extent: &Extent) -> bool {
    extent.order == Order::Contiguous && (extent.size * extent.word()).is_multiple_of(16)
}

/// For memory of the device, or of the host.
fn whole(extent: &Extent, on_host: bool, chunk: usize, chunks: usize) -> Source {
    let interleaved = extent.order == Order::Interleaved;
    let side = if interleaved { side(extent.limbs, chunk, chunks) } else { 0 };
    let vectors = has_vectors(extent);
    let staged = vectors && on_host;
    let layout = match (interleaved, vectors) {
        (true, _) => "interleaved",
        (false, true) if staged => "staged",
        (false, true) => "vectors",
        (false, false) => "words",
    };
    let definitions = [
        ("INTERLEAVED", usize::from(interleaved)),
        ("VECTORS", usize::from(vectors)),
        ("STAGED", usize::from(staged)),
        ("CHUNK", chunk),
        ("CHUNKS", chunks),
        ("SIDE", side),
    ];
    let name = format!("tridiag-{layout}-{chunk}-{chunks}");
    texts::of_limbs(&name, extent.limbs, "tridiag/whole.cu").define_all(&definitions).entry(SOLVE)
}

fn split(extent: &Extent, chunk: usize) -> Source {
    let vectors = has_vectors(extent);
    let name = format!("tridiag-split-{}-{chunk}", if vectors { "vectors" } else { "words" });
    let definitions = [("VECTORS", usize::from(vectors)), ("STAGED", 0), ("CHUNK", chunk)];
    texts::of_limbs(&name, extent.limbs, "tridiag/split.cu")
        .define_all(&definitions)
        .entry(CONDENSE)
        .entry(EXPAND)
}

fn single(limbs: usize, pivoting: bool) -> Source {
    let name = if pivoting { "tridiag-pivoting" } else { "tridiag-thomas" };
    let pivoting = usize::from(pivoting);
    texts::of_limbs(name, limbs, "tridiag/single.cu")
        .define("PIVOTING", pivoting)
        .entry(SOLVE_SINGLE)
}

/// For systems of at most so many unknowns: registers are what a block of as many threads leaves each.
fn pcr(limbs: usize, threads: usize) -> Source {
    let name = format!("tridiag-pcr-{threads}");
    texts::of_limbs(&name, limbs, "tridiag/pcr.cu").define("THREADS", threads).entry(SOLVE)
}

/// Threads that a block of cyclic reduction is compiled for.
fn pcr_threads(size: usize) -> usize {
    size.next_power_of_two().max(THREADS)
}

/// Modules for systems of some 250 and of 1024 equations, and of very many.
pub(super) fn sources(limbs: usize) -> Vec<Source> {
    let mut sources =
        vec![single(limbs, false), single(limbs, true), pcr(limbs, 256), pcr(limbs, 1024)];
    for order in [Order::Contiguous, Order::Interleaved] {
        for size in [250, 251, 252, 256, 1024, 1 << 20, (1 << 20) + 1] {
            let extent = Extent { systems: 1, size, order, limbs };
            let source = match Partition::new(limbs, order, size) {
                Partition::Whole { chunk, chunks } => whole(&extent, size == 256, chunk, chunks),
                Partition::Split { chunk } => split(&extent, chunk),
            };
            if sources.iter().all(|known| known.name() != source.name()) {
                sources.push(source);
            }
        }
    }
    sources
}

fn blocks(count: usize, threads: usize) -> Shape {
    Shape { grid: [count as u32, 1, 1], block: [threads as u32, 1, 1], shared: 0 }
}

/// Queues a method on systems that are not periodic.
pub(super) fn solve(
    cuda: &Cuda,
    stream: &Stream,
    view: &View,
    method: Method,
    pivoting: bool,
) -> Result<(), Error> {
    match method {
        Method::Thomas => by_single_threads(cuda, stream, view, pivoting),
        Method::Pcr => by_cyclic_reduction(cuda, stream, view),
        Method::Auto | Method::Hybrid => by_chunks(cuda, stream, view),
    }
}

fn by_single_threads(
    cuda: &Cuda,
    stream: &Stream,
    view: &View,
    pivoting: bool,
) -> Result<(), Error> {
    let extent = &view.extent;
    let kernel = cuda.device().module(&single(extent.limbs, pivoting))?.kernel(SOLVE_SINGLE)?;
    let above = Buffer::new(stream, extent.array())?;
    let beyond = Buffer::new(stream, if pivoting { extent.array() } else { 0 })?;
    let arguments =
        Elimination { batch: view.batch(), above: Array::of(&above), beyond: Array::of(&beyond) };
    let shape = blocks(extent.systems.div_ceil(THREADS), THREADS);
    // SAFETY: two arrays as large as those of the batch, of which the second is used for row
    // exchanges only. All memory is freed in the order of the stream.
    unsafe { kernel.launch(stream, shape, &arguments) }
}

fn by_cyclic_reduction(cuda: &Cuda, stream: &Stream, view: &View) -> Result<(), Error> {
    let extent = &view.extent;
    let kernel =
        cuda.device().module(&pcr(extent.limbs, pcr_threads(extent.size)))?.kernel(SOLVE)?;
    let shared = (4 * extent.planes() * extent.size * extent.word()) as u32;
    kernel.allow_shared(shared)?;
    let shape = Shape { shared, ..blocks(extent.systems, extent.size.next_multiple_of(32)) };
    // SAFETY: systems have a thread for each unknown and shared memory for their rows.
    unsafe { kernel.launch(stream, shape, &view.batch()) }
}

fn by_chunks(cuda: &Cuda, stream: &Stream, view: &View) -> Result<(), Error> {
    let extent = &view.extent;
    match Partition::new(extent.limbs, extent.order, extent.size) {
        Partition::Whole { chunk, chunks } => {
            let kernel =
                cuda.device().module(&whole(extent, view.on_host, chunk, chunks))?.kernel(SOLVE)?;
            let threads = match extent.order {
                Order::Interleaved => chunks * side(extent.limbs, chunk, chunks),
                Order::Contiguous => chunks.max(THREADS),
            };
            // A block of more than 32 chunks has one system alone.
            let systems = match extent.order {
                Order::Contiguous if chunks > 32 => 1,
                _ => threads / chunks,
            };
            let threads = systems * chunks;
            let shape = blocks(extent.systems.div_ceil(systems), threads);
            // SAFETY: as many threads as the kernel was compiled for.
            unsafe { kernel.launch(stream, shape, &view.batch()) }
        }
        Partition::Split { chunk } => {
            let kernels = cuda.device().module(&split(extent, chunk))?;
            let (condense, expand) = (kernels.kernel(CONDENSE)?, kernels.kernel(EXPAND)?);
            let chunks = Extent { size: extent.size.div_ceil(chunk), ..*extent };
            let memory = Buffer::new(stream, super::batch::ARRAYS * chunks.array())?;
            let lasts = View::new(chunks, memory.address(), 0);
            let arguments = Split { batch: view.batch(), lasts: lasts.batch() };
            let shape = blocks(chunks.count().div_ceil(THREADS), THREADS);
            // SAFETY: the second batch has a row for each chunk, in which the kernels write
            // coefficients and read unknowns.
            unsafe { condense.launch(stream, shape, &arguments)? };
            by_chunks(cuda, stream, &lasts)?;
            // SAFETY: as above.
            unsafe { expand.launch(stream, shape, &arguments) }
        }
    }
}
