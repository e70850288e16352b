//! Quotients and square roots: Newton's iteration, of which every step finds the next 40 bits.
//!
//! A remainder `D = X·2^s − Q·Y`, or `D = A − S²`, is kept exactly in residues, multiplied by a
//! power of two such that it fills the range. Its evaluation and that of the divisor (`Y`, or
//! `2·S`), right to about `2^-50`, give the next digit `δ`: Newton's correction `D/Y`, or
//! `D/(2·S)`, rounded. `D − δ·Y`, or `D − δ·(2·S + δ)`, is again exact, so that no error is carried
//! on, and a step takes a few products for each residue where a product of numbers has to round.
//! Numbers of `p` bits take `p/40` steps.
//!
//! **Rounding.** At the end `|D| < (1/2 + 2^-8)·Y`, and whether `|2·D| < Y`, which says that `Q` is
//! nearest, is decided exactly (by the interval, else by the sign of a difference). A quotient of
//! two numbers of `p` bits never lies in the middle of two: `2·Q + 1` would have to divide `X`,
//! which is smaller. Nor does a root: with `4·A = (2·S + 1)²` an even number would be odd.

use core::cmp::Ordering;

use super::arithmetic::special;
use super::bounds::Bounds;
use super::convert::WORDS;
use super::format::{CAPACITY, Tables};
use super::modular::reduced;
use super::{RnsFloat, RnsRef};
use crate::integers::words::add_shifted;
use crate::mp::{Head, quotient_of_specials};

/// Bits of a digit of a quotient.
const STEP: usize = 40;
/// Bits of the lower part of a digit; digits are at most `2^(STEP + 1)` in magnitude.
const LOWER: u32 = 21;
/// Bits of a root to start from.
const START: usize = 30;

/// `dividend·2^k / divisor`, rounded to nearest.
fn digit(dividend: i64, k: usize, divisor: i64) -> i64 {
    let divisor = i128::from(divisor);
    ((i128::from(dividend) << k) + divisor / 2).div_euclid(divisor) as i64
}

impl Tables {
    /// The middle of the interval of `Z/M`, times `2^64`.
    fn middle(&self, y: &[u32]) -> i64 {
        self.fraction(y) + self.count as i64
    }

    /// Whether `|2·D|` is certainly less than the divisor, which is positive, by their middles.
    fn nearest(&self, remainder: i64, divisor: i64) -> bool {
        2 * (remainder.abs() + self.width()) < divisor - self.width()
    }

    /// Residues of a digit times `2^32`.
    fn digit_residues(&self, digit: i64, to: &mut [u32]) {
        let magnitude = digit.unsigned_abs();
        let (low, high) = (magnitude & ((1 << LOWER) - 1), magnitude >> LOWER);
        let units = self.units[0].iter().zip(&self.units[1]);
        let moduli = self.moduli.iter().zip(&self.inverses);
        for ((to, (&unit, &upper)), (&m, &inverse)) in to.iter_mut().zip(units).zip(moduli) {
            *to = reduced(low * u64::from(unit) + high * u64::from(upper), m, inverse);
        }
        // Below m also where that is small.
        self.multiply(to, self.power(0));
        if digit < 0 {
            self.negate(to);
        }
    }

    /// The sign of `2·D − y`, or of `−2·D − y` where `negative`, for `D` and `y` below `M/16` in
    /// magnitude.
    fn compare_twice(&self, d: &[u32], negative: bool, y: &[u32]) -> Ordering {
        let (mut buffer, mut once) = ([0; CAPACITY], [0; CAPACITY]);
        let difference = &mut buffer[..d.len()];
        difference.copy_from_slice(d);
        if negative {
            self.negate(difference);
        }
        let once = &mut once[..d.len()];
        once.copy_from_slice(difference);
        self.add(difference, once);
        self.subtract(difference, y);
        self.sign(difference, self.log - 2)
    }

    /// `x / y`, for numbers of this format.
    pub(super) fn quotient(&self, x: RnsRef<'_>, y: RnsRef<'_>, to: &mut [u32]) -> (Head, Bounds) {
        if let Some(head) = quotient_of_specials(x.head, y.head) {
            return special(head, to);
        }
        let p = self.bits;
        // Q = X·2^s/Y has p bits.
        let s = if self.compare(x, y) == Ordering::Less { p } else { p - 1 };
        let (mut d, mut divisor, mut digits) = ([0; CAPACITY], [0; CAPACITY], [0; CAPACITY]);
        let lanes = self.lanes();
        let (d, divisor, digits) = (&mut d[..lanes], &mut divisor[..lanes], &mut digits[..lanes]);
        d.copy_from_slice(x.residues);
        divisor.copy_from_slice(y.residues);
        // Y·2^filling < M/16
        let filling = self.log - 4 - p;
        self.scale_up(d, filling);
        self.scale_up(divisor, filling);
        let whole = self.middle(divisor);
        let mut words = [0; WORDS];
        let mut rest = s;
        while rest > 0 {
            let step = rest.min(STEP);
            rest -= step;
            let delta = digit(self.middle(d), step, whole);
            add_shifted(&mut words, delta.unsigned_abs(), rest, delta < 0);
            self.digit_residues(delta, digits);
            self.multiply(digits, divisor);
            self.multiply(d, self.power(step as isize));
            self.subtract(d, digits);
        }
        let last = self.middle(d);
        if !self.nearest(last, whole)
            && self.compare_twice(d, last < 0, divisor) == Ordering::Greater
        {
            add_shifted(&mut words, 1, 0, last < 0);
        }
        let bounds = self.encode(&words, to);
        let negative = x.head.is_negative() != y.head.is_negative();
        let exponent = i64::from(x.head.code()) - i64::from(y.head.code()) + (p - s) as i64;
        self.settle(to, Head::finite(negative, exponent), bounds)
    }

