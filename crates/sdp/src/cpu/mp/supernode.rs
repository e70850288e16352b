//! The [`Kernels`] of sparse Cholesky factorisations, for numbers of any bits.

use nonius_linalg::Error;
use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::gemm::Products;
use nonius_linalg::dense::{Transpose, factor_in_place};
use nonius_linalg::mp::{Matrix, Numbers};
use nonius_linalg::sparse::cholesky::Kernels;
use nonius_num::mp::{Bits, Mp};

use super::dense::{multiply, substitute};
use super::sums::{Pair, fill};

/// Terms that are worth a thread.
const TERMS_OF_A_THREAD: usize = 1 << 8;

/// Numbers of so many bits, with products of matrices by an engine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Panels {
    pub(super) bits: Bits,
    pub(super) products: Products,
}

impl Panels {
    /// The numbers of `x` with these places.
    fn at(self, x: &Numbers, places: impl ExactSizeIterator<Item = usize>) -> Numbers {
        let mut to = Numbers::zeros(self.bits, places.len());
        places.enumerate().for_each(|(i, place)| to.put(i, x.entry(place)));
        to
    }
}

impl Kernels<Mp> for Panels {
    fn subtract(
        &self,
        w: &Matrix,
        cols: usize,
        places: &[u32],
        a: &mut Matrix,
    ) -> Result<(), Error> {
        let mut product = Matrix::try_zeros_in(self.bits, w.rows(), cols)?;
        let top = w.block(0..cols, 0..w.cols()).transposed();
        let (one, zero) = (Mp::one(self.bits), Mp::zero(self.bits));
        let left = (Transpose::No, w);
        multiply(self.products, one.view(), left, &top, zero.view(), &mut product);
        let mut rest = Mp::zero(self.bits);
        for j in 0..cols {
            let col = places[j] as usize;
            for (i, &row) in places.iter().enumerate().skip(j) {
                rest.set_difference(a.entry(row as usize, col), product.entry(i, j));
                a.put(row as usize, col, rest.view());
            }
        }
        Ok(())
    }

    fn factor(&self, a: &mut Matrix) -> Result<bool, Error> {
        Ok(factor_in_place(&Cpu::new(self.products), a.view_mut()).is_ok())
    }

    fn forward(&self, a: &Matrix, first: usize, below: &[u32], x: &mut Numbers) {
        let (rows, cols) = a.shape();
        let mut own = self.at(x, first..first + cols);
        substitute(a, Transpose::No, &mut own);
        let mut product = Numbers::zeros(self.bits, below.len());
        let sums = product.as_mut_slice();
        fill(sums, 1 + TERMS_OF_A_THREAD / cols, Vec::new, |pairs: &mut Vec<Pair>, i, to| {
            pairs.clear();
            pairs.extend((0..cols).map(|k| (k * rows + cols + i, k)));
            to.gather(a.numbers().as_slice(), own.as_slice(), pairs)
        });
        (0..cols).for_each(|k| x.put(first + k, own.entry(k)));
        for (i, &row) in below.iter().enumerate() {
            let rest = x.entry(row as usize) - product.entry(i);
            x.put(row as usize, rest.view());
        }
    }

    fn backward(&self, a: &Matrix, first: usize, below: &[u32], x: &mut Numbers) {
        let (rows, cols) = a.shape();
        let known = self.at(x, below.iter().map(|&row| row as usize));
        let mut own = self.at(x, first..first + cols);
        let mut product = Numbers::zeros(self.bits, cols);
        fill(
            product.as_mut_slice(),
            1 + TERMS_OF_A_THREAD / rows,
            || (),
            |(), k, to| to.dot(a.column(k).range(cols..rows), known.as_slice()),
        );
        for k in 0..cols {
            let rest = own.entry(k) - product.entry(k);
            own.put(k, rest.view());
        }
        substitute(a, Transpose::Yes, &mut own);
        (0..cols).for_each(|k| x.put(first + k, own.entry(k)));
    }
}
