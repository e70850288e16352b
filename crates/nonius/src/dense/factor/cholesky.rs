//! Cholesky factors.

use nonius_linalg::dense::Triangle;
use nonius_linalg::dense::gemm::Products;
use nonius_linalg::{Error, MatRef, Matrix};
use nonius_num::Element;

use super::compiled::Factors;
use super::report::{FactorReport, Timed, reported, timed};
use crate::backend::{Backend, DeviceJob};
use crate::device::Device;
use crate::setters::setters;
use crate::work::Work;
use crate::{Number, room};

/// The lower Cholesky factor of a symmetric positive definite matrix, `A = L·Lᵀ`, as a matrix.
/// [`Cholesky`](super::super::Cholesky) keeps it for later right-hand sides.
///
/// ```
/// use nonius::dense::CholeskyFactor;
/// use nonius::prelude::*;
///
/// let a = matrix![[4.0, 2.0], [2.0, 10.0]];
/// let (lower, _) = CholeskyFactor::new(&a).run()?;
/// assert_eq!(lower, matrix![[2.0, 0.0], [1.0, 3.0]]);
/// # Ok::<(), nonius::dense::Error>(())
/// ```
#[must_use = "a factor is found by `run`"]
#[derive(Clone, Copy, Debug)]
pub struct CholeskyFactor<'a, T: Element> {
    a: MatRef<'a, T>,
    triangle: Triangle,
    products: Products,
    device: Device,
}

impl<'a, T: Number> CholeskyFactor<'a, T> {
    /// Of the symmetric matrix `A`, `n × n`, of which only the lower triangle is read.
    pub fn new(a: impl Into<MatRef<'a, T>>) -> Self {
        let (triangle, products) = (Triangle::Lower, Products::default());
        Self { a: a.into(), triangle, products, device: Device::Auto }
    }

    /// The triangle that is read; the other one is taken for its transpose.
    pub fn triangle(mut self, triangle: Triangle) -> Self {
        self.triangle = triangle;
        self
    }

    setters!(products);
    setters!(device);

    /// Finds `L`. Returns it with the report.
    ///
    /// # Errors
    /// [`Error::NotSquare`]; [`Error::NotFinite`] for an entry of the triangle;
    /// [`Error::NotPositiveDefinite`] for a pivot that is not positive, [`Error::Overflow`] for one
    /// that is not finite; [`Error::NoRoom`] where memory does not do; [`Error::Device`] where the
    /// device asked for cannot be had or fails.
    pub fn run(self) -> Result<(Matrix<T>, FactorReport), Error> {
        let Self { a, triangle, products, device } = self;
        products.check::<T>()?;
        Error::check_square(a.shape())?;
        // The triangle, the matrix for its norm, the packed factor, and the factor.
        room::check::<T>(a.format(), "the factor", &[a.shape(); 4])?;
        let n = a.rows();
        for col in 0..n {
            let mut rows = (0..n).filter(|&row| triangle.contains(row, col));
            if let Some(row) = rows.find(|&row| !a.at(row, col).is_finite()) {
                return Err(Error::NotFinite { operand: "a", row, col });
            }
        }
        let lower = Matrix::from_fn_in(a.format(), n, n, |i, j| match triangle {
            _ if i < j => T::ZERO,
            Triangle::Lower => a.at(i, j),
            Triangle::Upper => a.at(j, i),
        });
        let order = n as f64;
        let operations = order * order * order / 3.0;
        let work = Work::new(T::precision(a.format()), operations, 2.0 * order * order);
        let (found, place) = device.run(work, Elimination { lower, products })?;
        Ok(reported(found, place, work, products))
    }
}

struct Elimination<T: Element> {
    lower: Matrix<T>,
    products: Products,
}

impl<T: Number + Factors<B>, B: Backend> DeviceJob<B> for Elimination<T> {
    type Output = Timed<Matrix<T>>;

    fn run(&mut self, backend: &B) -> Result<Self::Output, Error> {
        timed(|| {
            let backend = backend.multiplying(self.products);
            let (factor, condition) = T::cholesky(backend, self.lower.view())?;
            Ok((factor, Some(condition)))
        })
    }
}
