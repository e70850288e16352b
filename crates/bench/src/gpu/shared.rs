//! Books of options and solids on several GPUs of this machine, beside the same on one of them.

use std::error::Error;
use std::time::Instant;

use nonius_comm::{Communicator, Reduction, threads};
use nonius_cuda::Cuda;
use nonius_fem::cuda::CudaRanks;
use nonius_fem::model::Kind as ElementKind;
use nonius_fem::{Precision, Simulation, generate};
use nonius_gpu::Device;
use nonius_linalg::DeviceFailure;
use nonius_option::{Accuracy, Contract, Kind, Request, price_on_ranks};

use crate::record::Record;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// How often a time is taken.
const TIMES: usize = 3;
/// Steps of a simulation in that time: so many that energies are looked at about as seldom as in a
/// long run.
const STEPS: u64 = 1000;
/// A time in seconds that these steps do not come to.
const END: f64 = 1e3;

/// A book of `count` options in `f64`, European calls and American puts in turns, to a tolerance of
/// 1e-5.
pub(crate) fn book(count: usize, gpus: &[usize]) -> Vec<Record> {
    let contract = |i: usize| {
        let strike = 80.0 + 40.0 * i as f64 / count as f64;
        let market = [0.05, 0.0, 0.2];
        if i.is_multiple_of(2) {
            Contract::european(Kind::Call, 100.0, strike, 1.0, market)
        } else {
            Contract::american(Kind::Put, 100.0, strike, 1.0, market)
        }
    };
    let contracts: Vec<Contract<f64>> = (0..count).map(contract).collect();
    let request = Request { accuracy: Accuracy::Tolerance(1e-5), ..Request::default() };
    on_gpus(gpus, ("book", "f64"), [count, 1], "contracts/s", |ranks, gpu| {
        best(ranks, || {
            let prices = price_on_ranks(ranks, gpu, &contracts, &|_| request)?;
            let failed = prices.iter().find_map(|price| price.as_ref().err());
            failed.map_or(Ok(()), |error| Err(error.to_string().into()))
        })
    })
}

/// A bar of about `count` hexahedra with one point each, twenty times as long as it is wide in
/// elements: updates of elements.
pub(crate) fn bar(count: usize, gpus: &[usize]) -> Vec<Record> {
    let side = ((count as f64 / 20.0).cbrt().round() as usize).max(1);
    let cells = [(count / (side * side)).max(1), side, side];
    let elements = cells.iter().product();
    let model = match generate::bar(ElementKind::ReducedHexahedron, cells) {
        Ok(model) => model,
        Err(error) => {
            eprintln!("bar: {error}");
            return Vec::new();
        }
    };
    let of = |precision: Precision| {
        let name = ("bar", precision.name());
        on_gpus(gpus, name, [elements, STEPS as usize], "M/s", |ranks, gpu| {
            let backend = CudaRanks::new(ranks, gpu)?;
            let mut simulation = Simulation::on(&backend, &model, precision)?;
            best(ranks, || {
                simulation.advance(END, STEPS)?;
                Ok(())
            })
        })
    };
    [Precision::Double, Precision::Single].into_iter().flat_map(of).collect()
}

/// Seconds of some work on each number of GPUs.
fn on_gpus(
    gpus: &[usize],
    (operation, precision): (&str, &str),
    [items, rounds]: [usize; 2],
    unit: &str,
    work: impl Fn(&Communicator, &Cuda) -> Outcome<f64> + Sync,
) -> Vec<Record> {
    let (mut records, mut one) = (Vec::new(), None);
    for &count in gpus {
        let times = threads::run(count, |ranks| {
            let gpu = Device::new(ranks.rank()).and_then(|device| Cuda::new(&device))?;
            work(ranks, &gpu)
        });
        let seconds = match times {
            Ok(times) => times[0],
            Err(failure) => {
                eprintln!("{operation} on {count}: {failure}");
                continue;
            }
        };
        let times_one = one.map_or(1.0, |one: f64| one / seconds);
        one = one.or(Some(seconds));
        let scale = if unit == "M/s" { 1e-6 } else { 1.0 };
        let rate = scale * items as f64 * rounds as f64 / seconds;
        eprintln!(
            "{items:9} {operation:4} {precision:6} {count} GPUs {:10.3} ms, {rate:.4e} {unit}, {times_one:5.2} times",
            1e3 * seconds / rounds as f64
        );
        records.push(Record {
            library: "nonius".into(),
            precision: precision.into(),
            operation: format!("{operation}-on-{count}"),
            m: items,
            n: rounds,
            k: 1,
            threads: count,
            seconds,
            rate,
            unit: unit.into(),
        });
    }
    records
}

/// The best time of the slowest rank; the first round, which compiles kernels, does not count.
fn best(ranks: &Communicator, mut work: impl FnMut() -> Outcome<()>) -> Outcome<f64> {
    work()?;
    let mut best = f64::INFINITY;
    for _ in 0..TIMES {
        ranks.barrier().map_err(failed)?;
        let start = Instant::now();
        work()?;
        let mut seconds = [start.elapsed().as_secs_f64()];
        ranks.all_reduce(Reduction::Greatest, &mut seconds).map_err(failed)?;
        best = best.min(seconds[0]);
    }
    Ok(best)
}

fn failed(error: impl Error + Send + Sync + 'static) -> nonius_linalg::Error {
    nonius_linalg::Error::Device(DeviceFailure::new(error))
}
