//! The algorithms of dense matrices, iterations and proofs on the host, compiled here for each
//! number. Unit tests, for which this crate is compiled once more, call generic functions.

use nonius_num::{Dd, Mp, Qd, Td};

use crate::backend::Cpu;
use crate::{compile_algorithms, compile_iterations, compile_proofs};

compile_algorithms!(Cpu: f64 Dd Td Qd Mp);
compile_iterations!(Cpu:
    f64: positional Dd: positional Td: positional Qd: positional Mp: in_any_storage);
compile_proofs!(Cpu);
