//! The [`Kernels`] of sparse Cholesky factorisations on the host.

use super::{gemv, syrk};
use crate::backend::Cpu;
use crate::dense::cholesky::factor_in_place;
use crate::dense::trsm::TriangularSystem;
use crate::dense::{Diagonal, Transpose, Triangle};
use crate::sparse::cholesky::Kernels;
use crate::{Error, MatMut, MatRef, Matrix, Number, Numbers};

impl<T: Number> Kernels<T> for Cpu {
    fn subtract(
        &self,
        w: &Matrix<T>,
        cols: usize,
        places: &[u32],
        a: &mut Matrix<T>,
    ) -> Result<(), Error> {
        let (rows, depth) = w.shape();
        if rows * cols * depth <= T::BLOCKING.entrywise {
            subtract_small(w, cols, places, a);
            return Ok(());
        }
        let (lower, no) = (Triangle::Lower, Transpose::No);
        let first = places[0] as usize;
        if places[rows - 1] as usize - first == rows - 1 {
            let a = a.view_mut().block_mut(first, first, rows, cols);
            syrk::syrk(self.products(), lower, no, -T::ONE, w.view(), T::ONE, a);
            return Ok(());
        }
        let mut product = Matrix::try_zeros_in(w.format(), rows, cols)?;
        let to = product.view_mut();
        syrk::syrk(self.products(), lower, no, T::ONE, w.view(), T::ZERO, to);
        for j in 0..cols {
            let (from, mut to) = (product.column(j), a.column_mut(places[j] as usize));
            for (i, &place) in places.iter().enumerate().skip(j) {
                to.set(place as usize, to.at(place as usize) - from.at(i));
            }
        }
        Ok(())
    }

    fn factor(&self, a: &mut Matrix<T>) -> Result<bool, Error> {
        Ok(factor_in_place(self, a.view_mut()).is_ok())
    }

    fn forward(&self, a: &Matrix<T>, first: usize, below: &[u32], x: &mut Numbers<T>) {
        let (square, rest) = parts(a);
        let mut own = x.as_mut_slice().range(first..first + a.cols());
        let system = TriangularSystem::left(Triangle::Lower, Transpose::No, Diagonal::NonUnit);
        system.solve(self, T::ONE, square, MatMut::from_vector(own.reborrow()));
        if !below.is_empty() {
            let mut product = Numbers::zeros(a.format(), below.len());
            let own = own.as_slice();
            gemv::gemv(Transpose::No, T::ONE, rest, own, T::ZERO, &mut product);
            for (i, &row) in below.iter().enumerate() {
                x.set(row as usize, x.at(row as usize) - product.at(i));
            }
        }
    }

    fn backward(&self, a: &Matrix<T>, first: usize, below: &[u32], x: &mut Numbers<T>) {
        let (square, rest) = parts(a);
        let mut known = Numbers::with_capacity(a.format(), below.len());
        below.iter().for_each(|&row| known.push(x.at(row as usize)));
        let mut own = x.as_mut_slice().range(first..first + a.cols());
        if !below.is_empty() {
            gemv::gemv(Transpose::Yes, -T::ONE, rest, &known, T::ONE, own.reborrow());
        }
        let system = TriangularSystem::left(Triangle::Lower, Transpose::Yes, Diagonal::NonUnit);
        system.solve(self, T::ONE, square, MatMut::from_vector(own));
    }
}

/// The square at the top of a panel, and what is below.
fn parts<T: Number>(a: &Matrix<T>) -> (MatRef<'_, T>, MatRef<'_, T>) {
    let (rows, cols) = a.shape();
    (a.view().block(0, 0, cols, cols), a.view().block(cols, 0, rows - cols, cols))
}

/// [`subtract`](Kernels::subtract), entry by entry.
fn subtract_small<T: Number>(w: &Matrix<T>, cols: usize, places: &[u32], a: &mut Matrix<T>) {
    let depth = w.cols();
    for j in 0..cols {
        let mut to = a.column_mut(places[j] as usize);
        for (i, &place) in places.iter().enumerate().skip(j) {
            let terms = (0..depth).map(|k| w.at(i, k) * w.at(j, k));
            let sum = terms.fold(T::ZERO, |sum, x| sum + x);
            to.set(place as usize, to.at(place as usize) - sum);
        }
    }
}
