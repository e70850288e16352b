//! Products by residues: the bits of the host's, on every shape.

use nonius_linalg::backend::{Cpu, Gemm, Memory, Syrk};
use nonius_linalg::dense::gemm::crt::{Fallback, Plan};
use nonius_linalg::dense::gemm::{Arithmetic, Engine, Products, Report};
use nonius_linalg::dense::{Transpose, Triangle};
use nonius_linalg::{Matrix, Scalar};
use nonius_num::rns::Moduli;
use nonius_testkit::Sample;
use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::orthogonal::random_matrix;
use nonius_testkit::{Random, products};

use crate::dense::{TRANSPOSES, result};
use crate::gpu;

fn by_residues() -> Products {
    Products { engine: Some(Engine::Crt), ..Products::default() }
}

/// A product and how it was computed.
fn product<T: Scalar + Sample, B: Gemm<T>>(
    backend: &B,
    (ta, a): (Transpose, &Matrix<T>),
    (tb, b): (Transpose, &Matrix<T>),
    (alpha, beta): (T, T),
    c: &Matrix<T>,
) -> (Matrix<T>, Report) {
    let (a, b) = (backend.upload(a.view()), backend.upload(b.view()));
    let mut report = Report::direct();
    let c = result(backend, c, |c| {
        report = backend.gemm(ta, tb, alpha, backend.view(&a), backend.view(&b), beta, c);
    });
    (c, report)
}

/// Compares with the host, the reports too; returns the report.
fn same<T: Scalar + Sample>(
    products: Products,
    a: (Transpose, &Matrix<T>),
    b: (Transpose, &Matrix<T>),
    factors: (T, T),
    c: &Matrix<T>,
    what: &str,
) -> Report {
    let gpu = gpu().with_products(products);
    let (found, report) = product(&gpu, a, b, factors, c);
    let (expected, expected_report) = product(&Cpu::new(products), a, b, factors, c);
    let what = format!("{} {what}", T::NAME);
    assert_same_bits(&found, &expected, &what);
    // Backends have moduli of their own. The device does not wait for norms, which may save some.
    let most = report.bits.map_or(0, |bits| {
        let (k, _) = b.0.shape((b.1.rows(), b.1.cols()));
        Moduli::bytes(Plan::with_bits(k, bits, 1.0).modulus_bits).unwrap().values().len()
    });
    assert!((most.saturating_sub(2)..=most).contains(&report.moduli), "{what}: {report:?}");
    assert_eq!(report, Report { moduli: report.moduli, ..expected_report }, "{what}");
    report
}

fn shapes_have_the_hosts_bits<T: Scalar + Sample>() {
    let third = T::ONE / (T::ONE + T::ONE + T::ONE);
    let small = Products { workspace: Some(1 << 20), ..by_residues() };
    let shapes = [(1, 1, 1), (65, 63, 17), (130, 100, 300), (31, 257, 64), (520, 33, 1029)];
    for (m, n, k) in shapes {
        for (ta, tb) in TRANSPOSES.into_iter().flat_map(|ta| TRANSPOSES.map(|tb| (ta, tb))) {
            let (rows, cols) = ta.shape((m, k));
            let a = random_matrix::<T>((), rows, cols, 1);
            let (rows, cols) = tb.shape((k, n));
            let b = random_matrix::<T>((), rows, cols, 2);
            let c = random_matrix::<T>((), m, n, 3);
            for factors in [(T::ONE, T::ZERO), (-T::ONE, T::ONE), (third, third)] {
                let what = format!("{m} × {n} × {k}, {ta:?} {tb:?}");
                for products in [by_residues(), small] {
                    let report = same(products, (ta, &a), (tb, &b), factors, &c, &what);
                    assert!(report.engine == Engine::Crt, "{what}");
                }
            }
        }
    }
}

