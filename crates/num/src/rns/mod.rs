//! Residue number systems: integers as their remainders modulo pairwise coprime numbers.
//!
//! An integer below half of the product `M` of the moduli in magnitude is determined by its
//! residues (Chinese remainder theorem), and sums and products of integers are those of their
//! residues, modulus by modulus. So a product of matrices of long integers becomes one product of
//! matrices of short ones for each modulus: [`Moduli`] are chosen for the unit that multiplies,
//! [`FixedPoint`] makes integers of sums of limbs, [`Residues`] residues of integers, and [`Crt`]
//! makes integers of residues again, and sums of limbs of integers.
//!
//! Every step is exact but the first, which rounds, and the very last: what comes out depends on
//! the integers alone, not on the moduli, nor on the order of anything.
//!
//! [`float`] has floating-point numbers with significands in residues, with moduli and tables of
//! its own.
//!
//! Source: Ozaki, Uchino, Imamura, *Ozaki scheme II: a GEMM-oriented emulation of floating-point
//! matrix multiplication using an integer modular technique* (2025); Garner, *The residue number
//! system* (1959).

mod crt;
mod fixed_point;
pub mod float;
mod moduli;
mod residues;

pub use crt::Crt;
pub use fixed_point::FixedPoint;
pub use float::RnsFloat;
pub use moduli::{Moduli, ModuliError};
pub use residues::{DIGIT, Residues, Sign, remainder};
