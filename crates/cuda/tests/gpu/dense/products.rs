//! Products, in every arithmetic.

use nonius_cuda::Cuda;
use nonius_linalg::backend::{Cpu, Gemm, Memory, Syrk};
use nonius_linalg::dense::gemm::{Arithmetic, Engine, Products};
use nonius_linalg::dense::{Lu, Transpose, Triangle};
use nonius_linalg::{Error, Matrix, Scalar};
use nonius_num::{Dd, Fixed, Mp, Qd};
use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::orthogonal::random_matrix;
use nonius_testkit::products::{self, Units};
use nonius_testkit::{PRECISIONS, Sample};

use super::{TRANSPOSES, result};
use crate::{bits, gpu};

fn product<T: Scalar + Sample, B: Gemm<T>>(
    backend: &B,
    (ta, a): (Transpose, &Matrix<T>),
    (tb, b): (Transpose, &Matrix<T>),
    (alpha, beta): (T, T),
    c: &Matrix<T>,
) -> Matrix<T> {
    let (a, b) = (backend.upload(a.view()), backend.upload(b.view()));
    result(backend, c, |c| {
        backend.gemm(ta, tb, alpha, backend.view(&a), backend.view(&b), beta, c);
    })
}

fn same_bits<T: Scalar + Sample>(gpu: &Cuda, arithmetic: Arithmetic) {
    let products = Products { arithmetic, ..Products::direct() };
    let (gpu, cpu) = (&gpu.clone().with_products(products), &Cpu::new(products));
    let third = T::ONE / (T::ONE + T::ONE + T::ONE);
    let shapes = [(1, 1, 1), (65, 63, 17), (130, 100, 300), (31, 257, 64), (520, 33, 129)];
    for (m, n, k) in shapes {
        for ta in TRANSPOSES {
            for tb in TRANSPOSES {
                let (rows, cols) = ta.shape((m, k));
                let a = random_matrix::<T>((), rows, cols, 1);
                let (rows, cols) = tb.shape((k, n));
                let b = random_matrix::<T>((), rows, cols, 2);
                let c = random_matrix::<T>((), m, n, 3);
                for factors in [(T::ONE, T::ZERO), (-T::ONE, T::ONE), (third, third)] {
                    let found = product(gpu, (ta, &a), (tb, &b), factors, &c);
                    let expected = product(cpu, (ta, &a), (tb, &b), factors, &c);
                    let what = format!("{} {arithmetic} {m} × {n} × {k}, {ta:?} {tb:?}", T::NAME);
                    assert_same_bits(&found, &expected, &what);
                }
            }
        }
    }
    // Tiles that are computed whole, and sums in the range where numbers lose bits.
    let one = (T::ONE, T::ZERO);
    for (m, n, k, exponent) in [(1300, 1290, 33, 0), (150, 140, 70, -530)] {
        let scaled = |rows, cols, seed| {
            let a = random_matrix::<T>((), rows, cols, seed);
            Matrix::from_fn(rows, cols, |i, j| a[(i, j)].ldexp(exponent))
        };
        let (a, b, c) = (scaled(m, k, 6), scaled(k, n, 7), Matrix::zeros(m, n));
        let (ta, tb) = ((Transpose::No, &a), (Transpose::No, &b));
        let (found, expected) = (product(gpu, ta, tb, one, &c), product(cpu, ta, tb, one, &c));
        let what = format!("{} {arithmetic} {m} × {n} × {k}, 2^{exponent}", T::NAME);
        assert_same_bits(&found, &expected, &what);
    }
    // A sum that overflows on the way, infinities and NaN.
    let mut a = random_matrix::<T>((), 40, 50, 4);
    let b = random_matrix::<T>((), 50, 70, 5);
    a[(3, 4)] = T::from_limbs(|l| if l == 0 { f64::INFINITY } else { 0.0 });
    a[(7, 0)] = T::from_limbs(|l| if l == 0 { f64::MAX } else { 0.0 });
    a[(7, 1)] = T::from_limbs(|l| if l == 0 { f64::MAX } else { 0.0 });
    a[(9, 9)] = T::from_limbs(|_| f64::NAN);
    let c = Matrix::zeros(40, 70);
    let (ta, tb) = ((Transpose::No, &a), (Transpose::No, &b));
    let (found, expected) = (product(gpu, ta, tb, one, &c), product(cpu, ta, tb, one, &c));
    assert_same_bits(&found, &expected, &format!("{} {arithmetic} specials", T::NAME));
}

fn have_the_hosts_bits<T: Scalar + Sample>() {
    let gpu = gpu();
    same_bits::<T>(&gpu, Arithmetic::Delayed);
    same_bits::<T>(&gpu, Arithmetic::Ieee);
}

at_every_width!(have_the_hosts_bits);

