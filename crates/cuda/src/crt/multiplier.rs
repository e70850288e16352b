//! What multiplies planes of bytes and leaves the residues of the sums.

use nonius_gpu::{Buffer, Error, Planes, Shape, Source, argument_of_words};

use crate::backend::Cuda;
use crate::cublaslt::{CublasLt, Products};
use crate::texts;
use crate::words::Words;

/// Set to `cublaslt`, products go through the library where there would be a kernel too.
const VARIABLE: &str = "NONIUS_BYTE_PRODUCTS";

/// Lines of either operand that a block multiplies, blocks of a cluster, and stages of copies: see `crt/multiply.cu`.
const COLUMNS: usize = 128;
const ROWS: usize = 256;
const CLUSTER: usize = 2;
const STAGES: usize = 4;
/// Threads of such a block.
const THREADS: u32 = 384;
/// Bytes of a stage, and what shared memory is aligned to.
const STAGE: usize = (COLUMNS + ROWS) * 128;
const ALIGNMENT: usize = 1024;

/// Sums that a block of `crt/reduce.cu` reduces, bytes that one of `crt/add.cu` adds.
const REDUCED: usize = 256 * 16;

/// What multiplies on a device; all give the same residues.
#[derive(Debug)]
pub(crate) enum Multiplier {
    /// Our kernel, for compute capability 9.0: residues are made of sums in registers.
    Kernel,
    /// The library, whose sums go through memory.
    CublasLt(CublasLt),
}

/// Two operands: lines of op(A), then of op(B), in planes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operands {
    /// Lines of a plane that are multiplied: multiples of 32, of 16.
    pub(super) lines: [usize; 2],
    /// Bytes of a line: a multiple of 32.
    pub(super) depth: usize,
    pub(super) addresses: [u64; 2],
    /// Bytes from one plane to the next.
    pub(super) strides: [usize; 2],
}

fn kernel_source() -> Source {
    let numbers = [("MULTIPLY_CLUSTER", CLUSTER), ("MULTIPLY_STAGES", STAGES)];
    texts::of_limbs("crt-multiply", 1, "crt/multiply.cu").define_all(&numbers)
}

fn reduce_source() -> Source {
    texts::of_limbs("crt-reduce", 1, "crt/reduce.cu")
}

fn add_source() -> Source {
    texts::of_limbs("crt-add", 1, "crt/add.cu")
}

/// The modules of all precisions, for an architecture.
pub(crate) fn sources(architecture: &str) -> impl Iterator<Item = Source> {
    let kernel = (architecture == "sm_90a").then(kernel_source);
    kernel.into_iter().chain([reduce_source(), add_source()])
}

impl Multiplier {
    /// What multiplies on the backend's device; `None` where nothing does.
    pub(super) fn of(cuda: &Cuda) -> Option<Self> {
        let asked = std::env::var(VARIABLE).is_ok_and(|name| name == "cublaslt");
        if cuda.device().info().capability == (9, 0) && !asked {
            return Some(Self::Kernel);
        }
        CublasLt::open(cuda.device().context()).map(Self::CublasLt)
    }

    /// Bytes of the sums of an entry of `C` in so many planes where these go to memory.
    pub(super) fn sum_bytes(&self, planes: usize) -> usize {
        match self {
            Self::Kernel => 0,
            Self::CublasLt(_) => planes * size_of::<i32>(),
        }
    }

