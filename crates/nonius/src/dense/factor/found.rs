//! What factorisations find.

use nonius_linalg::Matrix;
use nonius_num::Element;

/// LU factors with partial pivoting, `P·A = L·U`.
#[derive(Clone, Debug)]
pub struct Triangles<T: Element> {
    /// `L`, with ones on its diagonal.
    pub lower: Matrix<T>,
    /// `U`.
    pub upper: Matrix<T>,
    /// Row `j` was exchanged with row `pivots[j]`, for `j` from the first to the last.
    pub pivots: Vec<usize>,
}

impl<T: Element> Triangles<T> {
    /// The rows of `A` in the order that `L·U` has them: its row `i` is row `rows()[i]` of `A`.
    pub fn rows(&self) -> Vec<usize> {
        let mut rows: Vec<usize> = (0..self.pivots.len()).collect();
        self.pivots.iter().enumerate().for_each(|(j, &pivot)| rows.swap(j, pivot));
        rows
    }
}

/// `A = Q·R` of an `m × n` matrix, with `k = min(m, n)`.
#[derive(Clone, Debug)]
pub struct Orthogonal<T: Element> {
    /// `m × k` or `m × m` with orthonormal columns, where it was asked for.
    pub q: Option<Matrix<T>>,
    /// `k × n`, or `m × n` beside all columns of `Q`; zeros below the diagonal.
    pub r: Matrix<T>,
}

/// Which columns of `Q` are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QColumns {
    /// None: `R` alone.
    None,
    /// As many as there are rows in `R`.
    #[default]
    Reduced,
    /// All, of a square `Q`.
    Complete,
}
