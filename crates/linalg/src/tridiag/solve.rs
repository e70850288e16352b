//! Solutions on the host.

use super::batch::Batch;
use super::method::Method;
use super::number::Number;
use super::periodic::ring;
use super::report::Report;
use super::settle::settle;
use crate::Error;
use crate::cpu::tridiag::{Elimination, solve as eliminate};

/// How a batch is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The method.
    pub method: Method,
    /// Whether the first row has the last unknown for its neighbour and the last row the first one, by the entries of `lower` and `upper` there. Without
    /// pivoting the Sherman–Morrison formula makes their solution of two others; with it they are eliminated as matrices of bandwidth 2. They have three equations or more.
    pub periodic: bool,
    /// Whether rows are exchanged, by scaled partial pivoting, for matrices without dominant diagonal; by Thomas's method only.
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

/// Solves all systems of a batch; `x` has the order of the batch. Threads share the systems, and by Thomas's method a register has as many as it has lanes.
///
/// Systems beyond the range of the numbers are solved again, and residuals are checked, as [`settle`] says. All other bits are those of [`reference::tridiag`](crate::reference::tridiag), for any number of threads.
///
/// # Errors
/// [`Error::Shape`]; [`Error::NoPivoting`]; [`Error::TooSmall`] for periodic systems of fewer than 3 equations; [`Error::TooLarge`]. A system that cannot be solved is no error: the report names it.
pub fn solve<T: Number>(
    batch: &Batch<'_, T>,
    options: &Options,
    x: &mut [T],
) -> Result<Report, Error> {
    Error::check_length("x", batch.right().len(), x.len())?;
    let method = options.resolved(Method::Thomas)?;
    let plain = Elimination::Plain(method);
    let failures = match (options.periodic, options.pivoting) {
        (false, false) => eliminate(batch, plain, x),
        (false, true) => eliminate(batch, Elimination::Pivoted, x),
        (true, pivoting) => {
            let opened = ring(batch)?;
            if pivoting {
                eliminate(batch, Elimination::Ring, x)
            } else {
                let mut failures = eliminate(&opened.with(batch.right())?, plain, x);
                let mut correction = vec![T::ZERO; x.len()];
                eliminate(&opened.with(&opened.corner)?, plain, &mut correction);
                failures.extend(opened.close(batch, x, &correction, &failures));
                failures.sort_unstable();
                failures
            }
        }
    };
    let failures = settle(batch, options, x, &failures)?;
    Ok(Report { method, failures })
}
