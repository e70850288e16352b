//! Solutions on the host.

use nonius_num::{Dd, Qd, Td};

use super::batch::Batch;
use super::method::Method;
use super::number::Number;
use super::options::Options;
use super::periodic::ring;
use super::report::{Failure, Report};
use super::settle::settle_all;
use crate::Error;
use crate::cpu::tridiag::{Elimination, solve as eliminate};

/// Solves all systems of a batch; `x` has the order of the batch. Threads share the systems, and by Thomas's method a register has as many as it has lanes.
///
/// Systems beyond the range of the numbers are solved again, and residuals are checked, as
/// [`settle`] does. All other bits are those of [`reference::tridiag`](crate::reference::tridiag),
/// for any number of threads.
///
/// # Errors
/// [`Error::Shape`]; [`Error::NoPivoting`]; [`Error::TooSmall`] for periodic systems of fewer than 3 equations; [`Error::TooLarge`]. A system that cannot be solved is no error: the report names it.
pub fn solve<T: Solvable>(
    batch: &Batch<'_, T>,
    options: &Options,
    x: &mut [T],
) -> Result<Report, Error> {
    T::solve(batch, options, x)
}

/// Looks at the unknowns of all systems and at the `failures` that a method named, by ascending
/// system.
///
/// Solves again what left the range of numbers; returns all failures by ascending system.
///
/// # Errors
/// [`Error::Shape`].
pub fn settle<T: Solvable>(
    batch: &Batch<'_, T>,
    options: &Options,
    x: &mut [T],
    failures: &[Failure],
) -> Result<Vec<Failure>, Error> {
    T::settle(batch, options, x, failures)
}

/// Numbers whose systems are solved by code that is compiled with this crate.
pub trait Solvable: Number {
    /// As [`solve`].
    ///
    /// # Errors
    /// As [`solve`].
    fn solve(batch: &Batch<'_, Self>, options: &Options, x: &mut [Self]) -> Result<Report, Error>;

    /// As [`settle`].
    ///
    /// # Errors
    /// As [`settle`].
    fn settle(
        batch: &Batch<'_, Self>,
        options: &Options,
        x: &mut [Self],
        failures: &[Failure],
    ) -> Result<Vec<Failure>, Error>;
}

macro_rules! solvable {
    ($($number:ident)*) => {$(
        impl Solvable for $number {
            fn solve(
                batch: &Batch<'_, Self>,
                options: &Options,
                x: &mut [Self],
            ) -> Result<Report, Error> {
                solve_all(batch, options, x)
            }

            fn settle(
                batch: &Batch<'_, Self>,
                options: &Options,
                x: &mut [Self],
                failures: &[Failure],
            ) -> Result<Vec<Failure>, Error> {
                settle_all(batch, options, x, failures)
            }
        }
    )*};
}

solvable! { f32 f64 Dd Td Qd }

fn solve_all<T: Number>(
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
    let failures = settle_all(batch, options, x, &failures)?;
    Ok(Report { method, failures })
}
