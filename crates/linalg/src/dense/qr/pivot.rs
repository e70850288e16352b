//! The factorisation with column pivoting: the next column is always the one of which most is left,
//! so that the diagonal of `R` falls and shows the numerical rank.
//!
//! Columns are chosen one by one, but what the reflections do to the columns on the right is put
//! off until a block is done and then is one product of matrices. Source: Quintana-Ortí, Sun and
//! Bischof, *A BLAS-3 version of the QR factorization with column pivoting*, SIAM J. Sci. Comput.
//! 19 (1998).
//!
//! The norms of what is left of the columns are carried along with significands of `f64`
//! ([`Number::Size`]), and formed anew where cancellation has left fewer than half of their bits
//! (Drmač and Bujanović, *On the failure of rank-revealing QR factorization software*, ACM Trans.
//! Math. Softw. 35 (2008)).

use nonius_num::Element;

use super::{Blocks, Qr, Reflectors, check};
use crate::backend::Cpu;
use crate::cpu::gemm::gemm;
use crate::cpu::gemv::gemv;
use crate::cpu::reduce::{dot, nrm2};
use crate::cpu::reflect::reflect;
use crate::dense::Transpose;
use crate::dense::gemm::Products;
use crate::dense::residual::largest_exponent;
use crate::{Error, MatRef, Matrix, Number, Numbers, Size, Slice};

/// Columns of a block.
const BLOCK: usize = 32;
const NO: Transpose = Transpose::No;
const YES: Transpose = Transpose::Yes;

impl<T: Number> Qr<T, Cpu> {
    /// Factors a matrix with at least as many rows as columns with column pivoting: the magnitudes
    /// on the diagonal of `R` fall.
    ///
    /// # Errors
    /// As [`factor`](Self::factor).
    pub fn factor_pivoted(a: MatRef<'_, T>) -> Result<Self, Error> {
        check(a)?;
        let n = a.cols();
        // The sizes of the columns decide, so all have one scale.
        let exponent = largest_exponent(a).unwrap_or(0);
        let mut packed = a.scaled(|_, _| -exponent);
        let mut order: Vec<usize> = (0..n).collect();
        let q = factor(&mut packed, &mut order);
        Ok(Self { backend: Cpu::default(), packed, q, exponents: vec![exponent; n], order })
    }

    /// How many entries of the diagonal of `R` exceed the first by the given factor: the numerical
    /// rank, where columns were pivoted. With a factor of about `m·u` that is the rank that
    /// rounding errors leave no doubt of, save for matrices made to deceive (Golub and Van Loan,
    /// *Matrix Computations*, 4th ed., section 5.5.7).
    ///
    /// ```
    /// use nonius_linalg::Matrix;
    /// use nonius_linalg::dense::Qr;
    /// use nonius_num::Dd;
    ///
    /// // The third column is the sum of the others.
    /// let a = Matrix::from_fn(4, 3, |i, j| Dd::from([1.0, i as f64, 1.0 + i as f64][j]));
    /// assert_eq!(Qr::factor_pivoted(a.view())?.rank(1e-28), 2);
    /// # Ok::<(), nonius_linalg::Error>(())
    /// ```
    pub fn rank(&self, tolerance: impl Into<T::Size>) -> usize {
        let (n, tolerance) = (self.order.len(), tolerance.into());
        let diagonal = |j: usize| self.packed.at(j, j).size();
        (0..n).take_while(|&j| diagonal(j) > tolerance * diagonal(0)).count()
    }
}

/// Norms of what is left of the columns.
struct Norms<S> {
    /// Now.
    left: Vec<S>,
    /// When they were last formed from entries.
    formed: Vec<S>,
}

impl<S: Size> Norms<S> {
    fn form<T: Number<Size = S>>(&mut self, j: usize, entries: Slice<'_, T>) {
        self.left[j] = nrm2(entries).size();
        self.formed[j] = self.left[j];
    }

    /// Takes one entry off a column. `false` where too few bits are left.
    fn take(&mut self, j: usize, entry: S) -> bool {
        if self.left[j] == S::ZERO {
            return true;
        }
        let share = (entry / self.left[j]).to_f64();
        let kept = ((1.0 - share) * (1.0 + share)).max(0.0);
        let since = (self.left[j] / self.formed[j]).to_f64();
        self.left[j] *= kept.sqrt().into();
        kept * since * since > f64::EPSILON.sqrt()
    }
}

