//! Optimizers, compiled here for each machine. Unit tests, for which this crate is compiled once
//! more, call generic functions.

use super::climb::{Ladder, Observe};
use super::{AnyPoint, Error, Optimizer, prove};
use crate::certify::Certificate;
use crate::problem::Problem;
use crate::report::Report;
use crate::solver::Phase;
use nonius_comm::dense::Ranks;
use nonius_linalg::Error as LinalgError;
use nonius_linalg::backend::Cpu;

macro_rules! optimizer {
    ($machine:ty) => {
        impl Optimizer for $machine {
            fn climb(
                &self,
                ladder: &Ladder<'_>,
                observe: &mut Observe<'_>,
            ) -> Result<(Report, AnyPoint), LinalgError> {
                ladder.climb(self, observe)
            }

            fn prove(
                &self,
                problem: &Problem,
                found: (&AnyPoint, Phase),
            ) -> Result<Certificate, Error> {
                prove(self, problem, found)
            }
        }
    };
}

optimizer!(Cpu);
optimizer!(Ranks<Cpu>);
#[cfg(feature = "cuda")]
optimizer!(nonius_cuda::Cuda);
#[cfg(feature = "cuda")]
optimizer!(Ranks<nonius_cuda::Cuda>);
