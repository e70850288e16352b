//! Triangular systems.

use core::ops::Range;

use super::products::{Device, Product};
use super::{OutOfCore, lines, pieces};
use crate::backend::Trsm;
use crate::dense::gemm::Way;
use crate::dense::{Diagonal, Side, Transpose, Triangle};
use crate::reference::gemm::scale;
use crate::{Error, MatMut, MatRef, Number};

/// `op(A)·X = α·B` or `X·op(A) = α·B`.
#[derive(Clone, Copy)]
struct System<'a, T: Number> {
    side: Side,
    triangle: Triangle,
    transpose: Transpose,
    diagonal: Diagonal,
    a: MatRef<'a, T>,
}

impl<T: Number> System<'_, T> {
    /// Whether unknowns are found from the first to the last.
    fn forward(&self) -> bool {
        let below = self.triangle.transposed(self.transpose) == Triangle::Lower;
        below == (self.side == Side::Left)
    }
}

/// Some unknowns of all right-hand sides, or some right-hand sides.
fn block<T: Number>(rows: bool, range: Range<usize>, b: MatRef<'_, T>) -> MatRef<'_, T> {
    match rows {
        true => b.block(range.start, 0, range.len(), b.cols()),
        false => b.block(0, range.start, b.rows(), range.len()),
    }
}

fn block_mut<T: Number>(rows: bool, range: Range<usize>, b: MatMut<'_, T>) -> MatMut<'_, T> {
    let (height, width) = b.shape();
    match rows {
        true => b.block_mut(range.start, 0, range.len(), width),
        false => b.block_mut(0, range.start, height, range.len()),
    }
}

impl<B> OutOfCore<B> {
    /// Where the triangle fits, right-hand sides come piece by piece. Else unknowns are found block
    /// by block, as many at a time as kernels find, after a product with those that are known.
    fn solve<T: Number>(
        &self,
        system: System<'_, T>,
        alpha: T,
        mut b: MatMut<'_, T>,
    ) -> Result<(), Error>
    where
        B: Device<T> + Trsm<T>,
    {
        let (n, room) = (system.a.rows(), self.room::<T>(b.format()));
        let size = T::BLOCKING.substitution;
        if n <= size || n * n <= room / 2 {
            return self.solve_pieces(system, alpha, b);
        }
        let of_rows = system.side == Side::Left;
        let count = n.div_ceil(size);
        for step in 0..count {
            let start = if system.forward() { step } else { count - 1 - step } * size;
            let unknowns = start..n.min(start + size);
            let known = if system.forward() { 0..start } else { unknowns.end..n };
            let square = system.a.block(start, start, unknowns.len(), unknowns.len());
            let square = System { a: square, ..system };
            if known.is_empty() {
                self.solve_pieces(square, alpha, block_mut(of_rows, unknowns, b.reborrow()))?;
                continue;
            }
            // A product must not read what it writes to.
            let mut found = block(of_rows, unknowns.clone(), b.as_ref()).to_matrix();
            let solved = block(of_rows, known.clone(), b.as_ref());
            let (op, no, way) = (system.transpose, Transpose::No, Way::Direct(None));
            let below_diagonal = of_rows == (op == Transpose::No);
            let (rows, cols) =
                if below_diagonal { (&unknowns, &known) } else { (&known, &unknowns) };
            let part = system.a.block(rows.start, cols.start, rows.len(), cols.len());
            let (transposes, left, right) =
                if of_rows { ([op, no], part, solved) } else { ([no, op], solved, part) };
            let product = Product { way, transposes, alpha: -T::ONE, beta: alpha };
            self.multiply(product, left, right, found.view_mut())?;
            self.solve_pieces(square, T::ONE, found.view_mut())?;
            block_mut(of_rows, unknowns, b.reborrow()).copy_from(found.view());
        }
        Ok(())
    }

    /// Solves with a triangle on the device.
    fn solve_pieces<T: Number>(
        &self,
        system: System<'_, T>,
        alpha: T,
        b: MatMut<'_, T>,
    ) -> Result<(), Error>
    where
        B: Device<T> + Trsm<T>,
    {
        let (n, room, device) = (system.a.rows(), self.room::<T>(b.format()), &self.device);
        let System { side, triangle, transpose, diagonal, a } = system;
        let a = device.upload(a);
        let a = device.view(&a);
        let rights = if side == Side::Left { b.cols() } else { b.rows() };
        let ranges = pieces(rights, lines(room / 6 / n.max(1), rights));
        let of_rows = side == Side::Right;
        let solve = |piece: &mut B::Matrix| {
            let to = device.view_mut(piece);
            device.trsm(side, triangle, transpose, diagonal, alpha, a, to);
        };
        self.stream(
            ranges,
            b,
            |range, b| device.upload(block(of_rows, range.clone(), b)),
            solve,
            |range, piece, b| self.fetch(&piece, block_mut(of_rows, range.clone(), b)),
        )
    }
}

impl<T: Number, B: Device<T> + Trsm<T>> Trsm<T> for OutOfCore<B> {
    const ORDER: usize = B::ORDER;

    fn trsm(
        &self,
        side: Side,
        triangle: Triangle,
        transpose: Transpose,
        diagonal: Diagonal,
        alpha: T,
        a: MatRef<'_, T>,
        b: MatMut<'_, T>,
    ) {
        if alpha == T::ZERO {
            return scale(alpha, b);
        }
        let system = System { side, triangle, transpose, diagonal, a };
        self.queue(|| self.solve(system, alpha, b));
    }
}
