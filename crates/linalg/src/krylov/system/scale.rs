//! Systems near the ends of the range of `f64`, in the middle of it.
//!
//! Iterations form squares of norms. A matrix, or vectors, whose largest number has an exponent beyond ±200 are
//! divided by powers of two first: by that of its largest entry each. No digit changes, and norms of iterations stay in the range.

use crate::backend::Reading;
use crate::krylov::Report;
use crate::sparse::{Csr, Layout};
use crate::{Error, Scalar};

use super::options::KrylovOptions;

/// Exponents up to which squares of norms, and products of three numbers, stay in the range.
const MOST_EXPONENT: i32 = 200;

/// Exponents of the powers of two by which a matrix and its right-hand side are divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    matrix: i32,
    right: i32,
}

/// The exponent of the largest finite number, where there is one beside zeros.
fn largest<T: Scalar>(x: &[T]) -> Option<i32> {
    let sizes = x.iter().map(|x| x.limb(0).abs()).filter(|size| size.is_finite());
    let most = sizes.fold(0.0, f64::max);
    (most != 0.0).then(|| Reading::of(most).exponent as i32)
}

impl Scale {
    /// That of a system whose iteration begins at `x`.
    pub(super) fn of<T: Scalar, V: Scalar>(a: &Csr<Vec<V>>, b: &[T], x: &[T]) -> Self {
        let matrix = largest(a.values()).unwrap_or(0);
        let of_start = largest(x).map(|e| e + matrix);
        let right = largest(b).max(of_start).unwrap_or(0);
        let far = |e: i32| e.abs() > MOST_EXPONENT;
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
    pub(super) fn matrix<V: Scalar>(self, a: &Csr<Vec<V>>) -> Result<Option<Csr<Vec<V>>>, Error> {
        if self.is_none() {
            return Ok(None);
        }
        a.map((), |entry| entry.ldexp(-self.matrix)).map(Some)
    }

    /// The right-hand side in the middle of the range.
    pub(super) fn right<T: Scalar>(self, b: &[T]) -> Vec<T> {
        b.iter().map(|b| b.ldexp(-self.right)).collect()
    }

    /// Where the iteration begins.
    pub(super) fn begin<T: Scalar>(self, x: &mut [T]) {
        x.iter_mut().for_each(|x| *x = x.ldexp(self.matrix - self.right));
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
    pub(super) fn undo<T: Scalar>(self, x: &mut [T], report: &mut Report) -> Result<(), Error> {
        report.first_residual = nonius_num::Real::ldexp(report.first_residual, self.right);
        x.iter_mut().for_each(|x| *x = x.ldexp(self.right - self.matrix));
        match x.iter().find(|x| !x.is_finite()) {
            None => Ok(()),
            Some(x) => Err(Error::Breakdown {
                iteration: report.iterations,
                quantity: "x",
                value: x.to_f64(),
            }),
        }
    }
}
