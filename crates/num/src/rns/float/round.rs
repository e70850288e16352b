//! Division by powers of two, and with it rounding.
//!
//! `Z mod 2^k` comes from the Chinese remainder theorem modulo a power of two:
//! `Z = Σ y·(M/m) − q·M` with the rank `q`, of which `k` bits are summed in columns of digits. With
//! that remainder `r`, whose residues are a sum over its digits, `(Z − r)/2^k` is exact, and is so
//! in every residue. The cost is `2n` products of words for each digit of `r`, so that few bits are
//! cheap to round off.

use super::bounds::{Bounds, UNIT};
use super::evaluate::Measured;
use super::format::{CAPACITY, GROUP, Tables};
use super::modular::reduced;
use crate::mp::Head;
use core::array::from_fn;
use core::cmp::Ordering;

/// A rounded significand.
pub(super) struct Rounded {
    /// Whether nothing was rounded off.
    exact: bool,
    up: bool,
}

impl Tables {
    /// The lowest digits of `Z`, `digits.len()` of them, a multiple of [`GROUP`]; for
    /// `−M/4 <= Z <= 0.26·M`, of which negative ones are in two's complement.
    #[inline(always)]
    pub(super) fn digits(&self, y: &[u32], digits: &mut [u32]) {
        let rank = self.rank(y) as u32;
        let mut carry = 0;
        let mut start = 0;
        while start < digits.len() {
            let rest = digits.len() - start;
            if rest >= 4 * GROUP {
                self.columns::<{ 4 * GROUP }>(y, rank, start, &mut carry, digits);
                start += 4 * GROUP;
            } else if rest >= 2 * GROUP {
                self.columns::<{ 2 * GROUP }>(y, rank, start, &mut carry, digits);
                start += 2 * GROUP;
            } else {
                self.columns::<GROUP>(y, rank, start, &mut carry, digits);
                start += GROUP;
            }
        }
    }

    /// The digits from `start` to `start + WIDTH − 1`.
    #[inline(always)]
    fn columns<const WIDTH: usize>(
        &self,
        y: &[u32],
        rank: u32,
        start: usize,
        carry: &mut u64,
        digits: &mut [u32],
    ) {
        let mut sums = [0_u64; WIDTH];
        for (sum, &weight) in sums.iter_mut().zip(&self.minus_product[start..start + WIDTH]) {
            *sum = u64::from(rank) * u64::from(weight);
        }
        for (&y, row) in y.iter().zip(self.weights.chunks_exact(self.columns)) {
            let row = &row[start..start + WIDTH];
            for (sum, &weight) in sums.iter_mut().zip(row) {
                *sum += u64::from(y) * u64::from(weight);
            }
        }
        let mask = (1_u64 << self.digit) - 1;
        for (digit, sum) in digits[start..start + WIDTH].iter_mut().zip(sums) {
            let sum = sum + *carry;
            *digit = (sum & mask) as u32;
            *carry = sum >> self.digit;
        }
    }

    /// `(Z − Σ digits[l]·2^(digit·l)) / 2^k` in place, where that is an integer, and for
    /// `0 <= k <= p + 1`.
    #[inline(always)]
    pub(super) fn less_digits(&self, digits: &[u32], k: usize, y: &mut [u32]) {
        let lanes = self.lanes();
        let mut start = 0;
        while start < lanes {
            let rest = lanes - start;
            if rest >= 4 * GROUP {
                self.block::<{ 4 * GROUP }>(digits, start, y);
                start += 4 * GROUP;
            } else if rest >= 2 * GROUP {
                self.block::<{ 2 * GROUP }>(digits, start, y);
                start += 2 * GROUP;
            } else {
                self.block::<GROUP>(digits, start, y);
                start += GROUP;
            }
        }
        self.multiply(y, self.power(32 - k as isize));
    }

    /// The residues from `start` to `start + WIDTH − 1` of `Z − Σ digits[l]·2^(digit·l)`, divided
    /// by `2^32`.
    #[inline(always)]
    fn block<const WIDTH: usize>(&self, digits: &[u32], start: usize, y: &mut [u32]) {
        let lanes = self.lanes();
        let y = &mut y[start..start + WIDTH];
        let mut sums = [0_u64; WIDTH];
        for (sum, &y) in sums.iter_mut().zip(&*y) {
            *sum = u64::from(y);
        }
        for (&digit, row) in digits.iter().zip(self.minus_digits.chunks_exact(lanes)) {
            let row = &row[start..start + WIDTH];
            for (sum, &minus) in sums.iter_mut().zip(row) {
                *sum += u64::from(digit) * u64::from(minus);
            }
        }
        let moduli = self.moduli[start..start + WIDTH].as_chunks::<GROUP>().0;
        let inverses = self.inverses[start..start + WIDTH].as_chunks::<GROUP>().0;
        let sums = sums.as_chunks::<GROUP>().0.iter().zip(y.as_chunks_mut::<GROUP>().0);
        for ((sums, y), (m, inverse)) in sums.zip(moduli.iter().zip(inverses)) {
            *y = from_fn(|i| reduced(sums[i], m[i], inverse[i]));
        }
    }

