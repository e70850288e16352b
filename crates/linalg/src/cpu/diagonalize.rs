//! Corrections of approximate eigenvectors and singular vectors:
//! [`Diagonalize`](crate::backend::Diagonalize) of the host.

use crate::backend::{Corrections, Spectrum};
use crate::threads::{Grain, map_parts};
use crate::{Error, MatMut, MatRef, Matrix, Number, Size, SliceMut};

/// [`eigenvector_corrections`](crate::backend::Diagonalize::eigenvector_corrections).
///
/// # Errors
/// [`Error::TooLarge`] where there is no memory for quotients.
pub(crate) fn eigenvector_corrections<T: Number>(
    s: MatRef<'_, T>,
    gram: MatRef<'_, T>,
    spectrum: Spectrum<'_, T>,
    e: Option<MatMut<'_, T>>,
) -> Result<Corrections<T::Size>, Error> {
    let Spectrum { values, groups, tolerance, .. } = spectrum;
    let (n, zero) = (s.rows(), T::Size::ZERO);
    // `d_ij/(λ_j − λ_i)` below the diagonal, where it counts; above the diagonal it is minus that.
    // Within a group there is none.
    let several = groups.iter().any(|&group| group != groups[0]);
    let mut quotients = several.then(|| Matrix::try_zeros_in(s.format(), n, n)).transpose()?;
    let mut below = columns_of(quotients.as_mut().map(Matrix::view_mut), n);
    let kept_below = map_parts(&mut below[..], Grain::ANY, |j, quotients| {
        let kept = |i: usize| {
            let half = defect(gram, i, j).ldexp(-1);
            let d = s.at(i, j) + (values[i] + values[j]) * half;
            let size = d.size();
            if groups[i] == groups[j] {
                return size * size;
            }
            if size > tolerance
                && let Some(quotients) = quotients
            {
                quotients.set(i, d / (values[j] - values[i]));
            }
            zero
        };
        (j + 1..n).map(kept).collect::<Vec<T::Size>>()
    });
    Ok(columns(n, [e], |i, j, kept| {
        let half = defect(gram, i, j).ldexp(-1);
        if i == j {
            return [half];
        }
        let (row, col) = (i.max(j), i.min(j));
        *kept += kept_below[col][row - col - 1];
        let quotient = quotients.as_ref().map_or(T::ZERO, |quotients| quotients.at(row, col));
        if quotient == T::ZERO {
            return [half];
        }
        [half + if i > j { quotient } else { -quotient }]
    }))
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

/// The `count` columns of a matrix, or `None`, `count` times, where there is no matrix.
fn columns_of<T: Number>(
    matrix: Option<MatMut<'_, T>>,
    count: usize,
) -> Vec<Option<SliceMut<'_, T>>> {
    match matrix {
        Some(matrix) => matrix.into_columns().into_iter().map(Some).collect(),
        None => (0..count).map(|_| None).collect(),
    }
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
        for (column, slice) in columns.iter_mut().zip(columns_of(matrix, order)) {
            column[k] = slice;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the matrices the lower triangles are read: elsewhere they hold NaN.
    #[test]
    fn corrections_are_those_of_the_formula() {
        let lower = |f: fn(usize, usize) -> f64| {
            Matrix::from_fn(5, 5, move |i, j| if i < j { f64::NAN } else { f(i, j) })
        };
        let s =
            lower(|i, j| if i == j { 1.0 + i as f64 } else { (3.0 * i as f64 + j as f64) / 64.0 });
        let gram = lower(|i, j| if i == j { 1.0 + i as f64 / 64.0 } else { j as f64 / 128.0 });
        let values = [1.0, 2.0, 3.0, 4.0, 5.0];
        for (groups, tolerance) in [([0; 5], 0.0), ([0, 0, 1, 2, 2], 0.0), ([0, 1, 1, 3, 4], 0.125)]
        {
            let spectrum = Spectrum { values: &values, groups: &groups, null: None, tolerance };
            let mut e = Matrix::from_fn(5, 5, |_, _| f64::NAN);
            let find = |e| eigenvector_corrections(s.view(), gram.view(), spectrum, e).unwrap();
            let (found, without) = (find(Some(e.view_mut())), find(None));
            let (mut squares, mut kept) = (0.0, [0.0; 5]);
            for (i, j) in (0..5).flat_map(|i| (0..5).map(move |j| (i, j))) {
                let (row, col) = (i.max(j), i.min(j));
                let r = if i == j { 1.0 } else { 0.0 } - gram[(row, col)];
                let d = s[(row, col)] + (values[i] + values[j]) / 2.0 * r;
                let mut expected = r / 2.0;
                if i != j && groups[i] == groups[j] {
                    kept[j] += d * d;
                } else if i != j && d.abs() > tolerance {
                    expected += d / (values[j] - values[i]);
                }
                assert!((e[(i, j)] - expected).abs() <= 1e-15, "{i} {j}: {e:?}");
                squares += expected * expected;
            }
            assert_eq!((found.norm, &found.kept), (without.norm, &without.kept));
            assert!((found.norm - squares.sqrt()).abs() <= 1e-15 * squares.sqrt());
            assert!(found.kept.iter().zip(kept).all(|(x, y)| (x - y).abs() <= 1e-15 * y));
        }
    }
}
