//! Eigenvectors and singular vectors: approximate ones by cuSOLVER, and their corrections.

use std::sync::Arc;

use nonius_gpu::{
    Arguments, Buffer, Entry, Error as DeviceError, KernelType, Plain, Pointer, Shape, Source,
    kernel_arguments,
};
use nonius_linalg::backend::{Corrections, Cpu, Diagonalize, Memory, Reading, Spectrum};
use nonius_linalg::dense::Vectors;
use nonius_linalg::dense::gemm::{Accuracy, Products};
use nonius_linalg::{Error, MatRef, Matrix, Number, Size};

use crate::backend::Cuda;
use crate::certified::matrix_source;
use crate::cusolver::CuSolver;
use crate::kind::Kind;
use crate::matrix::{DeviceMatrix, DeviceMut, DeviceRef, Layout, assert_formats};
use crate::mp_numbers::Numbers;

#[cfg(all(test, target_os = "linux"))]
mod here;

/// Threads of a block.
const THREADS: usize = 256;
/// Orders up to which the host finds vectors in `f64` sooner.
const MOST_HOST_ORDER: usize = 64;
/// For kernels: there is no group of singular values about zero.
const NO_GROUP: i64 = -1;

/// Sums of a vector (`Sums` in `diagonalize.cu`).
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
struct Sums {
    squares: f64,
    kept: f64,
    squares_exponent: i64,
    kept_exponent: i64,
}

// SAFETY: `repr(C)`, four members of eight bytes each.
unsafe impl Plain for Sums {}

impl KernelType for Sums {
    fn declare(name: &str) -> String {
        format!("Sums {name}")
    }
}

kernel_arguments! {
    /// Approximate values and their groups.
    struct Values {
        /// A matrix of one column.
        values: Layout,
        /// The numbers of their groups.
        groups: Pointer<u32>,
        /// The group about zero; none where it is negative.
        null: i64,
        /// As an `f64`, and as a significand with the power of two that it is to be multiplied by.
        near_tolerance: f64,
        tolerance: f64,
        tolerance_exponent: i64,
    }

    /// Corrections of eigenvectors.
    struct Eigenvectors {
        s: Layout,
        gram: Layout,
        spectrum: Values,
        /// Without an address they are not written.
        e: Layout,
        sums: Pointer<Sums>,
    }

    /// Corrections of singular vectors.
    struct SingularVectors {
        t: Layout,
        left: Layout,
        right: Layout,
        spectrum: Values,
        /// Without an address they are not written.
        f: Layout,
        g: Layout,
        sums: Pointer<Sums>,
    }

    /// A matrix, and a column that takes its diagonal.
    struct Diagonal {
        from: Layout,
        to: Layout,
    }
}

const EIGENVECTOR_CORRECTIONS: Entry<Eigenvectors> = Entry::new(c"eigenvector_corrections");
const SINGULAR_VECTOR_CORRECTIONS: Entry<SingularVectors> =
    Entry::new(c"singular_vector_corrections");
const DIAGONAL: Entry<Diagonal> = Entry::new(c"diagonal");

fn source(kind: Kind) -> Source {
    let numbers = [("DIAGONALIZE_THREADS", THREADS)];
    kind.module("diagonalize", "dense/diagonalize.cu")
        .define_all(&numbers)
        .entry(EIGENVECTOR_CORRECTIONS)
        .entry(SINGULAR_VECTOR_CORRECTIONS)
        .entry(DIAGONAL)
}

/// Every module of this capability.
pub(crate) fn sources(kind: Kind) -> Vec<Source> {
    // Vectors of numbers of any precision are found with fewer bits first.
    let rounding = matches!(kind, Kind::Mp(_)).then(matrix_source);
    [source(kind)].into_iter().chain(rounding).collect()
}

impl<T: Number> Diagonalize<T> for Cuda {
    fn refines(&self, _: T::Format, order: usize, _: Vectors) -> bool {
        order > 1
    }

    fn host(&self) -> Cpu {
        Cpu::new(self.products())
    }

    fn normwise(&self) -> Self {
        let products = Products { accuracy: Accuracy::Normwise, ..self.products() };
        self.clone().with_products(products)
    }

    fn in_format(&self, a: DeviceRef<'_, T>, format: T::Format) -> DeviceMatrix<T> {
        let (Kind::Mp(from), Kind::Mp(to)) = (Kind::of::<T>(a.format), Kind::of::<T>(format))
        else {
            return self.copy_of(a);
        };
        let shape = a.layout.shape();
        self.filled(format, shape, |matrix| {
            let to = Numbers::of(to, matrix.as_ref().layout);
            self.round_numbers(Numbers::of(from, a.layout), to)
        })
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
        let entries = self.filled::<T>(a.format, (rows, 1), |entries| {
            let shape = Shape {
                grid: [rows.div_ceil(THREADS).max(1) as u32, 1, 1],
                block: [THREADS as u32, 1, 1],
                shared: 0,
            };
            let arguments = Diagonal { from: a.layout, to: entries.as_mut().layout };
            self.launch_diagonalize(Kind::of::<T>(a.format), DIAGONAL, shape, &arguments)
        });
        Ok(self.download(entries.as_ref())?.numbers().as_slice().iter().collect())
    }

