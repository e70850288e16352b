//! What the numbers of a space are.

use nonius_gpu::Source;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::mp::Bits;
use nonius_linalg::{Error, Number};
use nonius_num::rns::float::Format;
use nonius_num::{Dd, Qd, Td};

use crate::{kind, texts};

/// What numbers consist of: some limbs, words for some bits, or residues of a format.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Limbs(usize),
    Mp(Bits),
    Rns(Format),
}

/// What a kernel has to know of a format when it is compiled. What else formats of as many moduli
/// and bits differ in stands in their tables.
pub(crate) fn rns_source(
    format: &Format,
    name: &str,
    file: &str,
    definitions: &[(&str, usize)],
) -> Source {
    let c = format.constants();
    let (bits, moduli) = (format.bits() as usize, format.moduli().len());
    let mut all = vec![
        ("PRECISION", bits),
        ("MODULI", moduli),
        ("DIGIT_BITS", c.digit),
        ("ROW_DIGITS", c.columns),
        ("STRIDE", format.lanes()),
        ("LOGARITHM", c.log),
    ];
    all.extend(definitions);
    texts::module(format!("{name}-{bits}-{moduli}-{}", c.log), file).define_all(&all)
}

impl Kind {
    /// That of numbers of a format.
    pub(crate) fn of<T: Number>(format: T::Format) -> Self {
        match kind::Kind::of::<T>(format) {
            kind::Kind::Limbs(limbs) => Self::Limbs(limbs),
            kind::Kind::Mp(bits) => Self::Mp(bits),
        }
    }

    /// Bytes of a number.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Limbs(limbs) => 8 * limbs,
            Self::Mp(bits) => 8 * bits.words() + 4,
            // Two bounds, residues, a head.
            Self::Rns(format) => 16 + 4 * format.moduli().len() + 4,
        }
    }

    /// `Ok` where the vector `operand` has numbers of this kind.
    pub(super) fn check(&self, operand: &'static str, found: &Self) -> Result<(), Error> {
        match (self, found) {
            _ if self == found => Ok(()),
            (Self::Rns(_), _) | (_, Self::Rns(_)) => {
                Err(Error::NotInResidues { expected: "vectors with the moduli of their space" })
            }
            _ => Err(Error::Precision { operand, expected: self.bits(), found: found.bits() }),
        }
    }

    /// Significant bits of a number.
    fn bits(&self) -> u32 {
        match self {
            Self::Limbs(1) => f64::MANTISSA_DIGITS,
            Self::Limbs(2) => Dd::MANTISSA_DIGITS,
            Self::Limbs(3) => Td::MANTISSA_DIGITS,
            Self::Limbs(_) => Qd::MANTISSA_DIGITS,
            Self::Mp(bits) => bits.get(),
            Self::Rns(format) => format.bits(),
        }
    }

    /// What holds an `f64` beside such numbers: one limb, or 64 bits.
    pub(crate) fn short(&self) -> Self {
        match self {
            Self::Limbs(_) | Self::Rns(_) => Self::Limbs(1),
            Self::Mp(bits) => Self::Mp(Bits::new(Bits::LEAST).unwrap_or(*bits)),
        }
    }

    /// The kinds of values that matrices beside such vectors usually have: that of `f64`s and,
    /// but for residues, this one.
    pub(crate) fn usual_values(&self) -> impl Iterator<Item = Self> {
        let short = self.short();
        let one = short == *self || matches!(self, Self::Rns(_));
        [short, self.clone()].into_iter().take(if one { 1 } else { 2 })
    }

    /// Whether matrices with such values have products with vectors of this kind.
    pub(crate) fn takes(&self, values: &Self) -> bool {
        match (self, values) {
            (Self::Limbs(vector), Self::Limbs(value)) => *value == 1 || value == vector,
            (Self::Mp(_), Self::Mp(_)) | (Self::Rns(_), Self::Limbs(1)) => true,
            _ => false,
        }
    }

    /// A module for such vectors; the arithmetic is that of sums of `mp` numbers.
    pub(crate) fn source(
        &self,
        name: &str,
        file: &str,
        arithmetic: Arithmetic,
        definitions: &[(&str, usize)],
    ) -> Source {
        match self {
            Self::Limbs(limbs) => texts::of_limbs(name, *limbs, file).define_all(definitions),
            Self::Mp(bits) => {
                let ieee = usize::from(arithmetic == Arithmetic::Ieee);
                let precision = bits.get() as usize;
                let mut all = vec![("PRECISION", precision), ("IEEE", ieee)];
                all.extend(definitions);
                let sums = if ieee == 1 { "-ieee" } else { "" };
                texts::module(format!("{name}{sums}-mp{precision}"), file).define_all(&all)
            }
            Self::Rns(format) => rns_source(format, &format!("{name}-rns"), file, definitions),
        }
    }

    /// The definition of what values of this kind have.
    pub(crate) fn values(&self) -> (&'static str, usize) {
        let size = match self {
            Self::Limbs(limbs) => *limbs,
            Self::Mp(bits) => bits.get() as usize,
            Self::Rns(format) => format.bits() as usize,
        };
        ("VALUES", size)
    }
}
