//! The figures of the two papers of 2011 that this work starts from, as published.
//!
//! - Sivkova and others, quad-double and double-double arithmetic on CUDA with the QD library, NVIDIA C2050;
//! - Nakata, Takao, Noda, Himeno, *A fast implementation of matrix-matrix product in double-double precision on NVIDIA
//!   C2050 and application to semidefinite programming*.
//!
//! The first paper's elementwise table is not among the figures we hold; its column stays empty.

use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::gauss_jordan;
use nonius_linalg::{Matrix, Scalar};
use nonius_num::{Dd, Qd};

use crate::dense::{product, row};
use crate::inputs::matrix;
use crate::record::Record;
use crate::timing::best_of;

/// A published figure.
struct Published {
    /// What was measured, as our records name it.
    operation: &'static str,
    /// `dd` or `qd`.
    precision: &'static str,
    /// The figure, with its unit and its conditions.
    text: &'static str,
}

/// What the papers' tables call our rows.
pub(crate) const PRODUCT: &str = "product 1600×3200·3200×1600";
pub(crate) const SOLUTION: &str = "solve 2400×2400, 1600 right-hand sides";
/// What the second paper says of its product beside its rate.
pub(crate) const TRANSPOSES: &str = "products of all transposes";
pub(crate) const SIZES: &str = "products off the multiples of 64";
pub(crate) const SPREAD: &str = "products again and again";

/// Product of 1600 × 3200 by 3200 × 1600, and solution of 2400 equations with 1600 right-hand sides.
const PUBLISHED: &[Published] = &[
    Published {
        operation: PRODUCT,
        precision: "dd",
        text: "9.3 GFLOPS (Sivkova); 15.1 accurate, 24.2 sloppy, with transfers (Nakata)",
    },
    Published { operation: PRODUCT, precision: "qd", text: "1.15 GFLOPS (Sivkova)" },
    Published { operation: SOLUTION, precision: "dd", text: "7.0 s (Sivkova)" },
    Published { operation: SOLUTION, precision: "qd", text: "33–40 s (Sivkova)" },
    Published { operation: TRANSPOSES, precision: "dd", text: "all alike (Nakata)" },
    Published { operation: SIZES, precision: "dd", text: "at most 6 % slower (Nakata)" },
    Published { operation: SPREAD, precision: "dd", text: "at most 0.1 % apart (Nakata)" },
];

/// The published figure for an operation, or a dash.
pub(crate) fn published(operation: &str, precision: &str) -> &'static str {
    PUBLISHED
        .iter()
        .find(|p| p.operation == operation && p.precision == precision)
        .map_or("—", |p| p.text)
}

/// Measures both tables and prints them. Every dimension is divided by `shrink`.
pub(crate) fn measure(shrink: usize, threads: usize) -> Vec<Record> {
    let mut records = Vec::new();
    one_precision::<Dd>(shrink, threads, &mut records);
    one_precision::<Qd>(shrink, threads, &mut records);
    println!("\n{:4} {:42} {:>24}   published", "", "operation", "here");
    for record in &records {
        let (operation, here) = if record.operation == "gemm" {
            (PRODUCT, format!("{:.3} GFLOPS", record.rate))
        } else {
            (SOLUTION, format!("{:.1} s", record.seconds))
        };
        let published = published(operation, &record.precision);
        println!("{:4} {operation:42} {here:>24}   {published}", record.precision);
    }
    if shrink > 1 {
        println!("every dimension divided by {shrink}");
    }
    records
}

fn one_precision<T: Scalar>(shrink: usize, threads: usize, records: &mut Vec<Record>) {
    let (m, k) = (1600 / shrink, 3200 / shrink);
    let (a, b) = (matrix::<T>(m, k, 1), matrix::<T>(k, m, 2));
    let mut c = Matrix::zeros(m, m);
    let seconds = product(a.view(), b.view(), &mut c);
    let flops = 2.0 * (m * m * k) as f64;
    records.push(row::<T>("gemm", [m, m, k], threads, seconds, flops));
    let (n, sides) = (2400 / shrink, 1600 / shrink);
    let (a, b) = (matrix::<T>(n, n, 3), matrix::<T>(n, sides, 4));
    let (order, columns) = (n as f64, sides as f64);
    let flops = order.powi(3) + 2.0 * order * order * columns;
    let seconds = best_of(|| {
        let mut x = b.clone();
        gauss_jordan(Cpu::default(), a.clone(), x.view_mut()).expect("not singular");
    });
    records.push(row::<T>("gauss-jordan", [n, sides, n], threads, seconds, flops));
}
