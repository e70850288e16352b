//! From planes of residues to the integers of a product.

use core::ops::Range;

use nonius_num::Lane;
use nonius_num::rns::{Crt, remainder};

use super::sink::{ROWS, Sink};
use super::unit::{LINES, PAIR, Unit};
use crate::cpu::simd::{Kernel, dispatch};
use crate::cpu::workspace::Buffer;

/// Words of a line whose planes stay in the first-level cache while they are multiplied.
const NEAR: usize = 128;

/// How many sums ahead of those that are needed are fetched.
const AHEAD: usize = 4 * LINES;

/// Computes entries of a product from the planes of rows and columns.
pub(super) struct Rebuild<'a, S> {
    pub(super) sink: &'a S,
    pub(super) crt: &'a Crt,
    pub(super) channels: &'a [Channel],
    /// Number of terms.
    pub(super) k: usize,
}

/// Sums from one plane to the next, for a tile of so many rows and columns: a cache line more than it has, as for [`Unit::plane`].
fn apart(height: usize, columns: usize) -> usize {
    columns.next_multiple_of(LINES) * height + LINES
}

/// One modulus: how the sums of its planes become a residue.
pub(super) struct Channel {
    takes_digits: bool,
    modulus: f64,
    reciprocal: f64,
}

impl Channel {
    pub(super) fn all<U: Unit>(crt: &Crt) -> Vec<Self> {
        let channel = |&m: &u32| Self {
            takes_digits: U::takes_digits(m),
            modulus: f64::from(m),
            reciprocal: 1.0 / f64::from(m),
        };
        crt.moduli().values().iter().map(channel).collect()
    }

    /// Number of planes.
    fn planes(&self) -> usize {
        if self.takes_digits { 3 } else { 1 }
    }

    /// A balanced residue, up to a rounding of its quotient.
    #[inline(always)]
    fn reduce<L: Lane>(&self, x: L) -> L {
        remainder(x, self.modulus, self.reciprocal)
    }
}

impl<S: Sink> Rebuild<'_, S> {
    /// The entries in the given rows and columns, whose planes begin `a` and `b`: groups of `size` words.
    pub(super) fn tile<U: Unit>(
        &self,
        (a, rows): (&[U::Word], Range<usize>),
        (b, columns): (&[U::Word], Range<usize>),
        size: usize,
    ) {
        let (plane, words) = (U::plane(self.k), U::words(self.k) * LINES);
        let a = &a[..rows.len().div_ceil(PAIR * LINES) * PAIR * size];
        let b = &b[..columns.len().div_ceil(LINES) * size];
        let height = rows.len().next_multiple_of(PAIR * LINES);
        let apart = apart(height, columns.len());
        let mut sums = Buffer::<U::Sum>::new(size / plane * apart);
        sums.fill(U::Sum::default());
        let most = U::TERMS / U::DEPTH * LINES;
        for start in (0..words).step_by(most) {
            let block = start..words.min(start + most);
            for (p, sums) in sums.chunks_exact_mut(apart).enumerate() {
                let block = p * plane + block.start..p * plane + block.end;
                for start in block.clone().step_by(NEAR * LINES) {
                    let words = start..block.end.min(start + NEAR * LINES);
                    for (i, pair) in a.chunks_exact(PAIR * size).enumerate() {
                        let pair = [&pair[words.clone()], &pair[size..][words.clone()]];
                        for (j, b) in b.chunks_exact(size).enumerate() {
                            let sums = &mut sums[j * LINES * height + i * PAIR * LINES..];
                            U::multiply(pair, &b[words.clone()], sums, height);
                        }
                    }
                }
            }
            if block.end < words {
                dispatch(Fold::<U> { channels: self.channels, sums: &mut sums, apart });
            }
        }
        dispatch(Entry::<U, S> { rebuild: self, sums: &sums, rows, columns, height, apart });
    }
}

/// Replaces sums by their residues, so that further terms can be added.
struct Fold<'a, U: Unit> {
    channels: &'a [Channel],
    sums: &'a mut [U::Sum],
    apart: usize,
}

impl<U: Unit> Kernel for Fold<'_, U> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        let mut planes = self.sums.chunks_exact_mut(self.apart);
        for channel in self.channels {
            for _ in 0..channel.planes() {
                let Some(plane) = planes.next() else { return };
                for sums in plane.chunks_exact_mut(L::LANES) {
                    U::keep(channel.reduce(U::load::<L>(sums)), sums);
                }
            }
        }
    }
}

struct Entry<'a, U: Unit, S> {
    rebuild: &'a Rebuild<'a, S>,
    sums: &'a [U::Sum],
    rows: Range<usize>,
    columns: Range<usize>,
    height: usize,
    apart: usize,
}

impl<U: Unit, S: Sink> Kernel for Entry<'_, U, S> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        // Two registers at a time share what is loaded, where there are 32 of them.
        match L::LANES {
            8 => self.rebuild::<2, L>(),
            _ => self.rebuild::<1, L>(),
        }
    }
}

impl<U: Unit, S: Sink> Entry<'_, U, S> {
    #[inline(always)]
    fn rebuild<const V: usize, L: Lane>(self) {
        let Self { rebuild, sums, height, apart, rows, columns } = self;
        let crt = rebuild.crt;
        let mut residues = vec![[L::splat(0.0); V]; rebuild.channels.len()];
        let mut digits = vec![[L::splat(0.0); V]; crt.digit_count()];
        let mut staged = vec![0.0; ROWS * digits.len()];
        for (j, column) in columns.enumerate() {
            for start in rows.clone().step_by(ROWS) {
                let rows_now = start..rows.end.min(start + ROWS);
                for within in (0..rows_now.len()).step_by(V * L::LANES) {
                    let mut at = j * height + start - rows.start + within;
                    for (residues, channel) in residues.iter_mut().zip(rebuild.channels) {
                        for p in 0..channel.planes() {
                            // These sums come from far away, and from as many places as there are planes.
                            U::prefetch(&sums[at + p * apart..], AHEAD);
                        }
                        for (v, residue) in residues.iter_mut().enumerate() {
                            let at = at + v * L::LANES;
                            let mut x = U::load::<L>(&sums[at..]);
                            if channel.takes_digits {
                                // Karatsuba: low + 128·(middle − low − high) + 128²·high.
                                let high = U::load::<L>(&sums[at + apart..]);
                                let middle = U::load::<L>(&sums[at + 2 * apart..]);
                                x = middle.mul_add(L::splat(128.0), x * L::splat(-127.0));
                                x = high.mul_add(L::splat(128.0 * 127.0), x);
                            }
                            *residue = channel.reduce(x);
                        }
                        at += channel.planes() * apart;
                    }
                    crt.digits(&residues, &mut digits);
                    for (digits, to) in digits.iter().zip(staged.chunks_exact_mut(ROWS)) {
                        for (v, digit) in digits.iter().enumerate() {
                            digit.store(&mut to[within + v * L::LANES..]);
                        }
                    }
                }
                rebuild.sink.write(&mut staged, rows_now, column);
            }
        }
    }
}
