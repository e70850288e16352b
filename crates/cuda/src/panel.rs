//! Factorisation of a few columns, and exchanges of rows. The sums and bits of the host's kernel.

use std::sync::{Mutex, PoisonError};

use nonius_gpu::{
    Arguments, Buffer, Entry, Error, Kernel, Pinned, Pointer, Shape, Source, bytes_of_mut,
    kernel_arguments, kernel_types,
};
use nonius_linalg::Number;
use nonius_linalg::backend::{Breakdown, Memory, Order, Panel, Trsm, View, ViewMut};
use nonius_linalg::dense::{Diagonal, Side, Transpose, Triangle};

use crate::backend::Cuda;
use crate::blocks::{self, Inverse};
use crate::kind::{Kind, by_limbs};
use crate::matrix::{DeviceMut, DeviceRef, Layout};
use crate::texts;

/// Most columns of a panel: of limbs, by the registers that a row takes.
const WIDTH: [usize; 5] = [16, 64, 32, 16, 16];

/// [`Panel::BLOCK`].
const BLOCK: [usize; 5] = [16, 64, 64, 64, 64];

/// [`Panel::SPAN`]: products of half as many terms gain from the residue engine.
const SPAN: [usize; 5] = [16, usize::MAX, 256, 256, 256];

/// Threads of a block.
const THREADS: usize = 128;
/// Threads that share a row of numbers of any precision.
const SHARE: usize = 8;

/// Most rows of a panel of LU.
const MOST_ROWS: usize = u32::MAX as usize;

/// Most rows that one launch moves.
const MOVES: usize = 256;

kernel_types! {
    /// What the host reads when a panel of LU is done: the column without a pivot, or −1, what
    /// stood in the pivot's place, and the row exchanged with each row of the panel.
    Outcome;
    /// What a block offers as the next pivot.
    Candidate;
    /// The first failure of a Cholesky factorisation.
    Failure;
}

kernel_arguments! {
    /// A panel of LU.
    struct LuPanel {
        rows: i64,
        columns: i64,
        a: Layout,
        outcome: Pointer<Outcome>,
        /// For every block two, zeros at first: for even and odd columns.
        candidates: Pointer<Candidate>,
        /// Where each row is, if threads have several.
        places: Pointer<i64>,
        /// For every block the rows of `U` so far, of numbers of any precision.
        rows_of_u: Pointer<u64>,
    }

    /// A panel of Cholesky's factorisation.
    struct CholeskyPanel {
        rows: i64,
        columns: i64,
        a: Layout,
        /// A copy of the square on top.
        square: Layout,
        /// The panel's first column in the matrix.
        column: i64,
        failure: Pointer<Failure>,
    }

    /// Rows that take what other rows hold.
    struct Moves {
        count: i64,
        columns: i64,
        a: Layout,
        /// To which row, and from which.
        moves: [[u32; 2]; MOVES],
    }
}

const LU_PANEL: Entry<LuPanel> = Entry::new(c"lu_panel");
const TALL_LU_PANEL: Entry<LuPanel> = Entry::new(c"tall_lu_panel");
const CHOLESKY_PANEL: Entry<CholeskyPanel> = Entry::new(c"cholesky_panel");
const MOVE_ROWS: Entry<Moves> = Entry::new(c"move_rows");

fn width(kind: Kind) -> usize {
    match kind {
        Kind::Limbs(limbs) => WIDTH[limbs],
        Kind::Mp(_) => WIDTH[0],
    }
}

fn source(kind: Kind) -> Source {
    let numbers =
        [("PANEL_WIDTH", width(kind)), ("PANEL_THREADS", THREADS), ("PANEL_SHARE", SHARE)];
    let source = kind.module_of("panel", "dense/panel.cu", "mp/panel.cu");
    let source = source.define_all(&numbers).entry(LU_PANEL).entry(CHOLESKY_PANEL);
    if matches!(kind, Kind::Limbs(_)) { source.entry(TALL_LU_PANEL) } else { source }
}

fn rows_source(lanes: usize) -> Source {
    let source = texts::of_limbs("rows", lanes, "dense/rows.cu");
    source.define_all(&[("MOVES", MOVES)]).entry(MOVE_ROWS)
}

/// Every module of this capability.
pub(crate) fn sources(kind: Kind) -> Vec<Source> {
    vec![source(kind), rows_source(kind.lanes())]
}

/// Bytes of a packet (`offers.cuh`).
const PACKET: usize = 16;

