//! Products, triangular systems and factorisations: the suites of every backend, and the bits of the host.

use nonius_cuda::Cuda;
use nonius_linalg::backend::{Cpu, Gemm, Memory, Order, Panel, Reference, Syrk, Trsm};
use nonius_linalg::dense::gemm::{Arithmetic, Products};
use nonius_linalg::dense::{
    Cholesky, Diagonal, Lu, Side, Transpose, Triangle, gauss_jordan, relative_residual,
};
use nonius_linalg::{Error, Matrix, Scalar};
use nonius_num::{Dd, Qd, Real, Td};
use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::{Random, products};

use crate::gpu;

/// The bound of sums where no other arithmetic is asked for.
fn error<T: Scalar>(k: usize) -> f64 {
    Arithmetic::Delayed.error::<T>(k)
}

const TRANSPOSES: [Transpose; 2] = [Transpose::No, Transpose::Yes];

fn random<T: Scalar>(rows: usize, cols: usize, seed: u64) -> Matrix<T> {
    let mut random = Random::new(seed);
    Matrix::from_fn(rows, cols, |_, _| {
        let limbs: [f64; 4] = random.limbs();
        T::from_limbs(|l| limbs[l])
    })
}

/// What a backend makes of a matrix.
fn result<T: Scalar, B: Memory<T>>(
    backend: &B,
    start: &Matrix<T>,
    work: impl FnOnce(B::Mut<'_>),
) -> Matrix<T> {
    let mut uploaded = backend.upload(start.view());
    work(backend.view_mut(&mut uploaded));
    backend.download(backend.view(&uploaded)).expect("a download")
}

fn product<T: Scalar, B: Gemm<T>>(
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

fn products_have_the_hosts_bits<T: Scalar>(gpu: &Cuda, arithmetic: Arithmetic) {
    let products = Products { arithmetic, ..Products::default() };
    let (gpu, cpu) = (&gpu.clone().with_products(products), &Cpu::new(products));
    let third = T::ONE / (T::ONE + T::ONE + T::ONE);
    let shapes = [(1, 1, 1), (65, 63, 17), (130, 100, 300), (31, 257, 64), (520, 33, 129)];
    for (m, n, k) in shapes {
        for ta in TRANSPOSES {
            for tb in TRANSPOSES {
                let (rows, cols) = ta.shape((m, k));
                let a = random::<T>(rows, cols, 1);
                let (rows, cols) = tb.shape((k, n));
                let b = random::<T>(rows, cols, 2);
                let c = random::<T>(m, n, 3);
                for factors in [(T::ONE, T::ZERO), (-T::ONE, T::ONE), (third, third)] {
                    let found = product(gpu, (ta, &a), (tb, &b), factors, &c);
                    let expected = product(cpu, (ta, &a), (tb, &b), factors, &c);
                    let what = format!("{} {arithmetic} {m} × {n} × {k}, {ta:?} {tb:?}", T::NAME);
                    assert_same_bits(&found, &expected, &what);
                }
            }
        }
    }
    // A sum that overflows on the way, infinities and NaN.
    let mut a = random::<T>(40, 50, 4);
    let b = random::<T>(50, 70, 5);
    a[(3, 4)] = T::from_limbs(|l| if l == 0 { f64::INFINITY } else { 0.0 });
    a[(7, 0)] = T::from_limbs(|l| if l == 0 { f64::MAX } else { 0.0 });
    a[(7, 1)] = T::from_limbs(|l| if l == 0 { f64::MAX } else { 0.0 });
    a[(9, 9)] = T::from_limbs(|_| f64::NAN);
    let (one, c) = ((T::ONE, T::ZERO), Matrix::zeros(40, 70));
    let (ta, tb) = ((Transpose::No, &a), (Transpose::No, &b));
    let (found, expected) = (product(gpu, ta, tb, one, &c), product(cpu, ta, tb, one, &c));
    assert_same_bits(&found, &expected, &format!("{} {arithmetic} specials", T::NAME));
}

/// A matrix whose solutions neither grow nor vanish.
fn dominant<T: Scalar>(n: usize, seed: u64) -> Matrix<T> {
    let mut a = random::<T>(n, n, seed);
    for i in 0..n {
        a[(i, i)] = T::from_limbs(|l| if l == 0 { n as f64 } else { 0.0 }) + a[(i, i)];
    }
    a
}

fn triangles_have_the_hosts_bits<T: Scalar>(gpu: &Cuda) {
    for (n, rights) in [(1, 1), (16, 3), (63, 40), (64, 33), (150, 70)] {
        let a = dominant::<T>(n, 6);
        for side in [Side::Left, Side::Right] {
            let b = match side {
                Side::Left => random::<T>(n, rights, 7),
                Side::Right => random::<T>(rights, n, 7),
            };
            for triangle in [Triangle::Lower, Triangle::Upper] {
                for transpose in TRANSPOSES {
                    for diagonal in [Diagonal::Unit, Diagonal::NonUnit] {
                        let solve = |a: &Matrix<T>| {
                            let system = (side, triangle, transpose, diagonal);
                            (solved(gpu, system, a, &b), solved(&Cpu::default(), system, a, &b))
                        };
                        // A unit diagonal needs small entries beside it.
                        let scaled = Matrix::from_fn(n, n, |i, j| a[(i, j)].ldexp(-8));
                        let (found, expected) =
                            solve(if diagonal == Diagonal::Unit { &scaled } else { &a });
                        let what = format!("{} {n}, {side:?} {triangle:?} {transpose:?}", T::NAME);
                        assert_same_bits(&found, &expected, &what);
                    }
                }
            }
        }
    }
}

fn solved<T: Scalar, B: Trsm<T>>(
    backend: &B,
    (side, triangle, transpose, diagonal): (Side, Triangle, Transpose, Diagonal),
    a: &Matrix<T>,
    b: &Matrix<T>,
) -> Matrix<T> {
    let a = backend.upload(a.view());
    result(backend, b, |b| {
        let a = backend.view(&a);
        backend.trsm(side, triangle, transpose, diagonal, T::ONE, a, b);
    })
}

/// More rows than a GPU of 260 multiprocessors runs threads of a panel at the same time.
const TALL: usize = 100_001;

fn panels_have_the_hosts_bits<T: Scalar>(gpu: &Cuda) {
    let width = <Cuda as Panel<T>>::WIDTH;
    let shapes = [(1, 1), (5, 5), (40, 7), (128, width), (129, width), (1000, width), (TALL, 6)];
    for (rows, cols) in shapes {
        let a = random::<T>(rows, cols, 8);
        let factor = |backend: &dyn Fn(&mut [usize]) -> Matrix<T>| {
            let mut pivots = vec![0; cols];
            (backend(&mut pivots), pivots)
        };
        let (found, pivots) = factor(&|pivots| {
            result(gpu, &a, |a| gpu.lu_panel(a, pivots).expect("a regular panel"))
        });
        let (expected, expected_pivots) = factor(&|pivots| {
            result(&Cpu::default(), &a, |a| {
                Panel::<T>::lu_panel(&Cpu::default(), a, pivots).expect("a regular panel")
            })
        });
        let what = format!("{} lu {rows} × {cols}", T::NAME);
        assert_eq!(pivots, expected_pivots, "{what}");
        assert_same_bits(&found, &expected, &what);

        let mut a = a;
        for i in 0..cols {
            a[(i, i)] = a[(i, i)].abs() + T::from_limbs(|l| if l == 0 { cols as f64 } else { 0.0 });
        }
        let lower = |x: Matrix<T>| {
            Matrix::from_fn(rows, cols, |i, j| if i < j { T::ZERO } else { x[(i, j)] })
        };
        let found = result(gpu, &a, |a| gpu.cholesky_panel(a).expect("a definite panel"));
        let expected = result(&Cpu::default(), &a, |a| {
            Panel::<T>::cholesky_panel(&Cpu::default(), a).expect("a definite panel");
        });
        let what = format!("{} cholesky {rows} × {cols}", T::NAME);
        assert_same_bits(&lower(found), &lower(expected), &what);
    }
    for rows in [300, TALL] {
        odd_panels_fail_alike::<T>(gpu, rows);
    }
}

/// Ties, zeros, NaN: the same pivots, the same failures.
fn odd_panels_fail_alike<T: Scalar>(gpu: &Cuda, rows: usize) {
    let mut a = Matrix::<T>::from_fn(rows, 4, |i, j| {
        if (i + j) % 3 == 0 {
            -T::ONE
        } else {
            T::from_limbs(|l| if l == 0 { (j % 2) as f64 } else { 0.0 })
        }
    });
    for spoil in [None, Some((0, 0)), Some((200, 1))] {
        if let Some(place) = spoil {
            a[place] = T::from_limbs(|_| f64::NAN);
        }
        let (mut pivots, mut expected_pivots) = (vec![0; 4], vec![0; 4]);
        let (mut outcome, mut expected) = (Ok(()), Ok(()));
        let found = result(gpu, &a, |a| outcome = gpu.lu_panel(a, &mut pivots));
        let host = result(&Cpu::default(), &a, |a| {
            expected = Panel::<T>::lu_panel(&Cpu::default(), a, &mut expected_pivots)
        });
        assert_eq!(outcome.map_err(|b| b.column), expected.map_err(|b| b.column), "{spoil:?}");
        if expected.is_ok() {
            assert_eq!(pivots, expected_pivots);
            assert_same_bits(&found, &host, "ties");
        }
    }
}

fn rows_move_as_on_the_host<T: Scalar>(gpu: &Cuda) {
    let a = random::<T>(700, 9, 10);
    let mut random = Random::new(11);
    let pivots: Vec<usize> = (0..400).map(|i| i + random.below(700 - i)).collect();
    for order in [Order::Forward, Order::Backward] {
        let found = result(gpu, &a, |a| gpu.swap_rows(a, &pivots, order));
        let expected = result(&Reference, &a, |a| Reference.swap_rows(a, &pivots, order));
        assert_same_bits(&found, &expected, &format!("{order:?}"));
    }
}

/// Backward errors of a few units of roundoff, relative to the bound of a product of that size.
fn solvers_are_backward_stable<T: Scalar>(gpu: &Cuda) {
    for n in [1, 40, 65, 200, 333] {
        let a = random::<T>(n, n, 12);
        let b = random::<T>(n, 5, 13);
        let check = |x: &Matrix<T>, what: &str| {
            let residual = relative_residual(a.view(), x.view(), b.view()).expect("shapes");
            let bound = 4.0 * error::<T>(n) * T::UNIT_ROUNDOFF;
            assert!(residual <= bound, "{} {what} {n}: {residual:e} > {bound:e}", T::NAME);
        };
        let lu = Lu::new(gpu.clone(), gpu.upload(a.view())).expect("a regular matrix");
        let host = Lu::factor(a.view()).expect("a regular matrix");
        assert_eq!(lu.pivots(), host.pivots(), "{} {n}", T::NAME);
        check(&lu.solve(b.view()).expect("a solution"), "lu");
        let x = result(gpu, &b, |b| {
            gauss_jordan(gpu.clone(), gpu.upload(a.view()), b).expect("a regular matrix");
        });
        check(&x, "gauss-jordan");

        let mut square = Matrix::<T>::zeros(n, n);
        let uploaded = gpu.upload(a.view());
        square = result(gpu, &square, |c| {
            gpu.syrk(Triangle::Lower, Transpose::No, T::ONE, gpu.view(&uploaded), T::ZERO, c);
        });
        let definite = Matrix::from_fn(n, n, |i, j| {
            let x = if i < j { square[(j, i)] } else { square[(i, j)] };
            if i == j { x + T::ONE } else { x }
        });
        let cholesky =
            Cholesky::new(gpu.clone(), gpu.upload(definite.view())).expect("a definite matrix");
        let x = cholesky.solve(b.view()).expect("a solution");
        let residual = relative_residual(definite.view(), x.view(), b.view()).expect("shapes");
        let bound = 4.0 * error::<T>(n) * T::UNIT_ROUNDOFF;
        assert!(residual <= bound, "{} cholesky {n}: {residual:e} > {bound:e}", T::NAME);
    }
    let singular = Matrix::<T>::from_fn(70, 70, |i, j| {
        if j == 40 { T::ZERO } else { random::<T>(1, 1, (71 * i + j) as u64)[(0, 0)] }
    });
    let failure = Lu::new(gpu.clone(), gpu.upload(singular.view())).err();
    let expected = Lu::factor(singular.view()).err();
    assert!(matches!(failure, Some(Error::Singular { .. })), "{failure:?}");
    assert_eq!(failure, expected);
}

fn all<T: Scalar>() {
    let Some(gpu) = gpu() else { return };
    products::gemm::<T, _>(&gpu, error::<T>);
    products::syrk::<T, _>(&gpu, error::<T>);
    products::trsm::<T, _>(&gpu, error::<T>);
    products_have_the_hosts_bits::<T>(&gpu, Arithmetic::Delayed);
    products_have_the_hosts_bits::<T>(&gpu, Arithmetic::Ieee);
    let ieee =
        gpu.clone().with_products(Products { arithmetic: Arithmetic::Ieee, ..Products::default() });
    products::gemm::<T, _>(&ieee, |k| Arithmetic::Ieee.error::<T>(k));
    products::syrk::<T, _>(&ieee, |k| Arithmetic::Ieee.error::<T>(k));
    triangles_have_the_hosts_bits::<T>(&gpu);
    panels_have_the_hosts_bits::<T>(&gpu);
    rows_move_as_on_the_host::<T>(&gpu);
    solvers_are_backward_stable::<T>(&gpu);
}

#[test]
fn dense_f64() {
    all::<f64>();
}

#[test]
fn dense_dd() {
    all::<Dd>();
}

#[test]
fn sloppy_products() {
    let Some(gpu) = gpu() else { return };
    products_have_the_hosts_bits::<Dd>(&gpu, Arithmetic::Sloppy);
    let sloppy =
        gpu.with_products(Products { arithmetic: Arithmetic::Sloppy, ..Products::default() });
    products::gemm::<Dd, _>(&sloppy, |k| Arithmetic::Sloppy.error::<Dd>(k));
    products::syrk::<Dd, _>(&sloppy, |k| Arithmetic::Sloppy.error::<Dd>(k));
    let identity = sloppy.upload(Matrix::<Qd>::identity(3).view());
    let failure = Lu::new(sloppy, identity).err();
    let (arithmetic, precision) = (Arithmetic::Sloppy, Qd::NAME);
    assert_eq!(failure, Some(Error::NoArithmetic { arithmetic, precision }));
}

#[test]
fn dense_td() {
    all::<Td>();
}

#[test]
fn dense_qd() {
    all::<Qd>();
}
