//! What a fast method left is checked, and put right.
//!
//! Methods compute within the range of their numbers. A system whose entries are so large, so small
//! or so far apart that a reciprocal, quotient or product of an elimination may leave the range is
//! solved again, by [elimination with row exchanges](crate::reference::band) in numbers whose
//! exponents have no limit. Its unknowns are right, or it is named: as singular, or since an
//! unknown exceeds the largest number.
//!
//! All other systems are checked by their residuals. Where a method without row exchanges left a
//! row with `|right − A·x| > √u·(|A||x| + |right|)`, more than half of the digits of the backward
//! error are lost, and the system is named by [`Cause::Pivot`]. Where rows were exchanged such a
//! residual shows that an intermediate number left the range, and the system is solved again.
//! Underflow of `x` itself is no fault: `(1 + |A|)` times the smallest number is allowed beside.

use nonius_num::Lane;

use super::batch::{Batch, Row, check_format};
use super::extended::Extended;
use super::number::Number;
use super::options::Options;
use super::order::Order;
use super::report::{Cause, Failure};
use crate::cpu::simd::{Kernel, dispatch};
use crate::reference::band;
use crate::threads::{Grain, map};
use crate::{Element, Error, Size, Slice, SliceMut};

/// Systems that a thread takes at a time.
const SYSTEMS_OF_A_THREAD: usize = 64;
/// Systems that are solved again at a time: their unknowns are kept beside.
const SYSTEMS_SOLVED_AGAIN: usize = 4096;

/// As [`settle`](super::settle()).
pub(super) fn settle_all<T: Number>(
    batch: &Batch<'_, T>,
    options: &Options,
    x: &mut SliceMut<'_, T>,
    failures: &[Failure],
) -> Result<Vec<Failure>, Error> {
    Error::check_length("x", batch.right.len(), x.len())?;
    check_format::<T>("x", batch.format(), x.format())?;
    let unknowns = x.as_slice();
    let shares =
        if unknowns.is_empty() { 0 } else { batch.systems().div_ceil(SYSTEMS_OF_A_THREAD) };
    let look = |share: usize| {
        let first = share * SYSTEMS_OF_A_THREAD;
        let count = SYSTEMS_OF_A_THREAD.min(batch.systems() - first);
        dispatch(Look { batch, is_ring: options.periodic, x: unknowns, first, count })
    };
    let suspects: Vec<Suspect> = map(shares, Grain::ANY, look).into_iter().flatten().collect();
    let mut settled = Vec::new();
    for suspects in suspects.chunks(SYSTEMS_SOLVED_AGAIN) {
        let again = |i: usize| {
            let Suspect { system, row, leaves_range } = suspects[i];
            let known = failures.binary_search_by_key(&system, |failure| failure.system);
            let outcome = precise(batch, options.periodic, system);
            let outcome = outcome.map_err(|(cause, row)| Failure { system, cause, row });
            // Which numbers given are not finite is known now; others only became so.
            let known = known.ok().map(|at| match failures[at] {
                Failure { cause: Cause::NotFinite, row, .. } => {
                    Failure { system, cause: Cause::Pivot, row }
                }
                failure => failure,
            });
            if leaves_range || options.pivoting {
                return (system, outcome.map_err(Some));
            }
            let overflow = outcome.err().filter(|failure| failure.cause != Cause::Pivot);
            let spoilt = Failure { system, cause: Cause::Pivot, row };
            (system, Err(overflow.or(known).or(Some(spoilt))))
        };
        for (system, outcome) in map(suspects.len(), Grain::ANY, again) {
            match outcome {
                Ok(unknowns) => {
                    for (i, value) in unknowns.into_iter().enumerate() {
                        x.set(batch.index(system, i), value);
                    }
                }
                Err(failure) => settled.extend(failure),
            }
        }
    }
    Ok(settled)
}

/// Solves a system by elimination with row exchanges, in numbers whose exponents have no limit.
fn precise<T: Number>(
    batch: &Batch<'_, T>,
    is_ring: bool,
    system: usize,
) -> Result<Vec<T>, (Cause, usize)> {
    let rows: Vec<Row<T>> =
        (0..batch.size()).map(|i| batch.neighbours(is_ring, system, i)).collect();
    if let Some(row) = rows.iter().position(|row| !row.iter().all(|x| x.is_finite())) {
        return Err((Cause::NotFinite, row));
    }
    let rows: Vec<_> = rows.into_iter().map(|row| row.map(Extended::of)).collect();
    let mut x = vec![Extended::of(T::ZERO); rows.len()];
    if let Some(row) = band::solve(&rows, is_ring, &mut x) {
        return Err((Cause::Pivot, row));
    }
    let x: Vec<T> = x.into_iter().map(Extended::rounded).collect();
    match x.iter().position(|x| !x.is_finite()) {
        Some(row) => Err((Cause::Overflow, row)),
        None => Ok(x),
    }
}

/// A system to be solved again.
struct Suspect {
    system: usize,
    /// The first row whose residual is too large.
    row: usize,
    leaves_range: bool,
}

/// Some systems of a batch and their unknowns.
struct Look<'a, T: Element> {
    batch: &'a Batch<'a, T>,
    is_ring: bool,
    x: Slice<'a, T>,
    first: usize,
    count: usize,
}

