//! Solutions, the inverse and the condition number from the factor.

use super::Cholesky;
use crate::backend::{Dense, Reading, View, ViewMut};
use crate::dense::condition::inverse_norm_estimate;
use crate::dense::trsm::TriangularSystem;
use crate::dense::{Diagonal, Transpose, Triangle};
use crate::{Error, MatRef, Matrix, Number};

impl<T: Number, B: Dense<T>> Cholesky<T, B> {
    /// The solution of `A·X = B`, in the place of `B`.
    ///
    /// Error (Higham 2002, Theorem 10.4): each column is exact for a matrix within
    /// `(3n + 1)·c·u·|L||Lᵀ|` of `A`.
    ///
    /// # Errors
    /// [`Error::Shape`] where `B` does not have as many rows as `A`, [`Error::Precision`] where it
    /// has another precision.
    pub fn solve_in_place(&self, b: B::Mut<'_>) -> Result<(), Error> {
        self.check(b.shape(), b.format())?;
        let backend = &self.backend;
        if let Some((host, factor)) = self.factor.for_rights(backend, b.shape().1)? {
            let mut x = backend.download(b.as_ref())?;
            solve_with(&host, factor, x.view_mut());
            backend.copy(backend.view(&backend.upload(x.view())), b);
        } else {
            solve_with(backend, backend.view(&self.factor.matrix), b);
        }
        Ok(())
    }

    /// The solution of `A·X = B` for a `B` in the host's memory.
    ///
    /// # Errors
    /// As [`solve_in_place`](Self::solve_in_place), and [`Error::Device`] where the backend failed.
    pub fn solve(&self, b: MatRef<'_, T>) -> Result<Matrix<T>, Error> {
        self.check(b.shape(), b.format())?;
        if let Some((host, factor)) = self.factor.for_rights(&self.backend, b.cols())? {
            let mut x = b.to_matrix();
            solve_with(&host, factor, x.view_mut());
            return Ok(x);
        }
        let mut x = self.backend.upload(b);
        self.solve_in_place(self.backend.view_mut(&mut x))?;
        self.backend.download(self.backend.view(&x))
    }

    /// `Ok` for right-hand sides that fit.
    fn check(&self, (rows, cols): (usize, usize), format: T::Format) -> Result<(), Error> {
        Error::check_shape("b", (self.order(), cols), (rows, cols))?;
        Error::check_format::<T>("b", self.format(), format)
    }

    /// The inverse.
    ///
    /// # Errors
    /// [`Error::Device`] where the backend failed.
    pub fn inverse(&self) -> Result<Matrix<T>, Error> {
        let n = self.order();
        let mut x = self.backend.identity(self.format(), n, n);
        self.solve_in_place(self.backend.view_mut(&mut x))?;
        self.backend.download(self.backend.view(&x))
    }

    /// An estimate of `κ₁(A) = ‖A‖₁·‖A⁻¹‖₁`, given [`‖A‖₁`](crate::dense::norm_one); as
    /// [`Lu::condition_estimate`](crate::dense::Lu::condition_estimate).
    pub fn condition_estimate(&self, norm_one: Reading) -> Reading {
        let apply = |_, x: &Matrix<T>| self.solve(x.view());
        norm_one.times(inverse_norm_estimate(self.format(), self.order(), apply).into())
    }

    /// The format of the entries.
    fn format(&self) -> T::Format {
        self.backend.view(&self.factor.matrix).format()
    }
}

/// The solution with a factor in a backend's memory.
fn solve_with<T: Number, B: Dense<T>>(backend: &B, factor: B::Ref<'_>, mut b: B::Mut<'_>) {
    for op in [Transpose::No, Transpose::Yes] {
        let system = TriangularSystem::left(Triangle::Lower, op, Diagonal::NonUnit);
        system.solve(backend, T::ONE, factor, b.reborrow());
    }
}
