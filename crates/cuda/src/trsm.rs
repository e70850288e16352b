//! Triangular systems with many right-hand sides: block by block, what is known is subtracted by a
//! product, then the block's own triangle is solved by substitution. The steps and bits of the
//! host's kernel.

use core::ops::Range;

use nonius_gpu::{Entry, Error, Shape, Source, kernel_arguments};
use nonius_linalg::Number;
use nonius_linalg::backend::Trsm;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::dense::{Diagonal, Side, Transpose, Triangle};
use nonius_num::Mp;

use crate::backend::Cuda;
use crate::kind::{Kind, by_limbs};
use crate::matrix::{DeviceMut, DeviceRef, Layout, assert_formats};
use crate::multiplication::Multiplication;
use crate::operand::{ALWAYS, Operand};

/// Threads of a block.
const THREADS: usize = 128;

/// Threads that share a right-hand side, and sums that each has in registers. Few sums make short
/// code, which steps that wait for one another need; many threads do in vain what one of them
/// needs, which is dear for many limbs. Of numbers of any precision there is one sum at a time.
const THREADS_AND_SUMS: [(usize, usize); 5] = [(8, 1), (32, 2), (32, 2), (8, 2), (8, 2)];

/// [`Trsm::ORDER`].
const ORDER: [usize; 5] = [16, usize::MAX, 256, 256, 256];

fn threads_and_sums(kind: Kind) -> (usize, usize) {
    match kind {
        Kind::Limbs(limbs) => THREADS_AND_SUMS[limbs],
        Kind::Mp(_) => THREADS_AND_SUMS[0],
    }
}

kernel_arguments! {
    /// The unknowns of a block, of all right-hand sides.
    struct Substitution {
        rights: i64,
        order: i64,
        /// Whether unknowns are found from the first to the last, and whether the diagonal is 1 and
        /// not read.
        forward: i32,
        unit: i32,
        /// `op(A)`.
        a: Layout,
        /// `B` with a row for each unknown and a column for each right-hand side.
        b: Layout,
    }
}

const SUBSTITUTE: Entry<Substitution> = Entry::new(c"substitute");

fn source(kind: Kind) -> Source {
    let (share, sums) = threads_and_sums(kind);
    let numbers = [
        ("TRSM_THREADS", THREADS),
        ("TRSM_SHARE", share),
        ("TRSM_SUMS", sums),
        // Most rows of a triangle of numbers of any precision.
        ("TRSM_ORDER", Mp::BLOCKING.substitution),
    ];
    let source = kind.module_of("trsm", "dense/trsm.cu", "mp/trsm.cu");
    source.define_all(&numbers).entry(SUBSTITUTE)
}

/// Every module of this capability.
pub(crate) fn sources(kind: Kind) -> Vec<Source> {
    vec![source(kind)]
}

impl<T: Number> Trsm<T> for Cuda {
    const ORDER: usize = by_limbs::<T>(ORDER);

    fn trsm(
        &self,
        side: Side,
        triangle: Triangle,
        transpose: Transpose,
        diagonal: Diagonal,
        alpha: T,
        a: DeviceRef<'_, T>,
        b: DeviceMut<'_, T>,
    ) {
        let (format, of_a, a, b) = (b.format, a.format, a.layout, b.layout);
        let n = if side == Side::Left { b.shape().0 } else { b.shape().1 };
        assert_eq!(a.shape(), (n, n), "shape of A");
        assert_formats::<T, _>(format, [of_a]);
        let system = System { format, side, triangle, transpose, diagonal, alpha, a, b };
        self.attempt(|| {
            if alpha == T::ZERO { self.scale(None, alpha, b, format) } else { system.solve(self) }
        });
    }
}

struct System<T: Number> {
    format: T::Format,
    side: Side,
    triangle: Triangle,
    transpose: Transpose,
    diagonal: Diagonal,
    alpha: T,
    a: Layout,
    b: Layout,
}

