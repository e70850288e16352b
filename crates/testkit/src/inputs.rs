//! Random and adversarial numbers, in normal form.

use nonius_num::MultiFloat;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::Domain;

/// A source of inputs for `N` limbs; the same seed gives the same inputs.
pub struct Inputs<const N: usize> {
    /// For what an operation's own tests need besides.
    pub rng: ChaCha8Rng,
}

/// `2^k`, also below the normal range; zero or infinity beyond.
pub fn power(k: i32) -> f64 {
    // Two factors, of which each is in range.
    let half = k.clamp(-1080, 1024) / 2;
    f64::from(half).exp2() * f64::from(k.clamp(-1080, 1024) - half).exp2()
}

/// The exponent of `x`, which is finite and not zero.
fn exponent(x: f64) -> i32 {
    MultiFloat::<2>::from(x).exponent().unwrap_or(0)
}

/// Half the unit in the last place: the most the limb after `x` may be.
fn half_ulp(x: f64) -> f64 {
    power(exponent(x).max(-1022) - 53)
}

impl<const N: usize> Inputs<N> {
    /// Inputs that depend on the seed and on the operation's name alone.
    pub fn new(seed: u64, name: &str) -> Self {
        let hash = name.bytes().fold(seed ^ 0xcbf2_9ce4_8422_2325, |h, byte| {
            (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self { rng: ChaCha8Rng::seed_from_u64(hash) }
    }

    /// The specials of any domain: zeros, infinities, NaN, limits, ones and their neighbours, both
    /// signs.
    pub fn specials() -> Vec<MultiFloat<N>> {
        let positive = [
            MultiFloat::ZERO,
            MultiFloat::INFINITY,
            MultiFloat::MAX,
            MultiFloat::from(f64::MAX),
            MultiFloat::from(power(1023)),
            MultiFloat::MIN_FULL_PRECISION,
            MultiFloat::MIN_POSITIVE,
            MultiFloat::from(f64::MIN_POSITIVE.next_down()),
            MultiFloat::from(power(-1074)),
            MultiFloat::ONE,
            MultiFloat::from(2.0),
            MultiFloat::from(3.0),
            MultiFloat::from(0.5),
            MultiFloat::from(1.5),
            Self::pair(1.0, power(-1074)),
            Self::pair(1.0, -power(-1074)),
            Self::pair(1.0, -power(-53)),
            Self::pair(1.0, -power(-54)),
            Self::pair(0.5, -power(-1074)),
            Self::pair(power(1023), -power(-1074)),
        ];
        let mut all: Vec<_> = positive.iter().flat_map(|&x| [x, -x]).collect();
        all.push(MultiFloat::NAN);
        all
    }

    /// Two limbs followed by zeros.
    pub fn pair(high: f64, low: f64) -> MultiFloat<N> {
        let mut limbs = [0.0; N];
        (limbs[0], limbs[1]) = (high, low);
        MultiFloat::from_limbs(limbs)
    }

    /// A number of the domain.
    pub fn number(&mut self, domain: &Domain) -> MultiFloat<N> {
        loop {
            let x = if !domain.points.is_empty() && self.rng.random_ratio(1, 6) {
                self.around(domain)
            } else {
                let e = self.exponent(domain);
                let sign = if domain.negative && self.rng.random() { -1.0 } else { 1.0 };
                self.shaped(e, sign)
            };
            if self.accepts(domain, x) {
                return x;
            }
        }
    }

    /// Whether `x` is a number of the domain, in normal form.
    pub fn accepts(&self, domain: &Domain, x: MultiFloat<N>) -> bool {
        let first = x.first();
        first.is_finite()
            && first != 0.0
            && (domain.negative || first > 0.0)
            && domain.exponents.contains(&exponent(first))
            && x.abs() <= MultiFloat::MAX
            && is_normal_form(x)
    }

    /// `x` with one limb changed: a bit, the last bits, the sign, a factor of two. Need not be in
    /// normal form.
    pub fn mutated(&mut self, x: MultiFloat<N>) -> MultiFloat<N> {
        let mut limbs = x.limbs();
        let limb = &mut limbs[self.rng.random_range(0..N)];
        let bits = limb.to_bits();
        *limb = match self.rng.random_range(0..6) {
            0 => -*limb,
            1 => *limb * 2.0,
            2 => *limb / 2.0,
            3 => f64::from_bits(bits ^ (1 << self.rng.random_range(0..52))),
            4 => f64::from_bits(bits.wrapping_add(self.rng.random_range(0..9)).wrapping_sub(4)),
            _ => f64::from_bits(bits ^ (self.rng.random::<u64>() >> self.rng.random_range(12..64))),
        };
        MultiFloat::from_limbs(limbs)
    }

    /// Several exponent distributions: near 1, moderate, anywhere, at either end.
    fn exponent(&mut self, domain: &Domain) -> i32 {
        let (low, high) = (*domain.exponents.start(), *domain.exponents.end());
        let (from, to) = match self.rng.random_range(0..10) {
            0..4 => (-3, 3),
            4..6 => (-60, 60),
            6..8 => (low, high),
            8 => (low, low.saturating_add(120)),
            _ => (high.saturating_sub(3), high),
        };
        let (from, to) = (from.clamp(low, high), to.clamp(low, high));
        self.rng.random_range(from..=to)
    }

    /// A number with first limb near `±2^e`, of one of several shapes.
    pub fn shaped(&mut self, e: i32, sign: f64) -> MultiFloat<N> {
        let mut limbs = [0.0; N];
        let shape = self.rng.random_range(0..10);
        limbs[0] = sign * self.limb(shape, e);
        for i in 1..N {
            let previous = limbs[i - 1];
            if previous == 0.0 || !previous.is_finite() {
                break;
            }
            limbs[i] = self.next_limb(shape, previous);
        }
        MultiFloat::from_limbs(limbs)
    }

    /// A first limb with exponent `e`.
    fn limb(&mut self, shape: u32, e: i32) -> f64 {
        let fraction = match shape {
            // A power of two.
            0 => 0,
            // All ones.
            1 => (1 << 52) - 1,
            // A few leading bits: integers and halves among them.
            2 | 3 => self.rng.random::<u64>() & !(u64::MAX >> self.rng.random_range(12..24)),
            // A power of two and a little.
            4 => self.rng.random_range(0..4),
            _ => self.rng.random::<u64>(),
        } & ((1 << 52) - 1);
        let significand = 1.0 + fraction as f64 * f64::EPSILON;
        if e >= -1022 { significand * power(e) } else { (significand * power(e + 60)) * power(-60) }
    }

    /// A limb to follow `previous`.
    fn next_limb(&mut self, shape: u32, previous: f64) -> f64 {
        let half = half_ulp(previous);
        let sign = if self.rng.random() { 1.0 } else { -1.0 };
        let random = 1.0 + self.rng.random_range(0..1_u64 << 52) as f64 * f64::EPSILON;
        let gap = match self.rng.random_range(0..4) {
            0 => self.rng.random_range(1..4),
            1 => self.rng.random_range(1..60),
            2 => self.rng.random_range(1..400),
            _ => self.rng.random_range(1..2000),
        };
        match shape {
            // Ties: exactly half a unit.
            0 | 1 if self.rng.random_ratio(1, 2) => sign * half,
            // The most that does not reach it.
            0 | 1 | 5 => sign * half.next_down(),
            // A power of two further down.
            2 | 4 => sign * half * power(-gap),
            // Nothing.
            3 => 0.0,
            // A gap.
            6 => sign * (random * half) * power(-gap),
            _ => sign * random * half * power(-self.rng.random_range(1..3)),
        }
    }

    /// Near one of the domain's points.
    fn around(&mut self, domain: &Domain) -> MultiFloat<N> {
        let four = domain.points[self.rng.random_range(0..domain.points.len())];
        let limbs = core::array::from_fn(|i| four[i]);
        let point = MultiFloat::renormalize(limbs);
        if self.rng.random_ratio(1, 8) { point } else { self.neighbour(point) }
    }

    /// `x` moved by a relative distance of any size between 1 and below the last place.
    pub fn neighbour(&mut self, x: MultiFloat<N>) -> MultiFloat<N> {
        let Some(e) = x.exponent() else { return x };
        let sign = if self.rng.random() { 1.0 } else { -1.0 };
        let distance = self.rng.random_range(0..56 * N as i32);
        let shift = self.shaped((e - distance).max(-1074), sign);
        x + shift
    }

    /// A pair of numbers of the domains, often in a relation that is hard on sums and quotients.
    pub fn two(&mut self, domains: [&Domain; 2]) -> [MultiFloat<N>; 2] {
        let x = self.number(domains[0]);
        let y = self.number(domains[1]);
        let related = match self.rng.random_range(0..8) {
            // Near-cancellation, down to the last bit or entirely.
            0 => -self.neighbour(x),
            1 => self.neighbour(x),
            // The same limbs but for the last ones.
            2 => {
                let mut limbs = x.limbs();
                let from = self.rng.random_range(1..N);
                for limb in &mut limbs[from..] {
                    *limb = -*limb;
                }
                -MultiFloat::from_limbs(limbs)
            }
            // One in the other's tail.
            3 => match x.exponent() {
                Some(e) => {
                    let distance = self.rng.random_range(0..60 * N as i32);
                    self.shaped((e - distance).max(-1074), 1.0)
                }
                None => y,
            },
            _ => return [x, y],
        };
        let e = related.exponent();
        let inside = self.accepts(domains[1], related);
        if !inside {
            return [x, y];
        }
        if self.rng.random() && domains[0].negative == domains[1].negative {
            let [low, high] = [domains[0].exponents.start(), domains[0].exponents.end()];
            if e.is_some_and(|e| e >= *low && e <= *high) {
                return [related, x];
            }
        }
        [x, related]
    }
}

/// Whether the limbs are in the normal form that `nonius_num::multifloat` defines.
pub fn is_normal_form<const N: usize>(x: MultiFloat<N>) -> bool {
    let limbs = x.limbs();
    if !limbs[0].is_finite() {
        return limbs[1..].iter().all(|&limb| limb == 0.0);
    }
    limbs.windows(2).all(|pair| {
        let [high, low] = [pair[0].abs(), pair[1].abs()];
        // `high` is at most MAX, whose successor is infinite; its ulp is that of its predecessor.
        let ulp = if high == f64::MAX { high - high.next_down() } else { high.next_up() - high };
        low == 0.0 || (high != 0.0 && low <= ulp / 2.0)
    })
}
