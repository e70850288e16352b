//! Orthogonal factorisation by Householder reflections, and least squares.

mod factor;
mod least_squares;
mod pivot;
mod reflectors;
mod solve;

pub use least_squares::{LeastSquares, LeastSquaresReport, least_squares, least_squares_on};
pub(crate) use reflectors::Reflectors;

use super::Transpose;
use super::residual::largest_exponent;
use crate::backend::{Cpu, Memory, Reflecting, View, ViewMut};
use crate::{Error, MatRef, Matrix, Scalar};

/// `A·P = Q·R` for an `m × n` matrix with `m >= n`: the first `n` columns of an orthogonal matrix, an upper triangular one, and a
/// permutation of columns, which is the identity unless pivoting was asked for.
///
/// Error (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., Theorem 19.4 and section 19.5): there is an exactly
/// orthogonal matrix with which the computed `R` is exact for a matrix of which column `j` is within `c·m·n·u·‖a_j‖₂` of that of `A·P`, and
/// the computed `Q` is within `c·m·n·u` of its columns in norm, where `c·u` bounds the error of one multiplication and addition.
///
/// Columns are scaled by powers of two, so that entries of any size neither overflow nor underflow on the way.
#[derive(Clone, Debug)]
pub struct Qr<T: Scalar, B: Memory<T> = Cpu> {
    backend: B,
    /// `R` with scaled columns on and above the diagonal.
    packed: B::Matrix,
    /// `Q`, block of columns by block.
    blocks: Vec<Block<B::Matrix>>,
    /// Column `j` of `A·P` was divided by two to the power `exponents[j]`.
    exponents: Vec<i32>,
    /// Column `j` of `A·P` is column `order[j]` of `A`.
    order: Vec<usize>,
}

/// Reflections that act on the rows from `start` on.
#[derive(Clone, Debug)]
struct Block<M> {
    start: usize,
    reflectors: Reflectors<M>,
}

impl<T: Scalar> Qr<T, Cpu> {
    /// Factors a matrix with at least as many rows as columns on the host.
    ///
    /// # Errors
    /// [`Error::Shape`] for fewer rows than columns, [`Error::NotFinite`].
    pub fn factor(a: MatRef<'_, T>) -> Result<Self, Error> {
        Self::factor_on(Cpu::default(), a)
    }
}

impl<T: Scalar, B: Reflecting<T>> Qr<T, B> {
    /// [`factor`](Qr::factor) on the backend of one's choice.
    ///
    /// # Errors
    /// As there, and [`Error::NoArithmetic`] where numbers of this type do not have the backend's arithmetic.
    pub fn factor_on(backend: B, a: MatRef<'_, T>) -> Result<Self, Error> {
        check(a)?;
        backend.check_products()?;
        let (m, n) = a.shape();
        let of_column = |j| largest_exponent(MatRef::from_column(a.col(j))).unwrap_or(0);
        let exponents: Vec<i32> = (0..n).map(of_column).collect();
        let scaled = Matrix::from_fn(m, n, |i, j| a.at(i, j).ldexp(-exponents[j]));
        let mut packed = backend.upload(scaled.view());
        drop(scaled);
        let view = backend.view_mut(&mut packed);
        let reflectors = backend.run(|| factor::factor_in_place(&backend, view));
        let place = |(index, reflectors)| Block { start: index * B::TOGETHER, reflectors };
        let blocks = reflectors.into_iter().enumerate().map(place).collect();
        Ok(Self { backend, packed, blocks, exponents, order: (0..n).collect() })
    }

    /// Number of rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        self.backend.view(&self.packed).shape()
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
        let mut r = self.scaled_r()?;
        for (j, &exponent) in self.exponents.iter().enumerate() {
            r.col_mut(j).iter_mut().for_each(|x| *x = x.ldexp(exponent));
        }
        Ok(r)
    }

    /// `R` of the matrix with scaled columns.
    fn scaled_r(&self) -> Result<Matrix<T>, Error> {
        let (_, n) = self.shape();
        let top = self.backend.view(&self.packed).block(0, 0, n, n);
        let packed = self.backend.download(top)?;
        Ok(Matrix::from_fn(n, n, |i, j| if i <= j { packed[(i, j)] } else { T::ZERO }))
    }

    /// `Q`, `m × n` with orthonormal columns.
    ///
    /// # Errors
    /// [`Error::Device`] where the backend failed.
    pub fn q(&self) -> Result<Matrix<T>, Error> {
        let (m, n) = self.shape();
        let unit = Matrix::from_fn(m, n, |i, j| if i == j { T::ONE } else { T::ZERO });
        let mut q = self.backend.upload(unit.view());
        // Columns before a block's first are still unit vectors, which it leaves alone.
        self.backend.run(|| {
            for Block { start, reflectors } in self.blocks.iter().rev() {
                let part = self.backend.view_mut(&mut q);
                let part = part.block_mut(*start, *start, m - start, n - start);
                reflectors.apply(&self.backend, Transpose::No, part);
            }
        });
        self.backend.download(self.backend.view(&q))
    }

    /// `C ← op(Q)·C` for the square `Q`, of which [`q`](Self::q) is the first columns.
    ///
    /// # Errors
    /// [`Error::Shape`] where `C` does not have `m` rows.
    pub fn apply_q(&self, op: Transpose, mut c: B::Mut<'_>) -> Result<(), Error> {
        let ((m, _), (_, cols)) = (self.shape(), c.shape());
        Error::check_shape("c", (m, cols), c.shape())?;
        self.backend.run(|| {
            let mut apply = |block: &Block<B::Matrix>| {
                let rows = c.reborrow().block_mut(block.start, 0, m - block.start, cols);
                block.reflectors.apply(&self.backend, op, rows);
            };
            match op {
                Transpose::Yes => self.blocks.iter().for_each(&mut apply),
                Transpose::No => self.blocks.iter().rev().for_each(&mut apply),
            }
        });
        Ok(())
    }
}

fn check<T: Scalar>(a: MatRef<'_, T>) -> Result<(), Error> {
    let (m, n) = a.shape();
    Error::check_shape("a", (m.max(n), n), (m, n))?;
    Error::check_finite("a", a)
}
