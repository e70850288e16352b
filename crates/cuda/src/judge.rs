//! Judging solutions on a device: their largest residuals.

use nonius_gpu::{Buffer, Const, Entry, Error, Pointer, Shape, Source, kernel_arguments};
use nonius_linalg::Scalar;
use nonius_linalg::backend::{Judge, Reading};
use nonius_linalg::dense::gemm::crt::Target;
use nonius_linalg::dense::gemm::{Accuracy, Engine, Products};
use nonius_linalg::mp::Bits;

use crate::backend::Cuda;
use crate::crt::{LongTask, Outcome};
use crate::matrix::{DeviceMut, DeviceRef};
use crate::mp_matrix::{MpMatrix, Numbers};
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
        /// The first of the columns.
        first: i64,
        /// For each column of `B`.
        largest: Pointer<f64>,
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

/// The modules that solutions with so many columns are judged with.
pub(crate) fn sources_for<T: Scalar>(cuda: &Cuda, order: usize, columns: usize) -> Vec<Source> {
    if !Judge::<T>::judges(cuda, order, columns) {
        return Vec::new();
    }
    let bits = bits_of_limbs::<T>() + MORE_BITS;
    let mut sources = cuda.sources_of_long_products(T::LIMBS, bits, order);
    sources.push(source());
    sources
}

fn bits_of_limbs<T: Scalar>() -> u32 {
    53 * T::LIMBS as u32
}

/// Products of fewer terms in all are judged on the host, which is done before kernels are loaded.
const LEAST_TERMS: f64 = (1_u64 << 29) as f64;

/// Bits of the integers of a product, beyond those of the limbs: their error is below
/// `n·2^(3 − 28)` times `2^-bits·max|a|·max|x|`, `bits` being those of the limbs, for `n` terms.
const MORE_BITS: u32 = 28;

/// Bits of the sums beyond those of the limbs: differences from `B` are rounded to `2^-64` of that.
const BITS_OF_SUMS: u32 = 64;

/// Bytes of products that are looked at together, if that is a column or more.
const BYTES_TOGETHER: usize = 256 << 20;

impl<T: Scalar> Judge<T> for Cuda {
    /// Where residues multiply, and there is room for a copy of the matrix and as much again.
    fn judges(&self, order: usize, columns: usize) -> bool {
        let size = order as f64 * order as f64;
        if size * (columns as f64) < LEAST_TERMS || !self.has_residues([order, columns]) {
            return false;
        }
        let bytes = 8.0 * T::LIMBS as f64 * (3.0 * size + 2.0 * order as f64 * columns as f64);
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
        let found = self.fetch(|| by_residues.find_largest(a, x, b))?;
        Ok(found.map(|all| all.into_iter().map(Reading::of).collect()))
    }

    fn mirror_lower(&self, a: DeviceMut<'_, T>) {
        self.attempt(|| transfer::mirror_lower(self.device(), self.stream(), a));
    }
}

impl Cuda {
    fn find_largest<T: Scalar>(
        &self,
        a: DeviceRef<'_, T>,
        x: DeviceRef<'_, T>,
        b: Option<DeviceRef<'_, T>>,
    ) -> Result<Option<Vec<f64>>, Error> {
        let ((rows, terms), columns) = (a.layout.shape(), x.layout.shape().1);
        let of_limbs = bits_of_limbs::<T>();
        let bits = of_limbs + MORE_BITS;
        let target = Target::of_bits(bits, terms, bits);
        let Ok(precision) = Bits::new(of_limbs + BITS_OF_SUMS) else { return Ok(None) };
        let bytes_of_column = (8 * precision.words() + 4) * rows.max(1);
        let together = (BYTES_TOGETHER / bytes_of_column).clamp(1, columns.max(1));
        let kernel = self.device().module(&source())?.kernel(LARGEST_RESIDUALS)?;
        let largest = Buffer::of_numbers(self.stream(), Some(columns))?;
        for first in (0..columns).step_by(together) {
            let count = together.min(columns - first);
            let product = MpMatrix::new(self, precision, (rows, count))?;
            let x = x.layout.block(0, first, terms, count);
            let task = LongTask { limbs: T::LIMBS, a: a.layout, b: x, c: product.layout() };
            let Outcome::Done(_) = self.multiply_by_residues(task, [None; 2], target, true)? else {
                return Ok(None);
            };
            let arguments = Residuals {
                product: product.kernel_numbers(),
                b: b.map_or(Pointer::NULL, |b| Pointer::at(b.layout.data)),
                column: b.map_or(0, |b| b.layout.column),
                plane: b.map_or(0, |b| b.layout.plane),
                limbs: T::LIMBS as i64,
                first: first as i64,
                largest: largest.pointer(),
            };
            let shape = Shape { grid: [count as u32, 1, 1], block: [THREADS, 1, 1], shared: 0 };
            // SAFETY: matrices and numbers whose memory is freed in the order of the stream; a
            // block writes the number of its column, of which there are `columns`. Rows of a matrix
            // on a device follow one another.
            unsafe { kernel.launch(self.stream(), shape, &arguments)? };
        }
        self.read(&largest, columns).map(Some)
    }
}
