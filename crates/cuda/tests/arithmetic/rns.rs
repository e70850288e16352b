//! Floating-point numbers in residues: what a thread of a kernel computes has the bits of
//! `nonius-num`.

use core::cmp::Ordering;

use nonius_num::mp::{Bits, Head, Mp};
use nonius_num::rns::float::{Format, RnsFloat, RnsRef};
use nonius_testkit::Random;

use crate::library::Functions;

/// `Line` in `rns_functions.cpp`.
#[repr(C)]
struct Line {
    heads: *mut Head,
    bounds: *mut u64,
    residues: *mut u32,
}

type Operations =
    unsafe extern "C" fn(i32, i64, *const u128, *const Line, *const Line, *const Line);

/// `Operation` there, but for those on two numbers.
const DOUBLED: i32 = 5;
const WIDENED: i32 = 6;
const ORDER: i32 = 7;
const ROUNDED: i32 = 8;

/// An operation of the host.
type Operation<'a> = dyn Fn(RnsRef<'_>, RnsRef<'_>) -> RnsFloat + 'a;

/// `Tables` in `rns/number.cuh`, where four words can be read at once.
fn tables(format: &Format) -> Vec<u128> {
    let four =
        |words: &[u32]| words.iter().rev().fold(0, |number, &word| number << 32 | u128::from(word));
    format.constants().words().chunks(4).map(four).collect()
}

struct Numbers {
    heads: Vec<Head>,
    bounds: Vec<u64>,
    residues: Vec<u32>,
}

impl Numbers {
    fn of(numbers: &[RnsFloat]) -> Self {
        let mut line = Self { heads: Vec::new(), bounds: Vec::new(), residues: Vec::new() };
        for x in numbers.iter().map(RnsFloat::view) {
            line.heads.push(x.head());
            line.bounds.extend([x.bounds().low(), x.bounds().high()]);
            line.residues.extend(x.stored());
        }
        line
    }

    /// What stands where heads do.
    fn orders(&self) -> Vec<i32> {
        // A head is a transparent `i32`.
        self.heads.iter().map(|head| head.code() << 1 | i32::from(head.is_negative())).collect()
    }

    fn line(&mut self) -> Line {
        Line {
            heads: self.heads.as_mut_ptr(),
            bounds: self.bounds.as_mut_ptr(),
            residues: self.residues.as_mut_ptr(),
        }
    }
}

/// Random numbers, and such that test edges: long runs of ones and zeros, powers of two, specials.
fn number(random: &mut Random, format: &Format, range: usize) -> RnsFloat {
    let bits = Bits::new(format.bits().max(64)).expect("a precision");
    let kind = random.below(12);
    let mut words: Vec<u64> = (0..bits.words()).map(|_| random.bits()).collect();
    match kind {
        0 => return RnsFloat::zero(format),
        1 if random.below(8) == 0 => return RnsFloat::infinity(format, random.below(2) == 0),
        2 if random.below(8) == 0 => return RnsFloat::nan(format),
        3 => words.fill(u64::MAX),
        4 => words.fill(0),
        5 => words.iter_mut().skip(1).for_each(|word| *word = u64::MAX),
        _ => {}
    }
    if let Some(last) = words.last_mut() {
        *last |= 1 << 63;
    }
    let exponent = random.below(range + 1) as i64 - range as i64 / 2 - 64 * words.len() as i64;
    let x = Mp::rounded(bits, random.below(2) == 0, &words, exponent, false);
    RnsFloat::from_mp(format, x.view())
}

/// Any `f64` but NaN: ordinary ones, subnormal ones, zeros and infinities.
fn double(random: &mut Random) -> f64 {
    let fraction = if random.below(4) == 0 { 0 } else { random.bits() >> 12 };
    let code = match random.below(6) {
        0 => 0,
        1 => 2046,
        2 => return if random.below(2) == 0 { -0.0 } else { f64::INFINITY },
        _ => random.below(2047) as u64,
    };
    f64::from_bits(random.bits() & 1 << 63 | code << 52 | fraction)
}

fn same(found: RnsRef<'_>, expected: RnsRef<'_>) -> bool {
    found.head() == expected.head()
        && found.bounds() == expected.bounds()
        && found.stored() == expected.stored()
}

fn of(format: &Format, set: impl Fn(&mut RnsFloat)) -> RnsFloat {
    let mut x = RnsFloat::zero(format);
    set(&mut x);
    x
}

