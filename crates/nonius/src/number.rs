//! What the library asks of numbers.

use nonius_cuda::Cuda;
use nonius_linalg::Scalar;
use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::Algorithms;
use nonius_linalg::krylov::system::Iterates;

/// Numbers of matrices: [`f64`], [`Dd`](crate::Dd), [`Td`](crate::Td), [`Qd`](crate::Qd) and
/// [`Mp`](crate::Mp).
pub trait Number:
    nonius_linalg::Number + Algorithms<Cpu> + Algorithms<Cuda> + Iterates<Cpu> + Iterates<Cuda>
{
}

impl<T> Number for T where
    T: nonius_linalg::Number + Algorithms<Cpu> + Algorithms<Cuda> + Iterates<Cpu> + Iterates<Cuda>
{
}

/// Numbers whose precision their type says: all but [`Mp`](crate::Mp).
pub trait FixedNumber:
    Number + Scalar + nonius_option::Priced + nonius_option::cuda::OnCuda
{
}

impl<T> FixedNumber for T where
    T: Number + Scalar + nonius_option::Priced + nonius_option::cuda::OnCuda
{
}
