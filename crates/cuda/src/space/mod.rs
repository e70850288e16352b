//! Vectors for iterative methods in a device's memory.
//!
//! Operations queue, on vectors and on single numbers alike, so that nothing of an iteration waits for the host. Their bits are those of the host's spaces, but for the
//! [readings](Reading) of limbs, which are first limbs.

mod kind;
mod log;
mod sparse;
mod triangle;
mod vector;

use core::ffi::CStr;
use std::sync::Arc;

use nonius_linalg::backend::{NumberOp, Reading, Round, Sign, Space};
use nonius_linalg::cpu::reduce::{BLOCKS, PARTIALS};
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::MP_BLOCK;
use nonius_linalg::mp::Bits;
use nonius_linalg::{Error as LinalgError, Scalar};

use crate::backend::Cuda;
use crate::error::Error;
use crate::kernels::Source;
use crate::memory::Buffer;
use crate::module::{Kernel, Module, Shape, argument};

pub(crate) use kind::Kind;
pub use log::CudaLog;
pub use sparse::CudaSparse;
pub use triangle::CudaIncompleteCholesky;
pub use vector::{CudaVector, Planar};

/// Threads of a block in operations on entries.
const THREADS: u32 = 256;
/// Threads of a block that sums products of limbs.
const WARP: usize = 32;
/// Numbers in a row of a log at the most.
const COLUMNS: usize = 4;

/// Vectors of `f64`, `dd`, `td` or `qd`, or of numbers of any bits, on a GPU.
#[derive(Debug)]
pub struct CudaSpace {
    cuda: Cuda,
    kind: Kind,
    arithmetic: Arithmetic,
    kernels: Kernels,
    /// Sums of blocks.
    sums: CudaVector,
    /// The log that holds the space.
    held: Option<Arc<Buffer>>,
}

/// The kernels of `space.cu`.
#[derive(Debug)]
struct Kernels {
    axpy: Kernel,
    xpay: Kernel,
    scale: Kernel,
    copy: Kernel,
    clear: Kernel,
    sum_products: Kernel,
    add_sums: Kernel,
    compute: Kernel,
    record: Kernel,
    round_entries: Kernel,
    widen_entries: Kernel,
    set: Kernel,
}

impl Kernels {
    fn of(module: &Module) -> Result<Self, Error> {
        let kernel = |name: &'static CStr| module.kernel(name);
        Ok(Self {
            axpy: kernel(c"axpy")?,
            xpay: kernel(c"xpay")?,
            scale: kernel(c"scale")?,
            copy: kernel(c"copy")?,
            clear: kernel(c"clear")?,
            sum_products: kernel(c"sum_products")?,
            add_sums: kernel(c"add_sums")?,
            compute: kernel(c"compute")?,
            record: kernel(c"record")?,
            round_entries: kernel(c"round_entries")?,
            widen_entries: kernel(c"widen_entries")?,
            set: kernel(c"set")?,
        })
    }
}

/// Operations on numbers (`Operation` in `space.cu`).
#[derive(Clone, Copy)]
enum Operation {
    Add,
    Sub,
    Mul,
    Div,
    Assign,
    Root,
}

fn source(kind: Kind, arithmetic: Arithmetic) -> Source {
    kind.source("space", "space.cu", arithmetic, &[])
}

/// Every module of this capability for limbs; those of `mp` numbers are compiled for the bits that are asked for.
pub(crate) fn sources(limbs: usize) -> Vec<Source> {
    let kind = Kind::Limbs(limbs);
    let mut sources = vec![source(kind, Arithmetic::Delayed)];
    sources.extend(sparse::sources(kind));
    sources.extend(triangle::sources(kind));
    sources
}

/// The modules of `mp` numbers that are compiled beforehand: of a usual precision.
pub(crate) fn mp_sources() -> Vec<Source> {
    let Ok(bits) = Bits::new(106) else { return Vec::new() };
    let kind = Kind::Mp(bits);
    let mut sources: Vec<Source> =
        [Arithmetic::Delayed, Arithmetic::Ieee].map(|sums| source(kind, sums)).into();
    sources.extend(sparse::sources(kind));
    sources.extend(triangle::sources(kind));
    sources
}

impl CudaSpace {
    /// Vectors of `T`.
    ///
    /// # Errors
    /// [`LinalgError::Device`]: kernels that cannot be compiled or loaded, memory, or an earlier failure of the backend.
    pub fn limbs<T: Scalar>(cuda: &Cuda) -> Result<Self, LinalgError> {
        Self::new(cuda, Kind::Limbs(T::LIMBS), Arithmetic::Delayed)
    }

