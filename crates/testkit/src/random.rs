//! Reproducible random numbers, with the shapes that break limb arithmetic.

use nonius_linalg::Scalar;
use nonius_num::MultiFloat;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// A stream of random numbers that is the same on every machine (ChaCha8).
#[derive(Clone, Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// The stream with the given seed.
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// An index below `n`, which must not be 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// Uniform in (−1, 1), 53 bits.
    pub fn unit(&mut self) -> f64 {
        let magnitude = (self.bits() >> 11) as f64 * (f64::EPSILON / 2.0);
        if self.bits() & 1 == 0 { magnitude } else { -magnitude }
    }

    /// Limbs in normal form: uniform in (−1, 1), all limbs random; now and then with gaps between
    /// limbs, limbs that are powers of two, or fewer limbs.
    pub fn limbs<const N: usize>(&mut self) -> [f64; N] {
        let mut limbs = [0.0; N];
        limbs[0] = self.unit();
        let kind = self.bits() % 8;
        for i in 1..N {
            // At most half a unit in the last place of the limb before.
            let half_ulp = half_unit(limbs[i - 1]);
            limbs[i] = match kind {
                0 => half_ulp * self.unit() * power_of_two(-(self.below(60) as i32)),
                1 => half_ulp * 0.5_f64.powi(self.below(4) as i32 + 1).copysign(self.unit()),
                2 if self.bits() & 1 == 0 => return limbs,
                _ => half_ulp * self.unit(),
            };
        }
        limbs
    }

    /// A number of `N` limbs as [`limbs`](Self::limbs) describes it.
    pub fn number<const N: usize>(&mut self) -> MultiFloat<N> {
        MultiFloat::from_limbs(self.limbs())
    }

    /// A number as [`limbs`](Self::limbs) describes it, scaled by a power of two between `2^-range`
    /// and `2^range`.
    pub fn spread_limbs<const N: usize>(&mut self, range: u32) -> [f64; N] {
        let exponent = self.below(2 * range as usize + 1) as i32 - range as i32;
        self.limbs().map(|x: f64| x * power_of_two(exponent))
    }
}

impl Random {
    /// A full-length number of any magnitude, with now and then a special one.
    pub fn special_scalar<T: Scalar>(&mut self) -> T {
        const SPECIALS: [f64; 12] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            f64::MIN,
            f64::MIN_POSITIVE,
            5e-324,
            -1e-310,
        ];
        let kind = self.below(64);
        if kind < SPECIALS.len() {
            return T::from_f64(SPECIALS[kind]);
        }
        if kind == SPECIALS.len() {
            // A gap between limbs that scaling to the middle of the range would lose.
            let limbs = [1e135, 1e-230, 0.0, 0.0];
            return T::from_limbs(|i| limbs[i]);
        }
        let range = if self.below(8) == 0 { 900 } else { 30 };
        let limbs: [f64; 4] = self.spread_limbs(range);
        T::from_limbs(|i| limbs[i])
    }
}

/// Half a unit in the last place of `x`; 0 for 0.
fn half_unit(x: f64) -> f64 {
    let up = f64::from_bits(x.abs().to_bits() + 1) - x.abs();
    if x == 0.0 { 0.0 } else { up / 2.0 }
}

/// `2^k` for `k` in [−1022, 1023].
fn power_of_two(k: i32) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}
