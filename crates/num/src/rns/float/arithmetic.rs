//! Sums and products: exact in residues, then rounded once.

use core::cmp::Ordering;

use super::bounds::{Bounds, UNIT};
use super::format::{CAPACITY, Tables};
use super::{RnsFloat, RnsRef};
use crate::mp::{Head, product_of_specials};

/// `x / 2^d`, rounded down and up.
fn shifted(x: u64, d: usize) -> (u64, u64) {
    if d >= 64 {
        return (0, u64::from(x != 0));
    }
    (x >> d, (x >> d) + u64::from(x & ((1 << d) - 1) != 0))
}

/// The number itself, which is zero or not finite, or beside which another one vanishes.
fn copied(x: RnsRef<'_>, to: &mut [u32]) -> (Head, Bounds) {
    to.copy_from_slice(x.residues);
    (x.head, x.bounds)
}

pub(super) fn special(head: Head, to: &mut [u32]) -> (Head, Bounds) {
    to.fill(0);
    (head, Bounds::HALF)
}

impl Tables {
    /// `x + y`, for numbers of this format.
    pub(super) fn sum(&self, x: RnsRef<'_>, y: RnsRef<'_>, to: &mut [u32]) -> (Head, Bounds) {
        let (x, y) = if x.head.code() < y.head.code() { (y, x) } else { (x, y) };
        let opposite = x.head.is_negative() != y.head.is_negative();
        if x.head.exponent().is_none() || y.head.exponent().is_none() {
            return match () {
                () if x.head.is_nan() => special(Head::NAN, to),
                () if y.head.is_infinite() && opposite => special(Head::NAN, to),
                () if x.head.is_zero() && opposite => special(Head::zero(false), to),
                () => copied(x, to),
            };
        }
        let distance = (i64::from(x.head.code()) - i64::from(y.head.code())) as usize;
        let p = self.bits;
        if distance > p {
            // - y: is less than half a unit of x's last place, and less than half of that from p +
            //   2 on: it counts where the places below x are half as wide.
            let counts = distance == p + 1 && opposite;
            if !(counts && self.is_half(x) && !self.is_half(y)) {
                return copied(x, to);
            }
            // The next number below a power of two, two halves of a unit less than `2^p`.
            to.copy_from_slice(&self.full);
            self.subtract(to, &self.one);
            let head = Head::finite(x.head.is_negative(), i64::from(x.head.code()) - 1);
            return self.settle(to, head, Bounds::new(UNIT, UNIT).rounded(p).rounded(p));
        }
        // Z = X·2^distance ± Y
        to.copy_from_slice(x.residues);
        self.scale_up(to, distance);
        if opposite {
            self.subtract(to, y.residues);
        } else {
            self.add(to, y.residues);
        }
        let (y_low, y_high) =
            (shifted(y.bounds.low(), distance).0, shifted(y.bounds.high(), distance).1);
        let scale = (p + distance) as i64 - 62;
        let unit = i64::from(y.head.code()) - p as i64;
        let negative = x.head.is_negative();
        let (low, high) = if opposite {
            (x.bounds.low().saturating_sub(y_high), x.bounds.high().saturating_sub(y_low))
        } else {
            (x.bounds.low() + y_low, x.bounds.high() + y_high)
        };
        let mut z = if low > high / 2 {
            self.resolve(to, low, high, scale)
        } else {
            // Only a difference cancels so far: |Z| < 2^(p + distance).
            match self.measure(to, p + distance) {
                Some(z) => z,
                None => return special(Head::zero(false), to),
            }
        };
        if z.negative {
            self.negate(to);
        }
        z.negative ^= negative;
        self.finish(to, z, unit)
    }

    /// `x · y`, for numbers of this format.
    pub(super) fn product(&self, x: RnsRef<'_>, y: RnsRef<'_>, to: &mut [u32]) -> (Head, Bounds) {
        if x.head.exponent().is_none() || y.head.exponent().is_none() {
            return special(product_of_specials(x.head, y.head), to);
        }
        to.copy_from_slice(x.residues);
        self.multiply_stored(to, y.residues);
        let wide = |x: u64, y: u64| u128::from(x) * u128::from(y);
        let low = wide(x.bounds.low(), y.bounds.low()) >> 62;
        let high = (wide(x.bounds.high(), y.bounds.high()) + u128::from(UNIT - 1)) >> 62;
        let p = self.bits as i64;
        let mut z = self.resolve(to, low as u64, high as u64, 2 * p - 62);
        z.negative = x.head.is_negative() != y.head.is_negative();
        let unit = i64::from(x.head.code()) + i64::from(y.head.code()) - 2 * p;
        self.finish(to, z, unit)
    }

    /// Whether the significand is `2^(p − 1)`.
    pub(super) fn is_half(&self, x: RnsRef<'_>) -> bool {
        x.bounds.low() == UNIT / 2 && *x.residues == self.half[..]
    }

    /// How the significands of two numbers compare.
    pub(super) fn compare(&self, x: RnsRef<'_>, y: RnsRef<'_>) -> Ordering {
        if x.bounds.low() > y.bounds.high() {
            return Ordering::Greater;
        }
        if x.bounds.high() < y.bounds.low() {
            return Ordering::Less;
        }
        let mut buffer = [0; CAPACITY];
        let difference = &mut buffer[..self.lanes()];
        difference.copy_from_slice(x.residues);
        self.subtract(difference, y.residues);
        // The intervals meet: neither difference of ends is less than X − Y or Y − X in magnitude.
        let ends = |x: Bounds, y: Bounds| x.high().saturating_sub(y.low());
        let width = ends(x.bounds, y.bounds).max(ends(y.bounds, x.bounds));
        let most = i64::from(64 - width.leading_zeros()) + self.bits as i64 - 62;
        self.sign(difference, most.max(1) as usize)
    }
}

impl RnsFloat {
    /// `x + y`, rounded to the format of `self`, which it replaces. An operand of another format is
    /// rounded to this one first.
    pub fn set_sum(&mut self, x: RnsRef<'_>, y: RnsRef<'_>) {
        self.set(x, y, Tables::sum);
    }

    /// `x − y`, rounded to the format of `self`, which it replaces. An operand of another format is
    /// rounded to this one first.
    pub fn set_difference(&mut self, x: RnsRef<'_>, y: RnsRef<'_>) {
        self.set_sum(x, y.negated());
    }

    /// `x · y`, rounded to the format of `self`, which it replaces. An operand of another format is
    /// rounded to this one first.
    pub fn set_product(&mut self, x: RnsRef<'_>, y: RnsRef<'_>) {
        self.set(x, y, Tables::product);
    }

    /// Replaces the number by a function of two, of its own format.
    pub(super) fn set(&mut self, x: RnsRef<'_>, y: RnsRef<'_>, function: Function) {
        match (x.format == &self.format, y.format == &self.format) {
            (true, true) => {
                let Self { format, head, bounds, residues } = self;
                (*head, *bounds) = function(format.tables(), x, y, residues);
            }
            (false, _) => self.set(x.to_format(&self.format).view(), y, function),
            (_, false) => self.set(x, y.to_format(&self.format).view(), function),
        }
    }
}

/// A function of two numbers of a format.
pub(super) type Function = fn(&Tables, RnsRef<'_>, RnsRef<'_>, &mut [u32]) -> (Head, Bounds);
