//! Results from upper words, against those from all words: the same bits.

use alloc::vec;
use alloc::vec::Vec;

use super::super::fused::general;
use super::super::{Bits, Dot, Head, Mp, MpRef, axpy, gathered_dot, xpay};
use super::vectors::{Line, number};
use crate::decimal::testing::Random;

/// Precisions around every length of 1 to 9 words, and around the paddings that decide how long
/// sums are.
fn precisions() -> impl Iterator<Item = Bits> {
    let below = [0, 1, 15, 16, 17, 22, 24, 44, 63];
    (1..=9).flat_map(move |n| below.map(|b| 64 * n - b)).filter_map(|p| Bits::new(p).ok())
}

fn check(a: &Mp, x: &[Mp], y: &[Mp]) {
    let (x, y) = (Line::new(x), Line::new(y));
    for exchanged in [false, true] {
        let (mut found, mut expected) = (y.clone(), y.clone());
        if exchanged {
            xpay(x.parts(), a.view(), found.parts_mut());
        } else {
            axpy(a.view(), x.parts(), found.parts_mut());
        }
        general(exchanged, a.view(), x.parts(), expected.parts_mut());
        assert_eq!(found, expected, "mp{} {a}", a.bits());
    }
}

/// Lines around the length of a block, whose exponents differ by up to more than the bits.
#[test]
fn lines_of_any_length_and_spread() {
    let mut random = Random::new(21);
    for p in precisions() {
        for (round, length) in [0, 1, 2, 31, 32, 33, 65].into_iter().enumerate() {
            let range = [0, 2, 64, u64::from(p.get()) / 2, 2 * u64::from(p.get())][round % 5];
            let a = number(p, range, &mut random);
            let x: Vec<Mp> = (0..length).map(|_| number(p, range, &mut random)).collect();
            let y: Vec<Mp> = (0..length).map(|_| number(p, range, &mut random)).collect();
            check(&a, &x, &y);
        }
    }
}

/// Every distance of the exponents, to beyond that at which one number does not matter any more.
#[test]
fn every_distance() {
    let mut random = Random::new(22);
    for p in [64, 65, 106, 112, 113, 128, 212, 424, 448, 512].map(|p| Bits::new(p).unwrap()) {
        let reach = 64 * p.words() as i32 + 70;
        let a = number(p, 0, &mut random);
        let u = number(p, 0, &mut random);
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for distance in -reach..=reach {
            x.push(u);
            y.push(number(p, 0, &mut random).ldexp(distance));
            // A power of two below which the sum falls, or does not.
            x.push(Mp::one(p));
            y.push((-Mp::one(p)).ldexp(distance));
        }
        check(&a, &x, &y);
        check(&Mp::one(p), &x, &y);
        check(&-Mp::one(p), &x, &y);
    }
}

/// Sums of which all bits but a few cancel, and such that are next to the middle of two numbers or
/// to a power of two.
#[test]
fn cancellation_and_middles() {
    let mut random = Random::new(23);
    for p in precisions() {
        let bits = p.get() as i32;
        let (mut x, mut y) = (Vec::new(), Vec::new());
        let a = number(p, 3, &mut random);
        for left in 0..bits + 5 {
            let u = number(p, 3, &mut random);
            let rest = number(p, 0, &mut random).ldexp(-left);
            y.push(-(a * u) + rest);
            x.push(u);
        }
        check(&a, &x, &y);
        let one = Mp::one(p);
        let middles: Vec<Mp> = (0..4 * bits / 3)
            .map(|k| {
                let tiny = one.ldexp(-bits - k % 70);
                let half = one.ldexp(-bits);
                if k % 2 == 0 { half + tiny } else { half - tiny }
            })
            .collect();
        let near = vec![one - one.ldexp(-bits); middles.len()];
        check(&one, &middles, &vec![one; middles.len()]);
        check(&-one, &middles, &vec![one; middles.len()]);
        check(&one, &middles, &near);
        check(&-one, &middles, &near);
    }
}

