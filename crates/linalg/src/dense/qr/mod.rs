//! Orthogonal factorisation by Householder reflections, and least squares.

mod error;
mod factor;
mod least_squares;
mod pivot;
mod reflectors;
mod solve;

pub(crate) use least_squares::check_rank;
pub use least_squares::{LeastSquares, LeastSquaresReport, least_squares, least_squares_on};
pub(crate) use reflectors::{Blocks, Reflectors};

use super::{Transpose, Triangle};
use crate::backend::{Cpu, Memory, Rearrange, Reflecting, View, ViewMut};
use crate::{Error, MatRef, Matrix, Number};

/// QR factors of an `m × n` matrix with `m >= n`, `A·P = Q·R`.
///
/// `Q` has the first `n` columns of an orthogonal matrix, `R` is an upper triangle. The permutation
/// `P` of columns is the identity unless pivoting was asked for.
///
/// Error (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., Theorem 19.4 and
/// section 19.5): there is an exactly orthogonal matrix with which the computed `R` is exact for a
/// matrix of which column `j` is within `c·m·n·u·‖a_j‖₂` of that of `A·P`, and the computed `Q` is
/// within `c·m·n·u` of its columns in norm, where `c·u` bounds the error of one multiplication and
/// addition.
///
/// Columns are scaled by powers of two, so that entries of any size neither overflow nor underflow
/// on the way.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::dense::Qr;
/// use nonius_num::Dd;
///
/// let a = Matrix::from_fn(3, 2, |i, j| Dd::from([[3.0, 1.0], [0.0, 2.0], [4.0, 3.0]][i][j]));
/// let qr = Qr::factor(a.view())?;
/// let (q, r) = (qr.q()?, qr.r()?);
/// // The first column of A has the length 5.
/// assert!((r[(0, 0)].abs() - 5.0).abs().to_f64() < 1e-29);
/// assert!((q[(0, 0)] * r[(0, 0)] - 3.0).abs().to_f64() < 1e-29);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Qr<T: Number, B: Memory<T> = Cpu> {
    backend: B,
    /// `R` with scaled columns on and above the diagonal.
    packed: B::Matrix,
    q: Blocks<B::Matrix>,
    /// Column `j` of `A·P` was divided by two to the power `exponents[j]`.
    exponents: Vec<i32>,
    /// Column `j` of `A·P` is column `order[j]` of `A`.
    order: Vec<usize>,
}

impl<T: Number> Qr<T, Cpu> {
    /// Factors a matrix with at least as many rows as columns on the host.
    ///
    /// # Errors
    /// [`Error::Shape`] for fewer rows than columns, [`Error::NotFinite`].
    pub fn factor(a: MatRef<'_, T>) -> Result<Self, Error> {
        Self::factor_on(Cpu::default(), a)
    }
}

impl<T: Number, B: Reflecting<T>> Qr<T, B> {
    /// [`factor`](Qr::factor) on the backend of one's choice.
    ///
    /// # Errors
    /// As there, and [`Error::NoArithmetic`] where numbers of this type do not have the backend's
    /// arithmetic.
    pub fn factor_on(backend: B, a: MatRef<'_, T>) -> Result<Self, Error> {
        check(a)?;
        backend.check_products()?;
        let exponents = exponents(a);
        let packed = backend.upload(scaled(a, &exponents).view());
        Ok(Self { exponents, ..Self::new(backend, packed)? })
    }

    /// Factors a matrix of a backend with at least as many rows as columns, in its place. The sizes
    /// of its columns are neither so large that their squares overflow nor so small that these
    /// underflow.
    ///
    /// # Errors
    /// [`Error::Shape`] for fewer rows than columns; [`Error::NoArithmetic`] where numbers of this
    /// type do not have the backend's arithmetic.
    pub fn new(backend: B, mut packed: B::Matrix) -> Result<Self, Error> {
        backend.check_products()?;
        let (m, n) = backend.view(&packed).shape();
        Error::check_shape("a", (m.max(n), n), (m, n))?;
        let view = backend.view_mut(&mut packed);
        let q = backend.run(|| factor::factor_in_place(&backend, view));
        Ok(Self { backend, packed, q, exponents: vec![0; n], order: (0..n).collect() })
    }

    /// Number of rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        self.backend.view(&self.packed).shape()
    }

    /// The format of the entries.
    fn format(&self) -> T::Format {
        self.backend.view(&self.packed).format()
    }

    /// Column `j` of `A·P` is column `order()[j]` of `A`.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// `R`, square and upper triangular.
    ///
    /// # Errors
    /// [`Error::Device`] where the backend failed.
    pub fn r(&self) -> Result<Matrix<T>, Error> {
        Ok(self.scaled_r()?.view().scaled(|_, j| self.exponents[j]))
    }

    /// `R` of the matrix with scaled columns, in the backend's memory.
    pub(crate) fn r_on(&self) -> B::Matrix
    where
        B: Rearrange<T>,
    {
        let (_, n) = self.shape();
        let top = self.backend.view(&self.packed).block(0, 0, n, n);
        self.backend.triangle_of(Triangle::Upper, top)
    }

    /// `R` of the matrix with scaled columns.
    fn scaled_r(&self) -> Result<Matrix<T>, Error> {
        let (_, n) = self.shape();
        let top = self.backend.view(&self.packed).block(0, 0, n, n);
        let packed = self.backend.download(top)?;
        let entry = |i, j| if i <= j { packed.at(i, j) } else { T::ZERO };
        Ok(Matrix::from_fn_in(packed.format(), n, n, entry))
    }

    /// `Q`, `m × n` with orthonormal columns.
    ///
    /// # Errors
    /// [`Error::Device`] where the backend failed.
    pub fn q(&self) -> Result<Matrix<T>, Error> {
        self.backend.download(self.backend.view(&self.q_on()))
    }

    /// `Q` in the backend's memory.
    pub(crate) fn q_on(&self) -> B::Matrix {
        let (m, n) = self.shape();
        self.q.columns(&self.backend, self.format(), m, n)
    }

    /// `C ← op(Q)·C` for the square `Q`, of which [`q`](Self::q) is the first columns.
    ///
    /// # Errors
    /// [`Error::Shape`] where `C` does not have `m` rows, [`Error::Precision`] where it has another
    /// precision than `A`.
    pub fn apply_q(&self, op: Transpose, c: B::Mut<'_>) -> Result<(), Error> {
        let ((m, _), (_, cols)) = (self.shape(), c.shape());
        Error::check_shape("c", (m, cols), c.shape())?;
        Error::check_format::<T>("c", self.format(), c.format())?;
        self.q.apply(&self.backend, op, c);
        Ok(())
    }
}

/// Exponents of the largest entries of the columns; 0 for columns of zeros.
fn exponents<T: Number>(a: MatRef<'_, T>) -> Vec<i32> {
    let of_column = |j| T::largest_exponent(a.column(j)).unwrap_or(0);
    (0..a.cols()).map(of_column).collect()
}

/// The matrix with columns divided by two to these powers.
fn scaled<T: Number>(a: MatRef<'_, T>, exponents: &[i32]) -> Matrix<T> {
    a.scaled(|_, j| -exponents[j])
}

fn check<T: Number>(a: MatRef<'_, T>) -> Result<(), Error> {
    let (m, n) = a.shape();
    Error::check_shape("a", (m.max(n), n), (m, n))?;
    Error::check_finite("a", a)
}
