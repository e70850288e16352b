//! Solutions and the condition number from the factors.

use super::Qr;
use crate::backend::{Reflecting, View, ViewMut};
use crate::dense::condition::{inverse_norm_estimate, norm_one};
use crate::dense::residual::largest_exponent;
use crate::dense::trsm::TriangularSystem;
use crate::dense::{Diagonal, Transpose, Triangle};
use crate::scalar::exponent;
use crate::{Error, MatRef, Matrix, Scalar};

impl<T: Scalar, B: Reflecting<T>> Qr<T, B> {
    /// The `X` that minimises `‖B − A·X‖₂` column by column: `R·PᵀX = QᵀB`.
    ///
    /// Error (Higham 2002, Theorem 20.3): each column is exact for a matrix and a right-hand side whose columns are within `c·m·n·u` of
    /// the given ones in norm. Columns of a zero on the diagonal of `R` give infinities or NaN.
    ///
    /// # Errors
    /// [`Error::Shape`] where `B` does not have `m` rows.
    pub fn solve(&self, b: MatRef<'_, T>) -> Result<Matrix<T>, Error> {
        let (m, n) = self.shape();
        let cols = b.cols();
        Error::check_shape("b", (m, cols), b.shape())?;
        let scales: Vec<i32> =
            (0..cols).map(|j| largest_exponent(b.block(0, j, m, 1)).unwrap_or(0)).collect();
        let scaled = Matrix::from_fn(m, cols, |i, j| b.at(i, j).ldexp(-scales[j]));
        let mut y = self.backend.upload(scaled.view());
        self.apply_q(Transpose::Yes, self.backend.view_mut(&mut y))?;
        let top = self.backend.view_mut(&mut y).block_mut(0, 0, n, cols);
        self.solve_triangle(Transpose::No, top);
        let y = self.backend.download(self.backend.view(&y).block(0, 0, n, cols))?;
        let mut x = Matrix::zeros(n, cols);
        for (j, &scale) in scales.iter().enumerate() {
            for (i, &place) in self.order.iter().enumerate() {
                x[(place, j)] = y[(i, j)].ldexp(scale - self.exponents[i]);
            }
        }
        Ok(x)
    }

    /// The shortest `X`, column by column, with `Aᵀ·X = B`: `X = Q·R⁻ᵀPᵀB`.
    ///
    /// Error (Higham 2002, Theorem 21.4): each column is the shortest solution of a system whose matrix is within `c·m·n·u` of `Aᵀ` in the norm
    /// of every row.
    ///
    /// # Errors
    /// [`Error::Shape`] where `B` does not have `n` rows.
    pub fn solve_transposed(&self, b: MatRef<'_, T>) -> Result<Matrix<T>, Error> {
        let (m, n) = self.shape();
        let cols = b.cols();
        Error::check_shape("b", (n, cols), b.shape())?;
        let entry = |i: usize, j: usize| b.at(self.order[i], j);
        let size = |i: usize, j: usize| Some(exponent(entry(i, j).limb(0))? - self.exponents[i]);
        let scale = |j: usize| (0..n).filter_map(|i| size(i, j)).max().unwrap_or(0);
        let scales: Vec<i32> = (0..cols).map(scale).collect();
        let scaled = Matrix::from_fn(m, cols, |i, j| {
            if i < n { entry(i, j).ldexp(-self.exponents[i] - scales[j]) } else { T::ZERO }
        });
        let mut x = self.backend.upload(scaled.view());
        let top = self.backend.view_mut(&mut x).block_mut(0, 0, n, cols);
        self.solve_triangle(Transpose::Yes, top);
        self.apply_q(Transpose::No, self.backend.view_mut(&mut x))?;
        let mut x = self.backend.download(self.backend.view(&x))?;
        for (j, &scale) in scales.iter().enumerate() {
            x.col_mut(j).iter_mut().for_each(|x| *x = x.ldexp(scale));
        }
        Ok(x)
    }

    /// An estimate of the condition `κ₁` of `R`, and so within a factor `n` that of `A` in the 2-norm, with columns scaled to sizes between 1 and 2
    /// by powers of two. Seldom below a third of it; of a matrix that is rank deficient to working precision it says only that:
    /// about `1/u` or more.
    pub fn condition_estimate(&self) -> f64 {
        let n = self.order.len();
        let Ok(r) = self.scaled_r() else { return f64::INFINITY };
        norm_one(r.view()) * inverse_norm_estimate(n, |op, x| self.solve_r(op, x))
    }

    /// `op(R)⁻¹·C` for the scaled `R` and a `C` in the host's memory.
    pub(super) fn solve_r(&self, op: Transpose, c: &Matrix<T>) -> Result<Matrix<T>, Error> {
        let mut x = self.backend.upload(c.view());
        self.solve_triangle(op, self.backend.view_mut(&mut x));
        self.backend.download(self.backend.view(&x))
    }

    /// `C ← op(R)⁻¹·C` for the scaled `R`.
    fn solve_triangle(&self, op: Transpose, c: B::Mut<'_>) {
        let (_, n) = self.shape();
        let r = self.backend.view(&self.packed).block(0, 0, n, n);
        let system = TriangularSystem::left(Triangle::Upper, op, Diagonal::NonUnit);
        self.backend.run(|| system.solve(&self.backend, T::ONE, r, c));
    }
}
