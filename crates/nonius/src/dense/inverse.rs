//! Inverses.

use std::time::Duration;

use nonius_linalg::backend::Reading;
use nonius_linalg::dense::gemm::{Arithmetic, Products};
use nonius_linalg::dense::{self, Method, Systems};
use nonius_linalg::{Error, MatRef, Matrix};
use nonius_num::Element;

use crate::backend::{DeviceJob, Fit, Machine, Size};
use crate::device::{Device, Place};
use crate::setters::setters;
use crate::work::Work;
use crate::{Number, Precision};

/// How good an inverse is, and where it was found.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct InverseReport {
    /// Backward error of the columns, by `I − A·X` in higher precision.
    pub relative_residual: Reading,
    /// Estimate of the condition number of `A` in the 1-norm.
    pub condition_estimate: Reading,
    /// Estimate of the largest error of a column of the inverse beside its largest entry; infinite
    /// where nothing is known.
    pub forward_error_estimate: Reading,
    /// Decimal digits of the largest entries of the inverse that should be right.
    pub correct_digits: f64,
    /// The number type.
    pub precision: Precision,
    /// The arithmetic of the sums in products of matrices.
    pub arithmetic: Arithmetic,
    /// Where it was computed.
    pub place: Place,
    /// [`Method::Cholesky`] or [`Method::Lu`].
    pub method: Method,
    /// Additions and multiplications, to leading order: `2·n³`.
    pub operations: f64,
    /// Time for factors and inverse, without a GPU's start.
    pub solve_time: Duration,
    /// Time for the condition and the residual.
    pub check_time: Duration,
}

/// The inverse of a square matrix.
///
/// ```
/// use nonius::prelude::*;
///
/// // The inverse of the Hilbert matrix of order 3 has the first entry 9.
/// let a = Matrix::from_fn(3, 3, |i, j| Qd::ONE / Qd::from((i + j + 1) as f64));
/// let (x, report) = Inverse::new(&a).run()?;
/// assert!((x[(0, 0)] - 9.0).abs().to_f64() < 1e-57);
/// assert!(report.correct_digits > 55.0);
/// # Ok::<(), nonius::dense::Error>(())
/// ```
#[must_use = "an inverse is found by `run`"]
#[derive(Clone, Copy, Debug)]
pub struct Inverse<'a, T: Element> {
    a: MatRef<'a, T>,
    products: Products,
    device: Device,
    /// Bytes for matrices on a device, in place of those that it has.
    pub(super) room: Option<usize>,
}

impl<'a, T: Number> Inverse<'a, T> {
    /// Of the matrix `A`, `n × n`.
    pub fn new(a: impl Into<MatRef<'a, T>>) -> Self {
        let (products, device) = (Products::default(), Device::Auto);
        Self { a: a.into(), products, device, room: None }
    }

    setters!(products);
    setters!(device);

    /// Finds the inverse, `n × n`. Returns it with the report.
    ///
    /// # Errors
    /// As [`dense::inverse_on`]; [`Error::NoRoom`] where memory does not do; [`Error::Device`]
    /// where the device asked for cannot be had or fails.
    pub fn run(self) -> Result<(Matrix<T>, InverseReport), Error> {
        let Self { a, products, device, room } = self;
        products.check::<T>()?;
        let precision = T::precision(a.format());
        // Factors, the inverse, and the identity for its residual.
        crate::room::check::<T>(a.format(), "factors and the inverse", &[a.shape(); 3])?;
        let n = a.rows() as f64;
        let work = Work::new(precision, 2.0 * n * n * n, 2.0 * n * n);
        let inversion = Inversion { a, products, room };
        let ((found, out_of_core), place) = device.share(work, inversion, |job| Ok(*job))?;
        let report = found.report;
        let report = InverseReport {
            correct_digits: report.correct_digits().min(f64::from(precision.digits())),
            relative_residual: report.relative_residual,
            condition_estimate: report.condition_estimate,
            forward_error_estimate: report.forward_error_estimate,
            precision,
            arithmetic: products.arithmetic,
            place: Place { out_of_core, ..place },
            method: report.method,
            operations: work.operations,
            solve_time: report.solve_time,
            check_time: report.check_time,
        };
        Ok((found.x, report))
    }
}

/// Inverts a matrix.
#[derive(Clone, Copy)]
struct Inversion<'a, T: Element> {
    a: MatRef<'a, T>,
    products: Products,
    room: Option<usize>,
}

impl<T, B> DeviceJob<B> for Inversion<'_, T>
where
    T: Number + Systems<B::Dense> + Systems<B::OutOfCore>,
    B: Machine,
{
    type Output = (dense::Inverse<T>, bool);

    fn run(&mut self, backend: &B) -> Result<Self::Output, Error> {
        let &mut Self { a, products, room } = self;
        let size = Size::System { order: a.rows(), columns: a.rows() };
        Ok(match backend.fit::<T>(products, a.format(), size, room)? {
            Fit::InCore(dense) => (<T as Systems<B::Dense>>::inverse(dense, a)?, false),
            Fit::OutOfCore(large) => (<T as Systems<B::OutOfCore>>::inverse(large, a)?, true),
        })
    }
}
