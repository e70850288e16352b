//! Cones of semidefinite matrices: the suite of every backend, with each way to form a Schur
//! complement.

mod ranks;

use nonius_cuda::{Cuda, Device};
use nonius_gpu::Error;
use nonius_linalg::backend::{Cpu, Memory};
use nonius_linalg::mp::{Bits, Mp};
use nonius_linalg::{Element, Scalar};
use nonius_num::{Dd, Decimal, Qd, Td};

use super::cone::counted;
use super::{CudaCone, CudaSchurFormula};
use crate::certify::{Certificate, Unproved};
use crate::cone::Cone;
use crate::cone::tests::suite::{Bitwise, Data, Limbs, Suite, dense, suite};
use crate::cpu::{CpuCone, Kernels};
use crate::machine::Machine;
use crate::solver::Phase;
use crate::{Options, Parameters, Problem, prove, solve_on};

/// Numbers with a cone of the host.
trait HostSuite: Suite<Cone = CpuCone<<Self as HostSuite>::Number>> + Copy {
    /// The numbers.
    type Number: Kernels;

    /// Their format.
    fn format(&self) -> <Self::Number as Element>::Format;
}

impl<T: Scalar + Kernels> HostSuite for Limbs<T> {
    type Number = T;

    fn format(&self) {}
}

impl HostSuite for Bitwise {
    type Number = Mp;

    fn format(&self) -> Bits {
        self.0
    }
}

/// A GPU, and how the columns of a Schur complement are computed there.
struct OnGpu<H> {
    gpu: Cuda,
    formula: Option<CudaSchurFormula>,
    /// The host with such numbers.
    host: H,
}

impl<H: HostSuite> Suite for OnGpu<H> {
    type Cone = CudaCone<H::Number>;

    fn cone(&self, data: &Data) -> CudaCone<H::Number> {
        let program = data.program(self.host.format());
        match self.formula {
            Some(formula) => CudaCone::with_formula(&self.gpu, &program, formula),
            None => CudaCone::new(&self.gpu, &program),
        }
        .unwrap()
    }

    fn number(&self, x: &Mp) -> H::Number {
        self.host.number(x)
    }

    fn wide(&self) -> Bits {
        self.host.wide()
    }

    fn exact(&self, x: &H::Number) -> Mp {
        self.host.exact(x)
    }

    /// That of the host, with the additions of 256 threads' sums.
    fn sum(&self, terms: usize) -> f64 {
        self.host.sum(terms) + 16.0
    }

    fn elimination(&self, terms: usize) -> f64 {
        self.host.elimination(terms) + 16.0
    }

    fn schur(&self, b: &<Self::Cone as Cone>::Schur) -> Vec<H::Number> {
        self.gpu.download(b.as_ref()).unwrap().into_numbers().as_slice().iter().collect()
    }
}

fn gpu() -> Cuda {
    Cuda::new(&Device::new(0).expect("a GPU")).expect("a stream")
}

fn by_each_formula<H: HostSuite>(host: H) {
    for formula in [None, Some(CudaSchurFormula::Full), Some(CudaSchurFormula::Sparse)] {
        suite(&OnGpu { gpu: gpu(), formula, host });
    }
}

fn with_bits(bits: u32) {
    by_each_formula(Bitwise::new(Bits::new(bits).unwrap()));
}

#[test]
#[ignore = "needs a GPU"]
fn f64() {
    by_each_formula(Limbs::<f64>::default());
}

#[test]
#[ignore = "needs a GPU"]
fn dd() {
    by_each_formula(Limbs::<Dd>::default());
}

#[test]
#[ignore = "needs a GPU"]
fn td() {
    by_each_formula(Limbs::<Td>::default());
}

#[test]
#[ignore = "needs a GPU"]
fn qd() {
    by_each_formula(Limbs::<Qd>::default());
}

#[test]
#[ignore = "needs a GPU"]
fn mp106() {
    with_bits(106);
}

#[test]
#[ignore = "needs a GPU"]
fn mp212() {
    with_bits(212);
}

#[test]
#[ignore = "needs a GPU"]
fn mp424() {
    with_bits(424);
}

#[test]
#[ignore = "needs a GPU"]
fn mp1000() {
    with_bits(1000);
}

/// Kernels compiled for some bits would read numbers of other bits from anywhere.
#[test]
#[ignore = "needs a GPU"]
#[should_panic(expected = "blocks of another cone")]
fn matrices_of_another_format_are_refused() {
    let gpu = gpu();
    let [narrow, wide] = [106, 424].map(|bits| {
        let program = dense()[0].program::<Mp>(Bits::new(bits).unwrap());
        CudaCone::new(&gpu, &program).unwrap()
    });
    let mut a = narrow.blocks().unwrap();
    wide.symmetrize(&mut a);
}

/// A problem of SDPLIB.
fn read(name: &str) -> Problem {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/sdplib");
    let path = std::path::Path::new(folder).join(format!("{name}.dat-s.xz"));
    let file = nonius_files::packed::decompress(std::fs::File::open(&path).unwrap()).unwrap();
    crate::input::read_sparse(file).unwrap()
}

/// The optimum of a problem of SDPLIB, solved and proved with 212 bits.
fn proved<M: Machine>(machine: &M, name: &str) -> Certificate {
    let problem = read(name);
    let options = Options {
        precision: "mp212".parse().unwrap(),
        at_once: true,
        then_proved: true,
        parameters: Parameters::default(),
        gap: None,
        feasibility: None,
    };
    let (report, point) = solve_on(machine, &problem, &options, None, &mut |_, _| true).unwrap();
    assert_eq!(report.phase, Phase::Optimal, "{name}");
    prove(machine, &problem, (&point, report.phase)).unwrap()
}

/// Small squares, a diagonal block beside them, and a large square.
#[test]
#[ignore = "needs a GPU"]
fn programs_are_solved_and_proved() {
    for name in ["control1", "truss1", "theta1"] {
        let [found, expected] = [proved(&gpu(), name), proved(&Cpu::default(), name)];
        for proof in [&found, &expected] {
            assert!(proof.digits().is_some_and(|digits| digits >= 30.0), "{name}: {proof:?}");
        }
        let bits = Bits::new(1000).unwrap();
        let number = |bound: &Result<String, Unproved>| -> Mp {
            Mp::from_decimal_in(bits, bound.as_ref().unwrap().as_bytes()).unwrap()
        };
        // Both hold the optimum.
        assert!(number(&found.lower) <= number(&expected.upper), "{name}");
        assert!(number(&expected.lower) <= number(&found.upper), "{name}");
    }
}

#[test]
fn every_module_compiles() {
    nonius_testkit::cuda::every_module_compiles(|_| super::sources());
}

#[test]
fn what_kernels_cannot_count_is_refused() {
    let most = u32::MAX as usize - 1;
    assert_eq!(counted([most - 7, 7].into_iter()), Ok(()));
    for counts in [[most - 7, 8], [usize::MAX, 1], [1 << 32, 0]] {
        let error = counted(counts.into_iter()).unwrap_err();
        assert!(matches!(error, Error::TooManyRows { rows, .. } if rows > most), "{counts:?}");
    }
}
