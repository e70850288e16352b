//! What reading and writing ask of numbers and matrices.

use core::fmt::Debug;
use core::ops::{AddAssign, Neg};

use nonius_num::mp::{Bits, Head, Mp};
use nonius_num::{Decimal, ParseDecimalError};

use super::list::List;
use crate::dense::MatRef;
use crate::{Error, Matrix, Numbers, Scalar, mp};

/// Numbers that files hold: every [`Scalar`] with decimal text, and [`Mp`].
pub trait Entry: Clone + Debug + PartialEq + AddAssign + Neg<Output = Self> + Send + Sync {
    /// What the type leaves open of the numbers' format: for [`Mp`] the precision.
    type Format: Copy + Send + Sync;
    /// Many such numbers, as they are read.
    type List: List<Item = Self>;
    /// Dense matrices of such numbers.
    type Matrix: Dense + Send;

    /// The spelling of the precision.
    fn spelling(format: Self::Format) -> String;

    /// Bytes that a number takes in a dense matrix.
    fn bytes(format: Self::Format) -> usize;

    /// Zero.
    fn zero(format: Self::Format) -> Self;

    /// One.
    fn one(format: Self::Format) -> Self;

    /// The number nearest to the one that the text denotes.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn parse(text: &[u8], format: Self::Format) -> Result<Self, ParseDecimalError>;

    /// No numbers.
    fn list(format: Self::Format) -> Self::List;

    /// Appends what [`parse`](Self::parse) returns, if it is finite; returns whether it is.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn parse_to(
        list: &mut Self::List,
        text: &[u8],
        format: Self::Format,
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
    fn zeros(format: Self::Format, rows: usize, cols: usize) -> Result<Self::Matrix, Error>;

    /// A matrix of so many entries, column by column.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    fn matrix(rows: usize, cols: usize, entries: Self::List) -> Result<Self::Matrix, Error>;

    /// Adds the number to entry `(i, j)`.
    fn add_to(self, a: &mut Self::Matrix, i: usize, j: usize);
}

impl<T: Scalar + Decimal> Entry for T {
    type Format = ();
    type List = Numbers<T>;
    type Matrix = Matrix<T>;

    fn spelling((): ()) -> String {
        T::NAME.into()
    }

    fn bytes((): ()) -> usize {
        size_of::<T>()
    }

    fn zero((): ()) -> Self {
        T::ZERO
    }

    fn one((): ()) -> Self {
        T::ONE
    }

    fn parse(text: &[u8], (): ()) -> Result<Self, ParseDecimalError> {
        T::from_decimal(text)
    }

    fn list((): ()) -> Numbers<T> {
        Numbers::new(())
    }

    fn print(&self, out: &mut Vec<u8>) {
        self.append_decimal(out);
    }

    fn is_finite(&self) -> bool {
        nonius_num::Real::is_finite(*self)
    }

    fn is_zero(&self) -> bool {
        *self == T::ZERO
    }

    fn zeros((): (), rows: usize, cols: usize) -> Result<Matrix<T>, Error> {
        Matrix::try_zeros(rows, cols)
    }

    fn matrix(rows: usize, cols: usize, entries: Numbers<T>) -> Result<Matrix<T>, Error> {
        Matrix::from_numbers(rows, cols, entries).ok_or(Error::TooLarge { rows, cols })
    }

    fn add_to(self, a: &mut Matrix<T>, i: usize, j: usize) {
        a[(i, j)] += self;
    }
}

impl Entry for Mp {
    type Format = Bits;
    type List = Numbers<Mp>;
    type Matrix = mp::Matrix;

    fn spelling(bits: Bits) -> String {
        format!("mp{bits}")
    }

    fn bytes(bits: Bits) -> usize {
        size_of::<Head>() + bits.words() * size_of::<u64>()
    }

    fn zero(bits: Bits) -> Self {
        Mp::zero(bits)
    }

    fn one(bits: Bits) -> Self {
        Mp::one(bits)
    }

    fn parse(text: &[u8], bits: Bits) -> Result<Self, ParseDecimalError> {
        Mp::from_decimal(bits, text)
    }

    fn list(bits: Bits) -> Numbers<Mp> {
        Numbers::new(bits)
    }

    fn parse_to(list: &mut Numbers<Mp>, text: &[u8], _: Bits) -> Result<bool, ParseDecimalError> {
        list.push_decimal(text)
    }

    fn print(&self, out: &mut Vec<u8>) {
        self.append_decimal(out);
    }

    fn is_finite(&self) -> bool {
        Mp::is_finite(self)
    }

    fn is_zero(&self) -> bool {
        Mp::is_zero(self)
    }

    fn zeros(bits: Bits, rows: usize, cols: usize) -> Result<mp::Matrix, Error> {
        mp::Matrix::try_zeros_in(bits, rows, cols)
    }

    fn matrix(rows: usize, cols: usize, entries: Numbers<Mp>) -> Result<mp::Matrix, Error> {
        mp::Matrix::from_numbers(rows, cols, entries).ok_or(Error::TooLarge { rows, cols })
    }

    fn add_to(self, a: &mut mp::Matrix, i: usize, j: usize) {
        let sum = a.entry(i, j) + self.view();
        a.put(i, j, sum.view());
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
}

impl<T: Scalar + Decimal> Dense for MatRef<'_, T> {
    fn shape(&self) -> (usize, usize) {
        MatRef::shape(self)
    }

    fn is_finite(&self, i: usize, j: usize) -> bool {
        nonius_num::Real::is_finite(self.at(i, j))
    }

    fn mirrors(&self, i: usize, j: usize, negative: bool) -> bool {
        let image = self.at(j, i);
        self.at(i, j) == if negative { -image } else { image }
    }

    fn print(&self, i: usize, j: usize, out: &mut Vec<u8>) {
        self.at(i, j).append_decimal(out);
    }
}

impl<T: Scalar + Decimal> Dense for Matrix<T> {
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
}

impl Dense for mp::Matrix {
    fn shape(&self) -> (usize, usize) {
        mp::Matrix::shape(self)
    }

    fn is_finite(&self, i: usize, j: usize) -> bool {
        self.at(i, j).head().is_finite()
    }

    fn mirrors(&self, i: usize, j: usize, negative: bool) -> bool {
        let image = self.entry(j, i);
        self.entry(i, j) == if negative { image.negated() } else { image }
    }

    fn print(&self, i: usize, j: usize, out: &mut Vec<u8>) {
        self.at(i, j).append_decimal(out);
    }
}
