//! Rounding to `f64`, and back.

use nonius_num::RnsFloat;
use nonius_num::mp::MpRef;
use nonius_num::rns::float::RnsNumbers;

use super::{HostSpace, RnsSpace};
use crate::Numbers;
use crate::backend::{Reading, Round};

impl Round<HostSpace<f64>> for RnsSpace {
    fn round(&mut self, x: &RnsNumbers, exponent: i64, to: &mut Numbers<f64>) {
        for (i, to) in to.plain_mut().iter_mut().enumerate() {
            let x = x.at(i).to_mp();
            let near = MpRef::new(x.bits(), x.head().shifted(-exponent), x.view().words());
            *to = near.to_f64();
        }
    }

    fn widen(&mut self, x: &Numbers<f64>, exponent: i64, to: &mut RnsNumbers) {
        for (i, &x) in x.plain().iter().enumerate() {
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
    use nonius_num::mp::Bits;
    use nonius_num::rns::float::Format;
    use nonius_num::{Dd, Mp};

    use super::*;
    use crate::backend::Space;

    const VALUES: [f64; 8] =
        [0.0, -0.0, 1.0, -1.5, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY];

    #[test]
    fn there_and_back() {
        let mut limbs = HostSpace::<Dd>::new(());
        let mut numbers = HostSpace::<Mp>::new(Bits::new(106).unwrap());
        let mut residues = RnsSpace::new(&Format::with_bits(106).unwrap()).unwrap();
        let mut of_residues = residues.vector(9).unwrap();
        let (mut wide, mut long) = (limbs.vector(9).unwrap(), numbers.vector(9).unwrap());
        let mut x = Numbers::from(VALUES.to_vec());
        x.push(f64::NAN);
        let nines = |x: f64| Numbers::from(vec![x; 9]);
        for exponent in [0, 100_000_000, -100_000_000] {
            let mut y = nines(7.0);
            numbers.widen(&x, exponent, &mut long);
            numbers.round(&long, exponent, &mut y);
            let same =
                |(x, y): (&f64, &f64)| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
            assert!(x.plain().iter().zip(y.plain()).all(same), "{y:?}");
            let mut y = nines(7.0);
            residues.widen(&x, exponent, &mut of_residues);
            residues.round(&of_residues, exponent, &mut y);
            assert!(x.plain().iter().zip(y.plain()).all(same), "{y:?}");
        }
        let mut y = nines(7.0);
        limbs.widen(&x, 0, &mut wide);
        limbs.round(&wide, 0, &mut y);
        assert_eq!((&y.plain()[..8], y[8].is_nan()), (&x.plain()[..8], true));
        // Small and large numbers, brought into the range.
        limbs.widen(&nines(1.5), -1000, &mut wide);
        limbs.round(&wide, -999, &mut y);
        assert_eq!(y.plain(), [0.75; 9]);
        let number = Mp::from_f64(Bits::new(106).unwrap(), 1.0 + f64::EPSILON);
        long.put(0, number.ldexp(-40_000_000).view());
        numbers.round(&long, -39_999_000, &mut y);
        assert_eq!(y[0], (1.0 + f64::EPSILON) * 2.0_f64.powi(-1000));
        numbers.round(&long, 0, &mut y);
        assert_eq!(y[0], 0.0);
    }
}
