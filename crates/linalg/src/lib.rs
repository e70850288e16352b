//! Linear algebra, generic over the precision.
//!
//! [`mp`] holds numbers whose precision is chosen at run time. [`dense`] holds matrices, views and
//! the algorithms on them; [`sparse`] holds sparse matrices and Matrix Market files, [`krylov`]
//! iterative methods. The kernels under the algorithms exist twice: [`mod@reference`] is the
//! textbook form on one thread, the truth that everything is tested against; [`cpu`] is the fast
//! form, SIMD and threads. [`backend`] is what the algorithms ask of either. [`threads`] shares
//! work among threads.

pub mod accumulate;
#[cfg(not(test))]
mod algorithms;
pub mod backend;
pub mod certified;
mod checks;
pub mod cpu;
pub mod dense;
mod error;
mod expansion;
pub mod krylov;
pub mod mp;
mod number;
mod numbers;
mod operation;
pub mod reference;
mod scalar;
mod size;
pub mod sparse;
pub mod threads;
mod token;
pub mod tridiag;

pub use cpu::limbs::{limbs_of, limbs_of_mut};
pub use dense::{MatMut, MatRef, Matrix};
pub use error::{DeviceFailure, Error};
pub use nonius_num::{Element, Plain};
pub use number::Number;
pub use numbers::{Numbers, Slice, SliceMut};
pub use operation::{BinaryOp, Operations, TernaryOp, UnaryOp};
pub use scalar::{Pack, Scalar, Single};
pub use size::Size;
pub use token::Token;
