//! Registers of `f32` and of `f64` side by side, for kernels that compute with both.

use core::ops::{Add, Div, Mul, Neg, Sub};

use nonius_num::Lane;

/// An array of an expression in each of its indices.
#[doc(hidden)]
#[macro_export]
macro_rules! __each {
    (2, $k:ident => $e:expr) => {
        [$crate::__each!(@ $k 0 $e), $crate::__each!(@ $k 1 $e)]
    };
    (3, $k:ident => $e:expr) => {
        [$crate::__each!(@ $k 0 $e), $crate::__each!(@ $k 1 $e), $crate::__each!(@ $k 2 $e)]
    };
    (6, $k:ident => $e:expr) => {
        [
            $crate::__each!(@ $k 0 $e), $crate::__each!(@ $k 1 $e), $crate::__each!(@ $k 2 $e),
            $crate::__each!(@ $k 3 $e), $crate::__each!(@ $k 4 $e), $crate::__each!(@ $k 5 $e),
        ]
    };
    (@ $k:ident $i:literal $e:expr) => {{
        const $k: usize = $i;
        $e
    }};
}

#[doc(inline)]
pub use __each as each;

/// `f32` or `f64`.
pub trait Number: Copy + Default + PartialEq + Send + Sync + 'static {
    /// The nearest.
    fn rounded(x: f64) -> Self;
    /// As it is.
    fn get(self) -> f64;
}

impl Number for f32 {
    #[inline(always)]
    fn rounded(x: f64) -> Self {
        x as f32
    }
    #[inline(always)]
    fn get(self) -> f64 {
        f64::from(self)
    }
}

impl Number for f64 {
    #[inline(always)]
    fn rounded(x: f64) -> Self {
        x
    }
    #[inline(always)]
    fn get(self) -> f64 {
        self
    }
}

/// A number, or some in a register, each of which is computed as it would be alone.
pub trait Real:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// What it holds.
    type Number: Number;
    /// `f64`s of the same instruction set.
    type Lane: Lane;
    /// How many.
    const LANES: usize;

    /// The same for all, rounded.
    fn splat(x: f64) -> Self;
    /// The first [`LANES`](Real::LANES) of `from`; panics where it is shorter.
    fn load(from: &[Self::Number]) -> Self;
    /// Into the first [`LANES`](Real::LANES) of `to`; panics where it is shorter.
    fn store(self, to: &mut [Self::Number]);
    /// The first six numbers of the rows of a table at the first [`LANES`](Real::LANES) of `at`;
    /// panics where one lies outside.
    fn rows(table: &[[Self::Number; 8]], at: &[u16]) -> [Self; 6];
    /// Adds three numbers to the rows of a table at the first [`LANES`](Real::LANES) of `at`, one
    /// after the other; panics where one lies outside.
    fn add_to_rows(x: [Self; 3], table: &mut [[Self::Number; 4]], at: &[u16]);
    /// `self·b + c` with one rounding.
    #[must_use]
    fn mul_add(self, b: Self, c: Self) -> Self;
    /// Square roots.
    #[must_use]
    fn sqrt(self) -> Self;
    /// Absolute values.
    #[must_use]
    fn abs(self) -> Self;
    /// Zero in place of what is smaller than `least` in magnitude.
    #[must_use]
    fn without_tiny(self, least: f64) -> Self;
    /// The greater of two.
    #[must_use]
    fn max(self, other: Self) -> Self;
    /// The lesser of two.
    #[must_use]
    fn min(self, other: Self) -> Self;

    /// Zeros.
    #[inline(always)]
    fn zero() -> Self {
        Self::splat(0.0)
    }
}

/// Numbers that are kept exactly for others, of fewer digits or as many, which are computed with.
pub trait Narrow<S: Real>: Real {
    /// Rounded.
    fn narrow(self) -> S;
    /// As they are.
    fn widen(x: S) -> Self;
    /// `self − other`, rounded at the end alone.
    #[inline(always)]
    fn difference(self, other: Self) -> S {
        (self - other).narrow()
    }
    /// `self + x`.
    #[inline(always)]
    #[must_use]
    fn grown(self, x: S) -> Self {
        self + Self::widen(x)
    }
    /// `self + a·b`, of which the product is rounded to fewer digits where there are fewer.
    #[inline(always)]
    #[must_use]
    fn grown_by_product(self, a: S, b: S) -> Self {
        self.grown(a * b)
    }
}

impl<T: Real> Narrow<T> for T {
    #[inline(always)]
    fn narrow(self) -> T {
        self
    }
    #[inline(always)]
    fn widen(x: T) -> T {
        x
    }
    #[inline(always)]
    fn grown_by_product(self, a: T, b: T) -> T {
        a.mul_add(b, self)
    }
}

