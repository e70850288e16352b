//! Proved digits against exact results: what `certified::solve` and `certified::determinant`
//! promise is never more than what is true, and never less than what was asked for.

mod conditions;
mod determinants;
mod files;
mod random;

use nonius::certified::{Data, Datum, Options, Reading, Refusal, Solution};
use nonius_linalg::backend::Cpu;
use nonius_linalg::certified::solve;
use nonius_linalg::dense::gemm::Products;
use nonius_linalg::sparse::matrix_market::read_as;

fn options(digits: u32) -> Options {
    Options::new(digits)
}

fn read(text: &str, reading: impl Into<Reading>) -> Data {
    read_as::<Datum>(reading.into(), text.as_bytes()).unwrap().into_dense().unwrap()
}

fn solved(a: &Data, b: &Data, digits: u32) -> Result<Solution, Refusal> {
    solve(&Cpu::new(Products::direct()), a, b, options(digits), &mut |_| {})
}
