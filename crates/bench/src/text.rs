//! Numbers read from decimal text and written to it, bare and as Matrix Market files; one core.

use std::hint::black_box;

use nonius_linalg::mp::{Bits, Mp};
use nonius_linalg::sparse::matrix_market::{Style, read, read_as, write_dense};
use nonius_linalg::{MatRef, Scalar};
use nonius_num::{Dd, Qd, Td};

use crate::inputs::{mp_matrix, vector};
use crate::record::Record;
use crate::timing::best_of;

const COUNT: usize = 50_000;
/// Order of the matrices of `mp` numbers.
const ORDER: usize = 224;
const BITS: [u32; 5] = [106, 212, 424, 1000, 4096];

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
        for bits in BITS.into_iter().filter_map(|bits| Bits::new(bits).ok()) {
            any_precision(bits, &mut records);
        }
        records
    })
}

fn row(precision: &str, operation: &str, count: usize, seconds: f64) -> Record {
    let rate = count as f64 / seconds / 1e6;
    eprintln!("{precision:6} {operation:20} {rate:8.3} M/s");
    Record {
        library: "nonius".into(),
        precision: precision.into(),
        operation: operation.into(),
        m: count,
        n: 1,
        k: 1,
        threads: 1,
        seconds,
        rate,
        unit: "M/s".into(),
    }
}

fn one_precision<T: Scalar>(records: &mut Vec<Record>) {
    let numbers = vector::<T>(COUNT, 3);
    let mut text = Vec::new();
    let seconds = best_of(|| {
        text.clear();
        for &x in &numbers {
            x.append_decimal(&mut text);
            text.push(b'\n');
        }
    });
    records.push(row(T::NAME, "print", COUNT, seconds));
    let seconds = best_of(|| {
        for line in text.split(|&c| c == b'\n').filter(|line| !line.is_empty()) {
            black_box(T::from_decimal(line).expect("we wrote it"));
        }
    });
    records.push(row(T::NAME, "parse", COUNT, seconds));

    let mut file = Vec::new();
    let column = MatRef::from_column(&numbers);
    let seconds = best_of(|| {
        file.clear();
        write_dense(&mut file, &column, &Style::default()).expect("memory takes what we write");
    });
    records.push(row(T::NAME, "print Matrix Market", COUNT, seconds));
    let seconds = best_of(|| {
        black_box(read::<T>(&file[..]).expect("we wrote it"));
    });
    records.push(row(T::NAME, "parse Matrix Market", COUNT, seconds));
}

fn any_precision(bits: Bits, records: &mut Vec<Record>) {
    let (name, count) = (format!("mp{bits}"), ORDER * ORDER);
    let a = mp_matrix(bits, ORDER, 3);
    let mut text = Vec::new();
    let seconds = best_of(|| {
        text.clear();
        for j in 0..ORDER {
            for i in 0..ORDER {
                a.at(i, j).append_decimal(&mut text);
                text.push(b'\n');
            }
        }
    });
    records.push(row(&name, "print", count, seconds));
    let seconds = best_of(|| {
        for line in text.split(|&c| c == b'\n').filter(|line| !line.is_empty()) {
            black_box(Mp::from_decimal(bits, line).expect("we wrote it"));
        }
    });
    records.push(row(&name, "parse", count, seconds));

    let mut file = Vec::new();
    let seconds = best_of(|| {
        file.clear();
        write_dense(&mut file, &a, &Style::default()).expect("memory takes what we write");
    });
    records.push(row(&name, "print Matrix Market", count, seconds));
    let seconds = best_of(|| {
        black_box(read_as::<Mp>(bits, &file[..]).expect("we wrote it"));
    });
    records.push(row(&name, "parse Matrix Market", count, seconds));
}
