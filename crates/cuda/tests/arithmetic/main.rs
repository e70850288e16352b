//! The kernels' arithmetic has the bits of `nonius-num`: their headers, compiled by a C++ compiler for this machine, on
//! random and adversarial numbers.
//!
//! Needs a C++ compiler of the GNU or LLVM kind: `c++`, or what `CXX` names.

// The functions compiled are foreign code.
#![allow(unsafe_code)]

mod accumulate;
mod elementwise;
mod library;
mod numbers;
mod parts;

use nonius_linalg::Scalar;
use nonius_num::{Dd, MultiFloat};

use crate::numbers::Numbers;

/// Numbers tried in each of the arithmetic operations, at each width.
const COUNT: usize = 10_000_000;

fn arithmetic<const N: usize>()
where
    MultiFloat<N>: Scalar,
{
    let library = library::of_width(N);
    for operands in Numbers::new(|x| x, COUNT) {
        elementwise::short(library, &operands);
        parts::all(library, &operands);
        accumulate::sums(library, &operands);
    }
}

#[test]
fn f64_arithmetic() {
    let library = library::of_width(1);
    for operands in Numbers::new(Dd::first, COUNT) {
        elementwise::short(library, &operands);
        accumulate::sums(library, &operands);
    }
}

#[test]
fn dd_arithmetic() {
    arithmetic::<2>();
    let library = library::of_width(2);
    for operands in Numbers::new(|x: Dd| x, COUNT) {
        parts::variants(library, &operands);
    }
}

#[test]
fn td_arithmetic() {
    arithmetic::<3>();
}

#[test]
fn qd_arithmetic() {
    arithmetic::<4>();
}
