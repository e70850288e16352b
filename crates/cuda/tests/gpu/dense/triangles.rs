//! Triangular systems.

use nonius_cuda::Cuda;
use nonius_linalg::Matrix;
use nonius_linalg::backend::{Cpu, Trsm};
use nonius_linalg::dense::{Diagonal, Side, Transpose, Triangle};
use nonius_num::Qd;
use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::orthogonal::{random_matrix, scaled};
use nonius_testkit::{Sample, affordable, products};

use super::{TRANSPOSES, result};
use crate::gpu;

/// A matrix whose solutions neither grow nor vanish.
fn dominant<T: Sample>(format: T::Format, n: usize, seed: u64) -> Matrix<T> {
    let mut a = random_matrix::<T>(format, n, n, seed);
    for i in 0..n {
        a.set(i, i, T::from_f64(n as f64) + a.at(i, i));
    }
    a
}

fn have_the_hosts_bits<T: Sample>(format: T::Format) {
    let gpu = &gpu();
    for (n, rights) in [(1, 1), (16, 33), (18, 3), (63, 40), (64, 33), (150, 70)] {
        if !affordable::<T>(format, 8 * n * n * rights) {
            continue;
        }
        let a = dominant::<T>(format, n, 6);
        for side in [Side::Left, Side::Right] {
            let b = match side {
                Side::Left => random_matrix::<T>(format, n, rights, 7),
                Side::Right => random_matrix::<T>(format, rights, n, 7),
            };
            for triangle in [Triangle::Lower, Triangle::Upper] {
                for transpose in TRANSPOSES {
                    for diagonal in [Diagonal::Unit, Diagonal::NonUnit] {
                        let solve = |a: &Matrix<T>| {
                            let system = (side, triangle, transpose, diagonal);
                            (solved(gpu, system, a, &b), solved(&Cpu::default(), system, a, &b))
                        };
                        // A unit diagonal needs small entries beside it.
                        let small = scaled(&a, |_, _| -8);
                        let (found, expected) =
                            solve(if diagonal == Diagonal::Unit { &small } else { &a });
                        let what =
                            format!("{} {n}, {side:?} {triangle:?} {transpose:?}", T::name(format));
                        assert_same_bits(&found, &expected, &what);
                    }
                }
            }
        }
    }
}

at_every_precision!(have_the_hosts_bits);

fn solved<T: Sample, B: Trsm<T>>(
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

fn keep_their_bounds<T: Sample>(format: T::Format) {
    let gpu = gpu();
    products::trsm::<T, _>(&gpu, format, T::sum_error);
}

at_every_precision!(keep_their_bounds);

/// Kernels of a device are shared by all threads, and what one asks of a kernel must not change
/// what another may do.
#[test]
#[ignore = "needs a GPU"]
fn of_several_orders_at_the_same_time() {
    let gpu = gpu();
    std::thread::scope(|threads| {
        for n in [1, 64, 16, 48] {
            let gpu = Cuda::new(gpu.device()).expect("a stream");
            threads.spawn(move || {
                let system = (Side::Left, Triangle::Lower, Transpose::No, Diagonal::NonUnit);
                let (a, b) = (dominant::<Qd>((), n, 6), random_matrix::<Qd>((), n, 2, 7));
                let expected = solved(&Cpu::default(), system, &a, &b);
                for _ in 0..300 {
                    let found = solved(&gpu, system, &a, &b);
                    assert_same_bits(&found, &expected, &format!("order {n}"));
                }
            });
        }
    });
}
