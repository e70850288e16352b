//! Entries of sparse symmetric matrices.

use nonius_linalg::{Element, Numbers};

/// Entries of upper triangles, one after the other.
#[derive(Clone, Debug)]
pub struct Entries<T: Element> {
    /// Their rows.
    pub rows: Vec<u32>,
    /// Their columns, not less than the rows.
    pub cols: Vec<u32>,
    /// Their values.
    pub values: Numbers<T>,
}

impl<T: Element> Entries<T> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}
