//! Vectors for iterative methods in a device's memory.
//!
//! Operations queue, on vectors and on single numbers alike, so that nothing of an iteration waits for the host. Their bits are those of the host's spaces, but for the
//! [readings](Reading) of limbs, which are first limbs.

mod kind;
mod log;
mod sources;
mod sparse;
mod triangle;
mod vector;

use core::ffi::CStr;
use std::sync::Arc;

use nonius_gpu::{Argument, Buffer, Error, Kernel, Module, Shape, Source, argument};
use nonius_linalg::backend::{NumberOp, Reading, Round, Sign, Space};
use nonius_linalg::cpu::reduce::{BLOCKS, PARTIALS};
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::{MP_BLOCK, RnsSpace};
use nonius_linalg::mp::Bits;
use nonius_linalg::{Error as LinalgError, Scalar};

use crate::backend::Cuda;

pub(crate) use kind::{Kind, rns_source};
pub use log::CudaLog;
pub(crate) use sources::{sources, usual_sources};
pub use sparse::CudaSparse;
pub use triangle::CudaIncompleteCholesky;
pub use vector::{CudaVector, Planar};

/// Threads of a block in operations on entries.
const THREADS: u32 = 256;
/// Threads of a block that sums products of limbs.
const WARP: usize = 32;
/// Arguments of a kernel at the most, but for the log that holds the space.
const ARGUMENTS: usize = 6;
/// One thread.
const SINGLE: Shape = Shape { grid: [1, 1, 1], block: [1, 1, 1], shared: 0 };
/// Numbers in a row of a log at the most.
const COLUMNS: usize = 4;

/// Vectors of `f64`, `dd`, `td` or `qd`, of numbers of any bits, or of numbers in residues, on a GPU.
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
    multiply: Kernel,
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
            multiply: kernel(c"multiply")?,
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

