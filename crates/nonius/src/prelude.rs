//! What most programs need: `use nonius::prelude::*;`.
//!
//! The tasks are those of dense matrices. Those of other subjects have the name of their module:
//! `sparse::Solve`, `option::Prices`.

pub use crate::dense::{
    Determinant, Eigenvalues, Inverse, LeastSquares, Multiply, SingularValues, Solve, Transpose,
    Vectors,
};
pub use crate::num::mp::Bits;
pub use crate::num::{Decimal, Elementary, Fixed, Real, Ring};
pub use crate::{Dd, Device, Job, Matrix, Mp, Number, Precision, Qd, Td, matrix};
