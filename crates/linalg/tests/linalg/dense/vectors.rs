//! Sums over vectors and products of a matrix with a vector: against exact sums within the stated
//! bounds, and the same bits whatever the registers and the threads.

use crate::every::at_every_level;
use nonius_linalg::dense::{
    Transpose, asum, axpy, copy, dot, gemm, gemv, iamax, nrm2, scal, sum, swap,
};
use nonius_linalg::{Error, MatMut, MatRef, Matrix, Scalar, cpu, reference};
use nonius_num::{Dd, Qd, Td};
use nonius_testkit::{ExactSum, Random};
use rayon::ThreadPoolBuilder;

/// Around registers, blocks and the length from which threads share the work.
const LENGTHS: [usize; 14] = [0, 1, 7, 8, 9, 63, 64, 65, 1023, 1025, 4095, 4096, 4097, 40_000];

fn vector<T: Scalar>(n: usize, seed: u64, range: u32) -> Vec<T> {
    let mut random = Random::new(seed);
    (0..n)
        .map(|_| {
            let limbs = random.spread_limbs::<4>(range);
            T::from_limbs(|l| limbs[l])
        })
        .collect()
}

fn limbs<T: Scalar>(x: T) -> Vec<f64> {
    (0..T::LIMBS).map(|l| x.limb(l)).collect()
}

/// Whether two results are the same bits.
fn same<T: Scalar>(x: T, y: T) -> bool {
    (0..T::LIMBS).all(|l| x.limb(l).to_bits() == y.limb(l).to_bits())
}

fn bound<const N: usize, T: Scalar>(n: usize, magnitude: f64) -> f64 {
    cpu::reduce::error::<N>(n) * T::UNIT_ROUNDOFF * magnitude
}

fn check_sums<const N: usize, T: Scalar>() {
    for n in LENGTHS {
        for range in [2, 60] {
            let (x, y) = (vector::<T>(n, 1, range), vector::<T>(n, 2, range));
            let (mut products, mut entries, mut magnitudes) =
                (ExactSum::new(), ExactSum::new(), ExactSum::new());
            let mut size = 0.0;
            for (&x, &y) in x.iter().zip(&y) {
                products.add_product(&limbs(x), &limbs(y));
                entries.add_limbs(&limbs(x));
                magnitudes.add_limbs(&limbs(x.abs()));
                size += (x.to_f64() * y.to_f64()).abs();
            }
            let found = dot(&x, &y).unwrap();
            assert!(products.distance(&limbs(found)) <= bound::<N, T>(n, size), "dot {n}");
            let size = magnitudes.to_f64();
            assert!(entries.distance(&limbs(sum(&x))) <= bound::<N, T>(n, size), "sum {n}");
            assert!(magnitudes.distance(&limbs(asum(&x))) <= bound::<N, T>(n, size), "asum {n}");
            assert_eq!(iamax(&x), reference::reduce::iamax((&x).into()));
        }
    }
    assert!(dot(&vector::<T>(3, 1, 2), &vector::<T>(4, 2, 2)).is_err());
}

#[test]
fn sums_keep_their_bounds() {
    check_sums::<1, f64>();
    check_sums::<2, Dd>();
    check_sums::<3, Td>();
    check_sums::<4, Qd>();
}

fn check_norms<T: Scalar>() {
    let three_four = [3.0, 4.0].map(T::from_f64);
    assert_eq!(nrm2(&three_four), T::from_f64(5.0));
    for power in [-1000, -600, 600, 1000] {
        let x: Vec<T> = three_four.iter().map(|x| x.ldexp(power)).collect();
        assert_eq!(nrm2(&x), T::from_f64(5.0).ldexp(power), "2^{power}");
    }
    assert_eq!(nrm2::<T>(&[]), T::ZERO);
    assert_eq!(nrm2(&[T::ZERO, -T::ZERO]), T::ZERO);
    let infinity = T::from_f64(f64::INFINITY);
    let nan = T::from_f64(f64::NAN);
    assert_eq!(nrm2(&[nan, -infinity]), infinity);
    assert!(nrm2(&[nan, T::ONE]).is_nan());
    assert_eq!(iamax(&[T::ONE, nan, -infinity, infinity]), Some(2));
    assert_eq!(iamax(&[T::ONE, nan, T::ONE]), Some(1));
    assert_eq!(iamax(&[T::ONE, -T::ONE]), Some(0));
}

#[test]
fn norms_at_the_ends_of_the_range() {
    check_norms::<f64>();
    check_norms::<Dd>();
    check_norms::<Td>();
    check_norms::<Qd>();
}

