//! Numbers plus multiples of one factor, from upper words.
//!
//! **Method.** Let `n` be the words of a number. Product and summand are brought to a common unit
//! `2^(T − 64W)`, where `2^T` is four or eight times the larger one's bound, and added in two's
//! complement of `W` words: `n` where the precision leaves at least 16 bits of the lowest word
//! unused, else `n + 1`. The factor is kept at all 64 offsets in a word, cut to `W` words, so that
//! a product need not be shifted by bits; of its columns the upper ones are computed, and of the
//! uppermost one that is left out the upper halves.
//!
//! **Error.** In units: less than `2n` by what the product leaves out (`n` lower halves, `n − 1`
//! products of the next column, each less than 1, and less than 1 from all others), 1 from the cut
//! of the factor, 1 from that of the summand, 1 since a negative sum is inverted, not negated: less
//! than `2n + 4` in all. Where everything within that of the sum lies on one side of the middle of
//! two numbers, as it nearly always does, the nearest number is known; [`plus`](Multiple::plus)
//! says `None` where it does not, and where so many bits cancel that the error reaches a quarter of
//! the last place.
//!
//! **Speed.** What depends on heads alone is done for [`BLOCK`] numbers ahead, which compilers do
//! in vector registers. What then depends on a number's words has no branch that signs, exponents
//! or rounding could send either way.

use super::MpRef;
use super::head::Head;
use super::rows;
use crate::integers::words::add_with_carry;

/// Numbers whose places are computed ahead.
pub(super) const BLOCK: usize = 32;

/// A factor of `N` words, for sums of `W`.
pub(super) struct Multiple<const N: usize, const W: usize> {
    e: i32,
    negative: bool,
    padding: u32,
    /// The factor over `2^k`.
    shifted: [[u64; W]; 64],
}

/// How a product and a summand lie in their sum.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Exponent of the sum's bound.
    top: i32,
    /// Bits that the product begins below it; more than any sum has where upper words cannot do.
    product: u32,
    /// Bits that the summand begins below it, no multiple of 64.
    summand: u32,
    /// Of the product twice, and whether that of the summand differs.
    signs: u32,
}

/// Places of a block.
#[derive(Default)]
pub(super) struct Places {
    top: [i32; BLOCK],
    product: [u32; BLOCK],
    summand: [u32; BLOCK],
    signs: [u32; BLOCK],
}

impl Places {
    #[inline(always)]
    pub(super) fn set(&mut self, i: usize, place: Place) {
        let i = i % BLOCK;
        self.top[i] = place.top;
        self.product[i] = place.product;
        self.summand[i] = place.summand;
        self.signs[i] = place.signs;
    }

    #[inline(always)]
    pub(super) fn at(&self, i: usize) -> Place {
        let i = i % BLOCK;
        Place {
            top: self.top[i],
            product: self.product[i],
            summand: self.summand[i],
            signs: self.signs[i],
        }
    }
}

impl<const N: usize, const W: usize> Multiple<N, W> {
    /// `None` for a factor that is zero or not finite, or of other words.
    #[inline(always)]
    pub(super) fn new(a: MpRef<'_>) -> Option<Self> {
        const { assert!(N >= 2 && N <= 8 && (W == N || W == N + 1)) };
        let mut words = [0; W];
        words[W - N..].copy_from_slice(a.words().first_chunk::<N>()?);
        let mut shifted = [[0; W]; 64];
        for (k, to) in shifted.iter_mut().enumerate() {
            for i in 0..W {
                let above = if i + 1 < W { words[i + 1] } else { 0 };
                to[i] = rows::funnel(words[i], above, k as u32);
            }
        }
        let (e, negative) = (a.head().exponent()?, a.head().is_negative());
        Some(Self { e, negative, padding: a.bits().padding(), shifted })
    }

    /// Where the multiple of a number lies beside another.
    #[inline(always)]
    pub(super) fn place(&self, hu: Head, hv: Head) -> Place {
        // So far from the ends of the range that no sum gets there.
        const EDGE: i32 = Head::GREATEST_EXPONENT - 1024;
        let reach = 64 * W as i32;
        let (e, other) = (self.e + hu.code(), hv.code());
        // A zero lies beside the other number wherever one likes.
        let e = if hu.is_zero() { other } else { e };
        let other = if hv.is_zero() { e } else { other };
        let usual = e.wrapping_add(EDGE) as u32 <= 2 * EDGE as u32;
        let near = e.wrapping_sub(other).wrapping_add(reach) as u32 <= 2 * reach as u32;
        let top = e.max(other) + 2;
        let top = top + i32::from(top.wrapping_sub(other) & 63 == 0);
        let rare = u32::from(!(usual & near)) << 31;
        let negative = u32::from(self.negative != hu.is_negative());
        Place {
            top,
            product: top.wrapping_sub(e) as u32 | rare,
            summand: top.wrapping_sub(other) as u32,
            signs: negative << 1 | negative ^ u32::from(hv.is_negative()),
        }
    }

