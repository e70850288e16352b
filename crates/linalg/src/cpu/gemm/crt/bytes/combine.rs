//! Sums and differences of residues.
//!
//! Loops over bytes, which the compiler puts into registers.

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

/// Bytes that are computed together.
const PIECE_BYTES: usize = 64;

impl Kernel for Combine<'_> {
    #[inline(always)]
    fn run<W: Words>(self) {
        if self.channel.large {
            return self.planes::<3>();
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

impl Combine<'_> {
    #[inline(always)]
    fn planes<const P: usize>(self) {
        let Self { channel, side, x, operation, y, to } = self;
        let plane = x.depth * LINES;
        for (g, to) in to.chunks_exact_mut(P * plane).enumerate() {
            for start in (0..plane).step_by(PIECE_BYTES / 4) {
                let x = core::array::from_fn(|p| piece(x.line(g, p), start));
                let y = core::array::from_fn(|p| piece(y.line(g, p), start));
                let sum: [_; P] = pieces(channel.modulus, side, x, operation, y);
                for (p, piece) in sum.iter().enumerate() {
                    put(piece, &mut to[p * plane + start..]);
                }
            }
        }
    }
}

impl Kernel for InPlace<'_> {
    #[inline(always)]
    fn run<W: Words>(self) {
        if self.channel.large {
            return self.planes::<3>();
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
    #[inline(always)]
    fn planes<const P: usize>(self) {
        let Self { channel, side, x, reverse, y } = self;
        let plane = y.depth * LINES;
        for (g, x) in x.chunks_exact_mut(P * plane).enumerate() {
            for start in (0..plane).step_by(PIECE_BYTES / 4) {
                let old = core::array::from_fn(|p| piece(&x[p * plane..], start));
                let other = core::array::from_fn(|p| piece(y.line(g, p), start));
                let (from, off) = if reverse { (other, old) } else { (old, other) };
                let difference: [_; P] =
                    pieces(channel.modulus, side, from, Operation::Subtract, off);
                for (p, piece) in difference.iter().enumerate() {
                    put(piece, &mut x[p * plane + start..]);
                }
            }
        }
    }
}

#[inline(always)]
pub(super) fn piece(words: &[u32], start: usize) -> [u8; PIECE_BYTES] {
    let words = &words[start..start + PIECE_BYTES / 4];
    let mut bytes = [0; PIECE_BYTES];
    for (bytes, word) in bytes.chunks_exact_mut(4).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

#[inline(always)]
pub(super) fn put(bytes: &[u8; PIECE_BYTES], to: &mut [u32]) {
    for (to, bytes) in to[..PIECE_BYTES / 4].iter_mut().zip(bytes.chunks_exact(4)) {
        *to = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
}

/// The sum or difference of residues, each in one plane or in three: two digits and their sum.
#[inline(always)]
fn pieces<const P: usize>(
    modulus: i32,
    side: Side,
    x: [[u8; PIECE_BYTES]; P],
    operation: Operation,
    y: [[u8; PIECE_BYTES]; P],
) -> [[u8; PIECE_BYTES]; P] {
    match (side, operation) {
        (Side::Left, Operation::Add) => each(modulus, x, y, false, |x, y| x + y),
        (Side::Left, Operation::Subtract) => each(modulus, x, y, false, |x, y| x - y),
        (Side::Right, Operation::Add) => each(modulus, x, y, true, |x, y| x + y),
        (Side::Right, Operation::Subtract) => each(modulus, x, y, true, |x, y| x - y),
    }
}

#[inline(always)]
fn each<const P: usize>(
    modulus: i32,
    x: [[u8; PIECE_BYTES]; P],
    y: [[u8; PIECE_BYTES]; P],
    signed: bool,
    operation: impl Fn(i16, i16) -> i16,
) -> [[u8; PIECE_BYTES]; P] {
    let m = modulus as i16;
    let (lowest, highest) = if signed { (-(m / 2), (m - 1) / 2) } else { (0, m - 1) };
    let byte = |x: u8| if signed { i16::from(x as i8) } else { i16::from(x) };
    let mut to = [[0; PIECE_BYTES]; P];
    for i in 0..PIECE_BYTES {
        let value = |x: &[[u8; PIECE_BYTES]; P]| match P {
            1 => byte(x[0][i]),
            _ => byte(x[0][i]) + 128 * byte(x[1][i]),
        };
        let mut sum = operation(value(&x), value(&y));
        sum -= if sum > highest { m } else { 0 };
        sum += if sum < lowest { m } else { 0 };
        if P == 1 {
            to[0][i] = sum as u8;
        } else {
            let digits = if signed { balanced_digits(sum) } else { [sum & 127, sum >> 7] };
            let [low, high] = digits.map(|digit| digit as u8);
            (to[0][i], to[1][i], to[2][i]) = (low, high, low.wrapping_add(high));
        }
    }
    to
}

/// The two balanced digits of a balanced residue.
#[inline(always)]
pub(super) fn balanced_digits(x: i16) -> [i16; 2] {
    let low = (x.wrapping_add(64) & 127) - 64;
    [low, x.wrapping_sub(low) >> 7]
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
        let m = channel.modulus;
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
                    let value = |low: i8, high: i8| i32::from(low) + 256 * i32::from(high);
                    let sum = balanced_sum(value(*low, *high) + value(x_low, x_high), m);
                    *low = sum as i8;
                    *high = ((sum + 128) >> 8) as i8;
                }
            } else {
                let residues = Residues::<W>::new(m, Side::Right);
                let (c, c_rest) = c[..rows].as_chunks_mut::<{ 4 * LINES }>();
                let (x, x_rest) = x[..rows].as_chunks::<{ 4 * LINES }>();
                for (c, x) in c.iter_mut().zip(x) {
                    let negated = residues.negated(W::load_chunk(x));
                    residues.difference(W::load_chunk(c), negated).store_chunk(c);
                }
                for (c, &x) in c_rest.iter_mut().zip(x_rest) {
                    *c = balanced_sum(i32::from(*c) + i32::from(x), m) as i8;
                }
            }
        }
    }
}

/// A sum of two balanced residues, balanced.
#[inline(always)]
fn balanced_sum(x: i32, m: i32) -> i32 {
    if x > (m - 1) / 2 {
        x - m
    } else if x < -(m / 2) {
        x + m
    } else {
        x
    }
}
