//! Numbers of any precision: what a thread of a kernel computes has the bits of `nonius-num`.

use nonius_num::mp::{Bits, Dot as HostDot, Head, Mp, MpRef, axpy, gathered_dot};
use nonius_testkit::Random;

use crate::library::of_mp;

/// Numbers that lie one after the other, as `mp_functions.cpp` has them.
#[repr(C)]
struct Line {
    heads: *mut Head,
    words: *mut u64,
}

type Operations =
    unsafe extern "C" fn(i32, i64, *const Line, *const Line, *const Line, *const Line);
type Dot = unsafe extern "C" fn(i64, *const Line, *const Line, *const Line);

const PRECISIONS: [u32; 9] = [64, 65, 96, 106, 128, 159, 212, 424, 1500];

struct Numbers {
    bits: Bits,
    heads: Vec<Head>,
    words: Vec<u64>,
}

impl Numbers {
    fn zeros(bits: Bits, count: usize) -> Self {
        Self { bits, heads: vec![Head::default(); count], words: vec![0; count * bits.words()] }
    }

    fn of(bits: Bits, numbers: impl Iterator<Item = Mp>) -> Self {
        let mut line = Self::zeros(bits, 0);
        for x in numbers {
            line.heads.push(x.head());
            line.words.extend(x.words());
        }
        line
    }

    fn at(&self, i: usize) -> MpRef<'_> {
        let n = self.bits.words();
        MpRef::new(self.bits, self.heads[i], &self.words[i * n..][..n])
    }

    fn line(&mut self) -> Line {
        Line { heads: self.heads.as_mut_ptr(), words: self.words.as_mut_ptr() }
    }
}

/// A number that is random, or one that tests edges: powers of two and numbers next to them, few
/// bits, long runs of ones, the ends of the range, specials.
fn number(random: &mut Random, bits: Bits, spread: u64) -> Mp {
    let words: Vec<u64> = (0..bits.words()).map(|_| random.bits()).collect();
    let negative = random.below(2) == 1;
    let exponent = random.below(spread as usize) as i64 - spread as i64 / 2;
    let kind = random.below(16);
    let pattern = |word: &u64| match kind {
        0 => 0,
        1 => u64::MAX,
        2 => *word & *word << 7 & *word >> 11,
        3 => *word | *word << 9 | *word >> 3,
        _ => *word,
    };
    let mut words: Vec<u64> = words.iter().map(pattern).collect();
    let last = words.len() - 1;
    words[last] |= 1 << 63;
    match kind {
        4 => return Mp::zero(bits),
        5 if random.below(8) == 0 => return Mp::infinity(bits, negative),
        6 if random.below(8) == 0 => return Mp::nan(bits),
        7 => words[..last].fill(0),
        8 => words[0] |= 1 << (64 * bits.words() as u32 - bits.get()),
        _ => {}
    }
    let far = i64::from(Head::GREATEST_EXPONENT) - exponent.abs() - 64 * words.len() as i64;
    let exponent = match kind {
        9 if random.below(4) == 0 => far,
        10 if random.below(4) == 0 => -far,
        _ => exponent,
    };
    Mp::rounded(bits, negative, &words, exponent, false)
}

/// Operands, the third often nearly the negative product of the others.
fn operands(bits: Bits, count: usize, spread: u64, seed: u64) -> [Numbers; 3] {
    let mut random = Random::new(seed);
    let mut line = || Numbers::of(bits, (0..count).map(|_| number(&mut random, bits, spread)));
    let (x, y, z) = (line(), line(), line());
    let near = (0..count).map(|i| {
        if i % 3 > 0 {
            return z.at(i).to_mp(bits);
        }
        let mut product = Mp::zero(bits);
        product.set_product(x.at(i).negated(), y.at(i));
        product
    });
    let z = Numbers::of(bits, near);
    [x, y, z]
}

fn same(found: MpRef<'_>, expected: &Mp) -> bool {
    found.head() == expected.head() && found.words() == expected.words()
}

