//! Cube roots and lengths of vectors, from integers.

use super::super::ball::Ball;
use super::super::ziv::round;
use crate::integers::big::Big;
use crate::mp::Mp;

impl Mp {
    /// Cube root, correctly rounded.
    ///
    /// The root of an integer of three times the bits, and whether it is exact, decide the
    /// rounding.
    #[must_use]
    pub fn cbrt(&self) -> Self {
        if self.head.exponent().is_none() {
            return *self;
        }
        let x = Ball::exact(self.view());
        let words = Big::from_words(&x.words);
        let wanted = 3 * (self.bits.get() as usize + 2);
        let up = wanted.saturating_sub(words.bit_length());
        let up = up + (x.unit() - up as i64).rem_euclid(3) as usize;
        let cube = words.shl(up);
        let root = cube_root(&cube);
        let exact = root.mul(&root).mul(&root) == cube;
        let unit = (x.unit() - up as i64) / 3;
        Self::rounded(self.bits, x.negative, root.words(), unit, !exact)
    }

    /// `√(self² + y²)`, correctly rounded to the greater number of bits; infinite where one of them
    /// is.
    ///
    /// The sum of the squares is exact, unless the smaller one cannot change the larger number.
    #[must_use]
    pub fn hypot(&self, y: &Self) -> Self {
        let bits = self.bits.max(y.bits);
        if self.head.is_infinite() || y.head.is_infinite() {
            return Self::infinity(bits, false);
        }
        if self.is_nan() || y.is_nan() {
            return Self::nan(bits);
        }
        let (large, small) = if self.abs() < y.abs() { (y, self) } else { (self, y) };
        let (x, y) = (Ball::exact(large.view()), Ball::exact(small.view()));
        // √(x² + y²) − x < y²/2x is below a quarter unit of the last place of x.
        if y.is_zero() || 2 * (x.exponent - y.exponent) > i64::from(bits.get()) + 2 {
            return large.abs().view().to_mp(bits);
        }
        let square = |x: &Ball| x.mul(x, 2 * x.words.len());
        let (a, b) = (square(&x), square(&y));
        let length = (a.exponent - a.unit().min(b.unit())) as usize / 64 + 2;
        let sum = a.add(&b, length);
        debug_assert!(sum.is_exact());
        round(bits, |n| sum.sqrt(n))
    }
}

/// `⌊∛x⌋`: from the root of the upper half of the bits by Newton's iteration, which falls from
/// above.
fn cube_root(x: &Big) -> Big {
    let bits = x.bit_length();
    if bits <= 48 {
        let number = x.low_word();
        let mut root = libm::cbrt(number as f64) as u64 + 1;
        while root * root * root > number {
            root -= 1;
        }
        return Big::from_words(&[root]);
    }
    let (one, three) = (Big::from_words(&[1]), Big::from_words(&[3]));
    let low = (bits - 6) / 6;
    let above = cube_root(&x.shr(3 * low)).add(&one);
    let quotient = x.shr(2 * low).divide(&above.mul(&above)).0;
    let mut root = above.shl(low + 1).add(&quotient).divide(&three).0;
    while root.mul(&root).mul(&root) > *x {
        root = root.sub(&one);
    }
    root
}
