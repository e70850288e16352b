//! Sparse matrices: triplets ([`Coo`]), compressed rows ([`Csr`]), ELLPACK ([`Ell`]), jagged
//! diagonals ([`Jad`]), diagonals ([`Dia`]), all entries ([`Full`]), products of these with vectors
//! ([`spmv`]), and the Matrix Market text format that sparse and dense matrices are exchanged in.
//!
//! A format holds its entries as [`Numbers`](crate::Numbers) of any kind. They may have fewer bits
//! than the vectors that the matrix [is multiplied with](Multiplies): `f64` with limbs; 64 bits,
//! which hold an `f64`, with `mp` numbers. The formats differ in where entries lie. A row's terms
//! are summed by ascending columns in all of them.
//!
//! ```
//! use nonius_linalg::sparse::{Coo, Csr, Triplet, spmv};
//! use nonius_num::Qd;
//!
//! let t = |row, col, value| Triplet { row, col, value };
//! let a = Coo::new(2, 3, vec![t(0, 0, 1.0), t(1, 2, 2.0), t(0, 2, 3.0)]).unwrap();
//! let a = Csr::<f64>::from_coo(a)?;
//! // The matrix has entries in `f64`, the vectors are quad-double.
//! let (x, mut y) = ([Qd::PI; 3], [Qd::ZERO; 2]);
//! spmv(&a, &x, &mut y)?;
//! assert!((y[0] - 4.0 * Qd::PI).abs().to_f64() < 1e-60);
//! assert_eq!(y[1], Qd::TAU);
//! # Ok::<(), nonius_linalg::Error>(())
//! ```

pub mod cholesky;
mod coo;
mod csr;
mod dia;
mod ell;
mod full;
mod jad;
mod layout;
pub mod matrix_market;
mod multiply;

pub use crate::cpu::spmv::{Multiplies, Triangle};
pub use coo::{Coo, Triplet};
pub use csr::Csr;
pub use dia::Dia;
pub use ell::Ell;
pub use full::Full;
pub use jad::Jad;
pub use layout::{Layout, Pattern, Run, Terms};
pub use multiply::spmv;
