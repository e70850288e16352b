//! Products by residues: bounds on data that are hard for them, what is reported, and that nothing
//! but the operands matters.

use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::gemm::crt::Fallback;
use nonius_linalg::dense::gemm::{Accuracy, Arithmetic, Engine, Products, Report, gemm_on};
use nonius_linalg::dense::{Matrix, Transpose};
use nonius_linalg::{Error, Scalar};
use nonius_num::{Dd, Qd, Td};
use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::{ExactSum, Random, Sample};

const CRT: Products = Products {
    engine: Some(Engine::Crt),
    arithmetic: Arithmetic::Delayed,
    accuracy: Accuracy::Entrywise,
    workspace: None,
};

fn number<T: Scalar + Sample>(random: &mut Random) -> T {
    let limbs = random.limbs::<4>();
    T::from_limbs(|l| limbs[l])
}

fn matrix<T: Scalar + Sample>(rows: usize, cols: usize, seed: u64) -> Matrix<T> {
    let mut random = Random::new(seed);
    Matrix::from_fn(rows, cols, |_, _| number(&mut random))
}

fn product<T: Scalar + Sample>(how: Products, a: &Matrix<T>, b: &Matrix<T>) -> (Matrix<T>, Report) {
    let mut c = Matrix::zeros(a.rows(), b.cols());
    let (no, cpu) = (Transpose::No, Cpu::new(how));
    let report = gemm_on(&cpu, no, no, T::ONE, a.view(), b.view(), T::ZERO, c.view_mut()).unwrap();
    (c, report)
}

/// The largest error of an entry in units of `u·(|A||B|)`.
fn worst<T: Scalar + Sample>(a: &Matrix<T>, b: &Matrix<T>, c: &Matrix<T>) -> f64 {
    let limbs = |x: T| (0..T::LIMBS).map(|l| x.limb(l)).collect::<Vec<_>>();
    let mut worst = 0.0_f64;
    for j in 0..b.cols() {
        for i in 0..a.rows() {
            let (mut sum, mut size) = (ExactSum::new(), T::ZERO);
            for l in 0..a.cols() {
                sum.add_product(&limbs(a[(i, l)]), &limbs(b[(l, j)]));
                size += (a[(i, l)] * b[(l, j)]).abs();
            }
            let error = sum.distance(&limbs(c[(i, j)]));
            let unit = size.to_f64() * T::UNIT_ROUNDOFF;
            assert!(unit > 0.0 || error == 0.0, "entry ({i}, {j}) is zero, found {:?}", c[(i, j)]);
            worst = worst.max(if error == 0.0 { 0.0 } else { error / unit });
        }
    }
    worst
}

fn each_precision(test: [fn(); 3]) {
    test.into_iter().for_each(|test| test());
}

#[test]
fn ordinary_matrices_are_multiplied_to_the_last_bits() {
    fn check<T: Scalar + Sample>() {
        let (a, b) = (matrix::<T>(40, 90, 1), matrix::<T>(90, 30, 2));
        let (c, report) = product(CRT, &a, &b);
        assert_eq!((report.engine, report.fallback), (Engine::Crt, None));
        assert_eq!(report.bits, Some(53 * T::LIMBS as u32));
        let units = worst(&a, &b, &c);
        assert!(units <= 1.0, "{} {units}", T::NAME);
    }
    each_precision([check::<Dd>, check::<Td>, check::<Qd>]);
}

