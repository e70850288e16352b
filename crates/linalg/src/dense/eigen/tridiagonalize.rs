//! `A = Q·T·Qᵀ` with a tridiagonal `T`.
//!
//! Reflection after reflection from the left and the right. What a block of them does to the
//! columns on the right is put off and then is one product of matrices: half the work; the other
//! half is in products of the matrix with one vector each, which need all of it. Source: Dongarra,
//! Sorensen and Hammarling, *Block reduction of matrices to condensed forms for eigenvalue
//! computations*, J. Comput. Appl. Math. 27 (1989).

use nonius_num::Element;

use crate::backend::Cpu;
use crate::cpu::gemv::gemv;
use crate::cpu::reduce::dot;
use crate::cpu::reflect::reflect;
use crate::cpu::syrk::subtract_lower;
use crate::dense::Transpose;
use crate::dense::gemm::Arithmetic;
use crate::dense::qr::{Blocks, Reflectors};
use crate::{MatMut, Matrix, Number, Numbers};

const NO: Transpose = Transpose::No;
const YES: Transpose = Transpose::Yes;

pub(super) struct Tridiagonal<T: Element> {
    pub(super) diagonal: Vec<T>,
    pub(super) beside: Vec<T>,
    pub(super) q: Blocks<Matrix<T>>,
}

/// Makes a symmetric matrix tridiagonal.
pub(super) fn tridiagonalize<T: Number>(cpu: Cpu, mut a: Matrix<T>) -> Tridiagonal<T> {
    let n = a.rows();
    let mut beside = Vec::with_capacity(n);
    let mut q = Blocks::new();
    let block = T::BLOCKING.reflections;
    for start in (0..n.saturating_sub(1)).step_by(block) {
        let width = block.min(n - 1 - start);
        let mut pending = Pending::new(a.format(), start, n, width);
        for k in 0..width {
            beside.push(pending.reflect(&mut a, k));
        }
        let end = start + width;
        pending.update(cpu, a.view_mut().block_mut(end, end, n - end, n - end));
        q.push(start + 1, Reflectors::new(&cpu, pending.v));
    }
    Tridiagonal { diagonal: (0..n).map(|j| a.at(j, j)).collect(), beside, q }
}

/// Reflections `v` of a block whose effect on the matrix is `−V·Wᵀ − W·Vᵀ`, still to be added. Row
/// 0 of either is row `start + 1` of the matrix.
struct Pending<T: Element> {
    v: Matrix<T>,
    w: Matrix<T>,
    start: usize,
}

impl<T: Number> Pending<T> {
    fn new(format: T::Format, start: usize, n: usize, width: usize) -> Self {
        let zeros = || Matrix::zeros_in(format, n - start - 1, width);
        Self { v: zeros(), w: zeros(), start }
    }

    /// Finishes column `start + k`: its entry on the diagonal stays in the matrix, that below is
    /// returned.
    fn reflect(&mut self, a: &mut Matrix<T>, k: usize) -> T {
        let (n, j, format) = (a.rows(), self.start + k, a.format());
        let rest = n - j - 1;
        let mut column = a.column_mut(j).range(j..n);
        if k > 0 {
            // Row k − 1 of V and W is that of the diagonal.
            for (x, y) in [(&self.v, &self.w), (&self.w, &self.v)] {
                let row = y.view().block(k - 1, 0, 1, k).to_matrix();
                let before = x.view().block(k - 1, 0, rest + 1, k);
                gemv(NO, -T::ONE, before, row.numbers(), T::ONE, column.reborrow());
            }
        }
        let mut below = column.range(1..rest + 1);
        let beta = reflect(below.reborrow());
        let height = self.v.rows();
        self.v.column_mut(k).range(k..height).copy_from(below.as_slice());
        self.v.set(k, k, T::ONE);

        let v = self.v.column(k).range(k..height);
        let mut w = Numbers::zeros(format, rest);
        gemv(YES, T::ONE, a.view().block(j + 1, j + 1, rest, rest), v, T::ZERO, &mut w);
        let mut products = Numbers::zeros(format, k);
        for (x, y) in [(&self.v, &self.w), (&self.w, &self.v)] {
            gemv(YES, T::ONE, y.view().block(k, 0, rest, k), v, T::ZERO, &mut products);
            gemv(NO, -T::ONE, x.view().block(k, 0, rest, k), &products, T::ONE, &mut w);
        }
        let factor = T::from_f64(2.0) / dot(v, v);
        T::scale(w.as_mut_slice(), factor);
        let along = (factor * dot(&w, v)).ldexp(-1);
        T::axpy(Arithmetic::Delayed, -along, v, w.as_mut_slice());
        self.w.column_mut(k).range(k..height).copy_from(w.as_slice());
        beta
    }

    /// Adds the effect to the rows and columns after the block.
    fn update(&self, cpu: Cpu, mut rest: MatMut<'_, T>) {
        let (rows, width) = self.v.shape();
        let count = rest.rows();
        let beside = |x: &Matrix<T>, y: &Matrix<T>| {
            let from = |m: &Matrix<T>, i: usize, j: usize| m.at(rows - count + i, j);
            let entry = |i, j| if j < width { from(x, i, j) } else { from(y, i, j - width) };
            Matrix::from_fn_in(x.format(), count, 2 * width, entry)
        };
        let (left, right) = (beside(&self.v, &self.w), beside(&self.w, &self.v));
        subtract_lower(cpu.products(), left.view(), right.view(), rest.reborrow());
        mirror(rest);
    }
}

/// Copies the lower triangle to the upper one, tile by tile.
fn mirror<T: Number>(mut a: MatMut<'_, T>) {
    const TILE: usize = 16;
    let n = a.rows();
    for left in (0..n).step_by(TILE) {
        for top in (left..n).step_by(TILE) {
            for j in left..(left + TILE).min(n) {
                for i in top.max(j + 1)..(top + TILE).min(n) {
                    a.set(j, i, a.at(i, j));
                }
            }
        }
    }
}
