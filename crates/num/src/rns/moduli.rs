//! Sets of pairwise coprime moduli.

use alloc::vec::Vec;
use core::fmt;

use crate::integers::big::Big;

/// Pairwise coprime numbers, each between 2 and [`LARGEST`](Self::LARGEST).
///
/// ```
/// use nonius_num::rns::Moduli;
///
/// // Pairwise coprime numbers up to 256, as many as 53 bits take.
/// let moduli = Moduli::bytes(53)?;
/// assert_eq!(moduli.values()[..3], [256, 255, 253]);
/// assert!(moduli.bits() >= 53);
/// # Ok::<(), nonius_num::rns::ModuliError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moduli {
    values: Vec<u32>,
    product: Big,
}

/// Why numbers are no set of moduli.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModuliError {
    /// There are none.
    Empty,
    /// A number is not between 2 and [`Moduli::LARGEST`].
    OutOfRange {
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
    /// There are not enough coprime numbers of the size asked for.
    TooManyBits {
        /// The bits asked for.
        bits: u32,
    },
}

impl fmt::Display for ModuliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("a set of moduli has at least one"),
            Self::OutOfRange { modulus } => {
                write!(f, "the modulus {modulus} is not between 2 and {}", Moduli::LARGEST)
            }
            Self::NotCoprime { first, second } => {
                write!(f, "the moduli {first} and {second} have a common divisor")
            }
            Self::TooManyBits { bits } => {
                write!(f, "there are no moduli of this size whose product has {bits} bits")
            }
        }
    }
}

impl core::error::Error for ModuliError {}

impl Moduli {
    /// The largest modulus: sums of residues times digits stay exact in `f64`.
    pub const LARGEST: u32 = 1 << 22;

    /// The largest modulus whose residues are one signed or one unsigned byte.
    pub const LARGEST_OF_ONE_BYTE: u32 = 256;

    /// The largest modulus whose residues are two digits to base 128 such that these and their sum
    /// fit a signed byte when balanced and an unsigned byte when not.
    pub const LARGEST_OF_TWO_DIGITS: u32 = 16_255;

    /// The given numbers.
    ///
    /// # Errors
    /// [`ModuliError`] unless they are in range and pairwise coprime.
    pub fn new(values: Vec<u32>) -> Result<Self, ModuliError> {
        if values.is_empty() {
            return Err(ModuliError::Empty);
        }
        if let Some(&modulus) = values.iter().find(|m| !(2..=Self::LARGEST).contains(*m)) {
            return Err(ModuliError::OutOfRange { modulus });
        }
        for (i, &first) in values.iter().enumerate() {
            if let Some(&second) = values[i + 1..].iter().find(|&&m| gcd(first, m) != 1) {
                return Err(ModuliError::NotCoprime { first, second });
            }
        }
        Ok(Self::coprime(values))
    }

    /// Moduli for multipliers of bytes, with a product of at least `2^bits`, to within `10^-11`
    /// bits, at the fewest products of bytes.
    ///
    /// First the numbers up to 256, one byte each: there are 49 pairwise coprime ones, of 341 bits
    /// together. Then primes whose residues have two digits to base 128, which take three products
    /// of bytes each (Karatsuba) and bring 4.66 bits a product.
    ///
    /// # Errors
    /// [`ModuliError::TooManyBits`] beyond some 25 000 bits.
    pub fn bytes(bits: impl Into<f64>) -> Result<Self, ModuliError> {
        let small = coprime_up_to(Self::LARGEST_OF_ONE_BYTE);
        let large = (Self::LARGEST_OF_ONE_BYTE + 1..=Self::LARGEST_OF_TWO_DIGITS)
            .rev()
            .filter(|&m| is_prime(m));
        Self::first_of(small.into_iter().chain(large), bits.into())
    }