    /// Vectors of numbers of so many bits, with sums in the arithmetic that is given: delayed, or `ieee`.
    ///
    /// # Errors
    /// [`LinalgError::NoArithmetic`]; as [`limbs`](Self::limbs).
    pub fn mp(cuda: &Cuda, bits: Bits, arithmetic: Arithmetic) -> Result<Self, LinalgError> {
        if arithmetic == Arithmetic::Sloppy {
            return Err(LinalgError::NoArithmetic { arithmetic, precision: "mp" });
        }
        Self::new(cuda, Kind::Mp(bits), arithmetic)
    }

    fn new(cuda: &Cuda, kind: Kind, arithmetic: Arithmetic) -> Result<Self, LinalgError> {
        cuda.fetch(|| {
            let module = cuda.device().module(&source(kind, arithmetic))?;
            let kernels = Kernels::of(&module)?;
            let sums = CudaVector::new(cuda, kind, 2)?;
            Ok(Self { cuda: cuda.clone(), kind, arithmetic, kernels, sums, held: None })
        })
    }

    /// A copy of a vector of the host.
    ///
    /// Panics for numbers of another kind.
    ///
    /// # Errors
    /// [`LinalgError::Device`].
    pub fn upload<P: Planar>(&self, x: &P) -> Result<CudaVector, LinalgError> {
        let vector = self.cuda.fetch(|| x.upload(&self.cuda))?;
        assert_eq!(vector.kind(), self.kind, "kind of numbers");
        Ok(vector)
    }

    /// A copy of a vector on the host.
    ///
    /// Panics for numbers of another kind.
    ///
    /// # Errors
    /// [`LinalgError::Device`]: the first failure of anything that the backend was asked to do.
    pub fn download<P: Planar>(&self, x: &CudaVector) -> Result<P, LinalgError> {
        self.cuda.fetch(|| P::download(&self.cuda, x))
    }

    /// The backend.
    pub fn cuda(&self) -> &Cuda {
        &self.cuda
    }

    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    pub(crate) fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// The address of the log that holds the space, or 0.
    pub(crate) fn held(&self) -> u64 {
        self.held.as_ref().map_or(0, |buffer| buffer.address())
    }

    /// Threads for each of `count` entries.
    fn each(count: usize) -> Shape {
        let blocks = count.div_ceil(THREADS as usize).min(1 << 20) as u32;
        Shape { grid: [blocks, 1, 1], block: [THREADS, 1, 1], shared: 0 }
    }

    fn compute_number(
        &mut self,
        operation: Operation,
        a: &CudaVector,
        b: &CudaVector,
        to: &mut CudaVector,
    ) {
        let (operation, held) = (operation as i32, self.held());
        let (a, b, to) = (a.words(), b.words(), to.words());
        let arguments =
            &mut [argument(&operation), argument(&a), argument(&b), argument(&to), argument(&held)];
        let shape = Shape { grid: [1, 1, 1], block: [1, 1, 1], shared: 0 };
        let (kernel, stream) = (&self.kernels.compute, self.cuda.stream());
        // SAFETY: the kernel takes an `int`, three vectors, which have an entry each, and a log.
        self.cuda.attempt(|| unsafe { kernel.launch(stream, shape, arguments) });
    }
}

/// Block sums of a vector of so many entries, and blocks of threads that form them.
fn blocks(kind: Kind, n: usize) -> (usize, usize, u32) {
    match kind {
        // A thread has a partial sum.
        Kind::Limbs(limbs) => {
            let count = n.div_ceil(BLOCKS[limbs]);
            (count, count.div_ceil(WARP / PARTIALS[limbs]), WARP as u32)
        }
        Kind::Mp(_) => {
            let count = n.div_ceil(MP_BLOCK);
            (count, count, THREADS)
        }
    }
}

impl Space for CudaSpace {
    type Vector = CudaVector;
    type Number = CudaVector;
    type Log = CudaLog;

    // Iterations of short vectors take 50 to 100 µs; what waits for a look should be much longer.
    const LOOK: usize = 64;

    fn vector(&self, n: usize) -> Result<CudaVector, LinalgError> {
        let mut vector = self.cuda.fetch(|| CudaVector::new(&self.cuda, self.kind, n))?;
        self.fill_zeros(&mut vector, 0);
        Ok(vector)
    }

    fn number(&self) -> CudaVector {
        let mut number = self
            .cuda
            .attempt(|| CudaVector::new(&self.cuda, self.kind, 1))
            .unwrap_or_else(|| CudaVector::absent(&self.cuda, self.kind, 1));
        self.fill_zeros(&mut number, 0);
        number
    }

    fn length(&self, x: &CudaVector) -> usize {
        x.len()
    }

