//! Numbers by the words that a device keeps in planes.

use nonius_gpu::Plain;
use nonius_linalg::Scalar;
use nonius_linalg::tridiag::Solvable;
use nonius_num::{Dd, Qd, Td};

/// Numbers of tridiagonal systems that devices know.
pub trait DeviceNumber: Solvable {
    /// A limb.
    #[doc(hidden)]
    type Word: Word;
    /// Limbs.
    #[doc(hidden)]
    const PLANES: usize;

    #[doc(hidden)]
    fn word(self, plane: usize) -> Self::Word;
    #[doc(hidden)]
    fn of_words(word: impl FnMut(usize) -> Self::Word) -> Self;
}

/// A word of which any bytes are one.
#[doc(hidden)]
pub trait Word: sealed::Sealed + Copy + Default + Into<f64> + Send + Sync + 'static {}

pub(crate) mod sealed {
    /// Words are passed to kernels.
    pub trait Sealed: super::Plain {}
}

impl sealed::Sealed for f32 {}
impl sealed::Sealed for f64 {}
impl Word for f32 {}
impl Word for f64 {}

impl DeviceNumber for f32 {
    type Word = f32;
    const PLANES: usize = 1;

    fn word(self, _: usize) -> f32 {
        self
    }

    fn of_words(mut word: impl FnMut(usize) -> f32) -> f32 {
        word(0)
    }
}

macro_rules! limbs {
    ($($number:ty),*) => {$(
        impl DeviceNumber for $number {
            type Word = f64;
            const PLANES: usize = <$number as Scalar>::LIMBS;

            fn word(self, plane: usize) -> f64 {
                Scalar::limb(self, plane)
            }

            fn of_words(word: impl FnMut(usize) -> f64) -> Self {
                <$number as Scalar>::from_limbs(word)
            }
        }
    )*};
}

limbs!(f64, Dd, Td, Qd);