    /// The words `v` of a number plus the multiple of one with the words `u`, rounded, where that
    /// can be told from what is computed.
    #[inline(always)]
    pub(super) fn plus(
        &self,
        place: Place,
        u: &[u64; N],
        v: &[u64; N],
    ) -> Option<(Head, [u64; N])> {
        let sum = if (place.product | place.summand) < 64 {
            let mut summand = [0; W];
            summand[W - N..].copy_from_slice(v);
            total(place, self.product(place, u), |i| if i < W { summand[i] } else { 0 })
        } else {
            self.apart(place, u, v)?
        };
        self.round(place, sum)
    }

    /// The upper words of the product.
    #[inline(always)]
    fn product(&self, place: Place, u: &[u64; N]) -> [u64; W] {
        rows::upper::<N, W, N, W>(u, &self.shifted[place.product as usize % 64])
    }

    /// The sum where words lie between the upper ends.
    #[inline(never)]
    fn apart(&self, place: Place, u: &[u64; N], v: &[u64; N]) -> Option<[u64; W]> {
        let (mut product, mut summand) = ([[0; W]; 3], [[0; W]; 3]);
        product[0] = self.product(place, u);
        summand[0][W - N..].copy_from_slice(v);
        let product = product.as_flattened().get(place.product as usize / 64..)?.first_chunk()?;
        let summand = summand.as_flattened().get(place.summand as usize / 64..)?;
        let summand = summand.get(..=W)?;
        Some(total(place, *product, |i| summand[i]))
    }

    /// The number nearest to a sum in two's complement.
    #[inline(always)]
    fn round(&self, place: Place, mut sum: [u64; W]) -> Option<(Head, [u64; N])> {
        let sign = (sum[W - 1] as i64 >> 63) as u64;
        for word in &mut sum {
            *word ^= sign;
        }
        let negative = place.signs >> 1 ^ sign as u32 & 1;
        let zeros = sum[W - 1].leading_zeros();
        // Between 1 and 63, else the sum is not used.
        let (left, right) = (zeros & 63, zeros.wrapping_neg() & 63);
        let mut words = [0; N];
        for (i, word) in words.iter_mut().enumerate() {
            let k = i + W - N;
            let below = if k > 0 { sum[k - 1] >> right } else { 0 };
            *word = sum[k] << left ^ below;
        }
        let (padding, lost) = (self.padding, (2 * N as u64 + 4) << left);
        let over;
        if W == N {
            let mask = (1_u64 << padding) - 1;
            (words[0], over) = words[0].overflowing_add((mask >> 1) + 1);
            if (zeros > padding - 7) | (words[0].wrapping_add(lost) & mask <= lost << 1) {
                return None;
            }
            words[0] &= !mask;
        } else {
            // The 64 bits below the precision.
            let tail = (words[0] << (63 - padding)) << 1 | (sum[0] << left) >> padding;
            let lost = (lost >> padding) + 1;
            if (zeros > 30) | (tail.wrapping_add(1 << 63).wrapping_add(lost) <= lost << 1) {
                return None;
            }
            let unit = tail >> 63 << padding;
            (words[0], over) = (words[0] & u64::MAX << padding).overflowing_add(unit);
        }
        let mut e = place.top - zeros as i32;
        if over {
            let mut carry = true;
            for word in &mut words[1..] {
                (*word, carry) = word.overflowing_add(u64::from(carry));
            }
            if carry {
                words[N - 1] = 1 << 63;
                e += 1;
            }
        }
        Some((Head::within(negative == 1, e), words))
    }
}

/// A product, and a summand shifted down by bits and with the sign that it has beside the product.
#[inline(always)]
fn total<const W: usize>(
    place: Place,
    product: [u64; W],
    summand: impl Fn(usize) -> u64,
) -> [u64; W] {
    let offset = place.summand % 64;
    let mut carry = place.signs & 1 == 1;
    let flip = 0_u64.wrapping_sub(u64::from(carry));
    let mut sum = [0; W];
    for i in 0..W {
        let word = summand(i) >> offset ^ summand(i + 1) << (64 - offset);
        (sum[i], carry) = add_with_carry(product[i], word ^ flip, carry);
    }
    sum
}
