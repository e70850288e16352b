//! Numbers with the significand of an `f64` and far exponents: the bits of `nonius-linalg`.

use nonius_linalg::backend::Reading as Host;
use nonius_testkit::Random;

use crate::library::of_mp;

/// `Reading` of `reading.cuh`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Reading {
    significand: f64,
    exponent: i64,
}

impl Reading {
    const ZERO: Self = Self { significand: 0.0, exponent: 0 };

    fn of(x: Host) -> Self {
        Self { significand: x.significand, exponent: x.exponent }
    }

    fn same(self, other: Self) -> bool {
        let nan = self.significand.is_nan() && other.significand.is_nan();
        self.exponent == other.exponent
            && (nan || self.significand.to_bits() == other.significand.to_bits())
    }
}

type Function = unsafe extern "C" fn(
    i64,
    *const Reading,
    *const Reading,
    *mut Reading,
    *mut Reading,
    *mut Reading,
    *mut i32,
);

/// Of any sign, some with exponents close to one another.
fn random(random: &mut Random) -> Host {
    match random.below(12) {
        0 => Host::ZERO,
        1 => Host::INFINITY,
        2 => Host::of(f64::NAN),
        kind => {
            let bits = 0x3fe0_0000_0000_0000 | random.bits() >> 12;
            let significand = f64::from_bits(if kind == 3 { bits & !0xffff_ffff } else { bits });
            let range = [3, 60, 1100, 1 << 30][random.below(4)];
            let exponent = random.below(range) as i64 - range as i64 / 2;
            let sign = if random.below(4) == 0 { -1.0 } else { 1.0 };
            Host { significand: sign * significand, exponent }
        }
    }
}

#[test]
fn readings_have_the_hosts_bits() {
    const COUNT: usize = 100_000;
    let mut source = Random::new(5);
    let pairs: Vec<_> = (0..COUNT).map(|_| (random(&mut source), random(&mut source))).collect();
    let [x, y] = [0, 1].map(|side| -> Vec<Reading> {
        pairs.iter().map(|pair| Reading::of([pair.0, pair.1][side])).collect()
    });
    let [mut sums, mut quotients, mut larger] = [(); 3].map(|()| vec![Reading::ZERO; COUNT]);
    let mut greater = vec![0; COUNT];
    // SAFETY: the function has this type; all arrays have `COUNT` values.
    unsafe {
        let function: Function = of_mp().function("reading");
        let (sums, quotients) = (sums.as_mut_ptr(), quotients.as_mut_ptr());
        let (larger, greater) = (larger.as_mut_ptr(), greater.as_mut_ptr());
        function(COUNT as i64, x.as_ptr(), y.as_ptr(), sums, quotients, larger, greater);
    }
    for (i, &(a, b)) in pairs.iter().enumerate() {
        for (name, found, expected) in [
            ("sum", sums[i], a.plus(b)),
            ("quotient", quotients[i], a.over(b)),
            ("larger", larger[i], a.max(b)),
        ] {
            let expected = Reading::of(expected);
            assert!(found.same(expected), "{name} of {a:?}, {b:?}: {found:?}, not {expected:?}");
        }
        assert_eq!(greater[i] != 0, a > b, "{a:?} > {b:?}");
    }
}