fn factor<T: Number>(a: &mut Matrix<T>, order: &mut [usize]) -> Blocks<Matrix<T>> {
    let ((m, n), format) = (a.shape(), a.format());
    let mut norms = Norms { left: vec![T::Size::ZERO; n], formed: vec![T::Size::ZERO; n] };
    (0..n).for_each(|j| norms.form(j, a.column(j)));
    let mut blocks = Blocks::new();
    let mut start = 0;
    while start < n {
        let mut block = Pending {
            v: Matrix::zeros_in(format, m - start, BLOCK.min(n - start)),
            f: Matrix::zeros_in(format, n - start, BLOCK.min(n - start)),
            start,
            done: 0,
        };
        let stale = block.factor(a, order, &mut norms);
        block.update(a);
        let end = start + block.done;
        stale.into_iter().for_each(|j| norms.form(j, a.column(j).range(end..m)));
        let v = block.v.view().block(0, 0, m - start, block.done).to_matrix();
        blocks.push(start, Reflectors::new(&Cpu::default(), v));
        start = end;
    }
    blocks
}

/// A block of reflections `v` whose effect on the columns from `start` on is `−V·Fᵀ`, still to be
/// added.
struct Pending<T: Element> {
    v: Matrix<T>,
    f: Matrix<T>,
    start: usize,
    done: usize,
}

impl<T: Number> Pending<T> {
    /// Chooses and reflects columns until the block is full or norms have to be formed anew: of the
    /// columns that are returned.
    fn factor(
        &mut self,
        a: &mut Matrix<T>,
        order: &mut [usize],
        norms: &mut Norms<T::Size>,
    ) -> Vec<usize> {
        let (m, n) = a.shape();
        let start = self.start;
        let mut stale = Vec::new();
        while self.done < self.v.cols() && stale.is_empty() {
            let k = self.done;
            let j = start + k;
            let largest = (j..n).fold(j, |b, c| if norms.left[c] > norms.left[b] { c } else { b });
            self.exchange(a, j, largest);
            order.swap(j, largest);
            norms.left.swap(j, largest);
            norms.formed.swap(j, largest);

            let row = self.f.view().block(k, 0, 1, k).to_matrix();
            let before = self.v.view().block(k, 0, m - j, k);
            let mut column = a.column_mut(j).range(j..m);
            gemv(NO, -T::ONE, before, row.numbers(), T::ONE, column.reborrow());
            let beta = reflect(column.reborrow());
            let height = self.v.rows();
            self.v.column_mut(k).range(k..height).copy_from(column.as_slice());
            self.v.set(k, k, T::ONE);
            column.set(0, beta);
            self.add_effect(a.view().block(j, start, m - j, n - start));
            self.done += 1;

            // The row of R.
            let v = self.v.view().block(k, 0, 1, k + 1).to_matrix();
            let effects = self.f.view().block(k + 1, 0, n - j - 1, k + 1);
            let mut change = Numbers::zeros(a.format(), n - j - 1);
            gemv(NO, T::ONE, effects, v.numbers(), T::ZERO, &mut change);
            for (c, change) in (j + 1..n).zip(change.as_slice().iter()) {
                a.set(j, c, a.at(j, c) - change);
                if !norms.take(c, a.at(j, c).size()) {
                    stale.push(c);
                }
            }
        }
        stale
    }

    /// Exchanges columns `j` and `other`.
    fn exchange(&mut self, a: &mut Matrix<T>, j: usize, other: usize) {
        if j == other {
            return;
        }
        a.view_mut().swap_cols(j, other);
        self.f.view_mut().swap_rows(j - self.start, other - self.start);
    }

    /// Column `done` of `F`, from the reflection and the columns from `start` on without the
    /// effects of this block.
    fn add_effect(&mut self, a: MatRef<'_, T>) {
        let k = self.done;
        let rows = a.rows();
        let v = self.v.column(k).range(k..self.v.rows());
        let factor = T::from_f64(2.0) / dot(v, v);
        let mut products = Numbers::zeros(a.format(), k);
        gemv(YES, T::ONE, self.v.view().block(k, 0, rows, k), v, T::ZERO, &mut products);
        let mut effect = Numbers::zeros(a.format(), a.cols());
        gemv(YES, factor, a, v, T::ZERO, &mut effect);
        let before = self.f.view().block(0, 0, a.cols(), k);
        gemv(NO, -factor, before, &products, T::ONE, &mut effect);
        self.f.column_mut(k).copy_from(effect.as_slice());
    }

    /// Adds the effect of the block to what is below and on the right of it.
    fn update(&self, a: &mut Matrix<T>) {
        let (m, n) = a.shape();
        let (k, end) = (self.done, self.start + self.done);
        let v = self.v.view().block(k, 0, m - end, k);
        let f = self.f.view().block(k, 0, n - end, k);
        let rest = a.view_mut().block_mut(end, end, m - end, n - end);
        gemm(Products::default(), NO, YES, -T::ONE, v, f, T::ONE, rest);
    }
}
