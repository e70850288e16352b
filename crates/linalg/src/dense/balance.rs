//! Systems whose sizes are far from 1, brought there by powers of two.
//!
//! `A·X = B` becomes `(D₁·A·D₂)·Y = D₁·B·S` with `X = D₂·Y·S⁻¹` and diagonal matrices of powers of
//! two. Nothing is rounded, unless limbs of entries that are small beside their row and their
//! column fall below the range. A matrix whose rows and columns have their largest entries between
//! `2^-ORDINARY` and `2^ORDINARY` stays as it is: the numbers that elimination makes of it, down to
//! the last limb, are in the range.

use core::ops::Range;
use nonius_num::Element;

use super::condition::{ROWS, SHARED};
use super::residual::largest_exponent;
use crate::threads::{Grain, chunks, for_each};
use crate::{MatRef, Matrix, Number};

/// Exponents that the largest entries of rows and columns may have, in magnitude.
const ORDINARY: i32 = 250;
/// Exponents that the largest entry of a right-hand side may have, for a matrix whose rows are of
/// one size. More than others above: small entries beside large ones keep their limbs.
const ORDINARY_RIGHTS: Range<i32> = -ORDINARY..700;

/// The right-hand sides of a system.
#[derive(Clone, Copy)]
pub(crate) enum Rights<'a, T: Element> {
    Given(MatRef<'a, T>),
    /// Those of the inverse. `S` is then `D₁⁻¹`, so that they stay what they are.
    Identity(MatRef<'a, T>),
}

impl<'a, T: Element> Rights<'a, T> {
    /// Their entries.
    pub(super) fn entries(self) -> MatRef<'a, T> {
        let (Self::Given(entries) | Self::Identity(entries)) = self;
        entries
    }
}

/// A system that elimination can work on, and the way back to its solution.
pub(crate) struct Balanced<'a, T: Element> {
    given: MatRef<'a, T>,
    given_rights: Rights<'a, T>,
    a: Option<Matrix<T>>,
    b: Option<Matrix<T>>,
    /// Exponents of `D₁` and `D₂`, and of `S⁻¹`: zeros where nothing is scaled.
    pub(super) rows: Vec<i32>,
    pub(super) cols: Vec<i32>,
    pub(super) rights: Vec<i32>,
}

impl<'a, T: Number> Balanced<'a, T> {
    /// By rows, then by columns.
    pub(crate) fn general(a: MatRef<'a, T>, b: Rights<'a, T>) -> Self {
        let (m, n) = a.shape();
        if Sizes::of(a).are_ordinary() {
            return Self::new(a, b, vec![0; m], vec![0; n]);
        }
        Self::by_rows(a, b, &vec![0; n])
    }

    /// By rows, then by columns, of the matrix whose columns are divided by the sizes that
    /// [`sizes_of_columns`] finds. For columns that are so far apart that by rows alone nothing
    /// would count but the largest of them.
    pub(crate) fn of_one_size(a: MatRef<'a, T>, b: Rights<'a, T>) -> Self {
        Self::by_rows(a, b, &sizes_of_columns(a))
    }

    fn by_rows(a: MatRef<'a, T>, b: Rights<'a, T>, sizes: &[i32]) -> Self {
        let (m, n) = a.shape();
        let mut rows = vec![None; m];
        for (j, size) in sizes.iter().enumerate() {
            for (row, e) in rows.iter_mut().zip(T::exponents(a.column(j))) {
                *row = (*row).max(e.map(|e| e - size));
            }
        }
        let rows: Vec<i32> = rows.into_iter().map(|e| -e.unwrap_or(0)).collect();
        let of_column = |j: usize| {
            let exponents = T::exponents(a.column(j)).zip(&rows);
            exponents.filter_map(|(e, row)| Some(e? + row)).max().unwrap_or(0)
        };
        let cols = (0..n).map(|j| -of_column(j)).collect();
        Self::new(a, b, rows, cols)
    }

