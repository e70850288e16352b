//! Products of a matrix with a vector, with the bits of [`nonius_linalg::cpu::gemv`].

use nonius_gpu::{Entry, Error, Shape, Source, kernel_parameters};
use nonius_linalg::Number;
use nonius_linalg::backend::Gemv;
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::Arithmetic;

use crate::backend::Cuda;
use crate::factor::Factor;
use crate::kind::Kind;
use crate::matrix::{DeviceMut, DeviceRef, Layout, assert_formats};
use crate::multiplication::multiplication;
use crate::operand::ALWAYS;
use crate::reduce::Terms;
use crate::texts;

/// Threads of a block that each multiply a row (`ROWS` in `gemv.cu`).
const ROWS: u32 = 32;
/// Threads of a block that scale.
const THREADS: u32 = 256;

kernel_parameters! {
    /// `y ← alpha·a·x + beta·y`, row by row.
    struct RowsTimes {
        a: Layout,
        x: Layout,
        y: Layout,
        alpha: Factor,
        beta: Factor,
    }

    /// `y ← beta·y`
    struct VectorScaling {
        y: Layout,
        beta: Factor,
    }
}

const GEMV: Entry<RowsTimes> = Entry::new(c"gemv");
const SCALE_VECTOR: Entry<VectorScaling> = Entry::new(c"scale_vector");

fn source(limbs: usize) -> Source {
    texts::of_limbs("gemv", limbs, "dense/gemv.cu").entry(GEMV).entry(SCALE_VECTOR)
}

/// Every module of this capability.
pub(crate) fn sources(limbs: usize) -> Vec<Source> {
    vec![source(limbs)]
}

fn shape(rows: usize, threads: u32) -> Shape {
    let blocks = rows.div_ceil(threads as usize).min(i32::MAX as usize) as u32;
    Shape { grid: [blocks, 1, 1], block: [threads, 1, 1], shared: 0 }
}

impl<T: Number> Gemv<T> for Cuda {
    fn gemv(
        &self,
        transpose: Transpose,
        alpha: T,
        a: DeviceRef<'_, T>,
        x: DeviceRef<'_, T>,
        beta: T,
        y: DeviceMut<'_, T>,
    ) {
        let (m, k) = transpose.shape(a.layout.shape());
        assert_eq!(x.layout.shape(), (k, 1), "length of x");
        assert_eq!(y.layout.shape(), (m, 1), "length of y");
        assert_formats::<T, _>(y.format, [a.format, x.format]);
        let format = y.format;
        self.attempt(|| match (transpose, Kind::of::<T>(format)) {
            _ if m == 0 => Ok(()),
            (Transpose::Yes, _) if k > 0 && alpha != T::ZERO => {
                let operands = [a.layout, x.layout];
                self.column_sums::<T>(format, Terms::Products, operands, [alpha, beta], y.layout)
            }
            (_, Kind::Limbs(limbs)) => {
                let (a, x, y) = (a.layout, x.layout, y.layout);
                let (by, beta) = (self.factor(alpha, format)?, self.factor(beta, format)?);
                if k == 0 || alpha == T::ZERO {
                    return self.scale_vector(limbs, y, beta.number);
                }
                self.rows_times(limbs, by.number, a, x, beta.number, y)
            }
            (_, Kind::Mp(_)) => {
                let product = multiplication((transpose, a), (Transpose::No, x), alpha, beta, y);
                self.multiply_directly(Arithmetic::Delayed, product, ALWAYS)
            }
        });
    }
}

impl Cuda {
    fn rows_times(
        &self,
        limbs: usize,
        alpha: Factor,
        a: Layout,
        x: Layout,
        beta: Factor,
        y: Layout,
    ) -> Result<(), Error> {
        let kernel = self.device().module(&source(limbs))?.kernel(GEMV)?;
        let arguments = RowsTimes { a, x, y, alpha, beta };
        // SAFETY: `x` has an entry for each column and `y` for each row of `a`. All memory is freed
        // in the order of the stream, and `y` is borrowed mutably.
        unsafe { kernel.launch(self.stream(), shape(a.shape().0, ROWS), &arguments) }
    }

    fn scale_vector(&self, limbs: usize, y: Layout, beta: Factor) -> Result<(), Error> {
        let kernel = self.device().module(&source(limbs))?.kernel(SCALE_VECTOR)?;
        let arguments = VectorScaling { y, beta };
        // SAFETY: `y` is borrowed mutably and its memory freed in the order of the stream.
        unsafe { kernel.launch(self.stream(), shape(y.shape().0, THREADS), &arguments) }
    }
}