fn source(kind: &Kind, arithmetic: Arithmetic) -> Source {
    kind.source("space", "sparse/space.cu", arithmetic, &[])
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
        if arithmetic.is_for_dd() {
            return Err(LinalgError::NoArithmetic { arithmetic, precision: "mp" });
        }
        Self::new(cuda, Kind::Mp(bits), arithmetic)
    }

    /// Vectors of numbers in residues, with the bits of this space of the host.
    ///
    /// # Errors
    /// As [`limbs`](Self::limbs).
    pub fn rns(cuda: &Cuda, host: &RnsSpace) -> Result<Self, LinalgError> {
        Self::new(cuda, Kind::Rns(host.format().clone()), Arithmetic::Ieee)
    }

    fn new(cuda: &Cuda, kind: Kind, arithmetic: Arithmetic) -> Result<Self, LinalgError> {
        cuda.fetch(|| {
            let module = cuda.device().module(&source(&kind, arithmetic))?;
            let kernels = Kernels::of(&module)?;
            let sums = CudaVector::new(cuda, kind.clone(), 2)?;
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
        assert_eq!(*vector.kind(), self.kind, "kind of numbers");
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

    pub(crate) fn kind(&self) -> &Kind {
        &self.kind
    }

    pub(crate) fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// The address of the log that holds the space, or 0.
    pub(crate) fn held(&self) -> u64 {
        self.held.as_ref().map_or(0, |buffer| buffer.address())
    }

    /// Queues a kernel.
    ///
    /// # Safety
    /// It takes these arguments and the log that holds the space; else as [`Kernel::launch`].
    unsafe fn launch(&self, kernel: &Kernel, shape: Shape, arguments: &[Argument<'_>]) {
        let held = self.held();
        let mut all = [argument(&held); ARGUMENTS + 1];
        all[..arguments.len()].copy_from_slice(arguments);
        let all = &mut all[..=arguments.len()];
        // SAFETY: the caller's promise.
        self.cuda.attempt(|| unsafe { kernel.launch(self.cuda.stream(), shape, all) });
    }

    /// Queues a kernel for each of `n` entries.
    ///
    /// # Safety
    /// It takes these arguments, `n`, and the log that holds the space; else as [`Kernel::launch`].
    unsafe fn for_each(&self, kernel: &Kernel, n: usize, arguments: &[Argument<'_>]) {
        let count = n as i64;
        let mut all = [argument(&count); ARGUMENTS];
        all[..arguments.len()].copy_from_slice(arguments);
        // SAFETY: the caller's promise.
        unsafe { self.launch(kernel, each(n), &all[..=arguments.len()]) };
    }

    /// Zeros for a new vector, whether or not a log holds the space.
    fn fill_zeros(&self, x: &mut CudaVector) {
        let (shape, n, held) = (each(x.len()), x.len() as i64, 0_u64);
        let x = x.words();
        let arguments = &mut [argument(&x), argument(&n), argument(&held)];
        let (kernel, stream) = (&self.kernels.clear, self.cuda.stream());
        // SAFETY: the kernel takes a vector of this length, and a log or none.
        self.cuda.attempt(|| unsafe { kernel.launch(stream, shape, arguments) });
    }

    fn compute_number(
        &mut self,
        operation: Operation,
        a: &CudaVector,
        b: &CudaVector,
        to: &mut CudaVector,
    ) {
        let operation = operation as i32;
        let (a, b, to) = (a.words(), b.words(), to.words());
        let arguments = [argument(&operation), argument(&a), argument(&b), argument(&to)];
        // SAFETY: the kernel takes an `int` and three vectors, which have an entry each.
        unsafe { self.launch(&self.kernels.compute, SINGLE, &arguments) };
    }
}

/// Threads for each of `count` entries.
fn each(count: usize) -> Shape {
    let blocks = count.div_ceil(THREADS as usize).min(1 << 20) as u32;
    Shape { grid: [blocks, 1, 1], block: [THREADS, 1, 1], shared: 0 }
}

/// Block sums of a vector of so many entries, and blocks of threads that form them.
fn blocks(kind: &Kind, n: usize) -> (usize, usize, u32) {
    match kind {
        // A thread has a partial sum.
        Kind::Limbs(limbs) => {
            let count = n.div_ceil(BLOCKS[*limbs]);
            (count, count.div_ceil(WARP / PARTIALS[*limbs]), WARP as u32)
        }
        Kind::Mp(_) | Kind::Rns(_) => {
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
        let mut vector = self.cuda.fetch(|| CudaVector::new(&self.cuda, self.kind.clone(), n))?;
        self.fill_zeros(&mut vector);
        Ok(vector)
    }

    fn number(&self) -> CudaVector {
        let mut number = self
            .cuda
            .attempt(|| CudaVector::new(&self.cuda, self.kind.clone(), 1))
            .unwrap_or_else(|| CudaVector::absent(&self.cuda, self.kind.clone(), 1));
        self.fill_zeros(&mut number);
        number
    }

    fn length(&self, x: &CudaVector) -> usize {
        x.len()
    }

    fn set(&mut self, value: f64, to: &mut CudaVector) {
        let to = to.words();
        // SAFETY: the kernel takes a `double` and a vector, which has an entry.
        unsafe { self.launch(&self.kernels.set, SINGLE, &[argument(&value), argument(&to)]) };
    }

    fn copy(&mut self, x: &CudaVector, y: &mut CudaVector) {
        assert_eq!(x.len(), y.len(), "lengths");
        let (n, x, y) = (x.len(), x.words(), y.words());
        // SAFETY: the kernel takes two vectors of this length.
        unsafe { self.for_each(&self.kernels.copy, n, &[argument(&x), argument(&y)]) };
    }

    fn clear(&mut self, x: &mut CudaVector) {
        let (n, x) = (x.len(), x.words());
        // SAFETY: the kernel takes a vector of this length.
        unsafe { self.for_each(&self.kernels.clear, n, &[argument(&x)]) };
    }

    fn dot(&mut self, x: &CudaVector, y: &CudaVector, to: &mut CudaVector) {
        assert_eq!(x.len(), y.len(), "lengths");
        let (count, grid, threads) = blocks(&self.kind, x.len());
        if self.sums.len() < 2 * count {
            let new = || CudaVector::new(&self.cuda, self.kind.clone(), 2 * count);
            let sums = self.cuda.attempt(new);
            let Some(sums) = sums else { return };
            self.sums = sums;
        }
        let n = x.len() as i64;
        let (x, y, sums, to) = (x.words(), y.words(), self.sums.words(), to.words());
        let arguments = [argument(&x), argument(&y), argument(&n), argument(&sums), argument(&to)];
        let shape = Shape { grid: [grid as u32, 1, 1], block: [threads, 1, 1], shared: 0 };
        // SAFETY: the kernel takes two vectors of this length, and one of a number for each block.
        unsafe { self.launch(&self.kernels.sum_products, shape, &arguments[..4]) };
        let shape = Shape { grid: [1, 1, 1], block: [THREADS, 1, 1], shared: 0 };
        // SAFETY: as above, with two numbers for each block, and a vector with an entry.
        unsafe { self.launch(&self.kernels.add_sums, shape, &arguments) };
    }

    fn axpy(&mut self, sign: Sign, alpha: &CudaVector, x: &CudaVector, y: &mut CudaVector) {
        assert_eq!(x.len(), y.len(), "lengths");
        let minus = i32::from(sign == Sign::Minus);
        let (n, alpha, x, y) = (x.len(), alpha.words(), x.words(), y.words());
        let arguments = [argument(&alpha), argument(&minus), argument(&x), argument(&y)];
        // SAFETY: the kernel takes a number, an `int`, and two vectors of this length.
        unsafe { self.for_each(&self.kernels.axpy, n, &arguments) };
    }

    fn xpay(&mut self, x: &CudaVector, sign: Sign, beta: &CudaVector, y: &mut CudaVector) {
        assert_eq!(x.len(), y.len(), "lengths");
        let minus = i32::from(sign == Sign::Minus);
        let (n, x, beta, y) = (x.len(), x.words(), beta.words(), y.words());
        let arguments = [argument(&x), argument(&beta), argument(&minus), argument(&y)];
        // SAFETY: as in `axpy`.
        unsafe { self.for_each(&self.kernels.xpay, n, &arguments) };
    }

    fn scale(&mut self, alpha: &CudaVector, x: &mut CudaVector) {
        let (n, alpha, x) = (x.len(), alpha.words(), x.words());
        // SAFETY: the kernel takes a number and a vector of this length.
        unsafe { self.for_each(&self.kernels.scale, n, &[argument(&alpha), argument(&x)]) };
    }

    fn multiply(&mut self, x: &CudaVector, y: &mut CudaVector) {
        assert_eq!(x.len(), y.len(), "lengths");
        let (n, x, y) = (x.len(), x.words(), y.words());
        // SAFETY: the kernel takes two vectors of this length.
        unsafe { self.for_each(&self.kernels.multiply, n, &[argument(&x), argument(&y)]) };
    }

    fn norm(&mut self, x: &CudaVector, to: &mut CudaVector) {
        self.dot(x, x, to);
        let operation = Operation::Root as i32;
        let to = to.words();
        let arguments = [argument(&operation), argument(&to), argument(&to), argument(&to)];
        // SAFETY: as in `compute_number`; the kernel reads its numbers before it writes one.
        unsafe { self.launch(&self.kernels.compute, SINGLE, &arguments) };
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
        let (columns, [a, b, c, d]) = (K as i32, &numbers);
        let arguments = [
            argument(&buffer),
            argument(&columns),
            argument(a),
            argument(b),
            argument(c),
            argument(d),
        ];
        let room = self.cuda.attempt(|| log.expect_row(&self.cuda));
        if room.is_some() {
            // SAFETY: the kernel takes a log with room for a row, an `int`, and four numbers.
            unsafe { self.launch(&self.kernels.record, SINGLE, &arguments) };
        }
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

impl Round<CudaSpace> for CudaSpace {
    fn round(&mut self, x: &CudaVector, exponent: i64, to: &mut CudaVector) {
        assert_eq!((x.len(), to.kind()), (to.len(), &Kind::Limbs(1)), "lengths and kinds");
        let (n, x, exponent, [to, ..]) = (x.len(), x.words(), -exponent, to.words());
        let arguments = [argument(&x), argument(&exponent), argument(&to)];
        // SAFETY: the kernel takes a vector, a number, and as many `double`s as the vector has entries.
        unsafe { self.for_each(&self.kernels.round_entries, n, &arguments) };
    }

    fn widen(&mut self, x: &CudaVector, exponent: i64, to: &mut CudaVector) {
        assert_eq!((x.len(), x.kind()), (to.len(), &Kind::Limbs(1)), "lengths and kinds");
        let (n, [x, ..], to) = (x.len(), x.words(), to.words());
        let arguments = [argument(&x), argument(&exponent), argument(&to)];
        // SAFETY: as in `round`.
        unsafe { self.for_each(&self.kernels.widen_entries, n, &arguments) };
    }
}
