//! The kernels for integers of any length, on the host: `tests/arithmetic/warps.cpp` runs them warp by warp.
//!
//! Needs a C++ compiler. Where it is absent, as on machines that only test a GPU, the test says so and passes, but not in continuous integration.

use std::sync::OnceLock;

use libloading::Library;
use nonius_gpu::Source;
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::crt::Plan;
use nonius_linalg::dense::gemm::{Engine, Products};
use nonius_linalg::mp::{Bits, Matrix, gemm};
use nonius_num::mp::Mp;
use nonius_testkit::{Random, cuda};

use super::matrices::Kind;
use super::sizes::Limits;
use super::tables::{Section, Side, Tables};
use crate::words::Words;

/// What runs the kernels.
const MAIN: (&str, &str) = ("warps.cpp", include_str!("../../tests/arithmetic/warps.cpp"));

/// A function of `warps.cpp`, which takes a structure.
type Function = unsafe extern "C" fn(*const u64);

/// What the kernels' headers have of tensor cores and of copies, which `warps.cpp` has itself.
const OWN: [&str; 3] = ["crt/mma.cuh", "dense/copy.cuh", "dense/factor.cuh"];

fn library() -> Option<&'static Library> {
    static LIBRARY: OnceLock<Option<Library>> = OnceLock::new();
    let library = LIBRARY.get_or_init(|| {
        let sources = super::convert::sources(Kind::Mp).chain(super::multiplier_sources("sm_80"));
        let sources: Vec<_> = sources.collect();
        let own = |(name, text)| {
            if OWN.contains(&name) { (name, "#pragma once\n") } else { (name, text) }
        };
        let files: Vec<_> = sources.iter().flat_map(Source::files).map(own).collect();
        cuda::build(MAIN, &files, &["-DLIMBS=1", "-DMP=1"].map(String::from))
    });
    library.as_ref()
}

/// Numbers of all bits, and now and then 0; columns differ in size.
fn random(bits: Bits, rows: usize, cols: usize, seed: u64) -> Matrix {
    let mut random = Random::new(seed);
    Matrix::from_fn(bits, rows, cols, |_, j| {
        let mut sum = Mp::zero(bits);
        if random.below(20) > 0 {
            let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
            for piece in 0..bits.get().div_ceil(32) as i32 {
                let x = Mp::from_f64(bits, sign * (random.below(1 << 30) * 4 + 1) as f64);
                sum += x.ldexp(-32 * (piece + 1));
            }
        }
        sum.ldexp(j as i32 % 3)
    })
}

/// For each line of so many places the largest exponent.
fn exponents(lines: usize, places: usize, at: impl Fn(usize, usize) -> Option<i32>) -> Vec<i32> {
    let largest = |i: usize| (0..places).filter_map(|l| at(i, l)).max();
    (0..lines).map(|i| largest(i).unwrap_or(0)).collect()
}

fn has_the_hosts_bits(bits: u32, [m, n, k]: [usize; 3], terms: usize) {
    let Some(library) = library() else { return };
    let bits = Bits::new(bits).expect("a precision");
    let (a, b) = (random(bits, m, k, 1), random(bits, k, n, 2));
    let mut expected = Matrix::zeros(bits, m, n);
    let products = Products { engine: Some(Engine::Crt), ..Products::default() };
    let (no, one, zero) = (Transpose::No, Mp::one(bits), Mp::zero(bits));
    let report = gemm(products, no, no, one.view(), &a, &b, zero.view(), &mut expected);
    let integer_bits = report.expect("a product").bits.expect("by residues");
    let plan = Plan::with_bits(k, integer_bits, 1.0);
    let tables = Tables::new(plan, Limits { any_length: true, shared: 99 << 10 }).expect("tables");

    // Tables begin at a multiple of 16 bytes.
    let words: Vec<u128> = tables
        .words
        .chunks(4)
        .map(|words| words.iter().rev().fold(0, |all, &word| all << 32 | u128::from(word)))
        .collect();
    let section =
        |section: Section| words.as_ptr().expose_provenance() as u64 + 4 * section.start as u64;
    let rows = exponents(m, k, |i, l| a.at(i, l).head().exponent());
    let columns = exponents(n, k, |j, l| b.at(l, j).head().exponent());
    let operand = |x: &Matrix, lines: usize, strides: [usize; 2], exponents: &[i32], side: Side| {
        let numbers = x.numbers().as_slice();
        Words::default()
            .address(numbers.heads().as_ptr().expose_provenance() as u64)
            .address(numbers.words().as_ptr().expose_provenance() as u64)
            .long(lines)
            .long(strides[0])
            .long(strides[1])
            .address(exponents.as_ptr().expose_provenance() as u64)
            .address(section(side.weights))
            .address(section(side.columns))
    };
    let mut found = random(bits, m, n, 3);
    let (heads, to) = found.numbers_mut().into_parts();
    let rebuilding = tables.rebuilding;
    let argument = operand(&a, m, [1, m], &rows, tables.left)
        .and(operand(&b, n, [k, 1], &columns, tables.right))
        .address(heads.as_mut_ptr().expose_provenance() as u64)
        .address(to.as_mut_ptr().expose_provenance() as u64)
        .long(k)
        .long(terms)
        .long(bits.words())
        .long(bits.get() as usize)
        .long(integer_bits as usize)
        .address(section(tables.sums))
        .address(section(tables.weights))
        .address(section(tables.product))
        .address(tables.inverse.to_bits())
        .pair(tables.tiles().0, tables.tiles().1)
        .pair(tables.planes().0, tables.planes().1)
        .pair(rebuilding.steps.0, rebuilding.steps.1)
        .pair(tables.packing.words / 4, rebuilding.digits);
    assert!(rebuilding.wide, "{rebuilding:?}");
    // SAFETY: the function has this type; it takes one structure, which `argument` is, member by member, reads the operands and the tables and writes C, all of which
    // live, with the sizes that it is told.
    unsafe {
        let function = library.get::<Function>(b"multiply_by_residues\0").expect("the function");
        function(argument.as_slice().as_ptr());
    }
    for j in 0..n {
        for i in 0..m {
            let (found, expected) = (found.at(i, j), expected.at(i, j));
            assert_eq!(found.head(), expected.head(), "mp{bits} ({i}, {j})");
            assert_eq!(found.words(), expected.words(), "mp{bits} ({i}, {j})");
        }
    }
}

/// One test, since a warp is one for the whole library.
#[test]
fn products_have_the_hosts_bits() {
    has_the_hosts_bits(480, [33, 3, 18], 18);
    has_the_hosts_bits(600, [17, 5, 33], 17);
    has_the_hosts_bits(1024, [3, 17, 20], 20);
    has_the_hosts_bits(2048, [2, 2, 9], 9);
}
