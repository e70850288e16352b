//! Products of a matrix with a vector, with the bits of [`nonius_linalg::cpu::gemv`].

use nonius_gpu::{Entry, Error, Shape, Source, kernel_parameters};
use nonius_linalg::Number;
use nonius_linalg::backend::{Gemv, Memory, View};
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::Arithmetic;

use crate::backend::Cuda;
use crate::factor::Factor;
use crate::kind::Kind;
use crate::matrix::{DeviceMatrix, DeviceMut, DeviceRef, Layout};
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
        let Kind::Limbs(limbs) = Kind::of::<T>(y.format) else {
            self.attempt(|| self.mp_times_vector((transpose, a), x, [alpha, beta], y));
            return;
        };
        let (format, a, x, y) = (y.format, a.layout, x.layout, y.layout);
        self.attempt(|| {
            let (by_alpha, beta) =
                (self.factor(alpha, format)?.number, self.factor(beta, format)?.number);
            match transpose {
                _ if m == 0 => Ok(()),
                _ if k == 0 || alpha == T::ZERO => self.scale_vector(limbs, y, beta),
                Transpose::No => self.rows_times(limbs, by_alpha, a, x, beta, y),
                Transpose::Yes => self.column_sums(limbs, Terms::Products, a, x, by_alpha, beta, y),
            }
        });
    }
}

impl Cuda {
    /// Numbers of any precision, by the direct product. Of columns the host rounds each block of so
    /// many terms by itself and adds up pairs of blocks, pairs of these and so on, and so does
    /// this.
    fn mp_times_vector<T: Number>(
        &self,
        (transpose, a): (Transpose, DeviceRef<'_, T>),
        x: DeviceRef<'_, T>,
        [alpha, beta]: [T; 2],
        y: DeviceMut<'_, T>,
    ) -> Result<(), Error> {
        const BLOCK: usize = 1024;
        let no = Transpose::No;
        let directly = |product| self.multiply_directly(Arithmetic::Delayed, product, ALWAYS);
        let (rows, columns) = a.shape();
        if transpose == no || rows <= BLOCK || alpha == T::ZERO {
            return directly(multiplication((transpose, a), (no, x), alpha, beta, y));
        }
        let format = y.format;
        let mut sums = Vec::with_capacity(rows.div_ceil(BLOCK));
        for first in (0..rows).step_by(BLOCK) {
            let count = BLOCK.min(rows - first);
            let (a, x) = (a.block(first, 0, count, columns), x.block(first, 0, count, 1));
            let mut sum = DeviceMatrix::<T>::new_in(self.stream(), format, columns, 1)?;
            directly(multiplication((transpose, a), (no, x), T::ONE, T::ZERO, sum.as_mut()))?;
            sums.push(sum);
        }
        let one = Memory::<T>::identity(self, format, 1, 1);
        let times_one = |factors: [T; 2], from: &DeviceMatrix<T>, to: DeviceMut<'_, T>| {
            let [alpha, beta] = factors;
            directly(multiplication((no, from.as_ref()), (no, one.as_ref()), alpha, beta, to))
        };
        while sums.len() > 1 {
            let mut pairs = Vec::with_capacity(sums.len().div_ceil(2));
            let mut left = sums.into_iter();
            while let Some(mut sum) = left.next() {
                if let Some(next) = left.next() {
                    times_one([T::ONE, T::ONE], &next, sum.as_mut())?;
                }
                pairs.push(sum);
            }
            sums = pairs;
        }
        times_one([alpha, beta], &sums[0], y)
    }

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
