//! Plane rotations of the columns of a matrix: a rotated entry is a sum of two products, each
//! rounded.

use nonius_num::Mp;

use crate::Matrix;
use crate::dense::Rotation;
use crate::threads::{Grain, for_each};

/// The rows of a matrix, one after the other: its transpose.
pub(in crate::cpu) fn rows(a: &Matrix<Mp>) -> Matrix<Mp> {
    a.transposed()
}

/// Applies rotations in their order.
pub(in crate::cpu) fn rotate(rows: &mut Matrix<Mp>, rotations: &[Rotation<Mp>]) {
    let width = rows.rows().max(1);
    for_each(&mut rows.numbers_mut().pieces(width)[..], Grain::ANY, |_, row| {
        for &Rotation { first, second, c, s } in rotations {
            let (x, y) = (row.at(first), row.at(second));
            row.set(first, c * x - s * y);
            row.set(second, s * x + c * y);
        }
    });
}

/// Column `j` of the result is column `order[j]` of the matrix.
pub(in crate::cpu) fn columns(rows: &Matrix<Mp>, order: &[usize]) -> Matrix<Mp> {
    let entry = |i, j: usize| rows.at(order[j], i);
    Matrix::from_fn_in(rows.format(), rows.cols(), order.len(), entry)
}
