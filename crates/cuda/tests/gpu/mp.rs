//! Products of numbers of any precision: the bits of the host's.

use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::crt::Fallback;
use nonius_linalg::dense::gemm::{Engine, Factor, Products, Report, gemm_on};
use nonius_linalg::mp::{Bits, Matrix, Mp};
use nonius_testkit::Random;

use crate::dense::TRANSPOSES;
use crate::gpu;

const PRECISIONS: [u32; 12] = [64, 65, 106, 128, 212, 424, 448, 480, 600, 1024, 2048, 4096];

/// Numbers of all bits, about 1 in size, and now and then 0.
pub(crate) fn random(bits: Bits, rows: usize, cols: usize, seed: u64) -> Matrix {
    let mut random = Random::new(seed);
    Matrix::from_fn_in(bits, rows, cols, |_, _| {
        let mut sum = Mp::zero(bits);
        if random.below(50) > 0 {
            let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
            for piece in 0..bits.get().div_ceil(32) as i32 {
                let x = Mp::from_f64(bits, sign * (random.below(1 << 30) * 4 + 1) as f64);
                sum += x.ldexp(-32 * (piece + 1));
            }
        }
        sum
    })
}

fn by_residues() -> Products {
    Products { engine: Some(Engine::Crt), ..Products::default() }
}

fn on_host(
    (ta, a): (Transpose, &Matrix),
    (tb, b): (Transpose, &Matrix),
    products: Products,
) -> (Matrix, Report) {
    let bits = a.bits();
    let (m, n) = (ta.shape(a.shape()).0, tb.shape(b.shape()).1);
    let mut c = Matrix::zeros_in(bits, m, n);
    let (one, zero) = (Mp::one(bits), Mp::zero(bits));
    let (cpu, into) = (Cpu::new(products), c.view_mut());
    let report = gemm_on(&cpu, ta, tb, one, a.view(), b.view(), zero, into).unwrap();
    (c, report)
}

fn same(found: &Matrix, expected: &Matrix, what: &str) {
    assert_eq!(found.shape(), expected.shape(), "{what}");
    for j in 0..found.cols() {
        for i in 0..found.rows() {
            let (found, expected) = (found.at(i, j), expected.at(i, j));
            assert_eq!(found.head(), expected.head(), "{what} ({i}, {j})");
            assert_eq!(found.words(), expected.words(), "{what} ({i}, {j})");
        }
    }
}

