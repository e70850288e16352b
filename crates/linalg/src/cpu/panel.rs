//! Factorisation of a few columns: limbs in planes, rows in SIMD lanes.
//!
//! Columns are finished from left to right (the "left-looking" form): column `j` takes the products
//! with all columns before it in one pass of [`Accumulator`], is normalised once, and divided by
//! its pivot. Since the sums are delayed, the error of an entry is that of a sum of `j` products
//! ([`Accumulator::error`]) and of a division.
//!
//! The same steps as [`reference::panel`](crate::reference), in another order.

use core::cell::Cell;

use nonius_num::Lane;

use super::simd::{Kernel, dispatch};
use crate::accumulate::{Accumulator, Sum};
use crate::backend::Breakdown;
use crate::{MatMut, Number, Pack, Scalar};

/// The longest register, in numbers: columns are padded to a multiple of it.
const LANES: usize = 8;

/// [`lu_panel`](crate::backend::Panel::lu_panel).
pub(crate) fn lu_panel<T: Number>(a: MatMut<'_, T>, pivots: &mut [usize]) -> Result<(), Breakdown> {
    T::lu_panel(a, pivots)
}

/// [`cholesky_panel`](crate::backend::Panel::cholesky_panel).
pub(crate) fn cholesky_panel<T: Number>(a: MatMut<'_, T>) -> Result<(), Breakdown> {
    T::cholesky_panel(a)
}

pub(super) fn lu<T: Scalar>(a: MatMut<'_, T>, pivots: &mut [usize]) -> Result<(), Breakdown> {
    match T::LIMBS {
        1 => lu_of::<T, 1>(a, pivots),
        2 => lu_of::<T, 2>(a, pivots),
        3 => lu_of::<T, 3>(a, pivots),
        _ => lu_of::<T, 4>(a, pivots),
    }
}

pub(super) fn cholesky<T: Scalar>(a: MatMut<'_, T>) -> Result<(), Breakdown> {
    match T::LIMBS {
        1 => cholesky_of::<T, 1>(a),
        2 => cholesky_of::<T, 2>(a),
        3 => cholesky_of::<T, 3>(a),
        _ => cholesky_of::<T, 4>(a),
    }
}

fn lu_of<T: Scalar, const N: usize>(
    mut a: MatMut<'_, T>,
    pivots: &mut [usize],
) -> Result<(), Breakdown> {
    let rows = a.rows();
    let mut panel = Planes::<N>::read(&mut a, |_| 0);
    for (j, exchange) in pivots.iter_mut().enumerate() {
        // The rows of U above the diagonal, one after the other; then all rows below at once.
        let mut column: Vec<[f64; N]> = (0..j).map(|k| panel.get(k, j)).collect();
        for i in 1..j {
            let row: Vec<[f64; N]> = (0..i).map(|k| panel.get(i, k)).collect();
            column[i] = subtract(column[i], &row, &column[..i]);
            panel.set(i, j, column[i]);
        }
        panel.subtract_products(j, &column);
        let row = j + largest(&panel.plane(j, 0)[j..rows]);
        *exchange = row;
        panel.swap_rows(j, row);
        let pivot = panel.get(j, j);
        if pivot[0] == 0.0 || !pivot[0].is_finite() {
            return Err(Breakdown { column: j, pivot: pivot[0] });
        }
        panel.divide(j, T::from_limbs(|i| pivot[i]));
    }
    panel.write(&mut a, |_| 0);
    Ok(())
}

fn cholesky_of<T: Scalar, const N: usize>(mut a: MatMut<'_, T>) -> Result<(), Breakdown> {
    let mut panel = Planes::<N>::read(&mut a, |j| j);
    for j in 0..a.cols() {
        let row: Vec<[f64; N]> = (0..j).map(|k| panel.get(j, k)).collect();
        panel.subtract_products(j, &row);
        let pivot = panel.get(j, j);
        if pivot[0] <= 0.0 || !pivot[0].is_finite() {
            return Err(Breakdown { column: j, pivot: pivot[0] });
        }
        let root = T::from_limbs(|i| pivot[i]).sqrt();
        panel.set(j, j, core::array::from_fn(|i| root.limb(i)));
        panel.divide(j, root);
    }
    panel.write(&mut a, |j| j);
    Ok(())
}

