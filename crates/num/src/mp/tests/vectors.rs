//! Operations on lines of numbers, against single ones of more bits.

use alloc::vec;
use alloc::vec::Vec;

use super::super::{Bits, Head, Mp, MpRef, axpy, gathered_dot, stepwise, xpay};
use crate::decimal::testing::Random;

const PRECISIONS: [u32; 12] = [64, 65, 106, 127, 128, 192, 212, 256, 424, 448, 512, 700];

/// Bits in which sums and products of numbers of [`PRECISIONS`] are exact, where exponents differ
/// by a few hundred.
const EXACT: u32 = 4096;

fn bits(p: u32) -> Bits {
    Bits::new(p).unwrap()
}

/// Bits at random, long runs of ones and zeros among them.
pub(super) fn number(p: Bits, range: u64, random: &mut Random) -> Mp {
    let kind = random.below(4);
    let words: Vec<u64> = (0..p.words())
        .map(|_| match (kind, random.below(3)) {
            (0, 0) => 0,
            (0, 1) => u64::MAX,
            _ => random.next(),
        })
        .collect();
    let e = random.below(2 * range + 1) as i64 - range as i64 - 64 * words.len() as i64;
    Mp::rounded(p, random.next() & 1 == 1, &words, e, false)
}

/// Numbers one after the other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line(pub(super) Vec<Head>, pub(super) Vec<u64>);

impl Line {
    pub(super) fn new(numbers: &[Mp]) -> Self {
        let words = numbers.iter().flat_map(|x| x.words().iter().copied()).collect();
        Self(numbers.iter().map(Mp::head).collect(), words)
    }

    pub(super) fn parts(&self) -> (&[Head], &[u64]) {
        (&self.0, &self.1)
    }

    pub(super) fn parts_mut(&mut self) -> (&mut [Head], &mut [u64]) {
        (&mut self.0, &mut self.1)
    }
}

/// `c + a·b`, rounded once.
fn fused(p: Bits, a: &Mp, b: &Mp, c: &Mp) -> Mp {
    let (mut product, mut sum) = (Mp::zero(bits(EXACT)), Mp::zero(bits(EXACT)));
    product.set_product(a.view(), b.view());
    sum.set_sum(product.view(), c.view());
    sum.view().to_mp(p)
}

/// `c + a·b`, the product rounded first.
fn in_steps(p: Bits, a: &Mp, b: &Mp, c: &Mp) -> Mp {
    let (mut product, mut sum) = (Mp::zero(p), Mp::zero(p));
    product.set_product(a.view(), b.view());
    sum.set_sum(c.view(), product.view());
    sum
}

fn check_lines(a: &Mp, x: &[Mp], y: &[Mp]) {
    type Reference = fn(Bits, &Mp, &Mp, &Mp) -> Mp;
    let p = a.bits();
    let (from, to) = (Line::new(x), Line::new(y));
    let by = |reference: Reference, exchanged: bool| {
        let pairs = x.iter().zip(y);
        let results: Vec<Mp> = pairs
            .map(|(x, y)| if exchanged { reference(p, a, y, x) } else { reference(p, a, x, y) })
            .collect();
        Line::new(&results)
    };
    let mut z = to.clone();
    axpy(a.view(), from.parts(), z.parts_mut());
    assert_eq!(z, by(fused, false), "axpy mp{p} {a}");
    let mut z = to.clone();
    xpay(from.parts(), a.view(), z.parts_mut());
    assert_eq!(z, by(fused, true), "xpay mp{p} {a}");
    let mut z = to.clone();
    stepwise::axpy(a.view(), from.parts(), z.parts_mut());
    assert_eq!(z, by(in_steps, false));
    let mut z = to;
    stepwise::xpay(from.parts(), a.view(), z.parts_mut());
    assert_eq!(z, by(in_steps, true));
}

#[test]
fn lines_are_rounded_once() {
    let mut random = Random::new(3);
    for p in PRECISIONS.map(bits) {
        for round in 0..300 {
            let range = [1, 10, u64::from(p.get()), 2 * u64::from(p.get())][round % 4];
            let a = number(p, range, &mut random);
            let x: Vec<Mp> = (0..9).map(|_| number(p, range, &mut random)).collect();
            let mut y: Vec<Mp> = (0..9).map(|_| number(p, range, &mut random)).collect();
            // The product but for a few last bits, with either sign; and a number beside it that
            // leaves the sum near the middle of two.
            y[0] = -(a * x[0]) + number(p, 3, &mut random).ldexp(-(p.get() as i32));
            y[1] = a * x[1];
            y[2] = (a * x[2]).ldexp(p.get() as i32 - random.below(4) as i32);
            y[3] = (a * x[3]).ldexp(-(p.get() as i32) + random.below(4) as i32);
            check_lines(&a, &x, &y);
        }
    }
}

