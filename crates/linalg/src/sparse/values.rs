//! Storage of the entries of sparse matrices.

use core::fmt::Debug;

use nonius_num::Element;
use nonius_num::mp::Mp;

use crate::mp::Numbers;
use crate::{Number, Scalar};

/// Numbers that lie one after the other: `Vec<T>` of limbs, or [`Numbers`].
pub trait Values: Clone + Debug + Send + Sync {
    /// One of them, by itself.
    type Item: Number;

    /// So many zeros; `None` where there is no memory for them.
    fn zeros(format: <Self::Item as Element>::Format, count: usize) -> Option<Self>;

    /// What the type of the numbers leaves open: for [`Mp`] the bits.
    fn format(&self) -> <Self::Item as Element>::Format;

    /// How many there are.
    fn count(&self) -> usize;

    /// Number `i`.
    fn value(&self, i: usize) -> Self::Item;

    /// Replaces number `i`.
    fn put(&mut self, i: usize, value: &Self::Item);

    /// Replaces number `i` by number `j` of `from`.
    fn copy_from(&mut self, i: usize, from: &Self, j: usize);

    /// Whether number `i` is zero.
    fn is_zero_at(&self, i: usize) -> bool;

    /// Whether number `i` is neither infinite nor NaN.
    fn is_finite_at(&self, i: usize) -> bool;
}

impl<T: Scalar> Values for Vec<T> {
    type Item = T;

    fn zeros((): (), count: usize) -> Option<Self> {
        let mut values = Vec::new();
        values.try_reserve_exact(count).ok()?;
        values.resize(count, T::ZERO);
        Some(values)
    }

    fn format(&self) {}

    fn count(&self) -> usize {
        self.len()
    }

    fn value(&self, i: usize) -> T {
        self[i]
    }

    fn put(&mut self, i: usize, value: &T) {
        self[i] = *value;
    }

    fn copy_from(&mut self, i: usize, from: &Self, j: usize) {
        self[i] = from[j];
    }

    #[inline(always)]
    fn is_zero_at(&self, i: usize) -> bool {
        self[i] == T::ZERO
    }

    fn is_finite_at(&self, i: usize) -> bool {
        nonius_num::Real::is_finite(self[i])
    }
}

impl Values for Numbers {
    type Item = Mp;

    fn zeros(bits: nonius_num::mp::Bits, count: usize) -> Option<Self> {
        Numbers::try_zeros(bits, count)
    }

    fn format(&self) -> nonius_num::mp::Bits {
        self.bits()
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn value(&self, i: usize) -> Mp {
        self.entry(i).to_mp(self.bits())
    }

    fn put(&mut self, i: usize, value: &Mp) {
        self.put(i, value.view());
    }

    fn copy_from(&mut self, i: usize, from: &Self, j: usize) {
        self.set(i, from.at(j));
    }

    #[inline(always)]
    fn is_zero_at(&self, i: usize) -> bool {
        self.at(i).head().is_zero()
    }

    fn is_finite_at(&self, i: usize) -> bool {
        self.at(i).head().is_finite()
    }
}