    /// Moduli for multipliers of bytes and of 16-bit integers that sum in 32 bits, with a product
    /// of at least `2^bits`, to within `10^-11` bits.
    ///
    /// First the numbers up to 256, as in [`bytes`](Self::bytes). Then primes whose residues take
    /// 16 bits, such that [`terms_of_halves`](Self::terms_of_halves) products have an exact sum:
    /// 256 products for the first 4000 bits, fewer beyond. A product of them takes the time of two
    /// products of bytes and brings some 12.3 bits.
    ///
    /// A set has at most 49 moduli of one byte and 867 of 16 bits, whose residues take 1783 bytes,
    /// and a product below `2^12083`.
    ///
    /// # Errors
    /// [`ModuliError::TooManyBits`] beyond some 12 000 bits.
    pub fn bytes_and_halves(bits: impl Into<f64>) -> Result<Self, ModuliError> {
        let bits = bits.into();
        let small = coprime_up_to(Self::LARGEST_OF_ONE_BYTE);
        let with_sums_of = |terms: usize| {
            let fits = |&m: &u32| Self::terms_of_halves(m) >= terms;
            let largest = (2..=u16::MAX.into()).rev().find(fits)?;
            // Below half the largest they bring a bit less, as those for fewer products bring a bit
            // more.
            let large = (largest / 2..=largest).rev().filter(|&m| is_prime(m));
            Self::first_of(small.iter().copied().chain(large), bits).ok()
        };
        let moduli = [256, 128, 64, 32].into_iter().find_map(with_sums_of);
        moduli.ok_or(ModuliError::TooManyBits { bits: libm::ceil(bits) as u32 })
    }

    /// How many products of residues modulo `m` have a sum below `2^31 − 2^16`, for residues up to
    /// `m/2·(1 + 2^-7) + 1` in magnitude.
    pub fn terms_of_halves(m: u32) -> usize {
        let largest = f64::from(m) * 0.5 * (1.0 + 1.0 / 128.0) + 1.0;
        (2_147_418_112.0 / (largest * largest)) as usize
    }

    /// Moduli for multipliers of `f64`, with a product of at least `2^bits`: the largest primes
    /// such that `inner` products of balanced residues have an exact sum.
    ///
    /// # Errors
    /// [`ModuliError::TooManyBits`] where there are not enough primes.
    pub fn floats(bits: impl Into<f64>, inner: usize) -> Result<Self, ModuliError> {
        // inner · (m/2)² <= 2^53.
        let limit = (1_u64 << 55) / (inner.max(1) as u64);
        let mut largest = (limit.isqrt() as u32).min(Self::LARGEST);
        let bits = bits.into();
        // The number of moduli has to leave room for the sums of `Crt`. Moduli near a power of two
        // bring almost as many bits.
        let room =
            |m: u32| (bits / libm::log2(f64::from(m / 2)) + 1.0) * f64::from(m) <= 536_870_912.0;
        while largest > 1 << 12 && !room(largest) {
            largest /= 2;
        }
        Self::first_of((2..=largest).rev().filter(|&m| is_prime(m)), bits)
    }

    /// As many of the numbers, from the first on, as make a product of at least `2^bits`.
    fn first_of(numbers: impl Iterator<Item = u32>, bits: f64) -> Result<Self, ModuliError> {
        let mut product = Big::from_words(&[1]);
        let mut values = Vec::new();
        for m in numbers {
            product.multiply_add_small(u64::from(m), 0);
            values.push(m);
            if log2(&product) >= bits {
                return Ok(Self { values, product });
            }
        }
        Err(ModuliError::TooManyBits { bits: libm::ceil(bits) as u32 })
    }

    fn coprime(values: Vec<u32>) -> Self {
        let mut product = Big::from_words(&[1]);
        for &m in &values {
            product.multiply_add_small(u64::from(m), 0);
        }
        Self { values, product }
    }

    /// The moduli.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// The greatest `b` such that the product is at least `2^b`.
    pub fn bits(&self) -> u32 {
        self.product.bit_length() as u32 - 1
    }

    pub(super) fn product(&self) -> &Big {
        &self.product
    }
}

/// The base-2 logarithm, to some `10^-11`; exact for powers of two.
fn log2(x: &Big) -> f64 {
    let length = x.bit_length();
    let highest = x.shr(length.saturating_sub(64)).low_word();
    (length.saturating_sub(64)) as f64 + libm::log2(highest as f64)
}

