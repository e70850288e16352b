//! Which numbers, at run time.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use nonius_comm::Packed;
use nonius_cuda::DeviceNumber;
use nonius_linalg::tridiag::Parts;
use nonius_num::mp::Bits;
use nonius_num::{Dd, Mp, Precision as OneOf, Qd, Td};

/// The precisions of tridiagonal systems.
///
/// ```
/// use nonius::tridiag::Precision;
///
/// let precision: Precision = "f32".parse()?;
/// assert_eq!(precision, Precision::Single);
/// assert_eq!("mp424".parse::<Precision>()?.name(), "mp424");
/// # Ok::<(), nonius::tridiag::UnknownPrecision>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// IEEE 754 single precision.
    Single,
    /// Those of matrices.
    Of(OneOf),
}

/// A text that names no such precision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownPrecision(String);

/// What is to be done with numbers of a precision.
pub trait Job {
    /// What it returns.
    type Output;

    /// Does it; `format` holds the bits where the type does not.
    fn run<T: Number>(self, format: T::Format) -> Self::Output;
}

/// The numbers of tridiagonal systems: those of matrices, and `f32`.
pub trait Number: DeviceNumber + Packed {}

impl<T: DeviceNumber + Packed> Number for T {}

impl Precision {
    /// That of numbers of a format.
    pub(crate) fn of<T: DeviceNumber>(format: T::Format) -> Self {
        match T::PARTS {
            Parts::Single => Self::Single,
            Parts::Limbs(limbs) => Self::Of(OneOf::FIXED[limbs - 1]),
            Parts::Words => {
                let bits = Bits::new(T::span(format) as u32).unwrap_or(Bits::FEWEST);
                Self::Of(OneOf::Mp(bits))
            }
        }
    }

    /// The spelling: `f32`, `f64`, `dd`, `td`, `qd`, and for 424 bits `mp424`.
    pub fn name(self) -> Cow<'static, str> {
        match self {
            Self::Single => "f32".into(),
            Self::Of(precision) => precision.name(),
        }
    }

    /// Does a job with these numbers.
    pub fn run<J: Job>(self, job: J) -> J::Output {
        match self {
            Self::Single => job.run::<f32>(()),
            Self::Of(OneOf::F64) => job.run::<f64>(()),
            Self::Of(OneOf::Dd) => job.run::<Dd>(()),
            Self::Of(OneOf::Td) => job.run::<Td>(()),
            Self::Of(OneOf::Qd) => job.run::<Qd>(()),
            Self::Of(OneOf::Mp(bits)) => job.run::<Mp>(bits),
        }
    }
}

/// Double precision.
impl Default for Precision {
    fn default() -> Self {
        Self::Of(OneOf::F64)
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name())
    }
}

impl FromStr for Precision {
    type Err = UnknownPrecision;

    fn from_str(text: &str) -> Result<Self, UnknownPrecision> {
        let named =
            if text == "f32" { Some(Self::Single) } else { text.parse().ok().map(Self::Of) };
        named.ok_or_else(|| UnknownPrecision(text.into()))
    }
}

impl fmt::Display for UnknownPrecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = (Bits::LEAST, Bits::MOST);
        let expected = "expected f32, f64, dd, td, qd or mp followed by bits";
        write!(f, "unknown precision `{}`: {expected} from {least} to {most}", self.0)
    }
}

impl std::error::Error for UnknownPrecision {}

#[cfg(test)]
mod tests {
    use super::*;

    struct Named;

    impl Job for Named {
        type Output = String;

        fn run<T: Number>(self, format: T::Format) -> String {
            assert_eq!(Precision::of::<T>(format).name(), T::name(format));
            T::name(format).into_owned()
        }
    }

    #[test]
    fn jobs_run_with_the_numbers_of_their_precision() {
        for name in ["f32", "f64", "dd", "td", "qd", "mp64", "mp424", "mp4096"] {
            let precision: Precision = name.parse().unwrap();
            assert_eq!(precision.run(Named), name);
        }
        for name in ["f16", "mp63", "mp", "F32"] {
            assert!(name.parse::<Precision>().is_err(), "{name}");
        }
    }
}
