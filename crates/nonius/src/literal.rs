//! Matrices written row by row.

/// A [`Matrix`](crate::Matrix) by its rows; the numbers may be of any type of fixed precision.
///
/// ```
/// use nonius::prelude::*;
///
/// let a = matrix![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
/// assert_eq!((a.shape(), a[(1, 0)]), ((2, 3), 4.0));
/// let tenths = matrix![["0.1".parse::<Qd>()?], [Qd::ONE / 5.0]];
/// assert_eq!(tenths[(0, 0)] * 2.0, tenths[(1, 0)]);
/// # Ok::<(), nonius::num::ParseDecimalError>(())
/// ```
#[macro_export]
macro_rules! matrix {
    ($([$($entry:expr),* $(,)?]),* $(,)?) => {
        $crate::Matrix::from_rows([$([$($entry),*]),*])
    };
}