/// What was seen of a system.
#[derive(Clone, Copy)]
struct Seen<S> {
    /// Largest and smallest magnitudes other than zero, of the matrix and the right-hand sides.
    matrix: [S; 2],
    right: [S; 2],
    /// The first row whose residual is too large.
    bad: usize,
}

impl<S: Size> Seen<S> {
    const NOTHING: Self =
        Self { matrix: [S::ZERO, S::INFINITY], right: [S::ZERO, S::INFINITY], bad: usize::MAX };
}

#[inline(always)]
fn widen<S: Size>([largest, smallest]: &mut [S; 2], size: S) {
    *largest = if size > *largest { size } else { *largest };
    *smallest = if size < *smallest && size > S::ZERO { size } else { *smallest };
}

impl<T: Number> Look<'_, T> {
    #[inline(always)]
    fn row(
        &self,
        seen: &mut Seen<T::Size>,
        (system, i): (usize, usize),
        [tolerance, least]: [T::Size; 2],
    ) {
        let (batch, n) = (self.batch, self.batch.size());
        let [lower, diagonal, upper, right] = batch.neighbours(self.is_ring, system, i);
        let at = |i: usize| self.x.at(batch.index(system, i));
        let inside = |outside: bool, j: usize| if outside { T::ZERO } else { at(j) };
        let before = inside(i == 0 && !self.is_ring, if i == 0 { n - 1 } else { i - 1 });
        let after = inside(i + 1 == n && !self.is_ring, if i + 1 == n { 0 } else { i + 1 });
        let here = at(i);
        let rest = (-diagonal).fused(here, right);
        let rest = (-upper).fused(after, (-lower).fused(before, rest)).magnitude();
        let [l, d, u, b] = [lower, diagonal, upper, right].map(T::magnitude);
        let size = l * before.magnitude() + d * here.magnitude() + u * after.magnitude() + b;
        // False for NaN; what is infinite is at most what is infinite.
        let allowed = tolerance * size + (T::Size::from(1.0) + l + d + u) * least;
        let good = rest <= allowed && allowed < T::Size::INFINITY;
        if !good && i < seen.bad {
            seen.bad = i;
        }
        widen(&mut seen.matrix, l);
        widen(&mut seen.matrix, d);
        widen(&mut seen.matrix, u);
        widen(&mut seen.right, b);
    }
}

impl<T: Number> Kernel for Look<'_, T> {
    type Output = Vec<Suspect>;

    #[inline(always)]
    fn run<L: Lane>(self) -> Vec<Suspect> {
        let format = self.batch.format();
        let tolerance = T::unit_roundoff(format).sqrt();
        let limits = [tolerance, T::Size::from(4.0).ldexp(T::SMALLEST_EXPONENT)];
        let mut seen = [Seen::NOTHING; SYSTEMS_OF_A_THREAD];
        let n = self.batch.size();
        match self.batch.order() {
            Order::Contiguous => {
                for (s, seen) in seen.iter_mut().enumerate().take(self.count) {
                    for i in 0..n {
                        self.row(seen, (self.first + s, i), limits);
                    }
                }
            }
            Order::Interleaved => {
                for i in 0..n {
                    for (s, seen) in seen.iter_mut().enumerate().take(self.count) {
                        self.row(seen, (self.first + s, i), limits);
                    }
                }
            }
        }
        let mut suspects = Vec::new();
        for (s, seen) in seen.iter().enumerate().take(self.count) {
            let leaves_range = !stays_in_range::<T>(seen, T::span(format), self.is_ring);
            if leaves_range || seen.bad != usize::MAX {
                let row = if seen.bad == usize::MAX { 0 } else { seen.bad };
                suspects.push(Suspect { system: self.first + s, row, leaves_range });
            }
        }
        suspects
    }
}

/// Whether all numbers of an elimination stay in the range in which operations keep their digits,
/// unless pivots grow by more than `1/u`.
///
/// They are reciprocals and products of entries of the matrix, quotients of two of them, and
/// quotients of right-hand sides by them.
fn stays_in_range<T: Number>(seen: &Seen<T::Size>, span: i32, is_ring: bool) -> bool {
    // Pivots and unknowns may be less than entries by cancellation.
    let spare = span + 8;
    let highest = T::LARGEST_EXPONENT - 1 - spare;
    // Errors of products of limbs are numbers too.
    let lowest = T::SMALLEST_EXPONENT + span - 1 + spare;
    let fits = |e: i32| (lowest..=highest).contains(&e);
    let [Some(most), Some(least)] = seen.matrix.map(Size::exponent) else {
        // No entry but zeros, or one that is not finite: the residual tells.
        return seen.matrix[0] == T::Size::ZERO;
    };
    let matrix = fits(most) && fits(least) && fits(-most) && fits(-least) && fits(least - most);
    let ring = !is_ring || fits(2 * most) && fits(2 * least);
    let [Some(large), Some(small)] = seen.right.map(Size::exponent) else {
        return matrix && ring && seen.right[0] == T::Size::ZERO;
    };
    let right = fits(large - least) && fits(small - most) && fits(most + large - least);
    matrix && ring && right && fits(small) && fits(large)
}