/// Products of `f64` whose operands are packed before tensor cores multiply them.
#[test]
#[ignore = "needs a GPU"]
fn of_large_f64_have_the_hosts_bits() {
    let products = Products::direct();
    let (gpu, cpu) = (&gpu().with_products(products), &Cpu::new(products));
    let of = |rows, cols, seed, exponent| {
        let a = random_matrix::<f64>((), rows, cols, seed);
        Matrix::from_fn(rows, cols, |i, j| a[(i, j)] * 2.0_f64.powi(exponent))
    };
    let all = [(1.0, 0.0), (-1.0, 1.0), (0.3, 0.7)];
    let shapes = [(1290, 1310, 130, 0), (300, 1800, 515, 0), (700, 650, 400, -530)];
    for (m, n, k, exponent) in shapes {
        let c = of(m, n, 3, 0);
        for ta in TRANSPOSES {
            let (rows, cols) = ta.shape((m, k));
            let a = of(rows, cols, 1, exponent);
            for tb in TRANSPOSES {
                let (rows, cols) = tb.shape((k, n));
                let b = of(rows, cols, 2, exponent);
                for factors in all {
                    let found = product(gpu, (ta, &a), (tb, &b), factors, &c);
                    let expected = product(cpu, (ta, &a), (tb, &b), factors, &c);
                    let what = format!("{m} × {n} × {k}, {ta:?} {tb:?}, 2^{exponent}");
                    assert_same_bits(&found, &expected, &what);
                }
            }
            let c = of(m, m, 4, 0);
            for triangle in [Triangle::Lower, Triangle::Upper] {
                let found = triangle_of_square(gpu, triangle, (ta, &a), &c);
                let expected = triangle_of_square(cpu, triangle, (ta, &a), &c);
                let what = format!("{triangle:?} of {m} × {k}, {ta:?}, 2^{exponent}");
                assert_same_bits(&found, &expected, &what);
            }
        }
    }
    // A sum that overflows on the way, infinities and NaN.
    let (mut a, b, c) = (of(640, 530, 5, 0), of(530, 450, 6, 0), Matrix::zeros(640, 450));
    a[(3, 529)] = f64::INFINITY;
    (a[(307, 0)], a[(307, 1)], a[(639, 9)]) = (f64::MAX, f64::MAX, f64::NAN);
    let (ta, tb) = ((Transpose::No, &a), (Transpose::No, &b));
    let [found, expected] = [product(gpu, ta, tb, all[0], &c), product(cpu, ta, tb, all[0], &c)];
    assert_same_bits(&found, &expected, "specials");
}

/// A triangle of `C − op(A)·op(A)ᵀ`.
fn triangle_of_square<B: Syrk<f64>>(
    backend: &B,
    triangle: Triangle,
    (ta, a): (Transpose, &Matrix<f64>),
    c: &Matrix<f64>,
) -> Matrix<f64> {
    let a = backend.upload(a.view());
    result(backend, c, |c| backend.syrk(triangle, ta, -1.0, backend.view(&a), 1.0, c))
}

fn within_bound<T: Sample>(gpu: &Cuda, format: T::Format, products: Products, units: Units) {
    let gpu = gpu.clone().with_products(products);
    products::gemm::<T, _>(&gpu, format, units);
    products::syrk::<T, _>(&gpu, format, units);
}

fn of_limbs<T: Sample + Scalar>(gpu: &Cuda, arithmetic: Arithmetic, units: Units) {
    within_bound::<T>(gpu, (), Products { arithmetic, ..Products::direct() }, units);
}

fn keep_their_bounds<T: Scalar + Sample>() {
    let gpu = gpu();
    of_limbs::<T>(&gpu, Arithmetic::Delayed, |k| Arithmetic::Delayed.error::<T>(k));
    of_limbs::<T>(&gpu, Arithmetic::Ieee, |k| Arithmetic::Ieee.error::<T>(k));
}

at_every_width!(keep_their_bounds);

#[test]
#[ignore = "needs a GPU"]
fn of_any_precision_keep_their_bounds() {
    let gpu = gpu();
    for format in PRECISIONS.map(bits) {
        within_bound::<Mp>(&gpu, format, Products::default(), Mp::sum_error);
        let crt = Products { engine: Some(Engine::Crt), ..Products::default() };
        within_bound::<Mp>(&gpu, format, crt, Mp::sum_error);
        // Sums that are rounded once.
        within_bound::<Mp>(&gpu, format, Products::direct(), |_| 1.0);
    }
}

#[test]
#[ignore = "needs a GPU"]
fn cheap_sums() {
    let gpu = gpu();
    for arithmetic in Arithmetic::ALL.into_iter().filter(|arithmetic| arithmetic.is_for_dd()) {
        same_bits::<Dd>(&gpu, arithmetic);
    }
    of_limbs::<Dd>(&gpu, Arithmetic::IeeeSloppy, |k| Arithmetic::IeeeSloppy.error::<Dd>(k));
    of_limbs::<Dd>(&gpu, Arithmetic::Cray, |k| Arithmetic::Cray.error::<Dd>(k));
    of_limbs::<Dd>(&gpu, Arithmetic::Sloppy, |k| Arithmetic::Sloppy.error::<Dd>(k));
    let sloppy =
        gpu.with_products(Products { arithmetic: Arithmetic::Sloppy, ..Products::direct() });
    let identity = sloppy.upload(Matrix::<Qd>::identity(3).view());
    let failure = Lu::new(sloppy, identity).err();
    let (arithmetic, precision) = (Arithmetic::Sloppy, Qd::NAME);
    assert_eq!(failure, Some(Error::NoArithmetic { arithmetic, precision }));
}
