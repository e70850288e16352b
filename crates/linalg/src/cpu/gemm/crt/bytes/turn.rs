//! Residues of columns from those of rows.

use super::super::layout::{LINES, Side};
use super::channel::Channel;
use super::combine::{Residues, TwoDigits, load, pair};
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
        if self.channel.large {
            return self.large::<W>();
        }
        let Self { channel, from, to } = self;
        let residues = Residues::<W>::new(channel.modulus, Side::Right);
        for (to, x) in to.chunks_exact_mut(LINES).zip(from.chunks_exact(LINES)) {
            residues.balanced(load(x)).store(to);
        }
    }
}

impl Turn<'_> {
    /// Three planes: two digits and their sum.
    #[inline(always)]
    fn large<W: Words>(self) {
        let Self { channel, from, to } = self;
        let residues = TwoDigits::<W>::new(channel.modulus, Side::Right);
        let plane = from.len() / 3;
        for start in (0..plane).step_by(LINES) {
            let planes = residues.planes(pair([from, &from[plane..]], start));
            for (p, plane_of) in planes.into_iter().enumerate() {
                plane_of.store(&mut to[p * plane + start..]);
            }
        }
    }
}
