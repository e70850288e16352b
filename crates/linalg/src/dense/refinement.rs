//! What the refinements of eigenvectors and of singular vectors share: when values are too close to
//! be told apart, and when to stop.
//!
//! A step corrects vectors to first order, with errors of second order. Corrections of vectors are
//! quotients by gaps between values, which have to be large beside what is divided. So values are
//! gathered in groups, between which gaps are; the vectors of a group are turned among themselves
//! by the vectors of its own small matrix, found in `f64` after a shift by a value of the group,
//! which makes its entries small: each time groups gain as many digits as `f64` has.
//!
//! Numbers of any precision climb a [`ladder`]: what a step is to bring is found with as many bits,
//! so that all steps before the last take less time together than the last.

use core::ops::Range;

use super::{Transpose, Triangle};
use crate::backend::{Diagonalize, Gemm, Syrk, View};
use crate::{MatRef, Matrix, Number, Size};

/// Gaps between groups, in units of the norm of what is divided by them.
const SEPARATION: f64 = 32.0;
/// Entries that products make of rounding errors, in units of `u·‖A‖₂`.
const NOISE: f64 = 2.0;
/// Steps after which refinement is given up; each gains digits in all groups at once, half as many
/// at first where gaps are least.
pub(super) const MOST_STEPS: usize = 48;
/// Corrections that are no small ones.
const LARGEST_CORRECTION: f64 = 0.5;

/// How well a matrix of order `n` with eigenvalues or singular values up to a norm can be made
/// diagonal.
#[derive(Clone, Copy)]
pub(super) struct Limits<S> {
    /// An entry of rounding errors.
    pub(super) noise: S,
    order: usize,
    unit: S,
}

impl<S: Size> Limits<S> {
    pub(super) fn of<T: Number<Size = S>>(format: T::Format, values: &[T]) -> Self {
        let norm = values.iter().map(|x| x.size()).fold(S::ZERO, Size::max);
        let unit = T::unit_roundoff(format);
        Self { noise: S::from(NOISE) * unit * norm, order: values.len(), unit }
    }

    /// The norm of a square block of rounding errors, of order `order`.
    pub(super) fn of_block(self, order: usize) -> S {
        S::from(order as f64) * self.noise
    }

    pub(super) fn judge(self, coupling: S) -> Judge<S> {
        Judge { limits: self, coupling, settled: coupling <= self.of_block(self.order) }
    }
}

/// What to do about entries beside the diagonal of a certain norm.
#[derive(Clone, Copy)]
pub(super) struct Judge<S> {
    limits: Limits<S>,
    coupling: S,
    /// Whether they are but rounding errors, so that what is left is to make vectors orthonormal.
    pub(super) settled: bool,
}

/// What a step leaves.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    /// Nothing to be done.
    Done,
    /// Groups whose vectors are to be turned, perhaps none, and another step.
    Next(Vec<Range<usize>>),
    /// Corrections so large that they are none.
    Lost,
}

impl<S: Size> Judge<S> {
    /// The least gap between groups.
    pub(super) fn gap(self) -> S {
        S::from(SEPARATION) * self.coupling.max(self.limits.noise)
    }

    /// What is not distinguished from zero.
    pub(super) fn tolerance(self) -> S {
        if self.settled { S::INFINITY } else { self.limits.noise }
    }

    /// What comes after corrections of such a norm, where the groups keep `kept`.
    pub(super) fn step(self, corrections: S, kept: &[S], groups: &Groups) -> Step {
        if corrections.is_nan() || corrections >= LARGEST_CORRECTION.into() {
            return Step::Lost;
        }
        // Of second order.
        let left = corrections * self.coupling;
        let orthonormal = S::from(16.0) * corrections * corrections <= self.limits.unit;
        if self.settled {
            return if orthonormal { Step::Done } else { Step::Next(Vec::new()) };
        }
        let mut coupled = groups.ranges.clone();
        coupled.retain(|group| norm(&kept[group.clone()]) > self.limits.of_block(group.len()));
        if coupled.is_empty() && orthonormal && left <= self.limits.of_block(self.limits.order) {
            return Step::Done;
        }
        // Others are of what corrections leave.
        coupled.retain(|group| norm(&kept[group.clone()]) > S::from(8.0) * left);
        Step::Next(coupled)
    }
}

