//! Kernels that solve the systems of a batch.

use nonius_gpu::{Buffer, Entry, Error, Shape, Source, Stream};
use nonius_linalg::tridiag::{Method, Order, Partition, Parts};

use super::arguments::{Array, Batch, Elimination, Reduction, Split};
use super::batch::{Extent, View};
use crate::backend::Cuda;
use crate::kind::Kind;

/// Threads of a block where each has work of its own.
const THREADS: usize = 128;

/// Of [`whole`].
const SOLVE: Entry<Batch> = Entry::new(c"solve");
/// Of [`pcr`].
const REDUCE: Entry<Reduction> = Entry::new(c"solve");
const SOLVE_SINGLE: Entry<Elimination> = Entry::new(c"solve");
const CONDENSE: Entry<Split> = Entry::new(c"condense");
const EXPAND: Entry<Split> = Entry::new(c"expand");

/// What numbers consist of, as methods divide their work.
fn parts(kind: Kind) -> Parts {
    match kind {
        Kind::Limbs(0) => Parts::Single,
        Kind::Limbs(limbs) => Parts::Limbs(limbs),
        Kind::Mp(_) => Parts::Words,
    }
}

/// Systems side by side in a block, for `chunks` chunks of `chunk` rows: registers bound the
/// threads of a block.
fn side(kind: Kind, chunk: usize, chunks: usize) -> usize {
    // Words of a thread's rows; arithmetic on limbs takes as many again.
    let lanes = kind.lanes();
    let words = 4 * chunk * if lanes > 1 { 2 * lanes } else { 1 };
    let systems = (256 / chunks).max(16);
    if words > 64 { systems.min(256 / chunks).max(1) } else { systems }
}

/// Whether chunks begin at multiples of 16 bytes.
fn has_vectors(extent: &Extent) -> bool {
    extent.order == Order::Contiguous
        && (extent.size * extent.word()).is_multiple_of(16)
        && !has_words(extent)
}

/// Whether numbers have words, and threads side by side the chunks of a system in any order: what
/// chunks hand to each other would not fit shared memory.
fn has_words(extent: &Extent) -> bool {
    matches!(extent.kind, Kind::Mp(_))
}

/// For memory of the device, or of the host.
pub(super) fn whole(extent: &Extent, on_host: bool, chunk: usize, chunks: usize) -> Source {
    let interleaved = is_interleaved(extent);
    let side = if interleaved { side(extent.kind, chunk, chunks) } else { 0 };
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
    extent.kind.module(&name, "tridiag/whole.cu").define_all(&definitions).entry(SOLVE)
}

/// Whether a block has chunks of systems side by side.
fn is_interleaved(extent: &Extent) -> bool {
    extent.order == Order::Interleaved && !has_words(extent)
}

pub(super) fn split(extent: &Extent, chunk: usize) -> Source {
    let vectors = has_vectors(extent);
    let name = format!("tridiag-split-{}-{chunk}", if vectors { "vectors" } else { "words" });
    let definitions = [("VECTORS", usize::from(vectors)), ("STAGED", 0), ("CHUNK", chunk)];
    extent
        .kind
        .module(&name, "tridiag/split.cu")
        .define_all(&definitions)
        .entry(CONDENSE)
        .entry(EXPAND)
}

pub(super) fn single(kind: Kind, pivoting: bool) -> Source {
    let name = if pivoting { "tridiag-pivoting" } else { "tridiag-thomas" };
    let pivoting = usize::from(pivoting);
    kind.module(name, "tridiag/single.cu").define("PIVOTING", pivoting).entry(SOLVE_SINGLE)
}

/// For systems of at most `threads` unknowns. A thread has the registers that a block of `threads`
/// threads leaves it.
pub(super) fn pcr(kind: Kind, threads: usize) -> Source {
    let name = format!("tridiag-pcr-{threads}");
    kind.module(&name, "tridiag/pcr.cu").define("THREADS", threads).entry(REDUCE)
}

/// Threads that a block of cyclic reduction is compiled for.
pub(super) fn pcr_threads(size: usize) -> usize {
    size.next_power_of_two().max(THREADS)
}

/// Modules for systems of some 250 and of 1024 equations, and of very many.
pub(super) fn sources(kind: Kind) -> Vec<Source> {
    let mut sources =
        vec![single(kind, false), single(kind, true), pcr(kind, 256), pcr(kind, 1024)];
    for order in [Order::Contiguous, Order::Interleaved] {
        for size in [250, 251, 252, 256, 1024, 1 << 20, (1 << 20) + 1] {
            let mut rest = Some(size);
            while let Some(size) = rest {
                let extent = Extent { systems: 1, size, order, kind };
                let (source, chunks) = match Partition::new(parts(kind), order, size) {
                    Partition::Whole { chunk, chunks } => {
                        (whole(&extent, size == 256, chunk, chunks), None)
                    }
                    Partition::Split { chunk } => {
                        (split(&extent, chunk), Some(size.div_ceil(chunk)))
                    }
                };
                if sources.iter().all(|known| known.name() != source.name()) {
                    sources.push(source);
                }
                // The equations of chunks are a batch again.
                rest = chunks;
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
    let kernel = cuda.device().module(&single(extent.kind, pivoting))?.kernel(SOLVE_SINGLE)?;
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
        cuda.device().module(&pcr(extent.kind, pcr_threads(extent.size)))?.kernel(REDUCE)?;
    let rows = 4 * extent.planes() * extent.size * extent.word();
    // Those of words do not fit shared memory.
    let (shared, beside) =
        if has_words(extent) { (0, rows * extent.systems) } else { (rows as u32, 0) };
    let memory = Buffer::new(stream, beside)?;
    kernel.allow_shared(shared)?;
    let shape = Shape { shared, ..blocks(extent.systems, extent.size.next_multiple_of(32)) };
    let arguments = Reduction { batch: view.batch(), beside: Array::of(&memory) };
    // SAFETY: systems have a thread for each unknown and memory for their rows, shared or beside,
    // which is freed in the order of the stream.
    unsafe { kernel.launch(stream, shape, &arguments) }
}

fn by_chunks(cuda: &Cuda, stream: &Stream, view: &View) -> Result<(), Error> {
    let extent = &view.extent;
    match Partition::new(parts(extent.kind), extent.order, extent.size) {
        Partition::Whole { chunk, chunks } => {
            let kernel =
                cuda.device().module(&whole(extent, view.on_host, chunk, chunks))?.kernel(SOLVE)?;
            let interleaved = is_interleaved(extent);
            let threads = if interleaved {
                chunks * side(extent.kind, chunk, chunks)
            } else {
                chunks.max(THREADS)
            };
            // A block of more than 32 chunks has one system alone.
            let systems = if !interleaved && chunks > 32 { 1 } else { threads / chunks };
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
