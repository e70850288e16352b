//! Vectors for iterative methods in a device's memory.
//!
//! Operations queue, on vectors and on single numbers alike, so that nothing of an iteration waits
//! for the host. Their bits are those of the host's spaces, but for the [readings](Reading) of
//! limbs, which are first limbs.

mod home;
mod kernels;
mod kind;
mod log;
mod segments;
mod sources;
mod sparse;
mod sums;
mod triangle;
mod vector;

use std::sync::Arc;

use nonius_gpu::{Arguments, Buffer, Const, Kernel, Pointer, Shape, Source};
use nonius_linalg::backend::{NumberOp, Reading, Round, Sign, Space};
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::{RnsSpace, check_sums};
use nonius_linalg::{Error as LinalgError, Number};

use self::kernels::{
    Axpy, COLUMNS, Computation, Kernels, Log, OneVector, Record, Rounding, Scaling, Setting,
    TwoVectors, Widening, Xpay,
};
use crate::backend::Cuda;
use crate::transfer;

pub(crate) use kind::{Kind, rns_source};
pub use log::CudaLog;
pub use segments::CudaPairs;
pub(crate) use sources::{sources, usual_sources};
pub use sparse::CudaSparse;
pub use triangle::CudaIncompleteCholesky;
pub use vector::{CudaVector, Planar};
pub(crate) use vector::{Planes, Vector};

/// Threads of a block in operations on entries.
const THREADS: u32 = 256;
/// One thread.
const SINGLE: Shape = Shape { grid: [1, 1, 1], block: [1, 1, 1], shared: 0 };

/// Vectors of `f64`, `dd`, `td` or `qd`, of numbers of any bits, or of numbers in residues, on a
/// GPU.
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
    Kernels::declared(kind.source("space", "sparse/space.cu", arithmetic, &[]))
}

impl CudaSpace {
    /// Vectors of numbers of a format, with sums in the arithmetic that is given.
    ///
    /// # Errors
    /// As [`check_sums`]. [`LinalgError::Device`]: kernels that cannot be compiled or loaded,
    /// memory, or an earlier failure of the backend.
    pub fn numbers<T: Number>(
        cuda: &Cuda,
        format: T::Format,
        arithmetic: Arithmetic,
    ) -> Result<Self, LinalgError> {
        check_sums(T::precision(format), arithmetic)?;
        Self::new(cuda, Kind::of::<T>(format), arithmetic)
    }

    /// Vectors of numbers in residues, with the bits of this space of the host.
    ///
    /// # Errors
    /// As [`numbers`](Self::numbers).
    pub fn rns(cuda: &Cuda, host: &RnsSpace) -> Result<Self, LinalgError> {
        Self::new(cuda, Kind::Rns(host.format().clone()), Arithmetic::Ieee)
    }

