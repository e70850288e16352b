//! Rounding to `f64`, and back.

use nonius_num::RnsFloat;
use nonius_num::mp::{Mp, MpRef};
use nonius_num::rns::float::RnsNumbers;

use super::{LimbSpace, MpSpace, RnsSpace};
use crate::Scalar;
use crate::backend::{Reading, Round};
use crate::mp::Numbers;

/// An exponent that limbs cannot reach, by sign.
const BEYOND_ALL_EXPONENTS: i64 = 1 << 13;

impl<T: Scalar> Round<LimbSpace<f64>> for LimbSpace<T> {
    fn round(&mut self, x: &Vec<T>, exponent: i64, to: &mut Vec<f64>) {
        let shift = (-exponent).clamp(-BEYOND_ALL_EXPONENTS, BEYOND_ALL_EXPONENTS) as i32;
        to.iter_mut().zip(x).for_each(|(to, x)| *to = x.ldexp(shift).to_f64());
    }

    fn widen(&mut self, x: &Vec<f64>, exponent: i64, to: &mut Vec<T>) {
        let shift = exponent.clamp(-BEYOND_ALL_EXPONENTS, BEYOND_ALL_EXPONENTS) as i32;
        to.iter_mut().zip(x).for_each(|(to, &x)| *to = T::from_f64(x).ldexp(shift));
    }
}

impl Round<LimbSpace<f64>> for MpSpace {
    fn round(&mut self, x: &Numbers, exponent: i64, to: &mut Vec<f64>) {
        for (i, to) in to.iter_mut().enumerate() {
            let x = x.at(i);
            *to = MpRef::new(x.bits(), x.head().shifted(-exponent), x.words()).to_f64();
        }
    }

    fn widen(&mut self, x: &Vec<f64>, exponent: i64, to: &mut Numbers) {
        let bits = self.bits();
        let [number, ..] = self.spare();
        for (i, &x) in x.iter().enumerate() {
            let Reading { significand, exponent: own } = Reading::of(x);
            if significand.is_finite() {
                let integer = [(significand.abs() * 2.0_f64.powi(53)) as u64];
                number.set_rounded(x.is_sign_negative(), &integer, own - 53 + exponent, false);
            } else {
                number.set_value(Mp::from_f64(bits, x).view());
            }
            to.put(i, number.view());
        }
    }
}

impl Round<LimbSpace<f64>> for RnsSpace {
    fn round(&mut self, x: &RnsNumbers, exponent: i64, to: &mut Vec<f64>) {
        for (i, to) in to.iter_mut().enumerate() {
            let x = x.at(i).to_mp();
            let near = MpRef::new(x.bits(), x.head().shifted(-exponent), x.view().words());
            *to = near.to_f64();
        }
    }

    fn widen(&mut self, x: &Vec<f64>, exponent: i64, to: &mut RnsNumbers) {
        for (i, &x) in x.iter().enumerate() {
            let Reading { significand, exponent: own } = Reading::of(x);
            let near = RnsFloat::from_f64(self.format(), significand);
            // Beyond the range of exponents, whatever the sum.
            let shift = (own + exponent).clamp(-(1 << 30), 1 << 30);
            to.set(i, near.ldexp(shift as i32).view());
        }
    }
}

#[cfg(test)]
mod tests {
    use nonius_num::Dd;
    use nonius_num::mp::Bits;
    use nonius_num::rns::float::Format;

    use super::*;
    use crate::backend::Space;

    const VALUES: [f64; 8] =
        [0.0, -0.0, 1.0, -1.5, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY];

    #[test]
    fn there_and_back() {
        let mut limbs = LimbSpace::<Dd>::new();
        let mut numbers = MpSpace::new(Bits::new(106).unwrap());
        let mut residues = RnsSpace::new(&Format::with_bits(106).unwrap()).unwrap();
        let mut of_residues = residues.vector(9).unwrap();
        let (mut wide, mut long) = (limbs.vector(9).unwrap(), numbers.vector(9).unwrap());
        let mut x = VALUES.to_vec();
        x.push(f64::NAN);
        for exponent in [0, 100_000_000, -100_000_000] {
            let mut y = vec![7.0; 9];
            numbers.widen(&x, exponent, &mut long);
            numbers.round(&long, exponent, &mut y);
            let same =
                |(x, y): (&f64, &f64)| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
            assert!(x.iter().zip(&y).all(same), "{y:?}");
            let mut y = vec![7.0; 9];
            residues.widen(&x, exponent, &mut of_residues);
            residues.round(&of_residues, exponent, &mut y);
            assert!(x.iter().zip(&y).all(same), "{y:?}");
        }
        let mut y = vec![7.0; 9];
        limbs.widen(&x, 0, &mut wide);
        limbs.round(&wide, 0, &mut y);
        assert_eq!((&y[..8], y[8].is_nan()), (&x[..8], true));
        // Small and large numbers, brought into the range.
        limbs.widen(&vec![1.5; 9], -1000, &mut wide);
        limbs.round(&wide, -999, &mut y);
        assert_eq!(y, [0.75; 9]);
        let number = Mp::from_f64(Bits::new(106).unwrap(), 1.0 + f64::EPSILON);
        long.put(0, number.ldexp(-40_000_000).view());
        numbers.round(&long, -39_999_000, &mut y);
        assert_eq!(y[0], (1.0 + f64::EPSILON) * 2.0_f64.powi(-1000));
        numbers.round(&long, 0, &mut y);
        assert_eq!(y[0], 0.0);
    }
}
