//! Judging solutions on a device: their largest residuals.

use nonius_gpu::{Buffer, Const, Entry, Error, Pointer, Shape, Source, kernel_arguments};
use nonius_linalg::Number;
use nonius_linalg::backend::{Judge, Reading};
use nonius_linalg::dense::gemm::crt::{Plan, Target};
use nonius_linalg::dense::gemm::{Accuracy, Engine, Products};
use nonius_num::Mp;
use nonius_num::mp::Bits;

use crate::backend::Cuda;
use crate::crt::{Integers, LongTask, MpTask, Outcome};
use crate::kind::Kind;
use crate::matrix::{DeviceMatrix, DeviceMut, DeviceRef, Layout};
use crate::mp_numbers::Numbers;
use crate::texts;
use crate::transfer;

kernel_arguments! {
    /// `max_i |B − P|_ij` of some columns.
    struct Residuals {
        /// These columns of `A·X`.
        product: Numbers,
        /// `B`, all of it: limb `l` of entry `(i, j)` is at `b[i + j·column + l·plane]`. Null for
        /// the identity.
        b: Pointer<Const<f64>>,
        column: i64,
        plane: i64,
        limbs: i64,
        /// `B` of numbers of any precision; none where it is of limbs, or the identity.
        numbers: Numbers,
        /// The first of the columns.
        first: i64,
        /// For each column of `B`: a significand, and the power of two that it is to be multiplied
        /// by.
        largest: Pointer<f64>,
        exponents: Pointer<i64>,
    }
}

const LARGEST_RESIDUALS: Entry<Residuals> = Entry::new(c"largest_residuals");

/// Threads of a block, which takes a column.
const THREADS: u32 = 256;

fn source() -> Source {
    texts::module("mp-residual", "mp/residual.cu")
        .define_all(&[("RESIDUAL_THREADS", THREADS as usize)])
        .entry(LARGEST_RESIDUALS)
}

/// Every module of this capability.
pub(crate) fn sources() -> Vec<Source> {
    vec![source()]
}

/// The modules that judge solutions of order `order` with `columns` columns.
pub(crate) fn sources_for<T: Number>(
    cuda: &Cuda,
    format: T::Format,
    order: usize,
    columns: usize,
) -> Vec<Source> {
    if !Judge::<T>::judges(cuda, format, order, columns) {
        return Vec::new();
    }
    let Some(lengths) = Lengths::of::<T>(format) else { return Vec::new() };
    let kinds = [Kind::of::<T>(format), Kind::Mp(lengths.sums)];
    let mut sources = cuda.sources_of_long_products(kinds, lengths.integers, order);
    sources.push(source());
    sources
}

/// Bits of the integers that numbers become, and of their sums.
struct Lengths {
    integers: u32,
    sums: Bits,
}

impl Lengths {
    /// `None` where there are no numbers that long.
    fn of<T: Number>(format: T::Format) -> Option<Self> {
        let bits = Plan::least_bits::<T>(format);
        Some(Self { integers: bits + MORE_BITS, sums: Bits::new(bits + BITS_OF_SUMS).ok()? })
    }
}

/// Products of fewer terms in all are judged on the host, which is done before kernels are loaded:
/// of limbs, and of numbers of any precision.
const LEAST_TERMS: [f64; 2] = [(1_u64 << 29) as f64, (1_u64 << 23) as f64];

/// Bits of the integers of a product, beyond those of the limbs: their error is below
/// `n·2^(3 − 28)` times `2^-bits·max|a|·max|x|`, `bits` being those of the limbs, for `n` terms.
const MORE_BITS: u32 = 28;

/// Bits of the sums beyond those of the limbs: differences from `B` are rounded to `2^-64` of that.
const BITS_OF_SUMS: u32 = 64;

/// Bytes of products that are looked at together, if that is a column or more.
const BYTES_TOGETHER: usize = 256 << 20;

impl<T: Number> Judge<T> for Cuda {
    /// Where residues multiply, and there is room for a copy of the matrix and as much again.
    fn judges(&self, format: T::Format, order: usize, columns: usize) -> bool {
        let kind = Kind::of::<T>(format);
        let size = order as f64 * order as f64;
        let least = LEAST_TERMS[usize::from(matches!(kind, Kind::Mp(_)))];
        if size * (columns as f64) < least || !self.has_residues([order, columns]) {
            return false;
        }
        let bytes = 8.0 * kind.lanes() as f64 * (3.0 * size + 2.0 * order as f64 * columns as f64);
        let free = self.device().memory().map_or(0, |(free, _)| free);
        bytes + (4 * BYTES_TOGETHER) as f64 <= free as f64
    }

