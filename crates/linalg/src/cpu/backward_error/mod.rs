//! The largest entries of the columns of `B − A·X`, for judging how well `X` solves `A·X = B`.
//!
//! Rows of `A` and columns of `X` are scaled by powers of two to magnitudes of at most 1 and cut
//! into slices: slice `i` has the next `t =` `BITS` bits, rounded to the nearest multiple of
//! `g_i = 2^(1 − t(i+1))`, so that it is at most `2^(t−1)·g_i = 2^(−ti)`. A product of two slices
//! is a multiple of `g_i·g_j` and at most `2^(2t−2)` times it, so a sum of `K <= 2^(55−2t)` of them
//! is exact in `f64`, however it is formed: ordinary products of `f64` matrices do the work. The
//! sum over all slices `i + j = q` is one product with an inner dimension `q + 1` times as long;
//! these sums are added in limbs by TwoSum.
//!
//! **Error.** Products of slices with `i + j >= s` are left out, `s` being the number of slices.
//! What is left of an entry after `k` slices is at most `1.01·2^(−tk)`, so they make at most
//! `1.01·(s + 1)·2^(−ts)` for each product of scaled entries, which are less than twice what their
//! maxima were scaled to. For 1, 2, 3, 4 limbs, `s` is 4, 7, 9, 12 and `4.04·(s + 1)·2^(−ts)` at
//! most `2^-79`, `2^-141`, `2^-183`, `2^-246`: with `u` the unit roundoff of the entries, an entry
//! of the residual is within `n·2^-24·u·max|a|·max|x|` of the exact one (maxima over its row of `A`
//! and its column of `X`), for `n` columns of `A`. A residual of `u·‖A‖‖x‖` is known to `n·2^-24`
//! of itself.
//!
//! Preconditions: finite entries, of which the largest of each operand are between `2^-260` and
//! `2^260`.
//!
//! Source: Ozaki, Ogita, Oishi, Rump, *Error-free transformations of matrix multiplication by using
//! fast routines of matrix multiplication and its applications*, Numer. Algorithms 59 (2012); the
//! slicing by one addition and subtraction is Rump's.

mod slices;

use nonius_num::Lane;

use super::gemm::gemm;
use super::limbs::limbs_of;
use super::reduce::load;
use super::residual::{add, renormalize};
use super::simd::{Kernel, dispatch};
use crate::backend::Reading;
use crate::dense::Transpose;
use crate::dense::gemm::Products;
use crate::threads::{Grain, chunks, for_each, map};
use crate::{MatMut, MatRef, Number, Scalar};
use slices::{BITS, SLICES, power, scale_of_column, scales_of_rows, slice_columns, slice_rows};

/// Rows of `A`, columns of `A` and columns of `X` that are sliced at a time.
const ROWS: usize = 2048;
const INNER: usize = 512;
const COLUMNS: usize = 512;
const _: () = assert!(INNER * SLICES[4] <= 1 << (55 - 2 * BITS));
/// Numbers that a line of memory holds; no register holds more.
const LINE: usize = 8;

/// `max_i |B − A·X|_ij` for each `j`. Panics when the shapes do not fit.
///
/// The [module](self) has the error for limbs. Of numbers of any precision, the entries are
/// computed in 64 bits more than the numbers have, and the largest is within `2^-52` of itself.
pub fn largest_residuals<T: Number>(
    a: MatRef<'_, T>,
    x: MatRef<'_, T>,
    b: MatRef<'_, T>,
) -> Vec<Reading> {
    assert_eq!((a.rows(), x.cols()), b.shape(), "shape of B");
    assert_eq!(a.cols(), x.rows(), "inner dimensions");
    T::largest_residuals(a, x, b)
}

pub(super) fn by_limbs<T: Scalar>(
    a: MatRef<'_, T>,
    x: MatRef<'_, T>,
    b: MatRef<'_, T>,
) -> Vec<Reading> {
    let largest = match T::LIMBS {
        1 => by_blocks::<T, 1, 2>(a, x, b),
        2 => by_blocks::<T, 2, 3>(a, x, b),
        3 => by_blocks::<T, 3, 4>(a, x, b),
        _ => by_blocks::<T, 4, 5>(a, x, b),
    };
    largest.into_iter().map(Reading::of).collect()
}

fn by_blocks<T: Scalar, const N: usize, const M: usize>(
    a: MatRef<'_, T>,
    x: MatRef<'_, T>,
    b: MatRef<'_, T>,
) -> Vec<f64> {
    let mut largest = vec![0.0_f64; b.cols()];
    for first_row in (0..a.rows()).step_by(ROWS) {
        let rows = ROWS.min(a.rows() - first_row);
        let a = a.block(first_row, 0, rows, a.cols());
        let row_scales = scales_of_rows(a);
        for (index, largest) in largest.chunks_mut(COLUMNS).enumerate() {
            let (first, count) = (index * COLUMNS, largest.len());
            let x = x.block(0, first, x.rows(), count);
            let b = b.block(first_row, first, rows, count);
            let sums = Sums::<N, M>::of_products(a, x, &row_scales);
            for (to, found) in largest.iter_mut().zip(sums.largest_differences(b, x, &row_scales)) {
                *to = to.max(found);
            }
        }
    }
    largest
}

/// `A·X` for scaled rows and columns, in `M` limbs that may overlap: `[column][limb][row]`, with
/// rows up to a whole line.
struct Sums<const N: usize, const M: usize> {
    limbs: Vec<f64>,
    height: usize,
}