    /// By the same powers from both sides, which lead the diagonal to about 1: for a symmetric
    /// matrix with a positive diagonal. One with larger entries beside the diagonal is not
    /// definite; it is made small enough for elimination to find that out within the range.
    pub(crate) fn symmetric(a: MatRef<'a, T>, b: Rights<'a, T>) -> Self {
        let n = a.rows();
        let of_diagonal = |j: usize| -(a.at(j, j).exponent().unwrap_or(0) + 1).div_euclid(2);
        let scales: Vec<i32> = (0..n).map(of_diagonal).collect();
        let moderate = |i: usize, j: usize| {
            a.at(i, j).exponent().is_none_or(|e| e + scales[i] + scales[j] <= ORDINARY)
        };
        let may_be_definite = || (0..n).all(|j| (0..n).all(|i| moderate(i, j)));
        let scales = if Sizes::of(a).are_ordinary() {
            vec![0; n]
        } else if may_be_definite() {
            scales
        } else {
            vec![-(largest_exponent(a).unwrap_or(0).max(0) + 1).div_euclid(2) - 50; n]
        };
        Self::new(a, b, scales.clone(), scales)
    }

    fn new(
        given: MatRef<'a, T>,
        given_rights: Rights<'a, T>,
        rows: Vec<i32>,
        cols: Vec<i32>,
    ) -> Self {
        let scales = |exponents: &[i32]| exponents.iter().any(|&e| e != 0);
        let scaled = scales(&rows) || scales(&cols);
        let a = scaled.then(|| given.scaled(|i, j| rows[i] + cols[j]));
        if let Rights::Identity(_) = given_rights {
            let rights = rows.clone();
            return Self { given, given_rights, a, b: None, rows, cols, rights };
        }
        let entries = given_rights.entries();
        let of_right = |j: usize| {
            let exponents = T::exponents(entries.column(j)).zip(&rows);
            exponents.filter_map(|(e, row)| Some(e? + row)).max()
        };
        let mut rights: Vec<i32> = (0..entries.cols()).map(|j| of_right(j).unwrap_or(0)).collect();
        // Unknowns that a row of small entries makes large are multiplied by those of a row of
        // large ones.
        let end = if rights.iter().any(|&e| e >= ORDINARY_RIGHTS.end - 2 * ORDINARY) {
            let a = a.as_ref().map_or(given, |a| a.view());
            ORDINARY_RIGHTS.end - Sizes::of(a).spread_of_rows().clamp(0, 2 * ORDINARY)
        } else {
            ORDINARY_RIGHTS.end
        };
        for e in &mut rights {
            *e = match *e {
                e if e < ORDINARY_RIGHTS.start => e,
                e if e >= end => e - end,
                _ => 0,
            };
        }
        let scaled = scales(&rows) || scales(&rights);
        let b = scaled.then(|| entries.scaled(|i, j| rows[i] - rights[j]));
        Self { given, given_rights, a, b, rows, cols, rights }
    }

    /// `D₁·A·D₂`
    pub(crate) fn a(&self) -> MatRef<'_, T> {
        self.a.as_ref().map_or(self.given, |a| a.view())
    }

    /// `D₁·B·S`
    pub(crate) fn b(&self) -> MatRef<'_, T> {
        self.b.as_ref().map_or(self.given_rights.entries(), |b| b.view())
    }

    /// Whether `D₁·B·S` is the identity, since `B` is.
    pub(super) fn is_inverse(&self) -> bool {
        matches!(self.given_rights, Rights::Identity(_))
    }

    /// Whether the matrix is another one than that given.
    pub(crate) fn scales_matrix(&self) -> bool {
        self.a.is_some()
    }

    /// `X` for `Y`.
    pub(crate) fn solution(&self, y: Matrix<T>) -> Matrix<T> {
        self.shifted(y, 1)
    }

    /// `Y` for `X`, which is exact as far as it is in the range.
    pub(super) fn unknowns(&self, x: &Matrix<T>) -> Option<Matrix<T>> {
        (self.a.is_some() || self.b.is_some()).then(|| self.shifted(x.clone(), -1))
    }

    fn shifted(&self, x: Matrix<T>, sign: i32) -> Matrix<T> {
        if self.a.is_none() && self.b.is_none() {
            return x;
        }
        x.view().scaled(|i, j| sign * (self.rights[j] + self.cols[i]))
    }
}

