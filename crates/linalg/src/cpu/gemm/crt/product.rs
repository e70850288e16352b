//! Products of integers: from sources to a sink.

use core::ops::Range;

use nonius_num::rns::Crt;
use rayon::prelude::*;

use super::block::{Block, Place};
use super::bytes::Bytes;
use super::floats::Floats;
use super::sink::{ROWS, Sink};
use super::source::{Source, words};
use super::strassen::{self, MOST_LEVELS, Room};
use super::unit::{Digits, Kind, LINES, Side, Unit};
use crate::cpu::gemm::Part;
use crate::cpu::workspace::Buffer;
use crate::dense::gemm::crt::{Fallback, Plan};

/// A product of integers.
pub(in crate::cpu) struct Product<'a, A, B, S> {
    pub(in crate::cpu) plan: Plan,
    /// The rows of the left operand.
    pub(in crate::cpu) left: &'a A,
    /// The columns of the right one, of as many places.
    pub(in crate::cpu) right: &'a B,
    /// The entries that are wanted.
    pub(in crate::cpu) part: Part,
    /// Takes them, and perhaps others beside them.
    pub(in crate::cpu) sink: &'a S,
}

/// Most rows and columns of a block of the product: all planes of its quarters' quarters stay in the second-level cache.
const BLOCK: usize = 1024;
/// Bytes for the residues of a block, where it is not the smallest.
const RESIDUES: usize = 512 << 20;
/// Fewest, where there are many threads.
const LEAST_BLOCK: usize = UNIT;
/// What lengths of pieces are multiples of: lines that the scheme of any level takes.
const UNIT: usize = LINES << MOST_LEVELS;
/// Products of planes for each thread that are handed out together.
const PRODUCTS: usize = 3;
/// Places whose integers are made at a time: they stay in the first-level cache.
const RUN: usize = 32;
/// Residues of a product in a cache line, at most.
const CACHE_LINE: usize = 64;
/// Columns that are put together at a time.
const COLUMNS: usize = 16;

