//! Squares of few rows: they lie one after the other in a column, and a kernel has a block of threads for each of them.

use core::ffi::CStr;

use nonius_cuda::{Cuda, DeviceRef, Layout, Words};
use nonius_gpu::{Buffer, Error, Shape, Source};
use nonius_linalg::Scalar;
use nonius_num::Decimal;

use super::blocks::CudaBlocks;
use super::{CudaCone, THREADS, source};
use crate::cone::Square;

/// Most rows of a small square.
pub(super) const ORDER: usize = 64;
/// Most numbers of the column: kernels count them in 32 bits.
const LENGTH: usize = u32::MAX as usize;

pub(super) fn small_source(limbs: usize) -> Source {
    source("cone-small", "sdp/small.cu", limbs)
}

/// Where a square of a program is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Position {
    /// The large square of that number.
    Alone(usize),
    /// From that number of the column on.
    Among(usize),
}

/// The small squares of a program.
#[derive(Debug)]
pub(super) struct Small {
    /// `Square` in `sdp/small.cu`.
    table: Buffer,
    count: usize,
}

/// Where the squares of such orders are, and the length of the column.
pub(super) fn positions(orders: &[usize]) -> (Vec<Position>, usize) {
    let (mut alone, mut length) = (0, 0);
    let position = |&order: &usize| {
        if order > ORDER || length + order * order > LENGTH {
            alone += 1;
            Position::Alone(alone - 1)
        } else {
            length += order * order;
            Position::Among(length - order * order)
        }
    };
    let positions = orders.iter().map(position).collect();
    (positions, length)
}

/// The squares that lie in the column, and where each begins.
pub(super) fn squares<'a, V>(
    squares: &'a [Square<V>],
    positions: &'a [Position],
) -> impl Iterator<Item = (usize, &'a Square<V>)> + Clone {
    let small = |(square, position): (&'a Square<V>, &Position)| match *position {
        Position::Among(offset) => Some((offset, square)),
        Position::Alone(_) => None,
    };
    squares.iter().zip(positions).filter_map(small)
}

impl Small {
    pub(super) fn new(gpu: &Cuda, orders: &[usize], positions: &[Position]) -> Result<Self, Error> {
        let mut row = 0;
        let mut table: Vec<[u32; 4]> = Vec::new();
        for (&order, position) in orders.iter().zip(positions) {
            if let Position::Among(offset) = *position {
                table.push([order, offset, row, 0].map(|x| x as u32));
            }
            row += order;
        }
        Ok(Self { table: gpu.numbers(&table)?, count: table.len() })
    }

    fn words(&self) -> Words {
        Words::default().address(self.table.address()).long(self.count)
    }

    fn shape(&self) -> Shape {
        let blocks = self.count.min(i32::MAX as usize) as u32;
        Shape { grid: [blocks, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 }
    }
}

/// A square of so many rows that begins there in the column.
pub(super) fn square(column: Layout, offset: usize, order: usize) -> Layout {
    let rows = order as i64;
    Layout { rows, cols: rows, column: rows, ..column.block(offset, 0, order * order, 1) }
}

/// What kernels of small squares take.
#[derive(Clone, Copy)]
pub(super) struct Operands<T> {
    pub(super) a: Layout,
    pub(super) b: Layout,
    pub(super) to: Layout,
    pub(super) alpha: T,
    pub(super) beta: T,
}

impl<T: Scalar> Operands<T> {
    /// An operation on one matrix.
    pub(super) fn of(a: &CudaBlocks<T>, to: &mut CudaBlocks<T>) -> Self {
        let (a, to) = (a.small.as_ref().layout(), to.small.as_mut().layout());
        Self { a, b: a, to, alpha: T::ONE, beta: T::ZERO }
    }

    /// An operation of a matrix on itself.
    pub(super) fn on(a: &mut CudaBlocks<T>) -> Self {
        let a = a.small.as_mut().layout();
        Self { a, b: a, to: a, alpha: T::ONE, beta: T::ZERO }
    }
}

impl<T: Scalar + Decimal> CudaCone<T> {
    /// Launches a kernel with a block of threads for each small square.
    pub(super) fn each_small(
        &self,
        name: &'static CStr,
        operands: Operands<T>,
    ) -> Result<(), Error> {
        self.launch_small(name, operands, 0)
    }

    /// The same; what the kernel finds goes to an address.
    fn launch_small(
        &self,
        name: &'static CStr,
        operands: Operands<T>,
        found: u64,
    ) -> Result<(), Error> {
        let Operands { a, b, to, alpha, beta } = operands;
        let words = (self.small.words().matrix(a).matrix(b).matrix(to))
            .factor(alpha)
            .factor(beta)
            .address(found);
        // SAFETY: `Small`; each square lies in all columns.
        unsafe { self.launch(&small_source(T::LIMBS), name, self.small.shape(), &words) }
    }

    /// Factors the small squares; whether all of them have a factor.
    pub(super) fn factor_small(&self, operands: Operands<T>) -> Result<bool, Error> {
        if self.small.count == 0 {
            return Ok(true);
        }
        let failed = self.gpu.numbers(&[0_u32])?;
        self.launch_small(c"small_factor", operands, failed.address())?;
        Ok(self.gpu.read::<u32>(&failed, 1)?[0] == 0)
    }

    /// `w ← M·A·Mᵀ·q` in the rows of the small squares.
    pub(super) fn small_congruence(
        &self,
        (m, a): (DeviceRef<'_, T>, DeviceRef<'_, T>),
        (q, w): (Layout, Layout),
    ) -> Result<(), Error> {
        let words = self.small.words().matrix(m.layout()).matrix(a.layout()).matrix(q).matrix(w);
        let source = small_source(T::LIMBS);
        // SAFETY: `Congruence`; vectors have the rows of all squares.
        unsafe { self.launch(&source, c"small_congruence", self.small.shape(), &words) }
    }
}
