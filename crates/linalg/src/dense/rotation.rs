//! Rotations in the plane of two coordinates.

use crate::{Number, Size};

/// Columns `first` and `second`, `x` and `y`, become `c·x − s·y` and `s·x + c·y`.
#[derive(Clone, Copy, Debug)]
pub struct Rotation<T> {
    /// The first column.
    pub first: usize,
    /// The second.
    pub second: usize,
    /// The cosine.
    pub c: T,
    /// The sine.
    pub s: T,
}

/// Cosine `f/r` and sine `g/r` of the rotation that turns `(f, g)` into `(r, 0)`, and `r`, with no
/// harm from squares out of range.
///
/// Each is within a few units of roundoff of the exact one (Higham, *Accuracy and Stability of
/// Numerical Algorithms*, 2nd ed., Lemma 19.7).
pub(crate) fn givens<T: Number>(f: T, g: T) -> (T, T, T) {
    if g == T::ZERO {
        return (T::ONE, T::ZERO, f);
    }
    if f == T::ZERO {
        return (T::ZERO, T::ONE, g);
    }
    let largest = f.size().max(g.size());
    let scale = largest.exponent().filter(|e| e.abs() > 200).unwrap_or(0);
    if scale != 0 {
        let (c, s, r) = givens(f.ldexp(-scale), g.ldexp(-scale));
        return (c, s, r.ldexp(scale));
    }
    let r = (f * f + g * g).sqrt();
    (f / r, g / r, r)
}