/// `C ← op(A)·B`
pub(super) fn multiply<T: Number, B: Gemm<T>>(
    backend: &B,
    op: Transpose,
    a: &B::Matrix,
    b: &B::Matrix,
    c: &mut B::Matrix,
) {
    let (a, b, c) = (backend.view(a), backend.view(b), backend.view_mut(c));
    backend.queue_gemm(op, Transpose::No, T::ONE, a, b, T::ZERO, c);
}

/// The lower triangle of `G ← XᵀX`.
pub(super) fn gram<T: Number, B: Syrk<T>>(backend: &B, x: &B::Matrix, g: &mut B::Matrix) {
    let (x, g) = (backend.view(x), backend.view_mut(g));
    backend.syrk(Triangle::Lower, Transpose::Yes, T::ONE, x, T::ZERO, g);
}

/// `X ← X·(I + E)`; `room` is another matrix, which is lost.
pub(super) fn correct<T: Number, B: Diagonalize<T>>(
    backend: &B,
    x: &mut B::Matrix,
    e: &B::Matrix,
    room: &mut B::Matrix,
) {
    backend.copy(backend.view(x), backend.view_mut(room));
    let (left, right, to) = (backend.view(x), backend.view(e), backend.view_mut(room));
    backend.queue_gemm(Transpose::No, Transpose::No, T::ONE, left, right, T::ONE, to);
    core::mem::swap(x, room);
}

/// `X ← X·Q` for a matrix of blocks on the diagonal, the identity beside them; `room` is lost.
pub(super) fn turn<T: Number, B: Diagonalize<T>>(
    backend: &B,
    x: &mut B::Matrix,
    blocks: &[(Range<usize>, Matrix<f64>)],
    room: &mut B::Matrix,
) {
    let view = backend.view(x);
    let (order, format) = (view.shape().0, view.format());
    let turns = backend.upload(block_diagonal::<T>(format, order, blocks).view());
    multiply(backend, Transpose::No, x, &turns, room);
    core::mem::swap(x, room);
}

/// The root of a sum of squares.
pub(super) fn norm<S: Size>(squares: &[S]) -> S {
    squares.iter().fold(S::ZERO, |sum, &x| sum + x).sqrt()
}

/// Groups of values that are next to each other.
pub(super) struct Groups {
    /// For each value the number of its group.
    pub(super) numbers: Vec<u32>,
    ranges: Vec<Range<usize>>,
}

impl Groups {
    /// Neighbours no more than `gap` apart are of one group.
    pub(super) fn new<T: Number>(values: &[T], gap: T::Size) -> Self {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for j in 0..values.len() {
            let near = j > 0 && (values[j] - values[j - 1]).size() <= gap;
            match ranges.last_mut().filter(|_| near) {
                Some(last) => last.end = j + 1,
                None => ranges.push(j..j + 1),
            }
        }
        let numbers = (0_u32..).zip(&ranges).flat_map(|(k, range)| vec![k; range.len()]).collect();
        Self { numbers, ranges }
    }

    /// The last group, where it is of singular values that are about zero beside a gap.
    pub(super) fn null<T: Number>(&self, values: &[T], gap: T::Size) -> Option<u32> {
        let least = values.last()?.size();
        if least.ldexp(1) <= gap { self.numbers.last().copied() } else { None }
    }

    /// One group of all.
    pub(super) fn one(count: usize) -> Self {
        Self { numbers: vec![0; count], ranges: core::iter::once(0..count).collect() }
    }
}

