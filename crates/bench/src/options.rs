//! Books of options: contracts a second on a fixed grid, and to a tolerance.

use std::error::Error;

use nonius_cuda::Cuda;
use nonius_linalg::Scalar;
use nonius_linalg::backend::Cpu;
use nonius_num::{Dd, Qd, Td};
use nonius_option::cuda::{CudaEvolver, Laid, Recurrences};
use nonius_option::evolve::Evolve;
use nonius_option::{Accuracy, Contract, Grid, Kind, Priced, Request, price};

use crate::record::Record;
use crate::timing::best_of;

/// Contracts that one thread of the CPU prices beside a GPU, at the most.
const MOST_CPU_CONTRACTS: usize = 256;

/// Spot 100, a year, rate 5 %, volatility 20 %; strikes from 80 to 120.
fn book<T: Scalar>(count: usize, kind: Kind, early: bool) -> Vec<Contract<T>> {
    let number = T::from_f64;
    let contract = |i: usize| {
        let strike = 100.0 + 40.0 * (i as f64 / count as f64 - if count == 1 { 0.0 } else { 0.5 });
        let new = if early { Contract::american } else { Contract::european };
        new(kind, number(100.0), number(strike), T::ONE, [0.05, 0.0, 0.2].map(number))
    };
    (0..count).map(contract).collect()
}

/// European calls and American puts on 1000 × 500 nodes and steps, in `f64` to tolerances too; `m`
/// is the number of contracts.
pub(crate) fn measure<T: Priced + Scalar + Laid>(
    backend: &impl Evolve<T>,
    library: &str,
    counts: &[usize],
    threads: usize,
) -> Vec<Record> {
    const GRID: Grid = Grid { space: 1000, time: 500 };
    let mut records = Vec::new();
    for (name, kind, early) in [("european", Kind::Call, false), ("american", Kind::Put, true)] {
        for &count in counts {
            let contracts = book::<T>(count, kind, early);
            let mut row = |operation: String, accuracy: Accuracy, [n, k]: [usize; 2]| {
                let request = Request { accuracy, ..Request::default() };
                let seconds = best_of(|| {
                    let prices = price(backend, &contracts, &request);
                    assert!(prices.is_ok_and(|prices| prices.iter().all(Result::is_ok)));
                });
                let (rate, all) = (count as f64 / seconds, 1e3 * seconds);
                eprintln!(
                    "{library:18} {:3} {operation:14} {count:5}  {all:9.3} ms, {:8.4} ms each",
                    T::NAME,
                    1e3 / rate
                );
                records.push(Record {
                    library: library.into(),
                    precision: T::NAME.into(),
                    operation,
                    m: count,
                    n,
                    k,
                    threads,
                    seconds,
                    rate,
                    unit: "contracts/s".into(),
                });
            };
            row(name.into(), Accuracy::Grid(GRID), [GRID.space, GRID.time]);
            for tolerance in [1e-4, 1e-6].into_iter().filter(|_| T::LIMBS == 1) {
                row(format!("{name}-{tolerance:e}"), Accuracy::Tolerance(tolerance), [0, 0]);
            }
        }
    }
    records
}

/// The same on a GPU, in each of its ways, with one thread of the CPU beside for books that are not
/// large.
pub(crate) fn measure_on(
    gpu: &Cuda,
    counts: &[usize],
    precisions: &[String],
    threads: usize,
) -> Result<Vec<Record>, Box<dyn Error>> {
    let mut records = Vec::new();
    for precision in precisions {
        let of = match &precision[..] {
            "f64" => beside::<f64>,
            "dd" => beside::<Dd>,
            "td" => beside::<Td>,
            "qd" => beside::<Qd>,
            other => return Err(format!("{other} is none of f64, dd, td and qd").into()),
        };
        records.extend(of(gpu, counts, threads)?);
    }
    Ok(records)
}

fn beside<T: Priced + Scalar + Laid>(
    gpu: &Cuda,
    counts: &[usize],
    threads: usize,
) -> Result<Vec<Record>, Box<dyn Error>> {
    let mut records = Vec::new();
    for (library, recurrences) in [
        ("nonius-cuda", Recurrences::Chosen),
        ("nonius-cuda-scans", Recurrences::Scans),
        ("nonius-cuda-chains", Recurrences::Chains),
    ] {
        records.extend(measure::<T>(&CudaEvolver { gpu, recurrences }, library, counts, threads));
    }
    let counts: Vec<usize> =
        counts.iter().copied().filter(|&count| count <= MOST_CPU_CONTRACTS).collect();
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    records.extend(one.install(|| measure::<T>(&Cpu::default(), "nonius", &counts, 1)));
    Ok(records)
}
