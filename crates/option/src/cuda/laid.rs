//! Numbers as kernels have them: limbs, or words and a head, each in the eight bytes of an `f64`.

use nonius_linalg::{Number, Scalar, limbs_of_mut};
use nonius_num::mp::{Bits, Head};
use nonius_num::{Dd, Mp, Qd, Td};

/// Numbers that kernels know.
pub trait Laid: Number {
    /// How many lanes a number has.
    #[doc(hidden)]
    fn lanes(format: Self::Format) -> usize;
    /// The macro that says what numbers kernels have, and its value.
    #[doc(hidden)]
    fn definition(format: Self::Format) -> (&'static str, usize);
    #[doc(hidden)]
    fn lane(self, l: usize) -> f64;
    #[doc(hidden)]
    fn set_lane(&mut self, l: usize, lane: f64);
}

macro_rules! limbs {
    ($($number:ty),*) => {$(
        impl Laid for $number {
            fn lanes((): ()) -> usize {
                <$number as Scalar>::LIMBS
            }

            fn definition((): ()) -> (&'static str, usize) {
                ("LIMBS", <$number as Scalar>::LIMBS)
            }

            #[inline(always)]
            fn lane(self, l: usize) -> f64 {
                self.limb(l)
            }

            #[inline(always)]
            fn set_lane(&mut self, l: usize, lane: f64) {
                limbs_of_mut(core::slice::from_mut(self))[l] = lane;
            }
        }
    )*};
}

limbs!(f64, Dd, Td, Qd);

/// Words, lowest first, and behind them the head.
impl Laid for Mp {
    fn lanes(bits: Bits) -> usize {
        bits.words() + 1
    }

    fn definition(bits: Bits) -> (&'static str, usize) {
        ("PRECISION", bits.get() as usize)
    }

    fn lane(self, l: usize) -> f64 {
        let head = || {
            // SAFETY: a head is a transparent wrapper of an `i32`.
            u64::from(unsafe { core::mem::transmute::<Head, u32>(self.head()) })
        };
        f64::from_bits(self.words().get(l).copied().unwrap_or_else(head))
    }

    fn set_lane(&mut self, l: usize, lane: f64) {
        let (bits, old) = (lane.to_bits(), self.head());
        self.set_parts(|_, words| match words.get_mut(l) {
            Some(word) => {
                *word = bits;
                old
            }
            // SAFETY: as above; any bits are a head for the compiler, and those that kernels write
            // are one that numbers have.
            None => unsafe { core::mem::transmute::<u32, Head>(bits as u32) },
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lane by lane, in any order, a number becomes another.
    #[test]
    fn numbers_and_their_lanes() {
        for bits in [64, 106, 424, 4096].map(|bits| Bits::new(bits).unwrap()) {
            let third = Mp::one(bits) / Mp::from_f64(bits, 3.0);
            let numbers = [third, -third.ldexp(-100_000), Mp::zero(bits), Mp::infinity(bits, true)];
            for x in numbers {
                let mut y = Mp::zero(bits);
                for l in (0..Mp::lanes(bits)).rev() {
                    y.set_lane(l, x.lane(l));
                }
                assert_eq!(x, y);
            }
        }
    }
}
