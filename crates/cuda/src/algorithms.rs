//! The algorithms of dense matrices on a GPU, compiled here for each number.

use nonius_linalg::compile_algorithms;
use nonius_num::{Dd, Qd, Td};

use crate::backend::Cuda;

compile_algorithms!(Cuda: f64 Dd Td Qd);
