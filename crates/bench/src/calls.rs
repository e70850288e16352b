//! What a call costs: tasks of two rows by the builders of the facade. `crates/python/bench` has
//! the same tasks from Python.

use std::hint::black_box;
use std::time::Instant;

use nonius::dense::{Determinant, Eigenvalues, Inverse, Solve};
use nonius::{Dd, Matrix, Number, Qd};

use crate::record::Record;

/// Calls that are timed together.
const TOGETHER: usize = 2000;
/// How often that is repeated; the best counts.
const REPEATS: usize = 9;

/// Every task at f64, dd and qd.
pub(crate) fn measure(threads: usize) -> Vec<Record> {
    let mut records = Vec::new();
    one_precision::<f64>(threads, &mut records);
    one_precision::<Dd>(threads, &mut records);
    one_precision::<Qd>(threads, &mut records);
    records
}

fn one_precision<T: Number<Format = ()>>(threads: usize, records: &mut Vec<Record>) {
    let number = |x: i32| T::from_f64(x.into());
    let a = Matrix::from_fn_in((), 2, 2, |i, j| number([[2, 1], [1, 3]][i][j]));
    let b = Matrix::from_fn_in((), 2, 1, |i, _| number([3, 4][i]));
    let mut row = |operation: &str, task: &dyn Fn()| {
        let seconds = of_one_call(task);
        let precision = T::precision(()).to_string();
        eprintln!("{precision:4} {operation:8} {:8.2} µs", seconds * 1e6);
        records.push(Record {
            library: "nonius".into(),
            precision,
            operation: operation.into(),
            m: 2,
            n: 2,
            k: 1,
            threads,
            seconds,
            rate: 1e-6 / seconds,
            unit: "M/s".into(),
        });
    };
    row("solve", &|| drop(black_box(Solve::new(&a).rhs(&b).run())));
    row("inv", &|| drop(black_box(Inverse::new(&a).run())));
    row("det", &|| drop(black_box(Determinant::new(&a).run())));
    row("eigh", &|| drop(black_box(Eigenvalues::new(&a).run())));
}

fn of_one_call(task: &dyn Fn()) -> f64 {
    let of_many = |_| {
        let start = Instant::now();
        (0..TOGETHER).for_each(|_| task());
        start.elapsed().as_secs_f64()
    };
    (0..REPEATS).map(of_many).fold(f64::INFINITY, f64::min) / TOGETHER as f64
}
