//! Moduli, and how sums of products become residues.

use core::ops::Range;

use nonius_num::rns::Moduli;

use super::words::Words;

/// One modulus.
pub(super) struct Channel {
    pub(super) modulus: i32,
    /// Whether it takes two digits.
    pub(super) large: bool,
    pub(super) planes: Range<usize>,
    pub(super) product_planes: Range<usize>,
    pub(super) reduction: Reduction,
}

impl Channel {
    pub(super) fn all(moduli: &Moduli) -> Vec<Self> {
        let (mut planes, mut product_planes) = (0, 0);
        let channel = |&modulus: &u32| {
            let large = modulus > Moduli::LARGEST_OF_ONE_BYTE;
            let modulus = modulus as i32;
            let first = (planes, product_planes);
            planes += if large { 3 } else { 1 };
            product_planes += if large { 2 } else { 1 };
            Self {
                modulus,
                large,
                planes: first.0..planes,
                product_planes: first.1..product_planes,
                reduction: Reduction::new(modulus, large),
            }
        };
        moduli.values().iter().map(channel).collect()
    }
}

/// How sums of products become residues.
pub(super) struct Reduction {
    pub(super) modulus: i32,
    pub(super) reciprocal: f32,
    /// For each plane the factors of the halves of a sum, the lower of which has its highest bit inverted.
    pub(super) factors: [i32; 3],
    /// What takes that back.
    pub(super) start: i32,
}

impl Reduction {
    pub(super) fn new(modulus: i32, large: bool) -> Self {
        // Karatsuba: low + 128·(sum − low − high) + 128²·high.
        let factors: &[i64] = if large { &[-127, 128 * 127, 128] } else { &[1] };
        let mut reduction =
            Self { modulus, reciprocal: 1.0 / modulus as f32, factors: [0; 3], start: 0 };
        let mut start = 0;
        for (to, &factor) in reduction.factors.iter_mut().zip(factors) {
            *to = halves(balanced(factor, modulus), balanced(factor << 16, modulus));
            start += factor << 15;
        }
        reduction.start = balanced(start, modulus);
        reduction
    }

    /// `x + factor·sum` for plane `p`.
    #[inline(always)]
    pub(super) fn add<W: Words>(&self, x: W, sum: W, p: usize) -> W {
        x.dot_halves(sum.xor(W::splat(1 << 15)), W::splat(self.factors[p]))
    }

    /// The balanced residue, for `|x| < 2^18`.
    #[inline(always)]
    pub(super) fn small<W: Words>(&self, x: W) -> W {
        let quotient = x.scaled(self.reciprocal, 0.0);
        x.dot_halves(quotient, W::splat(halves(-self.modulus, 0)))
    }

    /// A residue up to `m·(1/2 + 2^-6)` in magnitude.
    #[inline(always)]
    pub(super) fn large<W: Words>(&self, x: W) -> W {
        x.sub(x.scaled(self.reciprocal, 0.0).mul(W::splat(self.modulus)))
    }
}

/// `x mod m` from `−m/2` to `(m − 1)/2`.
pub(super) fn balanced(x: i64, modulus: i32) -> i32 {
    let m = i64::from(modulus);
    let residue = x.rem_euclid(m);
    (if 2 * residue >= m { residue - m } else { residue }) as i32
}

/// Two balanced residues as the halves of a word.
pub(super) fn halves(low: i32, high: i32) -> i32 {
    (low & 0xffff) | high << 16
}