#[test]
fn scaled_rows_and_columns_change_exponents_only() {
    fn check<T: Scalar + Sample>() {
        let (a, b) = (matrix::<T>(33, 50, 3), matrix::<T>(50, 35, 4));
        let (plain, report) = product(CRT, &a, &b);
        // Spans of 2^±300 between rows, and between columns.
        let (row, column) = (|i: usize| 300 - 19 * i as i32, |j: usize| 17 * j as i32 - 290);
        let a = Matrix::from_fn(33, 50, |i, l| a[(i, l)].ldexp(row(i)));
        let b = Matrix::from_fn(50, 35, |l, j| b[(l, j)].ldexp(column(j)));
        let (scaled, same) = product(CRT, &a, &b);
        assert_eq!(same, report);
        let back = |i, j| scaled[(i, j)].ldexp(-row(i) - column(j));
        assert_same_bits(&Matrix::from_fn(33, 35, back), &plain, "scaled");
    }
    each_precision([check::<Dd>, check::<Td>, check::<Qd>]);
}

/// Data whose exponents spread along the rows of `A` and the columns of `B` by `span` bits.
fn spread<T: Scalar + Sample>(span: i32, seed: u64) -> (Matrix<T>, Matrix<T>) {
    let mut random = Random::new(seed);
    let mut grade = || (random.below(2 * span as usize + 1)) as i32 - span;
    let grades: Vec<i32> = (0..64).map(|_| grade()).collect();
    let (a, b) = (matrix::<T>(20, 64, seed + 1), matrix::<T>(64, 20, seed + 2));
    // Large entries of A meet small ones of B.
    let a = Matrix::from_fn(20, 64, |i, l| a[(i, l)].ldexp(grades[l]));
    let b = Matrix::from_fn(64, 20, |l, j| b[(l, j)].ldexp(-grades[l]));
    (a, b)
}

#[test]
fn the_bound_holds_however_exponents_spread() {
    fn check<T: Scalar + Sample>() {
        let (mut more_bits, mut direct) = (0, 0);
        for (seed, span) in [5, 12, 20, 40, 100, 300].into_iter().enumerate() {
            let (a, b) = spread::<T>(span, seed as u64);
            let (c, report) = product(CRT, &a, &b);
            let units = worst(&a, &b, &c);
            assert!(units <= Arithmetic::Delayed.error::<T>(64), "{} 2^{span}: {units}", T::NAME);
            match report.bits {
                Some(bits) => more_bits += u32::from(bits > 53 * T::LIMBS as u32),
                None => {
                    assert!(matches!(report.fallback, Some(Fallback::Spread { .. })));
                    direct += 1;
                }
            }
        }
        assert!(more_bits >= 1 && direct >= 1, "{}: {more_bits}, {direct}", T::NAME);
    }
    each_precision([check::<Dd>, check::<Td>, check::<Qd>]);
}

#[test]
fn normwise_accuracy_is_a_choice() {
    let (a, b) = spread::<Dd>(100, 9);
    let how = Products { accuracy: Accuracy::Normwise, ..CRT };
    let (c, report) = product(how, &a, &b);
    assert_eq!((report.engine, report.bits, report.fallback), (Engine::Crt, Some(106), None));
    let largest = |x: &Matrix<Dd>| {
        x.view().as_contiguous().unwrap().iter().fold(0.0_f64, |m, x| m.max(x.to_f64().abs()))
    };
    let allowed = 64.0 * 2.0_f64.powi(2 - 106) * largest(&a) * largest(&b);
    let (exact, _) = product(Products::direct(), &a, &b);
    // No entrywise bound allows this relative error: `dd` has u = 1e-32.
    const FAR_ABOVE: f64 = 1e-20;
    let mut lost = false;
    for j in 0..20 {
        for i in 0..20 {
            let error = (c[(i, j)] - exact[(i, j)]).abs().to_f64();
            assert!(error <= allowed, "{error} > {allowed}");
            lost |= error > FAR_ABOVE * exact[(i, j)].abs().to_f64();
        }
    }
    assert!(lost, "nothing was lost: the entrywise bound would not have to be asked for");
}

