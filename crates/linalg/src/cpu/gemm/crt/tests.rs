use core::ops::Range;
use std::sync::Mutex;

use nonius_num::rns::Crt;
use nonius_num::{Dd, Qd, Td};
use nonius_testkit::{ExactSum, Random};

use super::bytes::{Bytes, Level};
use super::floats::Floats;
use super::layout::LINES;
use super::layout::ROWS;
use super::sink::Sink;
use super::source::{Source, words};
use super::unit::Unit;
use super::*;
use crate::Matrix;
use crate::dense::Transpose;
use crate::dense::gemm::crt::Plan;

fn limbs<T: Scalar>(x: T) -> Vec<f64> {
    (0..T::LIMBS).map(|l| x.limb(l)).collect()
}

fn random<T: Scalar>(rows: usize, cols: usize, random: &mut Random) -> Matrix<T> {
    Matrix::from_fn(rows, cols, |_, _| {
        let limbs = random.limbs::<4>();
        T::from_limbs(|l| limbs[l])
    })
}

fn product<T: Scalar>(unit: Kind, a: &Matrix<T>, b: &Matrix<T>) -> Result<Matrix<T>, Fallback> {
    let mut c = Matrix::zeros(a.rows(), b.cols());
    let factors = Factors { alpha: T::ONE, beta: T::ZERO };
    let (left, right) =
        (Operand::new(Transpose::No, a.view()), Operand::new(Transpose::No, b.view()));
    let options = Options {
        unit,
        most_bits: Plan::MOST_BITS,
        accuracy: Accuracy::Entrywise,
        workspace: 1 << 28,
        plan: None,
    };
    multiply(options, [left, right], [None; 2], factors, Part::All, c.view_mut())?;
    Ok(c)
}

fn check<T: Scalar>(m: usize, k: usize, n: usize) {
    let mut source = Random::new((m + k + n) as u64);
    let (a, b) = (random::<T>(m, k, &mut source), random::<T>(k, n, &mut source));
    let c = product(Kind::Bytes, &a, &b).unwrap();
    let other = product(Kind::Floats, &a, &b).unwrap();
    for j in 0..n {
        for i in 0..m {
            assert_eq!(limbs(c[(i, j)]), limbs(other[(i, j)]), "{} entry ({i}, {j})", T::NAME);
        }
    }
    let mut worst = 0.0_f64;
    for _ in 0..40 {
        let (i, j) = (source.below(m), source.below(n));
        let (mut sum, mut size) = (ExactSum::new(), 0.0);
        for l in 0..k {
            sum.add_product(&limbs(a[(i, l)]), &limbs(b[(l, j)]));
            size += (a[(i, l)].to_f64() * b[(l, j)].to_f64()).abs();
        }
        let error = sum.distance(&limbs(c[(i, j)])) / (size * T::UNIT_ROUNDOFF);
        worst = worst.max(error);
    }
    println!("{} {m} × {k} × {n}: {worst:.3} units", T::NAME);
    assert!(worst <= 1.0, "{worst} units");
}

#[test]
fn products_are_right_and_the_same_on_every_unit() {
    check::<Dd>(1, 1, 1);
    check::<Dd>(33, 70, 17);
    check::<Td>(40, 33, 65);
    check::<Qd>(300, 129, 70);
    check::<Qd>(3, 5000, 2);
}

#[test]
fn every_unit_takes_the_most_bits_that_a_plan_has() {
    fn check<U: Unit>() {
        for k in [1, 1000, 1 << 20] {
            for most in [Plan::MOST_BITS, Target::MOST_BITS] {
                let plan = Plan::with_bits(k, most, 1.0);
                let crt = Crt::new(U::moduli(plan.modulus_bits, k).unwrap());
                let moduli = crt.moduli().values().len();
                assert_eq!(U::new(crt, plan.bits).channels(), moduli);
            }
        }
    }
    check::<Bytes>();
    check::<Floats>();
}

/// Random integers of some bits.
struct Integers {
    lines: usize,
    places: usize,
    bits: u32,
    /// `[line][place][word]`.
    words: Vec<u32>,
}

/// Integers are compared modulo this prime, `2^61 − 1`.
const PRIME: i128 = (1 << 61) - 1;

impl Integers {
    fn random(lines: usize, places: usize, bits: u32) -> Self {
        let mut random = Random::new((lines * places) as u64 + u64::from(bits));
        let count = words(bits);
        let mut all = Vec::new();
        for _ in 0..lines * places {
            // Some are as large as can be, and some of one word.
            let kind = random.below(8);
            let sign = if random.below(2) == 0 { 0 } else { u32::MAX };
            for w in 0..count {
                let mask = match bits.saturating_sub(32 * w as u32) {
                    0 => 0,
                    rest if rest >= 32 => u32::MAX,
                    rest => (1 << rest) - 1,
                };
                let word = match kind {
                    0 => u32::MAX,
                    1 if w > 0 => 0,
                    _ => random.below(1 << 32) as u32,
                };
                all.push((word & mask) ^ sign);
            }
        }
        Self { lines, places, bits, words: all }
    }

