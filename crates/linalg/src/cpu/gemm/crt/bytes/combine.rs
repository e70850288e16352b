//! Sums and differences of residues.

use super::super::block::{Block, Place};
use super::super::layout::{LINES, Operation, Side};
use super::channel::Channel;
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
        if self.channel.large {
            return self.large::<W>();
        }
        let Self { channel, side, x, operation, y, to } = self;
        let residues = Residues::<W>::new(channel.modulus, side);
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

/// Residues of two digits to base 128.
///
/// Digits of a sum are brought between 0 and 127 from the lower one up: the highest bit of a byte
/// tells what goes to the next digit, and the highest one of that digit tells a negative number.
pub(super) struct TwoDigits<W> {
    side: Side,
    modulus: [W; 2],
    highest: [W; 2],
    seven_bits: W,
    half: W,
}

impl<W: Words> TwoDigits<W> {
    #[inline(always)]
    pub(super) fn new(modulus: i32, side: Side) -> Self {
        let splat = |x: i32| W::splat(i32::from_le_bytes([x as u8; 4]));
        let highest = (modulus - 1) / 2;
        Self {
            side,
            modulus: [splat(modulus & 127), splat(modulus >> 7)],
            highest: [splat(highest & 127), splat(highest >> 7)],
            seven_bits: splat(127),
            half: splat(64),
        }
    }

    /// Digits of which the lower one is from 0 to 127, for any two whose higher one has room for a
    /// borrow.
    #[inline(always)]
    fn carried(&self, [low, high]: [W; 2]) -> [W; 2] {
        [low.and(self.seven_bits), high.add_bytes(low.negative_bytes())]
    }

    /// `x + m` where that is negative.
    #[inline(always)]
    fn made_positive(&self, [low, high]: [W; 2]) -> [W; 2] {
        let negative = high.negative_bytes();
        let low = low.add_bytes(self.modulus[0].and(negative));
        let high = high.add_bytes(self.modulus[1].and(negative));
        // From 0 to 254: here the highest bit is worth 128.
        [low.and(self.seven_bits), high.sub_bytes(low.negative_bytes())]
    }

    /// The planes of a row's residue, which has been brought from 0 to `m − 1`, on this side.
    #[inline(always)]
    pub(super) fn planes(&self, x: [W; 2]) -> [W; 3] {
        let [low, high] = match self.side {
            Side::Left => x,
            Side::Right => {
                let [low, high] = self.highest;
                let rest = [low.sub_bytes(x[0]), high.sub_bytes(x[1])];
                let above = self.carried(rest)[1].negative_bytes();
                let [low, high] = self.carried([
                    x[0].sub_bytes(self.modulus[0].and(above)),
                    x[1].sub_bytes(self.modulus[1].and(above)),
                ]);
                let more = low.add_bytes(self.half);
                let high = high.sub_bytes(more.negative_bytes());
                [more.and(self.seven_bits).sub_bytes(self.half), high]
            }
        };
        [low, high, low.add_bytes(high)]
    }

    #[inline(always)]
    fn difference(&self, x: [W; 2], y: [W; 2]) -> [W; 3] {
        let digits = self.carried([x[0].sub_bytes(y[0]), x[1].sub_bytes(y[1])]);
        self.planes(self.made_positive(digits))
    }

    /// `−x`, of which `difference` takes the digits: for a row's residues up to `m`.
    #[inline(always)]
    fn negated(&self, [low, high]: [W; 2]) -> [W; 2] {
        match self.side {
            Side::Left => {
                let [m_low, m_high] = self.modulus;
                self.carried([m_low.sub_bytes(low), m_high.sub_bytes(high)])
            }
            Side::Right => {
                let zero = W::splat(0);
                [zero.sub_bytes(low), zero.sub_bytes(high)]
            }
        }
    }
}

impl Combine<'_> {
    /// For residues of two digits.
    #[inline(always)]
    fn large<W: Words>(self) {
        let Self { channel, side, x, operation, y, to } = self;
        let residues = TwoDigits::<W>::new(channel.modulus, side);
        let plane = x.depth * LINES;
        for (g, to) in to.chunks_exact_mut(3 * plane).enumerate() {
            let (lines_x, lines_y) = (digits(x, g), digits(y, g));
            for start in (0..plane).step_by(LINES) {
                let y = pair(lines_y, start);
                let y = match operation {
                    Operation::Add => residues.negated(y),
                    Operation::Subtract => y,
                };
                let planes = residues.difference(pair(lines_x, start), y);
                for (p, plane_of) in planes.into_iter().enumerate() {
                    plane_of.store(&mut to[p * plane + start..]);
                }
            }
        }
    }
}

/// The planes of the digits of a group.
#[inline(always)]
fn digits(block: Block<'_, u32>, group: usize) -> [&[u32]; 2] {
    [block.line(group, 0), block.line(group, 1)]
}

/// Digits at a place of their planes.
#[inline(always)]
pub(super) fn pair<W: Words>([low, high]: [&[u32]; 2], start: usize) -> [W; 2] {
    [load(&low[start..]), load(&high[start..])]
}

