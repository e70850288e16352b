//! `y ← α·A·x + β·y`, for some rows: every sum of products is rounded once.

use nonius_num::Mp;

use super::lines::Strided;
use crate::reference::gemm::combine;
use crate::{MatRef, Slice, SliceMut};

/// See the [module](self).
pub(in crate::cpu) fn band_times_vector(
    [alpha, beta]: [Mp; 2],
    a: MatRef<'_, Mp>,
    x: Slice<'_, Mp>,
    mut y: SliceMut<'_, Mp>,
) {
    let terms = Strided::of(x);
    for i in 0..y.len() {
        let sum = Strided::of_row(a, i, 0, a.cols()).dot(terms);
        let mut entry = y.at(i);
        combine(alpha, sum, beta, &mut entry);
        y.set(i, entry);
    }
}
