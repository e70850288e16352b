//! A lane that counts, and the operation counts that the documentation gives.

use core::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::{Mutex, PoisonError};

use super::{MultiFloat, variants};
use crate::Lane;

/// Operations since the last [`count`] began. A negation is free: it is part of the operation that
/// follows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Count {
    /// `+ − ×`
    plain: u32,
    fused: u32,
    /// `÷ √`
    slow: u32,
}

/// What is counted now. Only the holder of [`TURN`] counts.
static COUNT: Mutex<Count> = Mutex::new(Count { plain: 0, fused: 0, slow: 0 });
/// Tests run side by side and count one after the other.
static TURN: Mutex<()> = Mutex::new(());

fn tally(change: impl FnOnce(&mut Count)) {
    change(&mut COUNT.lock().unwrap());
}

/// An `f64` whose arithmetic is counted.
#[derive(Clone, Copy, Debug)]
struct Counted(f64);

macro_rules! counted {
    ($($operator:ident $method:ident $kind:ident;)*) => {$(
        impl $operator for Counted {
            type Output = Self;

            fn $method(self, y: Self) -> Self {
                tally(|count| count.$kind += 1);
                Self(self.0.$method(y.0))
            }
        }
    )*};
}

counted! {
    Add add plain;
    Sub sub plain;
    Mul mul plain;
    Div div slow;
}

impl Neg for Counted {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Lane for Counted {
    type Mask = bool;
    const LANES: usize = 1;

    fn splat(x: f64) -> Self {
        Self(x)
    }

    fn from_fn(mut f: impl FnMut(usize) -> f64) -> Self {
        Self(f(0))
    }

    fn lane(self, _: usize) -> f64 {
        self.0
    }

    fn load(from: &[f64]) -> Self {
        Self(from[0])
    }

    fn store(self, to: &mut [f64]) {
        to[0] = self.0;
    }

    fn mul_add(self, b: Self, c: Self) -> Self {
        tally(|count| count.fused += 1);
        Self(Lane::mul_add(self.0, b.0, c.0))
    }

    fn sqrt(self) -> Self {
        tally(|count| count.slow += 1);
        Self(Lane::sqrt(self.0))
    }

    fn abs(self) -> Self {
        Self(self.0.abs())
    }

    fn less(a: Self, b: Self) -> bool {
        a.0 < b.0
    }

    fn equal(a: Self, b: Self) -> bool {
        a.0 == b.0
    }

    fn select(mask: bool, a: Self, b: Self) -> Self {
        if mask { a } else { b }
    }

    fn all(mask: bool) -> bool {
        mask
    }

    fn exp2_integer(k: Self) -> Self {
        Self(f64::exp2_integer(k.0))
    }

    fn exponent(self) -> Self {
        Self(self.0.exponent())
    }

    fn look_up(self, table: &[f64]) -> Self {
        Self(self.0.look_up(table))
    }
}

/// The operations of `f` on two numbers of `N` limbs.
fn count<const N: usize, R>(
    f: impl FnOnce(MultiFloat<N, Counted>, MultiFloat<N, Counted>) -> R,
) -> Count {
    let x = MultiFloat::<N>::from(2.0) / 3.0;
    let y = MultiFloat::<N>::from(7.0) / 11.0;
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    tally(|count| *count = Count::default());
    f(MultiFloat::splat(x), MultiFloat::splat(y));
    *COUNT.lock().unwrap()
}

fn total(count: Count) -> u32 {
    count.plain + count.fused + count.slow
}

#[test]
fn additions() {
    use super::add::add_finite;
    assert_eq!(total(count::<2, _>(|x, y| add_finite(x.0, y.0))), 20);
    assert_eq!(total(count::<3, _>(|x, y| add_finite(x.0, y.0))), 63);
    assert_eq!(total(count::<4, _>(|x, y| add_finite(x.0, y.0))), 124);
}

#[test]
fn multiplications() {
    use super::mul::mul_finite;
    let counts = [
        count::<2, _>(|x, y| mul_finite(x.0, y.0)),
        count::<3, _>(|x, y| mul_finite(x.0, y.0)),
        count::<4, _>(|x, y| mul_finite(x.0, y.0)),
    ];
    assert_eq!(counts.map(total), [9, 45, 124]);
    assert_eq!(counts.map(|count| count.fused), [1, 3, 6]);
}

#[test]
fn divisions_and_roots() {
    use super::div::div_finite;
    use super::sqrt::sqrt_finite;
    let divisions = [
        count::<2, _>(|x, y| div_finite(x.0, y.0)),
        count::<3, _>(|x, y| div_finite(x.0, y.0)),
        count::<4, _>(|x, y| div_finite(x.0, y.0)),
    ];
    assert_eq!(divisions.map(total), [9, 55, 126]);
    let roots = [
        count::<2, _>(|x, _| sqrt_finite(x.0)),
        count::<3, _>(|x, _| sqrt_finite(x.0)),
        count::<4, _>(|x, _| sqrt_finite(x.0)),
    ];
    assert_eq!(roots.map(total), [8, 44, 92]);
}

#[test]
fn named_variants() {
    let plain = |plain| Count { plain, ..Count::default() };
    assert_eq!(count(variants::add_ieee), plain(20));
    assert_eq!(count(variants::add_cray), plain(11));
    assert_eq!(count(variants::mul_accurate), Count { plain: 8, fused: 1, slow: 0 });
    assert_eq!(count(variants::mul_sloppy), Count { plain: 4, fused: 2, slow: 0 });
}