    /// `Z/2^k` rounded to nearest, ties to even, in place; for `−M/4 <= Z <= 0.26·M` and
    /// `1 <= k <= p`.
    pub(super) fn divide_by_power(&self, y: &mut [u32], k: usize) -> Rounded {
        let mut buffer = [0; CAPACITY];
        let needed = (k + 1).div_ceil(self.digit);
        let digits = &mut buffer[..needed.next_multiple_of(GROUP)];
        self.digits(y, digits);
        let bit = |at: usize| (digits[at / self.digit] >> (at % self.digit)) & 1 == 1;
        let odd = bit(k);
        let half = bit(k - 1);
        // The remainder modulo 2^k.
        let (top, offset) = (k / self.digit, k % self.digit);
        let kept = if offset == 0 { top } else { top + 1 };
        if offset != 0 {
            digits[top] &= (1 << offset) - 1;
        }
        let digits = &digits[..kept];
        let (last, lower) = ((k - 1) / self.digit, (k - 1) % self.digit);
        let tail = digits[last] & ((1 << lower) - 1) != 0 || digits[..last].iter().any(|&d| d != 0);
        self.less_digits(digits, k, y);
        let up = half && (tail || odd);
        if up {
            self.add(y, &self.one);
        }
        Rounded { exact: !half && !tail, up }
    }

    /// The number `±Z·2^unit` of that length, rounded: its significand replaces the residues of
    /// `|Z|`, and its head and bounds are returned.
    pub(super) fn finish(&self, y: &mut [u32], z: Measured, unit: i64) -> (Head, Bounds) {
        let mut exponent = unit + z.length as i64;
        let mut bounds = z.bounds;
        match z.length.cmp(&self.bits) {
            Ordering::Less => self.scale_up(y, self.bits - z.length),
            Ordering::Equal => {}
            Ordering::Greater => {
                let rounded = self.divide_by_power(y, z.length - self.bits);
                if !rounded.exact {
                    bounds = bounds.rounded(self.bits);
                }
                if rounded.up && bounds.high() == UNIT && *y == self.full[..] {
                    y.copy_from_slice(&self.half);
                    bounds = Bounds::HALF;
                    exponent += 1;
                }
            }
        }
        self.settle(y, Head::finite(z.negative, exponent), bounds)
    }

    /// Head and bounds of a significand of `p` bits; bounds that are too wide are found anew, and
    /// no significand is left where the number has none.
    pub(super) fn settle(&self, y: &mut [u32], head: Head, bounds: Bounds) -> (Head, Bounds) {
        if head.exponent().is_none() {
            y.fill(0);
            return (head, Bounds::HALF);
        }
        let wide = bounds.high() - bounds.low() > Bounds::WIDEST;
        match if wide { self.measure(y, self.bits) } else { None } {
            Some(z) => (head, z.bounds),
            None => (head, bounds),
        }
    }

    /// Measures `Z > 0` with bounds: it lies within `[low, high]·2^scale`, `low > 0`, where no
    /// power of two or just one lies within `(low, high]`.
    pub(super) fn resolve(&self, y: &[u32], low: u64, high: u64, scale: i64) -> Measured {
        let below = 64 - low.leading_zeros();
        // 2^below is within unless high is less.
        let longer = high >> below != 0 && {
            let power = 1_u64 << below;
            let mut buffer = [0; CAPACITY];
            let rest = &mut buffer[..y.len()];
            let e = (i64::from(below) + scale).max(0) as usize;
            self.less_power(y, e, false, rest);
            // |Z − 2^e| <= width·2^scale
            let width = (power - low).max(high - power);
            let most = i64::from(64 - width.leading_zeros()) + scale;
            self.sign(rest, most.max(1) as usize) != Ordering::Less
        };
        let bits = if longer { below + 1 } else { below };
        let length = (i64::from(bits) + scale) as usize;
        let bounds = if bits >= 62 {
            let down = bits - 62;
            Bounds::new(low >> down, (high >> down) + u64::from(high & ((1 << down) - 1) != 0))
        } else {
            Bounds::new(low << (62 - bits), high.saturating_mul(1 << (62 - bits)))
        };
        Measured { negative: false, length, bounds }
    }
}