impl<T: Number> System<T> {
    fn solve(&self, gpu: &Cuda) -> Result<(), Error> {
        let n = self.a.shape().0;
        let block = T::BLOCKING.substitution;
        let count = n.div_ceil(block);
        for step in 0..count {
            let start = if self.forward() { step } else { count - 1 - step } * block;
            let unknowns = start..n.min(start + block);
            let known = if self.forward() { 0..start } else { unknowns.end..n };
            let block = self.part_of_b(&unknowns);
            let solved = Operand::new(Transpose::No, self.part_of_b(&known));
            let (left, right) = match self.side {
                Side::Left => (self.part_of_a(&unknowns, &known), solved),
                Side::Right => (solved, self.part_of_a(&known, &unknowns)),
            };
            let product = Multiplication {
                format: self.format,
                part: None,
                alpha: -T::ONE,
                a: left,
                b: right,
                beta: self.alpha,
                c: block,
            };
            gpu.multiply_directly(Arithmetic::Delayed, product, ALWAYS)?;
            self.substitute(gpu, &unknowns, block)?;
        }
        Ok(())
    }

    /// Whether unknowns are found from the first to the last.
    fn forward(&self) -> bool {
        let below = self.triangle.transposed(self.transpose) == Triangle::Lower;
        below == (self.side == Side::Left)
    }

    /// A rectangle of `op(A)`.
    fn part_of_a(&self, rows: &Range<usize>, columns: &Range<usize>) -> Operand {
        let (rows, columns) = match self.transpose {
            Transpose::No => (rows, columns),
            Transpose::Yes => (columns, rows),
        };
        let part = self.a.block(rows.start, columns.start, rows.len(), columns.len());
        Operand::new(self.transpose, part)
    }

    /// Some of the unknowns of all right-hand sides.
    fn part_of_b(&self, unknowns: &Range<usize>) -> Layout {
        let (rows, columns) = self.b.shape();
        match self.side {
            Side::Left => self.b.block(unknowns.start, 0, unknowns.len(), columns),
            Side::Right => self.b.block(0, unknowns.start, rows, unknowns.len()),
        }
    }

    fn substitute(&self, gpu: &Cuda, unknowns: &Range<usize>, block: Layout) -> Result<(), Error> {
        let order = unknowns.len();
        let square = self.a.block(unknowns.start, unknowns.start, order, order);
        // X·op(A) = B is op(A)ᵀ·Xᵀ = Bᵀ.
        let (transpose, unknowns_down, rights) = match self.side {
            Side::Left => (self.transpose, Transpose::No, block.shape().1),
            Side::Right => (self.transpose.flipped(), Transpose::Yes, block.shape().0),
        };
        let arguments = Substitution {
            rights: rights as i64,
            order: order as i64,
            forward: self.forward().into(),
            unit: (self.diagonal == Diagonal::Unit).into(),
            a: square.op(transpose),
            b: block.op(unknowns_down),
        };
        let kind = Kind::of::<T>(self.format);
        let kernel = gpu.device().module(&source(kind))?.kernel(SUBSTITUTE)?;
        let block = THREADS / threads_and_sums(kind).0;
        let numbers = match kind {
            // The unknowns, with an odd pitch, and the triangle.
            Kind::Limbs(_) => order * (block | 1) + order * (order + 1) / 2,
            // What the diagonal divides by.
            Kind::Mp(_) => order,
        };
        let shared = (numbers * kind.lanes() * size_of::<f64>()) as u32;
        kernel.allow_shared(shared)?;
        let grid = [rights.div_ceil(block) as u32, 1, 1];
        let shape = Shape { grid, block: [THREADS as u32, 1, 1], shared };
        // SAFETY: both rectangles lie in matrices whose memory is freed in the order of the stream;
        // B is borrowed mutably and A does not overlap it.
        unsafe { kernel.launch(gpu.stream(), shape, &arguments) }
    }
}