impl Kernel for InPlace<'_> {
    #[inline(always)]
    fn run<W: Words>(self) {
        if self.channel.large {
            return self.large::<W>();
        }
        let Self { channel, side, x, reverse, y } = self;
        let residues = Residues::<W>::new(channel.modulus, side);
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
    /// For residues of two digits.
    #[inline(always)]
    fn large<W: Words>(self) {
        let Self { channel, side, x, reverse, y } = self;
        let residues = TwoDigits::<W>::new(channel.modulus, side);
        let plane = y.depth * LINES;
        for (g, x) in x.chunks_exact_mut(3 * plane).enumerate() {
            let lines_y = digits(y, g);
            for start in (0..plane).step_by(LINES) {
                let old = pair([&x[..plane], &x[plane..]], start);
                let other = pair(lines_y, start);
                let (from, off) = if reverse { (other, old) } else { (old, other) };
                for (p, plane_of) in residues.difference(from, off).into_iter().enumerate() {
                    plane_of.store(&mut x[p * plane + start..]);
                }
            }
        }
    }
}

/// See [`Unit::accumulate`](super::super::unit::Unit::accumulate).
pub(super) struct Accumulate<'a> {
    pub(super) channel: &'a Channel,
    pub(super) x: &'a [i8],
    pub(super) c: &'a mut [i8],
    pub(super) place: Place,
    pub(super) add: bool,
}

impl Kernel for Accumulate<'_> {
    #[inline(always)]
    fn run<W: Words>(self) {
        let Self { channel, x, c, place, add } = self;
        let (rows, plane) = (place.rows, place.rows * place.columns);
        let m = channel.modulus as i16;
        for j in 0..place.columns {
            let c = &mut c[place.start + j * place.column..];
            let x = &x[j * rows..];
            if !add {
                for p in 0..channel.product_planes.len() {
                    c[p * place.plane..][..rows].copy_from_slice(&x[p * plane..][..rows]);
                }
            } else if channel.large {
                let (low, high) = c.split_at_mut(place.plane);
                let from = x[..rows].iter().zip(&x[plane..][..rows]);
                for ((low, high), (&x_low, &x_high)) in
                    low[..rows].iter_mut().zip(&mut high[..rows]).zip(from)
                {
                    // Residues are up to `m/2` and a 64th of `m`: a sum is below 2^15.
                    let value = |low: i8, high: i8| i16::from(low) + (i16::from(high) << 8);
                    let sum = balanced_sum(value(*low, *high) + value(x_low, x_high), m);
                    *low = sum as i8;
                    *high = ((sum + 128) >> 8) as i8;
                }
            } else {
                let residues = Residues::<W>::new(channel.modulus, Side::Right);
                let (c, c_rest) = c[..rows].as_chunks_mut::<{ 4 * LINES }>();
                let (x, x_rest) = x[..rows].as_chunks::<{ 4 * LINES }>();
                for (c, x) in c.iter_mut().zip(x) {
                    let negated = residues.negated(W::load_chunk(x));
                    residues.difference(W::load_chunk(c), negated).store_chunk(c);
                }
                for (c, &x) in c_rest.iter_mut().zip(x_rest) {
                    *c = balanced_sum(i16::from(*c) + i16::from(x), m) as i8;
                }
            }
        }
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

    /// The planes of a residue of two digits.
    fn planes(x: i32, side: Side) -> [u8; 3] {
        let low = match side {
            Side::Left => x & 127,
            Side::Right => ((x + 64) & 127) - 64,
        };
        let high = (x - low) >> 7;
        [low as u8, high as u8, (low + high) as u8]
    }

    fn splat(digits: [u8; 3]) -> [Register; 2] {
        [digits[0], digits[1]].map(|byte| Register::splat(i32::from_le_bytes([byte; 4])))
    }

    fn bytes(planes: [Register; 3]) -> [u8; 3] {
        planes.map(|words| words[15].to_le_bytes()[3])
    }

    #[test]
    fn two_digits_are_those_of_the_residue() {
        for m in [257, 1021, 8191, 16_253] {
            let steps =
                [0, 1, 63, 64, 65, 127, 128, 129, m / 2 - 1, m / 2, m / 2 + 1, m - 2, m - 1];
            for side in [Side::Left, Side::Right] {
                let residues = TwoDigits::<Register>::new(m, side);
                let least = if side == Side::Left { 0 } else { -(m / 2) };
                let expected = |x: i32| planes((x - least).rem_euclid(m) + least, side);
                for x in steps {
                    let row = splat(planes(x, Side::Left));
                    assert_eq!(bytes(residues.planes(row)), expected(x), "{side:?} {m} {x}");
                }
                for x in steps.map(|x| least + x) {
                    for y in steps.map(|y| least + y) {
                        let [a, b] = [x, y].map(|x| splat(planes(x, side)));
                        let difference = bytes(residues.difference(a, b));
                        assert_eq!(difference, expected(x - y), "{side:?} {m} {x} − {y}");
                        let sum = bytes(residues.difference(a, residues.negated(b)));
                        assert_eq!(sum, expected(x + y), "{side:?} {m} {x} + {y}");
                    }
                }
            }
        }
    }
}
