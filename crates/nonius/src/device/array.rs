//! Arrays in a GPU's memory.

use core::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nonius_cuda::{Cuda, DeviceMatrix, DeviceRef, ForeignMatrix, Layout};
use nonius_linalg::backend::{Elementwise, Memory};
use nonius_linalg::dense::resident::{self, LuFactors, Minimiser, QrFactors, Solution};
use nonius_linalg::dense::{Diagonal, Method, Operand, Transpose, Triangle};
use nonius_linalg::{BinaryOp, Error, MatRef, Matrix, UnaryOp};

use super::compiled::Resident;
use super::gpu::{Gpu, failed};

/// Numbers whose arrays lie in a GPU's memory: [`f64`], [`Dd`](crate::Dd), [`Td`](crate::Td) and
/// [`Qd`](crate::Qd).
pub trait ArrayNumber: crate::Number<Format = ()> + Resident {
    /// Numbers of 64 bits of which one consists.
    const LIMBS: usize = size_of::<Self>() / size_of::<f64>();
}

impl<T: crate::Number<Format = ()> + Resident> ArrayNumber for T {}

/// A matrix in a GPU's memory, whose tasks are done there.
///
/// [`upload`](Self::upload) and [`download`](Self::download) copy from and to the host; nothing
/// else copies more than vectors there. Every task ends before its function returns: what it has
/// written may be read by any stream. A task begins when the device's default stream has come so
/// far. Copies of an array and its [transposes](Self::transposed) share its memory.
///
/// Tasks of one GPU take turns. Jobs of one pool of rayon that each start some may wait for one
/// another without end: start them from threads of their own.
///
/// ```no_run
/// use nonius::device::Array;
/// use nonius::prelude::*;
///
/// let a = Array::upload(0, matrix![[2.0, 1.0], [1.0, 3.0]].map(Qd::from).view())?;
/// let square = a.multiply(&a)?;
/// let x = square.solve(&a, Default::default())?.x.download()?;
/// assert_eq!(x.shape(), (2, 2));
/// # Ok::<(), nonius::dense::Error>(())
/// ```
#[derive(Clone)]
pub struct Array<T: ArrayNumber> {
    gpu: Gpu,
    memory: Arc<Held<T>>,
    op: Transpose,
}

/// Memory that an array owns, or that another library does.
enum Held<T: ArrayNumber> {
    Own {
        matrix: DeviceMatrix<T>,
        gpu: nonius_cuda::Device,
        /// Whether others know where it is: their work may not have ended when they let it go.
        is_shared: AtomicBool,
    },
    Foreign {
        matrix: ForeignMatrix<T>,
        is_read_only: bool,
    },
}

impl<T: ArrayNumber> Drop for Held<T> {
    fn drop(&mut self) {
        if let Self::Own { gpu, is_shared, .. } = self
            && *is_shared.get_mut()
        {
            // A failure is told to whoever uses the device next.
            let _ = gpu.context().synchronize();
        }
    }
}

/// Two arrays of a task that lie on different GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DifferentGpus {
    /// The numbers of the GPUs.
    pub found: [usize; 2],
}

impl fmt::Display for DifferentGpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, other] = self.found;
        write!(f, "the arrays lie on cuda:{one} and cuda:{other}: copy one to the GPU of the other")
    }
}

impl std::error::Error for DifferentGpus {}