fn check(
    (name, operation): (&str, i32),
    bits: Bits,
    spread: u64,
    expected: impl Fn([MpRef<'_>; 3]) -> Mp,
) {
    let count = if bits.get() > 1000 { 2000 } else { 20_000 };
    let [mut x, mut y, mut z] = operands(bits, count, spread, 7);
    let mut to = Numbers::zeros(bits, count);
    // SAFETY: the function has this type; the lines have `count` numbers each.
    unsafe {
        let function: Operations = of_mp().function(&format!("mp_{bits}"));
        function(operation, count as i64, &x.line(), &y.line(), &z.line(), &to.line());
    }
    for i in 0..count {
        let operands = [x.at(i), y.at(i), z.at(i)];
        let right = expected(operands);
        assert!(
            same(to.at(i), &right),
            "{name} at {bits} bits of {operands:?}: {:?}, but nonius-num has {right:?}",
            to.at(i)
        );
    }
}

fn of(bits: Bits, set: impl Fn(&mut Mp)) -> Mp {
    let mut x = Mp::zero(bits);
    set(&mut x);
    x
}

fn fused(bits: Bits, [x, y, z]: [MpRef<'_>; 3]) -> Mp {
    let (mut heads, mut words) = ([z.head()], z.words().to_vec());
    axpy(x, (&[y.head()], y.words()), (&mut heads, &mut words));
    of(bits, |to| to.set_value(MpRef::new(bits, heads[0], &words)))
}

#[test]
fn operations_on_numbers_of_any_precision() {
    for bits in PRECISIONS.map(|bits| Bits::new(bits).expect("a precision")) {
        for spread in [4, 3 * u64::from(bits.get()), 1 << 28] {
            check(("sum", 0), bits, spread, |[x, y, _]| of(bits, |to| to.set_sum(x, y)));
            check(("product", 1), bits, spread, |[x, y, _]| of(bits, |to| to.set_product(x, y)));
            check(("fused", 2), bits, spread, |operands| fused(bits, operands));
            check(("quotient", 3), bits, spread, |[x, y, _]| of(bits, |to| to.set_quotient(x, y)));
            check(("root", 4), bits, spread, |[x, ..]| of(bits, |to| to.set_root(x)));
            let one = Mp::one(bits);
            check(("reciprocal", 5), bits, spread, |[x, ..]| {
                of(bits, |to| to.set_quotient(one.view(), x))
            });
            check(("reciprocal of a root", 6), bits, spread, |[x, ..]| {
                let has_root = x.head().exponent().is_some() && !x.head().is_negative();
                let root = of(bits, |to| to.set_root(x));
                let divisor = if has_root { root.view() } else { x };
                of(bits, |to| to.set_quotient(one.view(), divisor))
            });
        }
    }
}

/// Products that rounding brings into the range, or out of it.
#[test]
fn products_at_the_ends_of_the_range() {
    let (least, greatest) = (Head::LEAST_EXPONENT, Head::GREATEST_EXPONENT);
    for bits in PRECISIONS.map(|bits| Bits::new(bits).expect("a precision")) {
        let mut random = Random::new(17);
        let (mut left, mut right) = (Vec::new(), Vec::new());
        // Products below 1 that are rounded to it.
        let mut roundings = 0;
        while left.len() < 4000 {
            // A product near 1, which is below it as often as not.
            let x = number(&mut random, bits, 4);
            if x.head().exponent().is_none() {
                continue;
            }
            let y = of(bits, |to| to.set_quotient(Mp::one(bits).view(), x.view()));
            let (ex, ey) = (x.head().code(), y.head().code());
            let rest = fused(bits, [x.view().negated(), y.view(), Mp::one(bits).view()]);
            let product = of(bits, |to| to.set_product(x.view(), y.view()));
            roundings += usize::from(rest > Mp::ZERO && product == Mp::one(bits));
            for end in [least, greatest] {
                for step in -2..=2 {
                    left.push(x.ldexp(end / 2 - ex));
                    right.push(y.ldexp(end / 2 + step - ey));
                }
            }
        }
        assert!(roundings > 0, "{bits} bits");
        let count = left.len();
        let (mut x, mut y) =
            (Numbers::of(bits, left.into_iter()), Numbers::of(bits, right.into_iter()));
        let (mut z, mut to) = (Numbers::zeros(bits, count), Numbers::zeros(bits, count));
        // SAFETY: the function has this type; the lines have `count` numbers each.
        unsafe {
            let function: Operations = of_mp().function(&format!("mp_{bits}"));
            function(1, count as i64, &x.line(), &y.line(), &z.line(), &to.line());
        }
        for i in 0..count {
            let expected = of(bits, |to| to.set_product(x.at(i), y.at(i)));
            assert!(same(to.at(i), &expected), "{:?}·{:?}", x.at(i), y.at(i));
        }
    }
}

#[test]
fn sums_of_products_of_any_precision() {
    for bits in PRECISIONS.map(|bits| Bits::new(bits).expect("a precision")) {
        for (count, spread) in [(0, 4), (1, 4), (2, 4), (3, 600), (64, 4), (65, 900), (1000, 40)] {
            for (seed, short) in [(1, false), (2, true), (3, false), (4, true)] {
                let [mut x, mut y, _] = operands(bits, count, spread, seed);
                let least = Bits::new(64).expect("a precision");
                if short {
                    let mut random = Random::new(seed);
                    x = Numbers::of(least, (0..count).map(|_| number(&mut random, least, spread)));
                }
                // Mostly finite numbers, as others settle the sum.
                for line in [&mut x, &mut y] {
                    let n = line.bits.words();
                    for i in (0..count).filter(|_| seed < 4) {
                        if !line.heads[i].is_finite() {
                            line.heads[i] = Head::default();
                            line.words[i * n..][..n].fill(0);
                        }
                    }
                }
                let mut to = Numbers::zeros(bits, 1);
                let name =
                    if short { format!("mp_short_dot_{bits}") } else { format!("mp_dot_{bits}") };
                // SAFETY: the function has this type; the lines have `count` numbers, and one.
                unsafe {
                    let function: Dot = of_mp().function(&name);
                    function(count as i64, &x.line(), &y.line(), &to.line());
                }
                let pairs = (0..count).map(|i| (i, i));
                let mut words = vec![0; bits.words()];
                let lines = ((&x.heads[..], &x.words[..]), (&y.heads[..], &y.words[..]));
                let head = gathered_dot(bits, lines.0, lines.1, pairs, &mut words);
                assert!(to.heads[0] == head && to.words == words, "{count} products, {bits} bits");
                let head = HostDot::new(bits).of(lines.0, lines.1, &mut words);
                assert!(to.heads[0] == head && to.words == words, "{count} products in lines");
            }
        }
    }
}