    fn set(&mut self, value: f64, to: &mut CudaVector) {
        let (to, held) = (to.words(), self.held());
        let arguments = &mut [argument(&value), argument(&to), argument(&held)];
        let shape = Shape { grid: [1, 1, 1], block: [1, 1, 1], shared: 0 };
        let (kernel, stream) = (&self.kernels.set, self.cuda.stream());
        // SAFETY: the kernel takes a `double`, a vector, which has an entry, and a log.
        self.cuda.attempt(|| unsafe { kernel.launch(stream, shape, arguments) });
    }

    fn copy(&mut self, x: &CudaVector, y: &mut CudaVector) {
        assert_eq!(x.len(), y.len(), "lengths");
        let (shape, n, held) = (Self::each(x.len()), x.len() as i64, self.held());
        let (x, y) = (x.words(), y.words());
        let arguments = &mut [argument(&x), argument(&y), argument(&n), argument(&held)];
        let (kernel, stream) = (&self.kernels.copy, self.cuda.stream());
        // SAFETY: the kernel takes two vectors of this length, and a log.
        self.cuda.attempt(|| unsafe { kernel.launch(stream, shape, arguments) });
    }

    fn clear(&mut self, x: &mut CudaVector) {
        self.fill_zeros(x, self.held());
    }

    fn dot(&mut self, x: &CudaVector, y: &CudaVector, to: &mut CudaVector) {
        assert_eq!(x.len(), y.len(), "lengths");
        let (count, grid, threads) = blocks(self.kind, x.len());
        if self.sums.len() < 2 * count {
            let sums = self.cuda.attempt(|| CudaVector::new(&self.cuda, self.kind, 2 * count));
            let Some(sums) = sums else { return };
            self.sums = sums;
        }
        let (n, held) = (x.len() as i64, self.held());
        let (x, y, sums, to) = (x.words(), y.words(), self.sums.words(), to.words());
        let (kernels, stream) = (&self.kernels, self.cuda.stream());
        self.cuda.attempt(|| {
            let shape = Shape { grid: [grid as u32, 1, 1], block: [threads, 1, 1], shared: 0 };
            let arguments =
                &mut [argument(&x), argument(&y), argument(&n), argument(&sums), argument(&held)];
            // SAFETY: the kernel takes two vectors of this length, one of a number for each block, and a log.
            unsafe { kernels.sum_products.launch(stream, shape, arguments)? };
            let shape = Shape { grid: [1, 1, 1], block: [THREADS, 1, 1], shared: 0 };
            let arguments = &mut [
                argument(&x),
                argument(&y),
                argument(&n),
                argument(&sums),
                argument(&to),
                argument(&held),
            ];
            // SAFETY: as above, with two numbers for each block, and a vector with an entry.
            unsafe { kernels.add_sums.launch(stream, shape, arguments) }
        });
    }

    fn axpy(&mut self, sign: Sign, alpha: &CudaVector, x: &CudaVector, y: &mut CudaVector) {
        assert_eq!(x.len(), y.len(), "lengths");
        let (shape, n, held) = (Self::each(x.len()), x.len() as i64, self.held());
        let minus = i32::from(sign == Sign::Minus);
        let (alpha, x, y) = (alpha.words(), x.words(), y.words());
        let arguments = &mut [
            argument(&alpha),
            argument(&minus),
            argument(&x),
            argument(&y),
            argument(&n),
            argument(&held),
        ];
        let (kernel, stream) = (&self.kernels.axpy, self.cuda.stream());
        // SAFETY: the kernel takes a number, an `int`, two vectors of this length, and a log.
        self.cuda.attempt(|| unsafe { kernel.launch(stream, shape, arguments) });
    }

    fn xpay(&mut self, x: &CudaVector, sign: Sign, beta: &CudaVector, y: &mut CudaVector) {
        assert_eq!(x.len(), y.len(), "lengths");
        let (shape, n, held) = (Self::each(x.len()), x.len() as i64, self.held());
        let minus = i32::from(sign == Sign::Minus);
        let (x, beta, y) = (x.words(), beta.words(), y.words());
        let arguments = &mut [
            argument(&x),
            argument(&beta),
            argument(&minus),
            argument(&y),
            argument(&n),
            argument(&held),
        ];
        let (kernel, stream) = (&self.kernels.xpay, self.cuda.stream());
        // SAFETY: as in `axpy`.
        self.cuda.attempt(|| unsafe { kernel.launch(stream, shape, arguments) });
    }

    fn scale(&mut self, alpha: &CudaVector, x: &mut CudaVector) {
        let (shape, n, held) = (Self::each(x.len()), x.len() as i64, self.held());
        let (alpha, x) = (alpha.words(), x.words());
        let arguments = &mut [argument(&alpha), argument(&x), argument(&n), argument(&held)];
        let (kernel, stream) = (&self.kernels.scale, self.cuda.stream());
        // SAFETY: the kernel takes a number, a vector of this length, and a log.
        self.cuda.attempt(|| unsafe { kernel.launch(stream, shape, arguments) });
    }

