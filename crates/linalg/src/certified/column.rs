//! Columns of unknowns.

use super::magnitude::Magnitude;
use super::zeros::Zeros;
use crate::mp;

/// An approximation of one column of `Y`.
pub(super) struct Column {
    /// Which.
    pub(super) index: usize,
    pub(super) values: mp::Matrix,
    /// Bounds of the errors of its entries; infinite at first.
    pub(super) errors: Vec<Magnitude>,
    /// The largest relative error, by the target's measure.
    pub(super) worst: Magnitude,
    /// What proves entries to be zero, once it is needed, and those proved.
    pub(super) zeros: Option<Zeros>,
    pub(super) zero: Vec<bool>,
}
