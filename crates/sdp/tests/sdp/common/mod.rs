//! What tests share.

pub(crate) mod example;
pub(crate) mod known;
pub(crate) mod tolerance;

use nonius_sdp::Parameters;

/// Numbers from a fixed sequence (xorshift, G. Marsaglia, 2003).
pub(crate) struct Sequence(pub(crate) u64);

impl Sequence {
    /// An integer from `−most` to `most`.
    pub(crate) fn next(&mut self, most: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as i64 % (2 * most + 1) - most
    }
}

/// What asks for such a gap and such infeasibilities.
pub(crate) fn within(tolerance: f64) -> Parameters {
    Parameters { gap: tolerance, feasibility: tolerance, ..Parameters::default() }
}