/// As [`reference::panel::largest`]: the first of equals; NaN loses unless it comes first.
///
/// Two passes without a branch that depends on what was found so far, which registers can take.
fn largest(first_limbs: &[f64]) -> usize {
    let mut greatest = [-1.0; LANES];
    for chunk in first_limbs.chunks(LANES) {
        for (greatest, x) in greatest.iter_mut().zip(chunk) {
            *greatest = if x.abs() > *greatest { x.abs() } else { *greatest };
        }
    }
    let greatest = greatest.into_iter().fold(-1.0, f64::max);
    let found = |x: &f64| x.abs() == greatest;
    match first_limbs.first() {
        Some(first) if !first.is_nan() => first_limbs.iter().position(found).unwrap_or(0),
        _ => 0,
    }
}

/// `x − Σ y_k z_k` for one entry, as [`Planes::subtract_products`] computes it.
fn subtract<const N: usize>(x: [f64; N], y: &[[f64; N]], z: &[[f64; N]]) -> [f64; N] {
    let mut sum = Accumulator::<N, f64>::from_limbs(x);
    for (k, (&y, &z)) in y.iter().zip(z).enumerate() {
        carry_when_due(&mut sum, k);
        sum.add_product(y, z.map(|z| -z));
    }
    sum.normalized()
}

thread_local! {
    /// Memory of the panel that this thread factored last: fresh pages would cost as much as the
    /// arithmetic.
    static ROOM: Cell<Vec<f64>> = const { Cell::new(Vec::new()) };
}

/// A panel with its limbs in planes: `[column][limb][row]`, rows padded with ones.
struct Planes<const N: usize> {
    data: Vec<f64>,
    /// Numbers in a plane, a multiple of [`LANES`].
    length: usize,
}

impl<const N: usize> Planes<N> {
    /// Copies the rows from `first(j)` on of every column `j`; ones stand in for what is above.
    fn read<T: Scalar>(a: &mut MatMut<'_, T>, first: impl Fn(usize) -> usize) -> Self {
        let length = a.rows().next_multiple_of(LANES);
        let mut data = ROOM.take();
        data.clear();
        data.resize(a.cols() * N * length, 0.0);
        for (j, planes) in data.chunks_exact_mut((N * length).max(1)).enumerate() {
            let start = first(j);
            planes[..length].fill(1.0);
            let column = &a.col_mut(j)[start..];
            for (i, plane) in planes.chunks_exact_mut(length).enumerate() {
                for (to, from) in plane[start..].iter_mut().zip(column) {
                    *to = from.limb(i);
                }
            }
        }
        Self { data, length }
    }

    /// Copies back the rows from `first(j)` on of every column `j`.
    fn write<T: Scalar>(&self, a: &mut MatMut<'_, T>, first: impl Fn(usize) -> usize) {
        for j in 0..a.cols() {
            let planes: [&[f64]; N] = core::array::from_fn(|i| self.plane(j, i));
            let start = first(j);
            for (row, to) in a.col_mut(j).iter_mut().enumerate().skip(start) {
                *to = T::from_limbs(|i| planes[i][row]);
            }
        }
    }

    fn plane(&self, j: usize, limb: usize) -> &[f64] {
        &self.data[(j * N + limb) * self.length..][..self.length]
    }

    fn get(&self, i: usize, j: usize) -> [f64; N] {
        core::array::from_fn(|limb| self.data[(j * N + limb) * self.length + i])
    }

    fn set(&mut self, i: usize, j: usize, x: [f64; N]) {
        for (limb, x) in x.into_iter().enumerate() {
            self.data[(j * N + limb) * self.length + i] = x;
        }
    }

    fn swap_rows(&mut self, i: usize, k: usize) {
        if i != k {
            self.data.chunks_exact_mut(self.length).for_each(|plane| plane.swap(i, k));
        }
    }

    /// Subtracts from column `j`, from row `j` down, the products of the columns before it with the
    /// given numbers.
    fn subtract_products(&mut self, j: usize, factors: &[[f64; N]]) {
        if !factors.is_empty() {
            self.below_diagonal(j, |before, column, length, first| {
                dispatch(SubtractProducts { before, column, length, first, factors });
            });
        }
    }

