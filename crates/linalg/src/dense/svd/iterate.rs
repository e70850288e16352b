//! Singular values of an upper bidiagonal matrix by the implicit QR method.
//!
//! An entry `e_i` above the diagonal is neglected where that changes no singular value by more than
//! about `10u` of itself, by the recurrences of Demmel and Kahan, or where it is below `2^-700` of
//! the norm. A shift is taken only where it does not spoil small values likewise; without it a step
//! has no subtraction at all. Steps go from the larger end of a block to the smaller.
//!
//! Sources: Demmel and Kahan, *Accurate singular values of bidiagonal matrices*, SIAM J. Sci. Stat.
//! Comput. 11 (1990); Golub and Van Loan, *Matrix Computations*, 4th ed., section 8.6.

use crate::dense::rotation::{Rotation, givens};
use crate::{Error, Number, Size};

/// Steps for each number after which the iteration is given up.
const MOST_STEPS_A_NUMBER: usize = 80;
/// Bits below the norm at which an entry is neglected, or four times those of the numbers.
const LEAST: i32 = 700;
/// Rotations that are handed over at a time.
const BATCH: usize = 8192;

/// The matrix whose columns rotations are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// Makes the bidiagonal matrix with diagonal `d` and `e` above it diagonal; signs remain. `rotate`
/// receives all rotations of the columns of either matrix of vectors, in their order.
pub(super) fn diagonalize<T: Number>(
    format: T::Format,
    d: &mut [T],
    e: &mut [T],
    mut rotate: impl FnMut(Side, &[Rotation<T>]),
) -> Result<(), Error> {
    let unit = T::unit_roundoff(format);
    let norm = d.iter().chain(&*e).map(|x| x.size()).fold(T::Size::ZERO, Size::max);
    let least = norm.ldexp(-LEAST.max(4 * T::precision(format).bits() as i32));
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let mut last = d.len().saturating_sub(1);
    let mut direction = None;
    let most = MOST_STEPS_A_NUMBER * d.len();
    for _ in 0..=most {
        let negligible = |i: usize| e[i].size() <= least;
        while last > 0 && negligible(last - 1) {
            last -= 1;
        }
        if last == 0 {
            rotate(Side::Left, &left);
            rotate(Side::Right, &right);
            return Ok(());
        }
        let first = (0..last).rev().find(|&i| negligible(i)).map_or(0, |i| i + 1);
        let downwards = match direction {
            Some((at, downwards)) if at == (first, last) => downwards,
            _ => d[first].abs() >= d[last].abs(),
        };
        direction = Some(((first, last), downwards));
        let (d, e) = (&mut d[first..=last], &mut e[first..last]);
        // Backwards, rows and columns change places, and with them left and right.
        if !downwards {
            d.reverse();
            e.reverse();
        }
        if let Some(smallest) = smallest(unit, d, e) {
            step(unit, d, e, smallest, |i, [inner, outer]| {
                let (x, y) =
                    if downwards { (first + i, first + i + 1) } else { (last - i, last - i - 1) };
                let rotation = |(c, s): (T, T)| Rotation { first: x, second: y, c, s: -s };
                let (to_right, to_left) = if downwards { (inner, outer) } else { (outer, inner) };
                right.push(rotation(to_right));
                left.push(rotation(to_left));
            });
        }
        if !downwards {
            d.reverse();
            e.reverse();
        }
        if left.len() >= BATCH {
            rotate(Side::Left, &left);
            rotate(Side::Right, &right);
            left.clear();
            right.clear();
        }
    }
    Err(Error::NoConvergence { steps: most })
}

/// Where an entry above the diagonal may be neglected, makes it zero and returns `None`; else
/// returns a lower bound of the smallest singular value, but for a factor of `√n`.
fn smallest<T: Number>(unit: T::Size, d: &[T], e: &mut [T]) -> Option<T::Size> {
    let tolerance = T::Size::from(10.0) * unit;
    let size = |x: T| x.size();
    let last = e.len();
    if size(e[last - 1]) <= tolerance * size(d[last]) {
        e[last - 1] = T::ZERO;
        return None;
    }
    let mut bound = size(d[0]);
    let mut least = bound;
    for i in 0..last {
        if size(e[i]) <= tolerance * bound {
            e[i] = T::ZERO;
            return None;
        }
        bound = size(d[i + 1]) * (bound / (bound + size(e[i])));
        least = if bound < least { bound } else { least };
    }
    Some(least)
}