impl<A: Source, B: Source, S: Sink> Product<'_, A, B, S> {
    /// Computes it with a number of moduli, which is returned, and some `workspace` bytes for residues.
    ///
    /// # Errors
    /// [`Fallback::Spread`] where there are not enough moduli.
    pub(in crate::cpu) fn compute(&self, unit: Kind, workspace: usize) -> Result<usize, Fallback> {
        match unit {
            Kind::Bytes => self.run::<Bytes>(workspace),
            Kind::Floats => self.run::<Floats>(workspace),
        }
    }

    fn run<U: Unit>(&self, workspace: usize) -> Result<usize, Fallback> {
        let Self { plan, part, .. } = *self;
        let ((m, k), (n, _)) = (self.left.shape(), self.right.shape());
        let Ok(moduli) = U::moduli(plan.modulus_bits, k) else {
            return Err(Fallback::Spread { bits: Some(plan.bits) });
        };
        let unit = &U::new(Crt::new(moduli), plan.bits);
        let planes: usize = (0..unit.channels()).map(|c| unit.planes(c).len()).sum();
        let group = planes * Planes::<U>::group(Planes::<U>::depth(k)) * size_of::<U::Word>();
        let most = (workspace / (2 * group) * LINES).max(UNIT);
        let planes: usize = (0..unit.channels()).map(|c| unit.product_planes(c).len()).sum();
        let edge = block(m, n, part, unit.channels(), planes * size_of::<U::Residue>());
        for columns in pieces(0..n, most) {
            let b = Planes::new(unit, Side::Right, plan.bits, self.right, columns.clone());
            for rows in pieces(0..m, most) {
                if !part.meets(rows.clone(), columns.clone()) {
                    continue;
                }
                let a = Planes::new(unit, Side::Left, plan.bits, self.left, rows.clone());
                let blocks: Vec<_> = pieces(columns.clone(), edge)
                    .flat_map(|columns| {
                        pieces(rows.clone(), edge).map(move |rows| (rows, columns.clone()))
                    })
                    .filter(|(rows, columns)| part.meets(rows.clone(), columns.clone()))
                    .collect();
                let together = (PRODUCTS * rayon::current_num_threads()).div_ceil(unit.channels());
                for blocks in blocks.chunks(together) {
                    let origin = (rows.start, columns.start);
                    self.blocks(unit, [&a, &b], origin, blocks);
                }
            }
        }
        Ok(unit.channels())
    }

    /// Some blocks at the same time: all products of planes, then all entries.
    fn blocks<U: Unit>(
        &self,
        unit: &U,
        [a, b]: [&Planes<U>; 2],
        (first_row, first_column): (usize, usize),
        blocks: &[(Range<usize>, Range<usize>)],
    ) {
        let blocks: Vec<_> = blocks
            .iter()
            .map(|(rows, columns)| {
                let levels = strassen::levels(rows.len(), columns.len(), a.depth * U::DEPTH);
                let unit = 1 << levels;
                let [a, b] = [(a, rows, first_row), (b, columns, first_column)].map(
                    |(planes, lines, first)| {
                        let groups = lines.len().div_ceil(LINES).next_multiple_of(unit);
                        planes.block(lines.start - first, groups)
                    },
                );
                Task { rows: rows.clone(), columns: columns.clone(), levels, a, b }
            })
            .collect();
        let planes = (0..unit.channels()).map(|c| unit.product_planes(c).len()).sum::<usize>();
        let mut residues: Vec<Buffer<U::Residue>> =
            blocks.iter().map(|task| Buffer::new(planes * task.place().plane)).collect();
        let mut products = Vec::new();
        for (task, residues) in blocks.iter().zip(&mut residues) {
            let mut rest = &mut residues[..];
            for channel in 0..unit.channels() {
                let length = unit.product_planes(channel).len() * task.place().plane;
                let (planes, next) = rest.split_at_mut(length);
                products.push((task, channel, planes));
                rest = next;
            }
        }
        products.into_par_iter().with_max_len(1).for_each(|(task, channel, c)| {
            let planes = unit.planes(channel);
            let [a, b] = [task.a, task.b]
                .map(|block| Block { words: &block.words[planes.start * block.plane..], ..block });
            let shape = [planes.len(), unit.product_planes(channel).len()];
            let mut room = Room::new(task.levels, [a.groups, b.groups], a.depth, shape);
            strassen::multiply(unit, channel, task.levels, [a, b], c, task.place(), &mut room);
        });
        let columns: Vec<_> = blocks
            .iter()
            .zip(&residues)
            .flat_map(|(task, residues)| {
                let columns = task.columns.clone().step_by(COLUMNS);
                columns.map(move |j| (task, residues, j..task.columns.end.min(j + COLUMNS)))
            })
            .collect();
        columns.into_par_iter().for_each_init(
            Digits::default,
            |digits, (task, residues, columns)| {
                let place = task.place();
                for column in columns {
                    for start in task.rows.clone().step_by(ROWS) {
                        let rows = start..task.rows.end.min(start + ROWS);
                        let at =
                            (column - task.columns.start) * place.column + start - task.rows.start;
                        unit.digits(&residues[at..], place.plane, rows.len(), digits);
                        self.sink.write(&mut digits.digits, rows, column);
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
        // As for planes of operands.
        Place { plane: place.plane + 5 * CACHE_LINE, ..place }
    }
}

/// The planes of some lines of an operand, in groups as many as the scheme of any level takes, one plane after the other.
struct Planes<U: Unit> {
    words: Buffer<U::Word>,
    /// Words of a line.
    depth: usize,
    groups: usize,
}

impl<U: Unit> Planes<U> {
    /// Words of a line of `k` entries.
    fn depth(k: usize) -> usize {
        U::words(k).next_multiple_of(1 << MOST_LEVELS)
    }

    /// Words from one group to the next: a cache line more than it has, since lines at distances that are powers of two would drive each other out of the
    /// caches.
    fn group(depth: usize) -> usize {
        (depth + 1) * LINES
    }

    fn plane(&self) -> usize {
        self.groups * Self::group(self.depth)
    }

    fn new(unit: &U, side: Side, bits: u32, source: &impl Source, lines: Range<usize>) -> Self {
        let (_, k) = source.shape();
        let depth = Self::depth(k);
        let groups = lines.len().div_ceil(LINES).next_multiple_of(1 << MOST_LEVELS);
        let planes: usize = (0..unit.channels()).map(|c| unit.planes(c).len()).sum();
        let words = Buffer::<U::Word>::new(planes * groups * Self::group(depth));
        let mut planes = Self { words, depth, groups };
        let length = planes.plane();
        let mut tasks: Vec<Vec<&mut [U::Word]>> = (0..groups).map(|_| Vec::new()).collect();
        for plane in planes.words.chunks_exact_mut(length) {
            for (task, group) in tasks.iter_mut().zip(plane.chunks_exact_mut(Self::group(depth))) {
                task.push(group);
            }
        }
        tasks.into_par_iter().enumerate().for_each(|(group, mut to)| {
            let start = (lines.start + group * LINES).min(lines.end);
            pack(unit, side, bits, source, start..lines.end.min(start + LINES), depth, &mut to);
        });
        planes
    }

    /// So many groups from a line on, in all planes.
    fn block(&self, line: usize, groups: usize) -> Block<'_, U::Word> {
        let group = Self::group(self.depth);
        Block {
            words: &self.words[line / LINES * group..],
            group,
            plane: self.plane(),
            groups,
            depth: self.depth,
        }
    }
}

/// Packs a group of lines, zeros for those and for places that are missing.
fn pack<U: Unit>(
    unit: &U,
    side: Side,
    bits: u32,
    source: &impl Source,
    lines: Range<usize>,
    depth: usize,
    to: &mut [&mut [U::Word]],
) {
    let (_, k) = source.shape();
    let size = words(bits) * LINES;
    let mut integers = vec![0; RUN * size];
    let end = depth * U::DEPTH;
    for start in (0..end).step_by(RUN) {
        let places = start.min(k)..k.min(start + RUN);
        let integers = &mut integers[..(end - start).min(RUN) * size];
        let (made, missing) = integers.split_at_mut(places.len() * size);
        source.integers(lines.clone(), places, made);
        missing.fill(0);
        let words = start / U::DEPTH..depth.min((start + RUN) / U::DEPTH);
        unit.pack(side, integers, words, to);
    }
}

/// Rows and columns of a block, such that threads have several products of planes each, little of what is not wanted of a triangle is
/// computed, and residues, so many bytes for an entry, do not take too much memory.
fn block(m: usize, n: usize, part: Part, channels: usize, bytes: usize) -> usize {
    let least = match part {
        Part::All => (PRODUCTS * rayon::current_num_threads()).div_ceil(channels),
        Part::Only(_) => 16,
    };
    let mut edge = BLOCK;
    while edge > LEAST_BLOCK
        && (m.div_ceil(edge) * n.div_ceil(edge) < least || edge * edge * bytes > RESIDUES)
    {
        edge /= 2;
    }
    edge
}

/// A range in pieces of about the same length, a multiple of [`UNIT`], of at most some more than `most`.
fn pieces(range: Range<usize>, most: usize) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    let length = range.len().div_ceil(range.len().div_ceil(most).max(1)).next_multiple_of(UNIT);
    range.step_by(length.max(UNIT)).map(move |start| start..end.min(start + length))
}
