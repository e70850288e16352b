//! Which numbers increments and sums have.

use crate::cpu::simd::real::{Narrow, Number, Real, Registers};

/// Which numbers increments and sums have.
pub(super) trait Numbers: Send + Sync + 'static {
    /// Of increments.
    type Small: Number;
    /// Of sums.
    type Sum: Number;
    /// Some increments.
    type S<R: Registers>: Real<Number = Self::Small>;
    /// Whether forces may be summed up of increments.
    const INCREMENTS: bool = false;
    /// As many sums.
    type A<R: Registers>: Narrow<Self::S<R>> + Real<Number = Self::Sum>;
}

/// Both in `f32`.
pub(super) struct Single;

impl Numbers for Single {
    type Small = f32;
    type Sum = f32;
    type S<R: Registers> = R::Single;
    type A<R: Registers> = R::Single;
}

/// Both in `f64`.
pub(super) struct Double;

impl Numbers for Double {
    type Small = f64;
    type Sum = f64;
    type S<R: Registers> = R::Double;
    type A<R: Registers> = R::Double;
}

/// Increments in `f32`, sums in `f64`.
pub(super) struct Mixed;

impl Numbers for Mixed {
    const INCREMENTS: bool = true;
    type Small = f32;
    type Sum = f64;
    type S<R: Registers> = R::Single;
    type A<R: Registers> = R::Wide;
}
