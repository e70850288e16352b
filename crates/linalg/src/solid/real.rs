//! The numbers that elements are computed with: `f32`, `f64`, and many of them side by side.

use core::ops::{Add, Div, Mul, Neg, Sub};

/// A number, or one for each of some elements.
pub trait Real:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Send
    + Sync
    + 'static
{
    /// How many there are.
    const LANES: usize;
    /// The same number for all, rounded.
    fn splat(x: f64) -> Self;
    /// Numbers for each, rounded.
    fn from_fn(number: impl FnMut(usize) -> f64) -> Self;
    /// One of them.
    fn lane(self, at: usize) -> f64;
    /// Square roots.
    fn sqrt(self) -> Self;
    /// Absolute values.
    fn abs(self) -> Self;
    /// The greater of two.
    fn max(self, other: Self) -> Self;
    /// The lesser of two.
    fn min(self, other: Self) -> Self;

    /// Zeros.
    fn zero() -> Self {
        Self::splat(0.0)
    }
}

macro_rules! plain {
    ($t:ty) => {
        impl Real for $t {
            const LANES: usize = 1;
            #[inline(always)]
            fn splat(x: f64) -> Self {
                x as $t
            }
            #[inline(always)]
            fn from_fn(mut number: impl FnMut(usize) -> f64) -> Self {
                number(0) as $t
            }
            #[inline(always)]
            fn lane(self, _: usize) -> f64 {
                self as f64
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                self.sqrt()
            }
            #[inline(always)]
            fn abs(self) -> Self {
                self.abs()
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                if self > other { self } else { other }
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                if self < other { self } else { other }
            }
        }
    };
}

plain!(f32);
plain!(f64);

/// Numbers of a precision that become those of another.
pub trait Narrow<S>: Real {
    /// Rounded.
    fn narrow(self) -> S;
    /// As they are.
    fn widen(x: S) -> Self;
}

macro_rules! narrow {
    ($a:ty, $s:ty) => {
        impl Narrow<$s> for $a {
            #[inline(always)]
            fn narrow(self) -> $s {
                self as $s
            }
            #[inline(always)]
            fn widen(x: $s) -> Self {
                x as $a
            }
        }
    };
}

narrow!(f64, f64);
narrow!(f64, f32);
narrow!(f32, f32);

/// A vector.
pub(super) type V3<T> = [T; 3];

/// `a × b`.
#[inline(always)]
pub(super) fn cross<T: Real>(a: V3<T>, b: V3<T>) -> V3<T> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// `a · b`.
#[inline(always)]
pub(super) fn dot<T: Real>(a: V3<T>, b: V3<T>) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Entry by entry.
#[inline(always)]
pub(super) fn add<T: Real>(a: V3<T>, b: V3<T>) -> V3<T> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Entry by entry.
#[inline(always)]
pub(super) fn sub<T: Real>(a: V3<T>, b: V3<T>) -> V3<T> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// All entries times a number.
#[inline(always)]
pub(super) fn scale<T: Real>(k: T, a: V3<T>) -> V3<T> {
    [k * a[0], k * a[1], k * a[2]]
}

/// All entries rounded.
#[inline(always)]
pub(super) fn narrow<A: Narrow<S>, S: Real>(a: V3<A>) -> V3<S> {
    [a[0].narrow(), a[1].narrow(), a[2].narrow()]
}
