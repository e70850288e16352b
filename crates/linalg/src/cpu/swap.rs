//! Exchanges of rows: columns are shared among threads.

use nonius_num::{Element, stored_bytes};

use crate::backend::Order;
use crate::threads::{available, join};
use crate::{MatMut, reference};

/// Bytes exchanged that are worth a thread.
const BYTES_OF_A_THREAD: usize = 1 << 19;

/// Exchanges row `i` with row `pivots[i]`, for each `i` in the given order.
pub(crate) fn swap_rows<T: Element>(a: MatMut<'_, T>, pivots: &[usize], order: Order) {
    let (cols, size) = (a.cols(), stored_bytes::<T>(a.format()));
    if cols * pivots.len() * size < 2 * BYTES_OF_A_THREAD || available() == 1 {
        return reference::swap::swap_rows(a, pivots, order);
    }
    let (left, right) = a.split_cols(cols / 2);
    join(|| swap_rows(left, pivots, order), || swap_rows(right, pivots, order));
}
