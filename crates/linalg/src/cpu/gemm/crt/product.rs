//! Products of integers: from sources to a sink.

use core::ops::Range;

use super::block::{Block, Place};
use super::bytes::Bytes;
use super::converted::{Converted, Held, Lines};
use super::floats::Floats;
use super::kind::Kind;
use super::layout::ROWS;
use super::layout::{Digits, LINES, Side};
use super::partition::{UNIT, blocks, pieces};
use super::planes::{Planes, all_planes};
use super::sink::Sink;
use super::source::Source;
use super::strassen::{self, Room};
use super::unit::Unit;
use crate::cpu::gemm::Part;
use crate::cpu::workspace::Buffer;
use crate::dense::gemm::crt::{Fallback, Plan};
use crate::threads::{Grain, available, for_each, for_each_with};

/// A product of integers.
pub(in crate::cpu) struct Product<'a, A, B, S> {
    pub(in crate::cpu) plan: Plan,
    /// The rows of the left operand.
    pub(in crate::cpu) left: Factor<'a, A>,
    /// The columns of the right one, of as many places.
    pub(in crate::cpu) right: Factor<'a, B>,
    /// Whether these are the first rows of the left one; then neither is converted.
    pub(in crate::cpu) shared: bool,
    /// The entries that are wanted.
    pub(in crate::cpu) part: Part<'a>,
    /// Takes them, and perhaps others beside them.
    pub(in crate::cpu) sink: &'a S,
}

/// An operand.
pub(in crate::cpu) struct Factor<'a, A> {
    pub(in crate::cpu) source: &'a A,
    /// Its lines as integers of the plan's bits, where they are there already.
    pub(in crate::cpu) converted: Option<&'a Converted>,
}

/// Into what pieces a product is cut.
#[derive(Clone, Copy)]
struct Sizes {
    /// Lines that are converted at a time.
    lines: usize,
    /// Rows and columns of a block.
    block: usize,
}

/// Most rows and columns of a block of the product: all planes of its quarters' quarters stay in
/// the second-level cache.
const BLOCK: usize = 1024;
/// Bytes for the residues of a block, where it is not the smallest.
const RESIDUES: usize = 512 << 20;
/// Products of planes for each thread that are handed out together.
const PRODUCTS: usize = 3;
/// Residues of a product in a cache line, at most.
const CACHE_LINE: usize = 64;
/// Columns that are put together at a time.
const COLUMNS: usize = 16;