fn check(format: &Format, name: &str) {
    let c = format.constants();
    let definitions = [
        format!("-DPRECISION={}", format.bits()),
        format!("-DMODULI={}", format.moduli().len()),
        format!("-DDIGIT_BITS={}", c.digit),
        format!("-DROW_DIGITS={}", c.columns),
        format!("-DSTRIDE={}", format.lanes()),
        format!("-DLOGARITHM={}", c.log),
    ];
    let library = Functions::build(&format!("rns-{name}"), "rns_functions.cpp", &definitions);
    let tables = tables(format);
    let (p, count) = (format.bits() as usize, if format.bits() < 500 { 3000 } else { 300 });
    for range in [1, p / 2, p + 2, 1 << 28] {
        let mut random = Random::new(range as u64);
        let x: Vec<_> = (0..count).map(|_| number(&mut random, format, range)).collect();
        let y: Vec<_> = x
            .iter()
            .map(|x| match random.below(4) {
                // Cancels, but for some bits.
                0 => &x.clone().ldexp(-(random.below(p + 4) as i32)) - x,
                1 => x.clone(),
                _ => number(&mut random, format, range),
            })
            .collect();
        let doubles: Vec<f64> = x.iter().map(|_| double(&mut random)).collect();
        let compute = |operation: i32| {
            let (mut a, mut b, mut to) = (Numbers::of(&x), Numbers::of(&y), Numbers::of(&x));
            to.residues.fill(0);
            if [DOUBLED, WIDENED].contains(&operation) {
                let lower = b.bounds.iter_mut().step_by(2).zip(&doubles);
                lower.for_each(|(bound, x)| *bound = x.to_bits());
            }
            // SAFETY: the function has this type; the lines have `count` numbers each, and the
            // tables are those of their format.
            unsafe {
                let function: Operations = library.function("rns");
                function(
                    operation,
                    count as i64,
                    tables.as_ptr(),
                    &a.line(),
                    &b.line(),
                    &to.line(),
                );
            }
            to
        };
        let operations: [(&str, &Operation<'_>); 5] = [
            ("sum", &|x, y| of(format, |to| to.set_sum(x, y))),
            ("product", &|x, y| of(format, |to| to.set_product(x, y))),
            ("quotient", &|x, y| of(format, |to| to.set_quotient(x, y))),
            ("root", &|x, _| of(format, |to| to.set_root(x))),
            ("scaled", &|x, _| of(format, |to| to.set_sum(x, x)).ldexp(-14)),
        ];
        for (index, (what, expected)) in operations.into_iter().enumerate() {
            let found = compute(index as i32);
            for i in 0..count {
                let lanes = i * format.lanes()..(i + 1) * format.lanes();
                let (head, bounds) =
                    (found.heads[i], (found.bounds[2 * i], found.bounds[2 * i + 1]));
                let result = RnsFloat::from_stored(format, head, bounds, &found.residues[lanes]);
                let right = expected(x[i].view(), y[i].view());
                // Doubling may widen the bounds; halving does not.
                let fine = result.as_ref().is_some_and(|result| {
                    same(result.view(), right.view())
                        || what == "scaled" && result == &right
                        || result.is_nan() && right.is_nan()
                });
                assert!(fine, "{name}: {what} of {} and {}: {result:?} for {right:?}", x[i], y[i]);
            }
        }
        let orders = compute(ORDER).orders();
        for i in 0..count {
            let expected = match x[i].partial_cmp(&y[i]) {
                Some(Ordering::Less) => -1,
                Some(Ordering::Equal) => 0,
                Some(Ordering::Greater) => 1,
                None => 2,
            };
            // The order stands where a head does.
            assert_eq!(orders[i], expected, "{} and {}", x[i], y[i]);
        }
        if format.bits() < 53 {
            continue;
        }
        let value = |found: &Numbers, i: usize| {
            let lanes = i * format.lanes()..(i + 1) * format.lanes();
            let bounds = (found.bounds[2 * i], found.bounds[2 * i + 1]);
            let value =
                RnsFloat::from_stored(format, found.heads[i], bounds, &found.residues[lanes]);
            value.unwrap_or_else(|| panic!("{name}: bounds or residues of number {i}"))
        };
        let (products, wide, rounded) = (compute(DOUBLED), compute(WIDENED), compute(ROUNDED));
        for i in 0..count {
            let (x, factor) = (&x[i], RnsFloat::from_f64(format, doubles[i]));
            let alike = |x: &RnsFloat, y: &RnsFloat| x == y || x.is_nan() && y.is_nan();
            let (found, right) = (value(&products, i), &factor * x);
            assert!(alike(&found, &right), "{name}: {factor} times {x}: {found} for {right}");
            let (found, right) = (value(&wide, i), factor.clone().ldexp(5));
            assert!(alike(&found, &right), "{name}: {factor}: {found} for {right}");
            if let Some(exponent) = x.head().exponent() {
                let significand = x.to_mp().ldexp(53 - exponent).to_f64().abs();
                assert_eq!(rounded.bounds[2 * i] as f64, significand, "{name}: {x} rounded");
            }
        }
    }
}

#[test]
fn operations_on_numbers_in_residues() {
    for bits in [53, 61, 64, 106, 212, 424, 1000, 1696] {
        check(&Format::with_bits(bits).expect("a format"), &bits.to_string());
    }
    let primes = [3, 5, 7, 11, 257, 65_537, 1_000_003, (1 << 31) - 1, (1 << 30) + 3];
    check(&Format::new(&primes).expect("a format"), "primes");
}
