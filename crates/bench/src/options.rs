//! Books of options: contracts a second on a fixed grid, and to a tolerance.

use nonius_linalg::evolve::Evolve;
use nonius_option::{Accuracy, Contract, Grid, Kind, Request, price};

use crate::record::Record;
use crate::timing::best_of;

/// Spot 100, a year, rate 5 %, volatility 20 %; strikes from 80 to 120.
fn book(count: usize, kind: Kind, early: bool) -> Vec<Contract<f64>> {
    let contract = |i: usize| {
        let strike = 100.0 + 40.0 * (i as f64 / count as f64 - if count == 1 { 0.0 } else { 0.5 });
        let new = if early { Contract::american } else { Contract::european };
        new(kind, 100.0, strike, 1.0, [0.05, 0.0, 0.2])
    };
    (0..count).map(contract).collect()
}

/// European calls and American puts on 1000 × 500 nodes and steps, and to tolerances; `m` is the number of contracts.
pub(crate) fn measure(
    backend: &impl Evolve<f64>,
    library: &str,
    counts: &[usize],
    threads: usize,
) -> Vec<Record> {
    const GRID: Grid = Grid { space: 1000, time: 500 };
    let mut records = Vec::new();
    for (name, kind, early) in [("european", Kind::Call, false), ("american", Kind::Put, true)] {
        for &count in counts {
            let contracts = book(count, kind, early);
            let mut row = |operation: String, accuracy: Accuracy, [n, k]: [usize; 2]| {
                let request = Request { accuracy, ..Request::default() };
                let seconds = best_of(|| {
                    let prices = price(backend, &contracts, &request);
                    assert!(prices.is_ok_and(|prices| prices.iter().all(Result::is_ok)));
                });
                let rate = count as f64 / seconds;
                eprintln!("{operation:14} {count:5}  {:8.4} ms each", 1e3 / rate);
                records.push(Record {
                    library: library.into(),
                    precision: "f64".into(),
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
            for tolerance in [1e-4, 1e-6] {
                row(format!("{name}-{tolerance:e}"), Accuracy::Tolerance(tolerance), [0, 0]);
            }
        }
    }
    records
}
