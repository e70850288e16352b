use num_bigint::BigInt;

use super::*;

struct Line {
    heads: Vec<Head>,
    words: Vec<u64>,
    numbers: Vec<Mp>,
}

impl Line {
    fn new(numbers: Vec<Mp>) -> Self {
        let heads = numbers.iter().map(|x| x.head).collect();
        let words = numbers.iter().flat_map(|x| x.words().iter().copied()).collect();
        Self { heads, words, numbers }
    }

    fn parts(&self) -> (&[Head], &[u64]) {
        (&self.heads, &self.words)
    }
}

fn dot(p: u32, x: &Line, y: &Line) -> Mp {
    let mut z = Mp::zero(bits(p));
    z.head = Dot::new(bits(p)).of(x.parts(), y.parts(), z.words_mut());
    z
}

/// `|z − Σxy|·2^(p + 61) <= (2^61 + 1)·Σ|xy|`.
fn check_dot(p: u32, x: &Line, y: &Line, z: &Mp) {
    let (mut sum, mut size) = (Exact::zero(0), Exact::zero(0));
    for (x, y) in x.numbers.iter().zip(&y.numbers) {
        sum = sum.add(&Exact::of(x).mul(&Exact::of(y)));
        size = size.add(&Exact::of(&(*x).abs()).mul(&Exact::of(&(*y).abs())));
    }
    let z = Exact::of(z);
    let negative = Exact { numerator: -z.numerator, ..z };
    let mut error = sum.add(&negative);
    error = Exact { numerator: error.numerator.magnitude().clone().into(), ..error };
    let scaled = Exact { exponent: error.exponent + i64::from(p) + 61, ..error };
    let bound = Exact { numerator: size.numerator * ((1_u64 << 61) + 1), ..size };
    let bound = Exact { numerator: -bound.numerator, ..bound };
    assert!(scaled.add(&bound).numerator <= BigInt::ZERO);
}

#[test]
fn dot_products_keep_their_bound() {
    let mut random = Random::new(7);
    for p in PRECISIONS {
        for round in 0..40 {
            let terms = [0, 1, 2, 3, 7, 33][round % 6];
            let range = [2, 100, 700, 3 * p as i32][round % 4];
            let line = |random: &mut Random| {
                Line::new(
                    (0..terms)
                        .map(|_| match random.below(9) {
                            0 => Mp::zero(bits(p)),
                            _ => number(random, bits(p), range),
                        })
                        .collect(),
                )
            };
            let (x, mut y) = (line(&mut random), line(&mut random));
            if round % 5 == 0 && terms > 2 {
                // Cancels but for a small term.
                let small = number(&mut random, bits(p), 20).ldexp(-300);
                let (a, b) = (x.numbers[0], x.numbers[1]);
                y = Line::new(
                    [b, -a, small]
                        .into_iter()
                        .chain(y.numbers[3..].iter().map(|_| Mp::zero(bits(p))))
                        .collect(),
                );
            }
            let z = dot(p, &x, &y);
            check_dot(p, &x, &y, &z);
        }
    }
}

#[test]
fn lines_and_their_sum_may_differ_in_precision() {
    let mut random = Random::new(8);
    for round in 0..400 {
        let [px, py, p] =
            [0; 3].map(|_| PRECISIONS[random.below(PRECISIONS.len() as u64) as usize]);
        let range = [2, 100, 700][round % 3];
        let mut line = |p: u32| {
            Line::new((0..1 + round % 9).map(|_| number(&mut random, bits(p), range)).collect())
        };
        let (x, y) = (line(px), line(py));
        check_dot(p, &x, &y, &dot(p, &x, &y));
    }
}

#[test]
fn what_is_cut_off_before_the_last_rounding_is_below_its_bound() {
    // (1 + 2^-150)(1 − 2^-150) − 1, in 64 bits: 2^-300 is below 2^(E − p − 64) = 2^-126.
    let wide = bits(192);
    let small = Mp::one(wide).ldexp(-150);
    let one = Mp::one(wide);
    let (a, b) = (one + small, one - small);
    let x = Line::new(vec![a, -one]);
    let y = Line::new(vec![b, one]);
    let z = dot(64, &x, &y);
    assert!(z.is_zero() || z.head.code() <= -126, "{z}");
    let z = dot(512, &x, &y);
    assert_eq!(z, -Mp::one(bits(512)).ldexp(-300));
}

