//! Products of matrices of the host have the bits of those on the device.

use nonius_cuda::{Cuda, Transfer};
use nonius_linalg::backend::{Gemm, Memory};
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::{Accuracy, Arithmetic, Engine, Products, Report};
use nonius_linalg::{Error, MatMut, MatRef, Matrix, Scalar};
use nonius_num::{Dd, Qd};
use nonius_testkit::Random;
use nonius_testkit::Sample;
use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::orthogonal::random_matrix;

use super::TRANSPOSES;
use crate::gpu;

const NO: Transpose = Transpose::No;

/// A matrix and what becomes of it.
type Factor<'a, T> = (Transpose, &'a Matrix<T>);

fn on_device<T: Scalar + Sample>(
    gpu: &Cuda,
    [(ta, a), (tb, b)]: [Factor<'_, T>; 2],
    (alpha, beta): (T, T),
    c: &Matrix<T>,
) -> (Matrix<T>, Report) {
    let (a, b, mut to) = (gpu.upload(a.view()), gpu.upload(b.view()), gpu.upload(c.view()));
    let report = gpu.gemm(ta, tb, alpha, a.as_ref(), b.as_ref(), beta, to.as_mut());
    (gpu.download(to.as_ref()).expect("a download"), report)
}

fn check<T: Scalar + Sample>(
    gpu: &Cuda,
    factors: [Factor<'_, T>; 2],
    scales: (T, T),
    c: &Matrix<T>,
) {
    let [(ta, a), (tb, b)] = factors;
    let (expected, report) = on_device(gpu, factors, scales, c);
    let mut found = c.clone();
    let (alpha, beta) = scales;
    let done = gpu.gemm_host(ta, tb, alpha, a.view(), b.view(), beta, found.view_mut());
    let (products, shape) = (report, c.shape());
    assert_eq!(done, Ok(products), "{shape:?} {ta:?} {tb:?}");
    assert_same_bits(&found, &expected, &format!("{} {shape:?} {ta:?} {tb:?}", T::NAME));
}

/// Panels of columns and of rows, the last of them narrow; one panel; matrices too small for any.
const SHAPES: [[usize; 3]; 5] =
    [[600, 610, 590], [1100, 300, 640], [3000, 70, 400], [70, 3000, 400], [40, 50, 60]];

fn by<T: Scalar + Sample>(products: Products) {
    let gpu = gpu();
    let gpu = gpu.with_products(products);
    let third = T::ONE / (T::ONE + T::ONE + T::ONE);
    for [m, n, k] in SHAPES {
        let [a, b] = [random_matrix::<T>((), m, k, 1), random_matrix::<T>((), k, n, 2)];
        let [a_transposed, b_transposed] = [a.view(), b.view()].map(transposed);
        let c = random_matrix::<T>((), m, n, 3);
        for (ta, tb) in TRANSPOSES.into_iter().flat_map(|ta| TRANSPOSES.map(|tb| (ta, tb))) {
            let a = if ta == NO { &a } else { &a_transposed };
            let b = if tb == NO { &b } else { &b_transposed };
            for scales in [(T::ONE, T::ZERO), (third, -third)] {
                check(&gpu, [(ta, a), (tb, b)], scales, &c);
            }
        }
    }
}

fn transposed<T: Scalar + Sample>(a: MatRef<'_, T>) -> Matrix<T> {
    Matrix::from_fn(a.cols(), a.rows(), |i, j| a.at(j, i))
}

#[test]
#[ignore = "needs a GPU"]
fn by_residues() {
    by::<Dd>(Products { engine: Some(Engine::Crt), ..Products::default() });
    by::<Qd>(Products { engine: Some(Engine::Crt), ..Products::default() });
}

#[test]
#[ignore = "needs a GPU"]
fn directly() {
    by::<f64>(Products::direct());
    by::<Dd>(Products::direct());
    by::<Dd>(Products { arithmetic: Arithmetic::Cray, ..Products::default() });
}

#[test]
#[ignore = "needs a GPU"]
fn as_the_backend_chooses() {
    by::<Dd>(Products::default());
    by::<Dd>(Products { accuracy: Accuracy::Normwise, ..Products::default() });
}

/// Entries of which the fewest bits do not do, infinite ones and none: what was added to is added
/// to once.
#[test]
#[ignore = "needs a GPU"]
fn what_panels_cannot_do() {
    let gpu = gpu();
    let gpu = gpu.with_products(Products { engine: Some(Engine::Crt), ..Products::default() });
    let (m, n, k) = (600, 700, 620);
    let mut random_of_range = Random::new(4);
    let mut spread = |rows, cols| {
        Matrix::from_fn(rows, cols, |_, _| {
            let limbs: [f64; 2] = random_of_range.spread_limbs(60);
            Dd::from_limbs(limbs)
        })
    };
    let (wide_a, wide_b, c) = (spread(m, k), spread(k, n), random_matrix::<Dd>((), m, n, 5));
    let mut infinite = random_matrix::<Dd>((), k, n, 6);
    infinite[(17, n - 1)] = Dd::from(f64::INFINITY);
    let plain = random_matrix::<Dd>((), m, k, 7);
    for scales in [(Dd::ONE, Dd::ZERO), (Dd::ONE, Dd::ONE), (Dd::ZERO, Dd::ONE)] {
        check(&gpu, [(NO, &wide_a), (NO, &wide_b)], scales, &c);
        check(&gpu, [(NO, &plain), (NO, &wide_b)], scales, &c);
        check(&gpu, [(NO, &plain), (NO, &infinite)], scales, &c);
    }
    // The residues of the wide ones have more bits, or there are none.
    let bits = |a, b| on_device(&gpu, [(NO, a), (NO, b)], (Dd::ONE, Dd::ZERO), &c).1.bits;
    assert_ne!(bits(&wide_a, &wide_b), bits(&plain, &random_matrix::<Dd>((), k, n, 14)));
}

/// One thread carries everything; some do; and every other way of transfer.
#[test]
#[ignore = "needs a GPU"]
fn with_any_number_of_threads() {
    let gpu = gpu();
    let (a, b, c) = (
        random_matrix::<Dd>((), 900, 500, 8),
        random_matrix::<Dd>((), 500, 1000, 9),
        random_matrix((), 900, 1000, 10),
    );
    let factors = [(NO, &a), (NO, &b)];
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| check(&gpu, factors, (Dd::ONE, Dd::ZERO), &c));
    }
    for transfer in [Transfer::Synchronous, Transfer::Mapped] {
        check(&gpu.clone().with_transfer(transfer), factors, (Dd::ONE, Dd::ONE), &c);
    }
}

