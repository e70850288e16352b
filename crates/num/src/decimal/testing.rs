//! What the tests of this module share.

use alloc::string::String;

/// A small generator of reproducible numbers (splitmix64, Steele, Lea, Flood 2014).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// An integer in `[low, high]`.
    pub(crate) fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as u64) as i32
    }

    pub(crate) fn digits(&mut self, count: usize) -> String {
        (0..count).map(|_| char::from(b'0' + self.below(10) as u8)).collect()
    }

    /// A positive number whose bits are random, all ones, a power of two, or few.
    pub(crate) fn magnitude(&mut self, exponent: i32) -> f64 {
        let fraction = match self.below(8) {
            0 => 0,
            1 => u64::MAX >> 12,
            2 => 1,
            3 => self.next() >> 12 & self.next() & self.next() & self.next(),
            4 => self.next() >> 60 << 48,
            _ => self.next() >> 12,
        };
        match exponent {
            ..-1074 => 0.0,
            -1074..-1022 => f64::from_bits((1 << 52 | fraction) >> (-1022 - exponent)),
            -1022.. => f64::from_bits(((exponent + 1023) as u64) << 52 | fraction),
        }
    }

    /// Limbs in normal form with a positive first one of the given exponent: close together, with
    /// gaps, half units that make ties, and ends cut off.
    pub(crate) fn limbs<const N: usize>(&mut self, exponent: i32) -> [f64; N] {
        let mut limbs = [0.0; N];
        limbs[0] = self.magnitude(exponent);
        let length = if self.below(3) == 0 { 1 + self.below(N as u64) as usize } else { N };
        for i in 1..length {
            let half = half_unit(limbs[i - 1]);
            if half == 0.0 {
                break;
            }
            let exponent = libm::ilogb(half);
            let gap = [self.between(1, 12), self.between(1, 300)];
            let magnitude = match self.below(8) {
                0 => half,
                1 => self.magnitude(exponent - gap[0]),
                2 => self.magnitude(exponent - gap[1]),
                _ => self.magnitude(exponent - 1),
            };
            limbs[i] = if self.below(2) == 0 { magnitude } else { -magnitude };
            if magnitude == 0.0 {
                limbs[i] = 0.0;
                break;
            }
        }
        limbs
    }
}

/// Half the distance from `|x|` to the next number, 0 below the smallest subnormal.
pub(crate) fn half_unit(x: f64) -> f64 {
    let x = x.abs();
    (f64::from_bits(x.to_bits() + 1) - x) / 2.0
}

/// `2^k`.
pub(crate) fn power_of_two(k: i32) -> f64 {
    libm::ldexp(1.0, k)
}
