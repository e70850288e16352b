//! The structures that kernels of dense matrices take.

use nonius_linalg::Scalar;

use crate::matrix::{Factor, Layout};

/// A structure in memory, built member by member; all of them fill words of eight bytes.
#[derive(Clone, Debug, Default)]
pub struct Words(Vec<u64>);

impl Words {
    /// A `long long`.
    pub fn long(mut self, x: usize) -> Self {
        self.0.push(x as u64);
        self
    }

    /// A `double`.
    pub fn number(mut self, x: f64) -> Self {
        self.0.push(x.to_bits());
        self
    }

    /// An address.
    pub fn address(mut self, x: u64) -> Self {
        self.0.push(x);
        self
    }

    /// Words of a structure that is there.
    pub fn words(mut self, words: &[u64]) -> Self {
        self.0.extend(words);
        self
    }

    /// Two of type `int` or `unsigned`. Panics where one does not fit, which callers exclude.
    pub fn pair(mut self, x: usize, y: usize) -> Self {
        let half = |x: usize| u64::from(u32::try_from(x).expect("a count below 2^32"));
        self.0.push(half(x) | half(y) << 32);
        self
    }

    /// A `Matrix`.
    pub fn matrix(mut self, x: Layout) -> Self {
        let Layout { data, rows, cols, row, column, plane } = x;
        self.0.push(data);
        self.0.extend([rows, cols, row, column, plane].map(|x| x as u64));
        self
    }

    /// A `Factor`.
    pub fn factor<T: Scalar>(mut self, x: T) -> Self {
        self.0.extend(Factor::of(x).0.map(f64::to_bits));
        self
    }

    /// More words.
    pub fn and(mut self, more: Self) -> Self {
        self.0.extend(more.0);
        self
    }

    /// Zeros up to so many words.
    pub fn padded(mut self, length: usize) -> Self {
        self.0.resize(length, 0);
        self
    }

    /// The words.
    pub fn as_slice(&self) -> &[u64] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_num::Dd;

    #[test]
    fn members_fill_words() {
        let layout = Layout { data: 4096, rows: 3, cols: 2, row: 1, column: 16, plane: 32 };
        let words =
            Words::default().pair(1, 2).long(3).matrix(layout).factor(Dd::from(1.0)).padded(13);
        let one = 1.0_f64.to_bits();
        assert_eq!(words.as_slice(), [1 | 2 << 32, 3, 4096, 3, 2, 1, 16, 32, one, 0, 0, 0, 0]);
    }
}
