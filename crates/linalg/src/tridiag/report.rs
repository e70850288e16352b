//! What became of a batch.

use super::method::Method;

/// The method used, and the systems that it could not solve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The method, never [`Method::Auto`].
    pub method: Method,
    /// The systems that were not solved, by ascending number.
    pub failures: Vec<Failure>,
}

/// A system that was not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Failure {
    /// The system, counted from 0.
    pub system: usize,
    /// Why.
    pub cause: Cause,
    /// The row, counted from 0. Where cyclic reduction between chunks of rows met the pivot, the
    /// last row of such a chunk.
    pub row: usize,
}

/// Why a system was not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// The row has an entry, or a right side, that is infinite or NaN.
    NotFinite,
    /// The row's pivot is zero, or was spoilt by one that is almost.
    Pivot,
    /// The row's unknown is larger than the largest number.
    Overflow,
}
