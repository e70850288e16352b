//! The accumulator against exact sums.

use nonius_linalg::accumulate::Accumulator;
use nonius_testkit::{ExactSum, Random};

/// A term of a sum of products.
type Term<const N: usize> = ([f64; N], [f64; N]);

fn unit_roundoff(limbs: usize) -> f64 {
    if limbs == 1 { f64::EPSILON / 2.0 } else { 0.5_f64.powi(52 * limbs as i32) }
}

/// Sums products and their factors, and compares both with the exact sums.
fn check<const N: usize>(terms: &[Term<N>]) {
    let (mut products, mut factors) = (Accumulator::<N, f64>::new(), Accumulator::<N, f64>::new());
    let (mut exact_products, mut exact_factors) = (ExactSum::new(), ExactSum::new());
    let (mut size_of_products, mut size_of_factors) = (0.0, 0.0);
    for (step, (a, b)) in terms.iter().enumerate() {
        if step > 0 && step % Accumulator::<N, f64>::PERIOD == 0 {
            products.carry();
            factors.carry();
        }
        products.add_product(*a, *b);
        factors.add(*a);
        exact_products.add_product(a, b);
        exact_factors.add_limbs(a);
        size_of_products += (a[0] * b[0]).abs();
        size_of_factors += a[0].abs();
    }
    let unit = Accumulator::<N, f64>::error(terms.len()) * unit_roundoff(N);
    for (sum, exact, size) in [
        (products.normalized(), exact_products, size_of_products),
        (factors.normalized(), exact_factors, size_of_factors),
    ] {
        let error = exact.distance(&sum);
        assert!(
            error <= unit * size,
            "{N} limbs, {} terms: {error:e} > {:e}",
            terms.len(),
            unit * size
        );
        for pair in sum.windows(2) {
            assert_eq!(pair[0] + pair[1], pair[0], "not in normal form: {sum:?}");
        }
    }
}

fn check_random<const N: usize>() {
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
        }
    }
}

#[test]
fn sums_stay_within_the_stated_error() {
    check_random::<1>();
    check_random::<2>();
    check_random::<3>();
    check_random::<4>();
}

#[test]
fn the_empty_sum_is_zero() {
    assert_eq!(Accumulator::<4, f64>::new().normalized(), [0.0; 4]);
}
