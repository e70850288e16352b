//! Residues of integers in digits.

use alloc::vec::Vec;

use super::fixed_point::power;
use crate::Lane;

/// Which of the residues of a number is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// From `−m/2` to `(m − 1)/2`.
    Balanced,
    /// From 0 to `m − 1`.
    Positive,
}

/// Bits of the digits of integers of which residues are made.
pub const DIGIT: u32 = 24;

/// Makes residues modulo one number, of integers in digits to base `2^24`.
#[derive(Clone, Debug)]
pub struct Residues {
    /// `2^(24i)·factor mod m`, balanced.
    weights: Vec<f64>,
    modulus: f64,
    reciprocal: f64,
    /// What lies in the middle of the range.
    middle: f64,
}

impl Residues {
    /// Residues modulo `modulus` of `factor` times integers of `digits` digits.
    ///
    /// Panics where the digits are so many that a quotient might be rounded wrongly: for `d` of
    /// them, where `d·modulus·2^24 > 2^53`.
    pub fn new(modulus: u32, factor: u32, digits: usize, sign: Sign) -> Self {
        let m = u64::from(modulus);
        let largest = digits as f64 * f64::from(modulus) * power(DIGIT);
        assert!(largest <= power(53), "{digits} digits modulo {modulus}");
        let mut weight = u64::from(factor) % m;
        let mut weights = Vec::with_capacity(digits);
        for _ in 0..digits {
            weights.push(if 2 * weight > m { weight as f64 - m as f64 } else { weight as f64 });
            weight = (weight << DIGIT) % m;
        }
        let middle = match sign {
            Sign::Balanced if modulus.is_multiple_of(2) => -0.5,
            Sign::Balanced => 0.0,
            Sign::Positive => (f64::from(modulus) - 1.0) / 2.0,
        };
        let modulus = f64::from(modulus);
        Self { weights, modulus, reciprocal: 1.0 / modulus, middle }
    }

    /// The residues of `V` registers of integers `Σ digits[i][v]·2^(24i)`, with digits of magnitude
    /// up to `2^24`.
    ///
    /// Exact: the quotient is rounded right, because what lies in the middle of the range is taken
    /// off, so that it is never near a tie.
    #[inline(always)]
    pub fn of<const V: usize, L: Lane>(&self, digits: &[[L; V]]) -> [L; V] {
        let middle = L::splat(self.middle);
        let mut sums = [-middle; V];
        for (digits, &weight) in digits.iter().zip(&self.weights) {
            let weight = L::splat(weight);
            for (sum, &digit) in sums.iter_mut().zip(digits) {
                *sum = digit.mul_add(weight, *sum);
            }
        }
        for sum in &mut sums {
            *sum = remainder(*sum, self.modulus, self.reciprocal);
            if self.middle != 0.0 {
                *sum = *sum + middle;
            }
        }
        sums
    }
}

/// The integer `x` less the multiple of `modulus` that is nearest to it, but for a rounding of the
/// quotient where two are almost as near.
///
/// Exact for `|x| <= 2^53` and quotients up to `2^51`; `reciprocal` is `1 / modulus`, rounded.
#[inline(always)]
pub fn remainder<L: Lane>(x: L, modulus: f64, reciprocal: f64) -> L {
    // 1.5·2^52: adding it rounds to an integer.
    let anchor = L::splat(6_755_399_441_055_744.0);
    let quotient = x.mul_add(L::splat(reciprocal), anchor) - anchor;
    quotient.mul_add(L::splat(-modulus), x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decimal::testing::Random;

    #[test]
    fn residues_are_congruent_and_in_range() {
        let mut random = Random::new(6);
        for modulus in [2, 3, 255, 256, 16_253, (1 << 22) - 3, 1 << 22] {
            for factor in [1, 5, modulus - 1] {
                let balanced = Residues::new(modulus, factor, 5, Sign::Balanced);
                let positive = Residues::new(modulus, factor, 5, Sign::Positive);
                for round in 0..300 {
                    let mut digits = [[0.0]; 5];
                    let (mut exact, m) = (0_i128, i128::from(modulus));
                    for (i, digit) in digits.iter_mut().enumerate() {
                        let d = match round % 3 {
                            0 => (random.next() as i64) >> 39,
                            1 => 1 << 24,
                            _ => -(random.below(3) as i64),
                        };
                        *digit = [d as f64];
                        exact = (exact + i128::from(d) * (1_i128 << (24 * i)) % m) % m;
                    }
                    exact = exact * i128::from(factor) % m;
                    let [found] = balanced.of(&digits);
                    assert!((-m..m).contains(&(2 * found as i128)), "{found} modulo {m}");
                    assert_eq!((found as i128 - exact) % m, 0, "{modulus}");
                    let [found] = positive.of(&digits);
                    assert_eq!(found as i128, exact.rem_euclid(m), "{modulus}");
                }
            }
        }
    }
}
