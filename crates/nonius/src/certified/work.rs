//! Proofs on a device.

use nonius_linalg::Error;
use nonius_linalg::certified::{Failure, Refusal};

use crate::device::Place;

/// What came of a proof, unless a device failed.
pub(super) fn or_refused<R>(found: Result<R, Refusal>) -> Result<Result<R, Refusal>, Error> {
    match found {
        Err(Refusal { failure: Failure::Input(error @ Error::Device(_)), .. }) => Err(error),
        other => Ok(other),
    }
}

/// What was proved, and where.
pub(super) fn proved<R>(
    found: Result<(Result<R, Refusal>, Place), Error>,
) -> Result<(R, Place), Refusal> {
    match found {
        Ok((found, place)) => found.map(|found| (found, place)),
        Err(error) => Err(Failure::Input(error).into()),
    }
}

/// Methods that builders of proofs share.
macro_rules! proof_setters {
    () => {
        /// Whether digits count in each entry, as by default, or beside the largest entry of each
        /// column.
        pub fn digits_in(mut self, digits_in: nonius_linalg::certified::DigitsIn) -> Self {
            self.options.digits_in = digits_in;
            self
        }

        /// The most bits on the way, 4096 by default.
        pub fn most_bits(mut self, most_bits: nonius_num::mp::Bits) -> Self {
            self.options.most_bits = most_bits;
            self
        }
    };
}

pub(super) use proof_setters;
