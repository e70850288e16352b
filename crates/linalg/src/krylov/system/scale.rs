//! Systems near the ends of the range of numbers, in the middle of it.
//!
//! Iterations form squares of norms. A matrix or vectors whose largest number has an exponent
//! beyond a limit are divided by powers of two first, each by that of its largest entry. No digit
//! changes, and norms of iterations stay in the range. The limit is ±200 for limbs. It is as many
//! times that for other numbers as their range is wider.

use crate::backend::Reading;
use crate::krylov::Report;
use crate::sparse::{Csr, Layout};
use crate::{Error, Number, Numbers};

use super::options::KrylovOptions;

/// Exponents of `f64` up to which squares of norms, and products of three numbers, stay in the
/// range.
const MOST_EXPONENT: i32 = 200;

/// How many times the exponents of `f64` these numbers have.
const fn ranges<T: Number>() -> i32 {
    T::LEAST_EXPONENT / <f64 as Number>::LEAST_EXPONENT
}

/// Exponents of the powers of two by which a matrix and its right-hand side are divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    matrix: i32,
    right: i32,
}

/// The `e` for which the largest finite number is in `[2^(e−1), 2^e)`, where there is one beside
/// zeros.
fn largest<T: Number>(x: &Numbers<T>) -> Option<i32> {
    T::largest_exponent(x.as_slice()).map(|e| e + 1)
}

/// The matrix in `f64`, divided by `2^e`, and `e`: that of its largest entry where numbers have a
/// wider range than `f64`, else 0.
pub(super) fn in_f64<V: Number>(a: &Csr<V>) -> Result<(Csr<f64>, i64), Error> {
    let exponent = if ranges::<V>() > 1 { largest(a.values()).unwrap_or(0) } else { 0 };
    Ok((a.map((), |x| x.ldexp(-exponent).to_f64())?, i64::from(exponent)))
}

impl Scale {
    /// That of a system whose iteration begins at `x`.
    pub(super) fn of<T: Number, V: Number>(a: &Csr<V>, b: &Numbers<T>, x: &Numbers<T>) -> Self {
        let matrix = largest(a.values()).unwrap_or(0);
        let of_start = largest(x).map(|e| e + matrix);
        let right = largest(b).max(of_start).unwrap_or(0);
        let far = |e: i32| e.abs() > MOST_EXPONENT * ranges::<T>();
        if far(matrix) || far(right) || far(right - matrix) {
            Self { matrix, right }
        } else {
            Self { matrix: 0, right: 0 }
        }
    }

    fn is_none(self) -> bool {
        self == Self { matrix: 0, right: 0 }
    }

    /// The matrix in the middle of the range, where it is not there as it is.
    pub(super) fn matrix<V: Number>(self, a: &Csr<V>) -> Result<Option<Csr<V>>, Error> {
        if self.is_none() {
            return Ok(None);
        }
        a.map(a.values().format(), |entry| entry.ldexp(-self.matrix)).map(Some)
    }

    /// The right-hand side in the middle of the range.
    pub(super) fn right<T: Number>(self, b: &Numbers<T>) -> Numbers<T> {
        shifted(b.clone(), -self.right)
    }

    /// Where the iteration begins.
    pub(super) fn begin<T: Number>(self, x: &Numbers<T>) -> Numbers<T> {
        shifted(x.clone(), self.matrix - self.right)
    }

    /// The norm of the first residual, in the units of the system that was asked for.
    pub(super) fn first_residual(self, report: &Report) -> Reading {
        let first = Reading::of(report.first_residual);
        Reading { exponent: first.exponent + i64::from(self.right), ..first }
    }

    /// The same options for the scaled system.
    pub(super) fn options(self, options: &KrylovOptions) -> KrylovOptions {
        let mut options = options.clone();
        if !options.iteration.relative {
            let tolerance = options.iteration.tolerance;
            options.iteration.tolerance =
                nonius_num::Real::ldexp(tolerance, -self.right).min(f64::MAX);
        }
        options
    }

    /// The solution of the system that was asked for.
    ///
    /// # Errors
    /// [`Error::Breakdown`] where an unknown exceeds the largest number.
    pub(super) fn undo<T: Number>(
        self,
        x: Numbers<T>,
        report: &mut Report,
    ) -> Result<Numbers<T>, Error> {
        report.first_residual = nonius_num::Real::ldexp(report.first_residual, self.right);
        let x = shifted(x, self.right - self.matrix);
        if T::are_finite(x.as_slice()) {
            return Ok(x);
        }
        let beyond = x.as_slice().iter().find(|x| !x.is_finite());
        let (iteration, value) = (report.iterations, beyond.map_or(f64::NAN, T::to_f64));
        Err(Error::Breakdown { iteration, quantity: "x", value })
    }
}

/// The numbers times `2^exponent`.
fn shifted<T: Number>(mut x: Numbers<T>, exponent: i32) -> Numbers<T> {
    if exponent != 0 {
        (0..x.len()).for_each(|i| x.set(i, x.at(i).ldexp(exponent)));
    }
    x
}