/// A matrix of blocks on the diagonal, the identity beside them.
fn block_diagonal<T: Number>(
    format: T::Format,
    order: usize,
    blocks: &[(Range<usize>, Matrix<f64>)],
) -> Matrix<T> {
    let mut all = Matrix::identity_in(format, order);
    for (range, block) in blocks {
        for (j, column) in range.clone().enumerate() {
            for (i, row) in range.clone().enumerate() {
                all.set(row, column, T::from_f64(block[(i, j)]));
            }
        }
    }
    all
}

/// The same matrix times a power of two, in `f64`, with entries of about 1.
pub(super) fn rounded<T: Number>(a: &Matrix<T>) -> Matrix<f64> {
    let exponent = super::residual::largest_exponent(a.view()).unwrap_or(0);
    in_f64(a.view().scaled(|_, _| -exponent).view())
}

/// The entries in `f64`.
pub(super) fn in_f64<T: Number>(a: MatRef<'_, T>) -> Matrix<f64> {
    Matrix::from_fn(a.rows(), a.cols(), |i, j| a.at(i, j).to_f64())
}

/// The entries rounded to a format.
pub(super) fn in_format<T: Number>(a: MatRef<'_, T>, format: T::Format) -> Matrix<T> {
    Matrix::from_fn_in(format, a.rows(), a.cols(), |i, j| a.at(i, j).to_format(format))
}

/// The formats in which vectors are refined, one after the other: each has about twice the digits
/// of the one before, and the last is the one given.
pub(super) fn ladder<T: Number>(format: T::Format) -> Vec<T::Format> {
    let mut formats = vec![format];
    while let Some(half) = formats.last().and_then(|&last| T::halved(last)) {
        formats.push(half);
    }
    formats.reverse();
    formats
}

/// Entries of `f64` as numbers of a format.
pub(super) fn widened<T: Number>(format: T::Format, a: &Matrix<f64>) -> Matrix<T> {
    Matrix::from_fn_in(format, a.rows(), a.cols(), |i, j| T::from_f64(a[(i, j)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_num::mp::Bits;
    use nonius_num::{Dd, Mp};

    #[test]
    fn groups_are_of_neighbours() {
        let values = [0.0, 1.0, 1.5, 2.0, 4.0, 4.0].map(Dd::from);
        let groups = Groups::new(&values, 0.5);
        assert_eq!(groups.numbers, [0, 1, 1, 1, 2, 2]);
        assert_eq!(groups.ranges, [0..1, 1..4, 4..6]);
        assert!(Groups::new::<Dd>(&[], 1.0).numbers.is_empty());
    }

    #[test]
    fn ladders_double_digits() {
        let bits = |bits| ladder::<Mp>(Bits::new(bits).unwrap()).into_iter().map(Bits::get);
        assert!(bits(106).eq([106]));
        assert!(bits(212).eq([138, 212]));
        assert!(bits(1000).eq([123, 181, 298, 532, 1000]));
        assert_eq!(ladder::<Dd>(()), [()]);
    }

    #[test]
    fn steps_end_where_what_is_left_is_rounding() {
        let values = [1.0, 1.0, 2.0].map(Dd::from);
        let groups = Groups::new(&values, 0.1);
        let limits = Limits::of((), &values);
        let judge = |coupling| limits.judge(coupling);
        let first_two = Step::Next(core::iter::once(0..2).collect());
        assert_eq!(judge(1e-9).step(0.7, &[0.0; 3], &groups), Step::Lost);
        assert_eq!(judge(1e-9).step(f64::NAN, &[0.0; 3], &groups), Step::Lost);
        assert_eq!(judge(1e-9).step(1e-9, &[0.0; 3], &groups), Step::Next(vec![]));
        assert_eq!(judge(1e-9).step(1e-9, &[1e-20, 1e-20, 0.0], &groups), first_two);
        assert_eq!(judge(1e-16).step(1e-17, &[0.0; 3], &groups), Step::Done);
        // Vectors that are orthonormal in f64 only.
        assert_eq!(judge(0.0).step(1e-15, &[0.0; 3], &groups), Step::Next(vec![]));
        assert_eq!(judge(0.0).step(1e-17, &[0.0; 3], &groups), Step::Done);
    }
}
