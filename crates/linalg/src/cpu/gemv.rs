//! `y ← α·op(A)·x + β·y`.
//!
//! `A·x`: rows in SIMD lanes, a band of rows for each thread, columns taken one after the other, so
//! that an entry has the bits that [`gemm`](super::gemm) gives it and its error bound. `Aᵀ·x`: a
//! [`dot`] for each column, with the bound of that.

use nonius_num::{Element, Lane};

use super::limbs::limbs_of;
use super::reduce::dot;
use super::simd::{Kernel, dispatch};
use crate::accumulate::{Accumulator, Sum};
use crate::dense::{MatRef, Transpose};
use crate::reference::gemm::{combine, product_entry, scale};
use crate::threads::{Grain, for_each};
use crate::{MatMut, Number, Scalar, Slice, SliceMut};

/// Rows of a band.
const BAND: usize = 32;
/// Matrices with fewer entries than this, times the cost of each, are multiplied by one thread: two
/// would gain less than a hand-over to the second takes.
const PARALLEL: usize = 1 << 21;

/// `y ← α·op(A)·x + β·y`. With `β = 0`, `y` is not read; with `α = 0` or no terms, `A` and `x` are
/// not. `α` and `β` are rounded to the format of `y` first.
///
/// Panics when the shapes do not fit.
pub fn gemv<'a, 'b, T: Number>(
    transpose: Transpose,
    alpha: T,
    a: MatRef<'_, T>,
    x: impl Into<Slice<'a, T>>,
    beta: T,
    y: impl Into<SliceMut<'b, T>>,
) {
    let (x, mut y) = (x.into(), y.into());
    let (m, k) = transpose.shape(a.shape());
    assert_eq!((x.len(), y.len()), (k, m), "lengths of x and y");
    let [alpha, beta] = [alpha, beta].map(|factor| factor.to_format(y.format()));
    if k == 0 || alpha == T::ZERO {
        return scale(beta, MatMut::from_vector(y));
    }
    let band = |index: usize, y: &mut SliceMut<'_, T>| match transpose {
        Transpose::No => {
            let band = a.block(index * BAND, 0, y.len(), k);
            T::band_times_vector([alpha, beta], band, x, y.reborrow());
        }
        Transpose::Yes => {
            for j in 0..y.len() {
                let mut entry = y.at(j);
                combine(alpha, dot(a.column(index * BAND + j), x), beta, &mut entry);
                y.set(j, entry);
            }
        }
    };
    let grain = Grain::shared_if((m * k).saturating_mul(T::cost(a.format())) >= PARALLEL);
    for_each(&mut y.reborrow().pieces(BAND)[..], grain, band);
}

/// `y ← α·A·x + β·y` for the rows of a band.
pub(super) fn band_times_vector<T: Scalar>(
    factors: [T; 2],
    a: MatRef<'_, T>,
    x: Slice<'_, T>,
    y: SliceMut<'_, T>,
) {
    let (x, y) = (x.cells(), y.plain());
    match T::LIMBS {
        1 => rows_of::<T, 1>(factors, a, x, y),
        2 => rows_of::<T, 2>(factors, a, x, y),
        3 => rows_of::<T, 3>(factors, a, x, y),
        _ => rows_of::<T, 4>(factors, a, x, y),
    }
}

fn rows_of<T: Scalar, const N: usize>(
    [alpha, beta]: [T; 2],
    a: MatRef<'_, T>,
    x: &[T],
    y: &mut [T],
) {
    let sums = dispatch(Band::<T, N> { a, x });
    for (i, y) in y.iter_mut().enumerate() {
        let sum = T::from_limbs(|limb| sums[i][limb]);
        let column = MatRef::from_column(x);
        let finite = |sum: &T| sum.is_finite();
        let sum = Some(sum)
            .filter(finite)
            .unwrap_or_else(|| product_entry(Transpose::No, a, i, Transpose::No, column, 0));
        combine(alpha, sum, beta, y);
    }
}

/// The product of at most [`BAND`] rows with `x`.
struct Band<'a, T: Element, const N: usize> {
    a: MatRef<'a, T>,
    x: &'a [T],
}

impl<T: Scalar, const N: usize> Kernel for Band<'_, T, N> {
    type Output = [[f64; N]; BAND];

    #[inline(always)]
    fn run<L: Lane>(self) -> Self::Output {
        let mut result = [[0.0; N]; BAND];
        let rows = self.a.rows();
        for first in (0..rows).step_by(2 * L::LANES) {
            let mut sums = [Accumulator::<N, L>::new(); 2];
            for (j, x) in self.x.iter().enumerate() {
                let column = limbs_of(self.a.col(j));
                let x: [L; N] = core::array::from_fn(|limb| L::splat(x.limb(limb)));
                for (r, sum) in sums.iter_mut().enumerate() {
                    let at = (first + r * L::LANES) * N;
                    let a = match column.get(at..at + N * L::LANES) {
                        Some(column) => L::load_limbs(column),
                        None => core::array::from_fn(|limb| {
                            L::from_fn(|lane| {
                                column.get(at + lane * N + limb).copied().unwrap_or(0.0)
                            })
                        }),
                    };
                    sum.add_product(a, x);
                    if N > 1 && (j + 1) % Accumulator::<N, f64>::PERIOD == 0 {
                        sum.carry();
                    }
                }
            }
            for (r, sum) in sums.into_iter().enumerate() {
                let limbs = if N == 1 { sum.limbs() } else { sum.normalized() };
                for lane in 0..L::LANES {
                    if let Some(row) = result.get_mut(first + r * L::LANES + lane) {
                        *row = limbs.map(|limb| limb.lane(lane));
                    }
                }
            }
        }
        result
    }
}
