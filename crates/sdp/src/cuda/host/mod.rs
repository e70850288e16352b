//! The kernels for numbers of any precision, run here: the suite of every backend on a cone whose
//! sums over entries and small squares they compute, and whose other work is the host's.

mod cone;
mod launch;
mod limbs;
mod memory;

use nonius_cuda::Kind;
use nonius_linalg::mp::{Bits, Mp};

use super::CudaSchurFormula;
use crate::cone::tests::suite::{Bitwise, Data, Suite, dense, suite_of};
use crate::cpu::Schur;
use cone::KernelCone;
use launch::Kernels;

/// The kernels, and how the columns of a Schur complement are computed.
struct ByKernels {
    kernels: Kernels,
    formula: Option<CudaSchurFormula>,
    host: Bitwise,
}

impl Suite for ByKernels {
    type Cone = KernelCone;

    fn cone(&self, data: &Data) -> KernelCone {
        KernelCone::new(&self.kernels, data.program(self.host.0), self.formula)
    }

    fn number(&self, x: &Mp) -> Mp {
        self.host.number(x)
    }

    fn wide(&self) -> Bits {
        self.host.wide()
    }

    fn exact(&self, x: &Mp) -> Mp {
        self.host.exact(x)
    }

    /// As on a GPU.
    fn sum(&self, terms: usize) -> f64 {
        self.host.sum(terms) + 16.0
    }

    fn elimination(&self, terms: usize) -> f64 {
        self.host.elimination(terms) + 16.0
    }

    fn schur(&self, b: &Schur<Mp>) -> Vec<Mp> {
        self.host.schur(b)
    }
}

/// Nothing is tested where there is no C++ compiler.
fn kernels_of(bits: u32, programs: [&[Data]; 2]) {
    let bits = Bits::new(bits).unwrap();
    let Some(kernels) = Kernels::new(Kind::Mp(bits)) else { return };
    let formulas = [CudaSchurFormula::Full, CudaSchurFormula::Sparse];
    for (formula, programs) in formulas.into_iter().zip(programs) {
        let (kernels, formula) = (kernels.clone(), Some(formula));
        suite_of(&ByKernels { kernels, formula, host: Bitwise::new(bits) }, programs);
    }
}

#[test]
fn kernels_of_mp106() {
    let programs = dense();
    // By entries a program of each kind of pairs: of one entry and of many.
    kernels_of(106, [&programs, &programs[..2]]);
}

/// Numbers of 1000 bits lie in memory, and loops over their words stay loops.
#[test]
fn kernels_of_mp1000() {
    let programs = dense();
    let few = [3, 7].map(|at| programs[at].clone());
    kernels_of(1000, [&few, &few[..1]]);
}
