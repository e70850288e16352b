//! Solutions and the condition number from the factors.

use super::{Qr, exponents, scaled};
use crate::backend::{Reading, Reflecting, View, ViewMut};
use crate::dense::condition::{inverse_norm_estimate, size_of_columns};
use crate::dense::trsm::TriangularSystem;
use crate::dense::{Diagonal, Transpose, Triangle};
use crate::{Error, MatRef, Matrix, Number, Size};

impl<T: Number, B: Reflecting<T>> Qr<T, B> {
    /// The `X` that minimises `‖B − A·X‖₂` column by column: `R·PᵀX = QᵀB`.
    ///
    /// Error (Higham 2002, Theorem 20.3): each column is exact for a matrix and a right-hand side
    /// whose columns are within `c·m·n·u` of the given ones in norm. Columns of a zero on the
    /// diagonal of `R` give infinities or NaN.
    ///
    /// # Errors
    /// [`Error::Shape`] where `B` does not have `m` rows, [`Error::Precision`] where it has another
    /// precision than `A`; [`Error::Device`] where the backend failed.
    pub fn solve(&self, b: MatRef<'_, T>) -> Result<Matrix<T>, Error> {
        let (m, n) = self.shape();
        let cols = b.cols();
        Error::check_shape("b", (m, cols), b.shape())?;
        Error::check_format::<T>("b", self.format(), b.format())?;
        let scales = exponents(b);
        let mut y = self.backend.upload(scaled(b, &scales).view());
        self.apply_q(Transpose::Yes, self.backend.view_mut(&mut y))?;
        let top = self.backend.view_mut(&mut y).block_mut(0, 0, n, cols);
        self.solve_triangle(Transpose::No, top);
        let y = self.backend.download(self.backend.view(&y).block(0, 0, n, cols))?;
        let mut x = Matrix::zeros_in(y.format(), n, cols);
        for (j, &scale) in scales.iter().enumerate() {
            for (i, &place) in self.order.iter().enumerate() {
                x.set(place, j, y.at(i, j).ldexp(scale - self.exponents[i]));
            }
        }
        Ok(x)
    }

    /// The shortest `X`, column by column, with `Aᵀ·X = B`: `X = Q·R⁻ᵀPᵀB`.
    ///
    /// Error (Higham 2002, Theorem 21.4): each column is the shortest solution of a system whose
    /// matrix is within `c·m·n·u` of `Aᵀ` in the norm of every row.
    ///
    /// # Errors
    /// [`Error::Shape`] where `B` does not have `n` rows, [`Error::Precision`] where it has another
    /// precision than `A`; [`Error::Device`] where the backend failed.
    pub fn solve_transposed(&self, b: MatRef<'_, T>) -> Result<Matrix<T>, Error> {
        let (m, n) = self.shape();
        let cols = b.cols();
        Error::check_shape("b", (n, cols), b.shape())?;
        Error::check_format::<T>("b", self.format(), b.format())?;
        let entry = |i: usize, j: usize| b.at(self.order[i], j);
        let size = |i: usize, j: usize| Some(entry(i, j).exponent()? - self.exponents[i]);
        let scale = |j: usize| (0..n).filter_map(|i| size(i, j)).max().unwrap_or(0);
        let scales: Vec<i32> = (0..cols).map(scale).collect();
        let scaled = Matrix::from_fn_in(b.format(), m, cols, |i, j| {
            if i < n { entry(i, j).ldexp(-self.exponents[i] - scales[j]) } else { T::ZERO }
        });
        let mut x = self.backend.upload(scaled.view());
        let top = self.backend.view_mut(&mut x).block_mut(0, 0, n, cols);
        self.solve_triangle(Transpose::Yes, top);
        self.apply_q(Transpose::No, self.backend.view_mut(&mut x))?;
        let x = self.backend.download(self.backend.view(&x))?;
        Ok(x.view().scaled(|_, j| scales[j]))
    }

    /// An estimate of the condition `κ₁` of `R`, and so within a factor `n` that of `A` in the
    /// 2-norm, with columns scaled to sizes between 1 and 2 by powers of two. Seldom below a third
    /// of it; of a matrix that is rank deficient to working precision it says only that: about
    /// `1/u` or more.
    pub fn condition_estimate(&self) -> Reading {
        self.condition().into()
    }

    pub(super) fn condition(&self) -> T::Size {
        let n = self.order.len();
        let Ok(r) = self.scaled_r() else { return T::Size::INFINITY };
        let solve = |op, x: &Matrix<T>| self.solve_r(op, x);
        size_of_columns(r.view()) * inverse_norm_estimate(r.format(), n, solve)
    }

    /// `op(R)⁻¹·C` for the scaled `R` and a `C` in the host's memory.
    pub(crate) fn solve_r(&self, op: Transpose, c: &Matrix<T>) -> Result<Matrix<T>, Error> {
        let mut x = self.backend.upload(c.view());
        self.solve_triangle(op, self.backend.view_mut(&mut x));
        self.backend.download(self.backend.view(&x))
    }

    /// `C ← op(R)⁻¹·C` for the scaled `R`.
    pub(crate) fn solve_triangle(&self, op: Transpose, c: B::Mut<'_>) {
        let (_, n) = self.shape();
        let r = self.backend.view(&self.packed).block(0, 0, n, n);
        let system = TriangularSystem::left(Triangle::Upper, op, Diagonal::NonUnit);
        self.backend.run(|| system.solve(&self.backend, T::ONE, r, c));
    }
}
