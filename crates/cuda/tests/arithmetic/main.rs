//! The kernels' arithmetic has the bits of `nonius-num`: their headers, compiled by a C++ compiler
//! for this machine, on random and adversarial numbers.
//!
//! Needs a C++ compiler of the GNU or LLVM kind: `c++`, or what `CXX` names.

// The functions compiled are foreign code.
#![allow(unsafe_code)]

mod accumulate;
mod elementwise;
mod library;
mod mp;
mod numbers;
mod parts;
mod readings;
mod residues;
mod rns;
#[path = "../../src/tables.rs"]
mod tables;

use nonius_linalg::Scalar;
use nonius_num::{Dd, MultiFloat};
use nonius_testkit::comparisons;

use crate::numbers::{Numbers, circular_points, domains, exponential_points, ordinary_points};

/// Numbers tried in a commit, of each operation or function at each width.
const COUNT: usize = 100_000;

fn arithmetic<const N: usize>()
where
    MultiFloat<N>: Scalar,
{
    let library = library::of_width(N);
    for operands in Numbers::new(|x| x, domains(&[]), comparisons(COUNT)) {
        elementwise::short(library, &operands);
        parts::all(library, &operands);
        accumulate::sums(library, &operands);
    }
}

#[test]
fn random_f64_arithmetic() {
    let library = library::of_width(1);
    for operands in Numbers::new(Dd::first, domains(&[]), comparisons(COUNT)) {
        elementwise::short(library, &operands);
        accumulate::sums(library, &operands);
    }
}

#[test]
fn random_dd_arithmetic() {
    arithmetic::<2>();
    let library = library::of_width(2);
    for operands in Numbers::new(|x: Dd| x, domains(&[]), comparisons(COUNT)) {
        parts::variants(library, &operands);
    }
}

#[test]
fn random_td_arithmetic() {
    arithmetic::<3>();
}

#[test]
fn random_qd_arithmetic() {
    arithmetic::<4>();
}

fn functions<const N: usize>()
where
    MultiFloat<N>: Scalar,
{
    let library = library::of_width(N);
    for points in [ordinary_points(), exponential_points(), circular_points()] {
        for operands in Numbers::new(|x| x, domains(&points), comparisons(COUNT) / 3) {
            elementwise::long(library, &operands);
            parts::functions(library, &operands);
        }
    }
}

#[test]
fn random_dd_functions() {
    functions::<2>();
}

#[test]
fn random_td_functions() {
    functions::<3>();
}

#[test]
fn random_qd_functions() {
    functions::<4>();
}
