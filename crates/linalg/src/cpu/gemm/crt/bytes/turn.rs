//! Residues of columns from those of rows.

use super::super::layout::{LINES, Side};
use super::channel::Channel;
use super::combine::{Residues, load};
use super::words::{Kernel, Words};

/// See [`Unit::turn`](super::super::unit::Unit::turn).
pub(super) struct Turn<'a> {
    pub(super) channel: &'a Channel,
    pub(super) from: &'a [u32],
    pub(super) to: &'a mut [u32],
}

impl Kernel for Turn<'_> {
    #[inline(always)]
    fn run<W: Words>(self) {
        let Self { channel, from, to } = self;
        if channel.is_large() {
            return to.copy_from_slice(from);
        }
        let residues = Residues::<W>::new(channel.modulus(), Side::Right);
        for (to, x) in to.chunks_exact_mut(LINES).zip(from.chunks_exact(LINES)) {
            residues.balanced(load(x)).store(to);
        }
    }
}
