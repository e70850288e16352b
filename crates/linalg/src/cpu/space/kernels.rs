//! Operations on lines of numbers of words, for the instructions of the processor that is found.
//! They are compiled here for all who call them.

use nonius_num::Lane;
use nonius_num::mp::{self, Bits, Head, MpRef, gathered_dot};

use crate::cpu::simd::{Kernel, dispatch_words};

/// Numbers: heads, and words one number after the other.
pub type Line<'a> = (&'a [Head], &'a [u64]);

/// [`axpy`](nonius_num::mp::axpy) by the instructions of the processor that is found.
#[inline(never)]
pub fn axpy(alpha: MpRef<'_>, x: Line<'_>, y: (&mut [Head], &mut [u64])) {
    dispatch_words(Axpy { alpha, x, y });
}

/// [`xpay`](nonius_num::mp::xpay), likewise.
#[inline(never)]
pub fn xpay(x: Line<'_>, beta: MpRef<'_>, y: (&mut [Head], &mut [u64])) {
    dispatch_words(Xpay { x, beta, y });
}

/// The sum of products of numbers in the same places, as [`gathered_dot`] rounds it.
#[inline(never)]
pub fn dot(bits: Bits, x: Line<'_>, y: Line<'_>, to: &mut [u64]) -> Head {
    dispatch_words(Dot { bits, x, y, to })
}

/// [`gathered_dot`], likewise.
#[inline(never)]
pub fn dot_of_pairs(
    bits: Bits,
    x: Line<'_>,
    y: Line<'_>,
    pairs: &[(usize, usize)],
    to: &mut [u64],
) -> Head {
    dispatch_words(Gather { bits, x, y, pairs, to })
}

/// Numbers of a line at equal distances.
#[derive(Clone, Copy)]
pub(in crate::cpu) struct Place {
    pub(in crate::cpu) first: usize,
    pub(in crate::cpu) step: usize,
    pub(in crate::cpu) count: usize,
}

/// The sum of products of numbers in places of two lines, as [`gathered_dot`] rounds it.
#[inline(never)]
pub(in crate::cpu) fn dot_of_places(
    bits: Bits,
    x: (Line<'_>, Place),
    y: (Line<'_>, Place),
    to: &mut [u64],
) -> Head {
    dispatch_words(Places { bits, x, y, to })
}

struct Places<'a> {
    bits: Bits,
    x: (Line<'a>, Place),
    y: (Line<'a>, Place),
    to: &'a mut [u64],
}

impl Kernel for Places<'_> {
    type Output = Head;

    #[inline(always)]
    fn run<L: Lane>(self) -> Head {
        let ((x, at), (y, other)) = (self.x, self.y);
        let pair = move |k: usize| (at.first + k * at.step, other.first + k * other.step);
        gathered_dot(self.bits, x, y, (0..at.count.min(other.count)).map(pair), self.to)
    }
}

struct Axpy<'a> {
    alpha: MpRef<'a>,
    x: Line<'a>,
    y: (&'a mut [Head], &'a mut [u64]),
}

impl Kernel for Axpy<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        mp::axpy(self.alpha, self.x, self.y);
    }
}

struct Xpay<'a> {
    x: Line<'a>,
    beta: MpRef<'a>,
    y: (&'a mut [Head], &'a mut [u64]),
}

impl Kernel for Xpay<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        mp::xpay(self.x, self.beta, self.y);
    }
}

struct Dot<'a> {
    bits: Bits,
    x: Line<'a>,
    y: Line<'a>,
    to: &'a mut [u64],
}

impl Kernel for Dot<'_> {
    type Output = Head;

    #[inline(always)]
    fn run<L: Lane>(self) -> Head {
        let pairs = (0..self.x.0.len()).map(|i| (i, i));
        gathered_dot(self.bits, self.x, self.y, pairs, self.to)
    }
}

struct Gather<'a> {
    bits: Bits,
    x: Line<'a>,
    y: Line<'a>,
    pairs: &'a [(usize, usize)],
    to: &'a mut [u64],
}

impl Kernel for Gather<'_> {
    type Output = Head;

    #[inline(always)]
    fn run<L: Lane>(self) -> Head {
        gathered_dot(self.bits, self.x, self.y, self.pairs.iter().copied(), self.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::simd::Level;

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
                axpy(alpha, x, (&mut z.0, &mut z.1));
                xpay(x, alpha, (&mut z.0, &mut z.1));
                let mut to = vec![0; bits.words()];
                let head = dot(bits, x, y, &mut to);
                let mut again = vec![0; bits.words()];
                let pairs: Vec<_> = (0..x.0.len()).map(|i| (i, i)).collect();
                assert_eq!(dot_of_pairs(bits, x, y, &pairs, &mut again), head, "mp{p}");
                assert_eq!(again, to, "mp{p}");
                results.push((z, head, to));
            }
            Level::set(Level::best());
            assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "mp{p}");
        }
    }
}
