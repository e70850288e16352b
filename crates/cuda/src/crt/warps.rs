//! The kernels for integers of any length, on the host: `tests/arithmetic/warps.cpp` runs them warp
//! by warp.
//!
//! Needs a C++ compiler. Where it is absent, as on machines that only test a GPU, the test says so
//! and passes, but not in continuous integration.

use std::sync::OnceLock;

use libloading::Library;
use nonius_gpu::{Arguments, Const, Pointer, Source, kernel_arguments};
use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::crt::Plan;
use nonius_linalg::dense::gemm::{Engine, Products, gemm_on};
use nonius_linalg::mp::{Bits, Matrix};
use nonius_num::mp::Mp;
use nonius_testkit::{Random, cuda};

use super::convert::Column;
use super::matrices::{MpMatrices, MpNumbers};
use super::multiplier::Modulus;
use super::sizes::Limits;
use super::tables::{Section, Side, Tables};
use crate::host::{Place, gather};
use crate::kind::Kind;

/// What runs the kernels.
const MAIN: (&str, &str) = ("warps.cpp", include_str!("../../tests/arithmetic/warps.cpp"));

kernel_arguments! {
    /// An operand, and what it is packed with.
    struct Operand {
        /// Lanes, to which strides count.
        data: Pointer<Const<u64>>,
        lines: i64,
        line_stride: i64,
        place_stride: i64,
        exponents: Pointer<Const<i32>>,
        weights: Pointer<Const<u32>>,
        columns: Pointer<Const<Column>>,
    }

    /// A product by residues.
    struct Product {
        operands: [Operand; 2],
        /// `C` has as many rows as there are from one column to the next.
        data: Pointer<u64>,
        /// Terms, and those that are summed at a time.
        k: i64,
        terms: i64,
        /// Words and bits of a number, bits of an integer.
        count: i64,
        precision: i64,
        bits: i64,
        moduli: Pointer<Const<Modulus>>,
        weights: Pointer<Const<u32>>,
        product: Pointer<Const<i64>>,
        inverse: f64,
        small_tiles: i32,
        tiles: i32,
        small_planes: i32,
        planes: i32,
        small_steps: i32,
        steps: i32,
        chains: i32,
        digits: i32,
    }
}

/// A function of `warps.cpp`.
type Function = unsafe extern "C" fn(&Product);

/// The file that kernels include, and the one that `warps.cpp` does.
const ARGUMENTS: [&str; 2] = ["arguments.cuh", "product.cuh"];

/// What the kernels' headers have of tensor cores and of copies, which `warps.cpp` has itself.
const OWN: [&str; 3] = ["crt/mma.cuh", "dense/copy.cuh", "dense/factor.cuh"];

fn mp() -> Kind {
    Kind::Mp(Bits::FEWEST)
}

fn library() -> Option<&'static Library> {
    static LIBRARY: OnceLock<Option<Library>> = OnceLock::new();
    let library = LIBRARY.get_or_init(|| {
        let convert = super::convert::sources::<MpNumbers, MpMatrices>(mp());
        let sources: Vec<_> = convert.chain(super::multiplier_sources("sm_80")).collect();
        // What all kernels take, once; each includes all of it.
        let mut structures: Vec<_> = (sources.iter().flat_map(Source::files))
            .filter_map(|(name, text)| (name == ARGUMENTS[0]).then_some(text))
            .collect();
        structures.sort();
        structures.dedup();
        let product = <Product as Arguments>::structures().into_iter().map(|(_, text)| text);
        let texts = [structures.concat(), product.collect()];
        let own = |(name, text)| {
            if OWN.contains(&name) { (name, "#pragma once\n") } else { (name, text) }
        };
        let files: Vec<_> = (sources.iter().flat_map(Source::files).map(own))
            .chain([(ARGUMENTS[0], &*texts[0]), (ARGUMENTS[1], &*texts[1])])
            .collect();
        cuda::build(MAIN, &files, &["-DLIMBS=1", "-DMP=1"].map(String::from))
    });
    library.as_ref()
}

