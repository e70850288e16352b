//! Sums of weights times entries at given places, a register of them at a time.
//!
//! **Error.** A lane's sum is one of [`Accumulator`]'s, `⌈e/8⌉` steps of it for `e` entries, and
//! lanes are added pairwise, as in [`reduce`](nonius_linalg::cpu::reduce).

use nonius_linalg::accumulate::{Accumulator, Sum};
use nonius_linalg::cpu::reduce::load;
use nonius_linalg::cpu::simd::{Kernel, dispatch};
use nonius_linalg::{Scalar, limbs_of};
use nonius_num::Lane;

/// Partial sums, as many as the widest registers have lanes.
const PARTIALS: usize = 8;

/// `Σ weights[k]·a[places[k]]`
pub(super) fn weigh<T: Scalar>(weights: &[T], a: &[T], places: &[usize]) -> T {
    let plain = || {
        let terms = places.iter().zip(weights);
        terms.fold(T::ZERO, |sum, (&place, &weight)| sum + weight * a[place])
    };
    if places.len() < PARTIALS {
        return plain();
    }
    let (a, weights) = (limbs_of(a), limbs_of(weights));
    let sum = match T::LIMBS {
        1 => total::<T, 1>(dispatch(Terms::<1> { places, weights, a })),
        2 => total::<T, 2>(dispatch(Terms::<2> { places, weights, a })),
        3 => total::<T, 3>(dispatch(Terms::<3> { places, weights, a })),
        _ => total::<T, 4>(dispatch(Terms::<4> { places, weights, a })),
    };
    if sum.is_finite() { sum } else { plain() }
}

fn total<T: Scalar, const N: usize>(partials: [[f64; N]; PARTIALS]) -> T {
    let mut sums = partials.map(|limbs| T::from_limbs(|limb| limbs[limb]));
    let mut count = PARTIALS;
    while count > 1 {
        count /= 2;
        (0..count).for_each(|i| sums[i] += sums[i + count]);
    }
    sums[0]
}

struct Terms<'a, const N: usize> {
    places: &'a [usize],
    weights: &'a [f64],
    a: &'a [f64],
}

impl<const N: usize> Kernel for Terms<'_, N> {
    type Output = [[f64; N]; PARTIALS];

    #[inline(always)]
    fn run<L: Lane>(self) -> Self::Output {
        let registers = PARTIALS / L::LANES;
        let mut sums = [Accumulator::<N, L>::new(); PARTIALS];
        for (step, at) in (0..self.places.len()).step_by(PARTIALS).enumerate() {
            for (r, sum) in sums.iter_mut().enumerate().take(registers) {
                let first = at + r * L::LANES;
                let mut entries = [L::splat(0.0); N];
                for (limb, entry) in entries.iter_mut().enumerate() {
                    *entry = L::from_fn(|lane| match self.places.get(first + lane) {
                        Some(&place) => self.a[place * N + limb],
                        None => 0.0,
                    });
                }
                sum.add_product(load(self.weights, first * N), entries);
            }
            if N > 1 && (step + 1) % Accumulator::<N, f64>::PERIOD == 0 {
                sums.iter_mut().take(registers).for_each(Accumulator::carry);
            }
        }
        let mut partials = [[0.0; N]; PARTIALS];
        for (r, sum) in sums.iter().enumerate().take(registers) {
            let limbs = if N == 1 { sum.limbs() } else { sum.normalized() };
            for lane in 0..L::LANES {
                partials[r * L::LANES + lane] = limbs.map(|limb| limb.lane(lane));
            }
        }
        partials
    }
}
