//! The [`Kernels`] of sparse Cholesky factorisations, for numbers of limbs.

use super::{gemv, syrk};
use crate::backend::Cpu;
use crate::dense::cholesky::factor_in_place;
use crate::dense::trsm::TriangularSystem;
use crate::dense::{Diagonal, Transpose, Triangle};
use crate::sparse::cholesky::Kernels;
use crate::{Error, MatMut, MatRef, Matrix, Numbers, Scalar};

/// Multiplications up to which a product is computed entry by entry.
const MOST_ENTRYWISE_MULTIPLICATIONS: usize = 512;

impl<T: Scalar> Kernels<T> for Cpu {
    fn subtract(
        &self,
        w: &Matrix<T>,
        cols: usize,
        places: &[u32],
        a: &mut Matrix<T>,
    ) -> Result<(), Error> {
        let (rows, depth) = w.shape();
        if rows * cols * depth <= MOST_ENTRYWISE_MULTIPLICATIONS {
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
        let mut product = Matrix::try_zeros(rows, cols)?;
        let to = product.view_mut();
        syrk::syrk(self.products(), lower, no, T::ONE, w.view(), T::ZERO, to);
        for j in 0..cols {
            let (from, to) = (&product.col(j)[j..], a.col_mut(places[j] as usize));
            from.iter().zip(&places[j..]).for_each(|(&x, &place)| to[place as usize] -= x);
        }
        Ok(())
    }

    fn factor(&self, a: &mut Matrix<T>) -> Result<bool, Error> {
        Ok(factor_in_place(self, a.view_mut()).is_ok())
    }

    fn forward(&self, a: &Matrix<T>, first: usize, below: &[u32], x: &mut Numbers<T>) {
        let (square, rest) = parts(a);
        let x = x.plain_mut();
        let own = &mut x[first..first + a.cols()];
        let system = TriangularSystem::left(Triangle::Lower, Transpose::No, Diagonal::NonUnit);
        system.solve(self, T::ONE, square, MatMut::from_column(own));
        if !below.is_empty() {
            let mut product = vec![T::ZERO; below.len()];
            gemv::gemv(Transpose::No, T::ONE, rest, &*own, T::ZERO, &mut product);
            below.iter().zip(product).for_each(|(&row, y)| x[row as usize] -= y);
        }
    }

    fn backward(&self, a: &Matrix<T>, first: usize, below: &[u32], x: &mut Numbers<T>) {
        let (square, rest) = parts(a);
        let x = x.plain_mut();
        let known: Vec<T> = below.iter().map(|&row| x[row as usize]).collect();
        let own = &mut x[first..first + a.cols()];
        if !below.is_empty() {
            gemv::gemv(Transpose::Yes, -T::ONE, rest, &known, T::ONE, &mut *own);
        }
        let system = TriangularSystem::left(Triangle::Lower, Transpose::Yes, Diagonal::NonUnit);
        system.solve(self, T::ONE, square, MatMut::from_column(own));
    }
}

/// The square at the top of a panel, and what is below.
fn parts<T: Scalar>(a: &Matrix<T>) -> (MatRef<'_, T>, MatRef<'_, T>) {
    let (rows, cols) = a.shape();
    (a.view().block(0, 0, cols, cols), a.view().block(cols, 0, rows - cols, cols))
}

/// [`subtract`](Kernels::subtract), entry by entry.
fn subtract_small<T: Scalar>(w: &Matrix<T>, cols: usize, places: &[u32], a: &mut Matrix<T>) {
    let depth = w.cols();
    for j in 0..cols {
        let to = a.col_mut(places[j] as usize);
        for (i, &place) in places.iter().enumerate().skip(j) {
            let terms = (0..depth).map(|k| w[(i, k)] * w[(j, k)]);
            to[place as usize] -= terms.fold(T::ZERO, |sum, x| sum + x);
        }
    }
}
