//! Sums of products, rounded once.
//!
//! **Method.** Products of significands are exact in residues, and those of equal exponents have an
//! exact sum, which takes one reduction for each product and residue, no rounding and no
//! evaluation. Of such sums, a *bin* for each exponent, each is then rounded to a multiple of one
//! unit `2^f` and added to an integer `S`, which is rounded to `p` bits in the end. With `2^E`
//! above all products in magnitude and `c = ⌈log2 n⌉` for `n` of them, `f = E + c + 1 − 2p`. After
//! `2^(log − 2 − 2p)` products, with `log = ⌊log2 M⌋`, a bin might be full, and all are emptied
//! into `S`.
//!
//! **Error.** `|S| <= n·2^(E − f) + n <= 2^(2p)`. A bin loses less than a unit whenever it is
//! emptied, and holds a product at least then; a product that is left out is less than a unit. So
//! `S` is off by less than `n·2^f <= 2^(E + 2c + 1 − 2p)`. The largest product is at least
//! `2^(E − 2)`, so that the result is within
//!
//! `(1 + 2^(2c + 4 − p))·u·Σ|x_k·y_k|`
//!
//! of the exact sum, with `u = 2^-p`, for all exponents and however much cancels. Where the sum
//! cancels, more is true: it is within half a unit of its own last place and `2^(E + 2c + 1 − 2p)`.

use alloc::vec::Vec;

use super::format::{CAPACITY, Format, GROUP, Tables};
use super::modular::{multiplied, reduced};
use super::{RnsFloat, RnsRef};
use crate::mp::{Head, product_of_specials};

/// Memory for sums of products of numbers of one format.
///
/// ```
/// use nonius_num::RnsFloat;
/// use nonius_num::rns::float::{Dot, Format};
///
/// let format = Format::with_bits(106)?;
/// let number = |x: f64| RnsFloat::from_f64(&format, x);
/// let terms = [(number(3.0), number(0.5)), (number(2.0), number(-0.25))];
/// let mut dot = Dot::new(&format).unwrap();
/// assert_eq!(dot.of(terms.iter().map(|(x, y)| (x.view(), y.view()))).to_f64(), 1.0);
/// # Ok::<(), nonius_num::rns::float::FormatError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Dot {
    format: Format,
    /// For each distance below the largest product, in powers of two: the place in `bins` of the
    /// products there, plus 1; 0 where there are none.
    places: Vec<u32>,
    /// Distances that have a bin.
    used: Vec<u32>,
    /// Sums of products of stored residues, by `2^32`.
    bins: Vec<u64>,
    sum: Vec<u32>,
}

impl Dot {
    /// The lowest precision that the bound is made for.
    pub const LEAST_BITS: u32 = 53;

    /// For numbers of this format; `None` below [`LEAST_BITS`](Self::LEAST_BITS).
    pub fn new(format: &Format) -> Option<Self> {
        (format.bits() >= Self::LEAST_BITS).then(|| Self {
            format: format.clone(),
            places: Vec::new(),
            used: Vec::new(),
            bins: Vec::new(),
            sum: Vec::new(),
        })
    }