/// Zeros, numbers that are not finite and exponents at the ends of the range, among others in a
/// block.
#[test]
fn specials_among_others() {
    let mut random = Random::new(24);
    for p in [64, 106, 128, 424].map(|p| Bits::new(p).unwrap()) {
        let ends = [Head::LEAST_EXPONENT, Head::LEAST_EXPONENT / 2, Head::GREATEST_EXPONENT];
        let mut kinds: Vec<Mp> = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1.0, -3.5]
            .map(|x| Mp::from_f64(p, x))
            .into();
        for e in ends {
            for k in [-1030, -600, -1, 0, 1, 600, 1030] {
                let x = number(p, 0, &mut random);
                let head = Head::finite(x.head().is_negative(), i64::from(e) + k);
                let shift = i64::from(head.code()) - i64::from(x.head().code());
                kinds.push(if head.exponent().is_some() { x.ldexp(shift as i32) } else { x });
            }
        }
        for a in &kinds {
            for shift in 0..kinds.len() {
                let mut y = kinds.clone();
                y.rotate_left(shift);
                check(a, &kinds, &y);
            }
        }
    }
}

/// Sums of products are those of [`Dot`], which computes all words: for as many terms as make sums
/// longer, for words of values that are shorter, for equal exponents and such that spread beyond
/// the bits that are kept.
#[test]
fn sums_of_products() {
    let mut random = Random::new(25);
    for p in precisions() {
        for (round, terms) in [1, 2, 3, 100, 127, 128, 129, 300, 700].into_iter().enumerate() {
            let range = [0, 3, 40, 2 * u64::from(p.get())][round % 4];
            for q in [p, Bits::new(64).unwrap()] {
                // Zeros are terms for one of the two and not for the other.
                let mut numbers = |p| -> Vec<Mp> {
                    let all = core::iter::repeat_with(|| number(p, range, &mut random));
                    all.filter(|x| !x.is_zero()).take(terms).collect()
                };
                let (mut x, mut y) = (numbers(q), numbers(p));
                let sum = same_sum(p, &x, &y);
                // All that rounding leaves of the sum cancels, so that what is left are its lowest
                // bits.
                if !sum.is_zero() {
                    x.push(-Mp::one(q));
                    y.push(sum);
                    same_sum(p, &x, &y);
                }
            }
        }
    }
}

fn same_sum(p: Bits, x: &[Mp], y: &[Mp]) -> Mp {
    let (x, y) = (Line::new(x), Line::new(y));
    let terms = x.0.len();
    let (mut found, mut expected) = (vec![1; p.words()], vec![2; p.words()]);
    let pairs = (0..terms).map(|i| (i, i));
    let head = gathered_dot(p, x.parts(), y.parts(), pairs, &mut found);
    let other = Dot::new(p).of(x.parts(), y.parts(), &mut expected);
    assert_eq!((head, &found), (other, &expected), "mp{p}, {terms} terms");
    MpRef::new(p, head, &found).to_mp(p)
}

/// Zeros between the terms change nothing.
#[test]
fn zeros_do_not_count() {
    let mut random = Random::new(26);
    for p in [64, 106, 256, 424, 512].map(|p| Bits::new(p).unwrap()) {
        let low = i64::from(Head::LEAST_EXPONENT) / 2 + 700;
        for scale in [0, low as i32] {
            let mut numbers =
                || (0..300).map(|_| number(p, 5, &mut random).ldexp(scale)).collect::<Vec<Mp>>();
            let (x, y) = (numbers(), numbers());
            let sum = |x: &[Mp], y: &[Mp]| {
                let (x, y) = (Line::new(x), Line::new(y));
                let mut words = vec![0; p.words()];
                let pairs = (0..x.0.len()).map(|i| (i, i));
                (gathered_dot(p, x.parts(), y.parts(), pairs, &mut words), words)
            };
            let expected = sum(&x, &y);
            let among = |numbers: &[Mp], first: bool| -> Vec<Mp> {
                let zero = |negative| Mp::from_f64(p, if negative { -0.0 } else { 0.0 });
                let huge = Mp::one(p);
                let beside = numbers.iter().enumerate().flat_map(|(i, x)| {
                    let other = if (i % 2 == 0) == first { zero(i % 3 == 0) } else { huge };
                    [*x, other]
                });
                beside.collect()
            };
            assert_eq!(sum(&among(&x, true), &among(&y, false)), expected, "mp{p}");
        }
    }
}
