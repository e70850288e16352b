//! Batches of tridiagonal systems.

mod failures;
mod methods;
mod periodic;
mod pivoting;
mod random;

use nonius_num::mp::Bits;

/// The precision of `count` bits.
fn bits(count: u32) -> Bits {
    Bits::new(count).expect("a precision")
}
