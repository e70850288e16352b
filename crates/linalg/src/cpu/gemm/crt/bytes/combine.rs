//! Sums and differences of residues.

use super::super::block::{Block, Place, Term};
use super::super::layout::{LINES, Operation, Side};
use super::channel::{Channel, halves};
use super::words::{Kernel, Words};

/// See [`Unit::combine`](super::super::unit::Unit::combine).
pub(super) struct Combine<'a> {
    pub(super) channel: &'a Channel,
    pub(super) side: Side,
    pub(super) x: Block<'a, u32>,
    pub(super) operation: Operation,
    pub(super) y: Block<'a, u32>,
    pub(super) to: &'a mut [u32],
}

/// See [`Unit::combine_in_place`](super::super::unit::Unit::combine_in_place).
pub(super) struct InPlace<'a> {
    pub(super) channel: &'a Channel,
    pub(super) side: Side,
    pub(super) x: &'a mut [u32],
    pub(super) reverse: bool,
    pub(super) y: Block<'a, u32>,
}

impl Kernel for Combine<'_> {
    #[inline(always)]
    fn run<W: Words>(self) {
        if self.channel.is_large() {
            return self.large::<W>();
        }
        let Self { channel, side, x, operation, y, to } = self;
        let residues = Residues::<W>::new(channel.modulus(), side);
        for (g, to) in to.chunks_exact_mut(x.depth * LINES).enumerate() {
            let from = x.line(g, 0).chunks_exact(LINES).zip(y.line(g, 0).chunks_exact(LINES));
            for (to, (x, y)) in to.chunks_exact_mut(LINES).zip(from) {
                let y = match operation {
                    Operation::Add => residues.negated(load(y)),
                    Operation::Subtract => load(y),
                };
                residues.difference(load(x), y).store(to);
            }
        }
    }
}

#[inline(always)]
pub(super) fn load<W: Words>(from: &[u32]) -> W {
    assert!(from.len() >= LINES);
    // SAFETY: the slice holds as many words.
    #[allow(unsafe_code)]
    unsafe {
        W::load(from.as_ptr())
    }
}

/// Residues of one byte.
pub(super) struct Residues<W> {
    side: Side,
    modulus: W,
    /// What makes balanced residues those from 0 to `m − 1` of numbers that are as much larger.
    half: W,
    highest: W,
}

impl<W: Words> Residues<W> {
    #[inline(always)]
    pub(super) fn new(modulus: i32, side: Side) -> Self {
        let splat = |x: i32| W::splat(i32::from_le_bytes([x as u8; 4]));
        Self {
            side,
            modulus: splat(modulus),
            half: splat(modulus / 2),
            highest: splat((modulus - 1) / 2),
        }
    }

    /// A row's residue as a column's.
    #[inline(always)]
    pub(super) fn balanced(&self, x: W) -> W {
        x.sub_bytes_above(self.highest, self.modulus)
    }

    /// `−x`, which for a row's residues is from 1 to `m`.
    #[inline(always)]
    fn negated(&self, x: W) -> W {
        let zero = match self.side {
            Side::Left => self.modulus,
            Side::Right => W::splat(0),
        };
        // Nothing is borrowed, and nothing is added.
        zero.sub_bytes_modulo(x, W::splat(0))
    }

    #[inline(always)]
    fn difference(&self, x: W, y: W) -> W {
        match self.side {
            Side::Left => x.sub_bytes_modulo(y, self.modulus),
            Side::Right => {
                let (x, y) = (x.add_bytes(self.half), y.add_bytes(self.half));
                self.balanced(x.sub_bytes_modulo(y, self.modulus))
            }
        }
    }
}

/// Residues of 16 bits, the same on both sides: up to `m/2·(1 + 2^-7)` in magnitude, and sums up to
/// `(m − 1)/2`.
struct WideResidues<W> {
    modulus: W,
    highest: W,
}

impl<W: Words> WideResidues<W> {
    #[inline(always)]
    fn new(modulus: i32) -> Self {
        let splat = |x: i32| W::splat(halves(x, x));
        Self { modulus: splat(modulus), highest: splat((modulus - 1) / 2) }
    }

    #[inline(always)]
    fn sum(&self, x: W, y: W) -> W {
        x.add_halves(y).balance_halves(self.highest, self.modulus)
    }

    #[inline(always)]
    fn difference(&self, x: W, y: W) -> W {
        x.sub_halves(y).balance_halves(self.highest, self.modulus)
    }
}

impl Combine<'_> {
    /// For residues of 16 bits.
    #[inline(always)]
    fn large<W: Words>(self) {
        let Self { channel, x, operation, y, to, .. } = self;
        let residues = WideResidues::<W>::new(channel.modulus());
        for (line, to) in to.chunks_exact_mut(x.depth * LINES).enumerate() {
            let from = [x, y].map(|block| block.line(line / 2, line % 2).chunks_exact(LINES));
            let [x, y] = from;
            for (to, (x, y)) in to.chunks_exact_mut(LINES).zip(x.zip(y)) {
                let (x, y) = (load(x), load(y));
                match operation {
                    Operation::Add => residues.sum(x, y).store(to),
                    Operation::Subtract => residues.difference(x, y).store(to),
                }
            }
        }
    }
}

