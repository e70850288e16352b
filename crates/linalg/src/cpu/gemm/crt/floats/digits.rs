//! Integers from residues in `f64`.

use nonius_num::Lane;

use super::super::layout::ROWS;
use super::channel::Floats;
use crate::cpu::simd::Kernel;

/// See [`Unit::digits`](super::super::unit::Unit::digits).
pub(super) struct Rebuild<'a> {
    pub(super) unit: &'a Floats,
    pub(super) residues: &'a [i32],
    pub(super) apart: usize,
    pub(super) rows: usize,
    pub(super) to: &'a mut [f64],
}

impl Kernel for Rebuild<'_> {
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

impl Rebuild<'_> {
    #[inline(always)]
    fn rebuild<const V: usize, L: Lane>(self) {
        let Self { unit, residues: from, apart, rows, to } = self;
        let mut residues = vec![[L::splat(0.0); V]; unit.channels.len()];
        let mut digits = vec![[L::splat(0.0); V]; unit.crt.digit_count()];
        for first in (0..rows).step_by(V * L::LANES) {
            for (p, (residues, channel)) in residues.iter_mut().zip(&unit.channels).enumerate() {
                for (v, residue) in residues.iter_mut().enumerate() {
                    let x = L::load_integers(&from[p * apart + first + v * L::LANES..]);
                    *residue = channel.reduce(x * L::splat(channel.factor));
                }
            }
            unit.crt.digits(&residues, &mut digits);
            for (digits, to) in digits.iter().zip(to.chunks_exact_mut(ROWS)) {
                for (v, digit) in digits.iter().enumerate() {
                    digit.store(&mut to[first + v * L::LANES..]);
                }
            }
        }
    }
}