    /// Queues the products of planes, of which there are some of small moduli and so many in all, with what `moduli` holds for each; `false`
    /// where it is not done.
    ///
    /// # Safety
    /// Operands are planes as described, on the backend's device, `moduli` has a `Modulus` for each, and `residues` has room for those of all
    /// planes, until the backend's stream has come so far; nobody else uses the residues meanwhile.
    pub(super) unsafe fn multiply(
        &self,
        cuda: &Cuda,
        planes: (usize, usize),
        operands: Operands,
        moduli: u64,
        residues: &Buffer,
    ) -> Result<bool, Error> {
        match self {
            // SAFETY: the caller's promises.
            Self::Kernel => unsafe { run_kernel(cuda, planes, operands, moduli, residues)? },
            Self::CublasLt(library) => {
                let Operands { lines: [height, width], depth, addresses, strides } = operands;
                let (small, planes) = planes;
                let size = height * width;
                let sums = Buffer::new(cuda.stream(), planes * size * size_of::<i32>())?;
                let strides = [strides[0], strides[1], size];
                let products = Products { planes, m: height, n: width, k: depth, strides };
                let addresses = [addresses[0], addresses[1], sums.address()];
                // SAFETY: the caller's promises, and sums have room.
                if !unsafe { library.multiply(cuda.stream(), products, addresses)? } {
                    return Ok(false);
                }
                let words = Words::default().address(sums.address()).address(moduli);
                let words = words.address(residues.address()).long(size).pair(small, planes);
                let grid = [size.div_ceil(REDUCED) as u32, planes as u32, 1];
                let shape = Shape { grid, block: [256, 1, 1], shared: 0 };
                // SAFETY: as above; sums are freed in the order of the stream.
                unsafe { launch(cuda, &reduce_source(), c"reduce_sums", shape, &words)? };
            }
        }
        Ok(true)
    }
}

/// Queues the sums of residues in planes of so many entries, of those that there are and of more, with what `moduli` holds for each plane.
///
/// # Safety
/// As [`Multiplier::multiply`].
pub(super) unsafe fn add_residues(
    cuda: &Cuda,
    (small, planes): (usize, usize),
    size: usize,
    moduli: u64,
    residues: &Buffer,
    more: &Buffer,
) -> Result<(), Error> {
    let words = Words::default().address(residues.address()).address(more.address());
    let words = words.address(moduli).long(size).pair(small, planes);
    // Planes of pairs are two of bytes.
    let grid = [size.div_ceil(REDUCED) as u32, (2 * planes - small) as u32, 1];
    let shape = Shape { grid, block: [256, 1, 1], shared: 0 };
    // SAFETY: the caller's promises.
    unsafe { launch(cuda, &add_source(), c"add_residues", shape, &words) }
}

/// # Safety
/// As [`Multiplier::multiply`].
unsafe fn run_kernel(
    cuda: &Cuda,
    (small, count): (usize, usize),
    operands: Operands,
    moduli: u64,
    residues: &Buffer,
) -> Result<(), Error> {
    let Operands { lines: [height, width], depth, .. } = operands;
    let planes = |side: usize| {
        let (address, stride) = (operands.addresses[side], operands.strides[side]);
        Planes { address, count, lines: operands.lines[side], depth, stride }
    };
    let words = Words::default()
        .words(&planes(0).map((ROWS / CLUSTER) as u32)?)
        .words(&planes(1).map(COLUMNS as u32)?)
        .address(moduli)
        .address(residues.address())
        .long(height * width)
        .pair(height, width)
        .pair(depth, small)
        .pair(count, 0)
        .padded(40);
    let tiles = height.div_ceil(ROWS) * width.div_ceil(CLUSTER * COLUMNS) * count;
    let clusters = (cuda.device().info().multiprocessors as usize / CLUSTER).min(tiles);
    let shared = (STAGES * STAGE + ALIGNMENT) as u32;
    let grid = [(CLUSTER * clusters) as u32, 1, 1];
    let shape = Shape { grid, block: [THREADS, 1, 1], shared };
    // SAFETY: the caller's promises.
    unsafe { launch(cuda, &kernel_source(), c"multiply", shape, &words) }
}

/// # Safety
/// As [`nonius_gpu::Kernel::launch`], for a kernel that takes one structure, these words.
unsafe fn launch(
    cuda: &Cuda,
    source: &Source,
    name: &'static core::ffi::CStr,
    shape: Shape,
    words: &Words,
) -> Result<(), Error> {
    let kernel = cuda.device().module(source)?.kernel(name)?;
    kernel.allow_shared(shape.shared)?;
    // SAFETY: the caller's promises.
    unsafe { kernel.launch(cuda.stream(), shape, &mut [argument_of_words(words.as_slice())]) }
}
