//! Arithmetic on single numbers, limbs or `mp`, of one format.

use nonius_num::Decimal;
use nonius_num::mp::Mp;

use crate::Scalar;
use crate::sparse::matrix_market::Entry;

/// Numbers with the operations that factorisations take, each rounded to the numbers' precision.
pub trait Field: Entry {
    /// `self · y`.
    #[must_use]
    fn times(&self, y: &Self) -> Self;
    /// `self − y`.
    #[must_use]
    fn minus(&self, y: &Self) -> Self;
    /// `self / y`.
    #[must_use]
    fn over(&self, y: &Self) -> Self;
    /// `√self`.
    #[must_use]
    fn root(&self) -> Self;
    /// The nearest `f64`.
    fn near(&self) -> f64;
}

impl<T: Scalar + Decimal> Field for T {
    fn times(&self, y: &Self) -> Self {
        *self * *y
    }

    fn minus(&self, y: &Self) -> Self {
        *self - *y
    }

    fn over(&self, y: &Self) -> Self {
        *self / *y
    }

    fn root(&self) -> Self {
        nonius_num::Real::sqrt(*self)
    }

    fn near(&self) -> f64 {
        nonius_num::Real::to_f64(*self)
    }
}

impl Field for Mp {
    fn times(&self, y: &Self) -> Self {
        self * y
    }

    fn minus(&self, y: &Self) -> Self {
        self - y
    }

    fn over(&self, y: &Self) -> Self {
        self / y
    }

    fn root(&self) -> Self {
        self.sqrt()
    }

    fn near(&self) -> f64 {
        self.to_f64()
    }
}