#[test]
fn dot_products_of_integers_are_exact_and_specials_are_kept() {
    let p = bits(107);
    let line = |numbers: &[f64]| Line::new(numbers.iter().map(|&x| Mp::from_f64(p, x)).collect());
    let z = dot(107, &line(&[1e15, -3.0, 7.0]), &line(&[1e15, 4.0, 1.0]));
    assert_eq!(z, Mp::from_decimal(p, b"999999999999999999999999999995").unwrap());
    let none = dot(107, &line(&[0.0, 5.0]), &line(&[1.0, -0.0]));
    assert!(none.is_zero() && !none.head.is_negative());
    let special = |x: &[f64], y: &[f64]| dot(107, &line(x), &line(y)).to_f64();
    const INF: f64 = f64::INFINITY;
    assert_eq!(special(&[INF, 1.0], &[-2.0, 1.0]), -INF);
    assert!(special(&[INF, 1.0], &[0.0, 1.0]).is_nan());
    assert!(special(&[INF, INF], &[1.0, -1.0]).is_nan());
    assert!(special(&[f64::NAN, 1.0], &[1.0, 1.0]).is_nan());
    let large = Mp::one(p).ldexp(Head::GREATEST_EXPONENT - 1);
    let line = |x: &[Mp]| Line::new(x.to_vec());
    let (one, two) = (Mp::one(p), Mp::one(p).ldexp(1));
    // Products beyond the range that cancel, and a sum that does not.
    let x = line(&[large, large, one]);
    let y = line(&[two, -two, one]);
    let rest = dot(107, &x, &y);
    assert!(rest.is_zero(), "one is cut off beside products so large");
    let y = line(&[two, two, one]);
    assert_eq!(dot(107, &x, &y), Mp::infinity(p, false));
}

#[test]
fn zeros_change_no_bit_of_a_sum() {
    let p = bits(64);
    let one = Mp::one(p);
    let small = (one + one + one).ldexp(-187);
    let ones = |n: usize| Line::new(vec![one; n]);
    // A unit of the sum of three products is 2^-187; with five it would be 2^-186.
    let found = dot(64, &Line::new(vec![one, -one, small]), &ones(3));
    assert_eq!(found, small);
    let zero = Mp::zero(p);
    let with_zeros = Line::new(vec![one, -one, small, zero, -zero]);
    assert_eq!(dot(64, &with_zeros, &ones(5)), small);
    assert_eq!(dot(64, &ones(5), &with_zeros), small);
    let mut random = Random::new(9);
    for round in 0..400 {
        let [px, p] = [0; 2].map(|_| PRECISIONS[random.below(PRECISIONS.len() as u64) as usize]);
        let terms = 1 + round % 13;
        let mut x: Vec<Mp> = (0..terms).map(|_| number(&mut random, bits(px), 300)).collect();
        let mut y: Vec<Mp> = (0..terms).map(|_| number(&mut random, bits(p), 300)).collect();
        if terms > 2 {
            (x[1], y[1]) = (-x[0], y[0]);
        }
        let expected = dot(p, &Line::new(x.clone()), &Line::new(y.clone()));
        for _ in 0..9 {
            let place = random.below(x.len() as u64 + 1) as usize;
            let mut pair = [number(&mut random, bits(px), 300), number(&mut random, bits(p), 300)];
            let side = random.below(2) as usize;
            pair[side] = Mp::zero(bits([px, p][side]));
            x.insert(place, pair[0]);
            y.insert(place, pair[1]);
        }
        assert_eq!(dot(p, &Line::new(x), &Line::new(y)), expected, "{terms} terms, {p} bits");
    }
}

#[test]
fn sums_below_the_range_are_positive_zeros() {
    let p = bits(64);
    let least = Mp::one(p).ldexp(Head::LEAST_EXPONENT - 1);
    for sign in [1.0, -1.0] {
        let x = Line::new(vec![Mp::from_f64(p, sign * 0.25)]);
        let found = dot(64, &x, &Line::new(vec![least]));
        assert!(found.is_zero() && !found.head.is_negative());
    }
}