pub(super) fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn is_prime(n: u32) -> bool {
    n >= 2 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))
}

/// Pairwise coprime numbers up to `largest`, each the largest that is coprime to those before it.
fn coprime_up_to(largest: u32) -> Vec<u32> {
    let mut numbers: Vec<u32> = Vec::new();
    for n in (2..=largest).rev() {
        if numbers.iter().all(|&m| gcd(m, n) == 1) {
            numbers.push(n);
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec;

    use super::*;

    #[test]
    fn bytes_offer_49_small_moduli_of_341_bits() {
        let moduli = Moduli::bytes(341).unwrap();
        assert_eq!(moduli.values()[..7], [256, 255, 253, 251, 247, 241, 239]);
        assert_eq!((moduli.values().len(), moduli.bits()), (49, 341));
        // Double-double, k = 8192: 2·106 + 13 + 1 bits and the slack.
        assert_eq!(Moduli::bytes(226).unwrap().values().len(), 30);
    }

    #[test]
    fn more_bits_come_from_two_digits() {
        let moduli = Moduli::bytes(440).unwrap();
        assert!(moduli.bits() >= 440);
        assert_eq!(moduli.values().iter().filter(|&&m| m > 256).count(), 8);
        assert_eq!(moduli.values()[49], 16_253);
        assert!(Moduli::bytes(20_000).unwrap().bits() >= 20_000);
        assert_eq!(Moduli::bytes(40_000), Err(ModuliError::TooManyBits { bits: 40_000 }));
    }

    #[test]
    fn more_bits_come_from_halves() {
        let moduli = Moduli::bytes_and_halves(440).unwrap();
        assert!(moduli.bits() >= 440);
        assert_eq!(moduli.values().iter().filter(|&&m| m > 256).count(), 8);
        for (bits, terms) in [(440, 256), (4000, 256), (5000, 128), (8000, 64), (12_000, 32)] {
            let moduli = Moduli::bytes_and_halves(bits).unwrap();
            assert!(moduli.bits() >= bits);
            assert_eq!(Moduli::new(moduli.values().to_vec()), Ok(moduli.clone()));
            for &m in &moduli.values()[49..] {
                let sum = terms as f64 * (f64::from(m) / 2.0).powi(2);
                assert!(Moduli::terms_of_halves(m) >= terms && sum < 2_f64.powi(31), "{m}");
            }
        }
        let most = Moduli::bytes_and_halves(12_082.9).unwrap();
        assert_eq!((most.values().len(), most.bits()), (49 + 867, 12_082));
        assert_eq!(
            Moduli::bytes_and_halves(12_083),
            Err(ModuliError::TooManyBits { bits: 12_083 })
        );
    }

    #[test]
    fn sums_of_products_of_float_residues_are_exact() {
        for inner in [1, 100, 1024, 8192, 1 << 20] {
            let moduli = Moduli::floats(450, inner).unwrap();
            for &m in moduli.values() {
                assert!(inner as f64 * (f64::from(m) / 2.0).powi(2) <= 2_f64.powi(53));
            }
            assert!(Moduli::new(moduli.values().to_vec()).is_ok());
        }
        assert!(Moduli::floats(450, usize::MAX).is_err());
    }

    #[test]
    fn chosen_sets_are_coprime_and_others_are_refused() {
        let moduli = Moduli::bytes(900).unwrap();
        assert_eq!(Moduli::new(moduli.values().to_vec()), Ok(moduli));
        assert_eq!(Moduli::new(vec![]), Err(ModuliError::Empty));
        assert_eq!(Moduli::new(vec![7, 1]), Err(ModuliError::OutOfRange { modulus: 1 }));
        let error = Moduli::new(vec![15, 16, 21]).unwrap_err();
        assert_eq!(error, ModuliError::NotCoprime { first: 15, second: 21 });
        assert_eq!(error.to_string(), "the moduli 15 and 21 have a common divisor");
    }
}
