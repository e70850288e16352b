//! Running a job with the number type of a precision that is chosen at run time.

use std::fmt;

use crate::{AnyNumber, Dd, Mp, Number, Precision, Qd, Td};

/// Work that is written once for every number type of fixed precision.
pub trait Job {
    /// What it yields.
    type Output;

    /// Does the work with numbers of type `T`.
    fn run<T: Number>(self) -> Self::Output;
}

/// Work that is written once for every precision.
pub trait AnyJob {
    /// What it yields.
    type Output;

    /// Does the work with numbers of type `T`; `format` holds the bits where the type does not.
    fn run<T: AnyNumber>(self, format: T::Format) -> Self::Output;
}

/// A precision that work is not written for: only those of [`Precision::FIXED`] are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotFixed(pub Precision);

impl Precision {
    /// Runs `job` with the number type of this precision.
    ///
    /// # Errors
    /// [`NotFixed`] where the precision has none of its own.
    pub fn run<J: Job>(self, job: J) -> Result<J::Output, NotFixed> {
        Ok(match self {
            Self::F64 => job.run::<f64>(),
            Self::Dd => job.run::<Dd>(),
            Self::Td => job.run::<Td>(),
            Self::Qd => job.run::<Qd>(),
            Self::Mp(_) => return Err(NotFixed(self)),
        })
    }

    /// Runs `job` with numbers of this precision.
    pub fn run_any<J: AnyJob>(self, job: J) -> J::Output {
        match self {
            Self::F64 => job.run::<f64>(()),
            Self::Dd => job.run::<Dd>(()),
            Self::Td => job.run::<Td>(()),
            Self::Qd => job.run::<Qd>(()),
            Self::Mp(bits) => job.run::<Mp>(bits),
        }
    }
}

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
        impl Job for Of {
            type Output = Precision;
            fn run<T: Number>(self) -> Precision {
                Precision::of::<T>()
            }
        }
        struct OfAny;
        impl AnyJob for OfAny {
            type Output = Precision;
            fn run<T: AnyNumber>(self, format: T::Format) -> Precision {
                T::precision(format)
            }
        }
        let mp = |bits| Precision::Mp(Bits::new(bits).unwrap());
        for precision in Precision::FIXED.into_iter().chain([mp(64), mp(424), mp(4096)]) {
            assert_eq!(precision.run_any(OfAny), precision);
            match precision {
                Precision::Mp(_) => assert_eq!(precision.run(Of), Err(NotFixed(precision))),
                _ => assert_eq!(precision.run(Of), Ok(precision)),
            }
        }
    }
}
