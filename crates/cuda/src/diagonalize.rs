//! Eigenvectors and singular vectors: approximate ones by cuSOLVER, and their corrections.

use core::ffi::CStr;
use std::sync::Arc;

use nonius_gpu::{Buffer, Error as DeviceError, Plain, Shape, Source, argument_of_words};
use nonius_linalg::backend::{Corrections, Cpu, Diagonalize, Memory, Spectrum};
use nonius_linalg::dense::Vectors;
use nonius_linalg::dense::gemm::{Accuracy, Products};
use nonius_linalg::{Error, MatRef, Matrix, Scalar};

use crate::backend::Cuda;
use crate::cusolver::CuSolver;
use crate::matrix::{DeviceMatrix, DeviceMut, DeviceRef, Layout};
use crate::texts;
use crate::words::Words;

/// Threads of a block.
const THREADS: usize = 256;
/// Orders up to which the host finds vectors in `f64` sooner.
const MOST_HOST_ORDER: usize = 64;
/// For kernels: there is no group of singular values about zero.
const NO_GROUP: usize = usize::MAX;

fn source(limbs: usize) -> Source {
    let numbers = [("DIAGONALIZE_THREADS", THREADS)];
    texts::of_limbs("diagonalize", limbs, "dense/diagonalize.cu").define_all(&numbers)
}

/// Every module of this capability.
pub(crate) fn sources(limbs: usize) -> Vec<Source> {
    vec![source(limbs)]
}

/// `Sums` of `diagonalize.cu`.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
struct Sums {
    squares: f64,
    kept: f64,
}

// SAFETY: `repr(C)`, two numbers.
unsafe impl Plain for Sums {}

/// A matrix without memory.
const NOTHING: Layout = Layout { data: 0, rows: 0, cols: 0, row: 1, column: 0, plane: 0 };

impl<T: Scalar> Diagonalize<T> for Cuda {
    fn refines(&self, order: usize, _: Vectors) -> bool {
        order > 1
    }

    fn host(&self) -> Cpu {
        Cpu::new(self.products())
    }

    fn normwise(&self) -> Self {
        let products = Products { accuracy: Accuracy::Normwise, ..self.products() };
        self.clone().with_products(products)
    }

    fn eigenvectors(&self, a: MatRef<'_, f64>) -> Result<Matrix<f64>, Error> {
        if let Some(solver) = self.solver_of_order(a.rows()) {
            let mut vectors = self.upload(a);
            let layout = vectors.as_mut().layout;
            // SAFETY: a matrix that nobody else has.
            if self.fetch(|| unsafe { solver.eigenvectors(self.stream(), layout) })? {
                return self.download(vectors.as_ref());
            }
        }
        Diagonalize::<f64>::eigenvectors(&Cpu::default(), a)
    }

    fn singular_vectors(&self, a: MatRef<'_, f64>) -> Result<(Matrix<f64>, Matrix<f64>), Error> {
        if let Some(solver) = self.solver_of_order(a.rows()) {
            let [mut lost, mut u, mut v] = [self.upload(a), self.upload(a), self.upload(a)];
            let layouts = [&mut lost, &mut u, &mut v].map(|matrix| matrix.as_mut().layout);
            // SAFETY: matrices that nobody else has.
            if self.fetch(|| unsafe { solver.singular_vectors(self.stream(), layouts) })? {
                return Ok((self.download(u.as_ref())?, self.download(v.as_ref())?));
            }
        }
        Diagonalize::<f64>::singular_vectors(&Cpu::default(), a)
    }

    fn diagonal(&self, a: DeviceRef<'_, T>) -> Result<Vec<T>, Error> {
        let rows = a.layout.shape().0;
        let entries = self.filled::<T>((rows, 1), |entries| {
            let shape = Shape {
                grid: [rows.div_ceil(THREADS).max(1) as u32, 1, 1],
                block: [THREADS as u32, 1, 1],
                shared: 0,
            };
            let words = Words::default().matrix(a.layout).matrix(entries.as_mut().layout);
            self.launch_diagonalize::<T>(c"diagonal", shape, &words)
        });
        Ok(self.download(entries.as_ref())?.as_slice().to_vec())
    }

    fn eigenvector_corrections(
        &self,
        s: DeviceRef<'_, T>,
        gram: DeviceRef<'_, T>,
        spectrum: Spectrum<'_, T>,
        e: Option<DeviceMut<'_, T>>,
    ) -> Result<Corrections, Error> {
        let inputs = Words::default().matrix(s.layout).matrix(gram.layout);
        let outputs = Words::default().matrix(e.map_or(NOTHING, |e| e.layout));
        self.corrections(c"eigenvector_corrections", inputs, spectrum, outputs)
    }

    fn singular_vector_corrections(
        &self,
        t: DeviceRef<'_, T>,
        grams: [DeviceRef<'_, T>; 2],
        spectrum: Spectrum<'_, T>,
        corrections: Option<[DeviceMut<'_, T>; 2]>,
    ) -> Result<Corrections, Error> {
        let [left, right] = grams.map(|gram| gram.layout);
        let inputs = Words::default().matrix(t.layout).matrix(left).matrix(right);
        let [f, g] = corrections.map_or([NOTHING; 2], |both| both.map(|to| to.layout));
        let outputs = Words::default().matrix(f).matrix(g);
        self.corrections(c"singular_vector_corrections", inputs, spectrum, outputs)
    }
}

impl Cuda {
    /// cuSOLVER, where it is on the machine and worth its start.
    fn solver_of_order(&self, order: usize) -> Option<Arc<CuSolver>> {
        if order > MOST_HOST_ORDER { self.solver() } else { None }
    }

    fn corrections<T: Scalar>(
        &self,
        name: &'static CStr,
        inputs: Words,
        spectrum: Spectrum<'_, T>,
        outputs: Words,
    ) -> Result<Corrections, Error> {
        let order = spectrum.values.len();
        let values: DeviceMatrix<T> = self.upload(MatRef::from_column(spectrum.values));
        self.fetch(|| {
            let groups = self.numbers(spectrum.groups)?;
            let null = spectrum.null.map_or(NO_GROUP, |group| group as usize);
            let sums = Buffer::new(self.stream(), size_of::<Sums>() * order)?;
            let tolerance = spectrum.tolerance.to_bits();
            let spectrum = Words::default().matrix(values.as_ref().layout);
            let spectrum = spectrum.address(groups.address()).long(null).address(tolerance);
            let words = inputs.and(spectrum).and(outputs).address(sums.address());
            let grid = [order.max(1) as u32, 1, 1];
            let shape = Shape { grid, block: [THREADS as u32, 1, 1], shared: 0 };
            self.launch_diagonalize::<T>(name, shape, &words)?;
            let sums = self.read::<Sums>(&sums, order)?;
            let squares = sums.iter().map(|sum| sum.squares).sum::<f64>();
            Ok(Corrections {
                norm: squares.sqrt(),
                kept: sums.iter().map(|sum| sum.kept).collect(),
            })
        })
    }

    fn launch_diagonalize<T: Scalar>(
        &self,
        name: &'static CStr,
        shape: Shape,
        words: &Words,
    ) -> Result<(), DeviceError> {
        let kernel = self.device().module(&source(T::LIMBS))?.kernel(name)?;
        // SAFETY: the kernels take one structure, which `words` is, member by member: matrices that are borrowed or new, all of one order, and arrays as long;
        // what is freed is in the order of the stream.
        unsafe { kernel.launch(self.stream(), shape, &mut [argument_of_words(words.as_slice())]) }
    }
}
