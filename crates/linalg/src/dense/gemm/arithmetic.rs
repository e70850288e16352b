//! In which arithmetic the entries of a product are summed.

use core::fmt;
use core::str::FromStr;

use crate::Scalar;
use crate::accumulate::normalized::{Cray, Ieee, IeeeSloppy, Sloppy};
use crate::accumulate::{Accumulator, Sum};

/// The arithmetic of the sums of products that are the entries of a product of matrices.
///
/// All but [`Delayed`](Self::Delayed) are the four between which Nakata, Takao, Noda, Himeno (*A
/// fast implementation of matrix-matrix product in double-double precision on NVIDIA C2050 and
/// application to semidefinite programming*, 2012) choose:
///
/// | | product [`mul_accurate`] | product [`mul_sloppy`] |
/// |---|---|---|
/// | addition [`add_ieee`] | [`Ieee`](Self::Ieee) | [`IeeeSloppy`](Self::IeeeSloppy) |
/// | addition [`add_cray`] | [`Cray`](Self::Cray) | [`Sloppy`](Self::Sloppy) |
///
/// [`mul_accurate`]: nonius_num::multifloat::variants::mul_accurate
/// [`mul_sloppy`]: nonius_num::multifloat::variants::mul_sloppy
/// [`add_ieee`]: nonius_num::multifloat::variants::add_ieee
/// [`add_cray`]: nonius_num::multifloat::variants::add_cray
///
/// ```
/// use nonius_linalg::dense::gemm::Arithmetic;
/// use nonius_num::{Dd, Qd};
///
/// let arithmetic: Arithmetic = "sloppy".parse().unwrap();
/// // A sloppy sum of 100 terms has a larger bound, and exists for two limbs alone.
/// assert!(arithmetic.error::<Dd>(100) > Arithmetic::Ieee.error::<Dd>(100));
/// assert_eq!(arithmetic.error::<Qd>(100), f64::INFINITY);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// Sums that are normalised at the end: [`accumulate`](crate::accumulate). The fastest; 1, 10,
    /// 41, 106 instructions a term at f64, dd, td, qd.
    #[default]
    Delayed,
    /// Every product and every sum is normalised: 2, 29, 108, 248 instructions a term.
    Ieee,
    /// At dd only: 26 instructions a term.
    IeeeSloppy,
    /// At dd only: 20 instructions a term.
    Cray,
    /// At dd only: 17 instructions a term.
    Sloppy,
}

impl Arithmetic {
    /// All of them.
    pub const ALL: [Arithmetic; 5] = [
        Arithmetic::Delayed,
        Arithmetic::Ieee,
        Arithmetic::IeeeSloppy,
        Arithmetic::Cray,
        Arithmetic::Sloppy,
    ];

    /// The spelling everywhere: `delayed`, `ieee`, `ieee-sloppy`, `cray`, `sloppy`.
    pub fn name(self) -> &'static str {
        match self {
            Arithmetic::Delayed => "delayed",
            Arithmetic::Ieee => "ieee",
            Arithmetic::IeeeSloppy => "ieee-sloppy",
            Arithmetic::Cray => "cray",
            Arithmetic::Sloppy => "sloppy",
        }
    }

    /// Whether it is for two limbs only.
    pub fn is_for_dd(self) -> bool {
        !matches!(self, Arithmetic::Delayed | Arithmetic::Ieee)
    }

    /// Whether numbers of `limbs` limbs have it.
    pub fn exists(self, limbs: usize) -> bool {
        limbs == 2 || !self.is_for_dd()
    }

    /// The factor `c` in the entrywise bound `|fl(op(A)·op(B)) − op(A)·op(B)| <= c·u·(|A||B|)` for
    /// `k` terms, `u` being [`UNIT_ROUNDOFF`](nonius_num::Fixed::UNIT_ROUNDOFF): [`Sum::error`],
    /// which states its proof. Infinite where numbers of this type do not have this arithmetic.
    pub fn error<T: Scalar>(self, k: usize) -> f64 {
        self.error_of_limbs(T::LIMBS, k)
    }

    pub(crate) fn error_of_limbs(self, limbs: usize, k: usize) -> f64 {
        let error = match (self, limbs) {
            (Arithmetic::Delayed, 1) => Accumulator::<1, f64>::error,
            (Arithmetic::Delayed, 2) => Accumulator::<2, f64>::error,
            (Arithmetic::Delayed, 3) => Accumulator::<3, f64>::error,
            (Arithmetic::Delayed, _) => Accumulator::<4, f64>::error,
            (Arithmetic::Ieee, 1) => Ieee::<1, f64>::error,
            (Arithmetic::Ieee, 2) => Ieee::<2, f64>::error,
            (Arithmetic::Ieee, 3) => Ieee::<3, f64>::error,
            (Arithmetic::Ieee, _) => Ieee::<4, f64>::error,
            (Arithmetic::IeeeSloppy, 2) => IeeeSloppy::<f64>::error,
            (Arithmetic::Cray, 2) => Cray::<f64>::error,
            (Arithmetic::Sloppy, 2) => Sloppy::<f64>::error,
            (Arithmetic::IeeeSloppy | Arithmetic::Cray | Arithmetic::Sloppy, _) => {
                |_| f64::INFINITY
            }
        };
        error(k)
    }
}

impl fmt::Display for Arithmetic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no [`Arithmetic`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownArithmetic(pub String);

impl fmt::Display for UnknownArithmetic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no arithmetic is called {:?}; known are", self.0)?;
        Arithmetic::ALL.iter().try_for_each(|arithmetic| write!(f, " {arithmetic}"))
    }
}

impl core::error::Error for UnknownArithmetic {}

impl FromStr for Arithmetic {
    type Err = UnknownArithmetic;

    fn from_str(text: &str) -> Result<Self, UnknownArithmetic> {
        let named = Arithmetic::ALL.into_iter().find(|arithmetic| arithmetic.name() == text);
        named.ok_or_else(|| UnknownArithmetic(text.to_owned()))
    }
}
