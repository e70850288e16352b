//! The algorithms of dense matrices, iterations and proofs on a GPU, compiled here for each number.

use nonius_linalg::{compile_algorithms, compile_iterations, compile_proofs};
use nonius_num::{Dd, Mp, Qd, Td};

use crate::backend::Cuda;

compile_algorithms!(Cuda: f64 Dd Td Qd Mp);
compile_iterations!(Cuda:
    f64: positional Dd: positional Td: positional Qd: positional Mp: in_any_storage);
compile_proofs!(Cuda);
