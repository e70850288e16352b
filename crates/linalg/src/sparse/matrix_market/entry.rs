//! What reading and writing ask of numbers and matrices.

use core::fmt::Debug;
use core::ops::{AddAssign, Neg};

use nonius_num::{ParseDecimalError, Precision, Real, stored_bytes};

use super::list::List;
use crate::dense::MatRef;
use crate::{Error, Matrix, Number, Numbers};

/// Numbers that files hold: every [`Number`] with decimal text, and what is known of one beside its
/// value.
pub trait Entry: Clone + Debug + PartialEq + AddAssign + Neg<Output = Self> + Send + Sync {
    /// What the type leaves open of how numbers are read: for those of any precision their bits.
    type ReadAs: Copy + Send + Sync;
    /// Many such numbers, as they are read.
    type List: List<Item = Self>;
    /// Dense matrices of such numbers.
    type Matrix: Dense + Send;

    /// The spelling of the precision.
    fn spelling(format: Self::ReadAs) -> String;

    /// Bytes that a number takes in a dense matrix.
    fn bytes(format: Self::ReadAs) -> usize;

    /// Zero.
    fn zero(format: Self::ReadAs) -> Self;

    /// One.
    fn one(format: Self::ReadAs) -> Self;

    /// The number nearest to the one that the text denotes.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn parse(text: &[u8], format: Self::ReadAs) -> Result<Self, ParseDecimalError>;

    /// The number nearest to a double that is finite.
    fn from_f64(x: f64, format: Self::ReadAs) -> Self;

    /// No numbers.
    fn list(format: Self::ReadAs) -> Self::List;

    /// Appends what [`parse`](Self::parse) returns, if it is finite; returns whether it is.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn parse_to(
        list: &mut Self::List,
        text: &[u8],
        format: Self::ReadAs,
    ) -> Result<bool, ParseDecimalError> {
        let x = Self::parse(text, format)?;
        let finite = x.is_finite();
        if finite {
            list.push(x);
        }
        Ok(finite)
    }

    /// Appends text that reads back as the same number.
    fn print(&self, out: &mut Vec<u8>);

    /// Whether this is neither infinite nor NaN.
    fn is_finite(&self) -> bool;

    /// Whether this is zero.
    fn is_zero(&self) -> bool;

    /// A matrix of zeros.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    fn zeros(format: Self::ReadAs, rows: usize, cols: usize) -> Result<Self::Matrix, Error>;

    /// A matrix of `rows` rows and `cols` columns from its `entries`, column by column.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    fn matrix(rows: usize, cols: usize, entries: Self::List) -> Result<Self::Matrix, Error>;

    /// Adds the number to entry `(i, j)`.
    fn add_to(self, a: &mut Self::Matrix, i: usize, j: usize);
}

impl<T: Number> Entry for T {
    type ReadAs = T::Format;
    type List = Numbers<T>;
    type Matrix = Matrix<T>;

    fn spelling(format: T::Format) -> String {
        T::precision(format).to_string()
    }

    fn bytes(format: T::Format) -> usize {
        stored_bytes::<T>(format)
    }

    fn zero(format: T::Format) -> Self {
        T::ZERO.to_format(format)
    }

    fn one(format: T::Format) -> Self {
        T::ONE.to_format(format)
    }

    fn parse(text: &[u8], format: T::Format) -> Result<Self, ParseDecimalError> {
        T::from_decimal_in(format, text)
    }

    fn from_f64(x: f64, format: T::Format) -> Self {
        T::from_f64(x).to_format(format)
    }

    fn list(format: T::Format) -> Numbers<T> {
        Numbers::new(format)
    }

    fn parse_to(
        list: &mut Numbers<T>,
        text: &[u8],
        _: T::Format,
    ) -> Result<bool, ParseDecimalError> {
        list.push_decimal(text)
    }

    fn print(&self, out: &mut Vec<u8>) {
        self.append_decimal(out);
    }

    fn is_finite(&self) -> bool {
        Real::is_finite(*self)
    }

    fn is_zero(&self) -> bool {
        *self == T::ZERO
    }

    fn zeros(format: T::Format, rows: usize, cols: usize) -> Result<Matrix<T>, Error> {
        Matrix::try_zeros_in(format, rows, cols)
    }

    fn matrix(rows: usize, cols: usize, entries: Numbers<T>) -> Result<Matrix<T>, Error> {
        Matrix::from_numbers(rows, cols, entries).ok_or(Error::TooLarge { rows, cols })
    }

    fn add_to(self, a: &mut Matrix<T>, i: usize, j: usize) {
        a.set(i, j, a.at(i, j) + self);
    }
}

/// Dense matrices that can be written.
pub trait Dense: Sync {
    /// Number of rows and columns.
    fn shape(&self) -> (usize, usize);

    /// Whether entry `(i, j)` is neither infinite nor NaN.
    fn is_finite(&self, i: usize, j: usize) -> bool;

    /// Whether entry `(i, j)` equals its mirror image `(j, i)`, or the negative of that.
    fn mirrors(&self, i: usize, j: usize, negative: bool) -> bool;

    /// Appends text that reads back as entry `(i, j)`.
    fn print(&self, i: usize, j: usize, out: &mut Vec<u8>);

    /// Entry `(i, j)` of a matrix of doubles; `None` where numbers may have more bits.
    fn double(&self, i: usize, j: usize) -> Option<f64>;
}

impl<T: Number> Dense for MatRef<'_, T> {
    fn shape(&self) -> (usize, usize) {
        MatRef::shape(self)
    }

    fn is_finite(&self, i: usize, j: usize) -> bool {
        T::is_finite_cell(self.column(j).cells()[i])
    }

    fn mirrors(&self, i: usize, j: usize, negative: bool) -> bool {
        let image = self.at(j, i);
        self.at(i, j) == if negative { -image } else { image }
    }

    fn print(&self, i: usize, j: usize, out: &mut Vec<u8>) {
        self.at(i, j).append_decimal(out);
    }

    fn double(&self, i: usize, j: usize) -> Option<f64> {
        let is_double = T::precision(self.format()) == Precision::F64;
        is_double.then(|| self.at(i, j).to_f64())
    }
}

impl<T: Number> Dense for Matrix<T> {
    fn shape(&self) -> (usize, usize) {
        Matrix::shape(self)
    }

    fn is_finite(&self, i: usize, j: usize) -> bool {
        Dense::is_finite(&self.view(), i, j)
    }

    fn mirrors(&self, i: usize, j: usize, negative: bool) -> bool {
        self.view().mirrors(i, j, negative)
    }

    fn print(&self, i: usize, j: usize, out: &mut Vec<u8>) {
        self.view().print(i, j, out);
    }

    fn double(&self, i: usize, j: usize) -> Option<f64> {
        self.view().double(i, j)
    }
}
