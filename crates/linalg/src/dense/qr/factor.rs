//! The factorisation: blocks of columns from left to right, each applied to all columns on its
//! right as one product of matrices; inside a block halves of columns, down to panels of a few.
//!
//! Source: Elmroth and Gustavson, *Applying recursion to serial and parallel QR factorization leads
//! to better performance*, IBM J. Res. Dev. 44 (2000).

use super::reflectors::{Blocks, Reflectors};
use crate::Number;
use crate::backend::{Reflecting, ViewMut};
use crate::dense::Transpose;
use crate::dense::halve::halve;

/// Factors an `m × n` matrix in place, `n <= m`: `R` on and above the diagonal, the vectors of the
/// reflections below. Returns `Q`.
pub(crate) fn factor_in_place<T: Number, B: Reflecting<T>>(
    backend: &B,
    mut a: B::Mut<'_>,
) -> Blocks<B::Matrix> {
    let (m, n) = a.shape();
    let mut blocks = Blocks::new();
    for start in (0..n).step_by(B::TOGETHER) {
        let width = B::TOGETHER.min(n - start);
        let (mut panel, right) =
            a.reborrow().block_mut(start, start, m - start, n - start).split_cols(width);
        factor_panel(backend, panel.reborrow());
        let reflectors = Reflectors::of_panel(backend, panel.as_ref());
        reflectors.apply(backend, Transpose::Yes, right);
        blocks.push(start, reflectors);
    }
    blocks
}

/// The left half of the columns, its effect on the right half, the right half.
fn factor_panel<T: Number, B: Reflecting<T>>(backend: &B, a: B::Mut<'_>) {
    let (rows, cols) = a.shape();
    if cols <= B::REFLECTORS {
        return backend.qr_panel(a);
    }
    let half = halve(cols, B::REFLECTORS);
    let (mut left, mut right) = a.split_cols(half);
    factor_panel(backend, left.reborrow());
    Reflectors::of_panel(backend, left.as_ref()).apply(backend, Transpose::Yes, right.reborrow());
    factor_panel(backend, right.block_mut(half, 0, rows - half, cols - half));
}
