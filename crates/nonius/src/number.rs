//! What the library asks of numbers.

use nonius_cuda::Cuda;
use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::Algorithms;
use nonius_linalg::dense::gemm::{Products, Report};
use nonius_linalg::krylov::system::Iterates;
use nonius_linalg::{Error, Matrix, Scalar};
use nonius_sdp::PointNumber;

use crate::Matmul;
use crate::backend::Backend;

/// Numbers of matrices: [`f64`], [`Dd`](crate::Dd), [`Td`](crate::Td), [`Qd`](crate::Qd) and
/// [`Mp`](crate::Mp).
pub trait Number:
    PointNumber + Algorithms<Cpu> + Algorithms<Cuda> + Iterates<Cpu> + Iterates<Cuda>
{
    /// `C ← α·op(A)·op(B) + β·C`
    #[doc(hidden)]
    fn multiply_on<B: Backend>(
        backend: &B,
        products: Products,
        product: &Matmul<'_, Self>,
        beta: Self,
        c: &mut Matrix<Self>,
    ) -> Result<Report, Error>;
}

/// Numbers whose precision their type says: all but [`Mp`](crate::Mp).
pub trait FixedNumber:
    Number + Scalar + nonius_option::Priced + nonius_option::cuda::OnCuda
{
}
