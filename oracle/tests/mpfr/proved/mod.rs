//! Proved digits against exact results: what `certified::solve` and `certified::determinant`
//! promise is never more than what is true, and never less than what was asked for.

mod conditions;
mod determinants;
mod files;
mod random;

use nonius::certified::{Data, Datum, DigitsIn, Options, Reading, Refusal, Solution, solve};
use nonius::linalg::backend::Cpu;
use nonius::linalg::dense::gemm::Products;
use nonius::linalg::sparse::matrix_market::read_as;
use nonius::num::mp::Bits;

fn options(digits: u32) -> Options {
    Options { digits, digits_in: DigitsIn::Entry, most_bits: Bits::new(Bits::MOST).unwrap() }
}

fn read(text: &str, reading: impl Into<Reading>) -> Data {
    read_as::<Datum>(reading.into(), text.as_bytes()).unwrap().into_dense().unwrap()
}

fn solved(a: &Data, b: &Data, digits: u32) -> Result<Solution, Refusal> {
    solve(&Cpu::new(Products::direct()), a, b, options(digits), &mut |_| {})
}
