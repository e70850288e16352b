//! Panels, triangular systems, exchanges of rows.

use nonius_cuda::Cuda;
use nonius_linalg::backend::{Cpu, Order, Panel, Trsm};
use nonius_linalg::dense::{Diagonal, Side, Transpose, Triangle};
use nonius_linalg::mp::{Bits, Matrix, Mp};

use super::{definite, random, same};
use crate::gpu;

const PRECISIONS: [u32; 4] = [64, 106, 424, 1000];
/// More rows than a GPU of 260 multiprocessors has threads for at the same time.
const TALL: usize = 20_001;

fn lu(gpu: &Cuda, a: &Matrix, what: &str) {
    let cols = a.cols();
    let (mut pivots, mut expected_pivots) = (vec![0; cols], vec![0; cols]);
    let (mut there, mut expected) = (gpu.upload_mut(a), a.clone());
    let found = gpu.lu_panel(there.as_mut(), &mut pivots);
    let host = Panel::<Mp>::lu_panel(&Cpu::default(), expected.view_mut(), &mut expected_pivots);
    match (found, host) {
        (Ok(()), Ok(())) => {
            assert_eq!(pivots, expected_pivots, "{what}");
            same(&gpu.download_of(&there), &expected, what);
        }
        (Err(found), Err(host)) => {
            assert_eq!(found.column, host.column, "{what}");
            assert_eq!(found.pivot.to_bits(), host.pivot.to_bits(), "{what}");
        }
        (found, host) => panic!("{what}: {found:?}, the host {host:?}"),
    }
}

/// What these tests do with matrices.
trait Matrices {
    fn upload_mut(&self, a: &Matrix) -> nonius_cuda::DeviceMatrix<Mp>;
    fn download_of(&self, a: &nonius_cuda::DeviceMatrix<Mp>) -> Matrix;
}

impl Matrices for Cuda {
    fn upload_mut(&self, a: &Matrix) -> nonius_cuda::DeviceMatrix<Mp> {
        nonius_linalg::backend::Memory::upload(self, a.view())
    }

    fn download_of(&self, a: &nonius_cuda::DeviceMatrix<Mp>) -> Matrix {
        nonius_linalg::backend::Memory::download(self, a.as_ref()).expect("a matrix")
    }
}

#[test]
#[ignore = "needs a GPU"]
fn panels_have_the_hosts_bits() {
    let gpu = &gpu();
    let width = <Cuda as Panel<Mp>>::WIDTH;
    for bits in PRECISIONS {
        let format = Bits::new(bits).unwrap();
        let tall = if bits == 106 { TALL } else { 300 };
        for (rows, cols) in [(1, 1), (5, 5), (40, 7), (129, width), (tall, width)] {
            let what = format!("mp{bits} {rows} × {cols}");
            lu(gpu, &random(format, rows, cols, 8), &format!("{what} lu"));
            let a = definite(format, rows, cols, 9);
            let watch = Panel::<Mp>::watch(gpu);
            let (mut there, mut expected) = (gpu.upload_mut(&a), a.clone());
            gpu.cholesky_panel(there.as_mut(), 0, &watch).expect("a failure is kept");
            assert_eq!(Panel::<Mp>::breakdown(gpu, watch), Ok(()), "{what}");
            Panel::<Mp>::cholesky_panel(&Cpu::default(), expected.view_mut(), 0, &())
                .expect("a definite panel");
            let lower = |x: Matrix| {
                let lower = |i, j| if i < j { Mp::ZERO } else { x.at(i, j) };
                Matrix::from_fn_in(format, rows, cols, lower)
            };
            let found = gpu.download_of(&there);
            same(&lower(found), &lower(expected), &format!("{what} cholesky"));
        }
    }
}

