//! The inverse of a matrix from its factors.
//!
//! Triangles are solved by blocks of rows whose blocks on the diagonal are inverted first, so that
//! all the work is in products of large matrices. That bounds the residual of each block by the
//! condition of the blocks (J. Du Croz, N. J. Higham, *Stability of methods for matrix inversion*,
//! IMA J. Numer. Anal. 12, 1992, section 2), and nothing here promises more: whoever needs an
//! inverse to be close to one multiplies.

use nonius_gpu::{Buffer, Error};

use super::library::{Blas, Handle};
use super::{CuSolver, check};
use crate::backend::Cuda;
use crate::matrix::Layout;
use crate::triangle_inverse::{self, TriangleInverse};

const NOT_TRANSPOSED: i32 = 0;
/// Rows of a block that a kernel inverts, and of one that triangles are solved by: a power of two
/// times as many.
const SIDE: usize = triangle_inverse::side(1);
const BLOCK: usize = 512;

/// Which triangle of the factors.
#[derive(Clone, Copy, PartialEq)]
enum Triangle {
    /// With ones on its diagonal.
    Lower,
    Upper,
}

/// cuBLAS on a stream.
struct Multiplier {
    blas: &'static Blas,
    handle: Handle,
}

/// `count` products of the same shape: each matrix lies `apart` numbers behind the one before.
struct Batch {
    count: usize,
    apart: [usize; 3],
}

fn size(count: usize) -> Result<i32, Error> {
    i32::try_from(count).map_err(|_| Error::TooManyRows { rows: count, most: i32::MAX as usize })
}

impl Multiplier {
    /// `C ← α·A·B + β·C`
    ///
    /// # Safety
    /// Matrices on the stream's device, each column contiguous, of which `C` overlaps none and is
    /// used by nobody else meanwhile.
    unsafe fn multiply(
        &self,
        alpha: f64,
        a: Layout,
        b: Layout,
        beta: f64,
        c: Layout,
    ) -> Result<(), Error> {
        // SAFETY: the caller's promises.
        unsafe { self.multiply_all(Batch { count: 1, apart: [0; 3] }, alpha, a, b, beta, c) }
    }

    /// # Safety
    /// As [`multiply`](Self::multiply), for all of the batch.
    unsafe fn multiply_all(
        &self,
        batch: Batch,
        alpha: f64,
        a: Layout,
        b: Layout,
        beta: f64,
        c: Layout,
    ) -> Result<(), Error> {
        let ((m, k), (_, n)) = (a.shape(), b.shape());
        if m == 0 || n == 0 || k == 0 || batch.count == 0 {
            return Ok(());
        }
        let [ld_a, ld_b, ld_c] = [a, b, c].map(|x| size(x.column as usize));
        let [apart_a, apart_b, apart_c] = batch.apart.map(|apart| apart as i64);
        // SAFETY: the caller's promises; both factors are read during the call.
        check(unsafe {
            (self.blas.multiply)(
                self.handle,
                NOT_TRANSPOSED,
                NOT_TRANSPOSED,
                size(m)?,
                size(n)?,
                size(k)?,
                &alpha,
                a.data,
                ld_a?,
                apart_a,
                b.data,
                ld_b?,
                apart_b,
                &beta,
                c.data,
                ld_c?,
                apart_c,
                size(batch.count)?,
            )
        })
    }
}

/// Inverses of the blocks on the diagonal of a triangle.
///
/// Entry `(i, j)` of a block is number `i + BLOCK·j`, counted in the whole matrix: so they do not
/// meet, and blocks in blocks lie evenly.
struct Diagonal {
    blocks: Layout,
    _memory: Buffer,
}

impl Diagonal {
    fn new(
        cuda: &Cuda,
        multiplier: &Multiplier,
        factors: Layout,
        triangle: Triangle,
    ) -> Result<Self, Error> {
        let order = factors.shape().0;
        let numbers = (BLOCK + 1) * order;
        let mut memory = Buffer::of_numbers(cuda.stream(), Some(numbers))?;
        memory.clear()?;
        let column = BLOCK as i64;
        let blocks = Layout { data: memory.address(), row: 1, column, plane: 0, ..factors };
        let (upper, unit) = (triangle == Triangle::Upper, triangle == Triangle::Lower);
        let of_blocks = TriangleInverse { limbs: 1, from: factors, to: blocks, upper, unit };
        // SAFETY: both matrices live until the stream has come so far.
        unsafe { of_blocks.invert_blocks(cuda)? };
        let room = Buffer::of_numbers(cuda.stream(), Some(BLOCK / 2 * order))?;
        let inverses = Self { blocks, _memory: memory };
        let mut half = SIDE;
        while half < BLOCK.min(order) {
            let pairs = order / (2 * half);
            if pairs > 0 {
                inverses.join(multiplier, (factors, triangle), (0, pairs), [half; 2], &room)?;
            }
            let (start, left) = (2 * half * pairs, order % (2 * half));
            if left > half {
                let halves = [half, left - half];
                inverses.join(multiplier, (factors, triangle), (start, 1), halves, &room)?;
            }
            half *= 2;
        }
        Ok(inverses)
    }