    /// Divides column `j` below row `j` by a number.
    fn divide<T: Scalar>(&mut self, j: usize, by: T) {
        let diagonal = self.get(j, j);
        self.below_diagonal(j, |_, column, length, first| {
            dispatch(Divide::<T, N> { column, length, first, by });
        });
        self.set(j, j, diagonal);
    }

    /// Runs `work` on whole registers of column `j` that cover the rows from `j` down, and puts the
    /// rows above back. It receives the columns before, the column, the length of a plane and the
    /// first row.
    fn below_diagonal(&mut self, j: usize, work: impl FnOnce(&[f64], &mut [f64], usize, usize)) {
        let first = j / LANES * LANES;
        let above: Vec<[f64; N]> = (first..j).map(|i| self.get(i, j)).collect();
        let (before, column) = self.data.split_at_mut(j * N * self.length);
        work(before, &mut column[..N * self.length], self.length, first);
        for (i, x) in above.into_iter().enumerate() {
            self.set(first + i, j, x);
        }
    }
}

impl<const N: usize> Drop for Planes<N> {
    fn drop(&mut self) {
        ROOM.set(core::mem::take(&mut self.data));
    }
}

/// See [`Planes::subtract_products`].
struct SubtractProducts<'a, const N: usize> {
    before: &'a [f64],
    column: &'a mut [f64],
    length: usize,
    first: usize,
    factors: &'a [[f64; N]],
}

impl<const N: usize> Kernel for SubtractProducts<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        for row in (self.first..self.length).step_by(L::LANES) {
            let mut sum = Accumulator::<N, L>::from_limbs(load(self.column, self.length, row));
            for (k, factor) in self.factors.iter().enumerate() {
                carry_when_due(&mut sum, k);
                let planes = &self.before[k * N * self.length..];
                sum.add_product(load(planes, self.length, row), factor.map(|x| L::splat(-x)));
            }
            store(sum.normalized(), self.column, self.length, row);
        }
    }
}

/// See [`Planes::divide`].
struct Divide<'a, T, const N: usize> {
    column: &'a mut [f64],
    length: usize,
    first: usize,
    by: T,
}

impl<T: Scalar, const N: usize> Kernel for Divide<'_, T, N> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        let by = T::Pack::<L>::from_limbs(|i| L::splat(self.by.limb(i)));
        for row in (self.first..self.length).step_by(L::LANES) {
            let x: [L; N] = load(self.column, self.length, row);
            let quotient = T::Pack::<L>::from_limbs(|i| x[i]) / by;
            let limbs: [L; N] = core::array::from_fn(|i| quotient.limb(i));
            store(limbs, self.column, self.length, row);
        }
    }
}

/// Renormalises a sum before its term `k` where [`Accumulator::PERIOD`] asks for it.
#[inline(always)]
fn carry_when_due<L: Lane, const N: usize>(sum: &mut Accumulator<N, L>, k: usize) {
    if k > 0 && k.is_multiple_of(Accumulator::<N, L>::PERIOD) {
        sum.carry();
    }
}

#[inline(always)]
fn load<L: Lane, const N: usize>(planes: &[f64], length: usize, row: usize) -> [L; N] {
    core::array::from_fn(|i| L::load(&planes[i * length + row..]))
}

#[inline(always)]
fn store<L: Lane, const N: usize>(x: [L; N], planes: &mut [f64], length: usize, row: usize) {
    for (i, limb) in x.into_iter().enumerate() {
        limb.store(&mut planes[i * length + row..]);
    }
}

#[cfg(test)]
mod tests {
    use super::largest;
    use crate::backend::Reading;
    use crate::reference;

    #[test]
    fn the_largest_entry_is_that_of_the_reference() {
        let kinds = [0.0, -0.0, 1.0, -1.0, -3.0, 3.0, f64::NAN, f64::NEG_INFINITY, f64::MAX];
        for length in 0..40 {
            for shift in 0..kinds.len() {
                let x: Vec<f64> =
                    (0..length).map(|i| kinds[(i * i + shift) % kinds.len()]).collect();
                let expected = reference::panel::largest(x.iter().map(|&x| Reading::of(x)));
                assert_eq!(largest(&x), expected, "{x:?}");
            }
            let nothing = vec![f64::NAN; length];
            assert_eq!(largest(&nothing), 0);
        }
    }
}
