//! Floating-point numbers in residues on a device: elementwise operations, with the bits of [`nonius_num::rns::float`].

use core::cmp::Ordering;
use core::ffi::CStr;

use nonius_linalg::Error as LinalgError;
use nonius_num::RnsFloat;
use nonius_num::mp::Head;
use nonius_num::rns::float::Format;

use crate::backend::Cuda;
use crate::error::Error;
use crate::kernels::Source;
use crate::memory::{Buffer, bytes_of, bytes_of_mut};
use crate::module::{Shape, argument};

/// Threads of a block.
const THREADS: usize = 128;

/// A vector of numbers of one format in a device's memory: heads, bounds, and the residues modulo each modulus, each side by side.
#[derive(Debug)]
pub struct RnsVector {
    format: Format,
    length: usize,
    heads: Buffer,
    low: Buffer,
    high: Buffer,
    residues: Buffer,
}

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

/// The tables of a format on a device (`Tables` in `rns_float.cuh`).
struct Tables {
    words: [u64; 15],
    /// What the words point at.
    _rows: Vec<Buffer>,
}

impl Tables {
    fn new(cuda: &Cuda, format: &Format) -> Result<Self, Error> {
        let c = format.constants();
        let mut buffers = Vec::new();
        let mut words = [0; 15];
        for (word, row) in words.iter_mut().zip(c.rows()) {
            let buffer = cuda.numbers(row)?;
            *word = buffer.address();
            buffers.push(buffer);
        }
        let shares = cuda.numbers(c.shares)?;
        words[13] = shares.address();
        words[14] = c.mantissa;
        buffers.push(shares);
        Ok(Self { words, _rows: buffers })
    }
}

/// The module of a format. Formats of as many moduli and bits share it: what else differs stands in tables.
fn source(format: &Format) -> Source {
    let c = format.constants();
    let (bits, moduli) = (format.bits() as usize, format.moduli().len());
    let definitions = [
        ("PRECISION", bits),
        ("MODULI", moduli),
        ("DIGIT_BITS", c.digit),
        ("ROW_DIGITS", c.columns),
        ("STRIDE", format.lanes()),
        ("LOGARITHM", c.log),
    ];
    Source::of_numbers(&format!("rns-{bits}-{moduli}-{}", c.log), "rns.cu", &definitions)
}

/// The modules that are compiled beforehand: of a usual precision.
pub(crate) fn sources() -> Vec<Source> {
    Format::with_bits(106).iter().map(source).collect()
}

impl RnsVector {
    /// With anything in it.
    fn new(cuda: &Cuda, format: &Format, length: usize) -> Result<Self, Error> {
        let bytes = |each: usize| {
            let bytes = length.checked_mul(each).filter(|&bytes| bytes < 1 << 48);
            bytes.ok_or(Error::OutOfMemory { asked: u64::MAX, free: 0 })
        };
        let buffer = |each: usize| Buffer::new(cuda.stream(), bytes(each)?);
        let (heads, low, high) = (buffer(4)?, buffer(8)?, buffer(8)?);
        let residues = buffer(4 * format.moduli().len())?;
        Ok(Self { format: format.clone(), length, heads, low, high, residues })
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Moduli and precision.
    pub fn format(&self) -> &Format {
        &self.format
    }

    /// `Vector` in `rns.cu`.
    fn words(&self) -> [u64; 5] {
        let [heads, low, high] = [&self.heads, &self.low, &self.high].map(Buffer::address);
        [heads, low, high, self.residues.address(), self.length as u64]
    }
}

impl Cuda {
    /// Copies numbers to the device.
    ///
    /// Panics unless all are of the format.
    ///
    /// # Errors
    /// [`LinalgError::Device`]: the first failure of the backend.
    pub fn upload_rns(&self, format: &Format, x: &[RnsFloat]) -> Result<RnsVector, LinalgError> {
        assert!(x.iter().all(|x| x.format() == format), "format");
        let views = || x.iter().map(RnsFloat::view);
        let heads: Vec<Head> = views().map(|x| x.head()).collect();
        let low: Vec<u64> = views().map(|x| x.bounds().low()).collect();
        let high: Vec<u64> = views().map(|x| x.bounds().high()).collect();
        let residues: Vec<u32> = (0..format.moduli().len())
            .flat_map(|modulus| x.iter().map(move |x| x.view().stored()[modulus]))
            .collect();
        self.fetch(|| {
            let mut vector = RnsVector::new(self, format, x.len())?;
            let stream = self.stream();
            // SAFETY: not locked memory.
            unsafe {
                vector.heads.write(stream, 0, bytes_of(&heads))?;
                vector.low.write(stream, 0, bytes_of(&low))?;
                vector.high.write(stream, 0, bytes_of(&high))?;
                vector.residues.write(stream, 0, bytes_of(&residues))?;
            }
            Ok(vector)
        })
    }

