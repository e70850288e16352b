//! Sums of products against exact ones.

use nonius_linalg::accumulate::normalized::{Cray, Ieee, IeeeSloppy, Sloppy};
use nonius_linalg::accumulate::{Accumulator, Sum};
use nonius_testkit::{ExactSum, Random};

/// A term of a sum of products.
type Term<const N: usize> = ([f64; N], [f64; N]);

fn unit_roundoff(limbs: usize) -> f64 {
    if limbs == 1 { f64::EPSILON / 2.0 } else { 0.5_f64.powi(52 * limbs as i32) }
}

/// Sums products, and compares them with the exact sum.
fn check<const N: usize, S: Sum<N, f64>>(terms: &[Term<N>]) {
    let (mut sum, mut exact, mut size) = (S::new(), ExactSum::new(), 0.0);
    for (step, (a, b)) in terms.iter().enumerate() {
        if step > 0 && step % S::PERIOD == 0 {
            sum.carry();
        }
        sum.add_product(*a, *b);
        exact.add_product(a, b);
        size += (a[0] * b[0]).abs();
    }
    judge(sum, &exact, terms.len(), size);
}

/// Sums the factors of products, and compares them with the exact sum.
fn check_plain_sum<const N: usize>(terms: &[Term<N>]) {
    let (mut sum, mut exact, mut size) = (Accumulator::<N, f64>::new(), ExactSum::new(), 0.0);
    for (step, (a, _)) in terms.iter().enumerate() {
        if step > 0 && step % Accumulator::<N, f64>::PERIOD == 0 {
            sum.carry();
        }
        sum.add(*a);
        exact.add_limbs(a);
        size += a[0].abs();
    }
    judge(sum, &exact, terms.len(), size);
}

fn judge<const N: usize, S: Sum<N, f64>>(sum: S, exact: &ExactSum, steps: usize, size: f64) {
    let sum = sum.normalized();
    let error = exact.distance(&sum);
    // The last factor covers terms of second order, and a rounding of `size` for each step.
    let allowed =
        S::error(steps) * unit_roundoff(N) * size * (1.0 + (steps + 8) as f64 * f64::EPSILON);
    assert!(error <= allowed, "{N} limbs, {steps} terms: {error:e} > {allowed:e}");
    for pair in sum.windows(2) {
        assert_eq!(pair[0] + pair[1], pair[0], "not in normal form: {sum:?}");
    }
}

/// Sums of terms of all kinds.
fn check_random<const N: usize>(check: fn(&[Term<N>])) {
    let mut random = Random::new(N as u64);
    for count in [1, 2, 3, 7, 8, 9, 31, 32, 33, 65, 1000] {
        for range in [0, 1, 40, 150] {
            let term =
                |random: &mut Random| (random.spread_limbs(range), random.spread_limbs(range));
            let mut terms: Vec<Term<N>> = (0..count).map(|_| term(&mut random)).collect();
            check(&terms);
            // One sign, which lets the roundings add up.
            for (a, b) in &mut terms {
                if a[0] * b[0] < 0.0 {
                    *a = a.map(|x| -x);
                }
            }
            check(&terms);
            // Cancellation of all but one term.
            terms.extend(terms.clone().into_iter().skip(1).map(|(a, b)| (a.map(|x| -x), b)));
            check(&terms);
            // Of all terms but for a few last bits, one after the other.
            terms = terms
                .iter()
                .flat_map(|&(a, b)| {
                    let mut near = a.map(|x| -x);
                    near[0] *= 1.0 + f64::EPSILON * random.below(3) as f64;
                    [(a, b), (near, b)]
                })
                .collect();
            check(&terms);
        }
    }
}

#[test]
fn delayed_sums_stay_within_the_stated_error() {
    check_random(check::<1, Accumulator<1, f64>>);
    check_random(check::<2, Accumulator<2, f64>>);
    check_random(check::<3, Accumulator<3, f64>>);
    check_random(check::<4, Accumulator<4, f64>>);
    check_random(check_plain_sum::<1>);
    check_random(check_plain_sum::<2>);
    check_random(check_plain_sum::<3>);
    check_random(check_plain_sum::<4>);
}

