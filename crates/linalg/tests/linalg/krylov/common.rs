//! Systems for tests.

use nonius_linalg::mp::{Bits, Mp, Numbers};

pub(crate) use nonius_testkit::krylov::{diagonal, laplacian, matrix, right_side};

/// The same numbers in so many bits.
pub(crate) fn to_mp(bits: Bits, x: &[f64]) -> Numbers {
    let mut to = Numbers::zeros(bits, x.len());
    x.iter().enumerate().for_each(|(i, &x)| to.put(i, Mp::from_f64(bits, x).view()));
    to
}