/// Columns with gaps between them, which stay as they are.
#[test]
#[ignore = "needs a GPU"]
fn between_gaps() {
    let gpu = gpu();
    let (m, n, k) = (700, 650, 600);
    let (a, b, c) = (
        random_matrix::<Dd>((), m + 3, k, 11),
        random_matrix::<Dd>((), k + 5, n, 12),
        random_matrix::<Dd>((), m + 7, n, 13),
    );
    let parts = (
        MatRef::from_parts(a.as_slice(), m, k, m + 3),
        MatRef::from_parts(b.as_slice(), k, n, k + 5),
        MatRef::from_parts(c.as_slice(), m, n, m + 7),
    );
    let copies = (parts.0.to_matrix(), parts.1.to_matrix(), parts.2.to_matrix());
    for beta in [Dd::ZERO, Dd::ONE] {
        let factors = [(NO, &copies.0), (NO, &copies.1)];
        let (product, _) = on_device(&gpu, factors, (Dd::ONE, beta), &copies.2);
        let mut found = c.clone();
        let to = MatMut::from_parts(found.as_mut_slice(), m, n, m + 7);
        gpu.gemm_host(NO, NO, Dd::ONE, parts.0, parts.1, beta, to).expect("a product");
        let entry = |i, j| if i < m { product[(i, j)] } else { c[(i, j)] };
        assert_same_bits(&found, &Matrix::from_fn(m + 7, n, entry), "gaps");
    }
}

#[test]
#[ignore = "needs a GPU"]
fn what_does_not_fit_is_an_error() {
    let gpu = gpu();
    let a = Matrix::<Dd>::identity(3);
    let mut c = Matrix::<Dd>::zeros(3, 4);
    let error = gpu.gemm_host(NO, NO, Dd::ONE, a.view(), a.view(), Dd::ZERO, c.view_mut());
    assert!(matches!(error, Err(Error::Shape { .. })), "{error:?}");
    let mut none = Matrix::<Dd>::zeros(3, 0);
    let nothing = Matrix::<Dd>::zeros(3, 0);
    let done = gpu.gemm_host(NO, NO, Dd::ONE, a.view(), nothing.view(), Dd::ZERO, none.view_mut());
    assert_eq!(done, Ok(Report::direct()));
}
