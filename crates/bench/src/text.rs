//! Numbers read from decimal text and written to it, bare and as Matrix Market files; one core.

use std::hint::black_box;

use nonius_linalg::sparse::matrix_market::{Style, read, write_dense};
use nonius_linalg::{MatRef, Scalar};
use nonius_num::{Dd, Decimal, Qd, Td};

use crate::inputs::vector;
use crate::record::Record;
use crate::timing::best_of;

const COUNT: usize = 50_000;

/// Rates at every precision.
pub(crate) fn measure() -> Vec<Record> {
    let one_core =
        rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread starts");
    one_core.install(|| {
        let mut records = Vec::new();
        one_precision::<f64>(&mut records);
        one_precision::<Dd>(&mut records);
        one_precision::<Td>(&mut records);
        one_precision::<Qd>(&mut records);
        records
    })
}

fn row<T: Scalar>(operation: &str, seconds: f64) -> Record {
    let rate = COUNT as f64 / seconds / 1e6;
    eprintln!("{:4} {operation:20} {rate:8.3} M/s", T::NAME);
    Record {
        library: "nonius".into(),
        precision: T::NAME.into(),
        operation: operation.into(),
        m: COUNT,
        n: 1,
        k: 1,
        threads: 1,
        seconds,
        rate,
        unit: "M/s".into(),
    }
}

fn one_precision<T: Scalar + Decimal>(records: &mut Vec<Record>) {
    let numbers = vector::<T>(COUNT, 3);
    let mut text = Vec::new();
    let seconds = best_of(|| {
        text.clear();
        for &x in &numbers {
            x.append_decimal(&mut text);
            text.push(b'\n');
        }
    });
    records.push(row::<T>("print", seconds));
    let seconds = best_of(|| {
        for line in text.split(|&c| c == b'\n').filter(|line| !line.is_empty()) {
            black_box(T::from_decimal(line).expect("we wrote it"));
        }
    });
    records.push(row::<T>("parse", seconds));

    let mut file = Vec::new();
    let column = MatRef::from_column(&numbers);
    let seconds = best_of(|| {
        file.clear();
        write_dense(&mut file, &column, &Style::default()).expect("memory takes what we write");
    });
    records.push(row::<T>("print Matrix Market", seconds));
    let seconds = best_of(|| {
        black_box(read::<T>(&file[..]).expect("we wrote it"));
    });
    records.push(row::<T>("parse Matrix Market", seconds));
}
