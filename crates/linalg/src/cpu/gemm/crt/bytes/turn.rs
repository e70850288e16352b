//! Residues of columns from those of rows.

use super::super::layout::{LINES, Side};
use super::channel::Channel;
use super::combine::{Residues, balanced_digits, load, piece, put};
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
            return self.large();
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
    fn large(self) {
        let Self { channel, from, to } = self;
        let plane = from.len() / 3;
        let (m, highest) = (channel.modulus as i16, (channel.modulus as i16 - 1) / 2);
        for start in (0..plane).step_by(LINES) {
            let (low, high) = (piece(from, start), piece(&from[plane..], start));
            let mut digits = [[0; 4 * LINES]; 3];
            for i in 0..4 * LINES {
                // Between groups there are any bytes.
                let x = i16::from(low[i]).wrapping_add(i16::from(high[i]) << 7);
                let x = x.wrapping_sub(if x > highest { m } else { 0 });
                let [low, high] = balanced_digits(x).map(|digit| digit as u8);
                (digits[0][i], digits[1][i], digits[2][i]) = (low, high, low.wrapping_add(high));
            }
            for (p, digits) in digits.iter().enumerate() {
                put(digits, &mut to[p * plane + start..]);
            }
        }
    }
}
