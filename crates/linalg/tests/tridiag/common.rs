//! Batches for tests.

use nonius_linalg::tridiag::{Batch, Number, Order};
use nonius_testkit::Random;

/// The arrays of a batch.
#[derive(Clone)]
pub(crate) struct Arrays<T> {
    pub(crate) systems: usize,
    pub(crate) size: usize,
    pub(crate) order: Order,
    pub(crate) matrix: [Vec<T>; 3],
    pub(crate) right: Vec<T>,
}

impl<T: Number> Arrays<T> {
    /// Random entries, with a diagonal that is larger than both its neighbours together by `excess`; outside of the matrix there is NaN, which nobody is to read.
    pub(crate) fn random(systems: usize, size: usize, order: Order, excess: f64) -> Self {
        let mut random = Random::new((systems * 1000 + size) as u64);
        let third = T::ONE / T::from_f64(3.0);
        let count = systems * size;
        let mut matrix = [vec![T::ZERO; count], vec![T::ZERO; count], vec![T::ZERO; count]];
        let mut right = vec![T::ZERO; count];
        for s in 0..systems {
            for i in 0..size {
                let at = order.index((systems, size), s, i);
                let mut draw = || T::from_f64(2.0 * random.unit() - 1.0) * third;
                let (lower, upper) = (draw(), draw());
                let beside = lower.magnitude() + upper.magnitude();
                let diagonal = T::from_f64(beside + excess) + third * third;
                let sign = if draw().to_f64() < 0.0 { -T::ONE } else { T::ONE };
                right[at] = draw();
                let outside = T::from_f64(f64::NAN);
                matrix[0][at] = if i == 0 { outside } else { lower };
                matrix[1][at] = diagonal * sign;
                matrix[2][at] = if i + 1 == size { outside } else { upper };
            }
        }
        Self { systems, size, order, matrix, right }
    }

    pub(crate) fn batch(&self) -> Batch<'_, T> {
        let [lower, diagonal, upper] = &self.matrix;
        let matrix = [&lower[..], &diagonal[..], &upper[..]];
        Batch::new(self.systems, self.size, self.order, matrix, &self.right).unwrap()
    }

    /// Garbage where the solution is to be.
    pub(crate) fn garbage(&self) -> Vec<T> {
        vec![T::from_f64(f64::NAN); self.right.len()]
    }
}

pub(crate) const ORDERS: [Order; 2] = [Order::Contiguous, Order::Interleaved];
