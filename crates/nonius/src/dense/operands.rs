//! The operands of a matrix product.

use nonius_linalg::MatRef;
use nonius_linalg::dense::Transpose;
use nonius_num::Element;

/// `alpha · op(A) · op(B)`, each `op` nothing or the transpose.
#[derive(Clone, Debug)]
pub(crate) struct Operands<'a, T: Element> {
    pub(crate) a: MatRef<'a, T>,
    pub(crate) transpose_a: Transpose,
    pub(crate) b: MatRef<'a, T>,
    pub(crate) transpose_b: Transpose,
    pub(crate) alpha: T,
}

impl<T: Element> Operands<'_, T> {
    /// The product's rows, columns and terms.
    pub(crate) fn sizes(&self) -> [usize; 3] {
        let (m, k) = self.transpose_a.shape(self.a.shape());
        let (_, n) = self.transpose_b.shape(self.b.shape());
        [m, n, k]
    }
}
