//! Many plane rotations of the columns of a matrix.
//!
//! The matrix lies in bands of eight rows, a limb of eight rows in a register, and a band takes all
//! rotations before the next one does: it stays in the cache, and threads share the bands. A
//! rotated entry is a sum of two products by [`Accumulator`], within [`Accumulator::error`]`(2)·u`
//! of the exact one beside the sum of the products' magnitudes.

use nonius_num::Lane;

use super::simd::{Kernel, dispatch};
use super::threads;
use crate::accumulate::{Accumulator, Sum};
use crate::dense::Rotation;
use crate::threads::{Grain, for_each};
use crate::{Matrix, Number, Scalar};

/// Rows of a band: the lanes of the longest register.
const ROWS: usize = 8;

/// A matrix whose columns are rotated.
pub(crate) struct Rows<T: Number>(T::Rows);

impl<T: Number> Rows<T> {
    pub(crate) fn new(a: &Matrix<T>) -> Self {
        Self(T::rows(a))
    }

    /// Applies rotations in their order.
    pub(crate) fn rotate(&mut self, rotations: &[Rotation<T>]) {
        T::rotate(&mut self.0, rotations);
    }

    /// Column `j` of the result is column `order[j]` of this.
    pub(crate) fn columns(&self, order: &[usize]) -> Matrix<T> {
        T::columns(&self.0, order)
    }
}

/// A matrix in bands of rows, each `[column][limb][row]`; rows beyond the last are zero.
pub struct Bands {
    bands: Vec<Vec<f64>>,
    rows: usize,
}

/// A matrix as bands.
pub(super) fn rows<T: Scalar>(a: &Matrix<T>) -> Bands {
    let (rows, cols) = a.shape();
    let band = |first: usize| {
        let mut band = vec![0.0; cols * T::LIMBS * ROWS];
        for (j, planes) in band.chunks_exact_mut(T::LIMBS * ROWS).enumerate() {
            for (row, x) in a.col(j)[first..].iter().take(ROWS).enumerate() {
                (0..T::LIMBS).for_each(|limb| planes[limb * ROWS + row] = x.limb(limb));
            }
        }
        band
    };
    Bands { bands: (0..rows).step_by(ROWS).map(band).collect(), rows }
}

/// Column `j` of the result is column `order[j]` of the matrix.
pub(super) fn columns<T: Scalar>(Bands { bands, rows }: &Bands, order: &[usize]) -> Matrix<T> {
    Matrix::from_fn(*rows, order.len(), |i, j| {
        let at = order[j] * T::LIMBS * ROWS + i % ROWS;
        T::from_limbs(|limb| bands[i / ROWS][at + limb * ROWS])
    })
}

/// Applies rotations in their order.
pub(super) fn rotate<T: Scalar>(Bands { bands, .. }: &mut Bands, rotations: &[Rotation<T>]) {
    let of_band = |_, band: &mut Vec<f64>| match T::LIMBS {
        1 => dispatch(Rotate::<T, 1> { band, rotations }),
        2 => dispatch(Rotate::<T, 2> { band, rotations }),
        3 => dispatch(Rotate::<T, 3> { band, rotations }),
        _ => dispatch(Rotate::<T, 4> { band, rotations }),
    };
    let multiply_adds = 4 * rotations.len() * bands.len() * ROWS;
    for_each(&mut bands[..], Grain::shared_if(threads::worth::<T>((), multiply_adds) > 1), of_band);
}

struct Rotate<'a, T, const N: usize> {
    band: &'a mut [f64],
    rotations: &'a [Rotation<T>],
}

impl<T: Scalar, const N: usize> Kernel for Rotate<'_, T, N> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        for rotation in self.rotations {
            let c: [L; N] = core::array::from_fn(|limb| L::splat(rotation.c.limb(limb)));
            let s: [L; N] = core::array::from_fn(|limb| L::splat(rotation.s.limb(limb)));
            let minus_s = s.map(|limb| -limb);
            let [first, second] = [rotation.first, rotation.second].map(|j| j * N * ROWS);
            for row in (0..ROWS).step_by(L::LANES) {
                let x = load::<L, N>(self.band, first + row);
                let y = load::<L, N>(self.band, second + row);
                store(sum(c, x, minus_s, y), self.band, first + row);
                store(sum(s, x, c, y), self.band, second + row);
            }
        }
    }
}

/// `a·x + b·y`.
#[inline(always)]
fn sum<L: Lane, const N: usize>(a: [L; N], x: [L; N], b: [L; N], y: [L; N]) -> [L; N] {
    let mut sum = Accumulator::<N, L>::new();
    sum.add_product(a, x);
    sum.add_product(b, y);
    if N == 1 { sum.limbs() } else { sum.normalized() }
}

#[inline(always)]
fn load<L: Lane, const N: usize>(band: &[f64], at: usize) -> [L; N] {
    core::array::from_fn(|limb| L::load(&band[at + limb * ROWS..]))
}

#[inline(always)]
fn store<L: Lane, const N: usize>(x: [L; N], band: &mut [f64], at: usize) {
    for (limb, x) in x.into_iter().enumerate() {
        x.store(&mut band[at + limb * ROWS..]);
    }
}
