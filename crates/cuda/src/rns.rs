//! Floating-point numbers in residues on a device: tables of their formats, and elementwise
//! operations, with the bits of [`nonius_num::rns::float`].

use core::cmp::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use nonius_gpu::{Buffer, Entry, Error, Shape, Source, kernel_parameters};
use nonius_linalg::Error as LinalgError;
use nonius_num::rns::float::Format;

use crate::backend::Cuda;
use crate::space::{CudaVector, Kind, Planes, Vector, rns_source};

/// Threads of a block.
const THREADS: usize = 128;

/// Operations on two vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RnsOperation {
    /// `x + y`.
    Add,
    /// `x − y`.
    Sub,
    /// `x · y`.
    Mul,
    /// `x / y`.
    Div,
}

/// Formats with their tables on the device (`Tables` in `rns/number.cuh`).
#[derive(Debug, Default)]
struct Formats(Mutex<Vec<(Format, Arc<Buffer>)>>);

kernel_parameters! {
    /// An operation, whether or not it looks at `y` and `k`.
    struct Elementwise {
        x: Planes<Vector>,
        y: Planes<Vector>,
        k: i32,
        z: Planes<Vector>,
        n: i64,
    }
}

const ADD: Entry<Elementwise> = Entry::new(c"add");
const MULTIPLY: Entry<Elementwise> = Entry::new(c"multiply");
const DIVIDE: Entry<Elementwise> = Entry::new(c"divide");
const ROOT: Entry<Elementwise> = Entry::new(c"root");
const SCALE: Entry<Elementwise> = Entry::new(c"scale");
const COMPARE: Entry<Elementwise> = Entry::new(c"compare");

fn source(format: &Format) -> Source {
    let source = rns_source(format, "rns", "rns/rns.cu", &[]);
    [ADD, MULTIPLY, DIVIDE, ROOT, SCALE, COMPARE].into_iter().fold(source, Source::entry)
}

/// The modules that are compiled beforehand: of a usual precision.
pub(crate) fn sources() -> Vec<Source> {
    Format::with_bits(106).iter().map(source).collect()
}

impl Cuda {
    /// The tables of a format, sent where they are not yet on the device.
    pub(crate) fn tables_of(&self, format: &Format) -> Result<Arc<Buffer>, Error> {
        let formats = self.resource::<Formats>();
        let mut known = formats.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, tables)) = known.iter().find(|(other, _)| other == format) {
            return Ok(Arc::clone(tables));
        }
        let tables = Arc::new(self.numbers(&format.constants().words())?);
        // Whatever stream they are read in.
        self.stream().synchronize()?;
        known.push((format.clone(), Arc::clone(&tables)));
        Ok(tables)
    }

    /// An operation on numbers in residues, entry by entry, each result rounded to nearest.
    ///
    /// Panics unless both are such vectors of one length and format.
    ///
    /// # Errors
    /// [`LinalgError::Device`]: the first failure of the backend.
    pub fn rns_elementwise(
        &self,
        operation: RnsOperation,
        x: &CudaVector,
        y: &CudaVector,
    ) -> Result<CudaVector, LinalgError> {
        let (entry, negated) = match operation {
            RnsOperation::Add => (ADD, 0),
            RnsOperation::Sub => (ADD, 1),
            RnsOperation::Mul => (MULTIPLY, 0),
            RnsOperation::Div => (DIVIDE, 0),
        };
        self.fetch(|| self.rns_run(entry, x, y, negated))
    }

    /// The square root of every entry, rounded to nearest; NaN below zero.
    ///
    /// Panics unless the vector is one of numbers in residues.
    ///
    /// # Errors
    /// [`LinalgError::Device`]: the first failure of the backend.
    pub fn rns_sqrt(&self, x: &CudaVector) -> Result<CudaVector, LinalgError> {
        self.fetch(|| self.rns_run(ROOT, x, x, 0))
    }

    /// Every entry times `2^k`, exactly, or beyond the range infinite or zero.
    ///
    /// Panics unless the vector is one of numbers in residues.
    ///
    /// # Errors
    /// [`LinalgError::Device`]: the first failure of the backend.
    pub fn rns_ldexp(&self, x: &CudaVector, k: i32) -> Result<CudaVector, LinalgError> {
        self.fetch(|| self.rns_run(SCALE, x, x, k))
    }

    /// How each entry of `x` compares with that of `y`; `None` where one is NaN.
    ///
    /// Panics unless both are vectors of numbers in residues, of one length and format.
    ///
    /// # Errors
    /// [`LinalgError::Device`]: the first failure of the backend.
    pub fn rns_compare(
        &self,
        x: &CudaVector,
        y: &CudaVector,
    ) -> Result<Vec<Option<Ordering>>, LinalgError> {
        // The order stands where a head does.
        let orders = self.fetch(|| self.rns_run(COMPARE, x, y, 0)?.heads(self))?;
        let order = |head: i32| match head {
            -1 => Some(Ordering::Less),
            0 => Some(Ordering::Equal),
            1 => Some(Ordering::Greater),
            _ => None,
        };
        Ok(orders.into_iter().map(order).collect())
    }

    /// What a kernel makes of two vectors and a number.
    fn rns_run(
        &self,
        entry: Entry<Elementwise>,
        x: &CudaVector,
        y: &CudaVector,
        k: i32,
    ) -> Result<CudaVector, Error> {
        let Kind::Rns(format) = x.kind() else { panic!("numbers in residues") };
        assert!(x.len() == y.len() && x.kind() == y.kind(), "lengths and formats");
        let z = CudaVector::new(self, x.kind().clone(), x.len())?;
        let kernel = self.device().module(&source(format))?.kernel(entry)?;
        let arguments =
            Elementwise { x: x.planes(), y: y.planes(), k, z: z.planes(), n: x.len() as i64 };
        let blocks = z.len().div_ceil(THREADS).min(1 << 20) as u32;
        let shape = Shape { grid: [blocks, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 };
        // SAFETY: the vectors have as many numbers of one format, and the last is new.
        unsafe { kernel.launch(self.stream(), shape, &arguments)? };
        Ok(z)
    }
}
