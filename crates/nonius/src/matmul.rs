//! The job of a matrix product: runs it, times it, and says what was done.

use std::time::Instant;

use nonius_linalg::dense::gemm::{Arithmetic, Products, Report};
use nonius_linalg::sparse::matrix_market::Dense;
use nonius_linalg::{Error, Matrix};

use crate::backend::{Backend, DeviceJob};
use crate::work::Work;
use crate::{Device, Matmul, Number, Place, Precision, room};

/// How a product was computed, and in what time.
#[derive(Clone, Debug, PartialEq)]
pub struct MatmulReport {
    /// Time of the product itself, on a GPU with that of the matrices' way there and back.
    pub seconds: f64,
    /// Billions of additions and multiplications a second, two for each of the terms.
    pub gflops: f64,
    /// The number type.
    pub precision: Precision,
    /// The arithmetic of the direct engine's sums.
    pub arithmetic: Arithmetic,
    /// Where it was computed.
    pub place: Place,
    /// How it was computed.
    pub product: Report,
}

/// Adds a product to `beta · c`, or where there is no such matrix, yields the product alone.
///
/// ```
/// use nonius::linalg::dense::Transpose;
/// use nonius::linalg::dense::gemm::Products;
/// use nonius::{Device, Matmul, Matrix, Qd, matmul};
///
/// // aᵀ·b for columns whose products cancel; `f64` would give 0.
/// let a = Matrix::from_fn(3, 1, |i, _| Qd::from([1e30, 1.0, -1e30][i]));
/// let b = Matrix::from_fn(3, 1, |_, _| Qd::ONE);
/// let (transpose_a, transpose_b) = (Transpose::Yes, Transpose::No);
/// let product = Matmul { a: &a, transpose_a, b: &b, transpose_b, alpha: Qd::ONE };
/// let (c, report) = matmul(product, None, Products::default(), Device::Cpu)?;
/// assert!((c[(0, 0)] - 1.0).abs().to_f64() < 1e-30);
/// assert_eq!(report.place.device, Device::Cpu);
/// # Ok::<(), nonius::linalg::Error>(())
/// ```
///
/// # Errors
/// [`Error::Shape`] where the shapes do not fit, [`Error::Precision`] where the precisions do not,
/// [`Error::NoArithmetic`] where `T` has no such arithmetic, [`Error::Overflow`] where it leaves
/// the range of the numbers, [`Error::NotFinite`] where an entry of `A` or `B` that is infinite or
/// NaN makes one of the result that, [`Error::TooLarge`] where the result does not fit into memory,
/// [`Error::Device`] where the device asked for cannot be had or fails.
pub fn matmul<T: Number>(
    product: Matmul<'_, T>,
    added: Option<(T, Matrix<T>)>,
    products: Products,
    device: Device,
) -> Result<(Matrix<T>, MatmulReport), Error> {
    // Before the device: what is asked for cannot be had on any.
    products.check::<T>()?;
    let format = product.a.format();
    let (m, k) = product.transpose_a.shape(product.a.shape());
    let (_, n) = product.transpose_b.shape(product.b.shape());
    let (beta, mut c) = match added {
        Some(added) => added,
        None => {
            room::check::<T>(format, &format!("the product of {m} × {n}"), &[(m, n)])?;
            (T::ZERO, Matrix::try_zeros_in(format, m, n)?)
        }
    };
    let (rows, columns, terms) = (m as f64, n as f64, k as f64);
    let work = Work::new(
        T::precision(format),
        2.0 * rows * columns * terms,
        rows * terms + terms * columns + 2.0 * rows * columns,
    );
    let job = Multiplication { products, product: &product, beta, c: &mut c };
    let ((seconds, report), place) = device.run(work, job)?;
    check_range(&product, &c)?;
    let report = MatmulReport {
        seconds,
        gflops: work.operations / seconds / 1e9,
        precision: work.precision,
        arithmetic: products.arithmetic,
        place,
        product: report,
    };
    Ok((c, report))
}

/// Multiplies, in so many seconds.
struct Multiplication<'a, 'b, T: Number> {
    products: Products,
    product: &'a Matmul<'b, T>,
    beta: T,
    c: &'a mut Matrix<T>,
}

impl<T: Number, B: Backend> DeviceJob<B> for Multiplication<'_, '_, T> {
    type Output = (f64, Report);

    fn run(&mut self, backend: &B) -> Result<(f64, Report), Error> {
        let start = Instant::now();
        let report = backend.multiply(self.products, self.product, self.beta, self.c)?;
        Ok((start.elapsed().as_secs_f64(), report))
    }
}

/// `Ok` where all entries of a result are finite; else why not.
fn check_range<T: Number>(product: &Matmul<'_, T>, c: &Matrix<T>) -> Result<(), Error> {
    let Some((_, column)) = not_finite(c) else { return Ok(()) };
    for (operand, matrix) in [("a", product.a), ("b", product.b)] {
        if let Some((row, col)) = not_finite(matrix) {
            return Err(Error::NotFinite { operand, row, col });
        }
    }
    Err(Error::Overflow { operand: "the product", column })
}

/// The place of the first entry that is infinite or NaN.
fn not_finite(matrix: &impl Dense) -> Option<(usize, usize)> {
    let (rows, cols) = matrix.shape();
    // Columns without entries may be any number.
    let cols = if rows == 0 { 0 } else { cols };
    (0..cols).find_map(|j| Some(((0..rows).find(|&i| !matrix.is_finite(i, j))?, j)))
}
