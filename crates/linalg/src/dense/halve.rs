//! Where recursion divides columns.

/// About half of `cols`, a multiple of `width`.
pub(crate) fn halve(cols: usize, width: usize) -> usize {
    (cols.div_ceil(width) / 2 * width).max(width)
}
