//! Eigenvalues of a symmetric tridiagonal matrix by the implicit QL method.
//!
//! An entry beside the diagonal is neglected where it is at most `u·√(|d_i||d_{i+1}|)`, so that
//! small eigenvalues of graded matrices suffer little, or `u²` of the norm. The shift is
//! Wilkinson's; iterations go towards the end whose entry on the diagonal is smaller. Convergence
//! is cubic as a rule, so that a number takes about two steps at 53 bits and three to four at 208.
//!
//! Sources: Dubrulle, Martin and Wilkinson, *The implicit QL algorithm*, Numer. Math. 12 (1968);
//! Parlett, *The Symmetric Eigenvalue Problem* (1998), chapter 8; Greenbaum and Dongarra, LAPACK
//! Working Note 17 (1989), for the criterion and the direction.

use crate::dense::rotation::{Rotation, givens};
use crate::{Error, Number, Size};

/// Steps for each number after which the iteration is given up.
const MOST_STEPS_A_NUMBER: usize = 60;
/// Rotations that are handed over at a time.
const BATCH: usize = 8192;

/// Makes the tridiagonal matrix with diagonal `d` and `e` beside it diagonal. `rotate` receives all
/// rotations of the columns of the matrix of eigenvectors, in their order.
pub fn diagonalize<T: Number>(
    format: T::Format,
    d: &mut [T],
    e: &mut [T],
    mut rotate: impl FnMut(&[Rotation<T>]),
) -> Result<(), Error> {
    let unit = T::unit_roundoff(format);
    let norm = d.iter().chain(&*e).map(|x| x.size()).fold(T::Size::ZERO, Size::max);
    let least = unit * unit * norm;
    let mut rotations = Vec::new();
    let mut last = d.len().saturating_sub(1);
    let mut direction = None;
    let most = MOST_STEPS_A_NUMBER * d.len();
    for _ in 0..=most {
        let negligible = |i: usize| {
            let size = d[i].size().sqrt() * d[i + 1].size().sqrt();
            e[i].size() <= (unit * size).max(least)
        };
        while last > 0 && negligible(last - 1) {
            last -= 1;
        }
        if last == 0 {
            rotate(&rotations);
            return Ok(());
        }
        let first = (0..last).rev().find(|&i| negligible(i)).map_or(0, |i| i + 1);
        let upwards = match direction {
            Some((at, upwards)) if at == (first, last) => upwards,
            _ => d[last].abs() >= d[first].abs(),
        };
        direction = Some(((first, last), upwards));
        step(&mut d[first..=last], &mut e[first..last], upwards, |i, c, s| {
            let (x, y) =
                if upwards { (first + i, first + i + 1) } else { (last - i, last - i - 1) };
            rotations.push(Rotation { first: x, second: y, c, s });
        });
        if rotations.len() >= BATCH {
            rotate(&rotations);
            rotations.clear();
        }
    }
    Err(Error::NoConvergence { steps: most })
}

/// One step on a matrix without negligible entries, towards its first entry or, with rows and
/// columns in the opposite order, its last.
fn step<T: Number>(d: &mut [T], e: &mut [T], upwards: bool, mut rotate: impl FnMut(usize, T, T)) {
    if !upwards {
        d.reverse();
        e.reverse();
    }
    let last = e.len();
    // The eigenvalue of the first two rows and columns that is nearer to the first entry.
    let half = (d[1] - d[0]) / (e[0] + e[0]);
    let root = (half * half + T::ONE).sqrt();
    let away = if half < T::ZERO { half - root } else { half + root };
    let mut g = d[last] - d[0] + e[0] / away;
    let (mut c, mut s, mut p) = (T::ONE, T::ONE, T::ZERO);
    for i in (0..last).rev() {
        let (f, b) = (s * e[i], c * e[i]);
        let (cosine, sine, r) = givens(g, f);
        (c, s) = (cosine, sine);
        if i + 1 < last {
            e[i + 1] = r;
        }
        g = d[i + 1] - p;
        let r = (d[i] - g) * s + (c * b + c * b);
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        rotate(i, c, s);
    }
    d[0] -= p;
    e[0] = g;
    if !upwards {
        d.reverse();
        e.reverse();
    }
}
