//! Linear systems solved to a number of digits that is proved.
//!
//! [`solve`] finds every entry of `X` in `A·X = B` with `D` correct decimal digits, or says why it cannot. It factors in `f64`, refines with residuals of
//! as many bits as it takes, and turns to a better approximate inverse only where that does not do:
//!
//! 1. `A` and `B` are [`Data`]: numbers of any bits, and how far they may be from those given. Rows and columns are scaled by powers of two.
//! 2. An approximate inverse `R` comes from LU factors in `f64`. The certificate bounds `I − R·A`, rounding included. If it stays below 1, `A` is
//!    proved nonsingular.
//! 3. `Y ← Y + R·(B − A·Y)` until the bound of the error of `Y` is small enough. Bits grow with need.
//! 4. Where the certificate fails or refinement stagnates, `R` becomes a better inverse with more bits, by products of matrices and one more
//!    factorisation in `f64`.
//!
//! **Bound.** The theorem, with its source, and the model of rounding stand in the module `certificate`, the error of residuals in
//! `residual`. Bounds are computed as magnitudes that never round down and never leave their range. What [`Solution`] promises of the numbers it holds
//! covers rounding them to decimal text.
//!
//! **Preconditions.** The backend's products of `f64` matrices are sums of products in `f64`, in any order: those of the direct engine.

mod candidate;
mod certificate;
mod condition;
mod data;
mod inverse;
mod magnitude;
mod modular;
mod outcome;
mod refine;
mod residual;
mod solve;
mod system;
mod target;
mod zeros;

pub use data::{Data, Datum, Reading};
pub use magnitude::Magnitude;
pub use outcome::{Event, Failure, Open, Refusal, Solution, Stage};
pub use solve::{Options, solve};
pub use target::{DigitsIn, MOST_DIGITS};

use nonius_num::Real;
use nonius_num::mp::Bits;

use crate::backend::Dense;
use crate::dense::Transpose;
use crate::{Error, Matrix};

/// The relative error of a sum of `n` products in `f64`, a few roundings more included.
fn sum_error(n: usize) -> f64 {
    1.01 * (n as f64 + 4.0) * f64::UNIT_ROUNDOFF
}

/// `A·B`.
fn multiply_f64<B: Dense<f64>>(
    backend: &B,
    a: &Matrix<f64>,
    b: &Matrix<f64>,
) -> Result<Matrix<f64>, Error> {
    backend.check_products()?;
    let mut c = backend.upload(Matrix::try_zeros(a.rows(), b.cols())?.view());
    let (left, right) = (backend.upload(a.view()), backend.upload(b.view()));
    let (left, right, to) = (backend.view(&left), backend.view(&right), backend.view_mut(&mut c));
    backend.gemm(Transpose::No, Transpose::No, 1.0, left, right, 0.0, to);
    backend.download(backend.view(&c))
}

/// The least precision.
const fn least_bits() -> Bits {
    match Bits::new(Bits::LEAST) {
        Ok(bits) => bits,
        Err(_) => panic!("the lowest precision is one"),
    }
}
