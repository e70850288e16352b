//! Squares of few rows: they lie one after the other in a column, and a kernel has a block of
//! threads for each of them.

use nonius_cuda::{Cuda, Kind, Layout};
use nonius_gpu::{Buffer, Error, Pointer, Shape};
use nonius_linalg::Element;

use super::arguments;
use super::launch::THREADS;
use crate::cone::Square;

/// Most rows of a small square. Two vectors of this length have room in a multiprocessor's shared
/// memory, whatever their bits.
pub(super) fn most_rows(kind: Kind) -> usize {
    match kind {
        Kind::Limbs(_) => 64,
        Kind::Mp(_) => 32,
    }
}

/// Most numbers of the column: kernels count them in 32 bits.
const LENGTH: usize = u32::MAX as usize;

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
    /// [`arguments::Square`], each.
    table: Buffer,
    pub(super) count: usize,
}

/// Where squares of these `orders` are, and the length of the column. Small squares have at most
/// `most_rows` rows.
pub(super) fn positions(orders: &[usize], most_rows: usize) -> (Vec<Position>, usize) {
    let (mut alone, mut length) = (0, 0);
    let position = |&order: &usize| {
        if order > most_rows || length + order * order > LENGTH {
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

/// The first square that lies in the column.
pub(super) fn first_small(positions: &[Position]) -> Option<usize> {
    positions.iter().position(|position| matches!(position, Position::Among(_)))
}

/// The squares that lie in the column, and where each begins.
pub(super) fn squares<'a, T: Element>(
    squares: &'a [Square<T>],
    positions: &'a [Position],
) -> impl Iterator<Item = (usize, &'a Square<T>)> + Clone {
    let small = |(square, position): (&'a Square<T>, &Position)| match *position {
        Position::Among(offset) => Some((offset, square)),
        Position::Alone(_) => None,
    };
    squares.iter().zip(positions).filter_map(small)
}

/// What kernels are told of the squares that lie in the column.
pub(super) fn table(orders: &[usize], positions: &[Position]) -> Vec<arguments::Square> {
    let mut row = 0;
    let mut table = Vec::new();
    for (&order, position) in orders.iter().zip(positions) {
        if let Position::Among(offset) = *position {
            let [order, offset, row] = [order, offset, row].map(|x| x as u32);
            table.push(arguments::Square { order, offset, row, unused: 0 });
        }
        row += order;
    }
    table
}

/// A block of threads for each of `count` squares.
pub(super) fn shape(count: usize) -> Shape {
    let blocks = count.min(i32::MAX as usize) as u32;
    Shape { grid: [blocks, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 }
}

impl Small {
    pub(super) fn new(gpu: &Cuda, orders: &[usize], positions: &[Position]) -> Result<Self, Error> {
        let table = table(orders, positions);
        Ok(Self { table: gpu.numbers(&table)?, count: table.len() })
    }

    pub(super) fn table(&self) -> Pointer<arguments::Square> {
        self.table.pointer()
    }

    pub(super) fn shape(&self) -> Shape {
        shape(self.count)
    }
}

/// The square of `order` rows that begins at `offset` in the column.
pub(super) fn square(column: Layout, offset: usize, order: usize) -> Layout {
    let rows = order as i64;
    let column = column.block(offset, 0, order * order, 1);
    Layout { rows, cols: rows, column: rows * column.row, ..column }
}
