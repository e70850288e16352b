//! Solutions on the host.

use nonius_num::{Dd, Mp, Qd, Td};

use super::batch::{Batch, check_format};
use super::method::Method;
use super::number::Number;
use super::options::Options;
use super::periodic::ring;
use super::report::{Failure, Report};
use super::settle::settle_all;
use crate::cpu::tridiag::{Elimination, solve as eliminate};
use crate::{Error, Numbers, SliceMut};

/// Solves all systems of a batch; `x` has the order of the batch. Threads share the systems, and by
/// Thomas's method a register has as many as it has lanes.
///
/// Systems beyond the range of the numbers are solved again, and residuals are checked, as
/// [`settle`] does. All other bits are those of [`reference::tridiag`](crate::reference::tridiag),
/// for any number of threads.
///
/// # Errors
/// [`Error::Shape`]; [`Error::Precision`]; [`Error::NoPivoting`]; [`Error::TooSmall`] for periodic
/// systems of fewer than 3 equations; [`Error::TooLarge`]. A system that cannot be solved is no
/// error: the report names it.
pub fn solve<'x, T: Solvable>(
    batch: &Batch<'_, T>,
    options: &Options,
    x: impl Into<SliceMut<'x, T>>,
) -> Result<Report, Error> {
    T::solve(batch, options, x.into())
}

/// Looks at the unknowns of all systems and at the `failures` that a method named, by ascending
/// system.
///
/// Solves again what left the range of numbers; returns all failures by ascending system.
///
/// # Errors
/// [`Error::Shape`], [`Error::Precision`].
pub fn settle<'x, T: Solvable>(
    batch: &Batch<'_, T>,
    options: &Options,
    x: impl Into<SliceMut<'x, T>>,
    failures: &[Failure],
) -> Result<Vec<Failure>, Error> {
    T::settle(batch, options, x.into(), failures)
}

/// Numbers whose systems are solved by code that is compiled with this crate.
pub trait Solvable: Number {
    /// As [`solve`].
    ///
    /// # Errors
    /// As [`solve`].
    fn solve(
        batch: &Batch<'_, Self>,
        options: &Options,
        x: SliceMut<'_, Self>,
    ) -> Result<Report, Error>;

    /// As [`settle`].
    ///
    /// # Errors
    /// As [`settle`].
    fn settle(
        batch: &Batch<'_, Self>,
        options: &Options,
        x: SliceMut<'_, Self>,
        failures: &[Failure],
    ) -> Result<Vec<Failure>, Error>;
}

macro_rules! solvable {
    ($($number:ident)*) => {$(
        impl Solvable for $number {
            fn solve(
                batch: &Batch<'_, Self>,
                options: &Options,
                x: SliceMut<'_, Self>,
            ) -> Result<Report, Error> {
                solve_all(batch, options, x)
            }

            fn settle(
                batch: &Batch<'_, Self>,
                options: &Options,
                mut x: SliceMut<'_, Self>,
                failures: &[Failure],
            ) -> Result<Vec<Failure>, Error> {
                settle_all(batch, options, &mut x, failures)
            }
        }
    )*};
}

solvable! { f32 f64 Dd Td Qd Mp }

fn solve_all<T: Number>(
    batch: &Batch<'_, T>,
    options: &Options,
    mut x: SliceMut<'_, T>,
) -> Result<Report, Error> {
    Error::check_length("x", batch.right().len(), x.len())?;
    check_format::<T>("x", batch.format(), x.format())?;
    let method = options.resolved(Method::Thomas)?;
    let plain = Elimination::Plain(method);
    let failures = match (options.periodic, options.pivoting) {
        (false, false) => eliminate(batch, plain, &mut x),
        (false, true) => eliminate(batch, Elimination::Pivoted, &mut x),
        (true, pivoting) => {
            let opened = ring(batch)?;
            if pivoting {
                eliminate(batch, Elimination::Ring, &mut x)
            } else {
                let mut failures = eliminate(&opened.with(batch.right())?, plain, &mut x);
                let mut correction = Numbers::zeros(x.format(), x.len());
                let with_corner = opened.with(opened.corner.as_slice())?;
                eliminate(&with_corner, plain, &mut correction.as_mut_slice());
                failures.extend(opened.close(batch, &mut x, correction.as_slice(), &failures));
                failures.sort_unstable();
                failures
            }
        }
    };
    let failures = settle_all(batch, options, &mut x, &failures)?;
    Ok(Report { method, failures })
}
