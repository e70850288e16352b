//! The unit and its moduli.

use nonius_num::Lane;
use nonius_num::rns::{self, Crt, remainder};

/// Fused multiply-adds of `f64`. All residues are balanced, up to a rounding of a quotient.
pub(in super::super) struct Floats {
    pub(super) crt: Crt,
    /// Words and digits of an integer.
    pub(super) words: usize,
    pub(super) digits: usize,
    pub(super) channels: Vec<Channel>,
}

/// One modulus.
pub(super) struct Channel {
    pub(super) modulus: f64,
    pub(super) reciprocal: f64,
    /// What residues of a product are multiplied by before they are put together.
    pub(super) factor: f64,
    pub(super) residues: rns::Residues,
}

impl Channel {
    #[inline(always)]
    pub(super) fn reduce<L: Lane>(&self, x: L) -> L {
        remainder(x, self.modulus, self.reciprocal)
    }
}
