//! The algorithms of dense matrices and the proofs on a GPU, compiled here for each number.

use nonius_linalg::{compile_algorithms, compile_proofs};
use nonius_num::{Dd, Qd, Td};

use crate::backend::Cuda;

compile_algorithms!(Cuda: f64 Dd Td Qd);
compile_proofs!(Cuda);
