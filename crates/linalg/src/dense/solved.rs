//! A solution of `A·X = B` with the factors that it was found by, and what they say of it.

use std::time::{Duration, Instant};

use super::balance::{Balanced, Rights};
use super::factors::Factors;
use super::forward::{Quality, quality};
use super::{Method, Report};
use crate::backend::{Dense, Reading};
use crate::{Error, MatRef, Matrix, Number};

/// A solution, balanced matrix and factors, and why Cholesky factors were given up.
pub(super) struct Solved<'a, T: Number, B: Dense<T>> {
    pub(super) x: Matrix<T>,
    balanced: Balanced<'a, T>,
    factors: Factors<T, B>,
    rejected: Option<Error>,
    kept: Option<Kept<T, B>>,
}

/// The balanced system in the memory of a backend that judges its solution.
struct Kept<T: Number, B: Dense<T>> {
    backend: B,
    a: B::Matrix,
    x: B::Matrix,
    /// `None` for the identity.
    b: Option<B::Matrix>,
}

impl<T: Number, B: Dense<T>> Kept<T, B> {
    fn largest_residuals(&self) -> Result<Option<Vec<Reading>>, Error> {
        let view = |matrix| self.backend.view(matrix);
        self.backend.largest_residuals(view(&self.a), view(&self.x), self.b.as_ref().map(view))
    }
}

impl<'a, T: Number, B: Dense<T>> Solved<'a, T, B> {
    /// The solution by a method, in which all is finite.
    pub(super) fn by(
        backend: &B,
        a: MatRef<'a, T>,
        b: Rights<'a, T>,
        method: Method,
    ) -> Result<Self, Error> {
        match method {
            Method::GaussJordan | Method::Lu => {
                Self::at_any_sizes(a, b, |balanced| Self::of(backend, balanced, method))
            }
            Method::Cholesky => {
                check_symmetric(a)?;
                Self::of(&backend.for_cholesky(), Balanced::symmetric(a, b), method)
            }
            Method::Auto if check_symmetric(a).is_ok() && has_positive_diagonal(a) => {
                match Self::by(backend, a, b, Method::Cholesky) {
                    Err(error @ Error::NotPositiveDefinite { .. }) => {
                        let found = Self::by(backend, a, b, Method::Lu)?;
                        Ok(Self { rejected: Some(error), ..found })
                    }
                    found => found,
                }
            }
            Method::Auto => Self::by(backend, a, b, Method::Lu),
        }
    }

    /// Where rounding errors leave no pivot, or no unknown in the range, others may do with rows
    /// and columns of other sizes.
    fn at_any_sizes(
        a: MatRef<'a, T>,
        b: Rights<'a, T>,
        solve: impl Fn(Balanced<'a, T>) -> Result<Self, Error>,
    ) -> Result<Self, Error> {
        let error = match solve(Balanced::general(a, b)) {
            Err(error @ (Error::Singular { .. } | Error::Overflow { .. })) => error,
            found => return found,
        };
        match solve(Balanced::of_one_size(a, b)) {
            Err(Error::Singular { .. } | Error::Overflow { .. }) => Err(error),
            found => found,
        }
    }

    fn of(backend: &B, balanced: Balanced<'a, T>, method: Method) -> Result<Self, Error> {
        let (n, columns) = balanced.b().shape();
        let inverse = balanced.is_inverse();
        let a = backend.upload(balanced.a());
        let mut x = if inverse {
            backend.identity(balanced.a().format(), n, n)
        } else {
            backend.upload(balanced.b())
        };
        let kept = backend.judges(balanced.a().format(), n, columns).then(|| {
            let copy = |matrix| backend.copy_of(backend.view(matrix));
            (copy(&a), (!inverse).then(|| copy(&x)))
        });
        let factors = Factors::solving(method, backend, &balanced, a, &mut x)?;
        if inverse && method == Method::Cholesky {
            // Rounding errors of either triangle are independent.
            backend.mirror_lower(backend.view_mut(&mut x));
        }
        let y = backend.download(backend.view(&x))?;
        let kept = kept.map(|(a, b)| Kept { backend: backend.clone(), a, x, b });
        Self { x: balanced.solution(y), balanced, factors, rejected: None, kept }.in_range()
    }

    /// The method that found it.
    pub(super) fn method(&self) -> Method {
        self.factors.method()
    }

    /// How good the solution is, found in so much time.
    pub(super) fn report(
        &self,
        a: MatRef<'_, T>,
        b: MatRef<'_, T>,
        solve_time: Duration,
    ) -> Result<Report, Error> {
        let start = Instant::now();
        let Quality { relative_residual, condition, forward_error } = quality(
            (a, &self.x, b),
            &self.balanced,
            || self.kept.as_ref().map_or(Ok(None), Kept::largest_residuals),
            |op, b| self.factors.solve(op, b.view()),
        )?;
        Ok(Report {
            method: self.method(),
            rejected: self.rejected.clone(),
            relative_residual,
            condition_estimate: condition,
            forward_error_estimate: forward_error,
            solve_time,
            check_time: start.elapsed(),
        })
    }

    /// `Ok` where the solution is in the range of the format.
    fn in_range(self) -> Result<Self, Error> {
        match Error::check_finite("x", self.x.view()) {
            Err(Error::NotFinite { col, .. }) => Err(Error::Overflow { operand: "x", column: col }),
            _ => Ok(self),
        }
    }
}

/// `Ok` where every entry below the diagonal equals its mirror image; else the first that does not.
pub(super) fn check_symmetric<T: Number>(a: MatRef<'_, T>) -> Result<(), Error> {
    let first = (0..a.cols()).find_map(|col| {
        let row = (col + 1..a.rows()).find(|&row| a.at(row, col) != a.at(col, row))?;
        Some(Error::NotSymmetric { row, col })
    });
    first.map_or(Ok(()), Err)
}

fn has_positive_diagonal<T: Number>(a: MatRef<'_, T>) -> bool {
    (0..a.rows()).all(|j| a.at(j, j) > T::ZERO)
}
