//! Batches of tridiagonal systems.

use std::borrow::Cow;

use nonius_linalg::tridiag::{Batch, Number, Order};
use nonius_linalg::{Element, Numbers, Size};

use crate::Random;

/// The arrays of a batch.
#[derive(Clone, Debug)]
pub struct Arrays<T: Element> {
    systems: usize,
    size: usize,
    order: Order,
    /// Lower, main and upper diagonals.
    pub matrix: [Numbers<T>; 3],
    /// Right sides.
    pub right: Numbers<T>,
}

impl<T: Number<Format = ()>> Arrays<T> {
    /// [`in_format`](Self::in_format) for numbers whose precision their type says.
    pub fn random(systems: usize, size: usize, order: Order, excess: f64) -> Self {
        Self::in_format((), (systems, size), order, excess)
    }
}

impl<T: Number> Arrays<T> {
    /// Random entries, with a diagonal that is larger than both its neighbours together by
    /// `excess`; outside of the matrix there is NaN, which nobody is to read.
    pub fn in_format(
        format: T::Format,
        (systems, size): (usize, usize),
        order: Order,
        excess: f64,
    ) -> Self {
        let mut random = Random::new((systems * 1000 + size) as u64);
        let third = T::ONE.to_format(format) / T::from_f64(3.0);
        let count = systems * size;
        let zeros = || Numbers::<T>::zeros(format, count);
        let (mut matrix, mut right) = ([zeros(), zeros(), zeros()], zeros());
        for s in 0..systems {
            for i in 0..size {
                let at = order.index((systems, size), s, i);
                let mut draw = || T::from_f64(2.0 * random.unit() - 1.0) * third;
                let (lower, upper) = (draw(), draw());
                let beside = (lower.magnitude() + upper.magnitude()).to_f64();
                let diagonal = T::from_f64(beside + excess) + third * third;
                let sign = if draw().to_f64() < 0.0 { -T::ONE } else { T::ONE };
                right.set(at, draw());
                let outside = T::from_f64(f64::NAN);
                matrix[0].set(at, if i == 0 { outside } else { lower });
                matrix[1].set(at, diagonal * sign);
                matrix[2].set(at, if i + 1 == size { outside } else { upper });
            }
        }
        Self { systems, size, order, matrix, right }
    }

    /// The batch.
    ///
    /// # Panics
    /// Where an array has been changed in length.
    pub fn batch(&self) -> Batch<'_, T> {
        let [lower, diagonal, upper] = &self.matrix;
        let matrix = [lower, diagonal, upper];
        Batch::new(self.systems, self.size, self.order, matrix, &self.right)
            .unwrap_or_else(|error| panic!("{error}"))
    }

    /// Garbage where the solution is to be.
    pub fn garbage(&self) -> Numbers<T> {
        let mut garbage = Numbers::zeros(self.right.format(), self.right.len());
        for at in 0..garbage.len() {
            garbage.set(at, T::from_f64(f64::NAN));
        }
        garbage
    }

    /// The spelling of the precision.
    pub fn name(&self) -> Cow<'static, str> {
        T::name(self.right.format())
    }

    /// The relative error of a rounding.
    pub fn unit_roundoff(&self) -> T::Size {
        T::unit_roundoff(self.right.format())
    }
}

/// Both orders.
pub const ORDERS: [Order; 2] = [Order::Contiguous, Order::Interleaved];

impl<T: Number> Arrays<T> {
    /// Closes the systems to rings, with small numbers in the corners.
    #[must_use]
    pub fn closed(mut self) -> Self {
        let third = T::ONE.to_format(self.right.format()) / T::from_f64(3.0);
        for s in 0..self.systems {
            let at = |i| self.order.index((self.systems, self.size), s, i);
            self.matrix[0].set(at(0), third * T::from_f64(0.25));
            self.matrix[2].set(at(self.size - 1), -third * T::from_f64(0.125));
        }
        self
    }

    /// Makes diagonals small, and zero now and then.
    #[must_use]
    pub fn weakened(mut self) -> Self {
        let mut random = Random::new(9);
        for at in 0..self.right.len() {
            let weight = if random.below(4) == 0 { 0.0 } else { random.unit() };
            self.matrix[1].set(at, self.matrix[1].at(at) * T::from_f64(weight));
        }
        self
    }
}
