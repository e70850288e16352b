//! Inverses of blocks on the host: their sums carry as often as those of the host's own code.

use nonius_gpu::Shape;
use nonius_linalg::accumulate::{Accumulator, Sum};
use nonius_linalg::{Matrix, Scalar};
use nonius_num::{Dd, Qd, Td};
use nonius_testkit::Sample;
use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::orthogonal::random_matrix;

use super::{Blocks, INVERT_BLOCKS, side, source};
use crate::here::{Here, Rectangle, kernel};

/// The inverse of a lower triangle, column by column.
fn inverse<const N: usize, T: Scalar>(a: &Matrix<T>, unit: bool) -> Matrix<T> {
    let order = a.rows();
    let limbs = |x: T| -> [f64; N] { core::array::from_fn(|limb| x.limb(limb)) };
    let diagonal = |i: usize| if unit { T::ONE } else { a.at(i, i) };
    let mut x = Matrix::zeros(order, order);
    for t in 0..order {
        let own = T::ONE / diagonal(t);
        x.set(t, t, own);
        for i in t + 1..order {
            let mut sum = Accumulator::<N, f64>::new();
            for (step, k) in (t..i).enumerate() {
                sum.add_product(limbs(a.at(i, k)), limbs(x.at(k, t)));
                if (step + 1) % Accumulator::<N, f64>::PERIOD == 0 {
                    sum.carry();
                }
            }
            let sum = sum.normalized();
            x.set(i, t, -T::from_limbs(|limb| sum[limb]) / diagonal(i));
        }
    }
    x
}

fn blocks_have_the_hosts_sums<const N: usize, T: Scalar + Sample<Format = ()>>() {
    let here = Here::new(&source(N), &[kernel(INVERT_BLOCKS)]);
    // A block, and a part of another.
    let order = side(N) + 5;
    let mut a = random_matrix::<T>((), order, order, 1);
    for i in 0..order {
        a.set(i, i, a.at(i, i) + T::from_f64(3.0));
    }
    for (upper, unit) in [(false, false), (false, true), (true, false), (true, true)] {
        let transposed = |x: &Matrix<T>| {
            Matrix::from_fn(order, order, |i, j| if upper { x.at(j, i) } else { x.at(i, j) })
        };
        let mut from = Rectangle::of(transposed(&a).view());
        let mut to = Rectangle::of(Matrix::<T>::zeros(order, order).view());
        let (upper_number, unit_number) = (upper.into(), unit.into());
        let blocks =
            Blocks { from: from.layout(), to: to.layout(), upper: upper_number, unit: unit_number };
        let shape = Shape { grid: [2, 1, 1], block: [side(N) as u32, 1, 1], shared: 0 };
        // SAFETY: squares of one order that live.
        if !unsafe { here.run(INVERT_BLOCKS, shape, &blocks) } {
            return;
        }
        let found = transposed(&to.matrix());
        for (first, size) in [(0, side(N)), (side(N), 5)] {
            let block = |x: &Matrix<T>| x.view().block(first, first, size, size).to_matrix();
            let what = format!("{N} limbs, upper: {upper}, unit: {unit}");
            assert_same_bits(&block(&found), &inverse::<N, T>(&block(&a), unit), &what);
        }
    }
}

#[test]
fn blocks_of_dd() {
    blocks_have_the_hosts_sums::<2, Dd>();
}

#[test]
fn blocks_of_td() {
    blocks_have_the_hosts_sums::<3, Td>();
}

#[test]
fn blocks_of_qd() {
    blocks_have_the_hosts_sums::<4, Qd>();
}
