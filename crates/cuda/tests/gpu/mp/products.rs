//! Products of numbers of any precision: the bits of the host's.

use nonius_linalg::backend::{Cpu, Gemm, Memory};
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::crt::Fallback;
use nonius_linalg::dense::gemm::{Engine, Products, Report, gemm_on};
use nonius_linalg::mp::{Bits, Matrix, Mp};
use nonius_testkit::Random;

use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::orthogonal::random_matrix;

use super::cancelling;
use crate::dense::TRANSPOSES;
use crate::gpu;

const PRECISIONS: [u32; 12] = [64, 65, 106, 128, 212, 424, 448, 480, 600, 1024, 2048, 4096];

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

/// Compares with the host, and yields why residues did not compute it.
fn check(a: (Transpose, &Matrix), b: (Transpose, &Matrix), what: &str) -> Option<Fallback> {
    compare(a, b, by_residues(), what)
}

fn compare(
    (ta, a): (Transpose, &Matrix),
    (tb, b): (Transpose, &Matrix),
    products: Products,
    what: &str,
) -> Option<Fallback> {
    let gpu = gpu().with_products(products);
    let (expected, host) = on_host((ta, a), (tb, b), products);
    let (left, right) = (gpu.upload(a.view()), gpu.upload(b.view()));
    let mut product = Memory::<Mp>::zeros(&gpu, a.bits(), expected.rows(), expected.cols());
    let (left, right) = (left.as_ref(), right.as_ref());
    let report = gpu.gemm(ta, tb, Mp::ONE, left, right, Mp::ZERO, product.as_mut());
    assert_eq!((report.engine, report.bits), (host.engine, host.bits), "{what}");
    assert_same_bits(&gpu.download(product.as_ref()).unwrap(), &expected, what);
    report.fallback
}

/// Sums that residues do not compute.
#[test]
#[ignore = "needs a GPU"]
fn direct_products_have_the_hosts_bits() {
    let products = Products { engine: Some(Engine::Direct), ..Products::default() };
    for bits in [64, 106, 424, 1000] {
        let format = Bits::new(bits).unwrap();
        // The last one has a thread for each entry, the others have several.
        for (m, n, k) in [(1, 1, 1), (130, 33, 17), (5, 1, 1000), (130, 130, 20), (257, 256, 3)] {
            for (ta, tb) in TRANSPOSES.into_iter().flat_map(|ta| TRANSPOSES.map(|tb| (ta, tb))) {
                let (rows, cols) = ta.shape((m, k));
                let mut a = random_matrix::<Mp>(format, rows, cols, 1);
                let (rows, cols) = tb.shape((k, n));
                let b = random_matrix::<Mp>(format, rows, cols, 2);
                let what = format!("mp{bits} {m} × {n} × {k}, {ta:?} {tb:?}");
                assert_eq!(compare((ta, &a), (tb, &b), products, &what), None, "{what}");
                // Exponents that differ more than any number of bits.
                for j in 0..a.cols() {
                    a.set(0, j, a.at(0, j).ldexp(1000 * j as i32));
                }
                assert_eq!(compare((ta, &a), (tb, &b), products, &what), None, "{what}, spread");
            }
        }
    }
}

