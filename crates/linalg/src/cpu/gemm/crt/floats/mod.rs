//! Products of integers in `f64`, exact as long as their sums stay below `2^53`.

mod channel;
mod combine;
mod digits;
mod multiply;
mod pack;

use core::ops::Range;

use nonius_num::rns::{self, Crt, DIGIT, Moduli, ModuliError, Sign};

use self::channel::Channel;
pub(super) use self::channel::Floats;
use super::block::{Block, Place, Term, Terms};
use super::layout::{Digits, Operation, Side};
use super::source;
use super::tables::{Cache, Cached};
use super::unit::Unit;
use crate::cpu::simd::dispatch;

impl Unit for Floats {
    type Word = f64;
    type Residue = i32;

    const DEPTH: usize = 1;
    const MOST_TERMS: usize = multiply::MOST_DEPTH;
    const SIDES_DIFFER: bool = false;

    fn moduli(bits: f64, k: usize) -> Result<Moduli, ModuliError> {
        // One more term, for the residues that are added to the sum at the end: five at most.
        let terms = k.min(Self::MOST_TERMS) + 1;
        Moduli::floats(bits, terms)
    }

    fn new(crt: Crt, bits: u32) -> Self {
        let digits = (bits + 2).div_ceil(DIGIT) as usize;
        let channel = |(&m, &inverse): (&u32, &u32)| Channel {
            modulus: f64::from(m),
            reciprocal: 1.0 / f64::from(m),
            factor: if 2 * inverse > m {
                f64::from(inverse) - f64::from(m)
            } else {
                f64::from(inverse)
            },
            residues: rns::Residues::new(m, 1, digits, Sign::Balanced),
        };
        let channels = crt.moduli().values().iter().zip(crt.inverses()).map(channel).collect();
        Self { crt, words: source::words(bits), digits, channels }
    }

    fn crt(&self) -> &Crt {
        &self.crt
    }

    fn channels(&self) -> usize {
        self.channels.len()
    }

    fn planes(&self, channel: usize) -> Range<usize> {
        channel..channel + 1
    }

    fn pack(&self, _: Side, integers: &mut [u32], words: Range<usize>, to: &mut [&mut [f64]]) {
        dispatch(pack::Pack { unit: self, integers, words, to });
    }

    fn turn(&self, _: usize, from: &[f64], to: &mut [f64]) {
        to.copy_from_slice(from);
    }

    fn combine(
        &self,
        channel: usize,
        _: Side,
        x: Block<'_, f64>,
        operation: Operation,
        y: Block<'_, f64>,
        to: &mut [f64],
    ) {
        dispatch(combine::Combine { channel: &self.channels[channel], x, operation, y, to });
    }

    fn combine_in_place(
        &self,
        channel: usize,
        _: Side,
        x: &mut [f64],
        reverse: bool,
        y: Block<'_, f64>,
    ) {
        dispatch(combine::InPlace { channel: &self.channels[channel], x, reverse, y });
    }

    fn multiply(
        &self,
        channel: usize,
        [a, b]: [Block<'_, f64>; 2],
        c: &mut [i32],
        place: Place,
        terms: Terms<'_, i32>,
    ) {
        dispatch(multiply::Multiply { channel: &self.channels[channel], a, b, c, place, terms });
    }

    fn add(
        &self,
        channel: usize,
        x: Option<Term<'_, i32>>,
        y: Term<'_, i32>,
        c: &mut [i32],
        place: Place,
    ) {
        dispatch(combine::Add { channel: &self.channels[channel], x, y, c, place });
    }

    fn digits(&self, residues: &[i32], apart: usize, rows: usize, to: &mut Digits) {
        to.digits.resize(self.crt.digit_count() * super::layout::ROWS, 0.0);
        dispatch(digits::Rebuild { unit: self, residues, apart, rows, to: &mut to.digits });
    }
}

impl Cached for Floats {
    fn tables() -> &'static Cache<Self> {
        static TABLES: Cache<Floats> = Cache::new();
        &TABLES
    }
}