    /// `√x`, for a number of this format; NaN below zero.
    pub(super) fn root(&self, x: RnsRef<'_>, to: &mut [u32]) -> (Head, Bounds) {
        let e = match x.head.exponent() {
            _ if x.head.is_zero() || x.head.is_nan() => return special(x.head, to),
            _ if x.head.is_negative() => return special(Head::NAN, to),
            None => return special(x.head, to),
            Some(e) => e,
        };
        let p = self.bits;
        let odd = (e & 1) as usize;
        // A = X·2^(p − odd), from 2^(2p − 2) to 2^(2p), and S = √A.
        let mut known = START.min(p);
        let leading = (x.bounds.low() >> odd >> (62 - 2 * known)).isqrt();
        let mut rest = p - known;
        let mut words = [0; WORDS];
        add_shifted(&mut words, leading, rest, false);
        let (mut d, mut twice, mut digits) = ([0; CAPACITY], [0; CAPACITY], [0; CAPACITY]);
        let (mut unit, mut change) = ([0; CAPACITY], [0; CAPACITY]);
        let lanes = self.lanes();
        let (d, twice, digits) = (&mut d[..lanes], &mut twice[..lanes], &mut digits[..lanes]);
        let (unit, change) = (&mut unit[..lanes], &mut change[..lanes]);
        // D = A − S², times 2^(log − 4 − p − rest).
        d.copy_from_slice(x.residues);
        self.scale_up(d, p - odd);
        self.encode(&words, twice);
        change.copy_from_slice(twice);
        self.multiply_stored(change, twice);
        self.subtract(d, change);
        self.scale_up(d, self.log - 4 - p - rest);
        // 2·S·2^filling
        let filling = self.log - 4 - p;
        self.scale_up(twice, filling + 1);
        // 2^(rest + filling): one in the last of the places that are known.
        self.stored_power(rest + filling, unit);
        while rest > 0 {
            // The square of what is off is less than 2^-6 of the next digit's last place.
            let step = rest.min(STEP).min(known - 6);
            rest -= step;
            known += step;
            let delta = digit(self.middle(d), step, self.middle(twice));
            add_shifted(&mut words, delta.unsigned_abs(), rest, delta < 0);
            self.digit_residues(delta, digits);
            self.multiply(unit, self.power(-(step as isize)));
            // δ·unit, and with 2·S + δ·unit what D loses.
            change.copy_from_slice(unit);
            self.multiply(change, digits);
            self.add(twice, change);
            self.multiply(digits, twice);
            self.multiply(d, self.power(step as isize));
            self.subtract(d, digits);
            self.add(twice, change);
        }
        let last = self.middle(d);
        if !self.nearest(last, self.middle(twice)) {
            // (S − 1/2)² < A < (S + 1/2)²  is  −S < D <= S.
            let negative = last < 0;
            let beyond = self.compare_twice(d, negative, twice);
            if beyond == Ordering::Greater || negative && beyond == Ordering::Equal {
                add_shifted(&mut words, 1, 0, negative);
            }
        }
        let bounds = self.encode(&words, to);
        let exponent = (i64::from(e) + odd as i64) / 2;
        self.settle(to, Head::finite(false, exponent), bounds)
    }
}

impl RnsFloat {
    /// `x / y`, rounded to the format of `self`, which it replaces. An operand of another format is
    /// rounded to this one first.
    pub fn set_quotient(&mut self, x: RnsRef<'_>, y: RnsRef<'_>) {
        self.set(x, y, Tables::quotient);
    }

    /// `√x`, rounded to the format of `self`, which it replaces; NaN below zero. A number of
    /// another format is rounded to this one first.
    pub fn set_root(&mut self, x: RnsRef<'_>) {
        self.set(x, x, |tables, x, _, to| tables.root(x, to));
    }

    /// Square root; NaN below zero.
    #[must_use]
    pub fn sqrt(&self) -> Self {
        let mut root = Self::zero(&self.format);
        root.set_root(self.view());
        root
    }
}