    fn eigenvector_corrections(
        &self,
        s: DeviceRef<'_, T>,
        gram: DeviceRef<'_, T>,
        spectrum: Spectrum<'_, T>,
        e: Option<DeviceMut<'_, T>>,
    ) -> Result<Corrections<T::Size>, Error> {
        let format = s.format;
        let written = e.as_ref().map_or(format, |e| e.format);
        assert_formats::<T, _>(format, [gram.format, written]);
        let (s, gram, e) = (s.layout, gram.layout, e.map_or(Layout::NONE, |e| e.layout));
        self.corrections(format, EIGENVECTOR_CORRECTIONS, spectrum, |spectrum, sums| Eigenvectors {
            s,
            gram,
            spectrum,
            e,
            sums,
        })
    }

    fn singular_vector_corrections(
        &self,
        t: DeviceRef<'_, T>,
        grams: [DeviceRef<'_, T>; 2],
        spectrum: Spectrum<'_, T>,
        corrections: Option<[DeviceMut<'_, T>; 2]>,
    ) -> Result<Corrections<T::Size>, Error> {
        let format = t.format;
        let written =
            corrections.as_ref().map_or([format; 2], |both| both.each_ref().map(|to| to.format));
        assert_formats::<T, _>(format, grams.map(|gram| gram.format));
        assert_formats::<T, _>(format, written);
        let (t, [left, right]) = (t.layout, grams.map(|gram| gram.layout));
        let [f, g] = corrections.map_or([Layout::NONE; 2], |both| both.map(|to| to.layout));
        self.corrections(format, SINGULAR_VECTOR_CORRECTIONS, spectrum, |spectrum, sums| {
            SingularVectors { t, left, right, spectrum, f, g, sums }
        })
    }
}

impl Values {
    /// Those of a spectrum, whose values and groups lie there.
    fn of<T: Number>(spectrum: &Spectrum<'_, T>, values: Layout, groups: Pointer<u32>) -> Self {
        let tolerance: Reading = spectrum.tolerance.into();
        Self {
            values,
            groups,
            null: spectrum.null.map_or(NO_GROUP, i64::from),
            near_tolerance: tolerance.to_f64(),
            tolerance: tolerance.significand,
            tolerance_exponent: tolerance.exponent,
        }
    }
}

/// How large corrections are, by the sums of their columns.
fn corrections_of<T: Number>(sums: &[Sums]) -> Corrections<T::Size> {
    let size = |m: f64, e: i64| T::Size::from(Reading::of(m).scaled(e));
    let mut squares = T::Size::ZERO;
    sums.iter().for_each(|sum| squares += size(sum.squares, sum.squares_exponent));
    let kept = sums.iter().map(|sum| size(sum.kept, sum.kept_exponent)).collect();
    Corrections { norm: squares.sqrt(), kept }
}

impl Cuda {
    /// cuSOLVER, where it is on the machine and worth its start.
    fn solver_of_order(&self, order: usize) -> Option<Arc<CuSolver>> {
        if order > MOST_HOST_ORDER { self.solver() } else { None }
    }

    fn corrections<T: Number, A: Arguments>(
        &self,
        format: T::Format,
        entry: Entry<A>,
        spectrum: Spectrum<'_, T>,
        arguments: impl Fn(Values, Pointer<Sums>) -> A,
    ) -> Result<Corrections<T::Size>, Error> {
        let order = spectrum.values.len();
        let mut values = Matrix::zeros_in(format, order, 1);
        spectrum.values.iter().enumerate().for_each(|(i, &x)| values.set(i, 0, x));
        let values: DeviceMatrix<T> = self.upload(values.view());
        self.fetch(|| {
            let groups = self.numbers(spectrum.groups)?;
            let sums = Buffer::new(self.stream(), size_of::<Sums>() * order)?;
            let spectrum = Values::of(&spectrum, values.as_ref().layout, groups.pointer());
            let grid = [order.max(1) as u32, 1, 1];
            let shape = Shape { grid, block: [THREADS as u32, 1, 1], shared: 0 };
            let kind = Kind::of::<T>(format);
            self.launch_diagonalize(kind, entry, shape, &arguments(spectrum, sums.pointer()))?;
            Ok(corrections_of::<T>(&self.read::<Sums>(&sums, order)?))
        })
    }

    fn launch_diagonalize<A: Arguments>(
        &self,
        kind: Kind,
        entry: Entry<A>,
        shape: Shape,
        arguments: &A,
    ) -> Result<(), DeviceError> {
        let kernel = self.device().module(&source(kind))?.kernel(entry)?;
        // SAFETY: matrices that are borrowed or new, all of one order, and arrays as long; what is
        // freed is in the order of the stream.
        unsafe { kernel.launch(self.stream(), shape, arguments) }
    }
}
