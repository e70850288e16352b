//! Tridiagonal systems, one at a time: rows of lower, main and upper entry and right side.
//!
//! The order of operations is that of all backends. Reciprocals are of [`Number`]'s division.

use crate::Size;
use crate::tridiag::{Cause, Method, Number, Order, Partition};

type Row<T> = [T; 4];

/// `Err` with cause and row where there is no solution; `x` is of no use then.
pub type Outcome = Result<(), (Cause, usize)>;

/// Solves a system by a method, of those that do not pivot; `order` chooses the [`Partition`] of
/// the hybrid one.
///
/// # Errors
/// Cause and row.
pub fn solve<T: Number>(method: Method, order: Order, rows: &[Row<T>], x: &mut [T]) -> Outcome {
    let pivots = match method {
        Method::Auto | Method::Thomas => thomas(rows, x),
        Method::Pcr => pcr(rows, x),
        Method::Hybrid => hybrid(order, rows, x),
    };
    checked(rows, x, &pivots)
}

/// Where the first pivot without a finite reciprocal stood.
#[derive(Default)]
struct Pivots(Option<usize>);

impl Pivots {
    /// `1 / pivot`.
    fn inverse<T: Number>(&mut self, pivot: T, row: usize) -> T {
        let inverse = T::ONE / pivot;
        if !inverse.is_finite() {
            self.0 = self.0.or(Some(row));
        }
        inverse
    }
}

/// What spoilt `x`, if anything did: the first row that is not finite, else the first pivot, else
/// the one before the first entry of `x` that is not finite.
fn checked<T: Number>(rows: &[Row<T>], x: &[T], pivots: &Pivots) -> Outcome {
    let Some(spoilt) = x.iter().position(|x| !x.is_finite()) else { return Ok(()) };
    match rows.iter().position(|row| !row.iter().all(|x| x.is_finite())) {
        Some(row) => Err((Cause::NotFinite, row)),
        None => Err((Cause::Pivot, pivots.0.unwrap_or(spoilt))),
    }
}

fn thomas<T: Number>(rows: &[Row<T>], x: &mut [T]) -> Pivots {
    let mut pivots = Pivots::default();
    let mut above = vec![T::ZERO; rows.len()];
    let (mut q, mut r) = (T::ZERO, T::ZERO);
    for (i, &[lower, diagonal, upper, right]) in rows.iter().enumerate() {
        let first = i == 0;
        let pivot = if first { diagonal } else { (-lower).fused(q, diagonal) };
        let w = pivots.inverse(pivot, i);
        q = upper * w;
        r = if first { right } else { (-lower).fused(r, right) } * w;
        (above[i], x[i]) = (q, r);
    }
    for i in (0..rows.len().saturating_sub(1)).rev() {
        x[i] = (-above[i]).fused(x[i + 1], x[i]);
    }
    pivots
}

/// Thomas's method with rows exchanged: of two candidates the pivot is the one that is larger
/// beside the largest entry of its row.
///
/// # Errors
/// Cause and row.
pub fn pivoted<T: Number>(rows: &[Row<T>], x: &mut [T]) -> Outcome {
    let pivots = exchange(rows, x);
    checked(rows, x, &pivots)
}

/// A ring, with rows exchanged, by elimination of a band: see the module `band`.
///
/// # Errors
/// Cause and row.
pub fn pivoted_ring<T: Number>(rows: &[Row<T>], x: &mut [T]) -> Outcome {
    let pivots = Pivots(super::band::solve(rows, true, x));
    checked(rows, x, &pivots)
}

