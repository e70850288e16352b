//! The systems of a batch.

use super::number::Number;
use super::order::Order;
use crate::{Element, Error, Slice};

/// Tridiagonal systems of one order, each with a right-hand side.
///
/// ```
/// use nonius_linalg::tridiag::{Batch, Options, Order, solve};
/// use nonius_num::Qd;
///
/// // Two systems side by side: number i of each, then number i + 1 of each.
/// let [off, on] = [-1.0, 2.0].map(|x| [Qd::from(x); 4]);
/// let right = [1.0, 3.0, 1.0, 0.0].map(Qd::from);
/// let batch = Batch::new(2, 2, Order::Interleaved, [&off, &on, &off], &right)?;
/// let mut x = [Qd::ZERO; 4];
/// solve(&batch, &Options::default(), &mut x)?;
/// let exact = [1.0, 2.0, 1.0, 1.0].map(Qd::from);
/// assert!(x.iter().zip(exact).all(|(x, y)| (*x - y).abs().to_f64() < 1e-60));
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a, T: Element> {
    systems: usize,
    size: usize,
    order: Order,
    pub(crate) lower: Slice<'a, T>,
    pub(crate) diagonal: Slice<'a, T>,
    pub(crate) upper: Slice<'a, T>,
    pub(crate) right: Slice<'a, T>,
}

/// One row: the three entries of the matrix, and that of the right side.
pub(crate) type Row<T> = [T; 4];

impl<'a, T: Number> Batch<'a, T> {
    /// `systems` systems of `size` equations, by their diagonals, lower first, and their right-hand
    /// sides.
    ///
    /// # Errors
    /// [`Error::TooLarge`]; [`Error::Shape`]: an array that has not `systems·size` numbers;
    /// [`Error::Precision`]: an array of other bits than the lower diagonals have.
    pub fn new(
        systems: usize,
        size: usize,
        order: Order,
        matrix: [impl Into<Slice<'a, T>>; 3],
        right: impl Into<Slice<'a, T>>,
    ) -> Result<Self, Error> {
        let [lower, diagonal, upper] = matrix.map(Into::into);
        let right = right.into();
        let too_large = Error::TooLarge { rows: size, cols: systems };
        let count = systems.checked_mul(size).ok_or(too_large)?;
        let arrays = [("lower", lower), ("diagonal", diagonal), ("upper", upper), ("right", right)];
        for (name, array) in arrays {
            Error::check_length(name, count, array.len())?;
            check_format::<T>(name, lower.format(), array.format())?;
        }
        Ok(Self { systems, size, order, lower, diagonal, upper, right })
    }

    /// Number of systems.
    pub fn systems(&self) -> usize {
        self.systems
    }

    /// Equations of each.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Where the numbers lie.
    pub fn order(&self) -> Order {
        self.order
    }

    /// The format of the numbers.
    pub fn format(&self) -> T::Format {
        self.right.format()
    }

    /// Lower, main and upper diagonals.
    pub fn matrix(&self) -> [Slice<'a, T>; 3] {
        [self.lower, self.diagonal, self.upper]
    }

    /// The right-hand sides.
    pub fn right(&self) -> Slice<'a, T> {
        self.right
    }

    /// Where row `i` of system `s` lies.
    #[inline(always)]
    pub fn index(&self, s: usize, i: usize) -> usize {
        self.order.index((self.systems, self.size), s, i)
    }

    /// Row `i` of system `s`, with zeros outside of the matrix.
    #[inline(always)]
    pub(crate) fn row(&self, s: usize, i: usize) -> Row<T> {
        let at = self.index(s, i);
        let lower = if i == 0 { T::ZERO } else { self.lower.at(at) };
        let upper = if i + 1 == self.size { T::ZERO } else { self.upper.at(at) };
        [lower, self.diagonal.at(at), upper, self.right.at(at)]
    }

    /// Row `i` of system `s`, with the corners of a ring.
    #[inline(always)]
    pub(crate) fn neighbours(&self, is_ring: bool, s: usize, i: usize) -> Row<T> {
        if !is_ring {
            return self.row(s, i);
        }
        let at = self.index(s, i);
        [self.lower, self.diagonal, self.upper, self.right].map(|array| array.at(at))
    }

    /// The rows of a system.
    pub(crate) fn rows(&self, is_ring: bool, s: usize) -> Vec<Row<T>> {
        (0..self.size).map(|i| self.neighbours(is_ring, s, i)).collect()
    }
}

/// `Ok` where an array has the numbers' format.
pub(crate) fn check_format<T: Number>(
    operand: &'static str,
    expected: T::Format,
    found: T::Format,
) -> Result<(), Error> {
    Error::check_bits(operand, [expected, found], |format| T::span(format) as u32)
}
