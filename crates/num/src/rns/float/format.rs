//! Sets of moduli, and the tables that go with them.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::modular::inverse_of_odd;
use crate::integers::big::Big;
use crate::integers::words::bits_at;
use crate::rns::crt::inverse;
use crate::rns::moduli::gcd;

/// A set of moduli and a precision, which all numbers of a kind share. A clone shares the tables.
///
/// ```
/// use nonius_num::rns::float::{Format, FormatError};
///
/// // Three moduli below 2³¹ have a product of 93 bits, and significands of 45.
/// let format = Format::new(&[2_147_483_647, 2_147_483_645, 2_147_483_641])?;
/// assert_eq!((format.bits(), format.moduli().len()), (45, 3));
/// assert!(matches!(Format::new(&[15, 21]), Err(FormatError::NotCoprime { .. })));
/// # Ok::<(), FormatError>(())
/// ```
#[derive(Clone)]
pub struct Format(Arc<Tables>);

/// Why there is no such format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormatError {
    /// A number is even, or not between 3 and [`Format::LARGEST_MODULUS`].
    Modulus {
        /// The number.
        modulus: u32,
    },
    /// Two numbers have a common divisor.
    NotCoprime {
        /// The one that comes first.
        first: u32,
        /// The other.
        second: u32,
    },
    /// There are more moduli than [`Format::MOST_MODULI`].
    TooMany {
        /// How many.
        moduli: usize,
    },
    /// The product of the moduli gives less than [`Format::LEAST_BITS`].
    TooFewBits,
    /// The precision asked for is not between [`Format::LEAST_BITS`] and [`Format::MOST_BITS`].
    Bits {
        /// The bits.
        bits: u32,
    },
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Modulus { modulus } => {
                let largest = Format::LARGEST_MODULUS;
                write!(f, "the modulus {modulus} is not an odd number from 3 to {largest}")
            }
            Self::NotCoprime { first, second } => {
                write!(f, "the moduli {first} and {second} have a common divisor")
            }
            Self::TooMany { moduli } => {
                write!(f, "expected at most {} moduli, found {moduli}", Format::MOST_MODULI)
            }
            Self::TooFewBits => {
                write!(f, "the product of the moduli is too small for {} bits", Format::LEAST_BITS)
            }
            Self::Bits { bits } => {
                let (least, most) = (Format::LEAST_BITS, Format::MOST_BITS);
                write!(f, "expected bits from {least} to {most}, found {bits}")
            }
        }
    }
}

impl core::error::Error for FormatError {}

/// Capacity of buffers for residues and digits.
pub(super) const CAPACITY: usize = 128;

/// Residues and columns are worked on in groups of this size.
pub(super) const GROUP: usize = 4;

impl Format {
    /// Precisions in general use, from that of `f64` on.
    pub const PREDEFINED: [u32; 8] = [53, 106, 159, 212, 318, 424, 848, 1696];

    /// The lowest precision.
    pub const LEAST_BITS: u32 = 4;

    /// The highest precision.
    pub const MOST_BITS: u32 = 1900;

    /// The largest modulus.
    pub const LARGEST_MODULUS: u32 = (1 << 31) - 1;

    /// The most moduli of a set: sums of this many products of residues and digits of 26 bits fit
    /// 64 bits.
    pub const MOST_MODULI: usize = 124;

    /// Numbers of the given moduli with `⌊log2 √M⌋ − 1` bits, `M` being their product, but at most
    /// [`MOST_BITS`](Self::MOST_BITS).
    ///
    /// # Errors
    /// [`FormatError`] unless the moduli are odd, in range, pairwise coprime, and enough but not
    /// too many.
    pub fn new(moduli: &[u32]) -> Result<Self, FormatError> {
        let range = 3..=Self::LARGEST_MODULUS;
        if let Some(&modulus) = moduli.iter().find(|&m| m % 2 == 0 || !range.contains(m)) {
            return Err(FormatError::Modulus { modulus });
        }
        if moduli.len() > Self::MOST_MODULI {
            return Err(FormatError::TooMany { moduli: moduli.len() });
        }
        for (i, &first) in moduli.iter().enumerate() {
            if let Some(&second) = moduli[i + 1..].iter().find(|&&m| gcd(first, m) != 1) {
                return Err(FormatError::NotCoprime { first, second });
            }
        }
        let length = product(moduli).bit_length();
        // √M >= 2^⌊(length − 1)/2⌋
        let bits = (length.saturating_sub(1) / 2).saturating_sub(1) as u32;
        if bits < Self::LEAST_BITS {
            return Err(FormatError::TooFewBits);
        }
        Ok(Self(Arc::new(Tables::new(moduli, bits.min(Self::MOST_BITS)))))
    }

