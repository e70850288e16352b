//! `A = P·B·Qᵀ` with an upper bidiagonal `B`, for a square matrix.
//!
//! Reflections from the left clear columns, those from the right rows. What a block of them does to
//! the rows and columns after it is put off and then is one product of matrices: half the work; the
//! other half is in two products of the matrix with a vector for each column. Source: Dongarra,
//! Sorensen and Hammarling, *Block reduction of matrices to condensed forms for eigenvalue
//! computations*, J. Comput. Appl. Math. 27 (1989).

use nonius_num::Element;

use crate::backend::Cpu;
use crate::cpu::gemm::gemm;
use crate::cpu::gemv::gemv;
use crate::cpu::reduce::dot;
use crate::cpu::reflect::reflect;
use crate::dense::Transpose;
use crate::dense::qr::{Blocks, Reflectors};
use crate::{MatRef, Matrix, Number, Numbers, Slice};

const NO: Transpose = Transpose::No;
const YES: Transpose = Transpose::Yes;

pub(super) struct Bidiagonal<T: Element> {
    pub(super) diagonal: Vec<T>,
    pub(super) above: Vec<T>,
    pub(super) left: Blocks<Matrix<T>>,
    pub(super) right: Blocks<Matrix<T>>,
}

/// Makes a square matrix bidiagonal.
pub(super) fn bidiagonalize<T: Number>(cpu: Cpu, mut a: Matrix<T>) -> Bidiagonal<T> {
    let n = a.rows();
    let mut found = Bidiagonal {
        diagonal: Vec::with_capacity(n),
        above: Vec::with_capacity(n),
        left: Blocks::new(),
        right: Blocks::new(),
    };
    let block = T::BLOCKING.reflections;
    for start in (0..n).step_by(block) {
        let width = block.min(n - start);
        let mut pending = Pending::new(a.format(), start, n - start, width);
        for k in 0..width {
            found.diagonal.push(pending.reflect_column(&mut a, k));
            if start + k + 1 < n {
                found.above.push(pending.reflect_row(&mut a, k));
            }
        }
        let end = start + width;
        pending.update(cpu, &mut a, end);
        found.left.push(start, Reflectors::new(&cpu, pending.v));
        // In the last block one reflection fewer from the right.
        let count = width.min(n - start - 1);
        let right = pending.u.view().block(1, 0, n - start - 1, count).to_matrix();
        found.right.push(start + 1, Reflectors::new(&cpu, right));
    }
    found
}

/// Reflections `v` from the left and `u` from the right of a block whose effect on the matrix is
/// `−V·Yᵀ − X·Uᵀ`, still to be added. Row 0 of all is row or column `start` of the matrix.
struct Pending<T: Element> {
    v: Matrix<T>,
    y: Matrix<T>,
    x: Matrix<T>,
    u: Matrix<T>,
    start: usize,
}

impl<T: Number> Pending<T> {
    fn new(format: T::Format, start: usize, size: usize, width: usize) -> Self {
        let zeros = || Matrix::zeros_in(format, size, width);
        Self { v: zeros(), y: zeros(), x: zeros(), u: zeros(), start }
    }

    /// Finishes column `start + k` up to the entry on the diagonal, which is returned.
    fn reflect_column(&mut self, a: &mut Matrix<T>, k: usize) -> T {
        let (n, j, height) = (a.rows(), self.start + k, self.v.rows());
        let (size, rest) = (n - j, n - j - 1);
        let mut column = a.column_mut(j).range(j..n);
        for (x, y) in [(&self.v, &self.y), (&self.x, &self.u)] {
            let row = y.view().block(k, 0, 1, k).to_matrix();
            let effects = x.view().block(k, 0, size, k);
            gemv(NO, -T::ONE, effects, row.numbers(), T::ONE, column.reborrow());
        }
        let diagonal = reflect(column.reborrow());
        self.v.column_mut(k).range(k..height).copy_from(column.as_slice());
        self.v.set(k, k, T::ONE);

        // The effect on the columns on the right.
        let v = self.v.column(k).range(k..height);
        let mut effect = Numbers::zeros(a.format(), rest);
        gemv(YES, T::ONE, a.view().block(j, j + 1, size, rest), v, T::ZERO, &mut effect);
        self.subtract([(&self.y, &self.v, k), (&self.u, &self.x, k)], k, v, &mut effect);
        T::scale(effect.as_mut_slice(), T::from_f64(2.0) / dot(v, v));
        self.y.column_mut(k).range(k + 1..height).copy_from(effect.as_slice());
        diagonal
    }