#[test]
fn ieee_sums_stay_within_the_stated_error() {
    check_random(check::<1, Ieee<1, f64>>);
    check_random(check::<2, Ieee<2, f64>>);
    check_random(check::<3, Ieee<3, f64>>);
    check_random(check::<4, Ieee<4, f64>>);
}

#[test]
fn cheap_sums_stay_within_the_stated_error() {
    check_random(check::<2, Cray<f64>>);
    check_random(check::<2, IeeeSloppy<f64>>);
    check_random(check::<2, Sloppy<f64>>);
}

/// One product errs by more than a unit: the bounds leave no room to speak of there.
#[test]
fn single_products_come_near_the_stated_error() {
    fn worst<S: Sum<2, f64>>() -> f64 {
        let mut random = Random::new(3);
        let errors = (0..100_000).map(|_| {
            let mut number = || -> [f64; 2] {
                // Just above 1, where roundings are largest.
                let high = 1.0 + (random.unit() * 0.01).abs();
                [high, f64::EPSILON / 2.0 * random.unit()]
            };
            let (a, b) = (number(), number());
            let (mut sum, mut exact) = (S::new(), ExactSum::new());
            sum.add_product(a, b);
            exact.add_product(&a, &b);
            exact.distance(&sum.normalized()) / (a[0] * b[0] * unit_roundoff(2))
        });
        errors.fold(0.0, f64::max) / S::error(1)
    }
    assert!(worst::<Ieee<2, f64>>() > 0.5);
    assert!(worst::<Cray<f64>>() > 0.5);
    assert!(worst::<IeeeSloppy<f64>>() > 0.25);
    assert!(worst::<Sloppy<f64>>() > 0.25);
}

/// Where a partial sum cancels, Cray's addition loses what the IEEE addition keeps.
#[test]
fn cancellation_tells_ieee_from_cray() {
    // An example of Joldes, Muller, Popescu 2017: the exact sum is u².
    let u = 2_f64.powi(-53);
    let terms = [[1.0 + 8.0 * u, -u], [-1.0 - 6.0 * u, -u + u * u]];
    fn sum<S: Sum<2, f64>>(terms: [[f64; 2]; 2]) -> [f64; 2] {
        let mut sum = S::new();
        terms.into_iter().for_each(|term| sum.add_product(term, [1.0, 0.0]));
        sum.normalized()
    }
    assert_eq!(sum::<Ieee<2, f64>>(terms), [u * u, 0.0]);
    assert_eq!(sum::<IeeeSloppy<f64>>(terms), [u * u, 0.0]);
    assert_eq!(sum::<Cray<f64>>(terms), [0.0, 0.0]);
    assert_eq!(sum::<Sloppy<f64>>(terms), [0.0, 0.0]);
}

/// Where the limbs of a product carry into one another, the two products differ, by what the sloppy
/// one leaves out.
#[test]
fn products_tell_accurate_from_sloppy() {
    fn one<S: Sum<2, f64>>(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
        let mut sum = S::new();
        sum.add_product(a, b);
        sum.normalized()
    }
    let mut random = Random::new(5);
    let pairs = (0..100).map(|_| (random.spread_limbs::<2>(0), random.spread_limbs::<2>(0)));
    let differ = pairs.filter(|&(a, b)| {
        assert_eq!(one::<Cray<f64>>(a, b), one::<Ieee<2, f64>>(a, b));
        assert_eq!(one::<Sloppy<f64>>(a, b), one::<IeeeSloppy<f64>>(a, b));
        one::<Cray<f64>>(a, b) != one::<Sloppy<f64>>(a, b)
    });
    assert!(differ.count() > 0);
}

#[test]
fn the_empty_sum_is_zero() {
    assert_eq!(Accumulator::<4, f64>::new().normalized(), [0.0; 4]);
    assert_eq!(Ieee::<4, f64>::new().normalized(), [0.0; 4]);
    assert_eq!(Sloppy::<f64>::new().normalized(), [0.0; 2]);
}