/// Sums whose unit depends on how many products there are: those of zeros are none.
#[test]
#[ignore = "needs a GPU"]
fn sums_that_cancel_beside_zeros_have_the_hosts_bits() {
    let (products, no) =
        (Products { engine: Some(Engine::Direct), ..Products::default() }, Transpose::No);
    for bits in [64, 65, 106, 424] {
        let format = Bits::new(bits).unwrap();
        let one = Mp::one(format);
        let small = Mp::from_f64(format, 3.0).ldexp(-187);
        let row = [one, -one, small, Mp::zero(format), Mp::zero(format)];
        let a = Matrix::from_fn_in(format, 1, 5, |_, l| row[l]);
        let b = Matrix::from_fn_in(format, 5, 1, |_, _| one);
        compare((no, &a), (no, &b), products, &format!("mp{bits}, five terms"));
        for sizes in [(5, 7, 301), (33, 40, 71), (257, 256, 9)] {
            let [a, b] = cancelling(format, sizes, 61);
            compare((no, &a), (no, &b), products, &format!("mp{bits}, {sizes:?}"));
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
                let a = random_matrix::<Mp>(format, rows, cols, 1);
                let (rows, cols) = tb.shape((k, n));
                let b = random_matrix::<Mp>(format, rows, cols, 2);
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
    let (a, b) = (random_matrix::<Mp>(bits, m, k, 3), random_matrix::<Mp>(bits, k, n, 4));
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
        let (a, b) = (random_matrix::<Mp>(bits, m, k, 8), random_matrix::<Mp>(bits, k, n, 9));
        assert_eq!(check((no, &a), (no, &b), "many terms"), None);
    }
}

/// Long integers, of which pieces and digits are many, in every number of words and with spread
/// exponents.
#[test]
#[ignore = "needs a GPU"]
fn long_integers_have_the_hosts_bits() {
    let no = Transpose::No;
    for bits in [500, 509, 510, 511, 512, 513, 639, 767, 800, 1023, 1500, 3000] {
        let bits = Bits::new(bits).unwrap();
        let (m, n, k) = (34, 18, 40);
        let (a, b) = (random_matrix::<Mp>(bits, m, k, 8), random_matrix::<Mp>(bits, k, n, 9));
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
            let (a, b) = (random_matrix::<Mp>(bits, m, k, 3), random_matrix::<Mp>(bits, k, n, 4));
            let mut added = random_matrix::<Mp>(bits, m, n, 5);
            added.put(1, 2, of(f64::INFINITY).view());
            added.put(2, 2, of(-f64::INFINITY).view());
            added.put(3, 4, of(f64::NAN).view());
            let (left, right) = (gpu.upload(a.view()), gpu.upload(b.view()));
            for (alpha, beta) in factors.iter().flat_map(|x| factors.iter().map(move |y| (x, y))) {
                let mut expected = added.clone();
                let (cpu, into) = (Cpu::new(by_residues()), expected.view_mut());
                gemm_on(&cpu, no, no, *alpha, a.view(), b.view(), *beta, into).unwrap();
                let mut found = gpu.upload(added.view());
                let (left, right) = (left.as_ref(), right.as_ref());
                gpu.gemm(no, no, *alpha, left, right, *beta, found.as_mut());
                let what = format!("{alpha:?}, {beta:?}, {k} terms, mp{}", bits.get());
                assert_same_bits(&gpu.download(found.as_ref()).unwrap(), &expected, &what);
            }
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn what_residues_cannot_do_is_said() {
    let bits = Bits::new(212).unwrap();
    let (mut a, b) = (random_matrix::<Mp>(bits, 20, 30, 6), random_matrix::<Mp>(bits, 30, 10, 7));
    a.put(3, 4, Mp::from_f64(bits, f64::INFINITY).view());
    let no = Transpose::No;
    assert_eq!(check((no, &a), (no, &b), "infinity"), Some(Fallback::NotFinite));
    // Terms that differ in size by more than any number of bits covers.
    let (a, b) = (random_matrix::<Mp>(bits, 20, 30, 6), random_matrix::<Mp>(bits, 30, 10, 7));
    let step = |l: usize| l as i32 % 7 * 3000;
    let left = Matrix::from_fn_in(bits, 20, 30, |i, l| a.entry(i, l).to_mp(bits).ldexp(step(l)));
    let right = Matrix::from_fn_in(bits, 30, 10, |l, j| b.entry(l, j).to_mp(bits).ldexp(-step(l)));
    let fallback = Fallback::Spread { bits: None };
    assert_eq!(check((no, &left), (no, &right), "spread"), Some(fallback));
    let (a, b) = (Matrix::zeros_in(bits, 3, 0), Matrix::zeros_in(bits, 0, 4));
    assert_eq!(check((no, &a), (no, &b), "no terms"), None);
}
