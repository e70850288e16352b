//! Corrections of approximate eigenvectors and singular vectors:
//! [`Diagonalize`](crate::backend::Diagonalize) of the host.

use crate::backend::{Corrections, Spectrum};
use crate::threads::{Grain, map_parts};
use crate::{MatMut, MatRef, Matrix, Number, Size, SliceMut};

/// [`eigenvector_corrections`](crate::backend::Diagonalize::eigenvector_corrections).
pub(crate) fn eigenvector_corrections<T: Number>(
    s: MatRef<'_, T>,
    gram: MatRef<'_, T>,
    spectrum: Spectrum<'_, T>,
    e: Option<MatMut<'_, T>>,
) -> Corrections<T::Size> {
    let Spectrum { values, groups, tolerance, .. } = spectrum;
    let (n, zero) = (s.rows(), T::Size::ZERO);
    // `d_ij/(λ_j − λ_i)` below the diagonal, where it counts; beyond the diagonal it is minus that.
    let mut quotients = Matrix::zeros_in(s.format(), n, n);
    let mut below = quotients.view_mut().into_columns();
    let kept_below = map_parts(&mut below[..], Grain::ANY, |j, quotients| {
        let kept = |i: usize| {
            let half = defect(gram, i, j).ldexp(-1);
            let d = s.at(i, j) + (values[i] + values[j]) * half;
            let size = d.size();
            if groups[i] == groups[j] {
                return size * size;
            }
            if size > tolerance {
                quotients.set(i, d / (values[j] - values[i]));
            }
            zero
        };
        (j + 1..n).map(kept).collect::<Vec<T::Size>>()
    });
    columns(n, [e], |i, j, kept| {
        let half = defect(gram, i, j).ldexp(-1);
        if i == j {
            return [half];
        }
        let (row, col) = (i.max(j), i.min(j));
        *kept += kept_below[col][row - col - 1];
        let quotient = quotients.at(row, col);
        if quotient == T::ZERO {
            return [half];
        }
        [half + if i > j { quotient } else { -quotient }]
    })
}

/// [`singular_vector_corrections`](crate::backend::Diagonalize::singular_vector_corrections).
pub(crate) fn singular_vector_corrections<T: Number>(
    t: MatRef<'_, T>,
    grams: [MatRef<'_, T>; 2],
    spectrum: Spectrum<'_, T>,
    corrections: Option<[MatMut<'_, T>; 2]>,
) -> Corrections<T::Size> {
    let Spectrum { values, groups, null, tolerance } = spectrum;
    let to = match corrections {
        Some(both) => both.map(Some),
        None => [None, None],
    };
    columns(t.rows(), to, |i, j, kept| {
        let [left, right] = grams.map(|gram| defect(gram, i, j).ldexp(-1));
        if i == j {
            return [left, right];
        }
        let (mut sum, mut difference) = (left + right, left - right);
        let (across, back) = (t.at(i, j), t.at(j, i));
        let symmetric = across + back + (values[i] + values[j]) * sum;
        let antisymmetric = across - back + (values[j] - values[i]) * difference;
        let [large, large_antisymmetric] = [symmetric, antisymmetric].map(|x| x.size().ldexp(-1));
        let together = groups[i] == groups[j];
        let about_zero = together && null == Some(groups[i]);
        if together {
            *kept += large * large;
        } else if large > tolerance {
            sum += symmetric / (values[j] - values[i]);
        }
        if about_zero {
            *kept += large_antisymmetric * large_antisymmetric;
        } else if large_antisymmetric > tolerance {
            difference += antisymmetric / (values[j] + values[i]);
        }
        [(sum + difference).ldexp(-1), (sum - difference).ldexp(-1)]
    })
}

/// Entry `(i, j)` of `I − G`.
fn defect<T: Number>(gram: MatRef<'_, T>, i: usize, j: usize) -> T {
    let g = gram.at(i.max(j), i.min(j));
    if i == j { T::ONE - g } else { -g }
}

/// Writes the entries `(i, j)` of `K` matrices, column after column, and adds up squares.
fn columns<T: Number, const K: usize>(
    order: usize,
    to: [Option<MatMut<'_, T>>; K],
    entry: impl Fn(usize, usize, &mut T::Size) -> [T; K] + Sync,
) -> Corrections<T::Size> {
    let mut columns: Vec<[Option<SliceMut<'_, T>>; K]> = Vec::new();
    columns.resize_with(order, || core::array::from_fn(|_| None));
    for (k, matrix) in to.into_iter().enumerate() {
        let slices = matrix.into_iter().flat_map(MatMut::into_columns);
        for (column, slice) in columns.iter_mut().zip(slices) {
            column[k] = Some(slice);
        }
    }
    let zero = T::Size::ZERO;
    let sums = map_parts(&mut columns[..], Grain::ANY, |j, column| {
        let (mut squares, mut kept) = (zero, zero);
        for i in 0..order {
            let found = entry(i, j, &mut kept);
            for (to, x) in column.iter_mut().zip(found) {
                squares += x.size() * x.size();
                if let Some(to) = to {
                    to.set(i, x);
                }
            }
        }
        (squares, kept)
    });
    let (squares, kept): (Vec<T::Size>, Vec<T::Size>) = sums.into_iter().unzip();
    let norm = squares.into_iter().fold(zero, |sum, x| sum + x).sqrt();
    Corrections { norm, kept }
}
