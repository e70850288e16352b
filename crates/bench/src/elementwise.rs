//! Rates of operations and functions on vectors in both layouts: `nonius`, number by number, and
//! `nonius-planes`, one array for each limb.

use std::hint::black_box;

use nonius_linalg::dense::{Operand, Planes, dot, elementwise};
use nonius_linalg::{BinaryOp, Operations, Scalar, UnaryOp};
use nonius_num::{Dd, Qd, Td};

use crate::inputs::near_one;
use crate::record::Record;
use crate::timing::best_of;

/// The operations named in `only`, or all where none is, at every precision on vectors of `n`
/// numbers around 1.
pub(crate) fn measure(n: usize, threads: usize, only: &[String]) -> Vec<Record> {
    let mut bench = Bench { n, threads, only, records: Vec::new() };
    bench.one_precision::<f64>();
    bench.one_precision::<Dd>();
    bench.one_precision::<Td>();
    bench.one_precision::<Qd>();
    bench.records
}

struct Bench<'a> {
    n: usize,
    threads: usize,
    only: &'a [String],
    records: Vec<Record>,
}

impl Bench<'_> {
    fn wants(&self, operation: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == operation)
    }

    fn one_precision<T: Scalar>(&mut self) {
        let (x, y) = (near_one::<T>(self.n, 1), near_one::<T>(self.n, 2));
        for &operation in BinaryOp::ALL {
            self.operation::<2, T>(operation, [&x, &y]);
        }
        for &operation in UnaryOp::ALL {
            self.operation::<1, T>(operation, [&x]);
        }
        if self.wants("dot") {
            let seconds = best_of(|| {
                black_box(dot(&x, &y).expect("equal lengths"));
            });
            self.row::<T>("nonius", "dot", seconds);
        }
    }

    fn operation<const K: usize, T: Scalar>(
        &mut self,
        operation: impl Operations<K>,
        operands: [&Vec<T>; K],
    ) {
        if !self.wants(operation.name()) {
            return;
        }
        let mut z = vec![T::ZERO; self.n];
        let seconds = best_of(|| {
            elementwise(operation, operands.map(Operand::from), &mut z[..]).expect("equal lengths");
        });
        self.row::<T>("nonius", operation.name(), seconds);
        let planes = operands.map(|x| Planes::from_slice(x));
        let mut z = Planes::<T>::zeros(self.n);
        let seconds = best_of(|| {
            z.assign(operation, planes.each_ref().map(Operand::Entries)).expect("equal lengths");
        });
        self.row::<T>("nonius-planes", operation.name(), seconds);
    }

    fn row<T: Scalar>(&mut self, library: &str, operation: &str, seconds: f64) {
        let rate = self.n as f64 / seconds / 1e6;
        eprintln!("{:4} {operation:8} {library:14} {rate:10.2} M/s", T::NAME);
        self.records.push(Record {
            library: library.into(),
            precision: T::NAME.into(),
            operation: operation.into(),
            m: self.n,
            n: 1,
            k: 1,
            threads: self.threads,
            seconds,
            rate,
            unit: "M/s".into(),
        });
    }
}
