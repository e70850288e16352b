//! Triangles by rows, whose diagonal is given by its inverses.

use crate::sparse::Csr;
use crate::{Number, Numbers};

/// A triangle without its diagonal, and the inverses of that.
pub struct Triangle<'a, V: Number> {
    /// The entries beside the diagonal.
    pub rest: &'a Csr<V>,
    /// Inverses of the diagonal.
    pub inverses: &'a Numbers<V>,
    /// Whether rows are taken from the last to the first.
    pub backward: bool,
}

impl<V: Number> Triangle<'_, V> {
    /// The rows in the order in which they are solved.
    pub(crate) fn rows(&self) -> impl Iterator<Item = usize> + use<V> {
        let (n, backward) = (self.inverses.len(), self.backward);
        (0..n).map(move |i| if backward { n - 1 - i } else { i })
    }
}
