//! Triangular systems.

use nonius_cuda::Cuda;
use nonius_linalg::backend::{Cpu, Trsm};
use nonius_linalg::dense::{Diagonal, Side, Transpose, Triangle};
use nonius_linalg::{Matrix, Scalar};
use nonius_num::Qd;
use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::products;

use super::{TRANSPOSES, error, random, result};
use crate::gpu;

/// A matrix whose solutions neither grow nor vanish.
fn dominant<T: Scalar>(n: usize, seed: u64) -> Matrix<T> {
    let mut a = random::<T>(n, n, seed);
    for i in 0..n {
        a[(i, i)] = T::from_limbs(|l| if l == 0 { n as f64 } else { 0.0 }) + a[(i, i)];
    }
    a
}

fn have_the_hosts_bits<T: Scalar>() {
    let gpu = &gpu();
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

at_every_precision!(have_the_hosts_bits);

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

fn keep_their_bounds<T: Scalar>() {
    let gpu = gpu();
    products::trsm::<T, _>(&gpu, error::<T>);
}

at_every_precision!(keep_their_bounds);

/// Kernels of a device are shared by all threads, and what one asks of a kernel must not change what another may do.
#[test]
#[ignore = "needs a GPU"]
fn of_several_orders_at_the_same_time() {
    let gpu = gpu();
    std::thread::scope(|threads| {
        for n in [1, 64, 16, 48] {
            let gpu = Cuda::new(gpu.device()).expect("a stream");
            threads.spawn(move || {
                let system = (Side::Left, Triangle::Lower, Transpose::No, Diagonal::NonUnit);
                let (a, b) = (dominant::<Qd>(n, 6), random::<Qd>(n, 2, 7));
                let expected = solved(&Cpu::default(), system, &a, &b);
                for _ in 0..300 {
                    let found = solved(&gpu, system, &a, &b);
                    assert_same_bits(&found, &expected, &format!("order {n}"));
                }
            });
        }
    });
}
