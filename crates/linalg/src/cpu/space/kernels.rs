//! Operations on lines of numbers of words, as kernels for the instructions of the processor that is found.

use nonius_num::Lane;
use nonius_num::mp::{Bits, Head, MpRef, axpy, gathered_dot, xpay};

use crate::cpu::simd::Kernel;

/// Numbers: heads, and words one number after the other.
pub type Line<'a> = (&'a [Head], &'a [u64]);

/// [`axpy`].
pub struct Axpy<'a> {
    /// The factor of `x`.
    pub alpha: MpRef<'a>,
    /// The vector that is read.
    pub x: Line<'a>,
    /// The vector that is changed.
    pub y: (&'a mut [Head], &'a mut [u64]),
}

impl Kernel for Axpy<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        axpy(self.alpha, self.x, self.y);
    }
}

/// [`xpay`].
pub struct Xpay<'a> {
    /// The vector that is read.
    pub x: Line<'a>,
    /// The factor of `y`.
    pub beta: MpRef<'a>,
    /// The vector that is changed.
    pub y: (&'a mut [Head], &'a mut [u64]),
}

impl Kernel for Xpay<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        xpay(self.x, self.beta, self.y);
    }
}

/// The sum of products of numbers in the same places, as [`gathered_dot`] rounds it.
pub struct Dot<'a> {
    /// Of all numbers.
    pub bits: Bits,
    /// The vector that is read.
    pub x: Line<'a>,
    /// The other vector.
    pub y: Line<'a>,
    /// The words of the sum.
    pub to: &'a mut [u64],
}

impl Kernel for Dot<'_> {
    type Output = Head;

    #[inline(always)]
    fn run<L: Lane>(self) -> Head {
        let pairs = (0..self.x.0.len()).map(|i| (i, i));
        gathered_dot(self.bits, self.x, self.y, pairs, self.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::simd::{Level, dispatch_words};

    /// Numbers between ±1 from a congruential sequence.
    fn line(bits: Bits, n: usize, mut state: u64) -> (Vec<Head>, Vec<u64>) {
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            state ^ state >> 29
        };
        let (mut heads, mut words) = (Vec::new(), Vec::new());
        for _ in 0..n {
            let x: Vec<u64> = (0..bits.words()).map(|_| next()).collect();
            let mut to = vec![0; bits.words()];
            let exponent = (next() % 9) as i64 - 64 * bits.words() as i64;
            heads.push(nonius_num::mp::round(
                bits,
                next() >> 40 & 1 == 1,
                &x,
                exponent,
                false,
                &mut to,
            ));
            words.extend(to);
        }
        (heads, words)
    }

    #[test]
    fn instructions_do_not_change_results() {
        for p in [64, 106, 128, 212, 424, 500, 512, 600] {
            let bits = Bits::new(p).unwrap();
            let (a, x, y) = (line(bits, 1, 1), line(bits, 300, 2), line(bits, 300, 3));
            let alpha = MpRef::new(bits, a.0[0], &a.1);
            let (x, y) = ((&*x.0, &*x.1), (&*y.0, &*y.1));
            let mut results = Vec::new();
            for level in Level::available() {
                Level::set(level);
                let mut z = (y.0.to_vec(), y.1.to_vec());
                dispatch_words(Axpy { alpha, x, y: (&mut z.0, &mut z.1) });
                dispatch_words(Xpay { x, beta: alpha, y: (&mut z.0, &mut z.1) });
                let mut to = vec![0; bits.words()];
                let head = dispatch_words(Dot { bits, x, y, to: &mut to });
                results.push((z, head, to));
            }
            Level::set(Level::best());
            assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "mp{p}");
        }
    }
}