fn exchange<T: Number>(rows: &[Row<T>], x: &mut [T]) -> Pivots {
    let mut pivots = Pivots::default();
    let n = rows.len();
    let Some(&[_, mut first, mut second, mut right]) = rows.first() else { return pivots };
    let zero = T::Size::ZERO;
    let scale = |row: &Row<T>| row[..3].iter().fold(zero, |m, x| x.magnitude().max(m));
    let mut size = scale(&rows[0]);
    let mut above = vec![[T::ZERO; 2]; n];
    for i in 0..n {
        let Some(next) = rows.get(i + 1) else {
            x[i] = right * pivots.inverse(first, i);
            break;
        };
        let &[lower, diagonal, upper, below] = next;
        let next_size = scale(next);
        let swap = lower.magnitude() / next_size > first.magnitude() / size;
        let ((p, p_right), (o, o_right)) = if swap {
            (([lower, diagonal, upper], below), ([first, second, T::ZERO], right))
        } else {
            (([first, second, T::ZERO], right), ([lower, diagonal, upper], below))
        };
        let w = pivots.inverse(p[0], i);
        let [q, u] = [p[1] * w, p[2] * w];
        above[i] = [q, u];
        x[i] = p_right * w;
        first = (-o[0]).fused(q, o[1]);
        second = (-o[0]).fused(u, o[2]);
        right = (-o[0]).fused(x[i], o_right);
        size = if swap { size } else { next_size };
    }
    for i in (0..n.saturating_sub(1)).rev() {
        let after = if i + 2 < n { (-above[i][1]).fused(x[i + 2], x[i]) } else { x[i] };
        x[i] = (-above[i][0]).fused(x[i + 1], after);
    }
    pivots
}

fn pcr<T: Number>(rows: &[Row<T>], x: &mut [T]) -> Pivots {
    let n = rows.len();
    let mut now = rows.to_vec();
    let mut pivots = Pivots::default();
    let mut h = 1;
    while h < n {
        pivots.0 = pivots.0.or_else(|| now.iter().position(|row| row[1] == T::ZERO));
        let mut next = now.clone();
        for i in 0..n {
            let [mut a, mut b, mut c, mut d] = now[i];
            if i >= h {
                let [lower, diagonal, upper, right] = now[i - h];
                let alpha = -a / diagonal;
                a = alpha * lower;
                b = alpha.fused(upper, b);
                d = alpha.fused(right, d);
            }
            if i + h < n {
                let [lower, diagonal, upper, right] = now[i + h];
                let gamma = -c / diagonal;
                c = gamma * upper;
                b = gamma.fused(lower, b);
                d = gamma.fused(right, d);
            }
            next[i] = [a, b, c, d];
        }
        now = next;
        h *= 2;
    }
    pivots.0 = pivots.0.or_else(|| now.iter().position(|row| row[1] == T::ZERO));
    x.iter_mut().zip(now).for_each(|(x, [_, b, _, d])| *x = d / b);
    pivots
}

/// `x + p·(unknown before) + q·(unknown after) = r`.
#[derive(Clone, Copy)]
struct Equation<T> {
    p: T,
    q: T,
    r: T,
}

fn hybrid<T: Number>(order: Order, rows: &[Row<T>], x: &mut [T]) -> Pivots {
    match Partition::new(T::PARTS, order, rows.len()) {
        Partition::Whole { chunk, chunks } => partition(rows, chunk, chunks, x, |last, lasts| {
            if chunks <= 32 {
                cyclic(last, lasts);
                return;
            }
            let rows: Vec<Row<T>> = last.iter().map(|e| [e.p, T::ONE, e.q, e.r]).collect();
            partition(&rows, chunks / 32, 32, lasts, |last, lasts| cyclic(last, lasts));
        }),
        Partition::Split { chunk } => {
            let chunks = rows.len().div_ceil(chunk);
            partition(rows, chunk, chunks, x, |last, lasts| {
                let rows: Vec<Row<T>> = last.iter().map(|e| [e.p, T::ONE, e.q, e.r]).collect();
                hybrid(order, &rows, lasts);
            })
        }
    }
}

/// Chunks of two rows or more, of which the unknowns of the last rows are found by `between`.
fn partition<T: Number>(
    rows: &[Row<T>],
    chunk: usize,
    chunks: usize,
    x: &mut [T],
    between: impl FnOnce(&[Equation<T>], &mut [T]),
) -> Pivots {
    let n = rows.len();
    let beyond = [T::ZERO, T::ONE, T::ZERO, T::ZERO];
    let row = |i: usize| rows.get(i).copied().unwrap_or(beyond);
    let mut parts = Vec::with_capacity(chunks);
    let mut pivots = Pivots::default();
    for first in (0..chunks).map(|c| c * chunk) {
        let rows: Vec<Row<T>> = (first..first + chunk).map(row).collect();
        parts.push(reduce(&rows, first, &mut pivots));
    }
    let last: Vec<Equation<T>> =
        (0..chunks).map(|c| meeting(&parts[c], parts.get(c + 1).map(|next| next[0]))).collect();
    let mut lasts = vec![T::ZERO; chunks];
    between(&last, &mut lasts);
    for (c, part) in parts.iter().enumerate() {
        let before = if c == 0 { T::ZERO } else { lasts[c - 1] };
        let last = lasts[c];
        let first = (-part[0].q).fused(last, (-part[0].p).fused(before, part[0].r));
        for (k, e) in part.iter().enumerate() {
            let i = c * chunk + k;
            let value = match k {
                0 => first,
                _ if k + 1 == chunk => last,
                _ => (-e.q).fused(last, (-e.p).fused(first, e.r)),
            };
            if i < n {
                x[i] = value;
            }
        }
    }
    pivots
}