impl Narrow<f32> for f64 {
    #[inline(always)]
    fn narrow(self) -> f32 {
        self as f32
    }
    #[inline(always)]
    fn widen(x: f32) -> f64 {
        f64::from(x)
    }
}

macro_rules! plain {
    ($t:ty) => {
        impl Real for $t {
            type Number = $t;
            type Lane = f64;
            const LANES: usize = 1;
            #[inline(always)]
            fn splat(x: f64) -> Self {
                x as $t
            }
            #[inline(always)]
            fn load(from: &[$t]) -> Self {
                from[0]
            }
            #[inline(always)]
            fn store(self, to: &mut [$t]) {
                to[0] = self;
            }
            #[inline(always)]
            fn rows(table: &[[$t; 8]], at: &[u16]) -> [Self; 6] {
                let row = &table[usize::from(at[0])];
                [row[0], row[1], row[2], row[3], row[4], row[5]]
            }
            #[inline(always)]
            fn add_to_rows(x: [Self; 3], table: &mut [[$t; 4]], at: &[u16]) {
                let row = &mut table[usize::from(at[0])];
                for (row, x) in row.iter_mut().zip(x) {
                    *row += x;
                }
            }
            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                self.mul_add(b, c)
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
            fn without_tiny(self, least: f64) -> Self {
                if self.abs() < least as $t { 0.0 } else { self }
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

/// Two registers as one.
#[derive(Clone, Copy)]
#[cfg_attr(
    not(target_arch = "x86_64"),
    expect(dead_code, reason = "only registers of x86-64 hold `f32`s whose sums take two")
)]
pub struct Pair<T>(pub(super) [T; 2]);

macro_rules! pairwise {
    ($($operator:ident $method:ident;)*) => {$(
        impl<T: Real> $operator for Pair<T> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self([self.0[0].$method(other.0[0]), self.0[1].$method(other.0[1])])
            }
        }
    )*};
}

pairwise! {
    Add add;
    Sub sub;
    Mul mul;
    Div div;
}

impl<T: Real> Neg for Pair<T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self([-self.0[0], -self.0[1]])
    }
}

impl<T: Real> Real for Pair<T> {
    type Number = T::Number;
    type Lane = T::Lane;
    const LANES: usize = 2 * T::LANES;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self([T::splat(x); 2])
    }
    #[inline(always)]
    fn load(from: &[T::Number]) -> Self {
        Self([T::load(from), T::load(&from[T::LANES..])])
    }
    #[inline(always)]
    fn store(self, to: &mut [T::Number]) {
        let [a, b] = self.0;
        a.store(to);
        b.store(&mut to[T::LANES..]);
    }
    #[inline(always)]
    fn rows(table: &[[T::Number; 8]], at: &[u16]) -> [Self; 6] {
        let (a, b) = (T::rows(table, at), T::rows(table, &at[T::LANES..]));
        each!(6, K => Self([a[K], b[K]]))
    }
    #[inline(always)]
    fn add_to_rows(x: [Self; 3], table: &mut [[T::Number; 4]], at: &[u16]) {
        T::add_to_rows(each!(3, K => x[K].0[0]), table, at);
        T::add_to_rows(each!(3, K => x[K].0[1]), table, &at[T::LANES..]);
    }
    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        let ([a0, a1], [b0, b1], [c0, c1]) = (self.0, b.0, c.0);
        Self([a0.mul_add(b0, c0), a1.mul_add(b1, c1)])
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self([self.0[0].sqrt(), self.0[1].sqrt()])
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self([self.0[0].abs(), self.0[1].abs()])
    }
    #[inline(always)]
    fn without_tiny(self, least: f64) -> Self {
        Self([self.0[0].without_tiny(least), self.0[1].without_tiny(least)])
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self([self.0[0].max(other.0[0]), self.0[1].max(other.0[1])])
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self([self.0[0].min(other.0[0]), self.0[1].min(other.0[1])])
    }
}

/// The registers of an instruction set.
pub trait Registers {
    /// `f64`s.
    type Double: Real<Number = f64>;
    /// `f32`s.
    type Single: Real<Number = f32>;
    /// As many `f64`s as there are `f32`s.
    type Wide: Real<Number = f64> + Narrow<Self::Single>;
}

/// One number at a time.
pub struct Scalar;

impl Registers for Scalar {
    type Double = f64;
    type Single = f32;
    type Wide = f64;
}

/// Work that is written once for the registers of any instruction set.
///
/// An instruction can be inlined only into code that is compiled for it. A closure, and what the
/// standard library calls one from, is compiled on its own first, and is left with calls of single
/// instructions if it is not inlined as it is: per-number code has functions that are
/// `#[inline(always)]`, loops and the macro [`each`], and no closures.
pub trait RealKernel {
    /// What it returns.
    type Output;

    /// Does the work. Implementations must be `#[inline(always)]`, and so must everything they call
    /// per number.
    fn run<R: Registers>(self) -> Self::Output;
}
