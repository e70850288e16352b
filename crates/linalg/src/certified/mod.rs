//! Linear systems solved, and determinants found, to a number of digits that is proved.
//!
//! [`solve`] finds every entry of `X` in `A·X = B` with `D` correct decimal digits, or says why it
//! cannot. It factors in `f64`, refines with residuals of as many bits as it takes, and turns to a
//! better approximate inverse only where that does not do:
//!
//! 1. `A` and `B` are [`Data`]: numbers of any bits, and how far they may be from those given. Rows
//!    and columns are scaled by powers of two.
//! 2. An approximate inverse `R` comes from LU factors in `f64`. The certificate bounds `I − R·A`,
//!    rounding included. If it stays below 1, `A` is proved nonsingular.
//! 3. `Y ← Y + R·(B − A·Y)` until the bound of the error of `Y` is small enough. Bits grow with
//!    need.
//! 4. Where the certificate fails or refinement stagnates, `R` becomes a better inverse with more
//!    bits, by products of matrices and one more factorisation in `f64`.
//!
//! Symmetric positive definite systems with few right-hand sides take Cholesky factors in `f64`
//! instead, which prove a bound of the least eigenvalue, as long as the condition is below about
//! `10^10`. Triangular systems are solved by substitution, unless right-hand sides are many, or the
//! bounds of their errors grow beyond the bits that may be taken.
//!
//! [`determinant`] finds the determinant so: factors in `f64` and products of matrices of as many
//! bits as that takes bring the matrix next to the identity, or LU factors of as many bits do.
//!
//! **Bound.** The theorem, with its source, and the model of rounding stand in the module
//! `certificate`, the error of residuals in `residual`. Bounds are computed as magnitudes that
//! never round down and never leave their range. What [`Solution`] promises of the numbers it holds
//! covers rounding them to decimal text.
//!
//! **Preconditions.** The backend's products of `f64` matrices keep the bound of sums of products
//! in `f64`, in any order: all do whose [accuracy](crate::dense::gemm::Accuracy) is that of
//! entries.
//!
//! ```
//! use nonius_linalg::Matrix;
//! use nonius_linalg::backend::Cpu;
//! use nonius_linalg::certified::{Data, DigitsIn, Options, solve};
//! use nonius_num::mp::Bits;
//!
//! // 3·x + 2·y = 1, x + y = 1 with the solution (−1, 2), and its digits are asked for.
//! let a = Data::from_matrix(Matrix::from_fn(2, 2, |i, j| [[3.0, 2.0], [1.0, 1.0]][i][j]).view());
//! let b = Data::from_matrix(Matrix::from_fn(2, 1, |_, _| 1.0).view());
//! let options = Options { digits: 50, digits_in: DigitsIn::Entry, most_bits: Bits::new(4096)? };
//! let solution = solve(&Cpu::default(), &a, &b, options, &mut |_| {})?;
//! assert_eq!(solution.x.at(1, 0).to_f64(), 2.0);
//! assert!(solution.digits.is_none_or(|digits| digits >= 50)); // none: it is exact
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod block;
mod candidate;
mod certificate;
mod column;
mod condition;
mod data;
mod datum;
mod definite;
mod determinant;
mod factors;
mod host;
mod inverse;
mod judged;
mod list;
mod machine;
mod magnitude;
mod modular;
mod outcome;
mod prover;
mod rank;
mod refine;
mod residual;
mod solve;
mod system;
mod target;
mod triangle;
mod unknowns;
mod zeros;

pub use data::{Data, Reading};
pub use datum::Datum;
pub use determinant::{Determinant, determinant};
pub use judged::{Bounds, Judged};
pub use list::DatumList;
pub use machine::{
    Correction, Held, HostRows, Machine, Triangles, inverse_by_factors, triangles_by_factors,
};
pub use magnitude::Magnitude;
pub use outcome::{By, Event, Failure, Open, Refusal, Solution, Stage};
pub use prover::Prover;
pub use rank::NumericalRank;
pub use solve::{Options, solve};
pub use system::FLUSHED;
pub use target::{DigitsIn, MOST_DIGITS};

use nonius_num::Fixed;
use nonius_num::mp::Bits;

/// The relative error of a sum of `n` products in `f64`, a few roundings more included.
fn sum_error(n: usize) -> f64 {
    1.01 * (n as f64 + 4.0) * f64::UNIT_ROUNDOFF
}

/// What a product `R·r` of that many terms in `f64` errs, in units of the sum of magnitudes in a
/// row of `R`, where `r` was rounded from numbers below `2^e`.
fn rounding_f64(n: usize, e: i64) -> Magnitude {
    let roundings = sum_error(n) + 2.0 * f64::EPSILON;
    Magnitude::new(roundings, e).plus(Magnitude::power(e - 300))
}

/// The least precision.
const fn least_bits() -> Bits {
    match Bits::new(Bits::LEAST) {
        Ok(bits) => bits,
        Err(_) => panic!("the lowest precision is one"),
    }
}
