//! Sums and differences of residues in `f64`.

use nonius_num::Lane;

use super::super::block::{Block, Place, Term};
use super::super::layout::{LINES, Operation};
use super::channel::Channel;
use super::multiply::store;
use crate::cpu::simd::Kernel;

/// See [`Unit::combine`](super::super::unit::Unit::combine).
pub(super) struct Combine<'a> {
    pub(super) channel: &'a Channel,
    pub(super) x: Block<'a, f64>,
    pub(super) operation: Operation,
    pub(super) y: Block<'a, f64>,
    pub(super) to: &'a mut [f64],
}

impl Kernel for Combine<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        let Self { channel, x, operation, y, to } = self;
        for (g, to) in to.chunks_exact_mut(x.depth * LINES).enumerate() {
            let from = x.line(g, 0).chunks_exact(L::LANES).zip(y.line(g, 0).chunks_exact(L::LANES));
            for (to, (x, y)) in to.chunks_exact_mut(L::LANES).zip(from) {
                let (x, y) = (L::load(x), L::load(y));
                let sum = match operation {
                    Operation::Add => x + y,
                    Operation::Subtract => x - y,
                };
                channel.reduce(sum).store(to);
            }
        }
    }
}

/// See [`Unit::combine_in_place`](super::super::unit::Unit::combine_in_place).
pub(super) struct InPlace<'a> {
    pub(super) channel: &'a Channel,
    pub(super) x: &'a mut [f64],
    pub(super) reverse: bool,
    pub(super) y: Block<'a, f64>,
}

impl Kernel for InPlace<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        let Self { channel, x, reverse, y } = self;
        for (g, x) in x.chunks_exact_mut(y.depth * LINES).enumerate() {
            for (x, y) in x.chunks_exact_mut(L::LANES).zip(y.line(g, 0).chunks_exact(L::LANES)) {
                let difference = L::load(x) - L::load(y);
                channel.reduce(if reverse { -difference } else { difference }).store(x);
            }
        }
    }
}

/// See [`Unit::add`](super::super::unit::Unit::add).
pub(super) struct Add<'a> {
    pub(super) channel: &'a Channel,
    pub(super) x: Option<Term<'a, i32>>,
    pub(super) y: Term<'a, i32>,
    pub(super) c: &'a mut [i32],
    pub(super) place: Place,
}

impl Kernel for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        let Self { channel, x, y, c, place } = self;
        for j in 0..place.columns {
            let c = &mut c[place.at(0, j)..][..place.rows];
            if let Some(x) = x {
                c.copy_from_slice(&x.residues[x.place.at(0, j)..][..place.rows]);
            }
            let y = &y.residues[y.place.at(0, j)..][..place.rows];
            for (c, y) in c.chunks_exact_mut(L::LANES).zip(y.chunks_exact(L::LANES)) {
                store(channel.reduce(L::load_integers(c) + L::load_integers(y)), c);
            }
        }
    }
}