impl Kernel for InPlace<'_> {
    #[inline(always)]
    fn run<W: Words>(self) {
        if self.channel.is_large() {
            return self.large::<W>();
        }
        let Self { channel, side, x, reverse, y } = self;
        let residues = Residues::<W>::new(channel.modulus(), side);
        for (g, x) in x.chunks_exact_mut(y.depth * LINES).enumerate() {
            for (x, y) in x.chunks_exact_mut(LINES).zip(y.line(g, 0).chunks_exact(LINES)) {
                let (old, other) = (load(x), load(y));
                let (from, off) = if reverse { (other, old) } else { (old, other) };
                residues.difference(from, off).store(x);
            }
        }
    }
}

impl InPlace<'_> {
    /// For residues of 16 bits.
    #[inline(always)]
    fn large<W: Words>(self) {
        let Self { channel, x, reverse, y, .. } = self;
        let residues = WideResidues::<W>::new(channel.modulus());
        for (line, x) in x.chunks_exact_mut(y.depth * LINES).enumerate() {
            let y = y.line(line / 2, line % 2).chunks_exact(LINES);
            for (x, y) in x.chunks_exact_mut(LINES).zip(y) {
                let (old, other) = (load(x), load(y));
                let (from, off) = if reverse { (other, old) } else { (old, other) };
                residues.difference(from, off).store(x);
            }
        }
    }
}

/// See [`Unit::add`](super::super::unit::Unit::add).
pub(super) struct Add<'a> {
    pub(super) channel: &'a Channel,
    pub(super) x: Option<Term<'a, i8>>,
    pub(super) y: Term<'a, i8>,
    pub(super) c: &'a mut [i8],
    pub(super) place: Place,
}

impl Kernel for Add<'_> {
    #[inline(always)]
    fn run<W: Words>(self) {
        let Self { channel, x, y, c, place } = self;
        for j in 0..place.columns {
            let c = &mut c[place.at(0, j)..];
            // A column stays in the first-level cache from the copy to the sum.
            if let Some(x) = x {
                let from = &x.residues[x.place.at(0, j)..];
                for p in 0..channel.planes.len() {
                    c[p * place.plane..][..place.rows]
                        .copy_from_slice(&from[p * x.place.plane..][..place.rows]);
                }
            }
            let from = &y.residues[y.place.at(0, j)..];
            if channel.is_large() {
                let (low, high) = c.split_at_mut(place.plane);
                let (from_low, from_high) = from.split_at(y.place.plane);
                let rows = 0..place.rows;
                let (low, high) = (&mut low[rows.clone()], &mut high[rows.clone()]);
                add_halves(
                    channel.modulus(),
                    [low, high],
                    [&from_low[rows.clone()], &from_high[rows]],
                );
            } else {
                add_bytes::<W>(channel.modulus(), &mut c[..place.rows], &from[..place.rows]);
            }
        }
    }
}

/// `c ← c + y` for residues of one byte.
#[inline(always)]
fn add_bytes<W: Words>(modulus: i32, c: &mut [i8], y: &[i8]) {
    let residues = Residues::<W>::new(modulus, Side::Right);
    let (c, c_rest) = c.as_chunks_mut::<{ 4 * LINES }>();
    let (y, y_rest) = y.as_chunks::<{ 4 * LINES }>();
    for (c, y) in c.iter_mut().zip(y) {
        let negated = residues.negated(W::load_chunk(y));
        residues.difference(W::load_chunk(c), negated).store_chunk(c);
    }
    for (c, &y) in c_rest.iter_mut().zip(y_rest) {
        *c = balanced_sum(i16::from(*c) + i16::from(y), modulus as i16) as i8;
    }
}

/// `c ← c + y` for residues of 16 bits, lower and higher bytes.
#[inline(always)]
fn add_halves(modulus: i32, [low, high]: [&mut [i8]; 2], [y_low, y_high]: [&[i8]; 2]) {
    let c = low.iter_mut().zip(high);
    for ((low, high), (&y_low, &y_high)) in c.zip(y_low.iter().zip(y_high)) {
        // Residues are up to `m/2·(1 + 2^-7)`: a sum is below 2^15.
        let value = |low: i8, high: i8| i16::from(low) + (i16::from(high) << 8);
        let sum = balanced_sum(value(*low, *high) + value(y_low, y_high), modulus as i16);
        *low = sum as i8;
        *high = ((sum + 128) >> 8) as i8;
    }
}

/// A sum of two balanced residues, balanced.
#[inline(always)]
fn balanced_sum(x: i16, m: i16) -> i16 {
    if x > (m - 1) / 2 {
        x - m
    } else if x < -(m / 2) {
        x + m
    } else {
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Register = [i32; 16];

    #[test]
    fn sums_of_halves_are_balanced_residues() {
        for m in [257, 1021, 5743, 16_253] {
            let residues = WideResidues::<Register>::new(m);
            let (half, more) = ((m - 1) / 2, m / 256);
            let ends = [0, 1, half - 1, half, half + more];
            for x in ends.into_iter().flat_map(|x| [x, -x]) {
                for y in ends.into_iter().flat_map(|y| [y, -y]) {
                    let [a, b] = [x, y].map(|x| Register::splat(halves(x, -x)));
                    let expected = |z: i32| {
                        let z = (z + half).rem_euclid(m) - half;
                        [halves(z, -z); 16]
                    };
                    assert_eq!(residues.sum(a, b), expected(x + y), "{m}: {x} + {y}");
                    assert_eq!(residues.difference(a, b), expected(x - y), "{m}: {x} − {y}");
                }
            }
        }
    }
}