/// Words of a watch (`Failure` in `panel.cu`): one more than the first column without a pivot, or
/// 0, and what stood in its place.
const WATCH: usize = 2;

/// Where the first failure of the panels of a Cholesky factorisation is kept; none where the device
/// has failed.
#[derive(Debug)]
pub struct Watch(Option<Buffer>);

/// Memory that the outcome of a panel of LU is written to (`Outcome` in `panel.cu`), made at the
/// first panel.
#[derive(Debug, Default)]
struct Room(Mutex<Option<Pinned>>);

/// Words of an outcome before the exchanges: the column without a pivot, and what stood in its
/// place.
const HEAD: usize = 2;

impl<T: Number> Panel<T> for Cuda {
    const WIDTH: usize = by_limbs::<T>(WIDTH);
    const BLOCK: usize = by_limbs::<T>(BLOCK);
    const SPAN: usize = by_limbs::<T>(SPAN);

    fn lu_panel(&self, mut a: DeviceMut<'_, T>, pivots: &mut [usize]) -> Result<(), Breakdown> {
        assert!(a.layout.shape().1 == pivots.len(), "a pivot for each column");
        pivots.iter_mut().enumerate().for_each(|(j, row)| *row = j);
        let kind = Kind::of::<T>(a.format);
        let launch = |outcome| self.launch_lu(kind, a.layout, outcome);
        self.factorize(kind, a.layout, launch, |exchanges| {
            for (row, exchange) in pivots.iter_mut().zip(exchanges) {
                *row = exchange.to_bits() as usize;
            }
        })?;
        self.swap_rows(a.reborrow(), pivots, Order::Forward);
        Ok(())
    }

    type Watch = Watch;

    fn cholesky_panel(
        &self,
        mut a: DeviceMut<'_, T>,
        column: usize,
        watch: &Watch,
    ) -> Result<(), Breakdown> {
        let kind = Kind::of::<T>(a.format);
        let (rows, columns) = a.layout.shape();
        assert!(columns <= width(kind) && columns <= rows, "a panel's shape");
        if columns == 0 {
            return Ok(());
        }
        match kind {
            Kind::Limbs(limbs) => {
                // The first block of threads writes over the square on top, which all of them read.
                let square = self.copy_of(a.as_ref().block(0, 0, columns, columns));
                let square = square.as_ref().layout;
                // Each block has threads for the square on top, and others for rows below it.
                let blocks = (rows - columns).div_ceil(THREADS - WIDTH[limbs]).max(1);
                let launch = || self.launch_cholesky(kind, a.layout, square, column, watch, blocks);
                self.attempt(launch);
            }
            Kind::Mp(_) => {
                let square = a.reborrow().block_mut(0, 0, columns, columns);
                let square = square.layout;
                self.attempt(|| self.launch_cholesky(kind, square, square, column, watch, 1));
                let triangle = DeviceRef::of(square, a.format);
                let below = a.block_mut(columns, 0, rows - columns, columns);
                let (side, transpose) = (Side::Right, Transpose::Yes);
                let (lower, diagonal) = (Triangle::Lower, Diagonal::NonUnit);
                self.trsm(side, lower, transpose, diagonal, T::ONE, triangle, below);
            }
        }
        Ok(())
    }

    fn watch(&self) -> Watch {
        let zeros = || -> Result<Buffer, Error> {
            let mut memory = Buffer::new(self.stream(), WATCH * size_of::<u64>())?;
            memory.clear()?;
            Ok(memory)
        };
        Watch(self.attempt(zeros))
    }

    fn breakdown(&self, watch: Watch) -> Result<(), Breakdown> {
        let mut words = [0.0_f64; WATCH];
        self.attempt(|| {
            let Some(memory) = &watch.0 else { return Ok(()) };
            // SAFETY: `words` lives, and is not looked at, until the stream has been waited for.
            unsafe { memory.read(self.stream(), 0, bytes_of_mut(&mut words))? };
            self.stream().synchronize()
        });
        match words[0].to_bits() {
            0 => Ok(()),
            place => Err(Breakdown { column: place as usize - 1, pivot: words[1] }),
        }
    }

    const COLUMNS: usize = by_limbs::<T>([blocks::COLUMNS, 0, 0, 0, 0]);
    type Inverse = Inverse<T>;

    fn lu_block(&self, a: DeviceMut<'_, T>, pivots: &mut [usize]) -> Option<Inverse<T>> {
        self.factor_lu_block(a, pivots)
    }

