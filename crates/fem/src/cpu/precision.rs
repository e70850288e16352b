//! In what numbers elements compute, and in what nodes and sums are kept.

use nonius_comm::Item;
use nonius_linalg::cpu::simd::real::{Narrow, Number, Real, Registers};

/// In what numbers elements compute, and in what nodes and sums are kept.
pub(super) trait Numbers: Send + Sync + 'static {
    /// Of elements.
    type Own: Number;
    /// Of nodes and of sums, those that elements remember among them.
    type Sum: Number + Item;
    /// Some elements' numbers.
    type A<R: Registers>: Real<Number = Self::Own>;
    /// As many sums.
    type W<R: Registers>: Narrow<Self::A<R>> + Real<Number = Self::Sum>;
    /// Whether elements have fewer digits than sums: they then take differences between nodes
    /// before these are rounded, and their forces may be summed up of increments.
    const IS_MIXED: bool = false;
}

/// All in `f32`.
pub(super) struct Single;

impl Numbers for Single {
    type Own = f32;
    type Sum = f32;
    type A<R: Registers> = R::Single;
    type W<R: Registers> = R::Single;
}

/// All in `f64`.
pub(super) struct Double;

impl Numbers for Double {
    type Own = f64;
    type Sum = f64;
    type A<R: Registers> = R::Double;
    type W<R: Registers> = R::Double;
}

/// Elements in `f32`, nodes and sums in `f64`.
pub(super) struct Mixed;

impl Numbers for Mixed {
    const IS_MIXED: bool = true;
    type Own = f32;
    type Sum = f64;
    type A<R: Registers> = R::Single;
    type W<R: Registers> = R::Wide;
}