impl<T: ArrayNumber> Array<T> {
    /// A copy of a matrix of the host in the memory of the GPU of that number.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn upload(ordinal: usize, matrix: MatRef<'_, T>) -> Result<Self, Error> {
        let gpu = Gpu::open(ordinal)?;
        let there = gpu.run(|cuda| Ok(cuda.upload(matrix)))?;
        Ok(Self::own(&gpu, there))
    }

    /// The array in memory of another library. It is read where it is, and never written.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn from_foreign(matrix: ForeignMatrix<T>, is_read_only: bool) -> Result<Self, Error> {
        let gpu = Gpu::open(matrix.ordinal())?;
        let memory = Arc::new(Held::Foreign { matrix, is_read_only });
        Ok(Self { gpu, memory, op: Transpose::No })
    }

    /// A matrix that a task has left in the GPU's memory.
    fn own(gpu: &Gpu, matrix: DeviceMatrix<T>) -> Self {
        let is_shared = AtomicBool::new(false);
        let memory = Arc::new(Held::Own { matrix, gpu: gpu.device().clone(), is_shared });
        Self { gpu: gpu.clone(), memory, op: Transpose::No }
    }

    /// Number of rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        self.layout().shape()
    }

    /// The number of its GPU.
    pub fn gpu(&self) -> usize {
        self.gpu.device().info().ordinal
    }

    /// Whether whoever shares the memory may not write to it.
    pub fn is_read_only(&self) -> bool {
        matches!(*self.memory, Held::Foreign { is_read_only: true, .. })
    }

    /// Whether others know where its own memory is.
    pub fn is_shared(&self) -> bool {
        matches!(&*self.memory, Held::Own { is_shared, .. } if is_shared.load(Ordering::Relaxed))
    }

    /// Waits for what is in the device's default stream, where the memory is another library's.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn settle(&self) -> Result<(), Error> {
        match *self.memory {
            Held::Own { .. } => Ok(()),
            Held::Foreign { .. } => self.gpu.run(|_| Ok(())),
        }
    }

    /// Where it lies, for whoever shares its memory and keeps a copy of this array meanwhile.
    pub fn share(&self) -> Layout {
        if let Held::Own { is_shared, .. } = &*self.memory {
            is_shared.store(true, Ordering::Relaxed);
        }
        self.layout()
    }

    fn layout(&self) -> Layout {
        self.view().layout()
    }

    fn view(&self) -> DeviceRef<'_, T> {
        let whole = match &*self.memory {
            Held::Own { matrix, .. } => matrix.as_ref(),
            Held::Foreign { matrix, .. } => matrix.as_ref(),
        };
        if self.op == Transpose::Yes { whole.transposed() } else { whole }
    }

    /// The transpose, in the same memory.
    #[must_use]
    pub fn transposed(&self) -> Self {
        Self { op: self.op.flipped(), ..self.clone() }
    }

    /// A copy in the host's memory.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn download(&self) -> Result<Matrix<T>, Error> {
        self.with(|cuda, a| cuda.download(a.view()))
    }

    /// A copy in memory of its own.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn copied(&self) -> Result<Self, Error> {
        self.make(|cuda, a| Ok(cuda.copy_of(a.view())))
    }

    /// `A·B`.
    ///
    /// # Errors
    /// As [`Multiply::run`](crate::dense::Multiply::run).
    pub fn multiply(&self, other: &Self) -> Result<Self, Error> {
        self.make_with(other, |cuda, a, b| {
            let ((op_a, a), (op_b, b)) = (oriented(a.view()), oriented(b.view()));
            <T as Resident>::multiply(cuda, op_a, a, op_b, b)
        })
    }

    /// An operation on each entry of two arrays of one shape.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::Device`].
    pub fn combined(&self, operation: BinaryOp, other: &Self) -> Result<Self, Error> {
        Error::check_shape("b", self.shape(), other.shape())?;
        self.make_with(other, |cuda, a, b| {
            let mut c = cuda.copy_of(a.view());
            let operands = [Operand::Output, Operand::Entries(b.view())];
            cuda.elementwise(operation, operands, c.as_mut());
            Ok(c)
        })
    }

    /// An operation on each entry and a number, which comes first where it is the `left` operand.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn combined_with(&self, operation: BinaryOp, x: T, left: bool) -> Result<Self, Error> {
        self.make(|cuda, a| {
            let mut c = cuda.copy_of(a.view());
            let (x, entries) = (Operand::Scalar(x), Operand::Output);
            let operands = if left { [x, entries] } else { [entries, x] };
            cuda.elementwise(operation, operands, c.as_mut());
            Ok(c)
        })
    }

    /// An operation on each entry.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn mapped(&self, operation: UnaryOp) -> Result<Self, Error> {
        self.make(|cuda, a| {
            let mut c = cuda.copy_of(a.view());
            cuda.elementwise(operation, [Operand::Output], c.as_mut());
            Ok(c)
        })
    }

    /// Solves `A·X = B`, where `A` is this array.
    ///
    /// # Errors
    /// As [`Solve::run`](crate::dense::Solve::run).
    pub fn solve(&self, b: &Self, method: Method) -> Result<Solution<Self>, Error> {
        let found = self
            .with_other(b, |cuda, a, b| <T as Resident>::solve(cuda, a.view(), b.view(), method))?;
        Ok(self.solution(found))
    }

    /// The inverse.
    ///
    /// # Errors
    /// As [`Inverse::run`](crate::dense::Inverse::run).
    pub fn inverse(&self) -> Result<Solution<Self>, Error> {
        let found = self.with(|cuda, a| <T as Resident>::inverse(cuda, a.view()))?;
        Ok(self.solution(found))
    }

    fn solution(&self, found: Solution<DeviceMatrix<T>>) -> Solution<Self> {
        let Solution { x, method, rejected, condition_estimate, forward_error_estimate } = found;
        let x = Self::own(&self.gpu, x);
        Solution { x, method, rejected, condition_estimate, forward_error_estimate }
    }

    /// Solves `op(T)·X = B` with one triangle of this array.
    ///
    /// # Errors
    /// As [`SolveTriangular::run`](crate::dense::SolveTriangular::run).
    pub fn solve_triangular(
        &self,
        triangle: Triangle,
        op: Transpose,
        diagonal: Diagonal,
        b: &Self,
    ) -> Result<Self, Error> {
        self.make_with(b, |cuda, t, b| {
            <T as Resident>::solve_triangular(cuda, triangle, op, diagonal, t.view(), b.view())
        })
    }

    /// The lower Cholesky factor of a symmetric positive definite matrix, of which this triangle is
    /// read.
    ///
    /// # Errors
    /// As [`CholeskyFactor::run`](crate::dense::CholeskyFactor::run).
    pub fn cholesky(&self, triangle: Triangle) -> Result<resident::CholeskyFactor<Self>, Error> {
        let found = self.with(|cuda, a| <T as Resident>::cholesky(cuda, triangle, a.view()))?;
        let lower = Self::own(&self.gpu, found.lower);
        let condition_estimate = found.condition_estimate;
        Ok(resident::CholeskyFactor { lower, condition_estimate })
    }

    /// LU factors with partial pivoting.
    ///
    /// # Errors
    /// As [`LuFactors::run`](crate::dense::LuFactors::run).
    pub fn lu(&self) -> Result<LuFactors<Self>, Error> {
        let found = self.with(|cuda, a| <T as Resident>::lu(cuda, a.view()))?;
        let LuFactors { lower, upper, pivots, condition_estimate } = found;
        let own = |matrix| Self::own(&self.gpu, matrix);
        Ok(LuFactors { lower: own(lower), upper: own(upper), pivots, condition_estimate })
    }

    /// QR factors; `with_q` asks for `Q` too.
    ///
    /// # Errors
    /// As [`QrFactors::run`](crate::dense::QrFactors::run).
    pub fn qr(&self, with_q: bool) -> Result<QrFactors<Self>, Error> {
        let QrFactors { q, r } =
            self.with(|cuda, a| <T as Resident>::qr(cuda, a.view(), with_q))?;
        let own = |matrix| Self::own(&self.gpu, matrix);
        Ok(QrFactors { q: q.map(own), r: own(r) })
    }

    /// Minimises `‖B − A·X‖₂`, where `A` is this array.
    ///
    /// # Errors
    /// As [`LeastSquares::run`](crate::dense::LeastSquares::run).
    pub fn least_squares(&self, b: &Self) -> Result<Minimiser<Self>, Error> {
        let found = self
            .with_other(b, |cuda, a, b| <T as Resident>::least_squares(cuda, a.view(), b.view()))?;
        let Minimiser { x, condition_estimate, forward_error_estimate } = found;
        let x = Self::own(&self.gpu, x);
        Ok(Minimiser { x, condition_estimate, forward_error_estimate })
    }

    /// Work with this array on its GPU.
    fn with<R>(
        &self,
        work: impl FnOnce(&Cuda, &Usual<'_, T>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        self.gpu.run(|cuda| work(cuda, &self.usual(cuda)))
    }

    /// Work with two arrays, which lie on one GPU.
    fn with_other<R>(
        &self,
        other: &Self,
        work: impl FnOnce(&Cuda, &Usual<'_, T>, &Usual<'_, T>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let found = [self.gpu(), other.gpu()];
        if found[0] != found[1] {
            return Err(failed(DifferentGpus { found }));
        }
        self.gpu.run(|cuda| work(cuda, &self.usual(cuda), &other.usual(cuda)))
    }

    /// An array by work with this one.
    fn make(
        &self,
        work: impl FnOnce(&Cuda, &Usual<'_, T>) -> Result<DeviceMatrix<T>, Error>,
    ) -> Result<Self, Error> {
        Ok(Self::own(&self.gpu, self.with(work)?))
    }

    /// An array by work with two.
    fn make_with(
        &self,
        other: &Self,
        work: impl FnOnce(&Cuda, &Usual<'_, T>, &Usual<'_, T>) -> Result<DeviceMatrix<T>, Error>,
    ) -> Result<Self, Error> {
        Ok(Self::own(&self.gpu, self.with_other(other, work)?))
    }

    /// The array as kernels take it: where it is, or a copy.
    fn usual(&self, cuda: &Cuda) -> Usual<'_, T> {
        let there = self.view();
        if there.layout().is_usual() {
            Usual::There(there)
        } else {
            Usual::Copy(cuda.copy_of(there))
        }
    }
}

/// An array whose columns or rows are contiguous.
enum Usual<'a, T: ArrayNumber> {
    There(DeviceRef<'a, T>),
    Copy(DeviceMatrix<T>),
}

impl<T: ArrayNumber> Usual<'_, T> {
    fn view(&self) -> DeviceRef<'_, T> {
        match self {
            Self::There(there) => *there,
            Self::Copy(copy) => copy.as_ref(),
        }
    }
}

