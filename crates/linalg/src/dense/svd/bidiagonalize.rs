//! `A = P·B·Qᵀ` with an upper bidiagonal `B`, for a square matrix.
//!
//! Reflections from the left clear columns, those from the right rows. What a block of them does to the rows and columns after it is
//! put off and then is one product of matrices: half the work; the other half is in two products of the matrix with a vector for each
//! column. Source: Dongarra, Sorensen and Hammarling, *Block reduction of matrices to condensed forms for eigenvalue computations*, J.
//! Comput. Appl. Math. 27 (1989).

use crate::backend::Cpu;
use crate::cpu::gemm::gemm;
use crate::cpu::gemv::gemv;
use crate::cpu::reduce::dot;
use crate::cpu::reflect::reflect;
use crate::dense::qr::{Blocks, Reflectors};
use crate::dense::{Transpose, scal};
use crate::{MatRef, Matrix, Scalar};

/// Reflections of a block from either side, by limbs: the more the numbers cost, the more longer products gain.
const BLOCK: [usize; 5] = [0, 32, 32, 64, 64];
const NO: Transpose = Transpose::No;
const YES: Transpose = Transpose::Yes;

pub(super) struct Bidiagonal<T> {
    pub(super) diagonal: Vec<T>,
    pub(super) above: Vec<T>,
    pub(super) left: Blocks<Matrix<T>>,
    pub(super) right: Blocks<Matrix<T>>,
}

/// Makes a square matrix bidiagonal.
pub(super) fn bidiagonalize<T: Scalar>(cpu: Cpu, mut a: Matrix<T>) -> Bidiagonal<T> {
    let n = a.rows();
    let mut found = Bidiagonal {
        diagonal: Vec::with_capacity(n),
        above: Vec::with_capacity(n),
        left: Blocks::new(),
        right: Blocks::new(),
    };
    let block = BLOCK[T::LIMBS];
    for start in (0..n).step_by(block) {
        let width = block.min(n - start);
        let mut pending = Pending::new(start, n - start, width);
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

/// Reflections `v` from the left and `u` from the right of a block whose effect on the matrix is `−V·Yᵀ − X·Uᵀ`, still to be added. Row
/// 0 of all is row or column `start` of the matrix.
struct Pending<T> {
    v: Matrix<T>,
    y: Matrix<T>,
    x: Matrix<T>,
    u: Matrix<T>,
    start: usize,
}

impl<T: Scalar> Pending<T> {
    fn new(start: usize, size: usize, width: usize) -> Self {
        let zeros = || Matrix::zeros(size, width);
        Self { v: zeros(), y: zeros(), x: zeros(), u: zeros(), start }
    }

    /// Finishes column `start + k` up to the entry on the diagonal, which is returned.
    fn reflect_column(&mut self, a: &mut Matrix<T>, k: usize) -> T {
        let (n, j) = (a.rows(), self.start + k);
        let (size, rest) = (n - j, n - j - 1);
        let column = &mut a.col_mut(j)[j..];
        for (x, y) in [(&self.v, &self.y), (&self.x, &self.u)] {
            let row = y.view().block(k, 0, 1, k).to_matrix();
            gemv(NO, -T::ONE, x.view().block(k, 0, size, k), row.as_slice(), T::ONE, column);
        }
        let diagonal = reflect(column);
        self.v.col_mut(k)[k..].copy_from_slice(column);
        self.v[(k, k)] = T::ONE;

        // The effect on the columns on the right.
        let v = &self.v.col(k)[k..];
        let mut effect = vec![T::ZERO; rest];
        gemv(YES, T::ONE, a.view().block(j, j + 1, size, rest), v, T::ZERO, &mut effect);
        self.subtract([(&self.y, &self.v, k), (&self.u, &self.x, k)], k, v, &mut effect);
        scal(T::from_f64(2.0) / dot(v, v), &mut effect);
        self.y.col_mut(k)[k + 1..].copy_from_slice(&effect);
        diagonal
    }

    /// Finishes row `start + k` up to the entry beside the diagonal, which is returned.
    fn reflect_row(&mut self, a: &mut Matrix<T>, k: usize) -> T {
        let (n, j) = (a.rows(), self.start + k);
        let rest = n - j - 1;
        let mut row = a.view().block(j, j + 1, 1, rest).to_matrix().into_columns();
        for (x, y, count) in [(&self.y, &self.v, k + 1), (&self.u, &self.x, k)] {
            let factors = y.view().block(k, 0, 1, count).to_matrix();
            let effects = x.view().block(k + 1, 0, rest, count);
            gemv(NO, -T::ONE, effects, factors.as_slice(), T::ONE, &mut row);
        }
        let above = reflect(&mut row);
        row[0] = T::ONE;
        self.u.col_mut(k)[k + 1..].copy_from_slice(&row);

        // The effect on the rows below.
        let u = &self.u.col(k)[k + 1..];
        let mut effect = vec![T::ZERO; rest];
        gemv(NO, T::ONE, a.view().block(j + 1, j + 1, rest, rest), u, T::ZERO, &mut effect);
        let pairs = [(&self.v, &self.y, k + 1), (&self.x, &self.u, k)];
        self.subtract(pairs, k + 1, u, &mut effect);
        scal(T::from_f64(2.0) / dot(u, u), &mut effect);
        self.x.col_mut(k)[k + 1..].copy_from_slice(&effect);
        above
    }

    /// Subtracts `X·(Yᵀ·along)` from an effect on the last rows, for both pairs `X`, `Y`, of which so many columns count and of `Y` the
    /// rows from `first` on.
    fn subtract(
        &self,
        pairs: [(&Matrix<T>, &Matrix<T>, usize); 2],
        first: usize,
        along: &[T],
        effect: &mut [T],
    ) {
        for (x, y, count) in pairs {
            let mut products = vec![T::ZERO; count];
            let y = y.view().block(first, 0, along.len(), count);
            gemv(YES, T::ONE, y, along, T::ZERO, &mut products);
            let x = x.view().block(x.rows() - effect.len(), 0, effect.len(), count);
            gemv(NO, -T::ONE, x, &products, T::ONE, effect);
        }
    }

    /// Adds the effect to the rows and columns from `end` on.
    fn update(&self, cpu: Cpu, a: &mut Matrix<T>, end: usize) {
        let (n, (size, width)) = (a.rows(), self.v.shape());
        let count = n - end;
        let beside = |x: MatRef<'_, T>, y: MatRef<'_, T>| {
            let row = |i: usize| size - count + i;
            let entry = |i, j| if j < width { x.at(row(i), j) } else { y.at(row(i), j - width) };
            Matrix::from_fn(count, 2 * width, entry)
        };
        let left = beside(self.v.view(), self.x.view());
        let right = beside(self.y.view(), self.u.view());
        let rest = a.view_mut().block_mut(end, end, count, count);
        gemm(cpu.products(), NO, YES, -T::ONE, left.view(), right.view(), T::ONE, rest);
    }
}
