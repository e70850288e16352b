//! Tasks of arrays, compiled here for each number.

use nonius_cuda::{Cuda, DeviceMatrix, DeviceRef};
use nonius_linalg::dense::resident::{
    self, CholeskyFactor, LuFactors, Minimiser, QrFactors, Solution,
};
use nonius_linalg::dense::{Diagonal, Method, Transpose, Triangle};
use nonius_linalg::{Error, Number};
use nonius_num::{Dd, Qd, Td};

/// A matrix that a task leaves in the GPU's memory.
type There<T> = DeviceMatrix<T>;

/// What a GPU does with matrices in its memory: the functions of
/// [`resident`](nonius_linalg::dense::resident), with their errors.
pub trait Resident: Number {
    fn multiply(
        cuda: &Cuda,
        op_a: Transpose,
        a: DeviceRef<'_, Self>,
        op_b: Transpose,
        b: DeviceRef<'_, Self>,
    ) -> Result<There<Self>, Error>;

    fn solve(
        cuda: &Cuda,
        a: DeviceRef<'_, Self>,
        b: DeviceRef<'_, Self>,
        method: Method,
    ) -> Result<Solution<There<Self>>, Error>;

    fn inverse(cuda: &Cuda, a: DeviceRef<'_, Self>) -> Result<Solution<There<Self>>, Error>;

    fn solve_triangular(
        cuda: &Cuda,
        triangle: Triangle,
        op: Transpose,
        diagonal: Diagonal,
        t: DeviceRef<'_, Self>,
        b: DeviceRef<'_, Self>,
    ) -> Result<There<Self>, Error>;

    fn lu(cuda: &Cuda, a: DeviceRef<'_, Self>) -> Result<LuFactors<There<Self>>, Error>;

    fn cholesky(
        cuda: &Cuda,
        triangle: Triangle,
        a: DeviceRef<'_, Self>,
    ) -> Result<CholeskyFactor<There<Self>>, Error>;

    fn qr(
        cuda: &Cuda,
        a: DeviceRef<'_, Self>,
        with_q: bool,
    ) -> Result<QrFactors<There<Self>>, Error>;

    fn least_squares(
        cuda: &Cuda,
        a: DeviceRef<'_, Self>,
        b: DeviceRef<'_, Self>,
    ) -> Result<Minimiser<There<Self>>, Error>;
}

macro_rules! compile {
    ($($number:ty)*) => {$(
        impl Resident for $number {
            fn multiply(
                cuda: &Cuda,
                op_a: Transpose,
                a: DeviceRef<'_, Self>,
                op_b: Transpose,
                b: DeviceRef<'_, Self>,
            ) -> Result<There<Self>, Error> {
                resident::multiply(cuda, op_a, a, op_b, b)
            }

            fn solve(
                cuda: &Cuda,
                a: DeviceRef<'_, Self>,
                b: DeviceRef<'_, Self>,
                method: Method,
            ) -> Result<Solution<There<Self>>, Error> {
                resident::solve(cuda, a, b, method)
            }

            fn inverse(
                cuda: &Cuda,
                a: DeviceRef<'_, Self>,
            ) -> Result<Solution<There<Self>>, Error> {
                resident::inverse(cuda, a)
            }

            fn solve_triangular(
                cuda: &Cuda,
                triangle: Triangle,
                op: Transpose,
                diagonal: Diagonal,
                t: DeviceRef<'_, Self>,
                b: DeviceRef<'_, Self>,
            ) -> Result<There<Self>, Error> {
                resident::solve_triangular(cuda, triangle, op, diagonal, t, b)
            }

            fn lu(cuda: &Cuda, a: DeviceRef<'_, Self>) -> Result<LuFactors<There<Self>>, Error> {
                resident::lu(cuda, a)
            }

            fn cholesky(
                cuda: &Cuda,
                triangle: Triangle,
                a: DeviceRef<'_, Self>,
            ) -> Result<CholeskyFactor<There<Self>>, Error> {
                resident::cholesky(cuda, triangle, a)
            }

            fn qr(
                cuda: &Cuda,
                a: DeviceRef<'_, Self>,
                with_q: bool,
            ) -> Result<QrFactors<There<Self>>, Error> {
                resident::qr(cuda, a, with_q)
            }

            fn least_squares(
                cuda: &Cuda,
                a: DeviceRef<'_, Self>,
                b: DeviceRef<'_, Self>,
            ) -> Result<Minimiser<There<Self>>, Error> {
                resident::least_squares(cuda, a, b)
            }
        }
    )*};
}

compile!(f64 Dd Td Qd);