/// A factor of a product with contiguous columns, and how it comes into the product.
fn oriented<T: ArrayNumber>(a: DeviceRef<'_, T>) -> (Transpose, DeviceRef<'_, T>) {
    if a.layout().row == 1 { (Transpose::No, a) } else { (Transpose::Yes, a.transposed()) }
}

impl<T: ArrayNumber> fmt::Debug for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Array").field("gpu", &self.gpu).field("layout", &self.layout()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Device;
    use crate::num::Qd;

    /// Without a GPU the error is that of every task that asks for one.
    #[test]
    fn arrays_lie_on_a_gpu() {
        let a = Matrix::from_fn(3, 3, |i, j| {
            Qd::from([[2.0, 1.0, 0.0], [1.0, 3.0, 0.5], [0.0, 0.5, 4.0]][i][j])
        });
        let there = match Array::upload(0, a.view()) {
            Ok(there) => there,
            Err(error) => return assert_eq!(Device::Cuda(0).check(), Err(error)),
        };
        assert_eq!((there.shape(), there.gpu(), there.is_read_only()), ((3, 3), 0, false));
        assert_eq!(there.transposed().download().unwrap(), a.transposed());
        let twice = there.combined(BinaryOp::Add, &there).unwrap();
        assert_eq!(twice.download().unwrap(), a.map(|x| x + x));
        let found = twice.solve(&there, Method::Auto).unwrap();
        assert_eq!(found.method, Method::Cholesky);
        let half = Matrix::from_fn(3, 3, |i, j| if i == j { Qd::ONE / 2.0 } else { Qd::ZERO });
        let x = found.x.download().unwrap();
        // κ₁ is below 4.
        let bound = 40.0 * 2.0_f64.powi(-208);
        let is_near = |(x, half): (Qd, Qd)| (x - half).abs().to_f64() <= bound;
        assert!(x.as_slice().iter().copied().zip(half.as_slice().iter().copied()).all(is_near));
        let wrong = there.multiply(&Array::upload(0, Matrix::zeros(2, 2).view()).unwrap());
        assert!(matches!(wrong, Err(Error::Shape { operand: "b", .. })));
    }
}