    /// Numbers of `bits` bits `p`, with the fewest moduli such that `M >= 2^(2p + 17)`: the
    /// largest odd numbers below `2^31` that are pairwise coprime. The bits beyond what products
    /// need let [`Dot`](super::Dot) sum many of them.
    ///
    /// # Errors
    /// [`FormatError::Bits`] outside the range.
    pub fn with_bits(bits: u32) -> Result<Self, FormatError> {
        if !(Self::LEAST_BITS..=Self::MOST_BITS).contains(&bits) {
            return Err(FormatError::Bits { bits });
        }
        let mut moduli: Vec<u32> = Vec::new();
        let mut product = Big::from_words(&[1]);
        let mut next = Self::LARGEST_MODULUS;
        while product.bit_length() < 2 * bits as usize + 18 {
            if moduli.iter().all(|&m| gcd(m, next) == 1) {
                moduli.push(next);
                product.multiply_add_small(u64::from(next), 0);
            }
            next -= 2;
        }
        Ok(Self(Arc::new(Tables::new(&moduli, bits))))
    }

    /// The moduli.
    pub fn moduli(&self) -> &[u32] {
        &self.0.moduli[..self.0.count]
    }

    /// Bits of a significand.
    pub fn bits(&self) -> u32 {
        self.0.bits as u32
    }

    /// Words that the residues of a number take: as many as there are moduli, and zeros up to a
    /// multiple of four.
    pub fn lanes(&self) -> usize {
        self.0.lanes()
    }

    /// What operations on a processor of another kind need to know, which then have the bits of
    /// those here.
    pub fn constants(&self) -> Constants<'_> {
        let tables = &*self.0;
        let &Tables { digit, columns, log, mantissa, .. } = tables;
        Constants {
            digit,
            columns,
            log,
            mantissa,
            moduli: &tables.moduli,
            inverses: &tables.inverses,
            shares: &tables.shares,
            lower_shares: &tables.lower_shares,
            one: &tables.one,
            cofactors: &tables.cofactors,
            units: [&tables.units[0], &tables.units[1]],
            weights: &tables.weights,
            minus_product: &tables.minus_product,
            minus_digits: &tables.minus_digits,
            powers: &tables.powers,
            half: &tables.half,
            full: &tables.full,
        }
    }

    pub(super) fn tables(&self) -> &Tables {
        &self.0
    }
}

/// The numbers that the operations on a format's numbers take, `M` being the product of its moduli
/// `m`. Rows of residues have [`Format::lanes`] entries, zeros where there is no modulus.
#[derive(Clone, Copy, Debug)]
pub struct Constants<'a> {
    /// Bits of a digit.
    pub digit: usize,
    /// Digits of a row.
    pub columns: usize,
    /// `⌊log2 M⌋`
    pub log: usize,
    /// `⌊M/2^(log − 63)⌋`
    pub mantissa: u64,
    /// `m`; 3 where there is none.
    pub moduli: &'a [u32],
    /// `m⁻¹ mod 2^32`
    pub inverses: &'a [u32],
    /// `⌊2^64/m⌋`
    pub shares: &'a [u64],
    /// The next 32 bits of `1/m`.
    pub lower_shares: &'a [u32],
    /// `(M/m)⁻¹ mod m`: 1 as residues are stored.
    pub one: &'a [u32],
    /// `2^64·(M/m) mod m`
    pub cofactors: &'a [u32],
    /// `2^64` and `2^(64 + 21) mod m`.
    pub units: [&'a [u32]; 2],
    /// The lowest digits of `M/m`, lowest first, a row for each modulus.
    pub weights: &'a [u32],
    /// Those of `−M`, modulo the power of two that the row ends at.
    pub minus_product: &'a [u32],
    /// `−2^(digit·l)` as residues are stored, a row for each digit `l`.
    pub minus_digits: &'a [u32],
    /// `2^(e + 32) mod m`, a row for each `e` from `−p − 1` on.
    pub powers: &'a [u32],
    /// `2^(p − 1)` as residues are stored.
    pub half: &'a [u32],
    /// `2^p` as residues are stored.
    pub full: &'a [u32],
}

