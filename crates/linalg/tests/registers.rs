//! Every register computes the bits of `f64`.

use nonius_linalg::cpu::simd::{Kernel, Level, dispatch};
use nonius_num::Lane;
use nonius_testkit::Random;

/// The sum and its error for each pair, computed with registers.
struct TwoSums<'a>(&'a [(f64, f64)]);

impl Kernel for TwoSums<'_> {
    type Output = Vec<(f64, f64)>;

    #[inline(always)]
    fn run<L: Lane>(self) -> Self::Output {
        let mut sums = Vec::new();
        for pairs in self.0.chunks(L::LANES) {
            let pair = |i: usize| pairs[i.min(pairs.len() - 1)];
            let (s, e) = L::two_sum(L::from_fn(|i| pair(i).0), L::from_fn(|i| pair(i).1));
            sums.extend((0..pairs.len()).map(|i| (s.lane(i), e.lane(i))));
        }
        sums
    }
}

#[test]
fn two_sum_has_the_same_bits_in_every_register() {
    let tiny = f64::from_bits(1);
    let large = 0.5 * f64::MAX;
    let mut numbers = vec![0.0, 1.0, 1.0 + f64::EPSILON, 1.5, 2.0, 3.0, 0.5, 1e16, 1e-16, tiny];
    numbers.extend([3.0 * tiny, f64::MIN_POSITIVE, large, large * f64::EPSILON, 0.1, 0.3]);
    let mut random = Random::new(1);
    numbers.extend((0..40).map(|_| random.spread_limbs::<1>(60)[0]));
    let signed: Vec<f64> = numbers.iter().flat_map(|&x| [x, -x]).collect();
    let pairs: Vec<(f64, f64)> =
        signed.iter().flat_map(|&a| signed.iter().map(move |&b| (a, b))).collect();
    for level in Level::available() {
        Level::set(level);
        for (&(a, b), (s, e)) in pairs.iter().zip(dispatch(TwoSums(&pairs))) {
            let (s_f64, e_f64) = f64::two_sum(a, b);
            let same = s.to_bits() == s_f64.to_bits() && e.to_bits() == e_f64.to_bits();
            assert!(same, "{a:e} + {b:e} at level {}: {s:e}, {e:e}", level.name());
        }
    }
    Level::set(Level::best());
}
