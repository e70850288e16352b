//! Products of bytes, summed in 32 bits: unsigned rows times signed columns, four terms an
//! instruction and lane; and of signed 16-bit integers, two terms.
//!
//! A residue modulo a number up to 256 is a byte: in a row from 0 to `m − 1`, in a column and in
//! the product from `−m/2` to `(m − 1)/2`. A residue modulo a larger number takes 16 bits and two
//! planes: words of the first hold places 0 and 1 of four, those of the second 2 and 3. A product
//! of them takes as long as two of bytes; in the product a residue is two signed bytes.

#[cfg(target_arch = "x86_64")]
mod avx;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod channel;
mod combine;
mod digits;
mod level;
mod multiply;
mod pack;
mod plain;
mod turn;
mod words;

use core::ops::Range;

use nonius_num::rns::{Crt, Moduli, ModuliError};

pub(super) use self::level::Level;

use self::channel::Channel;
use self::digits::Sums;
use self::level::dispatch;
use self::pack::Weights;
use super::block::{Block, Place, Term, Terms};
use super::layout::{Digits, Operation, Side};
use super::tables::{Cache, Cached};
use super::unit::Unit;

/// Multiply-adds of bytes.
pub(super) struct Bytes {
    crt: Crt,
    channels: Vec<Channel>,
    weights: Weights,
    sums: Sums,
}

impl Unit for Bytes {
    type Word = u32;
    type Residue = i8;

    const DEPTH: usize = 4;
    const MOST_TERMS: usize = 0;
    const SIDES_DIFFER: bool = true;

    fn moduli(bits: f64, _: usize) -> Result<Moduli, ModuliError> {
        Moduli::bytes_and_halves(bits)
    }

    fn new(crt: Crt, bits: u32) -> Self {
        let channels = Channel::all(crt.moduli());
        let weights = Weights::new(crt.moduli(), bits);
        let sums = Sums::new(&crt, &channels);
        Self { crt, channels, weights, sums }
    }

    fn crt(&self) -> &Crt {
        &self.crt
    }

    fn channels(&self) -> usize {
        self.channels.len()
    }

    fn planes(&self, channel: usize) -> Range<usize> {
        self.channels[channel].planes.clone()
    }

    fn pack(&self, side: Side, integers: &mut [u32], words: Range<usize>, to: &mut [&mut [u32]]) {
        let Self { channels, weights, .. } = self;
        dispatch(pack::Pack { channels, weights, side, integers, words, to });
    }

    fn turn(&self, channel: usize, from: &[u32], to: &mut [u32]) {
        dispatch(turn::Turn { channel: &self.channels[channel], from, to });
    }

    fn combine(
        &self,
        channel: usize,
        side: Side,
        x: Block<'_, u32>,
        operation: Operation,
        y: Block<'_, u32>,
        to: &mut [u32],
    ) {
        dispatch(combine::Combine { channel: &self.channels[channel], side, x, operation, y, to });
    }

    fn combine_in_place(
        &self,
        channel: usize,
        side: Side,
        x: &mut [u32],
        reverse: bool,
        y: Block<'_, u32>,
    ) {
        dispatch(combine::InPlace { channel: &self.channels[channel], side, x, reverse, y });
    }

    fn multiply(
        &self,
        channel: usize,
        [a, b]: [Block<'_, u32>; 2],
        c: &mut [i8],
        place: Place,
        terms: Terms<'_, i8>,
    ) {
        dispatch(multiply::Multiply { channel: &self.channels[channel], a, b, c, place, terms });
    }

    fn add(
        &self,
        channel: usize,
        x: Option<Term<'_, i8>>,
        y: Term<'_, i8>,
        c: &mut [i8],
        place: Place,
    ) {
        dispatch(combine::Add { channel: &self.channels[channel], x, y, c, place });
    }

    fn digits(&self, residues: &[i8], apart: usize, rows: usize, to: &mut Digits) {
        self.sums.digits(&self.crt, residues, apart, rows, to);
    }
}

impl Cached for Bytes {
    fn tables() -> &'static Cache<Self> {
        static TABLES: Cache<Bytes> = Cache::new();
        &TABLES
    }
}
