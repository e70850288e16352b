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
    pub fn solve_in_place(&self, op: Transpose, b: B::Mut<'_>) -> Result<(), Error> {
        self.check(b.shape(), b.format())?;
        let (_, cols) = b.shape();
        let backend = &self.backend;
        if let Some((host, factors)) = self.factors.for_rights(backend, cols)? {
            let mut x = backend.download(b.as_ref())?;
            self.solve_with(&host, factors, op, x.view_mut());
            backend.copy(backend.view(&backend.upload(x.view())), b);
        } else if cols < RIGHTS && !self.inverses.is_empty() {
            self.solve_with_each(backend, op, b, |triangle, _, b| {
                self.solve_by_blocks(triangle, op, b);
            });
        } else {
            self.solve_with(backend, backend.view(&self.factors.matrix), op, b);
        }
        Ok(())
    }

    /// `Ok` for right-hand sides that fit.
    fn check(&self, (rows, cols): (usize, usize), format: T::Format) -> Result<(), Error> {
        Error::check_shape("b", (self.order(), cols), (rows, cols))?;
        Error::check_format::<T>("b", self.format(), format)
    }

    /// The solution with factors in a backend's memory.
    fn solve_with<D: Dense<T>>(
        &self,
        backend: &D,
        factors: D::Ref<'_>,
        op: Transpose,
        b: D::Mut<'_>,
    ) {
        self.solve_with_each(backend, op, b, |triangle, diagonal, b| {
            TriangularSystem::left(triangle, op, diagonal).solve(backend, T::ONE, factors, b);
        });
    }

    /// The solution by a way to solve with either triangle.
    fn solve_with_each<D: Dense<T>>(
        &self,
        backend: &D,
        op: Transpose,
        mut b: D::Mut<'_>,
        solve: impl Fn(Triangle, Diagonal, D::Mut<'_>),
    ) {
        match op {
            Transpose::No => {
                backend.swap_rows(b.reborrow(), &self.pivots, Order::Forward);
                solve(Triangle::Lower, Diagonal::Unit, b.reborrow());
                solve(Triangle::Upper, Diagonal::NonUnit, b);
            }
            Transpose::Yes => {
                solve(Triangle::Upper, Diagonal::NonUnit, b.reborrow());
                solve(Triangle::Lower, Diagonal::Unit, b.reborrow());
                backend.swap_rows(b, &self.pivots, Order::Backward);
            }
        }
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
            let factors = backend.view(&self.factors.matrix);
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
        self.check(b.shape(), b.format())?;
        if let Some((host, factors)) = self.factors.for_rights(&self.backend, b.cols())? {
            let mut x = b.to_matrix();
            self.solve_with(&host, factors, op, x.view_mut());
            return Ok(x);
        }
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
            let (factors, x) = (self.backend.view(&self.factors.matrix), self.backend.view_mut(x));
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
        self.backend.view(&self.factors.matrix).format()
    }

    /// An estimate of `κ₁(A) = ‖A‖₁·‖A⁻¹‖₁`, given [`‖A‖₁`](crate::dense::norm_one): never above
    /// what the factors say, rarely below a third of it. Of a matrix that is singular to working
    /// precision it says only that: about `1/u` or more.
    pub fn condition_estimate(&self, norm_one: Reading) -> Reading {
        let apply = |op, x: &Matrix<T>| self.solve_op(op, x.view());
        norm_one.times(inverse_norm_estimate(self.format(), self.order(), apply).into())
    }
}
