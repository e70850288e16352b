//! Why a panel has no factors.

/// Why a panel has no factors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Breakdown {
    /// The column of the panel.
    pub column: usize,
    /// What was found in place of a pivot: zero, for Cholesky also a negative number, or a number
    /// that is not finite.
    pub pivot: f64,
}

impl Breakdown {
    /// The same for a panel that begins at the given column.
    #[must_use]
    pub fn shifted(self, start: usize) -> Self {
        Self { column: self.column + start, ..self }
    }
}