/// Rounds of [`sizes_of_columns`]: one is enough without zeros.
const MOST_ROUNDS: usize = 20;

/// Exponents of columns that, with others for rows, come as near to those of the entries as they
/// can, in the sum of squares over entries other than zero (Curtis and Reid, *On the automatic
/// scaling of matrices for Gaussian elimination*, J. Inst. Maths. Applics. 10, 1972); found by
/// turns for rows and for columns.
fn sizes_of_columns<T: Number>(a: MatRef<'_, T>) -> Vec<i32> {
    let (m, n) = a.shape();
    let (mut rows, mut cols) = (vec![0.0; m], vec![0.0; n]);
    let exponents = |j: usize| {
        let entries = a.column(j).iter().enumerate();
        entries.filter_map(|(i, x)| Some((i, f64::from(x.exponent()?))))
    };
    for _ in 0..MOST_ROUNDS {
        let (mut sums, mut counts) = (vec![0.0; m], vec![0.0; m]);
        for (j, col) in cols.iter().enumerate() {
            for (i, e) in exponents(j) {
                sums[i] += e - col;
                counts[i] += 1.0;
            }
        }
        for (row, (sum, count)) in rows.iter_mut().zip(sums.into_iter().zip(counts)) {
            *row = sum / f64::max(count, 1.0);
        }
        let mut change = 0.0_f64;
        for (j, col) in cols.iter_mut().enumerate() {
            let before = *col;
            let (sum, count) = exponents(j)
                .fold((0.0, 0.0), |(sum, count), (i, e)| (sum + e - rows[i], count + 1.0));
            *col = sum / f64::max(count, 1.0);
            change = change.max((*col - before).abs());
        }
        if change < 1.0 {
            break;
        }
    }
    cols.into_iter().map(|e| e.round() as i32).collect()
}

/// Columns that a thread looks at.
const COLUMNS: usize = 16;

/// Exponents of the largest entries of rows and columns; `None` for zeros.
struct Sizes {
    rows: Vec<Option<i32>>,
    cols: Vec<Option<i32>>,
}

impl Sizes {
    fn of<T: Number>(a: MatRef<'_, T>) -> Self {
        let (m, n) = a.shape();
        let grain = Grain::shared_if(m.saturating_mul(n) >= SHARED);
        let (mut rows, mut cols) = (vec![None; m], vec![None; n]);
        for_each(chunks(&mut rows, ROWS), grain, |chunk, rows| {
            let range = chunk * ROWS..chunk * ROWS + rows.len();
            for j in 0..n {
                let exponents = T::exponents(a.column(j).range(range.clone()));
                rows.iter_mut().zip(exponents).for_each(|(row, e)| *row = (*row).max(e));
            }
        });
        for_each(chunks(&mut cols, COLUMNS), grain, |chunk, cols| {
            for (j, col) in cols.iter_mut().enumerate() {
                *col = T::largest_exponent(a.column(chunk * COLUMNS + j));
            }
        });
        Self { rows, cols }
    }

    /// How far the exponents of rows are apart.
    fn spread_of_rows(&self) -> i32 {
        let rows = || self.rows.iter().flatten();
        rows().max().zip(rows().min()).map_or(0, |(most, least)| most - least)
    }

    fn are_ordinary(&self) -> bool {
        let all = self.rows.iter().chain(&self.cols);
        all.flatten().all(|e| e.abs() <= ORDINARY)
    }
}
