//! Results do not depend on registers, threads, storage or blocks, bit for bit.

use crate::every::at_every_level;
use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::gemm::{Arithmetic, Engine, Products};
use nonius_linalg::dense::{
    Cholesky, Diagonal, Lu, Qr, Side, Transpose, Triangle, eigen, gauss_jordan,
};
use nonius_linalg::{Matrix, Scalar, cpu};
use nonius_num::{Dd, Qd, Td};
use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::{Random, Sample};
use rayon::ThreadPoolBuilder;

fn random<T: Scalar + Sample>(rows: usize, cols: usize, seed: u64) -> Matrix<T> {
    let mut random = Random::new(seed);
    Matrix::from_fn(rows, cols, |_, _| {
        let limbs = random.spread_limbs::<4>(20);
        T::from_limbs(|l| limbs[l])
    })
}

/// Product and product with its transpose in every arithmetic, and solution, one after the other.
fn all_products<T: Scalar + Sample>(m: usize, n: usize, k: usize) -> Vec<Matrix<T>> {
    let (a, b, c) = (random::<T>(m, k, 1), random::<T>(k, n, 2), random::<T>(m, n, 3));
    let (alpha, beta) = (T::from_f64(0.3), -T::from_f64(1.7));
    let no = Transpose::No;
    let mut results = Vec::new();
    let arithmetics = Arithmetic::ALL.into_iter().filter(|x| x.exists(T::LIMBS));
    let direct = arithmetics.map(|arithmetic| Products { arithmetic, ..Products::direct() });
    let crt = Products { engine: Some(Engine::Crt), ..Products::default() };
    for products in direct.chain([crt]) {
        let mut product = c.clone();
        cpu::gemm::gemm(products, no, no, alpha, a.view(), b.view(), beta, product.view_mut());
        let mut square = random::<T>(m, m, 4);
        let lower = Triangle::Lower;
        cpu::syrk::syrk(products, lower, no, alpha, a.view(), beta, square.view_mut());
        results.extend([product, square]);
    }
    let mut l = results[1].clone();
    for i in 0..m {
        l[(i, i)] = T::from_f64(1e9);
    }
    let (mut left, mut right) = (c.clone(), c.transposed());
    for (side, x) in [(Side::Left, &mut left), (Side::Right, &mut right)] {
        let x = x.view_mut();
        cpu::trsm::trsm(side, Triangle::Lower, no, Diagonal::NonUnit, alpha, l.view(), x);
    }
    results.extend([left, right]);
    results
}

fn compare<T: Scalar + Sample>(one: &[Matrix<T>], other: &[Matrix<T>], what: &str) {
    for (x, y) in one.iter().zip(other) {
        assert_same_bits(x, y, what);
    }
}

/// All registers and several numbers of threads.
fn check<T: Scalar + Sample>(m: usize, n: usize, k: usize) {
    let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let expected = pool(1).install(|| all_products::<T>(m, n, k));
    for threads in [2, 3, 7] {
        let found = pool(threads).install(|| all_products::<T>(m, n, k));
        compare(&found, &expected, &format!("{threads} threads"));
    }
    at_every_level(|level| {
        let found = pool(2).install(|| all_products::<T>(m, n, k));
        compare(&found, &expected, level.name());
    });
}

/// One test, because the level is the whole process's.
#[test]
fn registers_and_threads_do_not_change_results() {
    check::<f64>(205, 103, 300);
    check::<Dd>(77, 130, 270);
    check::<Td>(65, 70, 140);
    check::<Qd>(50, 67, 33);
    // Triangular systems large enough to be shared.
    check::<f64>(300, 400, 20);
    check::<Dd>(200, 200, 20);
    check::<Td>(130, 192, 20);
    check::<Qd>(70, 130, 20);
}

/// LU, Cholesky and Gauss–Jordan, on several blocks of columns.
fn all_factors<T: Scalar + Sample>(n: usize) -> (Vec<usize>, Vec<Matrix<T>>) {
    let (a, b) = (random::<T>(n, n, 7), random::<T>(n, 2, 8));
    let mut definite = a.clone();
    for i in 0..n {
        definite[(i, i)] = T::from_f64(1e12);
    }
    let lu = Lu::factor(a.view()).unwrap();
    let lower = Cholesky::factor(Triangle::Lower, definite.view()).unwrap().lower().unwrap();
    let mut x = b.clone();
    let by_elimination = gauss_jordan(Cpu::default(), a, x.view_mut()).unwrap();
    assert_eq!(lu.pivots(), by_elimination.pivots());
    let (l, u) = lu.triangles().unwrap();
    (lu.pivots().to_vec(), vec![l, u, lower, x])
}