/// Those of the same moduli and precision.
impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || self.bits() == other.bits() && self.moduli() == other.moduli()
    }
}

impl Eq for Format {}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Format")
            .field("bits", &self.bits())
            .field("moduli", &self.moduli())
            .finish()
    }
}

impl Constants<'_> {
    /// All numbers in one line of 32-bit words, as kernels take them: `mantissa` and two zeros,
    /// then the tables, first `shares`, the others in the order in which they stand above. Words of
    /// 64 bits have their lower half first.
    pub fn words(&self) -> Vec<u32> {
        let [low, high] = self.units;
        let Self { moduli, inverses, lower_shares, one, cofactors, weights, .. } = *self;
        let Self { minus_product, minus_digits, powers, half, full, .. } = *self;
        let halves = |&word: &u64| [word as u32, (word >> 32) as u32];
        let mut words: Vec<u32> = halves(&self.mantissa).into_iter().chain([0, 0]).collect();
        words.extend(self.shares.iter().flat_map(halves));
        let known = [moduli, inverses, lower_shares, one, cofactors, low, high, weights];
        let further = [minus_product, minus_digits, powers, half, full];
        known.into_iter().chain(further).for_each(|row| words.extend_from_slice(row));
        words
    }
}

/// What the operations need to know of a set of moduli. Rows have an entry for each lane; lanes
/// without a modulus have zeros wherever these keep their residues zero.
pub(super) struct Tables {
    /// `p`
    pub(super) bits: usize,
    /// Number of moduli.
    pub(super) count: usize,
    /// `m`; 3 in lanes without one.
    pub(super) moduli: Vec<u32>,
    /// `m⁻¹ mod 2^32`
    pub(super) inverses: Vec<u32>,
    /// `⌊2^64/m⌋`, and the next 32 bits of `1/m`.
    pub(super) shares: Vec<u64>,
    pub(super) lower_shares: Vec<u32>,
    /// 1 in the form of residues that are stored: `(M/m)⁻¹ mod m`.
    pub(super) one: Vec<u32>,
    /// `2^64·(M/m) mod m`: what makes a product of stored residues the stored form of the product,
    /// by two reductions.
    pub(super) cofactors: Vec<u32>,
    /// `2^64 mod m` and `2^(64 + 21) mod m`.
    pub(super) units: [Vec<u32>; 2],
    /// Bits of a digit.
    pub(super) digit: usize,
    /// Digits of a row of `weights`.
    pub(super) columns: usize,
    /// Digits of `M/m`, lowest first, a row for each modulus; those that `p + 1` bits take.
    pub(super) weights: Vec<u32>,
    /// Digits of `−M` modulo the power of two that the row ends at.
    pub(super) minus_product: Vec<u32>,
    /// Stored forms of `−2^(digit·l)`, a row for each digit.
    pub(super) minus_digits: Vec<u32>,
    /// `⌊log2 M⌋`
    pub(super) log: usize,
    /// `⌊M/2^(log − 63)⌋`
    pub(super) mantissa: u64,
    /// `2^(e + 32) mod m`, a row for each `e` from −`lowest_power` on.
    powers: Vec<u32>,
    lowest_power: usize,
    /// Stored forms of `2^(p − 1)` and `2^p`.
    pub(super) half: Vec<u32>,
    pub(super) full: Vec<u32>,
}

fn product(moduli: &[u32]) -> Big {
    let mut product = Big::from_words(&[1]);
    for &m in moduli {
        product.multiply_add_small(u64::from(m), 0);
    }
    product
}

/// `x mod m`
fn residue(x: &Big, m: u32) -> u32 {
    let m = u64::from(m);
    // 2^64 = 2^32 · 2^32
    let step = |r: u64, half: u64| ((r << 32) | half) % m;
    x.words().iter().rev().fold(0, |r, &word| step(step(r, word >> 32), word & 0xffff_ffff)) as u32
}