    /// Makes of each of some pairs of blocks, the first of which begins in row `start`, one block:
    /// `[A 0; C B]⁻¹ = [A⁻¹ 0; −B⁻¹·C·A⁻¹ B⁻¹]`, or its transpose.
    fn join(
        &self,
        multiplier: &Multiplier,
        (factors, triangle): (Layout, Triangle),
        (start, pairs): (usize, usize),
        [first, second]: [usize; 2],
        room: &Buffer,
    ) -> Result<(), Error> {
        let next = start + first;
        let (before, after) = (self.square(start, first), self.square(next, second));
        let (left, right, place) = match triangle {
            Triangle::Lower => (after, before, (next, start, second, first)),
            Triangle::Upper => (before, after, (start, next, first, second)),
        };
        let (row, column, rows, cols) = place;
        let off = factors.block(row, column, rows, cols);
        let to = self.blocks.block(row, column, rows, cols);
        let product = Layout { data: room.address(), column: rows as i64, ..off };
        let step = first + second;
        let [of_factors, of_blocks] =
            [factors, self.blocks].map(|matrix| step * (matrix.column as usize + 1));
        let batch = |apart: [usize; 3]| Batch { count: pairs, apart };
        let of_product = rows * cols;
        // SAFETY: squares of the factors and of what was allocated here; products have room, and
        // blocks do not meet.
        unsafe {
            let apart = [of_factors, of_blocks, of_product];
            multiplier.multiply_all(batch(apart), 1.0, off, right, 0.0, product)?;
            let apart = [of_blocks, of_product, of_blocks];
            multiplier.multiply_all(batch(apart), -1.0, left, product, 0.0, to)
        }
    }

    fn square(&self, start: usize, size: usize) -> Layout {
        self.blocks.block(start, start, size, size)
    }
}

impl CuSolver {
    /// Writes the inverse of `L·U` to `X`, which is the identity, by way of `W`, which is zero.
    ///
    /// # Safety
    /// Square matrices of one order on the backend's device, each column contiguous, that nobody
    /// else uses meanwhile; the first is what [`factor`](Self::factor) has returned rows for.
    pub(crate) unsafe fn invert(
        &self,
        cuda: &Cuda,
        factors: Layout,
        x: Layout,
        w: Layout,
    ) -> Result<(), Error> {
        // SAFETY: the caller's promises.
        unsafe {
            self.invert_lower(cuda, factors, x, w)?;
            self.solve_upper(cuda, factors, w, x, |_| 0)
        }
    }

    /// Writes the inverse of `L` to `X`, which is zero, from the identity, which it changes.
    ///
    /// # Safety
    /// As [`invert`](Self::invert).
    pub(crate) unsafe fn invert_lower(
        &self,
        cuda: &Cuda,
        factors: Layout,
        identity: Layout,
        x: Layout,
    ) -> Result<(), Error> {
        let multiplier = self.multiplier(cuda)?;
        let order = factors.shape().0;
        let lower = Diagonal::new(cuda, &multiplier, factors, Triangle::Lower)?;
        for start in (0..order).step_by(BLOCK) {
            let rows = BLOCK.min(order - start);
            let (end, below) = (start + rows, order - start - rows);
            let found = x.block(start, 0, rows, end);
            // SAFETY: the caller's promises; blocks of rows do not meet.
            unsafe {
                let known = identity.block(start, 0, rows, end);
                multiplier.multiply(1.0, lower.square(start, rows), known, 0.0, found)?;
                let (l, rest) =
                    (factors.block(end, start, below, rows), identity.block(end, 0, below, end));
                multiplier.multiply(-1.0, l, found, 1.0, rest)?;
            }
        }
        Ok(())
    }

    /// Writes the inverse of `U` to `X`, which is zero, from the identity, which it changes.
    ///
    /// # Safety
    /// As [`invert`](Self::invert).
    pub(crate) unsafe fn invert_upper(
        &self,
        cuda: &Cuda,
        factors: Layout,
        identity: Layout,
        x: Layout,
    ) -> Result<(), Error> {
        // SAFETY: the caller's promises. To the left of the diagonal both stay zero.
        unsafe { self.solve_upper(cuda, factors, identity, x, |start| start) }
    }

    /// Writes `U^-1·B` to `X` and changes `B`. Rows from `start` on have no entry other than zero
    /// in the columns before `first(start)`, of either matrix.
    ///
    /// # Safety
    /// As [`invert`](Self::invert).
    unsafe fn solve_upper(
        &self,
        cuda: &Cuda,
        factors: Layout,
        b: Layout,
        x: Layout,
        first: impl Fn(usize) -> usize,
    ) -> Result<(), Error> {
        let multiplier = self.multiplier(cuda)?;
        let order = factors.shape().0;
        let upper = Diagonal::new(cuda, &multiplier, factors, Triangle::Upper)?;
        for start in (0..order).step_by(BLOCK).rev() {
            let (rows, column) = (BLOCK.min(order - start), first(start));
            let columns = order - column;
            let found = x.block(start, column, rows, columns);
            // SAFETY: the caller's promises; blocks of rows do not meet.
            unsafe {
                let known = b.block(start, column, rows, columns);
                multiplier.multiply(1.0, upper.square(start, rows), known, 0.0, found)?;
                let (u, rest) =
                    (factors.block(0, start, start, rows), b.block(0, column, start, columns));
                multiplier.multiply(-1.0, u, found, 1.0, rest)?;
            }
        }
        Ok(())
    }

    fn multiplier(&self, cuda: &Cuda) -> Result<Multiplier, Error> {
        let handles = self.handles_on(cuda.stream())?;
        Ok(Multiplier { blas: self.blas, handle: handles.blas })
    }
}
