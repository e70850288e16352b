//! Plane rotations of the columns of a matrix: a rotated entry is a sum of two products, each
//! rounded.

use nonius_num::Mp;

use crate::Matrix;
use crate::cpu::rotate::Rows;
use crate::dense::Rotation;
use crate::threads::{Grain, for_each};

/// The rows of a matrix, one after the other.
pub(in crate::cpu) fn rows(a: &Matrix<Mp>) -> Rows<Mp> {
    Rows::Numbers(a.transposed())
}

/// Applies rotations in their order.
pub(in crate::cpu) fn rotate(rows: &mut Rows<Mp>, rotations: &[Rotation<Mp>]) {
    let Rows::Numbers(rows) = rows else { return };
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
pub(in crate::cpu) fn columns(rows: &Rows<Mp>, order: &[usize]) -> Option<Matrix<Mp>> {
    let Rows::Numbers(rows) = rows else { return None };
    let entry = |i, j: usize| rows.at(order[j], i);
    Some(Matrix::from_fn_in(rows.format(), rows.cols(), order.len(), entry))
}
