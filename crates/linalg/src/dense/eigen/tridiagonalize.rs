//! `A = Q·T·Qᵀ` with a tridiagonal `T`.
//!
//! Reflection after reflection from the left and the right. What a block of them does to the columns on the right is put off and
//! then is one product of matrices: half the work; the other half is in products of the matrix with one vector each, which need all of
//! it. Source: Dongarra, Sorensen and Hammarling, *Block reduction of matrices to condensed forms for eigenvalue computations*, J.
//! Comput. Appl. Math. 27 (1989).

use crate::backend::Cpu;
use crate::cpu::gemv::gemv;
use crate::cpu::reduce::dot;
use crate::cpu::reflect::reflect;
use crate::cpu::syrk::subtract_lower;
use crate::dense::qr::{Blocks, Reflectors};
use crate::dense::{Transpose, axpy, scal};
use crate::{MatMut, Matrix, Scalar};

/// Reflections of a block, by limbs: the more the numbers cost, the more longer products gain.
const BLOCK: [usize; 5] = [0, 32, 32, 64, 64];
const NO: Transpose = Transpose::No;
const YES: Transpose = Transpose::Yes;

pub(super) struct Tridiagonal<T> {
    pub(super) diagonal: Vec<T>,
    pub(super) beside: Vec<T>,
    pub(super) q: Blocks<Matrix<T>>,
}

/// Makes a symmetric matrix tridiagonal.
pub(super) fn tridiagonalize<T: Scalar>(cpu: Cpu, mut a: Matrix<T>) -> Tridiagonal<T> {
    let n = a.rows();
    let mut beside = Vec::with_capacity(n);
    let mut q = Blocks::new();
    let block = BLOCK[T::LIMBS];
    for start in (0..n.saturating_sub(1)).step_by(block) {
        let width = block.min(n - 1 - start);
        let mut pending = Pending::new(start, n, width);
        for k in 0..width {
            beside.push(pending.reflect(&mut a, k));
        }
        let end = start + width;
        pending.update(cpu, a.view_mut().block_mut(end, end, n - end, n - end));
        q.push(start + 1, Reflectors::new(&cpu, pending.v));
    }
    Tridiagonal { diagonal: (0..n).map(|j| a[(j, j)]).collect(), beside, q }
}

/// Reflections `v` of a block whose effect on the matrix is `−V·Wᵀ − W·Vᵀ`, still to be added. Row 0 of either is row `start + 1`
/// of the matrix.
struct Pending<T> {
    v: Matrix<T>,
    w: Matrix<T>,
    start: usize,
}

impl<T: Scalar> Pending<T> {
    fn new(start: usize, n: usize, width: usize) -> Self {
        let rows = n - start - 1;
        Self { v: Matrix::zeros(rows, width), w: Matrix::zeros(rows, width), start }
    }

    /// Finishes column `start + k`: its entry on the diagonal stays in the matrix, that below is returned.
    fn reflect(&mut self, a: &mut Matrix<T>, k: usize) -> T {
        let (n, j) = (a.rows(), self.start + k);
        let rest = n - j - 1;
        let column = &mut a.col_mut(j)[j..];
        if k > 0 {
            // Row k − 1 of V and W is that of the diagonal.
            for (x, y) in [(&self.v, &self.w), (&self.w, &self.v)] {
                let row = y.view().block(k - 1, 0, 1, k).to_matrix();
                let before = x.view().block(k - 1, 0, rest + 1, k);
                gemv(NO, -T::ONE, before, row.as_slice(), T::ONE, column);
            }
        }
        let below = reflect(&mut column[1..]);
        self.v.col_mut(k)[k..].copy_from_slice(&column[1..]);
        self.v[(k, k)] = T::ONE;

        let v = &self.v.col(k)[k..];
        let mut w = vec![T::ZERO; rest];
        gemv(YES, T::ONE, a.view().block(j + 1, j + 1, rest, rest), v, T::ZERO, &mut w);
        let mut products = vec![T::ZERO; k];
        for (x, y) in [(&self.v, &self.w), (&self.w, &self.v)] {
            gemv(YES, T::ONE, y.view().block(k, 0, rest, k), v, T::ZERO, &mut products);
            gemv(NO, -T::ONE, x.view().block(k, 0, rest, k), &products, T::ONE, &mut w);
        }
        let factor = T::from_f64(2.0) / dot(v, v);
        scal(factor, &mut w);
        let along = (factor * dot(&w, v)).ldexp(-1);
        // Of one length.
        let _ = axpy(-along, v, &mut w);
        self.w.col_mut(k)[k..].copy_from_slice(&w);
        below
    }

    /// Adds the effect to the rows and columns after the block.
    fn update(&self, cpu: Cpu, mut rest: MatMut<'_, T>) {
        let (rows, width) = self.v.shape();
        let count = rest.rows();
        let beside = |x: &Matrix<T>, y: &Matrix<T>| {
            let from = |m: &Matrix<T>, i: usize, j: usize| m[(rows - count + i, j)];
            let entry = |i, j| if j < width { from(x, i, j) } else { from(y, i, j - width) };
            Matrix::from_fn(count, 2 * width, entry)
        };
        let (left, right) = (beside(&self.v, &self.w), beside(&self.w, &self.v));
        subtract_lower(cpu.products(), left.view(), right.view(), rest.reborrow());
        mirror(rest);
    }
}

/// Copies the lower triangle to the upper one, tile by tile.
fn mirror<T: Scalar>(mut a: MatMut<'_, T>) {
    const TILE: usize = 16;
    let n = a.rows();
    for left in (0..n).step_by(TILE) {
        for top in (left..n).step_by(TILE) {
            for j in left..(left + TILE).min(n) {
                for i in top.max(j + 1)..(top + TILE).min(n) {
                    *a.at_mut(j, i) = a.at(i, j);
                }
            }
        }
    }
}