    fn solve_block(
        &self,
        inverse: &Inverse<T>,
        triangle: Triangle,
        op: Transpose,
        b: DeviceMut<'_, T>,
    ) {
        self.solve_with(inverse.of(triangle), op, &b);
    }

    fn cholesky_block(&self, a: DeviceMut<'_, T>) -> bool {
        self.factor_cholesky_block(a)
    }

    fn swap_rows(&self, a: DeviceMut<'_, T>, pivots: &[usize], order: Order) {
        let chunk = MOVES / 2;
        let part = |index: usize| {
            let start = index * chunk;
            let exchanges = &pivots[start..pivots.len().min(start + chunk)];
            let lanes = Kind::of::<T>(a.format).lanes();
            self.attempt(|| self.move_rows(lanes, a.layout, &moves(start, exchanges, order)));
        };
        let parts = 0..pivots.len().div_ceil(chunk);
        match order {
            Order::Forward => parts.for_each(part),
            Order::Backward => parts.rev().for_each(part),
        }
    }
}

impl Cuda {
    /// Has a factorisation launched with the address of its outcome, waits for that and hands the
    /// exchanges to `read`. Where the device fails, does nothing.
    fn factorize(
        &self,
        kind: Kind,
        a: Layout,
        launch: impl FnOnce(u64) -> Result<(), Error>,
        read: impl FnOnce(&[f64]),
    ) -> Result<(), Breakdown> {
        let (rows, columns) = a.shape();
        assert!(columns <= width(kind) && columns <= rows, "a panel's shape");
        if columns == 0 {
            return Ok(());
        }
        let outcome = self.attempt(|| {
            let room = self.resource::<Room>();
            let mut room = room.0.lock().unwrap_or_else(PoisonError::into_inner);
            let outcome = match &mut *room {
                Some(outcome) => outcome,
                empty => empty.insert(Pinned::zeros(self.device().context(), HEAD + WIDTH[1])?),
            };
            launch(outcome.mapped())?;
            self.stream().synchronize()?;
            let words = outcome.as_slice();
            read(&words[HEAD..HEAD + columns]);
            Ok((words[0].to_bits() as i64, words[1]))
        });
        match outcome {
            Some((column, pivot)) if column >= 0 => {
                Err(Breakdown { column: column as usize, pivot })
            }
            _ => Ok(()),
        }
    }