#[test]
fn threads_do_not_change_factors() {
    fn check<T: Scalar + Sample>(n: usize) {
        let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (pivots, expected) = pool(1).install(|| all_factors::<T>(n));
        for threads in [2, 3, 7] {
            let (found_pivots, found) = pool(threads).install(|| all_factors::<T>(n));
            assert_eq!(found_pivots, pivots);
            compare(&found, &expected, &format!("{threads} threads"));
        }
    }
    check::<f64>(700);
    check::<Dd>(530);
    check::<Td>(300);
    check::<Qd>(400);
}

/// QR factors, and eigenvalues and eigenvectors, of more than one block of columns.
#[test]
fn threads_do_not_change_orthogonal_factors() {
    fn all<T: Scalar + Sample>(n: usize) -> Vec<Matrix<T>> {
        let a = random::<T>(n + 20, n, 11);
        let qr = Qr::factor(a.view()).unwrap();
        let symmetric = Matrix::from_fn(n, n, |i, j| a[(i.max(j), i.min(j))]);
        let found = eigen(symmetric.view()).unwrap();
        let values = Matrix::from_fn(n, 1, |i, _| found.values[i]);
        vec![qr.q().unwrap(), qr.r().unwrap(), values, found.vectors.unwrap()]
    }
    fn check<T: Scalar + Sample>(n: usize) {
        let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let expected = pool(1).install(|| all::<T>(n));
        for threads in [2, 3] {
            let found = pool(threads).install(|| all::<T>(n));
            compare(&found, &expected, &format!("{threads} threads"));
        }
    }
    check::<f64>(230);
    check::<Dd>(180);
    check::<Td>(140);
    check::<Qd>(140);
}

/// An entry comes out the same in a product of one row and one column.
#[test]
fn entries_do_not_depend_on_their_neighbours() {
    fn check<T: Scalar + Sample>() {
        let (m, n, k) = (37, 15, 300);
        let (a, b) = (random::<T>(m, k, 5), random::<T>(k, n, 6));
        let no = Transpose::No;
        let direct = Products::direct();
        let mut whole = Matrix::<T>::zeros(m, n);
        cpu::gemm::gemm(direct, no, no, T::ONE, a.view(), b.view(), T::ZERO, whole.view_mut());
        for (i, j) in [(0, 0), (36, 14), (16, 3), (8, 12), (35, 0)] {
            let mut one = Matrix::<T>::zeros(1, 1);
            let (row, column) = (a.view().block(i, 0, 1, k), b.view().block(0, j, k, 1));
            cpu::gemm::gemm(direct, no, no, T::ONE, row, column, T::ZERO, one.view_mut());
            let entry = Matrix::from_fn(1, 1, |_, _| whole[(i, j)]);
            assert_same_bits(&one, &entry, "alone");
        }
    }
    check::<f64>();
    check::<Dd>();
    check::<Td>();
    check::<Qd>();
}

/// A solution comes out the same alone as among others.
#[test]
fn solutions_do_not_depend_on_their_neighbours() {
    fn check<T: Scalar + Sample>() {
        let n = 150;
        let mut a = random::<T>(n, n, 9);
        for i in 0..n {
            a[(i, i)] = T::from_f64(1e6);
        }
        let b = random::<T>(n, 5, 10);
        for triangle in [Triangle::Lower, Triangle::Upper] {
            for transpose in [Transpose::No, Transpose::Yes] {
                for alpha in [T::ONE, T::from_f64(0.3)] {
                    let solve = |x: &mut Matrix<T>| {
                        let (side, diagonal) = (Side::Left, Diagonal::NonUnit);
                        let (a, x) = (a.view(), x.view_mut());
                        cpu::trsm::trsm(side, triangle, transpose, diagonal, alpha, a, x);
                    };
                    let mut all = b.clone();
                    solve(&mut all);
                    for j in 0..b.cols() {
                        let mut one = Matrix::from_fn(n, 1, |i, _| b[(i, j)]);
                        solve(&mut one);
                        let expected = Matrix::from_fn(n, 1, |i, _| all[(i, j)]);
                        assert_same_bits(&one, &expected, "alone");
                    }
                }
            }
        }
    }
    check::<f64>();
    check::<Dd>();
    check::<Td>();
    check::<Qd>();
}