impl<A: Source, B: Source, S: Sink> Product<'_, A, B, S> {
    /// Computes it with a number of moduli, which is returned, and some `workspace` bytes for
    /// residues that are not there already.
    ///
    /// # Errors
    /// [`Fallback::Spread`] where there are not enough moduli.
    pub(in crate::cpu) fn compute(&self, unit: Kind, workspace: usize) -> Result<usize, Fallback> {
        let converted = self.left.converted.or(self.right.converted);
        match converted.map_or(unit, Converted::kind) {
            Kind::Bytes => self.run::<Bytes>(workspace),
            Kind::Floats => self.run::<Floats>(workspace),
        }
    }

    fn run<U: Held>(&self, workspace: usize) -> Result<usize, Fallback> {
        let Self { plan, left, right, .. } = self;
        let ((m, k), (n, _)) = (left.source.shape(), right.source.shape());
        let unit = match left.lines::<U>().or(right.lines()) {
            Some(lines) => lines.unit.clone(),
            None => U::tables().get(*plan, k)?,
        };
        let unit = &*unit;
        let planes = all_planes(unit);
        let sizes = Sizes {
            lines: (workspace / (2 * Planes::bytes_of_group(unit, k)) * LINES).max(UNIT),
            block: block(m, n, unit.channels(), planes * size_of::<U::Residue>()),
        };
        if self.shared {
            self.of_shared(unit, sizes);
        } else {
            self.of_two(unit, sizes);
        }
        Ok(unit.channels())
    }

    fn of_two<U: Held>(&self, unit: &U, sizes: Sizes) {
        let bits = self.plan.bits;
        let together = together(unit.channels());
        self.right.each(unit, Side::Right, bits, sizes.lines, |b: &Planes<U>, columns| {
            // No more rows than make blocks for all threads: memory that has been used is faster.
            let stripes = together.div_ceil(columns.len().div_ceil(sizes.block).max(1));
            let lines = sizes.lines.min(sizes.block * stripes);
            self.left.each(unit, Side::Left, bits, lines, |a, rows| {
                self.lines(unit, [a, b], rows, columns.clone(), sizes);
            });
        });
    }

    /// Every line is converted once where all are in memory at the same time.
    fn of_shared<U: Held>(&self, unit: &U, sizes: Sizes) {
        let ((m, _), (n, _)) = (self.left.source.shape(), self.right.source.shape());
        let convert =
            |lines| Planes::new(unit, Side::Left, self.plan.bits, self.left.source, lines);
        let all: Vec<_> = pieces(0..m, sizes.lines).collect();
        for lines in &all {
            let columns = lines.start.min(n)..lines.end.min(n);
            if columns.is_empty() {
                break;
            }
            let b = {
                let a = convert(lines.clone());
                let turned = U::SIDES_DIFFER.then(|| a.turned(unit));
                let b = turned.as_ref().unwrap_or(&a);
                self.lines(unit, [&a, b], lines.clone(), columns.clone(), sizes);
                turned.unwrap_or(a)
            };
            for rows in all.iter().filter(|&rows| rows != lines) {
                if self.part.meets(rows.clone(), columns.clone()) {
                    let a = convert(rows.clone());
                    self.lines(unit, [&a, &b], rows.clone(), columns.clone(), sizes);
                }
            }
        }
    }

    /// The product of some rows and columns, which are converted.
    fn lines<U: Unit>(
        &self,
        unit: &U,
        operands: [&Planes<U>; 2],
        rows: Range<usize>,
        columns: Range<usize>,
        sizes: Sizes,
    ) {
        let together = together(unit.channels());
        for blocks in blocks(rows, columns, sizes.block, self.part).chunks(together) {
            self.blocks(unit, operands, blocks);
        }
    }

    /// Some blocks at the same time: all products of planes, then all entries.
    fn blocks<U: Unit>(
        &self,
        unit: &U,
        [a, b]: [&Planes<U>; 2],
        blocks: &[(Range<usize>, Range<usize>)],
    ) {
        let blocks: Vec<_> = blocks
            .iter()
            .map(|(rows, columns)| {
                let levels = strassen::levels(rows.len(), columns.len(), a.places());
                let unit = 1 << levels;
                let [a, b] = [(a, rows), (b, columns)].map(|(planes, lines)| {
                    let groups = lines.len().div_ceil(LINES).next_multiple_of(unit);
                    planes.block(lines.start, groups)
                });
                Task { rows: rows.clone(), columns: columns.clone(), levels, a, b }
            })
            .collect();
        let planes = all_planes(unit);
        let mut residues: Vec<Buffer<U::Residue>> =
            blocks.iter().map(|task| Buffer::new(planes * task.place().plane)).collect();
        let mut products = Vec::new();
        for (task, residues) in blocks.iter().zip(&mut residues) {
            let mut rest = &mut residues[..];
            for channel in 0..unit.channels() {
                let length = unit.planes(channel).len() * task.place().plane;
                let (planes, next) = rest.split_at_mut(length);
                products.push((task, channel, planes));
                rest = next;
            }
        }
        for_each(&mut products[..], Grain::Single, |_, &mut (task, channel, ref mut c)| {
            let planes = unit.planes(channel);
            let [a, b] = [task.a, task.b]
                .map(|block| Block { words: &block.words[planes.start * block.plane..], ..block });
            let mut room = Room::new(task.levels, [a.groups, b.groups], a.depth, planes.len());
            strassen::multiply(unit, channel, task.levels, [a, b], c, task.place(), &mut room);
        });
        let mut columns: Vec<_> = blocks
            .iter()
            .zip(&residues)
            .flat_map(|(task, residues)| {
                let columns = task.columns.clone().step_by(COLUMNS);
                columns.map(move |j| (task, residues, j..task.columns.end.min(j + COLUMNS)))
            })
            .collect();
        for_each_with(
            &mut columns[..],
            Grain::ANY,
            || (Digits::default(), self.sink.room()),
            |(digits, room), _, (task, residues, columns)| {
                let place = task.place();
                for column in columns.clone() {
                    for start in task.rows.clone().step_by(ROWS) {
                        let rows = start..task.rows.end.min(start + ROWS);
                        let at =
                            (column - task.columns.start) * place.column + start - task.rows.start;
                        unit.digits(&residues[at..], place.plane, rows.len(), digits);
                        self.sink.write(room, &mut digits.digits, rows, column);
                    }
                }
            },
        );
    }
}

/// A block of the product.
struct Task<'a, W> {
    rows: Range<usize>,
    columns: Range<usize>,
    levels: u32,
    a: Block<'a, W>,
    b: Block<'a, W>,
}

impl<W> Task<'_, W> {
    fn place(&self) -> Place {
        let place = Place::dense(self.a.groups * LINES, self.b.groups * LINES);
        // As for operands: planes at distances that are powers of two would drive each other out of
        // the caches. An odd number of cache lines takes the planes of bytes through all sets of a
        // cache. With five, the next four lines of a plane, which are fetched ahead, do not share
        // sets with the first lines of its neighbours.
        Place { plane: place.plane + 5 * CACHE_LINE, ..place }
    }
}

/// Blocks that are computed at the same time.
fn together(channels: usize) -> usize {
    (PRODUCTS * available()).div_ceil(channels)
}

/// Rows and columns of a block. Threads have several products of planes each, and residues, of
/// `bytes` bytes for an entry, do not take too much memory.
fn block(m: usize, n: usize, channels: usize, bytes: usize) -> usize {
    let least = together(channels);
    let mut edge = BLOCK;
    while edge > UNIT
        && (m.div_ceil(edge) * n.div_ceil(edge) < least || edge * edge * bytes > RESIDUES)
    {
        edge /= 2;
    }
    edge
}

impl<A: Source> Factor<'_, A> {
    fn lines<U: Held>(&self) -> Option<&Lines<U>> {
        self.converted.and_then(Converted::lines)
    }

    /// Calls `visit` with the planes of some lines and these, about `most`, until it has had all.
    fn each<U: Held>(
        &self,
        unit: &U,
        side: Side,
        bits: u32,
        most: usize,
        visit: impl Fn(&Planes<U>, Range<usize>),
    ) {
        let (lines, _) = self.source.shape();
        if let Some(converted) = self.lines::<U>() {
            return visit(&converted.planes, 0..lines);
        }
        for lines in pieces(0..lines, most) {
            visit(&Planes::new(unit, side, bits, self.source, lines.clone()), lines);
        }
    }
}