fn rows_of_all_sizes<T: Scalar + Sample>() {
    let (m, n, k) = (70, 90, 120);
    let mut random_number = Random::new(5);
    let mut power = |range: usize| random_number.below(range) as i32 - range as i32 / 2;
    let rows: Vec<i32> = (0..m).map(|_| power(600)).collect();
    let cols: Vec<i32> = (0..n).map(|_| power(600)).collect();
    let (a, b) = (random_matrix::<T>((), m, k, 6), random_matrix::<T>((), k, n, 7));
    let a = Matrix::from_fn(m, k, |i, j| a[(i, j)].ldexp(rows[i]));
    let b = Matrix::from_fn(k, n, |i, j| b[(i, j)].ldexp(cols[j]));
    let one = (T::ONE, T::ZERO);
    let (no, c) = (Transpose::No, Matrix::zeros(m, n));
    same(by_residues(), (no, &a), (no, &b), one, &c, "graded rows and columns");
    // Columns of A and rows of B whose sizes cancel: more bits, or none that are worth it.
    for step in [0, 1, 20, 50, 150] {
        let wide = Matrix::from_fn(m, k, |i, j| a[(i, j)].ldexp((j % 7) as i32 * step));
        let tall = Matrix::from_fn(k, n, |i, j| b[(i, j)].ldexp(-((i % 7) as i32) * step));
        same(by_residues(), (no, &wide), (no, &tall), one, &c, &format!("spread by {step}"));
    }
    let mut spoilt = a.clone();
    spoilt[(3, 4)] = T::from_limbs(|l| if l == 0 { f64::INFINITY } else { 0.0 });
    let report = same(by_residues(), (no, &spoilt), (no, &b), one, &c, "infinity");
    assert_eq!(report.fallback, Some(Fallback::NotFinite));
    let zeros = Matrix::zeros(m, k);
    same(by_residues(), (no, &zeros), (no, &b), one, &c, "zeros");
    // Entries that overflow, and entries below the least number.
    let huge = Matrix::from_fn(m, k, |i, j| {
        let x = random_matrix::<T>((), 1, 1, (i * k + j) as u64)[(0, 0)];
        x.ldexp(if i % 2 == 0 { 1020 } else { -1000 })
    });
    let large =
        Matrix::from_fn(k, n, |i, j| b[(i, j)].ldexp(-cols[j] + if j % 2 == 0 { 10 } else { -60 }));
    same(by_residues(), (no, &huge), (no, &large), one, &c, "the ends of the range");
}

/// Sums of more terms than 32 bits hold are those of several pieces.
fn of_many_terms<T: Scalar + Sample>() {
    const MOST: usize = (1 << 17) - 1;
    let one = (T::ONE, T::ZERO);
    let small = Products { workspace: Some(1 << 20), ..by_residues() };
    let (m, n) = (19, 18);
    for k in [MOST + 1, 150_001, 2 * MOST + 1] {
        let c = Matrix::zeros(m, n);
        for (ta, tb) in [(Transpose::No, Transpose::No), (Transpose::Yes, Transpose::Yes)] {
            let (rows, cols) = ta.shape((m, k));
            let a = random_matrix::<T>((), rows, cols, 11);
            let (rows, cols) = tb.shape((k, n));
            let b = random_matrix::<T>((), rows, cols, 12);
            let what = format!("{k} terms, {ta:?} {tb:?}");
            for products in [by_residues(), small] {
                let report = same(products, (ta, &a), (tb, &b), one, &c, &what);
                assert!(report.engine == Engine::Crt, "{what}");
            }
        }
    }
    // All entries alike: sums as large as they become.
    let (a, b) =
        (Matrix::from_fn(m, MOST + 2, |_, _| T::ONE), Matrix::from_fn(MOST + 2, n, |_, _| -T::ONE));
    let c = random_matrix::<T>((), m, n, 13);
    let (no, third) = (Transpose::No, T::ONE / T::from_f64(3.0));
    same(by_residues(), (no, &a), (no, &b), (third, third), &c, "ones");
}

fn triangles_have_the_hosts_bits<T: Scalar + Sample>() {
    let gpu = gpu();
    let gpu = gpu.with_products(by_residues());
    let (n, k) = (600, 70);
    let c = random_matrix::<T>((), n, n, 9);
    for transpose in TRANSPOSES {
        let (rows, cols) = transpose.shape((n, k));
        let a = random_matrix::<T>((), rows, cols, 8);
        for triangle in [Triangle::Lower, Triangle::Upper] {
            let run = |backend: &dyn Fn() -> Matrix<T>| backend();
            let found = run(&|| {
                let a = gpu.upload(a.view());
                result(&gpu, &c, |c| {
                    gpu.syrk(triangle, transpose, T::ONE, gpu.view(&a), T::ONE, c);
                })
            });
            let cpu = Cpu::new(by_residues());
            let expected = run(&|| {
                let a = Memory::<T>::upload(&cpu, a.view());
                result(&cpu, &c, |c| cpu.syrk(triangle, transpose, T::ONE, cpu.view(&a), T::ONE, c))
            });
            assert_same_bits(&found, &expected, &format!("{} {triangle:?}", T::NAME));
        }
    }
}

fn like_the_host<T: Scalar + Sample>() {
    let gpu = gpu();
    let bound = |k| Arithmetic::Delayed.error::<T>(k);
    let with_residues = gpu.with_products(by_residues());
    products::gemm::<T, _>(&with_residues, (), bound);
    products::syrk::<T, _>(&with_residues, (), bound);
    shapes_have_the_hosts_bits::<T>();
    rows_of_all_sizes::<T>();
    triangles_have_the_hosts_bits::<T>();
}

at_every_width!(like_the_host);
at_every_width!(of_many_terms);
