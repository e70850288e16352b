//! Exchanges of rows.

use nonius_num::Element;

use crate::MatMut;
use crate::backend::Order;

/// Exchanges row `i` with row `pivots[i]`, for each `i` in the given order.
pub(crate) fn swap_rows<T: Element>(mut a: MatMut<'_, T>, pivots: &[usize], order: Order) {
    for j in 0..a.cols() {
        let mut column = a.column_mut(j);
        let exchange = |(i, &row)| column.swap(i, row);
        match order {
            Order::Forward => pivots.iter().enumerate().for_each(exchange),
            Order::Backward => pivots.iter().enumerate().rev().for_each(exchange),
        }
    }
}