fn check_specials<T: Scalar>() {
    let number = T::from_f64;
    let infinity = number(f64::INFINITY);
    let x = [number(2.0), infinity, number(1.0)];
    assert_eq!(sum(&x), infinity);
    assert_eq!(asum(&[-infinity, number(1.0)]), infinity);
    assert!(sum(&[infinity, -infinity]).is_nan());
    assert!(dot(&x, &[T::ONE, T::ZERO, T::ONE]).unwrap().is_nan());
    assert_eq!(dot(&x, &[T::ONE, -T::ONE, T::ONE]).unwrap(), -infinity);
    let huge = number(f64::MAX);
    assert_eq!(dot(&[huge, T::ONE], &[huge, T::ONE]).unwrap(), infinity);
    // Infinite on the way, as the operators give it.
    assert_eq!(sum(&[huge, huge, -huge]), infinity);
}

#[test]
fn infinities_and_nan_come_out_as_the_operators_give_them() {
    check_specials::<f64>();
    check_specials::<Dd>();
    check_specials::<Td>();
    check_specials::<Qd>();
}

fn check_gemv<const N: usize, T: Scalar>() {
    let (alpha, beta) = (T::from_f64(0.7), T::from_f64(-1.3));
    for (m, n) in [(0, 3), (3, 0), (1, 1), (7, 9), (8, 33), (31, 16), (33, 17), (70, 300)] {
        let a = Matrix::from_columns(m, n, vector::<T>(m * n, 3, 20)).unwrap();
        let (x, y) = (vector::<T>(n, 4, 20), vector::<T>(m, 5, 20));
        let no = Transpose::No;
        let mut found = y.clone();
        gemv(no, alpha, a.view(), &x, beta, &mut found).unwrap();
        let mut expected = Matrix::from_columns(m, 1, y.clone()).unwrap();
        let column = Matrix::from_columns(n, 1, x.clone()).unwrap();
        gemm::gemm(no, no, alpha, a.view(), column.view(), beta, expected.view_mut()).unwrap();
        for (&found, &expected) in found.iter().zip(expected.as_slice()) {
            assert!(same(found, expected), "{m} × {n}: {found:?} {expected:?}");
        }
        // The transpose, with a result that must not be read.
        let mut found = vec![T::from_f64(f64::NAN); n];
        gemv(Transpose::Yes, T::ONE, a.view(), &y, T::ZERO, &mut found).unwrap();
        for (j, &found) in found.iter().enumerate() {
            assert!(same(found, dot(a.view().col(j), &y).unwrap()));
        }
        assert!(gemv(no, alpha, a.view(), &y, beta, &mut vec![T::ZERO; m + 1]).is_err());
    }
}

#[test]
fn matrix_times_vector() {
    check_gemv::<1, f64>();
    check_gemv::<2, Dd>();
    check_gemv::<3, Td>();
    check_gemv::<4, Qd>();
}

/// Vectors with increments against the same vectors without.
fn check_increments<T: Scalar>() {
    for (n, step) in [(0, 3), (1, 1), (1, 4), (7, 2), (64, 1), (65, 3), (4097, 2)] {
        let length = if n == 0 { 0 } else { (n - 1) * step + 1 };
        let (x, y) = (vector::<T>(length, 11, 30), vector::<T>(length, 12, 30));
        let dense = |x: &[T]| -> Vec<T> { x.iter().step_by(step).copied().collect() };
        let (dense_x, dense_y) = (dense(&x), dense(&y));
        let strided = |x| MatRef::from_parts(x, 1, n, step);
        assert!(same(dot(strided(&x), &dense_y).unwrap(), dot(&dense_x, &dense_y).unwrap()));
        assert!(same(dot(strided(&x), strided(&y)).unwrap(), dot(&dense_x, &dense_y).unwrap()));
        assert!(same(sum(strided(&x)), sum(&dense_x)));
        assert!(same(asum(strided(&x)), asum(&dense_x)));
        assert!(same(nrm2(strided(&x)), nrm2(&dense_x)));
        assert_eq!(iamax(strided(&x)), iamax(&dense_x));

        let alpha = T::from_f64(0.7);
        let expected: Vec<T> = dense_x.iter().zip(&dense_y).map(|(&x, &y)| alpha * x + y).collect();
        let scaled: Vec<T> = dense_x.iter().map(|&x| alpha * x).collect();
        let agree = |found: &[T], expected: &[T], before: &[T], what: &str| {
            for (i, (&found, &before)) in found.iter().zip(before).enumerate() {
                // What lies between the entries stays.
                let expected = if i % step == 0 { expected[i / step] } else { before };
                assert!(same(found, expected), "{} {what} {n} {step} entry {i}", T::NAME);
            }
        };
        let mut found = y.clone();
        axpy(alpha, strided(&x), MatMut::from_parts(&mut found, 1, n, step)).unwrap();
        agree(&found, &expected, &y, "axpy");
        let mut found = y.clone();
        axpy(alpha, &dense_x, MatMut::from_parts(&mut found, 1, n, step)).unwrap();
        agree(&found, &expected, &y, "axpy of a column to a row");
        let mut found = dense_y.clone();
        axpy(alpha, strided(&x), &mut found).unwrap();
        assert!(found.iter().zip(&expected).all(|(&x, &y)| same(x, y)));
        let mut found = x.clone();
        scal(alpha, MatMut::from_parts(&mut found, 1, n, step));
        agree(&found, &scaled, &x, "scal");
        let mut found = y.clone();
        copy(strided(&x), MatMut::from_parts(&mut found, 1, n, step)).unwrap();
        agree(&found, &dense_x, &y, "copy");
        let (mut left, mut right) = (x.clone(), dense_y.clone());
        swap(MatMut::from_parts(&mut left, 1, n, step), &mut right).unwrap();
        agree(&left, &dense_y, &x, "swap");
        assert_eq!(right, dense_x);
    }
}

