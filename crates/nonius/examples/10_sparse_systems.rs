//! Solve a sparse system by conjugate gradients, with and without a preconditioner, in `f64` and in
//! `dd`. The unknowns are temperatures of a plate of copper and foam between cold edges.
//!
//! `cargo run --release -p nonius --example 10_sparse_systems`

use std::error::Error;

use nonius::prelude::*;
use nonius::sparse::{self, Coo, Preconditioning, Triplet};

/// Points along an edge of the plate, those on the edges not counted.
const SIDE: usize = 48;

/// Conductance between two points: copper conducts 10 000 times as well as foam.
fn conductance(p: usize, q: usize) -> f64 {
    let is_copper = |p: usize| (p % SIDE / 8 + p / SIDE / 8).is_multiple_of(2);
    if is_copper(p) && is_copper(q) { 1e4 } else { 1.0 }
}

/// Heat that flows from each point, by temperatures. Values at the same place are added.
fn plate() -> Vec<Triplet<f64>> {
    let mut triplets = Vec::new();
    for p in 0..SIDE * SIDE {
        let (i, j) = (p % SIDE, p / SIDE);
        let (west, east) = ((i > 0).then(|| p - 1), (i + 1 < SIDE).then(|| p + 1));
        let (south, north) = ((j > 0).then(|| p - SIDE), (j + 1 < SIDE).then(|| p + SIDE));
        for q in [west, east, south, north] {
            let value = conductance(p, q.unwrap_or(p));
            triplets.push(Triplet { row: p, col: p, value });
            triplets.extend(q.map(|q| Triplet { row: p, col: q, value: -value }));
        }
    }
    triplets
}

/// Prints and returns the number of iterations and the largest relative error.
fn run<T: Number<Format = ()>>(how: Preconditioning) -> Result<(usize, f64), Box<dyn Error>> {
    // The sources belong to known temperatures. All numbers are integers.
    let (n, triplets) = (SIDE * SIDE, plate());
    let known = |p: usize| T::from_f64((1 + p % 7 + p / SIDE % 5) as f64);
    let mut b = Matrix::<T>::zeros_in((), n, 1);
    for t in &triplets {
        b.set(t.row, 0, b.at(t.row, 0) + T::from_f64(t.value) * known(t.col));
    }
    let a = Coo::new(n, n, triplets).ok_or("a place beyond the matrix")?;
    let tolerance = 100.0 * T::precision(()).unit_roundoff();
    let (x, report) =
        sparse::Solve::short(a, &b).tolerance(tolerance).preconditioning(how).run()?;
    let error = |p: usize| (x.at(p, 0) / known(p) - T::ONE).abs().to_f64();
    let worst = (0..n).map(error).fold(0.0, f64::max);
    let count = report.iteration.iterations;
    println!("{:3} {how:4}  {count:4} iterations, error {worst:.0e}", report.precision);
    assert!(report.iteration.converged);
    Ok((count, worst))
}

fn main() -> Result<(), Box<dyn Error>> {
    let (plain, _) = run::<f64>(Preconditioning::None)?;
    let (fewer, error) = run::<f64>(Preconditioning::IncompleteCholesky)?;
    assert!(5 * fewer < plain && error < 1e-9);
    let (_, error) = run::<Dd>(Preconditioning::IncompleteCholesky)?;
    assert!(error < 1e-22);
    Ok(())
}
