//! Where in `0..M` an integer lies: interval evaluations of `Z/M`, and what follows from them
//! exactly.
//!
//! With stored residues `y`, `Z/M` is the fraction of `Σ y/m` ([module documentation](super)).
//! [`Tables::fraction`] sums it in fixed point with 64 bits, where whole numbers drop out by
//! themselves. Each term is truncated, and by less than two units: with `n` moduli,
//! `F <= 2^64·Z/M < F + 2n` for the `F` that it returns, as a signed number for `−M/2 <= Z < M/2`.
//!
//! A number too small for that is multiplied by a power of two first, which is exact. That is
//! repeated with what the evaluation says until its bits do. It ends, because an integer is zero,
//! which its residues show, or at least 1 in magnitude.
//!
//! Sources: S. Kawamura, M. Koike, F. Sano, A. Shimbo, *Cox-Rower architecture for fast parallel
//! Montgomery multiplication*, EUROCRYPT 2000, for the rank from truncated terms; K. Isupov, V.
//! Knyazkov, *Interval estimation of relative values in residue number system*, J. Circuits Syst.
//! Comput. 27 (2018), for intervals and their refinement by powers of two.

use core::cmp::Ordering;

use super::bounds::Bounds;
use super::format::{CAPACITY, Tables};

/// An integer whose place is known: its sign, its exact length in bits and an interval for its
/// magnitude.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    pub(super) negative: bool,
    /// `b` with `2^(b − 1) <= |Z| < 2^b`
    pub(super) length: usize,
    /// Of `|Z|/2^b`.
    pub(super) bounds: Bounds,
}

/// An evaluation that tells enough.
struct Place {
    /// `F`, of `Z·2^shift`.
    fraction: i64,
    shift: usize,
}

impl Tables {
    /// Width of the interval that [`fraction`](Self::fraction) bounds.
    pub(super) fn width(&self) -> i64 {
        2 * self.count as i64
    }

    /// An evaluation of `Z ≠ 0`, with `|Z| < 2^most` and `1 <= most <= log − 2`, multiplied by a
    /// power of two so that `F` or `−F` is at least `enough`, which is between the interval's width
    /// and `2^36`.
    fn place(&self, y: &[u32], most: usize, enough: i64) -> Place {
        let mut buffer = [0; CAPACITY];
        let scaled = &mut buffer[..y.len()];
        scaled.copy_from_slice(y);
        let mut shift = 0;
        let mut most = most.max(1);
        loop {
            // |Z|·2^shift < 2^(log − 2) <= M/4
            self.scale_up(scaled, self.log - 2 - most - shift);
            shift = self.log - 2 - most;
            let fraction = self.fraction(scaled);
            // Integers of less than 37 bits; at most = 1 the fraction is at least 2^60.
            let magnitude = fraction.unsigned_abs();
            if magnitude >= enough as u64 || most == 1 {
                return Place { fraction, shift };
            }
            // |Z|·2^shift < (|F| + 2n)·M/2^64 < 2^(l + log + 1 − 64)
            let length = 64 - (magnitude + self.width() as u64).leading_zeros() as usize;
            most = (length + self.log + 1).saturating_sub(64 + shift).max(1);
        }
    }

    /// The sign of `Z`, exactly, for `|Z| < 2^most` and `most <= log − 2`.
    pub(super) fn sign(&self, y: &[u32], most: usize) -> Ordering {
        if y.iter().all(|&y| y == 0) {
            return Ordering::Equal;
        }
        let Place { fraction, .. } = self.place(y, most, 2 * self.width());
        fraction.cmp(&0)
    }

    /// Sign, length and interval of `Z`, for `|Z| < 2^most` and `most <= log − 2`; `None` for zero.
    pub(super) fn measure(&self, y: &[u32], most: usize) -> Option<Measured> {
        if y.iter().all(|&y| y == 0) {
            return None;
        }
        let Place { fraction, shift } = self.place(y, most, 1 << 36);
        let negative = fraction < 0;
        let (low, high) = (i128::from(fraction), i128::from(fraction + self.width()));
        let (low, high) = if negative { (-high, -low) } else { (low, high) };
        // - Z: is within [low, high]·M/2^(64 + shift), and M within [mantissa, mantissa + 1]·2^(log
        //   − 63).
        let low = low as u128 * u128::from(self.mantissa);
        let high = high as u128 * (u128::from(self.mantissa) + 1);
        let scale = self.log as i64 - 127 - shift as i64;
        let below = 128 - low.leading_zeros() as usize;
        let apart = high >> below != 0;
        // - Z: < 2^(below + scale) unless the interval holds that power of two; 2^0 is no more than
        //   any; Z; .
        let power = (below as i64 + scale).max(0) as usize;
        let longer = apart && {
            let mut buffer = [0; CAPACITY];
            let rest = &mut buffer[..y.len()];
            self.less_power(y, power, negative, rest);
            // The interval is less than 2^-27 of |Z| wide.
            self.sign(rest, (power + 1).min(self.log - 2)) != Ordering::Less
        };
        let length = if longer { power + 1 } else { power };
        // To 62 bits below 2^length.
        let down = (length as i64 - scale - 62) as u32;
        let bounds = Bounds::new((low >> down) as u64, (high >> down) as u64 + 1);
        Some(Measured { negative, length, bounds })
    }

    /// `Z − 2^e`, or `−Z − 2^e` where `negative`.
    pub(super) fn less_power(&self, y: &[u32], e: usize, negative: bool, to: &mut [u32]) {
        self.stored_power(e, to);
        if negative {
            self.add(to, y);
        } else {
            self.subtract(to, y);
        }
        self.negate(to);
    }
}
