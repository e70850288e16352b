//! Running a job with the number type of a precision that is chosen at run time.

use crate::{Dd, Mp, Number, Precision, Qd, Td};

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

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_num::mp::Bits;

    #[test]
    fn jobs_run_with_the_numbers_of_their_precision() {
        struct Of;
        impl Job for Of {
            type Output = Precision;
            fn run<T: Number>(self, format: T::Format) -> Precision {
                T::precision(format)
            }
        }
        let mp = |bits| Precision::Mp(Bits::new(bits).unwrap());
        for precision in Precision::FIXED.into_iter().chain([mp(64), mp(424), mp(4096)]) {
            assert_eq!(Of.at(precision), precision);
        }
    }
}
