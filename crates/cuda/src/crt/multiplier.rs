//! What multiplies planes of bytes and leaves the residues of the sums.

use nonius_gpu::{
    Arguments, Buffer, Const, Entry, Error, Planes, Pointer, Shape, Source, TensorMap,
    kernel_arguments, kernel_types,
};

use crate::backend::Cuda;
use crate::cublaslt::{CublasLt, Products};
use crate::texts;

/// Set to `cublaslt`, products go through the library where there would be a kernel too.
const VARIABLE: &str = "NONIUS_BYTE_PRODUCTS";

/// Lines of either operand that a block multiplies, blocks of a cluster, and stages of copies: see
/// `crt/multiply.cu`.
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

kernel_types! {
    /// What sums of a plane are reduced by (`crt/sums.cuh`).
    pub(super) Modulus = "crt::Modulus";
}

kernel_arguments! {
    /// Products of planes.
    struct Multiply {
        rows: TensorMap,
        columns: TensorMap,
        moduli: Pointer<Const<Modulus>>,
        /// Entry `(i, j)` of a plane of residues is at `i + j·height` of its `size` entries: first
        /// planes of bytes, then of pairs of them.
        residues: Pointer<u8>,
        size: i64,
        /// Where it says that these bits are not enough, nothing is done. May be null.
        refused: Pointer<Const<u64>>,
        /// Lines of `op(A)`, of `op(B)`, bytes of a line.
        height: i32,
        width: i32,
        depth: i32,
        small_planes: i32,
        planes: i32,
        /// The structure's size is a multiple of 64 bytes.
        unused: [i32; 3],
    }

    /// Sums that become residues.
    struct Reduce {
        sums: Pointer<Const<i32>>,
        moduli: Pointer<Const<Modulus>>,
        /// Planes of `size` sums each, and of residues: first those of bytes, then of pairs of
        /// them.
        residues: Pointer<u8>,
        size: i64,
        small_planes: i32,
        planes: i32,
    }

    /// Residues that others are added to.
    struct Add {
        /// Planes of `size` residues of the terms so far: first those of bytes, then of pairs of
        /// them.
        residues: Pointer<u8>,
        /// Those of the terms that come to them.
        more: Pointer<Const<u8>>,
        moduli: Pointer<Const<Modulus>>,
        size: i64,
        small_planes: i32,
        planes: i32,
    }
}

const MULTIPLY: Entry<Multiply> = Entry::new(c"multiply");
const REDUCE_SUMS: Entry<Reduce> = Entry::new(c"reduce_sums");
const ADD_RESIDUES: Entry<Add> = Entry::new(c"add_residues");

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
    /// Where a number that is not zero says that the products are of no use; 0 for nowhere.
    pub(super) refused: u64,
}

fn kernel_source() -> Source {
    let numbers = [("MULTIPLY_CLUSTER", CLUSTER), ("MULTIPLY_STAGES", STAGES)];
    texts::of_limbs("crt-multiply", 1, "crt/multiply.cu").define_all(&numbers).entry(MULTIPLY)
}

fn reduce_source() -> Source {
    texts::of_limbs("crt-reduce", 1, "crt/reduce.cu").entry(REDUCE_SUMS)
}

fn add_source() -> Source {
    texts::of_limbs("crt-add", 1, "crt/add.cu").entry(ADD_RESIDUES)
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

    /// The module that products need.
    pub(super) fn source(&self) -> Source {
        match self {
            Self::Kernel => kernel_source(),
            Self::CublasLt(_) => reduce_source(),
        }
    }

    /// Bytes that the sums of an entry of `C` in `planes` planes take in memory; 0 where none go
    /// there.
    pub(super) fn sum_bytes(&self, planes: usize) -> usize {
        match self {
            Self::Kernel => 0,
            Self::CublasLt(_) => planes * size_of::<i32>(),
        }
    }

    /// Queues the products of planes, with what `moduli` holds for each plane. `planes` are the
    /// number of planes of small moduli, and that of all planes. Returns `false` where nothing is
    /// queued.
    ///
    /// # Safety
    /// The operands are planes as described, on the backend's device. `moduli` has a `Modulus` for
    /// each plane, and `residues` has room for the residues of all planes. All of these live until
    /// the backend's stream has done the work, and nobody else uses the residues meanwhile.
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
                let Operands { lines: [height, width], depth, addresses, strides, .. } = operands;
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
                let arguments = Reduce {
                    sums: Pointer::at(sums.address()),
                    moduli: Pointer::at(moduli),
                    residues: residues.pointer(),
                    size: size as i64,
                    small_planes: small as i32,
                    planes: planes as i32,
                };
                let grid = [size.div_ceil(REDUCED) as u32, planes as u32, 1];
                let shape = Shape { grid, block: [256, 1, 1], shared: 0 };
                // SAFETY: as above; sums are freed in the order of the stream.
                unsafe { launch(cuda, &reduce_source(), REDUCE_SUMS, shape, &arguments)? };
            }
        }
        Ok(true)
    }
}

/// Queues the sums of `residues` and `more`, in planes of `size` entries, with what `moduli` holds
/// for each plane. The sums take the place of `residues`.
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
    let arguments = Add {
        residues: residues.pointer(),
        more: Pointer::at(more.address()),
        moduli: Pointer::at(moduli),
        size: size as i64,
        small_planes: small as i32,
        planes: planes as i32,
    };
    // Planes of pairs are two of bytes.
    let grid = [size.div_ceil(REDUCED) as u32, (2 * planes - small) as u32, 1];
    let shape = Shape { grid, block: [256, 1, 1], shared: 0 };
    // SAFETY: the caller's promises.
    unsafe { launch(cuda, &add_source(), ADD_RESIDUES, shape, &arguments) }
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
    // There are no more lines than an `int` counts (`engine_of`), nor terms (`Cut`).
    let arguments = Multiply {
        rows: planes(0).map((ROWS / CLUSTER) as u32)?,
        columns: planes(1).map(COLUMNS as u32)?,
        moduli: Pointer::at(moduli),
        residues: residues.pointer(),
        size: (height * width) as i64,
        refused: Pointer::at(operands.refused),
        height: height as i32,
        width: width as i32,
        depth: depth as i32,
        small_planes: small as i32,
        planes: count as i32,
        unused: [0; 3],
    };
    let tiles = height.div_ceil(ROWS) * width.div_ceil(CLUSTER * COLUMNS) * count;
    let clusters = (cuda.device().info().multiprocessors as usize / CLUSTER).min(tiles);
    let shared = (STAGES * STAGE + ALIGNMENT) as u32;
    let grid = [(CLUSTER * clusters) as u32, 1, 1];
    let shape = Shape { grid, block: [THREADS, 1, 1], shared };
    // SAFETY: the caller's promises.
    unsafe { launch(cuda, &kernel_source(), MULTIPLY, shape, &arguments) }
}

/// # Safety
/// As [`nonius_gpu::Kernel::launch`].
unsafe fn launch<A: Arguments>(
    cuda: &Cuda,
    source: &Source,
    entry: Entry<A>,
    shape: Shape,
    arguments: &A,
) -> Result<(), Error> {
    let kernel = cuda.device().module(source)?.kernel(entry)?;
    kernel.allow_shared(shape.shared)?;
    // SAFETY: the caller's promises.
    unsafe { kernel.launch(cuda.stream(), shape, arguments) }
}
