//! Matrices of numbers of any precision where they lie, without copies.

use nonius_num::mp::{Bits, MpRef};

use super::Matrix;
use crate::threads::{Grain, for_each};

impl Matrix {
    /// The precision.
    pub fn bits(&self) -> Bits {
        self.format()
    }

    /// Entry `(i, j)`.
    #[inline]
    pub fn entry(&self, i: usize, j: usize) -> MpRef<'_> {
        self.numbers().entry(self.place(i, j))
    }

    /// Replaces entry `(i, j)` by `x`, rounded to the precision.
    pub fn put(&mut self, i: usize, j: usize, x: MpRef<'_>) {
        let place = self.place(i, j);
        self.numbers_mut().put(place, x);
    }

    /// The entries rounded to a precision.
    ///
    /// ```
    /// use nonius_linalg::mp::{Bits, Matrix, Mp};
    ///
    /// let (wide, narrow) = (Bits::new(1000)?, Bits::new(128)?);
    /// let a = Matrix::from_fn_in(wide, 2, 2, |_, _| Mp::pi(wide));
    /// assert_eq!(a.with_bits(narrow).at(1, 0), Mp::pi(narrow));
    /// # Ok::<(), nonius_num::mp::BitsError>(())
    /// ```
    #[must_use]
    pub fn with_bits(&self, bits: Bits) -> Self {
        let mut to = Self::zeros_in(bits, self.rows(), self.cols());
        for_each(&mut to.numbers_mut().pieces(self.rows().max(1))[..], Grain::ANY, |j, column| {
            (0..column.len()).for_each(|i| column.put(i, self.entry(i, j)));
        });
        to
    }
}
