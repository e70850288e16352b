//! Running a job with the number type of a precision that is chosen at run time.

use crate::{Dd, Mp, Number, Precision, Qd, Td};

/// Work that is written once for every precision.
///
/// ```
/// use nonius::{Job, Number, Precision};
///
/// /// The rounding error of (1 + 1/2 + 1/3)·6 = 11.
/// struct Error;
///
/// impl Job for Error {
///     type Output = f64;
///
///     fn run<T: Number>(self, format: T::Format) -> f64 {
///         let number = |x| T::from_f64(x).to_format(format);
///         let sum = number(1.0) + number(1.0) / number(2.0) + number(1.0) / number(3.0);
///         (sum * number(6.0) - number(11.0)).abs().to_f64()
///     }
/// }
/// for (name, bound) in [("f64", 1e-14), ("dd", 1e-29), ("qd", 1e-60), ("mp424", 1e-125)] {
///     let precision: Precision = name.parse()?;
///     assert!(Error.at(precision) < bound);
/// }
/// # Ok::<(), nonius::num::UnknownPrecision>(())
/// ```
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
