//! The numbers of the library's functions.

use nonius_comm::dense::{Cargo, Ranks};
use nonius_comm::krylov;
use nonius_cuda::Cuda;
use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::{Algorithms, Systems};
use nonius_linalg::krylov::system::{Iterates, SparseNumber};
use nonius_linalg::out_of_core::OutOfCore;
use nonius_option::Priced;
use nonius_option::cuda::OnCuda;

use crate::dense::{Factors, Substitution};

/// The numbers of matrices and contracts: [`f64`], [`Dd`](crate::Dd), [`Td`](crate::Td),
/// [`Qd`](crate::Qd) and [`Mp`](crate::Mp).
pub trait Number:
    nonius_linalg::Number
    + Cargo
    + Algorithms<Cpu>
    + Algorithms<Cuda>
    + Systems<Ranks<Cpu>>
    + Systems<Ranks<Cuda>>
    + Systems<Ranks<OutOfCore<Cpu>>>
    + Systems<Ranks<OutOfCore<Cuda>>>
    + Iterates<Cpu>
    + Iterates<Cuda>
    + Iterates<krylov::Ranks<Cpu>>
    + Iterates<krylov::Ranks<Cuda>>
    + SparseNumber
    + Priced
    + OnCuda
    + Factors<Cpu>
    + Factors<Cuda>
    + Substitution
{
}

impl<T> Number for T where
    T: nonius_linalg::Number
        + Cargo
        + Algorithms<Cpu>
        + Algorithms<Cuda>
        + Systems<Ranks<Cpu>>
        + Systems<Ranks<Cuda>>
        + Systems<Ranks<OutOfCore<Cpu>>>
        + Systems<Ranks<OutOfCore<Cuda>>>
        + Iterates<Cpu>
        + Iterates<Cuda>
        + Iterates<krylov::Ranks<Cpu>>
        + Iterates<krylov::Ranks<Cuda>>
        + SparseNumber
        + Priced
        + OnCuda
        + Factors<Cpu>
        + Factors<Cuda>
        + Substitution
{
}