/// The rows of a chunk: the first by the unknown before the chunk and the chunk's last, all between
/// by its first and its last, the last by its first and the unknown behind.
fn reduce<T: Number>(rows: &[Row<T>], at: usize, pivots: &mut Pivots) -> Vec<Equation<T>> {
    let k = rows.len();
    let mut inverse = |pivot: T, i: usize| pivots.inverse(pivot, at + i);
    let over = |[a, _, c, d]: Row<T>, w: T| Equation { p: a * w, q: c * w, r: d * w };
    let mut part = vec![Equation { p: T::ZERO, q: T::ZERO, r: T::ZERO }; k];
    for i in 1..k {
        let [a, b, c, d] = rows[i];
        part[i] = if i == 1 {
            over(rows[i], inverse(b, i))
        } else {
            let before = part[i - 1];
            let w = inverse((-a).fused(before.q, b), i);
            Equation { p: (-a) * before.p * w, q: c * w, r: (-a).fused(before.r, d) * w }
        };
    }
    for i in (1..k.saturating_sub(2)).rev() {
        let (after, Equation { p, q, r }) = (part[i + 1], part[i]);
        part[i] =
            Equation { p: (-q).fused(after.p, p), q: -q * after.q, r: (-q).fused(after.r, r) };
    }
    let [a, b, c, d] = rows[0];
    part[0] = if k > 2 {
        let next = part[1];
        let w = inverse((-c).fused(next.p, b), 0);
        Equation { p: a * w, q: -c * next.q * w, r: (-c).fused(next.r, d) * w }
    } else {
        over(rows[0], inverse(b, 0))
    };
    part
}

/// The last row of a chunk by the last unknowns of the chunks beside, where `next` is the first row
/// of the next.
fn meeting<T: Number>(part: &[Equation<T>], next: Option<Equation<T>>) -> Equation<T> {
    let (first, last) = (part[0], part[part.len() - 1]);
    let none = Equation { p: T::ZERO, q: T::ZERO, r: T::ZERO };
    let (next, q) = next.map_or((none, T::ZERO), |next| (next, last.q));
    let w = T::ONE / (-q).fused(next.p, (-last.p).fused(first.q, T::ONE));
    Equation {
        p: -last.p * first.p * w,
        q: -q * next.q * w,
        r: (-q).fused(next.r, (-last.p).fused(first.r, last.r)) * w,
    }
}

/// Cyclic reduction of a power of two of equations.
fn cyclic<T: Number>(equations: &[Equation<T>], x: &mut [T]) {
    let n = equations.len();
    let none = Equation { p: T::ZERO, q: T::ZERO, r: T::ZERO };
    let mut now = equations.to_vec();
    let mut h = 1;
    while h < n {
        let at = |i: Option<usize>| i.and_then(|i| now.get(i)).copied().unwrap_or(none);
        let step = |i: usize| {
            let (e, low, high) = (now[i], at(i.checked_sub(h)), at(Some(i + h)));
            let w = T::ONE / (-e.q).fused(high.p, (-e.p).fused(low.q, T::ONE));
            Equation {
                p: -e.p * low.p * w,
                q: -e.q * high.q * w,
                r: (-e.q).fused(high.r, (-e.p).fused(low.r, e.r)) * w,
            }
        };
        now = (0..n).map(step).collect();
        h *= 2;
    }
    x.iter_mut().zip(now).for_each(|(x, e)| *x = e.r);
}
