//! Lines of numbers against those of binary numbers of as many bits.

use super::binary::{formats, number};
use super::*;
use crate::decimal::testing::Random;
use crate::mp::{Head, stepwise as binary_steps};
use crate::{Mp, MpRef};

/// Heads and words.
type Line = (Vec<Head>, Vec<u64>);

fn line(bits: Bits, numbers: RnsSlice<'_>) -> Line {
    let numbers: Vec<Mp> = (0..numbers.len()).map(|i| numbers.at(i).to_mp_of(bits)).collect();
    of_binary(&numbers, bits)
}

fn of_binary(numbers: &[Mp], bits: Bits) -> Line {
    let words = |x: &Mp| {
        let mut words = vec![0; bits.words()];
        x.view().write(bits, &mut words);
        words
    };
    (numbers.iter().map(Mp::head).collect(), numbers.iter().flat_map(words).collect())
}

fn numbers(format: &Format, count: usize, range: i32, random: &mut Random) -> RnsNumbers {
    let mut numbers = RnsNumbers::new(format);
    for i in 0..count {
        let x = match i % 11 {
            10 => RnsFloat::zero(format),
            _ => number(format, range, random),
        };
        numbers.push(x.view());
    }
    numbers
}

/// Whether numbers are those of a line, and sound.
fn check(found: RnsSlice<'_>, exact: &Line, bits: Bits, what: &str) {
    for i in 0..found.len() {
        sound(&RnsFloat::zero(found.format()).replaced(found.at(i)));
    }
    assert!(line(bits, found) == *exact, "{} bits: {what}", bits.get());
}

impl RnsFloat {
    fn replaced(mut self, x: RnsRef<'_>) -> Self {
        (self.head, self.bounds) = (x.head, x.bounds);
        self.residues.copy_from_slice(x.residues);
        self
    }
}

#[test]
fn lines_have_the_bits_of_binary_numbers() {
    let mut random = Random::new(41);
    for format in formats().into_iter().filter(|format| format.bits() >= 53) {
        let p = format.bits();
        let bits = Bits::internal(p);
        for (round, range) in [1, 60, p as i32].into_iter().enumerate() {
            let count = [1, 37, if p < 900 { 600 } else { 20 }][round];
            let (x, y) = [(); 2].map(|()| numbers(&format, count, range, &mut random)).into();
            let a = number(&format, range, &mut random);
            let alpha = a.view().to_mp_of(bits);
            let (xs, ys) = (line(bits, x.as_slice()), line(bits, y.as_slice()));

            let (mut z, mut exact) = (y.clone(), ys.clone());
            axpy(a.view(), x.as_slice(), z.as_mut_slice());
            binary_steps::axpy(alpha.view(), (&xs.0, &xs.1), (&mut exact.0, &mut exact.1));
            check(z.as_slice(), &exact, bits, "axpy");

            let (mut z, mut exact) = (y.clone(), ys.clone());
            xpay(x.as_slice(), a.view(), z.as_mut_slice());
            binary_steps::xpay((&xs.0, &xs.1), alpha.view(), (&mut exact.0, &mut exact.1));
            check(z.as_slice(), &exact, bits, "xpay");

            let mut z = y.clone();
            multiply(x.as_slice(), z.as_mut_slice());
            scale(a.view(), z.as_mut_slice());
            for i in 0..count {
                let product = (x.at(i).to_mp_of(bits) * y.at(i).to_mp_of(bits)) * alpha;
                assert!(same(&RnsFloat::zero(&format).replaced(z.at(i)), &product), "{p} bits");
            }

            let mut to = vec![0; bits.words()];
            let head = binary_steps::strided_dot(bits, (&xs.0, &xs.1), (&ys.0, &ys.1), &mut to);
            let found = strided_dot(x.as_slice(), y.as_slice());
            sound(&found);
            assert!(same(&found, &MpRef::new(bits, head, &to).to_mp(bits)), "{p} bits: a sum");
        }
    }
}

#[test]
fn factors_may_be_doubles() {
    let mut random = Random::new(42);
    let doubles = [0.0, -0.0, 1.0, -3.5, f64::MAX, f64::MIN_POSITIVE, 5e-324, 1.0 / 3.0];
    for format in formats().into_iter().filter(|format| format.bits() >= 53) {
        let bits = Bits::internal(format.bits());
        let of_double = Bits::internal(64);
        for round in 0..20 {
            let count = 1 + round * 3;
            let x: Vec<f64> = (0..count)
                .map(|i| match (i + round) % 3 {
                    0 => doubles[random.below(doubles.len() as u64) as usize],
                    _ => f64::from_bits(random.next() >> 2 | random.next() << 63),
                })
                .collect();
            let y = numbers(&format, count, 40, &mut random);
            let pairs = || (0..count).map(|i| (i, i));
            let exact: Vec<Mp> = x.iter().map(|&x| Mp::from_f64(of_double, x)).collect();
            let (factors, ys) = (of_binary(&exact, of_double), line(bits, y.as_slice()));
            let mut to = vec![0; bits.words()];
            let factors = (of_double, &*factors.0, &*factors.1);
            let head = binary_steps::dot(bits, factors, (&ys.0, &ys.1), pairs(), &mut to);
            let found = dot(&format, pairs().map(|(i, j)| (x[i], y.at(j))));
            sound(&found);
            let exact = MpRef::new(bits, head, &to).to_mp(bits);
            assert!(same(&found, &exact), "{} bits: {x:?}", format.bits());
        }
        for x in [f64::NAN, f64::INFINITY] {
            let one = RnsFloat::one(&format);
            let found = dot(&format, [(x, one.view())].into_iter());
            assert_eq!(found.is_nan(), x.is_nan());
            assert!(!found.is_finite());
        }
    }
}
