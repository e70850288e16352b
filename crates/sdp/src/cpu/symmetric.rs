//! The symmetric part of a square matrix.

use nonius_linalg::{Matrix, Number};

/// Rows and columns of a tile, which is read across while its mirror image is read along.
const TILE: usize = 32;

/// `A ← (A + Aᵀ)/2`
pub(super) fn symmetrize<T: Number>(a: &mut Matrix<T>) {
    let n = a.cols();
    for right in (0..n).step_by(TILE) {
        for above in (0..=right).step_by(TILE) {
            for j in right..n.min(right + TILE) {
                for i in above..j.min(above + TILE) {
                    let mean = (a.at(i, j) + a.at(j, i)).ldexp(-1);
                    a.set(i, j, mean);
                    a.set(j, i, mean);
                }
            }
        }
    }
}
