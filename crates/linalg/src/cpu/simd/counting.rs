//! Numbers that count what is computed with them.
//!
//! Their operations are calls: in line they make what is counted several times as long, and the
//! compiler's work with it.

use core::cell::Cell;
use core::ops::{Add, Div, Mul, Neg, Sub};

use nonius_num::Lane;

use super::real::{Narrow, Real, Registers};

/// One number at a time, counted.
pub struct Counting;

impl Registers for Counting {
    type Double = Counted<f64>;
    type Single = Counted<f32>;
    type Wide = Counted<f64>;
}

/// A number whose operations count: a multiplication with an addition as two, a quotient and a root
/// as one. Signs, comparisons, conversions and what moves numbers count for nothing. What wide
/// numbers do for narrow ones, [a difference or a sum](Narrow), is an operation of the narrow ones.
#[derive(Clone, Copy, Debug)]
pub struct Counted<T>(T);

thread_local! {
    static OPERATIONS: Cell<[u64; 2]> = const { Cell::new([0; 2]) };
}

/// What work comes to, and its operations on this thread in `f32` and in `f64`.
pub fn operations<T>(work: impl FnOnce() -> T) -> (T, [u64; 2]) {
    let before = OPERATIONS.get();
    let done = work();
    let after = OPERATIONS.get();
    (done, [after[0] - before[0], after[1] - before[1]])
}

/// A type whose operations have a place among the counts.
trait Place {
    const PLACE: usize;
}

impl Place for f32 {
    const PLACE: usize = 0;
}

impl Place for f64 {
    const PLACE: usize = 1;
}

fn count<T: Place>(operations: u64) {
    let mut all = OPERATIONS.get();
    all[T::PLACE] += operations;
    OPERATIONS.set(all);
}

macro_rules! operators {
    ($($operator:ident $method:ident;)*) => {$(
        impl<T: Place + $operator<Output = T>> $operator for Counted<T> {
            type Output = Self;
            #[inline(never)]
            fn $method(self, other: Self) -> Self {
                count::<T>(1);
                Self(self.0.$method(other.0))
            }
        }
    )*};
}

operators! {
    Add add;
    Sub sub;
    Mul mul;
    Div div;
}

impl<T: Neg<Output = T>> Neg for Counted<T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

macro_rules! real {
    ($t:ty) => {
        impl Real for Counted<$t> {
            type Number = $t;
            type Lane = Counted<f64>;
            const LANES: usize = 1;
            #[inline(always)]
            fn splat(x: f64) -> Self {
                Self(<$t as Real>::splat(x))
            }
            #[inline(always)]
            fn load(from: &[$t]) -> Self {
                Self(from[0])
            }
            #[inline(always)]
            fn store(self, to: &mut [$t]) {
                to[0] = self.0;
            }
            #[inline(always)]
            fn rows(table: &[[$t; 8]], at: &[u16]) -> [Self; 6] {
                <$t as Real>::rows(table, at).map(Self)
            }
            #[inline(never)]
            fn add_to_rows(x: [Self; 3], table: &mut [[$t; 4]], at: &[u16]) {
                count::<$t>(3);
                <$t as Real>::add_to_rows(x.map(|x| x.0), table, at);
            }
            #[inline(never)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                count::<$t>(2);
                Self(self.0.mul_add(b.0, c.0))
            }
            #[inline(never)]
            fn sqrt(self) -> Self {
                count::<$t>(1);
                Self(self.0.sqrt())
            }
            #[inline(always)]
            fn abs(self) -> Self {
                Self(self.0.abs())
            }
            #[inline(always)]
            fn without_tiny(self, least: f64) -> Self {
                Self(self.0.without_tiny(least))
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                Self(Real::max(self.0, other.0))
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                Self(Real::min(self.0, other.0))
            }
        }
    };
}

real!(f32);
real!(f64);

impl Narrow<Counted<f32>> for Counted<f64> {
    #[inline(always)]
    fn narrow(self) -> Counted<f32> {
        Counted(self.0.narrow())
    }
    #[inline(always)]
    fn widen(x: Counted<f32>) -> Self {
        Self(f64::widen(x.0))
    }
    #[inline(never)]
    fn difference(self, other: Self) -> Counted<f32> {
        count::<f32>(1);
        Counted(self.0.difference(other.0))
    }
    #[inline(never)]
    fn grown(self, x: Counted<f32>) -> Self {
        count::<f32>(1);
        Self(self.0.grown(x.0))
    }
}

impl Lane for Counted<f64> {
    type Mask = bool;
    const LANES: usize = 1;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self(x)
    }
    #[inline(always)]
    fn from_fn(mut f: impl FnMut(usize) -> f64) -> Self {
        Self(f(0))
    }
    #[inline(always)]
    fn lane(self, _: usize) -> f64 {
        self.0
    }
    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        Self(from[0])
    }
    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        to[0] = self.0;
    }
    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        Real::mul_add(self, b, c)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Real::sqrt(self)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs())
    }
    #[inline(always)]
    fn less(a: Self, b: Self) -> bool {
        a.0 < b.0
    }
    #[inline(always)]
    fn equal(a: Self, b: Self) -> bool {
        a.0 == b.0
    }
    #[inline(always)]
    fn select(mask: bool, a: Self, b: Self) -> Self {
        if mask { a } else { b }
    }
    #[inline(always)]
    fn all(mask: bool) -> bool {
        mask
    }
    #[inline(always)]
    fn exp2_integer(k: Self) -> Self {
        Self(f64::exp2_integer(k.0))
    }
    #[inline(always)]
    fn exponent(self) -> Self {
        Self(Lane::exponent(self.0))
    }
    #[inline(always)]
    fn look_up(self, table: &[f64]) -> Self {
        Self(self.0.look_up(table))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_count_where_they_are_done() {
        let (x, found) = operations(|| {
            let (a, b): (Counted<f64>, Counted<f64>) = (Real::splat(3.0), Real::splat(2.0));
            let (c, d): (Counted<f32>, Counted<f32>) = (a.narrow(), b.narrow());
            let single = Real::sqrt(c.mul_add(d, c - d) / c);
            -Real::max(Real::mul_add(a, b, b), Counted::<f64>::widen(single)) * a
        });
        assert_eq!((x.0, found), (-24.0, [5, 3]));
        let (x, found): (Counted<f32>, _) = operations(|| {
            let (sum, x): (Counted<f64>, Counted<f32>) = (Real::splat(3.0), Real::splat(2.0));
            sum.grown(x).grown_by_product(x, x).difference(sum)
        });
        assert_eq!((x.0, found), (6.0, [4, 0]));
    }
}
