//! What iterative methods ask of the machine.

use super::Reading;
use crate::Error;

/// Vectors, and single numbers that stay in the backend's memory: the coefficients of an iteration
/// go from one operation to the next without a way over the host, so that a device can queue many
/// iterations.
///
/// Lengths are the algorithm's duty. As everywhere, operations do not fail; whoever
/// [looks](Self::look) hears of the first failure.
pub trait Space {
    /// A vector.
    type Vector;
    /// A number, as the result of a sum over vectors.
    type Number;
    /// Rows of numbers that iterations leave for the host to read.
    type Log;

    /// Iterations after which the host looks at the log.
    const LOOK: usize;

    /// A vector of `n` zeros.
    ///
    /// # Errors
    /// [`Error::TooLarge`], and [`Error::Device`].
    fn vector(&self, n: usize) -> Result<Self::Vector, Error>;

    /// The number zero.
    fn number(&self) -> Self::Number;

    /// Entries of a vector.
    fn length(&self, x: &Self::Vector) -> usize;

    /// `Ok` where the numbers of the vector `operand` are those of this space, which a space has to
    /// look at whose vectors do not tell by their type.
    ///
    /// # Errors
    /// [`Error::Precision`]; [`Error::NotInResidues`] where moduli differ.
    fn check_numbers(&self, _operand: &'static str, _x: &Self::Vector) -> Result<(), Error> {
        Ok(())
    }

    /// `to ← value`.
    fn set(&mut self, value: f64, to: &mut Self::Number);

    /// `y ← x`.
    fn copy(&mut self, x: &Self::Vector, y: &mut Self::Vector);

    /// `x ← 0`.
    fn clear(&mut self, x: &mut Self::Vector);

    /// `to ← Σ x[i]·y[i]`, in two stages: the blocks of a fixed number of entries, then the sums of
    /// these in a fixed order.
    fn dot(&mut self, x: &Self::Vector, y: &Self::Vector, to: &mut Self::Number);

    /// `y ← y + α·x`, or `y − α·x`.
    fn axpy(&mut self, sign: Sign, alpha: &Self::Number, x: &Self::Vector, y: &mut Self::Vector);

    /// `y ← x + β·y`, or `x − β·y`.
    fn xpay(&mut self, x: &Self::Vector, sign: Sign, beta: &Self::Number, y: &mut Self::Vector);

    /// `x ← α·x`.
    fn scale(&mut self, alpha: &Self::Number, x: &mut Self::Vector);

    /// `y[i] ← x[i]·y[i]`.
    fn multiply(&mut self, x: &Self::Vector, y: &mut Self::Vector);

    /// `to ← √Σ x[i]²`: the root of [`dot`](Self::dot), for vectors whose squares are in the range
    /// of the numbers.
    fn norm(&mut self, x: &Self::Vector, to: &mut Self::Number);

    /// `to ← a`.
    fn assign(&mut self, a: &Self::Number, to: &mut Self::Number);

    /// `to ← operation(a, b)`.
    fn compute(
        &mut self,
        operation: NumberOp,
        a: &Self::Number,
        b: &Self::Number,
        to: &mut Self::Number,
    );

    /// `to ← √a`; NaN below zero.
    fn root(&mut self, a: &Self::Number, to: &mut Self::Number);

    /// A log of rows of `columns` numbers. It is met by a row whose first number is [at
    /// most](Reading::at_most) `limit`.
    fn log(&self, columns: usize, limit: Reading) -> Self::Log;

    /// Appends a row to the log, unless it is met.
    fn record<const K: usize>(&mut self, log: &mut Self::Log, row: [&Self::Number; K]);

    /// From here on nothing changes vectors or numbers once the log is met, until
    /// [`release`](Self::release): what an iteration queued beyond is not done. Nothing to do where
    /// the host looks after every iteration.
    fn hold(&mut self, log: &Self::Log);

    /// Ends what [`hold`](Self::hold) began.
    fn release(&mut self);

    /// The rows since the last look, one after the other, rounded to `f64` significands; when all
    /// that was queued before is done.
    ///
    /// # Errors
    /// [`Error::Device`]: the first failure of anything that this backend was asked to do.
    fn look<'a>(&mut self, log: &'a mut Self::Log) -> Result<&'a [Reading], Error>;
}

/// Whether a product is added or subtracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Added.
    Plus,
    /// Subtracted.
    Minus,
}

/// Operations on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberOp {
    /// `a + b`.
    Add,
    /// `a − b`.
    Sub,
    /// `a · b`.
    Mul,
    /// `a / b`.
    Div,
}
