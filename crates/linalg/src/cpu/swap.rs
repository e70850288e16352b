//! Exchanges of rows: columns are shared among threads.

use crate::backend::Order;
use crate::threads::join;
use crate::{MatMut, Scalar, reference};

/// Limbs exchanged that are worth a thread.
const LIMBS_OF_A_THREAD: usize = 1 << 16;

/// Exchanges row `i` with row `pivots[i]`, for each `i` in the given order.
pub(crate) fn swap_rows<T: Scalar>(a: MatMut<'_, T>, pivots: &[usize], order: Order) {
    let (cols, limbs) = (a.cols(), a.cols() * pivots.len() * T::LIMBS);
    if limbs < 2 * LIMBS_OF_A_THREAD || rayon::current_num_threads() == 1 {
        return reference::swap::swap_rows(a, pivots, order);
    }
    let (left, right) = a.split_cols(cols / 2);
    join(|| swap_rows(left, pivots, order), || swap_rows(right, pivots, order));
}