    /// The sum of products, rounded, to within `(1 + 2^(2c + 4 − p))·u·Σ|x_k·y_k|` with
    /// `c = ⌈log2 n⌉` for `n` of them. A sum of nothing, or one that cancels, is +0. Where a number
    /// is not finite, the sum is what IEEE 754 makes of it.
    ///
    /// Panics unless the numbers are of the format of these sums.
    pub fn of<'a, I>(&mut self, terms: I) -> RnsFloat
    where
        I: Iterator<Item = (RnsRef<'a>, RnsRef<'a>)> + Clone,
    {
        let mut result = RnsFloat::zero(&self.format);
        let (mut count, mut greatest) = (0_u64, i32::MIN);
        let mut infinite: Option<Head> = None;
        for (x, y) in terms.clone() {
            assert!(*x.format == self.format && *y.format == self.format, "format");
            count += 1;
            if x.head.exponent().is_some() && y.head.exponent().is_some() {
                greatest = greatest.max(x.head.code() + y.head.code());
            } else if !(x.head.is_finite() && y.head.is_finite()) {
                let head = product_of_specials(x.head, y.head);
                if head.is_nan() || infinite.is_some_and(|before| before != head) {
                    return RnsFloat::nan(&self.format);
                }
                infinite = Some(head);
            }
        }
        if let Some(head) = infinite {
            result.head = head;
            return result;
        }
        if greatest == i32::MIN {
            return result;
        }
        let Self { format, places, used, bins, sum } = self;
        let tables = format.tables();
        let (p, lanes) = (tables.bits, tables.lanes());
        let logarithm = u64::BITS - (count - 1).leading_zeros();
        let room = (tables.log - 2 - 2 * p).min(30);
        // A bin is divided by two to the power of its distance and this.
        let down = logarithm as usize + 1;
        places.clear();
        // Products are below 2^(2p).
        places.resize(2 * p - down, 0);
        sum.clear();
        sum.resize(lanes, 0);
        let mut left = 1_u64 << room;
        for (x, y) in terms {
            if x.head.exponent().is_none() || y.head.exponent().is_none() {
                continue;
            }
            let distance =
                (i64::from(greatest) - i64::from(x.head.code() + y.head.code())) as usize;
            let Some(place) = places.get_mut(distance) else { continue };
            if *place == 0 {
                used.push(distance as u32);
                *place = used.len() as u32;
                bins.resize(used.len() * lanes, 0);
            }
            let bin = &mut bins[(*place as usize - 1) * lanes..][..lanes];
            let negative = x.head.is_negative() != y.head.is_negative();
            tables.accumulate(x.residues, y.residues, negative, bin);
            left -= 1;
            if left == 0 {
                tables.empty(places, used, bins, down, sum);
                left = 1 << room;
            }
        }
        tables.empty(places, used, bins, down, sum);
        let Some(z) = tables.measure(sum, 2 * p) else { return result };
        result.residues.copy_from_slice(sum);
        if z.negative {
            tables.negate(&mut result.residues);
        }
        let unit = i64::from(greatest) + down as i64 - 2 * p as i64;
        (result.head, result.bounds) = tables.finish(&mut result.residues, z, unit);
        result
    }
}

impl Tables {
    /// Adds `±x·y / 2^32` to a bin.
    #[inline(always)]
    fn accumulate(&self, x: &[u32], y: &[u32], negative: bool, bin: &mut [u64]) {
        let mask = if negative { u32::MAX } else { 0 };
        let moduli = self.moduli.as_chunks::<GROUP>().0.iter();
        let moduli = moduli.zip(self.inverses.as_chunks::<GROUP>().0);
        let operands = x.as_chunks::<GROUP>().0.iter().zip(y.as_chunks::<GROUP>().0);
        let bins = bin.as_chunks_mut::<GROUP>().0.iter_mut();
        for ((bin, (x, y)), (m, inverse)) in bins.zip(operands).zip(moduli) {
            let terms: [u32; GROUP] = core::array::from_fn(|i| {
                let product = multiplied(x[i], y[i], m[i], inverse[i]);
                // m − product where negative.
                (product ^ mask).wrapping_add((m[i] + 1) & mask)
            });
            *bin = core::array::from_fn(|i| bin[i] + u64::from(terms[i]));
        }
    }

    /// Adds the bins to the sum and leaves none; a bin is divided by two to the power of its
    /// distance and `down`.
    fn empty(
        &self,
        places: &mut [u32],
        used: &mut Vec<u32>,
        bins: &mut Vec<u64>,
        down: usize,
        sum: &mut [u32],
    ) {
        let mut buffer = [0; CAPACITY];
        let integer = &mut buffer[..self.lanes()];
        for (&distance, bin) in used.iter().zip(bins.chunks_exact(self.lanes())) {
            places[distance as usize] = 0;
            let moduli = self.moduli.iter().zip(&self.inverses);
            for ((to, &bin), (&m, &inverse)) in integer.iter_mut().zip(bin).zip(moduli) {
                *to = reduced(bin, m, inverse);
            }
            self.multiply(integer, &self.cofactors);
            self.multiply(integer, self.power(32));
            let mut rest = distance as usize + down;
            while rest > 0 {
                let step = rest.min(self.bits);
                self.divide_by_power(integer, step);
                rest -= step;
            }
            self.add(sum, integer);
        }
        used.clear();
        bins.clear();
    }
}