impl<const N: usize, const M: usize> Sums<N, M> {
    const SLICES: usize = SLICES[N];

    fn of_products<T: Scalar>(a: MatRef<'_, T>, x: MatRef<'_, T>, row_scales: &[i32]) -> Self {
        let slices = Self::SLICES;
        let (rows, columns) = (a.rows(), x.cols());
        let height = rows.next_multiple_of(LINE);
        let depth = INNER.min(a.cols()).next_multiple_of(LINE);
        let mut sums = Self { limbs: vec![0.0; height * M * columns], height };
        // Slice `i` of the rows is the block of columns `i`, that of the columns the block of rows
        // `s − 1 − i`: what makes up a sum `i + j = q` is then the product of the first `q + 1` and
        // the last `q + 1` blocks.
        let mut left = vec![0.0; height * slices * depth];
        let mut right = vec![0.0; slices * depth * columns];
        let mut products = vec![0.0; height * slices * columns];
        let row_powers: Vec<f64> =
            (0..height).map(|i| row_scales.get(i).map_or(1.0, |&e| power(-e))).collect();
        for start in (0..a.cols()).step_by(INNER) {
            let ks = start..a.cols().min(start + INNER);
            let deep = ks.len().next_multiple_of(LINE);
            slice_rows::<T, N>(a, ks.clone(), deep, &row_powers, &mut left);
            slice_columns::<T, N>(x, ks, deep, &mut right);
            let left = MatRef::from_parts(&left, rows, slices * deep, height);
            let right = MatRef::from_parts(&right, slices * deep, columns, slices * deep);
            for q in 0..slices {
                let inner = (q + 1) * deep;
                let product =
                    MatMut::from_parts(&mut products[q * height..], rows, columns, slices * height);
                gemm(
                    Products::direct(),
                    Transpose::No,
                    Transpose::No,
                    1.0,
                    left.block(0, 0, rows, inner),
                    right.block(slices * deep - inner, 0, inner, columns),
                    0.0,
                    product,
                );
            }
            let products = |j: usize| &products[j * slices * height..][..slices * height];
            for_each(chunks(&mut sums.limbs, height * M), Grain::ANY, |j, sums| {
                dispatch(Gather::<M> { products: products(j), sums, height });
            });
        }
        sums
    }

    /// `max_i |B − A·X|_ij` for each `j`.
    fn largest_differences<T: Scalar>(
        &self,
        b: MatRef<'_, T>,
        x: MatRef<'_, T>,
        row_scales: &[i32],
    ) -> Vec<f64> {
        let rows: Vec<f64> =
            (0..self.height).map(|i| row_scales.get(i).map_or(0.0, |&e| power(e))).collect();
        let size = self.height * M;
        map(self.limbs.len() / size, Grain::ANY, |j| {
            let column = power(scale_of_column(x, j));
            let (b, sums) = (limbs_of(b.col(j)), &self.limbs[j * size..][..size]);
            dispatch(Difference::<N, M> { b, sums, rows: &rows, column })
        })
    }
}

/// Adds the sums of one column, first orders first, to its limbs.
struct Gather<'a, const M: usize> {
    products: &'a [f64],
    sums: &'a mut [f64],
    height: usize,
}

impl<const M: usize> Kernel for Gather<'_, M> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        for row in (0..self.height).step_by(L::LANES) {
            let mut limbs = load_planes::<L, M>(self.sums, self.height, row);
            for at in (row..self.products.len()).step_by(self.height) {
                add(&mut limbs, 0, L::load(&self.products[at..]));
            }
            renormalize(&mut limbs);
            for (l, limb) in limbs.into_iter().enumerate() {
                limb.store(&mut self.sums[l * self.height + row..]);
            }
        }
    }
}

/// The largest magnitude in a column of `B − A·X`.
struct Difference<'a, const N: usize, const M: usize> {
    b: &'a [f64],
    sums: &'a [f64],
    rows: &'a [f64],
    column: f64,
}

impl<const N: usize, const M: usize> Kernel for Difference<'_, N, M> {
    type Output = f64;

    #[inline(always)]
    fn run<L: Lane>(self) -> f64 {
        let mut largest = L::splat(0.0);
        let height = self.rows.len();
        for row in (0..height).step_by(L::LANES) {
            let scale = -L::load(&self.rows[row..]);
            let mut limbs = load_planes::<L, M>(self.sums, height, row);
            for limb in &mut limbs {
                *limb = *limb * scale * L::splat(self.column);
            }
            let b: [L; N] = load(self.b, row * N);
            for limb in b {
                add(&mut limbs, 0, limb);
            }
            // The first limbs may have cancelled: one pass moves the rest to the front, the next
            // makes the first the nearest.
            renormalize(&mut limbs);
            renormalize(&mut limbs);
            let magnitude = limbs[0].abs();
            largest = L::select(L::less(largest, magnitude), magnitude, largest);
        }
        (0..L::LANES).fold(0.0, |most, i| largest.lane(i).max(most))
    }
}

#[inline(always)]
fn load_planes<L: Lane, const M: usize>(from: &[f64], height: usize, row: usize) -> [L; M] {
    let mut limbs = [L::splat(0.0); M];
    for (l, limb) in limbs.iter_mut().enumerate() {
        *limb = L::load(&from[l * height + row..]);
    }
    limbs
}
