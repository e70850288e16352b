//! QR factors.

use nonius_linalg::dense::gemm::Products;
use nonius_linalg::{Error, MatRef};
use nonius_num::Element;

use super::compiled::Factors;
use super::found::{Orthogonal, QColumns};
use super::report::{FactorReport, Timed, reported, timed};
use crate::backend::{Backend, DeviceJob};
use crate::device::Device;
use crate::setters::setters;
use crate::work::Work;
use crate::{Number, room};

/// QR factors of a matrix of any shape, as matrices. [`Qr`](super::super::Qr) keeps them for later
/// right-hand sides, and states the error.
///
/// ```
/// use nonius::dense::QrFactors;
/// use nonius::prelude::*;
///
/// let a = Matrix::from_fn(3, 2, |i, j| Dd::from([[3.0, 1.0], [0.0, 2.0], [4.0, 3.0]][i][j]));
/// let (found, _) = QrFactors::new(&a).run()?;
/// // The first column of A has the length 5.
/// assert!((found.r[(0, 0)].abs() - 5.0).abs().to_f64() < 1e-29);
/// assert_eq!(found.q.unwrap().shape(), (3, 2));
/// # Ok::<(), nonius::dense::Error>(())
/// ```
#[must_use = "factors are found by `run`"]
#[derive(Clone, Copy, Debug)]
pub struct QrFactors<'a, T: Element> {
    a: MatRef<'a, T>,
    columns: QColumns,
    products: Products,
    device: Device,
}

impl<'a, T: Number> QrFactors<'a, T> {
    /// Of the matrix `A`, `m × n`.
    pub fn new(a: impl Into<MatRef<'a, T>>) -> Self {
        let (columns, products) = (QColumns::Reduced, Products::default());
        Self { a: a.into(), columns, products, device: Device::Auto }
    }

    /// Which columns of `Q` to find.
    pub fn columns(mut self, columns: QColumns) -> Self {
        self.columns = columns;
        self
    }

    setters!(products);
    setters!(device);

    /// Finds the factors. Returns them with the report.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::Overflow`] where an entry of `R` leaves the range;
    /// [`Error::NoRoom`] where memory does not do; [`Error::Device`] where the device asked for
    /// cannot be had or fails.
    pub fn run(self) -> Result<(Orthogonal<T>, FactorReport), Error> {
        let Self { a, columns, products, device } = self;
        products.check::<T>()?;
        Error::check_finite("a", a)?;
        let (rows, cols) = a.shape();
        let q_cols = match columns {
            QColumns::None => 0,
            QColumns::Reduced => rows.min(cols),
            QColumns::Complete => rows,
        };
        // Packed factors with their reflections, R, and Q on its way to the host.
        let (shape, q) = (a.shape(), (rows, q_cols));
        room::check::<T>(a.format(), "the factors", &[shape, shape, shape, q, q])?;
        let (m, n) = (rows.max(cols) as f64, rows.min(cols) as f64);
        let of_q = if q_cols == 0 { 1.0 } else { 2.0 };
        let operations = of_q * 2.0 * n * n * (m - n / 3.0);
        let work = Work::new(T::precision(a.format()), operations, 2.0 * m * n);
        let (found, place) = device.run(work, Reflection { a, columns, products })?;
        Ok(reported(found, place, work, products))
    }
}

struct Reflection<'a, T: Element> {
    a: MatRef<'a, T>,
    columns: QColumns,
    products: Products,
}

impl<T: Number + Factors<B>, B: Backend> DeviceJob<B> for Reflection<'_, T> {
    type Output = Timed<Orthogonal<T>>;

    fn run(&mut self, backend: &B) -> Result<Self::Output, Error> {
        let backend = backend.multiplying(self.products);
        timed(|| Ok((T::qr(backend, self.a, self.columns)?, None)))
    }
}
