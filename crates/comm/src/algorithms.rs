//! Systems of dense matrices and iterations on ranks, compiled here for each number.

use nonius_linalg::backend::Cpu;
use nonius_linalg::out_of_core::OutOfCore;
use nonius_linalg::{compile_iterations, compile_systems};
use nonius_num::{Dd, Mp, Qd, Td};

use crate::{dense, krylov};

compile_systems!(dense::Ranks<Cpu>: f64 Dd Td Qd Mp);
compile_systems!(dense::Ranks<OutOfCore<Cpu>>: f64 Dd Td Qd Mp);
#[cfg(feature = "cuda")]
compile_systems!(dense::Ranks<nonius_cuda::Cuda>: f64 Dd Td Qd Mp);
#[cfg(feature = "cuda")]
compile_systems!(dense::Ranks<OutOfCore<nonius_cuda::Cuda>>: f64 Dd Td Qd Mp);
compile_iterations!(krylov::Ranks<Cpu>:
    f64: positional Dd: positional Td: positional Qd: positional Mp: in_any_storage);
#[cfg(feature = "cuda")]
compile_iterations!(krylov::Ranks<nonius_cuda::Cuda>:
    f64: positional Dd: positional Td: positional Qd: positional Mp: in_any_storage);
