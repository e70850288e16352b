//! Where numbers lie.

/// Where the numbers of a batch lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// System by system: row `i` of system `s` at `s·size + i`.
    #[default]
    Contiguous,
    /// Row by row: row `i` of system `s` at `i·systems + s`.
    Interleaved,
}

impl Order {
    /// Where row `i` of system `s` lies.
    #[inline(always)]
    pub fn index(self, (systems, size): (usize, usize), s: usize, i: usize) -> usize {
        match self {
            Self::Contiguous => s * size + i,
            Self::Interleaved => i * systems + s,
        }
    }
}
