//! What numbers of every precision can do, those of fixed ones and those of chosen bits.

use nonius_cuda::Cuda;
use nonius_linalg::Error;
use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::Algorithms;
use nonius_linalg::dense::gemm::{Products, Report};
use nonius_linalg::krylov::system::Iterates;
use nonius_sdp::PointNumber;

use crate::backend::Backend;
use crate::{Decimal, Matmul, Matrix, Precision, Scalar};

/// Numbers with which matrices are read, multiplied and written, and sparse systems solved: every
/// [`Number`], and [`Mp`](crate::Mp).
pub trait AnyNumber: PointNumber + Iterates<Cpu> + Iterates<Cuda> {
    /// The precision.
    fn precision(format: Self::Format) -> Precision;

    /// `Ok` where products of matrices of such numbers can be computed so.
    ///
    /// # Errors
    /// As [`Products::check`].
    fn check(products: Products) -> Result<(), Error>;

    /// `C ← α·op(A)·op(B) + β·C`
    #[doc(hidden)]
    fn multiply<B: Backend>(
        backend: &B,
        products: Products,
        product: &Matmul<'_, Self>,
        beta: &Self,
        c: &mut Self::Matrix,
    ) -> Result<Report, Error>;
}

/// The number types of fixed precision: element types of matrices with exact decimal input and output.
pub trait Number:
    Scalar
    + Decimal
    + AnyNumber<Format = (), Matrix = Matrix<Self>>
    + nonius_option::Priced
    + nonius_option::cuda::OnCuda
    + Algorithms<Cpu>
    + Algorithms<Cuda>
{
}
