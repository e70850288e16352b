//! Sums of products, against binary numbers of many bits.

use super::binary::{formats, number};
use super::*;
use crate::Mp;
use crate::decimal::testing::Random;

fn dot(dot: &mut Dot, x: &[RnsFloat], y: &[RnsFloat]) -> RnsFloat {
    let sum = dot.of(x.iter().zip(y).map(|(x, y)| (x.view(), y.view())));
    sound(&sum);
    sum
}

/// The sum of products and that of their magnitudes, with all bits.
fn exact(x: &[RnsFloat], y: &[RnsFloat]) -> (Mp, Mp) {
    let bits = Bits::new(Bits::MOST).unwrap();
    let (mut sum, mut size) = (Mp::zero(bits), Mp::zero(bits));
    for (x, y) in x.iter().zip(y) {
        let mut product = Mp::zero(bits);
        product.set_product(x.to_mp().view(), y.to_mp().view());
        sum += product;
        size += product.abs();
    }
    (sum, size)
}

#[test]
fn sums_are_within_their_bound() {
    let mut random = Random::new(31);
    for format in formats().into_iter().filter(|format| format.bits() >= Dot::LEAST_BITS) {
        let p = format.bits() as i32;
        let mut sums = Dot::new(&format).unwrap();
        for round in 0..if p < 900 { 24 } else { 6 } {
            let n = [1, 2, 3, 40][round % 4];
            let range = [0, 3, 60, p][round / 4 % 4].min(1000);
            let mut line = |n| -> Vec<RnsFloat> {
                (0..n).map(|_| number(&format, range, &mut random)).collect()
            };
            let (mut x, mut y) = (line(n), line(n));
            if round % 2 == 1 {
                // All but some cancels.
                x.extend(x.clone());
                y.extend(y.clone().into_iter().map(|y| -y));
                x[0] = &x[0] + &x[0].clone().ldexp(-p / 2);
            }
            let found = dot(&mut sums, &x, &y);
            let (sum, size) = exact(&x, &y);
            let error = (sum - found.to_mp()).abs();
            let c = i32::BITS as i32 - (x.len() as i32 - 1).leading_zeros() as i32;
            let bound = size.ldexp(-p) + size.ldexp(2 * c + 4 - 2 * p);
            assert!(error <= bound, "{p} bits, {n} terms, {range}: {found} for {sum}");
        }
    }
}

#[test]
fn sums_that_fit_are_rounded_once() {
    // Integers, of which no product is cut, more than a bin takes.
    let mut random = Random::new(32);
    for format in [
        Format::with_bits(106).unwrap(),
        Format::new(&[(1 << 31) - 1, (1 << 31) - 3, (1 << 31) - 9, (1 << 31) - 19]).unwrap(),
    ] {
        let mut sums = Dot::new(&format).unwrap();
        let mut line = |n| -> Vec<RnsFloat> {
            (0..n).map(|_| RnsFloat::from_f64(&format, random.next() as i16 as f64)).collect()
        };
        let (x, y) = (line(1000), line(1000));
        let terms = x.iter().zip(&y).map(|(x, y)| x.to_f64() * y.to_f64());
        assert_eq!(dot(&mut sums, &x, &y).to_f64(), terms.sum::<f64>());
        // The same terms in the other order.
        let back: Vec<_> = x.iter().rev().cloned().collect();
        let turned: Vec<_> = y.iter().rev().cloned().collect();
        assert_eq!(dot(&mut sums, &back, &turned), dot(&mut sums, &x, &y));
        let minus: Vec<_> = y.iter().map(|y| -y.clone()).collect();
        assert!(dot(&mut sums, &[x.clone(), x].concat(), &[y, minus].concat()).is_zero());
    }
}

#[test]
fn specials_are_those_of_sums() {
    let format = Format::with_bits(106).unwrap();
    let mut sums = Dot::new(&format).unwrap();
    let mut of = |x: &[f64], y: &[f64]| {
        let line = |x: &[f64]| -> Vec<RnsFloat> {
            x.iter().map(|&x| RnsFloat::from_f64(&format, x)).collect()
        };
        dot(&mut sums, &line(x), &line(y)).to_f64()
    };
    let infinity = f64::INFINITY;
    assert_eq!(of(&[], &[]), 0.0);
    assert_eq!(of(&[0.0, -0.0], &[1.0, 2.0]), 0.0);
    assert_eq!(of(&[infinity, 1.0], &[-2.0, 1.0]), -infinity);
    assert!(of(&[infinity, infinity], &[1.0, -1.0]).is_nan());
    assert!(of(&[infinity, 1.0], &[0.0, 1.0]).is_nan());
    assert!(of(&[f64::NAN, 1.0], &[0.0, 1.0]).is_nan());
    assert_eq!(of(&[3.0, 0.0, 1e300], &[2.0, 5.0, 1e-300]), 7.0);
    assert!(Dot::new(&Format::with_bits(52).unwrap()).is_none());
}