    /// Gets ready for vectors of a kind beside those of `f64`.
    fn prepare(cuda: &Cuda, kind: &Kind, arithmetic: Arithmetic) {
        let mut sources = vec![source(kind, arithmetic)];
        if let Kind::Limbs(limbs) = *kind {
            sources.extend(transfer::sources(limbs));
        }
        if *kind != Kind::Limbs(1) {
            sources.push(source(&Kind::Limbs(1), Arithmetic::Delayed));
            sources.extend(transfer::sources(1));
        }
        cuda.device().prepare(&sources);
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

    /// All words of a vector's memory.
    ///
    /// # Errors
    /// As [`download`](Self::download).
    pub fn words(&self, x: &CudaVector) -> Result<Vec<u64>, LinalgError> {
        self.cuda.fetch(|| self.cuda.read(x.buffer(), x.buffer().bytes() / size_of::<u64>()))
    }

    /// Overwrites a vector with the words of one of the same length and kind of numbers.
    ///
    /// Panics where they are more or fewer.
    ///
    /// # Errors
    /// [`LinalgError::Device`].
    pub fn set_words(&self, words: &[u64], x: &mut CudaVector) -> Result<(), LinalgError> {
        self.cuda.fetch(|| x.write_words(&self.cuda, words))
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

    /// The log that holds the space, or null.
    pub(crate) fn held(&self) -> Pointer<Const<Log>> {
        self.held.as_ref().map_or(Pointer::NULL, |buffer| buffer.pointer())
    }

    /// Queues a kernel.
    ///
    /// # Safety
    /// As [`Kernel::launch`].
    unsafe fn launch<A: Arguments>(&self, kernel: &Kernel<A>, shape: Shape, arguments: &A) {
        // SAFETY: the caller's promise.
        self.cuda.attempt(|| unsafe { kernel.launch(self.cuda.stream(), shape, arguments) });
    }

    /// Zeros for a vector, unless that log holds the space.
    fn fill_zeros(&self, x: &mut CudaVector, held: Pointer<Const<Log>>) {
        let arguments = OneVector { x: x.planes(), n: x.len() as i64, held };
        // SAFETY: the vector has this length, and is borrowed mutably.
        unsafe { self.launch(&self.kernels.clear, each(x.len()), &arguments) };
    }

    fn compute_number(
        &self,
        operation: Operation,
        a: &CudaVector,
        b: &CudaVector,
        to: Planes<Vector>,
    ) {
        let (a, b) = (a.planes(), b.planes());
        let arguments = Computation { operation: operation as i32, a, b, to, held: self.held() };
        // SAFETY: the vectors have an entry each; the kernel reads numbers before it writes one.
        unsafe { self.launch(&self.kernels.compute, SINGLE, &arguments) };
    }
}

/// Threads for each of `count` entries.
fn each(count: usize) -> Shape {
    let blocks = count.div_ceil(THREADS as usize).min(1 << 20) as u32;
    Shape { grid: [blocks, 1, 1], block: [THREADS, 1, 1], shared: 0 }
}

impl Space for CudaSpace {
    type Vector = CudaVector;
    type Number = CudaVector;
    type Log = CudaLog;

    // Iterations of short vectors take 50 to 100 µs; what waits for a look should be much longer.
    const LOOK: usize = 64;

    fn vector(&self, n: usize) -> Result<CudaVector, LinalgError> {
        let mut vector = self.cuda.fetch(|| CudaVector::new(&self.cuda, self.kind.clone(), n))?;
        self.fill_zeros(&mut vector, Pointer::NULL);
        Ok(vector)
    }

    fn number(&self) -> CudaVector {
        let mut number = self
            .cuda
            .attempt(|| CudaVector::new(&self.cuda, self.kind.clone(), 1))
            .unwrap_or_else(|| CudaVector::absent(&self.cuda, self.kind.clone(), 1));
        self.fill_zeros(&mut number, Pointer::NULL);
        number
    }

    fn length(&self, x: &CudaVector) -> usize {
        x.len()
    }

    fn check_numbers(&self, operand: &'static str, x: &CudaVector) -> Result<(), LinalgError> {
        self.kind.check(operand, x.kind())
    }

    fn set(&mut self, value: f64, to: &mut CudaVector) {
        let arguments = Setting { value, to: to.planes(), held: self.held() };
        // SAFETY: the vector has an entry.
        unsafe { self.launch(&self.kernels.set, SINGLE, &arguments) };
    }

    fn copy(&mut self, x: &CudaVector, y: &mut CudaVector) {
        assert_eq!(x.len(), y.len(), "lengths");
        let (n, held) = (x.len() as i64, self.held());
        let arguments = TwoVectors { x: x.planes(), y: y.planes(), n, held };
        // SAFETY: both vectors have this length.
        unsafe { self.launch(&self.kernels.copy, each(x.len()), &arguments) };
    }

    fn clear(&mut self, x: &mut CudaVector) {
        self.fill_zeros(x, self.held());
    }

    fn dot(&mut self, x: &CudaVector, y: &CudaVector, to: &mut CudaVector) {
        self.sum_products(x, y, (Pointer::NULL, 1), to);
    }

    fn axpy(&mut self, sign: Sign, alpha: &CudaVector, x: &CudaVector, y: &mut CudaVector) {
        assert_eq!(x.len(), y.len(), "lengths");
        let arguments = Axpy {
            a: alpha.planes(),
            minus: (sign == Sign::Minus).into(),
            x: x.planes(),
            y: y.planes(),
            n: x.len() as i64,
            held: self.held(),
        };
        // SAFETY: both vectors have this length, and there is a number.
        unsafe { self.launch(&self.kernels.axpy, each(x.len()), &arguments) };
    }

    fn xpay(&mut self, x: &CudaVector, sign: Sign, beta: &CudaVector, y: &mut CudaVector) {
        assert_eq!(x.len(), y.len(), "lengths");
        let arguments = Xpay {
            x: x.planes(),
            b: beta.planes(),
            minus: (sign == Sign::Minus).into(),
            y: y.planes(),
            n: x.len() as i64,
            held: self.held(),
        };
        // SAFETY: as in `axpy`.
        unsafe { self.launch(&self.kernels.xpay, each(x.len()), &arguments) };
    }

    fn scale(&mut self, alpha: &CudaVector, x: &mut CudaVector) {
        let (n, held) = (x.len() as i64, self.held());
        let arguments = Scaling { a: alpha.planes(), x: x.planes(), n, held };
        // SAFETY: the vector has this length, and there is a number.
        unsafe { self.launch(&self.kernels.scale, each(x.len()), &arguments) };
    }

    fn multiply(&mut self, x: &CudaVector, y: &mut CudaVector) {
        assert_eq!(x.len(), y.len(), "lengths");
        let (n, held) = (x.len() as i64, self.held());
        let arguments = TwoVectors { x: x.planes(), y: y.planes(), n, held };
        // SAFETY: both vectors have this length.
        unsafe { self.launch(&self.kernels.multiply, each(x.len()), &arguments) };
    }

    fn norm(&mut self, x: &CudaVector, to: &mut CudaVector) {
        self.dot(x, x, to);
        self.compute_number(Operation::Root, to, to, to.planes());
    }

    fn assign(&mut self, a: &CudaVector, to: &mut CudaVector) {
        self.compute_number(Operation::Assign, a, a, to.planes());
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
        self.compute_number(operation, a, b, to.planes());
    }

    fn root(&mut self, a: &CudaVector, to: &mut CudaVector) {
        self.compute_number(Operation::Root, a, a, to.planes());
    }

    fn log(&self, columns: usize, limit: Reading) -> CudaLog {
        CudaLog::new(&self.cuda, columns, limit)
    }

    fn record<const K: usize>(&mut self, log: &mut CudaLog, row: [&CudaVector; K]) {
        const { assert!(K >= 1 && K <= COLUMNS) };
        assert_eq!(K, log.columns, "columns");
        let Some(buffer) = log.buffer().map(|buffer| buffer.pointer()) else { return };
        // Those that the kernel has room for and the row lacks are not recorded.
        let [a, b, c, d] = core::array::from_fn(|k| row[if k < K { k } else { 0 }].planes());
        let held = self.held();
        let arguments = Record { log: buffer, columns: K as i32, a, b, c, d, held };
        let room = self.cuda.attempt(|| log.expect_row(&self.cuda));
        if room.is_some() {
            // SAFETY: the log has room for a row, and the vectors have an entry each.
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
        let arguments = Rounding {
            x: x.planes(),
            exponent: -exponent,
            y: to.limbs(),
            n: x.len() as i64,
            held: self.held(),
        };
        // SAFETY: there are as many `double`s as the vector has entries.
        unsafe { self.launch(&self.kernels.round_entries, each(x.len()), &arguments) };
    }

    fn widen(&mut self, x: &CudaVector, exponent: i64, to: &mut CudaVector) {
        assert_eq!((x.len(), x.kind()), (to.len(), &Kind::Limbs(1)), "lengths and kinds");
        let (n, held) = (x.len() as i64, self.held());
        let arguments = Widening { x: x.limbs().into(), exponent, y: to.planes(), n, held };
        // SAFETY: as in `round`.
        unsafe { self.launch(&self.kernels.widen_entries, each(x.len()), &arguments) };
    }
}