    fn largest_residuals(
        &self,
        a: DeviceRef<'_, T>,
        x: DeviceRef<'_, T>,
        b: Option<DeviceRef<'_, T>>,
    ) -> Result<Option<Vec<Reading>>, nonius_linalg::Error> {
        let workspace = self.products().workspace;
        let (engine, accuracy) = (Some(Engine::Crt), Accuracy::Normwise);
        let products = Products { engine, accuracy, workspace, ..Products::default() };
        let by_residues = self.clone().with_products(products);
        self.fetch(|| by_residues.find_largest(a, x, b))
    }

    fn mirror_lower(&self, a: DeviceMut<'_, T>) {
        self.attempt(|| transfer::mirror_lower(self.device(), self.stream(), a));
    }
}

impl Cuda {
    fn find_largest<T: Number>(
        &self,
        a: DeviceRef<'_, T>,
        x: DeviceRef<'_, T>,
        b: Option<DeviceRef<'_, T>>,
    ) -> Result<Option<Vec<Reading>>, Error> {
        let ((rows, terms), columns) = (a.layout.shape(), x.layout.shape().1);
        let kind = Kind::of::<T>(a.format);
        let Some(Lengths { integers, sums }) = Lengths::of::<T>(a.format) else {
            return Ok(None);
        };
        let target = Target::of_bits(Plan::least_bits::<T>(a.format) + MORE_BITS, terms, integers);
        let bytes_of_column = size_of::<u64>() * Kind::Mp(sums).lanes() * rows.max(1);
        let together = (BYTES_TOGETHER / bytes_of_column).clamp(1, columns.max(1));
        let kernel = self.device().module(&source())?.kernel(LARGEST_RESIDUALS)?;
        let largest = Buffer::of_numbers(self.stream(), Some(columns))?;
        let exponents = Buffer::of_numbers(self.stream(), Some(columns))?;
        let b = b.map_or(Layout::NONE, |b| b.layout);
        let numbers = match kind {
            Kind::Mp(bits) if b.data != 0 => Numbers::of(bits, b),
            _ => Numbers::NONE,
        };
        let limbs = match kind {
            Kind::Limbs(limbs) => limbs as i64,
            // The identity, by a limb.
            Kind::Mp(_) => i64::from(b.data == 0),
        };
        for first in (0..columns).step_by(together) {
            let count = together.min(columns - first);
            let product = DeviceMatrix::<Mp>::new_in(self.stream(), sums, rows, count)?;
            let x = x.layout.block(0, first, terms, count);
            let c = product.as_ref().layout;
            let outcome = match kind {
                Kind::Limbs(limbs) => {
                    let task = LongTask { limbs, bits: sums, a: a.layout, b: x, c };
                    self.multiply_by_residues(
                        task,
                        [None; 2],
                        Integers::Least { target, waits: true },
                    )?
                }
                Kind::Mp(bits) => {
                    let task = MpTask { bits, a: a.layout, b: x, sums, c, part: None };
                    self.multiply_by_residues(
                        task,
                        [None; 2],
                        Integers::Least { target, waits: true },
                    )?
                }
            };
            let Outcome::Done(_) = outcome else { return Ok(None) };
            let arguments = Residuals {
                product: (&product).into(),
                b: Pointer::at(if numbers.is_none() { b.data } else { 0 }),
                column: b.column,
                plane: b.plane,
                limbs,
                numbers,
                first: first as i64,
                largest: largest.pointer(),
                exponents: exponents.pointer(),
            };
            let shape = Shape { grid: [count as u32, 1, 1], block: [THREADS, 1, 1], shared: 0 };
            // SAFETY: matrices and numbers whose memory is freed in the order of the stream; a
            // block writes the number of its column, of which there are `columns`. Rows of a matrix
            // of limbs on a device follow one another.
            unsafe { kernel.launch(self.stream(), shape, &arguments)? };
        }
        let significands = self.read::<f64>(&largest, columns)?;
        let exponents = self.read::<i64>(&exponents, columns)?;
        let readings = significands.into_iter().zip(exponents);
        Ok(Some(readings.map(|(m, e)| Reading::of(m).scaled(e)).collect()))
    }
}