/// One step from the first entry to the last. `rotate` receives cosines and sines of the rotations
/// of columns and of rows `i` and `i + 1`.
fn step<T: Number>(
    unit: T::Size,
    d: &mut [T],
    e: &mut [T],
    smallest: T::Size,
    rotate: impl FnMut(usize, [(T, T); 2]),
) {
    let largest = d.iter().chain(&*e).map(|x| x.size()).fold(T::Size::ZERO, Size::max);
    let n = d.len();
    let shift = smaller_value(d[n - 2], e[n - 2], d[n - 1]);
    let spoils = T::Size::from(100.0 * n as f64) * smallest <= largest;
    let ratio = shift.size() / d[0].size();
    // A shift that rounding would lose.
    if spoils || d[0] == T::ZERO || ratio * ratio < unit {
        unshifted(d, e, rotate);
    } else {
        shifted(d, e, shift, rotate);
    }
}

/// The smaller singular value of `[[f, g], [0, h]]`: `|f·h|` over the larger one, which is
/// `(√((|f| + |h|)² + g²) + √((|f| − |h|)² + g²))/2`.
fn smaller_value<T: Number>(f: T, g: T, h: T) -> T {
    let (f, g, h) = (f.abs(), g.abs(), h.abs());
    let (_, _, sum) = givens(f + h, g);
    let (_, _, difference) = givens(f - h, g);
    let twice = sum.abs() + difference.abs();
    let (least, most) = if f < h { (f, h) } else { (h, f) };
    if twice == T::ZERO { T::ZERO } else { most / twice * (least + least) }
}

/// The step with shift zero (Demmel and Kahan, section 3).
fn unshifted<T: Number>(d: &mut [T], e: &mut [T], mut rotate: impl FnMut(usize, [(T, T); 2])) {
    let last = e.len();
    let (mut c, mut old_c, mut old_s) = (T::ONE, T::ONE, T::ZERO);
    for i in 0..last {
        let (cosine, sine, r) = givens(d[i] * c, e[i]);
        if i > 0 {
            e[i - 1] = old_s * r;
        }
        c = cosine;
        let (outer_c, outer_s, diagonal) = givens(old_c * r, d[i + 1] * sine);
        (old_c, old_s) = (outer_c, outer_s);
        d[i] = diagonal;
        rotate(i, [(cosine, sine), (outer_c, outer_s)]);
    }
    let h = d[last] * c;
    d[last] = h * old_c;
    e[last - 1] = h * old_s;
}

/// The step of Golub and Kahan, a bulge chased along the diagonal.
fn shifted<T: Number>(
    d: &mut [T],
    e: &mut [T],
    shift: T,
    mut rotate: impl FnMut(usize, [(T, T); 2]),
) {
    let last = e.len();
    // (d₀² − shift²)/d₀ without squares.
    let sign = if d[0] < T::ZERO { -T::ONE } else { T::ONE };
    let mut f = (d[0].abs() - shift) * (sign + shift / d[0]);
    let mut g = e[0];
    for i in 0..last {
        let (c, s, r) = givens(f, g);
        if i > 0 {
            e[i - 1] = r;
        }
        f = c * d[i] + s * e[i];
        e[i] = c * e[i] - s * d[i];
        g = s * d[i + 1];
        d[i + 1] = c * d[i + 1];
        let (outer_c, outer_s, r) = givens(f, g);
        d[i] = r;
        f = outer_c * e[i] + outer_s * d[i + 1];
        d[i + 1] = outer_c * d[i + 1] - outer_s * e[i];
        if i + 1 < last {
            g = outer_s * e[i + 1];
            e[i + 1] = outer_c * e[i + 1];
        }
        rotate(i, [(c, s), (outer_c, outer_s)]);
    }
    e[last - 1] = f;
}
