//! Running a job with the number type of a precision that is chosen at run time.

use std::fmt;

use crate::{Dd, FixedNumber, Mp, Number, Precision, Qd, Td};

/// Work that is written once for every number type of fixed precision.
pub trait FixedJob {
    /// What it yields.
    type Output;

    /// Does the work with numbers of type `T`.
    fn run<T: FixedNumber>(self) -> Self::Output;

    /// Does the work with the number type of a precision.
    ///
    /// # Errors
    /// [`NotFixed`] where the precision has none of its own.
    fn at(self, precision: Precision) -> Result<Self::Output, NotFixed>
    where
        Self: Sized,
    {
        Ok(match precision {
            Precision::F64 => self.run::<f64>(),
            Precision::Dd => self.run::<Dd>(),
            Precision::Td => self.run::<Td>(),
            Precision::Qd => self.run::<Qd>(),
            Precision::Mp(_) => return Err(NotFixed(precision)),
        })
    }
}

/// Work that is written once for every precision.
pub trait Job {
    /// What it yields.
    type Output;

    /// Does the work with numbers of type `T`; `format` holds the bits where the type does not.
    fn run<T: Number>(self, format: T::Format) -> Self::Output;

    /// Does the work with numbers of a precision.
    fn at(self, precision: Precision) -> Self::Output
    where
        Self: Sized,
    {
        match precision {
            Precision::F64 => self.run::<f64>(()),
            Precision::Dd => self.run::<Dd>(()),
            Precision::Td => self.run::<Td>(()),
            Precision::Qd => self.run::<Qd>(()),
            Precision::Mp(bits) => self.run::<Mp>(bits),
        }
    }
}

/// A precision that work is not written for: only those of [`Precision::FIXED`] are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotFixed(pub Precision);

/// `mp424 is not available here: expected f64, dd, td or qd`
impl fmt::Display for NotFixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not available here: expected f64, dd, td or qd", self.0)
    }
}

impl std::error::Error for NotFixed {}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_num::mp::Bits;

    #[test]
    fn jobs_run_with_the_numbers_of_their_precision() {
        struct Of;
        impl FixedJob for Of {
            type Output = Precision;
            fn run<T: FixedNumber>(self) -> Precision {
                T::KIND
            }
        }
        struct OfAny;
        impl Job for OfAny {
            type Output = Precision;
            fn run<T: Number>(self, format: T::Format) -> Precision {
                T::precision(format)
            }
        }
        let mp = |bits| Precision::Mp(Bits::new(bits).unwrap());
        for precision in Precision::FIXED.into_iter().chain([mp(64), mp(424), mp(4096)]) {
            assert_eq!(OfAny.at(precision), precision);
            match precision {
                Precision::Mp(_) => assert_eq!(Of.at(precision), Err(NotFixed(precision))),
                _ => assert_eq!(Of.at(precision), Ok(precision)),
            }
        }
    }
}
