//! How batches are solved.

use super::method::Method;
use crate::Error;

/// How a batch is solved.
///
/// A matrix with a zero on its diagonal takes pivoting:
///
/// ```
/// use nonius_linalg::tridiag::{Batch, Cause, Options, Order, solve};
///
/// // y = 1, x = 2
/// let (lower, diagonal, upper) = ([0.0, 1.0], [0.0, 0.0], [1.0, 0.0]);
/// let batch = Batch::new(1, 2, Order::Contiguous, [&lower, &diagonal, &upper], &[1.0, 2.0])?;
/// let mut x = [0.0_f64; 2];
/// let report = solve(&batch, &Options::default(), &mut x)?;
/// assert_eq!(report.failures[0].cause, Cause::Pivot);
/// let report = solve(&batch, &Options { pivoting: true, ..Options::default() }, &mut x)?;
/// assert!(report.failures.is_empty());
/// assert_eq!(x, [2.0, 1.0]);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The method.
    pub method: Method,
    /// Whether the first row has the last unknown for its neighbour and the last row the first one,
    /// by the entries of `lower` and `upper` there. Without pivoting the Sherman–Morrison formula
    /// makes their solution of two others; with it they are eliminated as matrices of bandwidth 2.
    /// They have three equations or more.
    pub periodic: bool,
    /// Whether rows are exchanged, by scaled partial pivoting, for matrices without dominant
    /// diagonal; by Thomas's method only.
    pub pivoting: bool,
}

impl Options {
    /// The method that these options mean, where `usual` is the best that pivots not.
    ///
    /// # Errors
    /// [`Error::NoPivoting`] where the method does not exchange rows.
    pub fn resolved(&self, usual: Method) -> Result<Method, Error> {
        match (self.method, self.pivoting) {
            (Method::Auto | Method::Thomas, true) => Ok(Method::Thomas),
            (method, true) => Err(Error::NoPivoting { method }),
            (Method::Auto, false) => Ok(usual),
            (method, false) => Ok(method),
        }
    }
}
