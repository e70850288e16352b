//! What numbers consist of on a device.
//!
//! A number is some lanes of eight bytes: limbs, the largest first; or words, the lowest first, and
//! behind them a head.

use nonius_gpu::{Source, Texts};
use nonius_linalg::Number;
use nonius_num::Precision;
use nonius_num::mp::Bits;

use crate::texts::{self, USUAL_BITS};

/// What numbers consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The number of limbs; 0 where numbers are `f32`, which only tridiagonal systems have.
    Limbs(usize),
    /// A head, and the words that hold this number of bits.
    Mp(Bits),
}

impl Kind {
    /// Those that modules are compiled for beforehand: all limbs, and numbers of usual bits.
    pub fn usual() -> impl Iterator<Item = Self> {
        (1..=4).map(Self::Limbs).chain(Bits::new(USUAL_BITS).ok().map(Self::Mp))
    }

    /// That of numbers of a format.
    pub fn of<T: Number>(format: T::Format) -> Self {
        T::precision(format).into()
    }

    /// Lanes of a number.
    pub fn lanes(self) -> usize {
        match self {
            Self::Limbs(limbs) => limbs,
            Self::Mp(bits) => bits.words() + 1,
        }
    }

    /// The kernels of a file that is compiled for such numbers: `LIMBS` or `PRECISION` says which.
    pub fn source(self, texts: &'static Texts, name: &str, file: &str) -> Source {
        match self {
            Self::Limbs(limbs) => texts::of_limbs_in(texts, name, limbs, file),
            Self::Mp(bits) => texts::of_bits_in(texts, name, bits, file),
        }
    }

    /// Those of a file of this crate.
    pub(crate) fn module(self, name: &str, file: &str) -> Source {
        self.source(texts::texts(), name, file)
    }

    /// Kernels by their text, which is compiled in the same way.
    pub(crate) fn text(self, name: &str, text: String) -> Source {
        let (name, definition, value) = match self {
            Self::Limbs(limbs) => (format!("{name}-{limbs}"), "LIMBS", limbs),
            Self::Mp(bits) => (format!("{name}-mp{bits}"), "PRECISION", bits.get() as usize),
        };
        Source::of_text(texts::texts(), name, text).define(definition, value)
    }

    /// Those of one file for sums of limbs, of another for numbers of any precision.
    pub(crate) fn module_of(self, name: &str, limbs: &str, mp: &str) -> Source {
        self.module(name, if matches!(self, Self::Limbs(_)) { limbs } else { mp })
    }
}

impl From<Precision> for Kind {
    fn from(precision: Precision) -> Self {
        match precision {
            Precision::F64 => Self::Limbs(1),
            Precision::Dd => Self::Limbs(2),
            Precision::Td => Self::Limbs(3),
            Precision::Qd => Self::Limbs(4),
            Precision::Mp(bits) => Self::Mp(bits),
        }
    }
}

/// What tables by limbs have for such numbers: their first entry is for those of any precision.
pub(crate) const fn by_limbs<T: Number>(table: [usize; 5]) -> usize {
    // What is no limbs has room for the longest numbers there are.
    let lanes = size_of::<T>() / size_of::<f64>();
    if lanes < table.len() { table[lanes] } else { table[0] }
}

#[cfg(test)]
mod tests {
    use nonius_num::{Dd, Mp, Qd, Td};

    use super::*;

    #[test]
    fn tables_tell_numbers_apart() {
        let table = [9, 1, 2, 3, 4];
        assert_eq!(by_limbs::<f64>(table), 1);
        assert_eq!(
            [by_limbs::<Dd>(table), by_limbs::<Td>(table), by_limbs::<Qd>(table)],
            [2, 3, 4]
        );
        assert_eq!(by_limbs::<Mp>(table), 9);
    }

    #[test]
    fn lanes_hold_limbs_or_words_and_a_head() {
        assert_eq!(Kind::of::<Td>(()).lanes(), 3);
        let bits = Bits::new(424).expect("a precision");
        assert_eq!((Kind::of::<Mp>(bits), Kind::Mp(bits).lanes()), (Kind::Mp(bits), 8));
    }
}
