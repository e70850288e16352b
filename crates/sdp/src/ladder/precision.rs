//! Precisions that a run can end in, and what each reaches.

use std::fmt;
use std::str::FromStr;

use nonius_num::Precision;
use nonius_num::mp::Bits;

/// The precision that a run ends in.
///
/// ```
/// use nonius_num::Precision;
/// use nonius_sdp::LastPrecision;
///
/// assert_eq!("auto".parse(), Ok(LastPrecision::Auto));
/// assert_eq!("qd".parse(), Ok(LastPrecision::Fixed(Precision::Qd)));
/// assert!("double".parse::<LastPrecision>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastPrecision {
    /// This one.
    Fixed(Precision),
    /// The lowest of `f64`, `dd`, `qd`, `mp424` and `mp848` in which the gap asked for is met.
    Auto,
}

impl From<Precision> for LastPrecision {
    fn from(precision: Precision) -> Self {
        Self::Fixed(precision)
    }
}

/// A text that names no precision to end in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLastPrecision(String);

/// The least gap that can be asked for: gaps are numbers in `f64`, whose range ends not far below.
pub const LEAST_GAP: f64 = 1e-300;

/// The gap that a precision reaches on well-posed problems, about five eighths of its digits: 1e-7
/// in `f64`, 1e-20 in `dd`, 1e-40 in `qd`, 1e-81 with 424 bits. It is not below [`LEAST_GAP`],
/// which numbers of 1564 bits and more have.
///
/// ```
/// use nonius_num::Precision;
/// use nonius_sdp::usual_gap;
///
/// assert_eq!(usual_gap(Precision::F64), 1e-7);
/// assert!(usual_gap(Precision::Qd) < 1.1e-40);
/// ```
pub fn usual_gap(precision: Precision) -> f64 {
    match precision {
        Precision::F64 => 1e-7,
        _ => {
            let digits = (f64::from(precision.bits()) * 0.1925) as i32;
            10_f64.powi(-digits).max(LEAST_GAP)
        }
    }
}

/// Iterations after which a run is given up unless it is told otherwise: 200, and one for each
/// digit of the gap, which is about what a digit takes.
pub fn usual_iterations(precision: LastPrecision, gap: Option<f64>) -> u64 {
    let gap = gap.unwrap_or_else(|| usual_gap(precision.default_end()));
    // What is no gap has no digits.
    200 + (-gap.log10()).ceil().clamp(0.0, 400.0) as u64
}

impl LastPrecision {
    /// The precision of which the gap is asked for where none is given.
    pub(super) fn default_end(self) -> Precision {
        match self {
            Self::Fixed(precision) => precision,
            Self::Auto => Precision::Dd,
        }
    }
}

impl FromStr for LastPrecision {
    type Err = UnknownLastPrecision;

    fn from_str(text: &str) -> Result<Self, UnknownLastPrecision> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let precision = text.parse().map(Self::Fixed);
        precision.map_err(|_| UnknownLastPrecision(text.into()))
    }
}

impl fmt::Display for LastPrecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(precision) => precision.fmt(f),
            Self::Auto => f.pad("auto"),
        }
    }
}

impl fmt::Display for UnknownLastPrecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "unknown precision `{}`: expected auto, f64, dd, td, qd or mp followed by bits from {} to {}",
            self.0,
            Bits::LEAST,
            Bits::MOST
        )
    }
}

impl std::error::Error for UnknownLastPrecision {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_and_iterations_of_all_precisions() {
        let mp = |bits| Precision::Mp(Bits::new(bits).unwrap());
        // A power of ten is a product of at most 300 factors, and each product is rounded once.
        let near = |a: f64, b: f64| (a / b - 1.0).abs() < 300.0 * f64::EPSILON / 2.0;
        for (precision, gap) in [
            (Precision::F64, 1e-7),
            (Precision::Dd, 1e-20),
            (Precision::Qd, 1e-40),
            (mp(424), 1e-81),
            (mp(1500), 1e-288),
            (mp(1606), 1e-300),
            (mp(2048), 1e-300),
            (mp(Bits::MOST), 1e-300),
        ] {
            assert!(near(usual_gap(precision), gap), "{precision}");
        }
        let most = |precision, gap| usual_iterations(LastPrecision::Fixed(precision), gap);
        assert!((220..=221).contains(&most(Precision::Dd, None)));
        assert!((500..=501).contains(&most(mp(2048), None)));
        assert_eq!(most(mp(2048), Some(1e-9)), 209);
        assert_eq!(most(mp(2048), Some(0.0)), 600);
        assert_eq!(most(mp(2048), Some(f64::NAN)), 200);
        assert_eq!(usual_iterations(LastPrecision::Auto, Some(1e-9)), 209);
    }
}