    /// Copies numbers to the host. What is no number of the format, which only a fault of the device could leave, is NaN.
    ///
    /// # Errors
    /// [`LinalgError::Device`]: the first failure of the backend.
    pub fn download_rns(&self, x: &RnsVector) -> Result<Vec<RnsFloat>, LinalgError> {
        let (n, moduli) = (x.length, x.format.moduli().len());
        let mut heads = vec![Head::default(); n];
        let (mut low, mut high) = (vec![0_u64; n], vec![0_u64; n]);
        let mut residues = vec![0_u32; n * moduli];
        self.fetch(|| {
            let stream = self.stream();
            // SAFETY: all live, and are not looked at, until the stream has been waited for; heads are read as they were written by
            // the host, or by kernels, which write heads of numbers.
            unsafe {
                x.heads.read(stream, 0, bytes_of_mut(&mut heads))?;
                x.low.read(stream, 0, bytes_of_mut(&mut low))?;
                x.high.read(stream, 0, bytes_of_mut(&mut high))?;
                x.residues.read(stream, 0, bytes_of_mut(&mut residues))?;
            }
            stream.synchronize()?;
            let mut stored = vec![0; x.format.lanes()];
            let number = |i: usize| {
                (0..moduli).for_each(|k| stored[k] = residues[k * n + i]);
                RnsFloat::from_stored(&x.format, heads[i], (low[i], high[i]), &stored)
                    .unwrap_or_else(|| RnsFloat::nan(&x.format))
            };
            Ok((0..n).map(number).collect())
        })
    }

    /// An operation entry by entry, each result rounded to nearest.
    ///
    /// Panics unless lengths and formats are the same.
    ///
    /// # Errors
    /// [`LinalgError::Device`]: the first failure of the backend.
    pub fn rns_elementwise(
        &self,
        operation: RnsOperation,
        x: &RnsVector,
        y: &RnsVector,
    ) -> Result<RnsVector, LinalgError> {
        let (name, negated) = match operation {
            RnsOperation::Add => (c"add", 0),
            RnsOperation::Sub => (c"add", 1),
            RnsOperation::Mul => (c"multiply", 0),
            RnsOperation::Div => (c"divide", 0),
        };
        self.fetch(|| self.rns_run(name, x, y, negated))
    }

    /// The square root of every entry, rounded to nearest; NaN below zero.
    ///
    /// # Errors
    /// [`LinalgError::Device`]: the first failure of the backend.
    pub fn rns_sqrt(&self, x: &RnsVector) -> Result<RnsVector, LinalgError> {
        self.fetch(|| self.rns_run(c"root", x, x, 0))
    }

    /// Every entry times `2^k`, exactly, or beyond the range infinite or zero.
    ///
    /// # Errors
    /// [`LinalgError::Device`]: the first failure of the backend.
    pub fn rns_ldexp(&self, x: &RnsVector, k: i32) -> Result<RnsVector, LinalgError> {
        self.fetch(|| self.rns_run(c"scale", x, x, k))
    }

    /// How each entry of `x` compares with that of `y`; `None` where one is NaN.
    ///
    /// Panics unless lengths and formats are the same.
    ///
    /// # Errors
    /// [`LinalgError::Device`]: the first failure of the backend.
    pub fn rns_compare(
        &self,
        x: &RnsVector,
        y: &RnsVector,
    ) -> Result<Vec<Option<Ordering>>, LinalgError> {
        // The order stands where a head does.
        let orders: Vec<i32> =
            self.fetch(|| self.read(&self.rns_run(c"compare", x, y, 0)?.heads, x.length))?;
        let order = |order: i32| match order {
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
        name: &'static CStr,
        x: &RnsVector,
        y: &RnsVector,
        k: i32,
    ) -> Result<RnsVector, Error> {
        assert!(x.length == y.length && x.format == y.format, "lengths and formats");
        let z = RnsVector::new(self, &x.format, x.length)?;
        let kernel = self.device().module(&source(&x.format))?.kernel(name)?;
        // Freed in the order of the stream.
        let tables = Tables::new(self, &x.format)?;
        let (to, n) = (z.words(), x.length as i64);
        let (x, y) = (x.words(), y.words());
        let arguments = &mut [
            argument(&tables.words),
            argument(&x),
            argument(&y),
            argument(&k),
            argument(&to),
            argument(&n),
        ];
        let blocks = z.length.div_ceil(THREADS).min(1 << 20) as u32;
        let shape = Shape { grid: [blocks, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 };
        // SAFETY: all kernels take tables, two vectors, an `int`, and a vector, of as many numbers of the tables' format.
        unsafe { kernel.launch(self.stream(), shape, arguments)? };
        Ok(z)
    }
}