    /// Finishes row `start + k` up to the entry beside the diagonal, which is returned.
    fn reflect_row(&mut self, a: &mut Matrix<T>, k: usize) -> T {
        let (n, j, height) = (a.rows(), self.start + k, self.v.rows());
        let rest = n - j - 1;
        let mut row = a.view().block(j, j + 1, 1, rest).to_matrix().into_numbers();
        for (x, y, count) in [(&self.y, &self.v, k + 1), (&self.u, &self.x, k)] {
            let factors = y.view().block(k, 0, 1, count).to_matrix();
            let effects = x.view().block(k + 1, 0, rest, count);
            gemv(NO, -T::ONE, effects, factors.numbers(), T::ONE, &mut row);
        }
        let above = reflect(row.as_mut_slice());
        row.set(0, T::ONE);
        self.u.column_mut(k).range(k + 1..height).copy_from(row.as_slice());

        // The effect on the rows below.
        let u = self.u.column(k).range(k + 1..height);
        let mut effect = Numbers::zeros(a.format(), rest);
        gemv(NO, T::ONE, a.view().block(j + 1, j + 1, rest, rest), u, T::ZERO, &mut effect);
        let pairs = [(&self.v, &self.y, k + 1), (&self.x, &self.u, k)];
        self.subtract(pairs, k + 1, u, &mut effect);
        T::scale(effect.as_mut_slice(), T::from_f64(2.0) / dot(u, u));
        self.x.column_mut(k).range(k + 1..height).copy_from(effect.as_slice());
        above
    }

    /// Subtracts `X·(Yᵀ·along)` from an effect on the last rows, for both `pairs`: `X`, `Y` and how
    /// many columns of them count. Of `Y` the rows from `first` on count.
    fn subtract(
        &self,
        pairs: [(&Matrix<T>, &Matrix<T>, usize); 2],
        first: usize,
        along: Slice<'_, T>,
        effect: &mut Numbers<T>,
    ) {
        for (x, y, count) in pairs {
            let mut products = Numbers::zeros(effect.format(), count);
            let y = y.view().block(first, 0, along.len(), count);
            gemv(YES, T::ONE, y, along, T::ZERO, &mut products);
            let x = x.view().block(x.rows() - effect.len(), 0, effect.len(), count);
            gemv(NO, -T::ONE, x, &products, T::ONE, &mut *effect);
        }
    }

    /// Adds the effect to the rows and columns from `end` on.
    fn update(&self, cpu: Cpu, a: &mut Matrix<T>, end: usize) {
        let (n, (size, width)) = (a.rows(), self.v.shape());
        let count = n - end;
        let beside = |x: MatRef<'_, T>, y: MatRef<'_, T>| {
            let row = |i: usize| size - count + i;
            let entry = |i, j| if j < width { x.at(row(i), j) } else { y.at(row(i), j - width) };
            Matrix::from_fn_in(x.format(), count, 2 * width, entry)
        };
        let left = beside(self.v.view(), self.x.view());
        let right = beside(self.y.view(), self.u.view());
        let rest = a.view_mut().block_mut(end, end, count, count);
        gemm(cpu.products(), NO, YES, -T::ONE, left.view(), right.view(), T::ONE, rest);
    }
}
