//! Products of matrices.

use std::borrow::{Borrow, BorrowMut};
use std::time::{Duration, Instant};

use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::{Arithmetic, Products, Report};
use nonius_linalg::{Error, MatRef, Matrix};
use nonius_num::Element;

use super::Operands;
use crate::backend::{DeviceJob, Machine};
use crate::device::{Device, Place};
use crate::setters::setters;
use crate::work::Work;
use crate::{Number, Precision};

/// How a product was computed.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct MultiplyReport {
    /// The engine, and what it took.
    pub route: Report,
    /// The number type.
    pub precision: Precision,
    /// The arithmetic of the direct engine's sums.
    pub arithmetic: Arithmetic,
    /// Where it was computed.
    pub place: Place,
    /// Additions and multiplications: two for each of the terms.
    pub operations: f64,
    /// Time of the product itself, on a GPU with that of the matrices' way there and back.
    pub time: Duration,
}

/// The product `alpha · op(A) · op(B) + beta · C`, each `op` nothing or the transpose.
///
/// ```
/// use nonius::prelude::*;
///
/// // aᵀ·b for columns whose products cancel; `f64` would give 0.
/// let a = matrix![[1e30], [1.0], [-1e30]].map(Qd::from);
/// let b = Matrix::from_fn(3, 1, |_, _| Qd::ONE);
/// let (c, report) = Multiply::new(&a, &b).transpose_a(Transpose::Yes).run()?;
/// assert!((c[(0, 0)] - 1.0).abs().to_f64() < 1e-30);
/// assert_eq!(report.place.device, Device::Cpu);
/// // The same is an operator, on this machine's processor.
/// assert_eq!(&a.transposed() * &b, c);
/// # Ok::<(), nonius::dense::Error>(())
/// ```
#[must_use = "a product is computed by `run`"]
#[derive(Clone, Debug)]
pub struct Multiply<'a, T: Element> {
    operands: Operands<'a, T>,
    added: Option<(T, Matrix<T>)>,
    products: Products,
    device: Device,
    /// Bytes for matrices on a device, in place of those that it has.
    pub(super) room: Option<usize>,
}

impl<'a, T: Number> Multiply<'a, T> {
    /// `A·B`.
    pub fn new(a: impl Into<MatRef<'a, T>>, b: impl Into<MatRef<'a, T>>) -> Self {
        let (transpose_a, transpose_b) = (Transpose::No, Transpose::No);
        let (a, b) = (a.into(), b.into());
        let operands = Operands { a, transpose_a, b, transpose_b, alpha: T::ONE };
        let (products, device) = (Products::default(), Device::Auto);
        Self { operands, added: None, products, device, room: None }
    }

    /// Whether `A` is transposed.
    pub fn transpose_a(mut self, transpose: Transpose) -> Self {
        self.operands.transpose_a = transpose;
        self
    }

    /// Whether `B` is transposed.
    pub fn transpose_b(mut self, transpose: Transpose) -> Self {
        self.operands.transpose_b = transpose;
        self
    }

    /// The factor of the product, 1 by default.
    pub fn alpha(mut self, alpha: T) -> Self {
        self.operands.alpha = alpha;
        self
    }

    /// Adds `beta · C`.
    pub fn plus(mut self, beta: T, c: Matrix<T>) -> Self {
        self.added = Some((beta, c));
        self
    }

    setters!(products);
    setters!(device);

    /// Computes the product. Returns it with the report.
    ///
    /// # Errors
    /// [`Error::Shape`] where the shapes do not fit, [`Error::Precision`] where the precisions do
    /// not, [`Error::NoArithmetic`] where `T` has no such arithmetic, [`Error::Overflow`] where the
    /// result leaves the range of the numbers, [`Error::NotFinite`] where an entry of `A` or `B`
    /// that is infinite or NaN makes one of the result that, [`Error::NoRoom`] and
    /// [`Error::TooLarge`] where the result does not fit into memory, [`Error::Device`] where the
    /// device asked for cannot be had or fails.
    pub fn run(self) -> Result<(Matrix<T>, MultiplyReport), Error> {
        let Self { operands, added, products, device, room } = self;
        // Before the device: what is asked for cannot be had on any.
        products.check::<T>()?;
        let format = operands.a.format();
        let [m, n, k] = operands.sizes();
        let (beta, mut c) = match added {
            Some(added) => added,
            None => {
                crate::room::check::<T>(format, &format!("the product of {m} × {n}"), &[(m, n)])?;
                (T::ZERO, Matrix::try_zeros_in(format, m, n)?)
            }
        };
        let (rows, columns, terms) = (m as f64, n as f64, k as f64);
        let work = Work::new(
            T::precision(format),
            2.0 * rows * columns * terms,
            rows * terms + terms * columns + 2.0 * rows * columns,
        );
        let job = Multiplication { products, operands: &operands, beta, c: &mut c, room };
        let ((time, route, out_of_core), place) =
            device.share(work, job, Multiplication::for_another)?;
        check_range(&operands, &c)?;
        let report = MultiplyReport {
            route,
            precision: work.precision,
            arithmetic: products.arithmetic,
            place: Place { out_of_core, ..place },
            operations: work.operations,
            time,
        };
        Ok((c, report))
    }
}

/// Multiplies, and measures the time.
struct Multiplication<'a, 'b, T: Number, C> {
    products: Products,
    operands: &'a Operands<'b, T>,
    beta: T,
    c: C,
    room: Option<usize>,
}

impl<'a, 'b, T: Number, C: Borrow<Matrix<T>>> Multiplication<'a, 'b, T, C> {
    /// The same with a result of its own.
    fn for_another(&self) -> Result<Multiplication<'a, 'b, T, Matrix<T>>, Error> {
        let given = self.c.borrow();
        let mut c = Matrix::try_zeros_in(given.format(), given.rows(), given.cols())?;
        if self.beta != T::ZERO {
            c.view_mut().copy_from(given.view());
        }
        let &Self { products, operands, beta, room, .. } = self;
        Ok(Multiplication { products, operands, beta, c, room })
    }
}

impl<T: Number, C: BorrowMut<Matrix<T>>, B: Machine> DeviceJob<B> for Multiplication<'_, '_, T, C> {
    type Output = (Duration, Report, bool);

    fn run(&mut self, backend: &B) -> Result<Self::Output, Error> {
        let start = Instant::now();
        let &mut Self { products, operands, beta, ref mut c, room } = self;
        let c = c.borrow_mut();
        let (report, out_of_core) = backend.multiply(products, operands, beta, c, room)?;
        Ok((start.elapsed(), report, out_of_core))
    }
}

/// `Ok` where all entries of a result are finite; else why not.
fn check_range<T: Number>(operands: &Operands<'_, T>, c: &Matrix<T>) -> Result<(), Error> {
    let Some((_, column)) = not_finite(c.view()) else { return Ok(()) };
    for (operand, matrix) in [("a", operands.a), ("b", operands.b)] {
        if let Some((row, col)) = not_finite(matrix) {
            return Err(Error::NotFinite { operand, row, col });
        }
    }
    Err(Error::Overflow { operand: "the product", column })
}

/// The place of the first entry that is infinite or NaN.
fn not_finite<T: Number>(matrix: MatRef<'_, T>) -> Option<(usize, usize)> {
    let (rows, cols) = matrix.shape();
    // Columns without entries may be any number.
    let cols = if rows == 0 { 0 } else { cols };
    let bad = |j: &usize| !T::are_finite(matrix.column(*j));
    let j = (0..cols).find(bad)?;
    Some(((0..rows).find(|&i| !matrix.at(i, j).is_finite())?, j))
}
