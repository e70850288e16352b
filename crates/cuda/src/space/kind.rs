//! What the numbers of a space are.

use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::mp::Bits;

use crate::kernels::Source;

/// Numbers of so many limbs, or of so many bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Limbs(usize),
    Mp(Bits),
}

impl Kind {
    /// Planes of eight bytes a number: limbs, or words.
    pub(crate) fn planes(self) -> usize {
        match self {
            Self::Limbs(limbs) => limbs,
            Self::Mp(bits) => bits.words(),
        }
    }

    /// Bytes a number before these: heads.
    pub(crate) fn head_bytes(self) -> usize {
        match self {
            Self::Limbs(_) => 0,
            Self::Mp(_) => 4,
        }
    }

    /// Limbs, or bits.
    fn size(self) -> usize {
        match self {
            Self::Limbs(limbs) => limbs,
            Self::Mp(bits) => bits.get() as usize,
        }
    }

    /// What holds an `f64` beside such numbers: one limb, or 64 bits.
    pub(crate) fn short(self) -> Self {
        match self {
            Self::Limbs(_) => Self::Limbs(1),
            Self::Mp(bits) => Self::Mp(Bits::new(Bits::LEAST).unwrap_or(bits)),
        }
    }

    /// This kind of values and that of `f64`s: the ones that matrices beside such vectors usually have.
    pub(crate) fn usual_values(self) -> impl Iterator<Item = Self> {
        let short = self.short();
        [short, self].into_iter().take(if short == self { 1 } else { 2 })
    }

    /// A module for such vectors; the arithmetic is that of sums of `mp` numbers.
    pub(crate) fn source(
        self,
        name: &str,
        file: &str,
        arithmetic: Arithmetic,
        definitions: &[(&str, usize)],
    ) -> Source {
        match self {
            Self::Limbs(limbs) => Source::with_numbers(name, limbs, file, definitions),
            Self::Mp(bits) => {
                let ieee = usize::from(arithmetic == Arithmetic::Ieee);
                let precision = bits.get() as usize;
                let mut all = vec![("PRECISION", precision), ("IEEE", ieee)];
                all.extend(definitions);
                let sums = if ieee == 1 { "-ieee" } else { "" };
                Source::of_numbers(&format!("{name}{sums}-mp{precision}"), file, &all)
            }
        }
    }

    /// The definition of what values of this kind have.
    pub(crate) fn values(self) -> (&'static str, usize) {
        ("VALUES", self.size())
    }
}
