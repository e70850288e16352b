//! Systems for tests.

use nonius_linalg::mp::{Bits, Numbers};

pub(crate) use nonius_testkit::krylov::{diagonal, laplacian, matrix, numbers, right_side};

/// The same numbers in so many bits.
pub(crate) fn to_mp(bits: Bits, x: &[f64]) -> Numbers {
    numbers(bits, x)
}
