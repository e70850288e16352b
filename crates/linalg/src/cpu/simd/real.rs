//! Registers of `f32` and of `f64` side by side, for kernels that compute with both.

use core::ops::{Add, Div, Mul, Neg, Sub};

use nonius_num::Lane;

/// `f32` or `f64`.
pub(crate) trait Number: Copy + Default + PartialEq + Send + Sync + 'static {
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
pub(crate) trait Real:
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
    /// Those of a table at the first [`LANES`](Real::LANES) of `at`; panics where one lies outside.
    fn gather(table: &[Self::Number], at: &[u16]) -> Self;
    /// `self·b + c` with one rounding.
    #[must_use]
    fn mul_add(self, b: Self, c: Self) -> Self;
    /// Square roots.
    #[must_use]
    fn sqrt(self) -> Self;
    /// Absolute values.
    #[must_use]
    fn abs(self) -> Self;
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

/// Numbers of a precision that become those of another.
pub(crate) trait Narrow<S>: Real {
    /// Rounded.
    fn narrow(self) -> S;
    /// As they are.
    fn widen(x: S) -> Self;
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
            fn gather(table: &[$t], at: &[u16]) -> Self {
                table[usize::from(at[0])]
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
pub(crate) struct Pair<T>(pub(super) [T; 2]);

impl<T: Real> Pair<T> {
    #[inline(always)]
    fn map(self, f: impl Fn(T) -> T) -> Self {
        let [a, b] = self.0;
        Self([f(a), f(b)])
    }

    #[inline(always)]
    fn with(self, other: Self, f: impl Fn(T, T) -> T) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        Self([f(a, c), f(b, d)])
    }
}

macro_rules! pairwise {
    ($($operator:ident $method:ident;)*) => {$(
        impl<T: Real> $operator for Pair<T> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.with(other, T::$method)
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
        self.map(T::neg)
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
    fn gather(table: &[T::Number], at: &[u16]) -> Self {
        Self([T::gather(table, at), T::gather(table, &at[T::LANES..])])
    }
    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        let ([a0, a1], [b0, b1], [c0, c1]) = (self.0, b.0, c.0);
        Self([a0.mul_add(b0, c0), a1.mul_add(b1, c1)])
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        self.map(T::sqrt)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        self.map(T::abs)
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.with(other, T::max)
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.with(other, T::min)
    }
}

/// The registers of an instruction set.
pub(crate) trait Registers {
    /// `f64`s.
    type Double: Real<Number = f64>;
    /// `f32`s.
    type Single: Real<Number = f32>;
    /// As many `f64`s as there are `f32`s.
    type Wide: Real<Number = f64> + Narrow<Self::Single>;
}

/// One number at a time.
pub(crate) struct Scalar;

impl Registers for Scalar {
    type Double = f64;
    type Single = f32;
    type Wide = f64;
}

/// Work that is written once for the registers of any instruction set.
pub(crate) trait RealKernel {
    /// What it returns.
    type Output;

    /// Does the work. Implementations must be `#[inline(always)]`, and so must everything they call per number.
    fn run<R: Registers>(self) -> Self::Output;
}