    fn assign(&mut self, a: &CudaVector, to: &mut CudaVector) {
        self.compute_number(Operation::Assign, a, a, to);
    }

    fn compute(
        &mut self,
        operation: NumberOp,
        a: &CudaVector,
        b: &CudaVector,
        to: &mut CudaVector,
    ) {
        let operation = match operation {
            NumberOp::Add => Operation::Add,
            NumberOp::Sub => Operation::Sub,
            NumberOp::Mul => Operation::Mul,
            NumberOp::Div => Operation::Div,
        };
        self.compute_number(operation, a, b, to);
    }

    fn root(&mut self, a: &CudaVector, to: &mut CudaVector) {
        self.compute_number(Operation::Root, a, a, to);
    }

    fn log(&self, columns: usize, limit: Reading) -> CudaLog {
        CudaLog::new(&self.cuda, columns, limit)
    }

    fn record<const K: usize>(&mut self, log: &mut CudaLog, row: [&CudaVector; K]) {
        const { assert!(K >= 1 && K <= COLUMNS) };
        assert_eq!(K, log.columns, "columns");
        let Some(buffer) = log.buffer().map(|buffer| buffer.address()) else { return };
        // Those that the kernel has room for and the row lacks are not recorded.
        let numbers: [[u64; 3]; COLUMNS] =
            core::array::from_fn(|k| row[if k < K { k } else { 0 }].words());
        let (columns, held) = (K as i32, self.held());
        let [a, b, c, d] = &numbers;
        let arguments = &mut [
            argument(&buffer),
            argument(&columns),
            argument(a),
            argument(b),
            argument(c),
            argument(d),
            argument(&held),
        ];
        let shape = Shape { grid: [1, 1, 1], block: [1, 1, 1], shared: 0 };
        let (kernel, cuda) = (&self.kernels.record, &self.cuda);
        cuda.attempt(|| {
            log.expect_row(cuda)?;
            // SAFETY: the kernel takes a log with room for a row, an `int`, four numbers, and a log.
            unsafe { kernel.launch(cuda.stream(), shape, arguments) }
        });
    }

    fn hold(&mut self, log: &CudaLog) {
        self.held = log.buffer().cloned();
    }

    fn release(&mut self) {
        self.held = None;
    }

    fn look<'a>(&mut self, log: &'a mut CudaLog) -> Result<&'a [Reading], LinalgError> {
        self.cuda.fetch(|| log.read(&self.cuda))?;
        Ok(log.look())
    }
}

impl CudaSpace {
    /// `x ← 0`, unless a log holds.
    fn fill_zeros(&self, x: &mut CudaVector, held: u64) {
        let (shape, n) = (Self::each(x.len()), x.len() as i64);
        let x = x.words();
        let arguments = &mut [argument(&x), argument(&n), argument(&held)];
        let (kernel, stream) = (&self.kernels.clear, self.cuda.stream());
        // SAFETY: the kernel takes a vector of this length, and a log.
        self.cuda.attempt(|| unsafe { kernel.launch(stream, shape, arguments) });
    }
}

impl Round<CudaSpace> for CudaSpace {
    fn round(&mut self, x: &CudaVector, exponent: i64, to: &mut CudaVector) {
        assert_eq!((x.len(), to.kind()), (to.len(), Kind::Limbs(1)), "lengths and kinds");
        let (shape, n, held) = (Self::each(x.len()), x.len() as i64, self.held());
        let (x, exponent, [to, ..]) = (x.words(), -exponent, to.words());
        let arguments =
            &mut [argument(&x), argument(&exponent), argument(&to), argument(&n), argument(&held)];
        let (kernel, stream) = (&self.kernels.round_entries, self.cuda.stream());
        // SAFETY: the kernel takes a vector, a number, as many `double`s as the vector has entries, their count, and a log.
        self.cuda.attempt(|| unsafe { kernel.launch(stream, shape, arguments) });
    }

    fn widen(&mut self, x: &CudaVector, exponent: i64, to: &mut CudaVector) {
        assert_eq!((x.len(), x.kind()), (to.len(), Kind::Limbs(1)), "lengths and kinds");
        let (shape, n, held) = (Self::each(to.len()), to.len() as i64, self.held());
        let ([x, ..], to) = (x.words(), to.words());
        let arguments =
            &mut [argument(&x), argument(&exponent), argument(&to), argument(&n), argument(&held)];
        let (kernel, stream) = (&self.kernels.widen_entries, self.cuda.stream());
        // SAFETY: as in `round`.
        self.cuda.attempt(|| unsafe { kernel.launch(stream, shape, arguments) });
    }
}