#[test]
fn zeros_stay_zeros_and_integers_exact() {
    fn check<T: Scalar + Sample>() {
        // Blocks that do not meet: half of the product is zero.
        let (a, b) = (matrix::<T>(30, 64, 5), matrix::<T>(64, 22, 6));
        let a =
            Matrix::from_fn(30, 64, |i, l| if (i < 15) == (l < 32) { a[(i, l)] } else { T::ZERO });
        let b =
            Matrix::from_fn(64, 22, |l, j| if (j < 11) == (l < 32) { b[(l, j)] } else { T::ZERO });
        let (c, report) = product(CRT, &a, &b);
        assert_eq!((report.engine, report.fallback), (Engine::Crt, None));
        assert!(worst(&a, &b, &c) <= Arithmetic::Delayed.error::<T>(64));
        assert_eq!(c[(0, 20)], T::ZERO);
        // A row and a column of zeros, and one of a single entry.
        let a = Matrix::from_fn(3, 40, |i, l| match i {
            0 => T::ZERO,
            1 if l == 7 => T::from_f64(1e-200),
            1 => T::ZERO,
            _ => T::from_f64((l as f64 - 20.0).powi(5)),
        });
        let b = Matrix::from_fn(40, 4, |l, j| T::from_f64((l * j) as f64));
        let (c, _) = product(CRT, &a, &b);
        assert_eq!(worst(&a, &b, &c).floor(), 0.0);
        let exact: f64 = (0..40).map(|l| (f64::from(l) - 20.0).powi(5) * f64::from(l) * 3.0).sum();
        assert_eq!(c[(2, 3)], T::from_f64(exact));
    }
    each_precision([check::<Dd>, check::<Td>, check::<Qd>]);
}

#[test]
fn what_is_not_finite_is_multiplied_directly() {
    for x in [f64::NAN, f64::INFINITY] {
        let mut a = matrix::<Dd>(9, 20, 7);
        a[(4, 5)] = Dd::from(x);
        let b = matrix::<Dd>(20, 8, 8);
        let (c, report) = product(CRT, &a, &b);
        let (expected, _) = product(Products::direct(), &a, &b);
        assert_eq!(report.fallback, Some(Fallback::NotFinite));
        assert_same_bits(&c, &expected, "not finite");
    }
}

#[test]
fn results_do_not_depend_on_blocks_of_memory_or_of_terms() {
    let (a, b) = (matrix::<Qd>(300, 40, 9), matrix::<Qd>(40, 70, 10));
    let (c, _) = product(CRT, &a, &b);
    let (narrow, _) = product(Products { workspace: Some(1), ..CRT }, &a, &b);
    assert_same_bits(&narrow, &c, "as little memory as possible");
    let part = Matrix::from_fn(300, 20, |i, j| c[(i, j + 50)]);
    // Columns alone have the same entries where they take the same bits.
    let columns = Matrix::from_fn(40, 20, |l, j| b[(l, j + 50)]);
    assert_same_bits(&product(CRT, &a, &columns).0, &part, "some columns");

    // More terms than 32 bits hold.
    let k = 140_000;
    let (a, b) = (matrix::<Dd>(2, k, 11), matrix::<Dd>(k, 3, 12));
    let (c, report) = product(CRT, &a, &b);
    assert_eq!(report.engine, Engine::Crt);
    assert!(worst(&a, &b, &c) <= 1.0);
}

#[test]
fn an_arithmetic_of_the_direct_engine_is_refused() {
    let (a, mut c) = (matrix::<Dd>(3, 3, 1), Matrix::zeros(3, 3));
    let cpu = Cpu::new(Products { arithmetic: Arithmetic::Ieee, ..CRT });
    let (no, one, zero) = (Transpose::No, Dd::ONE, Dd::ZERO);
    let result = gemm_on(&cpu, no, no, one, a.view(), a.view(), zero, c.view_mut());
    let error = result.unwrap_err();
    assert!(matches!(error, Error::NotDirect { .. }));
    assert_eq!(error.to_string(), "ieee arithmetic is for the direct engine, not for crt");
}
