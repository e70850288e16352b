//! Panels of factorisations, and rows that move.

use nonius_cuda::Cuda;
use nonius_linalg::Matrix;
use nonius_linalg::backend::{Cpu, Order, Panel, Reference};
use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::orthogonal::random_matrix;
use nonius_testkit::{Random, Sample, affordable};

use super::result;
use crate::gpu;

/// More rows than a GPU of 260 multiprocessors runs threads of a panel at the same time.
const TALL: usize = 100_001;

fn have_the_hosts_bits<T: Sample>(format: T::Format) {
    let gpu = &gpu();
    let width = <Cuda as Panel<T>>::WIDTH;
    let shapes = [(1, 1), (5, 5), (40, 7), (128, width), (129, width), (1000, width), (TALL, 6)];
    let has_time = |&(rows, cols): &(usize, usize)| affordable::<T>(format, rows * cols * cols);
    for (rows, cols) in shapes.into_iter().filter(has_time) {
        let a = random_matrix::<T>(format, rows, cols, 8);
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
        let what = format!("{} lu {rows} × {cols}", T::name(format));
        assert_eq!(pivots, expected_pivots, "{what}");
        assert_same_bits(&found, &expected, &what);

        let mut a = a;
        for i in 0..cols {
            a.set(i, i, a.at(i, i).abs() + T::from_f64(cols as f64));
        }
        let lower = |x: Matrix<T>| {
            Matrix::from_fn_in(format, rows, cols, |i, j| if i < j { T::ZERO } else { x.at(i, j) })
        };
        let watch = Panel::<T>::watch(gpu);
        let found = result(gpu, &a, |a| {
            gpu.cholesky_panel(a, 0, &watch).expect("a panel whose failure is kept");
        });
        assert_eq!(Panel::<T>::breakdown(gpu, watch), Ok(()));
        let expected = result(&Cpu::default(), &a, |a| {
            Panel::<T>::cholesky_panel(&Cpu::default(), a, 0, &()).expect("a definite panel");
        });
        let what = format!("{} cholesky {rows} × {cols}", T::name(format));
        assert_same_bits(&lower(found), &lower(expected), &what);
    }
    for rows in [300, TALL] {
        if affordable::<T>(format, 16 * rows) {
            odd_panels_fail_alike::<T>(gpu, format, rows);
        }
    }
}

at_every_precision!(have_the_hosts_bits);

/// Ties, zeros, NaN: the same pivots, the same failures.
fn odd_panels_fail_alike<T: Sample>(gpu: &Cuda, format: T::Format, rows: usize) {
    let mut a = Matrix::<T>::from_fn_in(format, rows, 4, |i, j| {
        if (i + j) % 3 == 0 { -T::ONE } else { T::from_f64((j % 2) as f64) }
    });
    for spoil in [None, Some((0, 0)), Some((200, 1))] {
        if let Some(place) = spoil {
            a.set(place.0, place.1, T::from_f64(f64::NAN));
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

fn rows_move_as_on_the_host<T: Sample>(format: T::Format) {
    let gpu = &gpu();
    let a = random_matrix::<T>(format, 700, 9, 10);
    let mut random = Random::new(11);
    let pivots: Vec<usize> = (0..400).map(|i| i + random.below(700 - i)).collect();
    for order in [Order::Forward, Order::Backward] {
        let found = result(gpu, &a, |a| gpu.swap_rows(a, &pivots, order));
        let expected = result(&Reference, &a, |a| Reference.swap_rows(a, &pivots, order));
        assert_same_bits(&found, &expected, &format!("{order:?}"));
    }
}

at_every_precision!(rows_move_as_on_the_host);