/// Sums in the middle of two numbers, and next to it.
#[test]
fn ties_go_to_even() {
    for p in PRECISIONS.map(bits) {
        let one = Mp::one(p);
        let unit = one.ldexp(1 - p.get() as i32);
        let x: Vec<Mp> =
            (0..8).map(|k| (Mp::from_f64(p, f64::from(k)) * unit) / Mp::from_f64(p, 4.0)).collect();
        let odd = one + unit;
        for y in [&one, &odd, &-odd] {
            let y = vec![*y; 8];
            check_lines(&one, &x, &y);
            check_lines(&-one, &x, &y);
            check_lines(&odd, &x, &y);
        }
    }
}

#[test]
fn specials_in_lines() {
    for p in [64, 106, 424].map(bits) {
        let specials: Vec<Mp> = [0.0, -0.0, 1.0, -2.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]
            .map(|x| Mp::from_f64(p, x))
            .into();
        for a in &specials {
            for x in &specials {
                let x = vec![*x; specials.len()];
                check_specials(a, &x, &specials);
            }
        }
        // A product beyond the range, and a sum that leaves it.
        let top = Mp::one(p).ldexp(Head::GREATEST_EXPONENT - 1);
        let mut y = Line::new(&[Mp::one(p), top, -top]);
        axpy(top.view(), Line::new(&[top, Mp::one(p), -Mp::one(p)]).parts(), y.parts_mut());
        assert!(y.0.iter().all(|head| head.is_infinite()), "{:?}", y.0);
        assert!(y.1.iter().all(|&word| word == 0));
        let low = Mp::one(p).ldexp(Head::LEAST_EXPONENT - 1);
        let mut y = Line::new(&[Mp::one(p)]);
        axpy(low.view(), Line::new(core::slice::from_ref(&low)).parts(), y.parts_mut());
        assert_eq!(y, Line::new(&[Mp::one(p)]));
    }
}

fn check_specials(a: &Mp, x: &[Mp], y: &[Mp]) {
    let p = a.bits();
    let mut z = Line::new(y);
    axpy(a.view(), Line::new(x).parts(), z.parts_mut());
    for (i, (x, y)) in x.iter().zip(y).enumerate() {
        let expected = in_steps(p, a, x, y);
        let words = &z.1[i * p.words()..][..p.words()];
        assert_eq!((z.0[i], words), (expected.head(), expected.words()), "{y} + {a} · {x}");
    }
}

/// As the sum of the same products with all their bits, rounded; within the bound where bits are
/// cut.
#[test]
fn gathered_sums() {
    let mut random = Random::new(4);
    for p in PRECISIONS.map(bits) {
        for round in 0..200 {
            let q = [p, bits(64), bits(PRECISIONS[random.below(12) as usize])][round % 3];
            let count = [0, 1, 2, 5, 40][random.below(5) as usize];
            let x: Vec<Mp> = (0..7).map(|_| number(q, 20, &mut random)).collect();
            let mut y: Vec<Mp> = (0..9).map(|_| number(p, 20, &mut random)).collect();
            y[4] = Mp::zero(p);
            let pairs: Vec<(usize, usize)> =
                (0..count).map(|_| (random.below(7) as usize, random.below(9) as usize)).collect();
            let (mut sum, mut size) = (Mp::zero(bits(EXACT)), 0.0);
            let mut steps = Mp::zero(p);
            for &(i, j) in &pairs {
                let mut product = Mp::zero(bits(EXACT));
                product.set_product(x[i].view(), y[j].view());
                size += product.to_f64().abs();
                sum += product;
                steps = in_steps(p, &x[i], &y[j], &steps);
            }
            let (x, y) = (Line::new(&x), Line::new(&y));
            let mut words = vec![7; p.words()];
            let head = gathered_dot(p, x.parts(), y.parts(), pairs.iter().copied(), &mut words);
            let found = MpRef::new(p, head, &words);
            let bound = 1.000_001 * 0.5_f64.powi(p.get() as i32) * size;
            assert!((sum.view() - found).abs().to_f64() <= bound, "mp{p}");
            let head =
                stepwise::dot(p, (q, &x.0, &x.1), y.parts(), pairs.iter().copied(), &mut words);
            assert!(MpRef::new(p, head, &words) == steps.view(), "mp{p}");
        }
    }
}