/// Ties, zeros, infinities, NaN, exponents far apart: the same pivots, the same failures.
#[test]
#[ignore = "needs a GPU"]
fn odd_panels_fail_alike() {
    let gpu = &gpu();
    let bits = Bits::new(212).unwrap();
    let ties = |i: usize, j: usize| match (i + j) % 3 {
        0 => -Mp::ONE,
        _ => Mp::from_f64(bits, (j % 2) as f64),
    };
    for rows in [5, 300] {
        let mut a = Matrix::from_fn_in(bits, rows, 4, ties);
        lu(gpu, &a, "ties");
        for (place, x) in [((0, 0), f64::NAN), ((4, 1), f64::INFINITY), ((3, 3), f64::NAN)] {
            a.set(place.0, place.1, Mp::from_f64(bits, x));
            lu(gpu, &a, "not finite");
        }
        let zeros = Matrix::zeros_in(bits, rows, 3);
        lu(gpu, &zeros, "zeros");
        let far = |i: usize, j: usize| {
            random(bits, 1, 1, (i * 7 + j) as u64).at(0, 0).ldexp((i as i32 - j as i32) * 4000)
        };
        lu(gpu, &Matrix::from_fn_in(bits, rows, 5, far), "far apart");
        let mut indefinite = definite(bits, rows, 5, 3);
        for x in [-1.0, 0.0, f64::NAN, f64::INFINITY] {
            indefinite.set(3, 3, Mp::from_f64(bits, x));
            let watch = Panel::<Mp>::watch(gpu);
            let (mut there, mut on_host) = (gpu.upload_mut(&indefinite), indefinite.clone());
            gpu.cholesky_panel(there.as_mut(), 7, &watch).expect("a failure is kept");
            let found = Panel::<Mp>::breakdown(gpu, watch).expect_err("no pivot");
            let expected = Panel::<Mp>::cholesky_panel(&Cpu::default(), on_host.view_mut(), 7, &())
                .expect_err("no pivot");
            assert_eq!(found.column, expected.column, "{x}");
            assert_eq!(found.pivot.to_bits(), expected.pivot.to_bits(), "{x}");
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn rows_move_as_on_the_host() {
    let gpu = &gpu();
    let bits = Bits::new(424).unwrap();
    let a = random(bits, 400, 30, 5);
    let exchanges: Vec<usize> = (0..300).map(|i| i + (i * i) % (400 - i)).collect();
    for order in [Order::Forward, Order::Backward] {
        let (mut there, mut expected) = (gpu.upload_mut(&a), a.clone());
        gpu.swap_rows(there.as_mut(), &exchanges, order);
        Panel::<Mp>::swap_rows(&Cpu::default(), expected.view_mut(), &exchanges, order);
        same(&gpu.download_of(&there), &expected, "rows that moved");
    }
}

#[test]
#[ignore = "needs a GPU"]
fn triangular_systems_have_the_hosts_bits() {
    let gpu = &gpu();
    let all = [Side::Left, Side::Right].into_iter().flat_map(|side| {
        [Triangle::Lower, Triangle::Upper].into_iter().flat_map(move |triangle| {
            [Transpose::No, Transpose::Yes].into_iter().flat_map(move |transpose| {
                [Diagonal::NonUnit, Diagonal::Unit].map(|unit| (side, triangle, transpose, unit))
            })
        })
    });
    for (side, triangle, transpose, diagonal) in all {
        for (bits, n, rights) in [(106, 1, 1), (424, 16, 33), (64, 53, 7), (1000, 18, 3)] {
            let format = Bits::new(bits).unwrap();
            let a = definite(format, n, n, 3);
            let (rows, cols) = if side == Side::Left { (n, rights) } else { (rights, n) };
            let b = random(format, rows, cols, 4);
            for alpha in [Mp::ONE, Mp::from_f64(format, -0.75), Mp::ZERO] {
                let (there, mut found) = (gpu.upload_mut(&a), gpu.upload_mut(&b));
                let mut expected = b.clone();
                let to = found.as_mut();
                gpu.trsm(side, triangle, transpose, diagonal, alpha, there.as_ref(), to);
                let (cpu, to) = (Cpu::default(), expected.view_mut());
                Trsm::<Mp>::trsm(&cpu, side, triangle, transpose, diagonal, alpha, a.view(), to);
                let what = format!(
                    "mp{bits} {side:?} {triangle:?} {transpose:?} {diagonal:?} {n} × {rights}"
                );
                same(&gpu.download_of(&found), &expected, &what);
            }
        }
    }
}