impl Tables {
    fn new(moduli: &[u32], bits: u32) -> Self {
        let bits = bits as usize;
        let count = moduli.len();
        let lanes = count.next_multiple_of(GROUP);
        let product = product(moduli);
        let log = product.bit_length() - 1;
        // Sums of `count` products of a residue and a digit, of a carry and of −M times the rank
        // are below 2^64.
        let digit = 33 - (count + 2).next_power_of_two().trailing_zeros() as usize;
        let columns = (bits + 1).div_ceil(digit).next_multiple_of(GROUP);
        let mask = (1_u64 << digit) - 1;
        let at = |x: &Big, l: usize| (bits_at(x.words(), l * digit) & mask) as u32;

        let row = |of: &dyn Fn(usize, u32) -> u32| {
            let mut row = vec![0; lanes];
            for (i, (to, &m)) in row.iter_mut().zip(moduli).enumerate() {
                *to = of(i, m);
            }
            row
        };
        let mut padded = vec![3; lanes];
        padded[..count].copy_from_slice(moduli);
        let cofactors: Vec<Big> =
            moduli.iter().map(|&m| product.divide(&Big::from_words(&[u64::from(m)])).0).collect();
        let times =
            |a: u32, b: u64, m: u32| (u64::from(a) * (b % u64::from(m)) % u64::from(m)) as u32;
        let power = |e: usize, m: u32| {
            let m = u64::from(m);
            (0..e).fold(1 % m, |r, _| 2 * r % m) as u32
        };
        let one = row(&|i, m| inverse(residue(&cofactors[i], m), m));
        let cofactor_residues =
            row(&|i, m| times(residue(&cofactors[i], m), u64::from(power(64, m)), m));
        let mut weights = vec![0; lanes * columns];
        for (row, cofactor) in weights.chunks_exact_mut(columns).zip(&cofactors) {
            for (l, weight) in row.iter_mut().enumerate() {
                *weight = at(cofactor, l);
            }
        }
        let low = {
            let whole = product.shr(columns * digit).shl(columns * digit);
            Big::from_words(&[1]).shl(columns * digit).sub(&product.sub(&whole))
        };
        let minus_product = (0..columns).map(|l| at(&low, l)).collect();
        let mut minus_digits = Vec::with_capacity(columns * lanes);
        let mut place = one.clone();
        for _ in 0..columns {
            let minus = padded.iter().zip(&place);
            minus_digits.extend(minus.map(|(&m, &r)| if r == 0 { 0 } else { m - r }));
            for (r, &m) in place.iter_mut().zip(&padded) {
                *r = times(*r, 1 << digit, m);
            }
        }
        let lowest_power = bits + 1;
        let rows = lowest_power + (log - 2 - bits).max(32) + 1;
        let mut powers = Vec::with_capacity(rows * lanes);
        // 2^(32 − lowest) mod m
        let mut place = row(&|_, m| {
            let half = m.div_ceil(2);
            let start = times(1, 1 << 32, m);
            (0..lowest_power).fold(start, |r, _| times(r, u64::from(half), m))
        });
        for _ in 0..rows {
            powers.extend_from_slice(&place);
            for (r, &m) in place.iter_mut().zip(&padded) {
                *r = times(*r, 2, m);
            }
        }
        let shares = moduli.iter().map(|&m| ((1_u128 << 64) / u128::from(m)) as u64);
        let shares = shares.chain(core::iter::repeat(0)).take(lanes).collect();
        let stored_power = |e: usize| row(&|i, m| times(one[i], u64::from(power(e, m)), m));
        Self {
            bits,
            count,
            inverses: padded.iter().map(|&m| inverse_of_odd(m)).collect(),
            shares,
            lower_shares: row(&|_, m| ((1_u128 << 96) / u128::from(m)) as u32),
            cofactors: cofactor_residues,
            units: [row(&|_, m| power(64, m)), row(&|_, m| power(85, m))],
            digit,
            columns,
            weights,
            minus_product,
            minus_digits,
            log,
            mantissa: product
                .shr(log.saturating_sub(63))
                .shl(63_usize.saturating_sub(log))
                .low_word(),
            powers,
            lowest_power,
            half: stored_power(bits - 1),
            full: stored_power(bits),
            one,
            moduli: padded,
        }
    }

    /// Residues with those of lanes without modulus.
    #[inline(always)]
    pub(super) fn lanes(&self) -> usize {
        self.moduli.len()
    }

    /// The greatest `e` that [`power`](Self::power) has; not below `p`.
    #[inline(always)]
    pub(super) fn greatest_power(&self) -> usize {
        self.log - 2 - self.bits
    }

    /// `2^(e + 32) mod m`, for `−p − 1 <= e <= greatest_power` and for `e <= 32`.
    #[inline(always)]
    pub(super) fn power(&self, e: isize) -> &[u32] {
        let lanes = self.lanes();
        &self.powers[(e + self.lowest_power as isize) as usize * lanes..][..lanes]
    }
}
