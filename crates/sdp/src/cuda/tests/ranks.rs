//! GPUs that are ranks: what they compute has the bits of one. Where a machine has fewer GPUs than
//! there are ranks, ranks share them.

use nonius_comm::dense::{Grid, Ranks};
use nonius_comm::{Communicator, threads};
use nonius_cuda::{Cuda, DeviceMatrix};
use nonius_gpu::{Device, device_count};
use nonius_linalg::Error;
use nonius_linalg::backend::Memory;
use nonius_linalg::dense::gemm::{Engine, Products};
use nonius_linalg::mp::{Bits, Mp};
use nonius_num::{Dd, Qd};

use super::super::ranks::plan;
use super::{CudaCone, HostSuite, read};
use crate::cone::Cone;
use crate::cone::tests::suite::{Bitwise, Data, Limbs, Suite, dense, large, outcomes_of};
use crate::machine::Machine;
use crate::ranks::{Plan, RanksCone};
use crate::{Options, Parameters, Report, solve_on};

/// The order of tiles, of which matrices have several.
const TILE: usize = 24;

fn gpu(ranks: &Communicator, products: Products) -> Cuda {
    let count = device_count().expect("a driver");
    let device = Device::new(ranks.rank() % count.max(1)).expect("a GPU");
    Cuda::new(&device).expect("a stream").with_products(products)
}

/// The numbers of a suite for the host, on one GPU or on ranks.
struct Placed<'a, H, M> {
    host: &'a H,
    machine: M,
    gpu: Cuda,
}

impl<H, M> Suite for Placed<'_, H, M>
where
    H: HostSuite,
    M: Machine,
    M::Cone<H::Number>: Cone<Number = H::Number, Schur = DeviceMatrix<H::Number>>,
{
    type Cone = M::Cone<H::Number>;

    fn cone(&self, data: &Data) -> Self::Cone {
        self.machine.cone(data.program(self.host.format())).unwrap()
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

    fn sum(&self, terms: usize) -> f64 {
        self.host.sum(terms)
    }

    fn elimination(&self, terms: usize) -> f64 {
        self.host.elimination(terms)
    }

    /// The lower triangle: the other one is of no use.
    fn schur(&self, b: &<Self::Cone as Cone>::Schur) -> Vec<H::Number> {
        let b = self.gpu.download(b.as_ref()).unwrap();
        (0..b.cols())
            .flat_map(|j| (j..b.rows()).map(move |i| (i, j)))
            .map(|(i, j)| b.at(i, j))
            .collect()
    }
}

fn assert_same(found: &[Mp], expected: &[Mp]) {
    let parts = |x: &Mp| (x.head(), x.words().to_vec());
    assert_eq!(found.len(), expected.len());
    for (i, (x, y)) in found.iter().zip(expected).enumerate() {
        assert_eq!(parts(x), parts(y), "number {i}");
    }
}

/// Every operation, on 2 and 3 ranks.
fn have_the_bits_of_one<H: HostSuite + Sync>(host: &H, products: Products, programs: &[Data]) {
    for count in [2, 3] {
        let work = |ranks: &Communicator| {
            let gpu = gpu(ranks, products);
            let machine = Ranks::new(Grid::new(ranks, TILE), gpu.clone())?;
            let shared = Placed { host, machine, gpu: gpu.clone() };
            let one = Placed { host, machine: gpu.clone(), gpu };
            for data in programs {
                assert_same(&outcomes_of(&shared, data), &outcomes_of(&one, data));
            }
            Ok::<_, Error>(())
        };
        threads::run(count, work).unwrap_or_else(|failure| panic!("{count} ranks: {failure}"));
    }
}

#[test]
#[ignore = "needs a GPU"]
fn dd_has_the_bits_of_one() {
    let (host, direct) = (Limbs::<Dd>::default(), Products::direct());
    have_the_bits_of_one(&host, direct, &[dense(), vec![large()]].concat());
    let residues = Products { engine: Some(Engine::Crt), ..Products::default() };
    have_the_bits_of_one(&host, residues, &[large()]);
}

#[test]
#[ignore = "needs a GPU"]
fn qd_has_the_bits_of_one() {
    have_the_bits_of_one(&Limbs::<Qd>::default(), Products::direct(), &dense()[..3]);
}

#[test]
#[ignore = "needs a GPU"]
fn mp_has_the_bits_of_one() {
    let host = Bitwise::new(Bits::new(212).unwrap());
    have_the_bits_of_one(&host, Products::default(), &dense()[..3]);
}

/// A square on which ranks divide the work.
struct Divided<'a>(Placed<'a, Limbs<Dd>, Ranks<Cuda>>);

impl Suite for Divided<'_> {
    type Cone = RanksCone<CudaCone<Dd>, Cuda>;

    fn cone(&self, data: &Data) -> Self::Cone {
        let program = data.program(());
        let plan = Plan { least_divided: 65, least_in_tiles: 0, ..plan(&program) };
        let cone = CudaCone::on_ranks(&self.0.machine, program, &plan).unwrap();
        assert_eq!(cone.divided, [true, false, false]);
        cone
    }

    fn number(&self, x: &Mp) -> Dd {
        self.0.number(x)
    }

    fn exact(&self, x: &Dd) -> Mp {
        self.0.exact(x)
    }

    fn sum(&self, terms: usize) -> f64 {
        self.0.sum(terms)
    }

    fn elimination(&self, terms: usize) -> f64 {
        self.0.elimination(terms)
    }

    fn schur(&self, b: &DeviceMatrix<Dd>) -> Vec<Dd> {
        self.0.schur(b)
    }
}

#[test]
#[ignore = "needs a GPU"]
fn divided_squares_have_the_bits_of_one() {
    let (host, data) = (&Limbs::<Dd>::default(), large());
    for count in [2, 3] {
        let work = |ranks: &Communicator| {
            let gpu = gpu(ranks, Products::default());
            let machine = Ranks::new(Grid::new(ranks, TILE), gpu.clone())?;
            let shared = Divided(Placed { host, machine, gpu: gpu.clone() });
            let one = Placed { host, machine: gpu.clone(), gpu };
            assert_same(&outcomes_of(&shared, &data), &outcomes_of(&one, &data));
            Ok::<_, Error>(())
        };
        threads::run(count, work).unwrap_or_else(|failure| panic!("{count} ranks: {failure}"));
    }
}

/// What a program's solution is like, but for seconds.
fn solved<M: Machine>(machine: &M, name: &str) -> (Report, String) {
    let options = Options {
        precision: "dd".parse().unwrap(),
        at_once: true,
        then_proved: false,
        parameters: Parameters::default(),
        gap: None,
        feasibility: None,
    };
    let (mut report, point) =
        solve_on(machine, &read(name), &options, None, &mut |_, _| true).unwrap();
    report.seconds = 0.0;
    report.history.iter_mut().for_each(|row| row.seconds = 0.0);
    (report, format!("{point:?}"))
}

/// Small squares, a diagonal block beside them, and a large square.
#[test]
#[ignore = "needs a GPU"]
fn programs_have_the_solutions_of_one() {
    for name in ["truss1", "theta1"] {
        let work = |ranks: &Communicator| {
            let gpu = gpu(ranks, Products::default());
            let machine = Ranks::new(Grid::new(ranks, TILE), gpu.clone())?;
            let [found, expected] = [solved(&machine, name), solved(&gpu, name)];
            // What is not a number equals nothing.
            assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{name}");
            Ok::<_, Error>(())
        };
        threads::run(2, work).unwrap_or_else(|failure| panic!("{name}: {failure}"));
    }
}