    fn launch_lu(&self, kind: Kind, a: Layout, outcome: u64) -> Result<(), Error> {
        let multiprocessors = self.device().info().multiprocessors as usize;
        let most = |kernel: &Kernel<LuPanel>| -> Result<usize, Error> {
            Ok(kernel.resident_blocks(THREADS as u32, 0)? * multiprocessors)
        };
        let rows = a.shape().0;
        // Places travel in 32 bits.
        if rows > MOST_ROWS {
            return Err(Error::TooManyRows { rows, most: MOST_ROWS });
        }
        let mut kernel = self.panel_kernel(kind, LU_PANEL)?;
        let (needed, numbers_of_u) = match kind {
            Kind::Limbs(_) => (rows.div_ceil(THREADS), 0),
            Kind::Mp(_) => (rows.div_ceil(THREADS / SHARE), width(kind) * width(kind)),
        };
        let mut blocks = needed;
        let mut places = Buffer::empty(self.stream());
        let stays = matches!(kind, Kind::Limbs(_)) && needed <= most(&kernel)?;
        if !stays {
            if matches!(kind, Kind::Limbs(_)) {
                kernel = self.panel_kernel(kind, TALL_LU_PANEL)?;
            }
            blocks = needed.min(most(&kernel)?);
            places = Buffer::new(self.stream(), rows * size_of::<u64>())?;
        }
        let rows_of_u = blocks * numbers_of_u * kind.lanes();
        let rows_of_u = Buffer::of_numbers(self.stream(), Some(rows_of_u))?;
        // A candidate has a packet for its size and place, and for limbs one for each limb of a
        // row; a block has two. For other numbers it has one more.
        let packets = match kind {
            Kind::Limbs(limbs) => 1 + WIDTH[limbs] * limbs,
            Kind::Mp(_) => 2,
        };
        let mut candidates = Buffer::new(self.stream(), 2 * blocks * packets * PACKET)?;
        candidates.clear()?;
        let panel = LuPanel {
            rows: a.rows,
            columns: a.cols,
            a,
            outcome: Pointer::at(outcome),
            candidates: candidates.pointer(),
            places: places.pointer(),
            rows_of_u: rows_of_u.pointer(),
        };
        let shape = Shape { grid: [blocks as u32, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 };
        // SAFETY: the panel is borrowed mutably; the outcome's memory outlives the kernel, which is
        // waited for, the rest is freed in the order of the stream; all blocks run at the same
        // time, for there are no more than `most`.
        unsafe { kernel.launch_together(self.stream(), shape, &panel) }
    }

    fn launch_cholesky(
        &self,
        kind: Kind,
        a: Layout,
        square: Layout,
        column: usize,
        watch: &Watch,
        blocks: usize,
    ) -> Result<(), Error> {
        let Some(memory) = &watch.0 else { return Ok(()) };
        let kernel = self.panel_kernel(kind, CHOLESKY_PANEL)?;
        let panel = CholeskyPanel {
            rows: a.rows,
            columns: a.cols,
            a,
            square,
            column: column as i64,
            failure: memory.pointer(),
        };
        let shape = Shape { grid: [blocks as u32, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 };
        // SAFETY: the panel is borrowed mutably, and the square is a copy of its top, or all of it;
        // the memory of both is freed in the order of the stream, and so is the watch's.
        unsafe { kernel.launch(self.stream(), shape, &panel) }
    }

    fn panel_kernel<A: Arguments>(&self, kind: Kind, entry: Entry<A>) -> Result<Kernel<A>, Error> {
        self.device().module(&source(kind))?.kernel(entry)
    }

    fn move_rows(&self, lanes: usize, a: Layout, moves: &[(usize, usize)]) -> Result<(), Error> {
        let (rows, columns) = a.shape();
        if moves.is_empty() || columns == 0 {
            return Ok(());
        }
        // Places travel in 32 bits.
        if rows > MOST_ROWS {
            return Err(Error::TooManyRows { rows, most: MOST_ROWS });
        }
        let mut pairs = [[0; 2]; MOVES];
        for (pair, &(to, from)) in pairs.iter_mut().zip(moves) {
            *pair = [to as u32, from as u32];
        }
        let arguments = Moves { count: moves.len() as i64, columns: a.cols, a, moves: pairs };
        let threads = moves.len().next_multiple_of(32) as u32;
        let grid = [columns.min(1 << 16) as u32, 1, 1];
        let shape = Shape { grid, block: [threads, 1, 1], shared: 0 };
        let kernel = self.device().module(&rows_source(lanes))?.kernel(MOVE_ROWS)?;
        // SAFETY: the rectangle is borrowed mutably; moves are of rows inside it, for exchanges
        // are.
        unsafe { kernel.launch(self.stream(), shape, &arguments) }
    }
}

/// What a series of exchanges does: row `.0` takes what row `.1` held. Row `start + i` is exchanged
/// with `exchanges[i]`.
fn moves(start: usize, exchanges: &[usize], order: Order) -> Vec<(usize, usize)> {
    // Rows that take part, and whose entries they hold.
    let mut rows: Vec<usize> =
        (start..start + exchanges.len()).chain(exchanges.iter().copied()).collect();
    rows.sort_unstable();
    rows.dedup();
    let mut held = rows.clone();
    let place = |row: usize| rows.binary_search(&row).unwrap_or_default();
    let exchange = |(i, &row): (usize, &usize)| held.swap(place(start + i), place(row));
    match order {
        Order::Forward => exchanges.iter().enumerate().for_each(exchange),
        Order::Backward => exchanges.iter().enumerate().rev().for_each(exchange),
    }
    rows.into_iter().zip(held).filter(|(to, from)| to != from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(moves: &[(usize, usize)], rows: usize) -> Vec<usize> {
        let mut result: Vec<_> = (0..rows).collect();
        for &(to, from) in moves {
            result[to] = from;
        }
        result
    }

    #[test]
    fn moves_do_what_exchanges_do() {
        let exchanges = [5, 2, 5, 7, 4];
        for order in [Order::Forward, Order::Backward] {
            let mut expected: Vec<_> = (0..10).collect();
            let indices: Vec<usize> = match order {
                Order::Forward => (0..5).collect(),
                Order::Backward => (0..5).rev().collect(),
            };
            for i in indices {
                expected.swap(1 + i, exchanges[i]);
            }
            assert_eq!(apply(&moves(1, &exchanges, order), 10), expected);
        }
        assert!(moves(3, &[3, 4, 5], Order::Forward).is_empty());
        assert!(moves(0, &[1, 1], Order::Forward).len() == 2);
    }
}
