//! Numbers of matrices that travel.

use nonius_linalg::Number;

use crate::Packed;

/// Numbers of matrices that travel between ranks.
pub trait Cargo: Number + Packed {}

impl<T: Number + Packed> Cargo for T {}
