//! Floating-point numbers in residues: what a thread of a kernel computes has the bits of `nonius-num`.

use core::cmp::Ordering;

use nonius_num::mp::{Bits, Head, Mp};
use nonius_num::rns::float::{Format, RnsFloat, RnsRef};
use nonius_testkit::Random;

use crate::library::Functions;

/// `Tables` in `rns_float.cuh`.
#[repr(C)]
struct Tables {
    rows: [*const u32; 13],
    shares: *const u64,
    mantissa: u64,
}

/// `Line` in `rns_functions.cpp`.
#[repr(C)]
struct Line {
    heads: *mut Head,
    bounds: *mut u64,
    residues: *mut u32,
}

type Operations =
    unsafe extern "C" fn(i32, i64, *const Tables, *const Line, *const Line, *const Line);

/// An operation of the host.
type Operation<'a> = dyn Fn(RnsRef<'_>, RnsRef<'_>) -> RnsFloat + 'a;

fn tables(format: &Format) -> Tables {
    let c = format.constants();
    let rows = c.rows().map(<[u32]>::as_ptr);
    Tables { rows, shares: c.shares.as_ptr(), mantissa: c.mantissa }
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
        let compute = |operation: i32| {
            let (mut a, mut b, mut to) = (Numbers::of(&x), Numbers::of(&y), Numbers::of(&x));
            to.residues.fill(0);
            // SAFETY: the function has this type; the lines have `count` numbers each, and the tables are those of their format.
            unsafe {
                let function: Operations = library.function("rns");
                function(operation, count as i64, &tables, &a.line(), &b.line(), &to.line());
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
        let orders = compute(5).orders();
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
    }
}

#[test]
fn operations_on_numbers_in_residues() {
    for bits in [53, 61, 64, 106, 212, 424, 1000] {
        check(&Format::with_bits(bits).expect("a format"), &bits.to_string());
    }
    let primes = [3, 5, 7, 11, 257, 65_537, 1_000_003, (1 << 31) - 1, (1 << 30) + 3];
    check(&Format::new(&primes).expect("a format"), "primes");
}