/// Compares with the host, and yields why the device did not compute it.
fn check(a: (Transpose, &Matrix), b: (Transpose, &Matrix), what: &str) -> Option<Fallback> {
    let gpu = gpu().with_products(by_residues());
    let (left, right) = (gpu.upload_mp(a.1).unwrap(), gpu.upload_mp(b.1).unwrap());
    match gpu.multiply_mp(Factor::Matrix(a.0, &left), Factor::Matrix(b.0, &right)).unwrap() {
        Err(fallback) => Some(fallback),
        Ok((product, report)) => {
            let found = gpu.download_mp(&product).unwrap();
            let (expected, host) = on_host(a, b, by_residues());
            assert_eq!((report.engine, report.bits), (host.engine, host.bits), "{what}");
            same(&found, &expected, what);
            None
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn products_have_the_hosts_bits() {
    for bits in PRECISIONS {
        let format = Bits::new(bits).unwrap();
        for (m, n, k) in [(1, 1, 1), (65, 63, 17), (33, 70, 129)] {
            for (ta, tb) in TRANSPOSES.into_iter().flat_map(|ta| TRANSPOSES.map(|tb| (ta, tb))) {
                let (rows, cols) = ta.shape((m, k));
                let a = random(format, rows, cols, 1);
                let (rows, cols) = tb.shape((k, n));
                let b = random(format, rows, cols, 2);
                let what = format!("mp{bits} {m} × {n} × {k}, {ta:?} {tb:?}");
                assert_eq!(check((ta, &a), (tb, &b), &what), None, "{what}");
            }
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn sizes_of_rows_and_columns_do_not_matter() {
    let (m, n, k) = (40, 50, 60);
    let bits = Bits::new(212).unwrap();
    let (a, b) = (random(bits, m, k, 3), random(bits, k, n, 4));
    let scaled = |x: &Matrix, rows: &[i32], cols: &[i32]| {
        Matrix::from_fn_in(bits, x.rows(), x.cols(), |i, j| {
            x.entry(i, j).to_mp(bits).ldexp(rows[i] + cols[j])
        })
    };
    let mut random_number = Random::new(5);
    let mut powers = |count: usize, range: usize| -> Vec<i32> {
        (0..count).map(|_| random_number.below(range) as i32 - range as i32 / 2).collect()
    };
    let (rows, cols) = (powers(m, 2_000_000), powers(n, 2_000_000));
    let (none, no) = (vec![0; k], Transpose::No);
    let wide = scaled(&a, &rows, &none);
    let tall = scaled(&b, &none, &cols);
    assert_eq!(check((no, &wide), (no, &tall), "graded rows and columns"), None);
    // Terms that differ in size: more bits, as profiles or the terms themselves tell.
    for step in [3, 40, 70] {
        let steps: Vec<i32> = (0..k as i32).map(|l| l % 7 * step).collect();
        let back: Vec<i32> = steps.iter().map(|x| -x).collect();
        let (left, right) = (scaled(&a, &vec![0; m], &steps), scaled(&b, &back, &vec![0; n]));
        assert_eq!(check((no, &left), (no, &right), &format!("spread by {step}")), None);
    }
    // The ends of the range.
    let far = [1 << 27, -(1 << 27)];
    let ends: Vec<i32> = (0..m).map(|i| far[i % 2] + rows[i] * 60).collect();
    let others: Vec<i32> = (0..n).map(|j| far[j % 2] + cols[j] * 60).collect();
    let (left, right) = (scaled(&a, &ends, &none), scaled(&b, &none, &others));
    assert_eq!(check((no, &left), (no, &right), "ends of the range"), None);
    let zeros = Matrix::zeros_in(bits, m, k);
    assert_eq!(check((no, &zeros), (no, &tall), "zeros"), None);
}

/// Sums of more terms than 32 bits hold are those of several pieces.
#[test]
#[ignore = "needs a GPU"]
fn products_of_many_terms_have_the_hosts_bits() {
    let no = Transpose::No;
    for bits in [128, 600] {
        let bits = Bits::new(bits).unwrap();
        let (m, n, k) = (3, 2, (1 << 17) + 5);
        let (a, b) = (random(bits, m, k, 8), random(bits, k, n, 9));
        assert_eq!(check((no, &a), (no, &b), "many terms"), None);
    }
}

/// Long integers, of which pieces and digits are many, in every number of words and with spread exponents.
#[test]
#[ignore = "needs a GPU"]
fn long_integers_have_the_hosts_bits() {
    let no = Transpose::No;
    for bits in [500, 509, 510, 511, 512, 513, 639, 767, 800, 1023, 1500, 3000] {
        let bits = Bits::new(bits).unwrap();
        let (m, n, k) = (34, 18, 40);
        let (a, b) = (random(bits, m, k, 8), random(bits, k, n, 9));
        let step = |l: usize| l as i32 % 5 * 4;
        let left = Matrix::from_fn_in(bits, m, k, |i, l| a.entry(i, l).to_mp(bits).ldexp(step(l)));
        let right =
            Matrix::from_fn_in(bits, k, n, |l, j| b.entry(l, j).to_mp(bits).ldexp(-step(l)));
        assert_eq!(check((no, &a), (no, &b), "long integers"), None);
        assert_eq!(check((no, &left), (no, &right), "longer integers"), None);
    }
}

/// `α` and `β` of every kind; with `α = 0` operands are not read, with `β = 0` `C` is not.
#[test]
#[ignore = "needs a GPU"]
fn products_are_scaled_and_added_as_on_the_host() {
    let (m, n, no) = (37, 70, Transpose::No);
    for bits in [64, 106, 424, 1000, 2100] {
        let bits = Bits::new(bits).unwrap();
        let gpu = gpu().with_products(by_residues());
        let of = |x: f64| Mp::from_f64(bits, x);
        let third = of(-1.0 / 3.0) * of(1.0).ldexp(-200);
        let factors = [of(0.0), of(1.0), of(-1.0), third, of(f64::INFINITY), of(f64::NAN)];
        for k in [0, 41] {
            let (a, b) = (random(bits, m, k, 3), random(bits, k, n, 4));
            let mut added = random(bits, m, n, 5);
            added.put(1, 2, of(f64::INFINITY).view());
            added.put(2, 2, of(-f64::INFINITY).view());
            added.put(3, 4, of(f64::NAN).view());
            let (left, right) = (gpu.upload_mp(&a).unwrap(), gpu.upload_mp(&b).unwrap());
            for (alpha, beta) in factors.iter().flat_map(|x| factors.iter().map(move |y| (x, y))) {
                let mut expected = added.clone();
                let (cpu, into) = (Cpu::new(by_residues()), expected.view_mut());
                gemm_on(&cpu, no, no, *alpha, a.view(), b.view(), *beta, into).unwrap();
                let mut found = gpu.upload_mp(&added).unwrap();
                let (left, right) = (Factor::Matrix(no, &left), Factor::Matrix(no, &right));
                gpu.gemm_mp(alpha.view(), left, right, beta.view(), &mut found).unwrap().unwrap();
                let what = format!("{alpha:?}, {beta:?}, {k} terms, mp{}", bits.get());
                same(&gpu.download_mp(&found).unwrap(), &expected, &what);
            }
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn zeros_are_made_there() {
    for (bits, m, n) in [(64, 0, 3), (106, 1, 1), (1000, 300, 70)] {
        let bits = Bits::new(bits).unwrap();
        let zeros = gpu().zeros_mp(bits, m, n).unwrap();
        same(&gpu().download_mp(&zeros).unwrap(), &Matrix::zeros_in(bits, m, n), "zeros");
    }
}

#[test]
#[ignore = "needs a GPU"]
fn what_residues_cannot_do_is_said() {
    let gpu = gpu();
    let bits = Bits::new(212).unwrap();
    let (mut a, b) = (random(bits, 20, 30, 6), random(bits, 30, 10, 7));
    a.put(3, 4, Mp::from_f64(bits, f64::INFINITY).view());
    let no = Transpose::No;
    assert_eq!(check((no, &a), (no, &b), "infinity"), Some(Fallback::NotFinite));
    // Terms that differ in size by more than any number of bits covers.
    let (a, b) = (random(bits, 20, 30, 6), random(bits, 30, 10, 7));
    let step = |l: usize| l as i32 % 7 * 3000;
    let left = Matrix::from_fn_in(bits, 20, 30, |i, l| a.entry(i, l).to_mp(bits).ldexp(step(l)));
    let right = Matrix::from_fn_in(bits, 30, 10, |l, j| b.entry(l, j).to_mp(bits).ldexp(-step(l)));
    let fallback = Fallback::Spread { bits: None };
    assert_eq!(check((no, &left), (no, &right), "spread"), Some(fallback));
    let (a, b) = (Matrix::zeros_in(bits, 3, 0), Matrix::zeros_in(bits, 0, 4));
    let (a, b) = (gpu.upload_mp(&a).unwrap(), gpu.upload_mp(&b).unwrap());
    let (product, _) =
        gpu.multiply_mp(Factor::Matrix(no, &a), Factor::Matrix(no, &b)).unwrap().unwrap();
    assert_eq!(gpu.download_mp(&product).unwrap(), Matrix::zeros_in(bits, 3, 4));
}
