//! Sums over vectors, term by term from the first to the last.
//!
//! With `n` terms and `u` the unit roundoff the results of [`dot`], [`sum`] and [`asum`] are within
//! `(n + 2)·u` of the sum of the terms' magnitudes (Higham, *Accuracy and Stability of Numerical
//! Algorithms*, 3.1), that of [`nrm2`] within `(n/2 + 4)·u` of itself.

use nonius_num::Real;

use crate::{Number, Numbers, Slice};

/// `Σ x[i]·y[i]`. Panics when the lengths differ.
pub fn dot<T: Real>(x: Slice<'_, T>, y: Slice<'_, T>) -> T {
    assert_eq!(x.len(), y.len(), "lengths");
    x.iter().zip(y.iter()).fold(T::ZERO, |sum, (x, y)| sum + x * y)
}

/// `Σ x[i]`.
pub fn sum<T: Real>(x: Slice<'_, T>) -> T {
    x.iter().fold(T::ZERO, |sum, x| sum + x)
}

/// `Σ |x[i]|`.
pub fn asum<T: Real>(x: Slice<'_, T>) -> T {
    x.iter().fold(T::ZERO, |sum, x| sum + x.abs())
}

/// `√Σ x[i]²`, whatever the exponents: the vector is scaled by the power of two of its largest
/// entry.
pub fn nrm2<T: Number>(x: Slice<'_, T>) -> T {
    scaled_norm(x, |x| dot(x, x))
}

/// The norm of `x` by a function that sums the squares of a vector whose largest entry is near 1.
///
/// Infinite where an entry is, whatever the others; NaN where one is NaN and none infinite.
pub(crate) fn scaled_norm<T: Number>(x: Slice<'_, T>, squares: impl Fn(Slice<'_, T>) -> T) -> T {
    let Some(largest) = iamax(x) else { return T::ZERO };
    let largest = x.at(largest).abs();
    if !largest.is_finite() || largest == T::ZERO {
        return largest;
    }
    let exponent = largest.leading().exponent - 1;
    // Squares of entries in this range neither overflow nor lose limbs that count.
    if (-200..400).contains(&exponent) {
        return squares(x).sqrt();
    }
    let exponent = exponent as i32;
    let mut scaled = Numbers::with_capacity(x.format(), x.len());
    x.iter().for_each(|x| scaled.push(x.ldexp(-exponent)));
    squares(scaled.as_slice()).sqrt().ldexp(exponent)
}

/// The first index of an entry of greatest magnitude; `None` for an empty vector. An infinity wins
/// over all numbers, and over NaN; among NaN and numbers the first NaN.
pub fn iamax<T: Real>(x: Slice<'_, T>) -> Option<usize> {
    let mut best: Option<usize> = None;
    for (i, candidate) in x.iter().enumerate() {
        if best.is_none_or(|b| greater(candidate, x.at(b))) {
            best = Some(i);
        }
    }
    best
}

/// Whether `|x| > |y|`, with numbers < NaN < ∞.
pub(crate) fn greater<T: Real>(x: T, y: T) -> bool {
    let (x, y) = (x.abs(), y.abs());
    let infinite = |x: T| !x.is_finite() && !x.is_nan();
    if y.is_nan() { infinite(x) } else { x > y || (x.is_nan() && !infinite(y)) }
}