    fn modulo_prime(&self, line: usize, place: usize) -> i128 {
        let count = words(self.bits);
        let words = &self.words[(line * self.places + place) * count..][..count];
        let highest = i128::from(words[count - 1] as i32);
        let number = words[..count - 1]
            .iter()
            .rev()
            .fold(highest, |x, &word| ((x << 32) + i128::from(word)) % PRIME);
        number.rem_euclid(PRIME)
    }
}

impl Source for Integers {
    fn shape(&self) -> (usize, usize) {
        (self.lines, self.places)
    }

    fn integers(&self, lines: Range<usize>, places: Range<usize>, to: &mut [u32]) {
        let count = words(self.bits);
        to.fill(0);
        for (p, place) in places.enumerate() {
            for (i, line) in lines.clone().enumerate() {
                for w in 0..count {
                    to[(p * count + w) * LINES + i] =
                        self.words[(line * self.places + place) * count + w];
                }
            }
        }
    }
}

/// Digits of all entries.
struct Collected {
    rows: usize,
    digits: Mutex<Vec<Vec<f64>>>,
}

impl Sink for Collected {
    type Room = ();

    fn room(&self) {}

    fn write(&self, _: &mut (), digits: &mut [f64], rows: Range<usize>, column: usize) {
        let mut all = self.digits.lock().unwrap();
        for (i, row) in rows.enumerate() {
            let mut digits: Vec<f64> = digits.iter().skip(i).step_by(ROWS).copied().collect();
            // How many there are depends on the moduli.
            digits.truncate(
                digits.iter().rposition(|&digit| digit != 0.0).map_or(0, |last| last + 1),
            );
            all[column * self.rows + row] = digits;
        }
    }
}

/// The digits of a product of random integers, after comparing some with the product modulo a
/// prime.
fn integer_product(unit: Kind, [m, k, n]: [usize; 3], bits: u32) -> Vec<Vec<f64>> {
    let (left, right) = (Integers::random(m, k, bits), Integers::random(n, k, bits));
    let sink = Collected { rows: m, digits: Mutex::new(vec![Vec::new(); m * n]) };
    let product = Product {
        plan: Plan::with_bits(k, bits, 1.0),
        left: Factor { source: &left, converted: None },
        right: Factor { source: &right, converted: None },
        shared: false,
        part: Part::All,
        sink: &sink,
    };
    product.compute(unit, 1 << 28).unwrap();
    let digits = sink.digits.into_inner().unwrap();
    for t in 0..200 {
        let (i, j) = (t * 7919 % m, t * 104_729 % n);
        let sum = (0..k)
            .fold(0, |sum, l| (sum + left.modulo_prime(i, l) * right.modulo_prime(j, l)) % PRIME);
        let found = digits[j * m + i]
            .iter()
            .rev()
            .fold(0, |x, &digit| ((x << 48) % PRIME + digit as i128).rem_euclid(PRIME));
        assert_eq!(found, sum, "{unit:?} {m} × {k} × {n}, {bits} bits, entry ({i}, {j})");
    }
    digits
}

#[test]
fn products_of_integers_are_exact_on_every_unit() {
    for (shape, bits) in [
        ([1, 1, 1], 1),
        ([5, 9, 7], 30),
        ([33, 70, 50], 106),
        ([40, 33, 20], 159),
        ([70, 130, 65], 212),
        ([9, 40, 11], 424),
        ([8, 20, 5], 2100),
        // Larger moduli, of which fewer products than there are have a sum of 32 bits.
        ([6, 150, 5], 4200),
    ] {
        let expected = integer_product(Kind::Floats, shape, bits);
        for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
            level.set();
            let found = integer_product(Kind::Bytes, shape, bits);
            assert!(found == expected, "{level:?} {shape:?}, {bits} bits");
        }
    }
}

#[test]
fn fewer_products_of_quarters_do_not_change_a_digit() {
    assert_eq!(strassen::levels(520, 530, 1040), 1);
    assert_eq!(strassen::levels(1030, 1024, 1040), 2);
    for (shape, bits) in [([520, 1040, 530], 20), ([530, 600, 540], 180), ([1030, 1040, 1025], 10)]
    {
        let expected = integer_product(Kind::Floats, shape, bits);
        for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
            level.set();
            let found = integer_product(Kind::Bytes, shape, bits);
            assert!(found == expected, "{level:?} {shape:?}, {bits} bits");
        }
    }
    // Two levels with moduli of 16 bits, compared modulo a prime alone.
    integer_product(Kind::Bytes, [1030, 1040, 1025], 172);
}
