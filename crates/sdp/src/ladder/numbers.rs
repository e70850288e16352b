//! The numbers of points.

use nonius_linalg::Scalar;
use nonius_num::mp::{Bits, Mp};
use nonius_num::{Dd, Precision, Qd, Real, Ring, Td};

use crate::Solution;
use crate::cpu::Kernels;

/// A solution in one of the precisions.
#[derive(Clone, Debug)]
pub enum Numbers {
    F64(Solution<f64>),
    Dd(Solution<Dd>),
    Td(Solution<Td>),
    Qd(Solution<Qd>),
    Mp(Solution<Mp>),
}

/// Numbers of points.
pub trait PointNumber: Kernels {
    /// The solution among those of all precisions.
    fn wrap(solution: Solution<Self>) -> Numbers;

    /// The limbs whose sum this is, where it is one.
    fn summands(&self) -> Option<[f64; 4]>;

    /// The number nearest to a sum of limbs in normal form.
    fn of_summands(limbs: [f64; 4], format: Self::Format) -> Self;
}

/// Work that is written once for the numbers of every precision.
pub(super) trait PointJob {
    /// What it yields.
    type Output;

    /// Does the work with numbers of type `T`; `format` holds the bits where the type does not.
    fn run<T: PointNumber>(self, format: T::Format) -> Self::Output;

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

macro_rules! fixed {
    ($($number:ty, $name:ident;)*) => {$(
        impl PointNumber for $number {
            fn wrap(solution: Solution<Self>) -> Numbers {
                Numbers::$name(solution)
            }

            fn summands(&self) -> Option<[f64; 4]> {
                Some(core::array::from_fn(|i| {
                    if i < Self::LIMBS { Scalar::limb(*self, i) } else { 0.0 }
                }))
            }

            fn of_summands(limbs: [f64; 4], (): ()) -> Self {
                // The smallest first.
                let sum = |sum: Self, &limb: &f64| sum + <Self as Real>::from_f64(limb);
                limbs.iter().rev().fold(<Self as Ring>::ZERO, sum)
            }
        }
    )*};
}

fixed! { f64, F64; Dd, Dd; Td, Td; Qd, Qd; }

impl PointNumber for Mp {
    fn wrap(solution: Solution<Self>) -> Numbers {
        Numbers::Mp(solution)
    }

    fn summands(&self) -> Option<[f64; 4]> {
        None
    }

    fn of_summands(limbs: [f64; 4], bits: Bits) -> Self {
        Self::from_limbs(bits, &limbs)
    }
}
