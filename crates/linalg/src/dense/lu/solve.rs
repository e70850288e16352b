//! Solutions, the inverse and the condition number from the factors.

use super::Lu;
use crate::backend::{Dense, Order, Reading, View, ViewMut};
use crate::dense::condition::inverse_norm_estimate;
use crate::dense::trsm::{RIGHTS, TriangularSystem};
use crate::dense::{Diagonal, Transpose, Triangle};
use crate::{Error, MatRef, Matrix, Number};

impl<T: Number, B: Dense<T>> Lu<T, B> {
    /// The solution of `op(A)·X = B`, in the place of `B`.
    ///
    /// Error (Higham 2002, Theorem 9.4): each column is exact for a matrix within
    /// `3·c·n·u·Pᵀ|L||U|` of `A`.
    ///
    /// # Errors
    /// [`Error::Shape`] where `B` does not have as many rows as `A`, [`Error::Precision`] where it
    /// has another precision.
    pub fn solve_in_place(&self, op: Transpose, mut b: B::Mut<'_>) -> Result<(), Error> {
        let (_, cols) = b.shape();
        Error::check_shape("b", (self.order(), cols), b.shape())?;
        Error::check_format::<T>("b", self.format(), b.format())?;
        let triangle = |triangle, diagonal, b: B::Mut<'_>| {
            if cols < RIGHTS && !self.inverses.is_empty() {
                return self.solve_by_blocks(triangle, op, b);
            }
            let factors = self.backend.view(&self.factors);
            TriangularSystem::left(triangle, op, diagonal).solve(&self.backend, T::ONE, factors, b);
        };
        match op {
            Transpose::No => {
                self.backend.swap_rows(b.reborrow(), &self.pivots, Order::Forward);
                triangle(Triangle::Lower, Diagonal::Unit, b.reborrow());
                triangle(Triangle::Upper, Diagonal::NonUnit, b);
            }
            Transpose::Yes => {
                triangle(Triangle::Upper, Diagonal::NonUnit, b.reborrow());
                triangle(Triangle::Lower, Diagonal::Unit, b.reborrow());
                self.backend.swap_rows(b, &self.pivots, Order::Backward);
            }
        }
        Ok(())
    }

    /// `B ← op(L)⁻¹·B`, or `op(U)⁻¹·B`, by the inverses of blocks of columns.
    fn solve_by_blocks(&self, triangle: Triangle, op: Transpose, mut b: B::Mut<'_>) {
        let backend = &self.backend;
        let (n, cols) = b.shape();
        let downwards = triangle.transposed(op) == Triangle::Lower;
        let count = self.inverses.len();
        for step in 0..count {
            let block = if downwards { step } else { count - 1 - step };
            let start = block * B::COLUMNS;
            let width = B::COLUMNS.min(n - start);
            let unknowns = b.reborrow().block_mut(start, 0, width, cols);
            backend.solve_block(&self.inverses[block], triangle, op, unknowns);
            let rest = if downwards { start + width..n } else { 0..start };
            if rest.is_empty() {
                continue;
            }
            let found = backend.copy_of(b.as_ref().block(start, 0, width, cols));
            let factors = backend.view(&self.factors);
            let part = match op {
                Transpose::No => factors.block(rest.start, start, rest.len(), width),
                Transpose::Yes => factors.block(start, rest.start, width, rest.len()),
            };
            let to = b.reborrow().block_mut(rest.start, 0, rest.len(), cols);
            let (no, found) = (Transpose::No, backend.view(&found));
            backend.queue_gemm(op, no, -T::ONE, part, found, T::ONE, to);
        }
    }

    /// The solution of `A·X = B` for a `B` in the host's memory.
    ///
    /// # Errors
    /// As [`solve_in_place`](Self::solve_in_place), and [`Error::Device`] where the backend failed.
    pub fn solve(&self, b: MatRef<'_, T>) -> Result<Matrix<T>, Error> {
        self.solve_op(Transpose::No, b)
    }

    /// The solution of `op(A)·X = B` for a `B` in the host's memory.
    pub(crate) fn solve_op(&self, op: Transpose, b: MatRef<'_, T>) -> Result<Matrix<T>, Error> {
        let mut x = self.backend.upload(b);
        self.solve_in_place(op, self.backend.view_mut(&mut x))?;
        self.backend.download(self.backend.view(&x))
    }

    /// The inverse.
    ///
    /// # Errors
    /// [`Error::Device`] where the backend failed.
    pub fn inverse(&self) -> Result<Matrix<T>, Error> {
        self.backend.download(self.backend.view(&self.inverse_on()?))
    }

    /// The inverse, in the backend's memory.
    ///
    /// # Errors
    /// As [`solve_in_place`](Self::solve_in_place).
    pub fn inverse_on(&self) -> Result<B::Matrix, Error> {
        let n = self.order();
        let mut x = self.backend.identity(self.format(), n, n);
        self.solve_in_place(Transpose::No, self.backend.view_mut(&mut x))?;
        Ok(x)
    }

    /// `L⁻¹·P` and `U⁻¹`, in the backend's memory: triangular but for `P` as long as entries are
    /// finite, with ones on the diagonal of `L⁻¹`.
    ///
    /// # Errors
    /// As [`solve_in_place`](Self::solve_in_place).
    pub fn inverse_triangles_on(&self) -> Result<[B::Matrix; 2], Error> {
        self.backend.check_products()?;
        let n = self.order();
        let [mut lower, mut upper] = [(), ()].map(|()| self.backend.identity(self.format(), n, n));
        let solve = |triangle, diagonal, x: &mut B::Matrix| {
            let (factors, x) = (self.backend.view(&self.factors), self.backend.view_mut(x));
            let system = TriangularSystem::left(triangle, Transpose::No, diagonal);
            system.solve(&self.backend, T::ONE, factors, x);
        };
        self.backend.swap_rows(self.backend.view_mut(&mut lower), &self.pivots, Order::Forward);
        solve(Triangle::Lower, Diagonal::Unit, &mut lower);
        solve(Triangle::Upper, Diagonal::NonUnit, &mut upper);
        Ok([lower, upper])
    }

    /// The format of the entries.
    fn format(&self) -> T::Format {
        self.backend.view(&self.factors).format()
    }

    /// An estimate of `κ₁(A) = ‖A‖₁·‖A⁻¹‖₁`, given [`‖A‖₁`](crate::dense::norm_one): never above
    /// what the factors say, rarely below a third of it. Of a matrix that is singular to working
    /// precision it says only that: about `1/u` or more.
    pub fn condition_estimate(&self, norm_one: Reading) -> Reading {
        let apply = |op, x: &Matrix<T>| self.solve_op(op, x.view());
        norm_one.times(inverse_norm_estimate(self.format(), self.order(), apply).into())
    }
}
