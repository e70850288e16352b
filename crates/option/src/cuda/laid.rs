//! Numbers as kernels have them: in planes of limbs, or of words and a head, each in the eight
//! bytes of an `f64`.

use nonius_linalg::{Number, Scalar, limbs_of_mut};
use nonius_num::mp::Head;
use nonius_num::{Dd, Mp, Qd, Td};

/// Numbers that kernels know, in as many planes as their [`Kind`](nonius_cuda::Kind) says.
pub trait Laid: Number {
    #[doc(hidden)]
    fn plane(&self, p: usize) -> f64;
    #[doc(hidden)]
    fn set_plane(&mut self, p: usize, value: f64);
}

macro_rules! limbs {
    ($($number:ty),*) => {$(
        impl Laid for $number {
            #[inline(always)]
            fn plane(&self, p: usize) -> f64 {
                self.limb(p)
            }

            #[inline(always)]
            fn set_plane(&mut self, p: usize, value: f64) {
                limbs_of_mut(core::slice::from_mut(self))[p] = value;
            }
        }
    )*};
}

limbs!(f64, Dd, Td, Qd);

/// Words, lowest first, and behind them the head.
impl Laid for Mp {
    fn plane(&self, p: usize) -> f64 {
        let head = || u64::from(self.head().to_bits());
        f64::from_bits(self.words().get(p).copied().unwrap_or_else(head))
    }

    fn set_plane(&mut self, p: usize, value: f64) {
        let (bits, old) = (value.to_bits(), self.head());
        self.set_parts(|_, words| match words.get_mut(p) {
            Some(word) => {
                *word = bits;
                old
            }
            None => Head::from_bits(bits as u32),
        });
    }
}

#[cfg(test)]
mod tests {
    use nonius_num::mp::Bits;

    use super::*;

    /// Plane by plane, in any order, a number becomes another.
    #[test]
    fn numbers_and_their_planes() {
        for bits in [64, 106, 424, 4096].map(|bits| Bits::new(bits).unwrap()) {
            let third = Mp::one(bits) / Mp::from_f64(bits, 3.0);
            let numbers = [third, -third.ldexp(-100_000), Mp::zero(bits), Mp::infinity(bits, true)];
            for x in numbers {
                let mut y = Mp::zero(bits);
                for p in (0..=bits.words()).rev() {
                    y.set_plane(p, x.plane(p));
                }
                assert_eq!(x, y);
            }
        }
    }
}