/// Numbers of all bits, and now and then 0; columns differ in size.
fn random(bits: Bits, rows: usize, cols: usize, seed: u64) -> Matrix {
    let mut random = Random::new(seed);
    Matrix::from_fn_in(bits, rows, cols, |_, j| {
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

/// The largest exponent of each of `lines` lines with `places` places.
fn exponents(lines: usize, places: usize, at: impl Fn(usize, usize) -> Option<i32>) -> Vec<i32> {
    let largest = |i: usize| (0..places).filter_map(|l| at(i, l)).max();
    (0..lines).map(|i| largest(i).unwrap_or(0)).collect()
}

fn has_the_hosts_bits(bits: u32, [m, n, k]: [usize; 3], terms: usize) {
    let Some(library) = library() else { return };
    let bits = Bits::new(bits).expect("a precision");
    let (a, b) = (random(bits, m, k, 1), random(bits, k, n, 2));
    let mut expected = Matrix::zeros_in(bits, m, n);
    let products = Products { engine: Some(Engine::Crt), ..Products::default() };
    let (no, one, zero) = (Transpose::No, Mp::one(bits), Mp::zero(bits));
    let (cpu, into) = (Cpu::new(products), expected.view_mut());
    let report = gemm_on(&cpu, no, no, one, a.view(), b.view(), zero, into);
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
    let lanes = Kind::Mp(bits).lanes();
    let lanes_of = |x: &Matrix| {
        let mut all = vec![0.0; lanes * x.rows() * x.cols()];
        gather(&mut all, x.view());
        all
    };
    let (lanes_of_a, lanes_of_b) = (lanes_of(&a), lanes_of(&b));
    let operand =
        |x: &[f64], lines: usize, strides: [usize; 2], exponents: &[i32], side: Side| Operand {
            data: Pointer::at(x.as_ptr().expose_provenance() as u64),
            lines: lines as i64,
            line_stride: (lanes * strides[0]) as i64,
            place_stride: (lanes * strides[1]) as i64,
            exponents: Pointer::at(exponents.as_ptr().expose_provenance() as u64),
            weights: Pointer::at(section(side.weights)),
            columns: Pointer::at(section(side.columns)),
        };
    let mut found = random(bits, m, n, 3);
    let mut to = lanes_of(&found);
    let rebuilding = tables.rebuilding;
    let both = |(x, y): (usize, usize)| [x as i32, y as i32];
    let [small_tiles, tiles] = both(tables.tiles());
    let [small_planes, planes] = both(tables.planes());
    let [small_steps, steps] = both(rebuilding.steps);
    let product = Product {
        operands: [
            operand(&lanes_of_a, m, [1, m], &rows, tables.left),
            operand(&lanes_of_b, n, [k, 1], &columns, tables.right),
        ],
        data: Pointer::at(to.as_mut_ptr().expose_provenance() as u64),
        k: k as i64,
        terms: terms as i64,
        count: bits.words() as i64,
        precision: bits.get().into(),
        bits: integer_bits.into(),
        moduli: Pointer::at(section(tables.sums)),
        weights: Pointer::at(section(tables.weights)),
        product: Pointer::at(section(tables.product)),
        inverse: tables.inverse,
        small_tiles,
        tiles,
        small_planes,
        planes,
        small_steps,
        steps,
        chains: (tables.packing.words / 4) as i32,
        digits: rebuilding.digits as i32,
    };
    assert!(rebuilding.wide, "{rebuilding:?}");
    // SAFETY: the function has this type, and its text was made of the structure's; it reads the
    // operands and the tables and writes C, all of which live, with the sizes that it is told.
    unsafe {
        let function = library.get::<Function>(b"multiply_by_residues\0").expect("the function");
        function(&product);
    }
    Place::new(found.view_mut()).fill(&to);
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
