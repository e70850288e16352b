//! LU factors.

use nonius_linalg::dense::gemm::Products;
use nonius_linalg::{Error, MatRef};
use nonius_num::Element;

use super::compiled::Factors;
use super::found::Triangles;
use super::report::{FactorReport, Timed, reported, timed};
use crate::backend::{Backend, DeviceJob};
use crate::device::Device;
use crate::setters::setters;
use crate::work::Work;
use crate::{Number, room};

/// LU factors of a square matrix, as matrices. [`Lu`](super::super::Lu) keeps them for later
/// right-hand sides.
///
/// ```
/// use nonius::dense::LuFactors;
/// use nonius::prelude::*;
///
/// let a = matrix![[0.0, 2.0], [4.0, 1.0]];
/// let (found, report) = LuFactors::new(&a).run()?;
/// assert_eq!(found.lower, matrix![[1.0, 0.0], [0.0, 1.0]]);
/// assert_eq!(found.upper, matrix![[4.0, 1.0], [0.0, 2.0]]);
/// assert_eq!(found.rows(), [1, 0]);
/// assert!(report.condition_estimate.unwrap() < 5.0);
/// # Ok::<(), nonius::dense::Error>(())
/// ```
#[must_use = "factors are found by `run`"]
#[derive(Clone, Copy, Debug)]
pub struct LuFactors<'a, T: Element> {
    a: MatRef<'a, T>,
    products: Products,
    device: Device,
}

impl<'a, T: Number> LuFactors<'a, T> {
    /// Of the matrix `A`, `n × n`.
    pub fn new(a: impl Into<MatRef<'a, T>>) -> Self {
        Self { a: a.into(), products: Products::default(), device: Device::Auto }
    }

    setters!(products);
    setters!(device);

    /// Finds the factors. Returns them with the report.
    ///
    /// # Errors
    /// [`Error::NotSquare`], [`Error::NotFinite`], [`Error::Singular`] where no pivot is left,
    /// [`Error::Overflow`] where one is not finite; [`Error::NoRoom`] where memory does not do;
    /// [`Error::Device`] where the device asked for cannot be had or fails.
    pub fn run(self) -> Result<(Triangles<T>, FactorReport), Error> {
        let Self { a, products, device } = self;
        products.check::<T>()?;
        Error::check_square(a.shape())?;
        Error::check_finite("a", a)?;
        // The packed factors, a copy of them, and both triangles.
        room::check::<T>(a.format(), "the factors", &[a.shape(); 4])?;
        let n = a.rows() as f64;
        let work = Work::new(T::precision(a.format()), 2.0 / 3.0 * n * n * n, 2.0 * n * n);
        let (found, place) = device.run(work, Elimination { a, products })?;
        Ok(reported(found, place, work, products))
    }
}

struct Elimination<'a, T: Element> {
    a: MatRef<'a, T>,
    products: Products,
}

impl<T: Number + Factors<B>, B: Backend> DeviceJob<B> for Elimination<'_, T> {
    type Output = Timed<Triangles<T>>;

    fn run(&mut self, backend: &B) -> Result<Self::Output, Error> {
        timed(|| {
            let (found, condition) = T::lu(backend.multiplying(self.products), self.a)?;
            Ok((found, Some(condition)))
        })
    }
}