#[test]
fn vectors_with_increments() {
    check_increments::<f64>();
    check_increments::<Dd>();
    check_increments::<Td>();
    check_increments::<Qd>();
}

#[test]
fn rows_columns_and_matrices_are_vectors() {
    let mut a = Matrix::from_fn(2, 3, |i, j| (3 * i + j) as f64);
    assert_eq!(dot(a.view().row(1), a.view().row(0)), Ok(14.0));
    assert_eq!(nrm2(a.view().block(0, 0, 2, 2)), 26_f64.sqrt());
    assert_eq!(iamax(a.view()), Some(5));
    axpy(-3.0, &[1.0, 1.0, 1.0], a.view_mut().row_mut(1)).unwrap();
    assert_eq!(a.as_slice(), [0.0, 0.0, 1.0, 1.0, 2.0, 2.0]);
    let shape = |expected, found| Err(Error::Shape { operand: "y", expected, found });
    let mut y = [0.0; 4];
    assert_eq!(axpy(1.0, a.view().row(0), &mut y), shape((1, 3), (4, 1)));
    assert_eq!(copy(a.view(), &mut y), shape((2, 3), (4, 1)));
    assert_eq!(swap(&mut [1.0; 3], &mut y), shape((3, 1), (4, 1)));
    assert_eq!(dot(a.view(), a.view().row(0)), shape((2, 3), (1, 3)).map(|()| 0.0));
}

fn everything<T: Scalar>() -> Vec<T> {
    let mut results = Vec::new();
    for n in [9, 4097, 40_000] {
        let (x, y) = (vector::<T>(n, 6, 30), vector::<T>(n, 7, 30));
        results.extend([dot(&x, &y).unwrap(), sum(&x), asum(&x), nrm2(&x)]);
    }
    // Large enough to be shared among threads at every precision.
    let (rows, cols) = (1100, 970);
    let a = Matrix::from_columns(rows, cols, vector::<T>(rows * cols, 8, 30)).unwrap();
    for (transpose, m, n) in [(Transpose::No, rows, cols), (Transpose::Yes, cols, rows)] {
        let mut y = vector::<T>(m, 9, 30);
        gemv(transpose, T::ONE, a.view(), &vector::<T>(n, 10, 30), T::ONE, &mut y).unwrap();
        results.extend(y);
    }
    results
}

fn check_same_bits<T: Scalar>() {
    let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let expected = pool(1).install(everything::<T>);
    let compare = |found: Vec<T>, what: &str| {
        assert!(found.iter().zip(&expected).all(|(&x, &y)| same(x, y)), "{what}");
    };
    compare(pool(3).install(everything::<T>), "threads");
    at_every_level(|level| {
        compare(everything::<T>(), level.name());
    });
}

/// One test, because the level is the whole process's.
#[test]
fn registers_and_threads_do_not_change_results() {
    check_same_bits::<f64>();
    check_same_bits::<Dd>();
    check_same_bits::<Td>();
    check_same_bits::<Qd>();
}
