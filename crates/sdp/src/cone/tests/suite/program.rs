//! Programs for tests: their numbers are `f64`, so that every precision has them.

use core::ops::Range;
use std::collections::BTreeMap;

use nonius_linalg::{Number, Numbers};
use nonius_testkit::Random;

use super::exact::Exact;
use crate::cone::{Place, Program};

/// A program with numbers that every precision has.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    /// What is special about it.
    pub name: &'static str,
    /// `c`.
    pub objective: Vec<f64>,
    /// The orders of the squares.
    pub squares: Vec<usize>,
    /// The order of the diagonal block.
    pub diagonal: usize,
    /// The orders of the second-order cones, its last rows.
    pub second_order: Vec<usize>,
    /// Where the entries are, those of `F₀` among them.
    pub places: Vec<Place>,
    /// The entries.
    pub values: Vec<f64>,
}

/// An entry of a matrix or its mirror image.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) block: usize,
    pub(super) row: usize,
    pub(super) col: usize,
    pub(super) value: Exact,
}

impl Data {
    /// The program with numbers of a format.
    ///
    /// # Panics
    /// Where there is no memory.
    pub(crate) fn program<T: Number>(&self, format: T::Format) -> Program<T> {
        let convert = |x: &[f64]| {
            let mut to = Numbers::with_capacity(format, x.len());
            x.iter().for_each(|&x| to.push(T::from_f64(x)));
            to
        };
        let (objective, values) = (convert(&self.objective), convert(&self.values));
        Program::new(objective, &self.squares, self.diagonal, &self.places, &values)
            .unwrap_or_else(|error| panic!("{error}"))
            .with_second_order(&self.second_order)
    }

    /// The rows of the second-order cones.
    pub(super) fn cones(&self) -> Vec<Range<usize>> {
        let mut end = self.diagonal - self.second_order.iter().sum::<usize>();
        let rows = |&order: &usize| {
            end += order;
            end - order..end
        };
        self.second_order.iter().map(rows).collect()
    }

    /// The same program with second-order cones of these orders in its last rows.
    fn with_second_order(mut self, orders: &[usize]) -> Self {
        self.second_order = orders.to_vec();
        self
    }

    /// The entries of `F₀, F₁, …`.
    pub(super) fn matrices(&self) -> Vec<Vec<Entry>> {
        let mut matrices = vec![Vec::new(); self.objective.len() + 1];
        for (place, &value) in self.places.iter().zip(&self.values) {
            let (block, row, col) = (place.block as usize, place.row as usize, place.col as usize);
            let entry = Entry { block, row, col, value: Exact::of(value) };
            if row != col {
                matrices[place.matrix as usize].push(Entry { row: col, col: row, ..entry.clone() });
            }
            matrices[place.matrix as usize].push(entry);
        }
        matrices
    }
}

/// A program that is being made.
struct Draft {
    random: Random,
    entries: BTreeMap<Place, f64>,
}

impl Draft {
    fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), entries: BTreeMap::new() }
    }

    fn put(&mut self, matrix: usize, block: usize, i: usize, j: usize, value: f64) {
        let (row, col) = (i.min(j) as u32, i.max(j) as u32);
        self.entries.insert(Place { block: block as u32, matrix: matrix as u32, col, row }, value);
    }

    /// Small integers, or 53 bits.
    fn value(&mut self) -> f64 {
        match self.random.below(3) {
            0 => 1.0 + self.random.below(3) as f64,
            1 => -1.0 - self.random.below(3) as f64,
            _ => self.random.unit(),
        }
    }

    /// Entries anywhere in a block that is a square.
    fn scatter(&mut self, matrix: usize, block: usize, order: usize, count: usize) {
        for _ in 0..count {
            let (i, j) = (self.random.below(order), self.random.below(order));
            let value = self.value();
            self.put(matrix, block, i, j, value);
        }
    }

    /// All entries in some rows and columns.
    fn full(&mut self, matrix: usize, block: usize, rows: &[usize]) {
        for (at, &i) in rows.iter().enumerate() {
            for &j in &rows[..=at] {
                let value = self.value();
                self.put(matrix, block, i, j, value);
            }
        }
    }

    fn finish(
        mut self,
        name: &'static str,
        constraints: usize,
        squares: &[usize],
        diagonal: usize,
    ) -> Data {
        let objective = (0..constraints).map(|_| self.random.unit()).collect();
        let (places, values) = self.entries.into_iter().unzip();
        let (squares, second_order) = (squares.to_vec(), Vec::new());
        Data { name, objective, squares, diagonal, second_order, places, values }
    }
}

/// Blocks and patterns of all kinds: a square without entries, one with entries in `F₀` alone,
/// constraints in some blocks alone, one entry, all of them.
fn mixed() -> Data {
    let (m, squares, diagonal) = (45, [1, 40, 5, 12, 6, 3], 7);
    let mut draft = Draft::new(1);
    for (block, count) in [(0, 1), (1, 60), (2, 3), (3, 10), (5, 2)] {
        draft.scatter(0, block, squares[block], count);
    }
    (0..4).for_each(|i| draft.put(0, 6, 2 * i, 2 * i, 0.5 - i as f64));
    for (i, j) in (0..40).flat_map(|i| (0..=i).map(move |j| (i, j))) {
        draft.put(1, 1, i, j, 1.0);
    }
    for matrix in 2..=m {
        match matrix {
            2..=5 => {
                let rows: Vec<usize> = (0..5).map(|i| 7 * matrix % 11 + i * 3 + i % 2).collect();
                draft.full(matrix, 1, &rows);
            }
            6..=15 => {
                for (block, order) in [(1, 40), (2, 5), (3, 12)] {
                    draft.scatter(matrix, block, order, matrix % 4 + usize::from(block == 1));
                }
            }
            16..=20 => {
                for i in [matrix % 7, matrix * 5 % 7, 3] {
                    let value = draft.value();
                    draft.put(matrix, 6, i, i, value);
                }
            }
            21..=25 => draft.put(matrix, 1, matrix, matrix + 3, 1.0),
            26 => draft.full(matrix, 3, &(0..12).collect::<Vec<usize>>()),
            27 => draft.put(matrix, 0, 0, 0, -2.0),
            _ => {
                draft.scatter(matrix, 1, 40, 2 + matrix % 9);
                draft.put(matrix, 6, matrix % 7, matrix % 7, 1.0);
            }
        }
    }
    draft.finish("mixed", m, &squares, diagonal)
}

/// Matrices that are full, of a square each.
fn full() -> Data {
    let mut draft = Draft::new(2);
    (0..=20).for_each(|matrix| draft.full(matrix, 0, &(0..12).collect::<Vec<usize>>()));
    draft.finish("full", 20, &[12], 0)
}

/// Matrices that are full in a few rows and columns.
fn blocks() -> Data {
    let mut draft = Draft::new(3);
    for matrix in 1..=20 {
        let rows: Vec<usize> = (0..5).map(|i| (matrix * 13 + i * 7) % 40).collect();
        draft.full(matrix, 0, &rows);
    }
    draft.finish("blocks", 20, &[40], 0)
}

/// Matrices of one or two entries.
fn few() -> Data {
    let mut draft = Draft::new(4);
    draft.scatter(0, 0, 25, 40);
    for matrix in 1..=30 {
        if matrix <= 25 {
            draft.put(matrix, 0, matrix - 1, matrix - 1, 1.0);
        } else {
            draft.put(matrix, 0, matrix - 20, matrix - 26, -1.0);
            draft.put(matrix, 0, matrix - 10, matrix - 10, 0.3);
        }
    }
    draft.finish("few", 30, &[25], 2)
}

/// No squares.
fn linear() -> Data {
    let mut draft = Draft::new(5);
    for matrix in 0..=8 {
        for i in 0..20 {
            if matrix > 0 && i == matrix || draft.random.below(3) == 0 {
                let value = draft.value();
                draft.put(matrix, 0, i, i, value);
            }
        }
    }
    draft.finish("linear", 8, &[], 20)
}

/// One number, beside a square without rows.
fn one() -> Data {
    let mut draft = Draft::new(6);
    draft.put(0, 1, 0, 0, 0.1);
    draft.put(1, 1, 0, 0, 3.0);
    draft.finish("one", 1, &[0, 1], 0)
}

/// No constraints.
fn none() -> Data {
    let mut draft = Draft::new(7);
    draft.scatter(0, 0, 4, 5);
    draft.put(0, 1, 1, 1, 2.0);
    draft.finish("none", 0, &[4], 2)
}

/// A chain of small squares, each with two constraints, and some rows of the diagonal block that
/// join constraints at a distance: a sparse Schur complement.
pub(super) fn chain() -> Data {
    let (m, diagonal) = (90, 24);
    let squares: Vec<usize> = (0..=m).map(|block| 3 + block % 2).collect();
    let mut draft = Draft::new(9);
    for matrix in 1..=m {
        for (block, count) in [(matrix - 1, 1 + matrix % 3), (matrix, 4)] {
            draft.put(matrix, block, matrix % 3, (matrix + count) % 3, 1.0);
            draft.scatter(matrix, block, squares[block], count);
        }
        if matrix % 5 == 0 {
            draft.scatter(0, matrix, squares[matrix], 3);
        }
    }
    for i in 0..diagonal {
        for matrix in [1 + i * 3, 3 + i * 3, 90 - i % 7].into_iter().take(1 + i % 3) {
            let value = draft.value();
            draft.put(matrix, m + 1, i, i, value);
        }
    }
    (0..5).for_each(|i| draft.put(0, m + 1, 4 * i, 4 * i, 0.7));
    draft.finish("chain", m, &squares, diagonal)
}

/// Constraints in all blocks and others in one each: a Schur complement with the pattern of an
/// arrow.
fn arrow() -> Data {
    let (all, each, blocks) = (6, 5, 16);
    let mut draft = Draft::new(10);
    for block in 0..blocks {
        let own = (0..each).map(|k| 1 + all + block * each + k);
        for matrix in (1..=all).chain(own) {
            draft.put(matrix, block, matrix % 6, (matrix * 5 + block) % 6, 2.0);
            draft.scatter(matrix, block, 6, 6);
        }
    }
    (0..blocks).for_each(|i| draft.put(1 + all + i * each, blocks, i, i, 1.0));
    draft.finish("arrow", all + each * blocks, &vec![6; blocks], blocks)
}

/// Second-order cones of all sizes beside squares and a diagonal: cones with entries of many
/// constraints, of one, of `F₀` alone, and of none.
fn cones() -> Data {
    let (m, squares, first) = (20, [5, 1], 4);
    let orders = [2, 3, 17, 40, 1, 4, 2];
    let mut draft = Draft::new(11);
    for matrix in 0..=m {
        draft.scatter(matrix, 0, 5, 2 + matrix % 3);
        let value = draft.value();
        draft.put(matrix, 2, matrix % first, matrix % first, value);
        let mut row = first;
        for (cone, &order) in orders.iter().enumerate() {
            let is_there = match cone {
                5 => matrix == 0,
                6 => false,
                _ => matrix % (cone + 1) < 2,
            };
            for i in (0..order).filter(|i| is_there && (i * 7 + matrix) % (cone + 2) < 2) {
                let value = draft.value();
                draft.put(matrix, 2, row + i, row + i, value);
            }
            row += order;
        }
    }
    let diagonal = first + orders.iter().sum::<usize>();
    draft.finish("cones", m, &squares, diagonal).with_second_order(&orders)
}

/// One long cone and no other block: matrices with all entries and with few.
fn long_cone() -> Data {
    let (m, order) = (9, 1000);
    let mut draft = Draft::new(12);
    for matrix in 0..=m {
        let step = if matrix % 2 == 0 { 1 } else { 7 + 100 * (matrix % 3) };
        for i in (matrix..order).step_by(step) {
            let value = draft.value();
            draft.put(matrix, 0, i, i, value);
        }
    }
    draft.finish("long cone", m, &[], order).with_second_order(&[order])
}

/// A chain of cones, each with two constraints and the first row of one more, beside rows that join
/// constraints at a distance.
fn chain_of_cones() -> Data {
    let (m, first) = (90, 10);
    let orders: Vec<usize> = (0..m).map(|cone| 2 + cone % 4).collect();
    let mut draft = Draft::new(13);
    let mut row = first;
    for (cone, &order) in orders.iter().enumerate() {
        for (at, matrix) in [cone + 1, (cone + 1) % m + 1].into_iter().enumerate() {
            for i in (0..order).filter(|i| i % 2 == at || *i == order - 1) {
                let value = draft.value();
                draft.put(matrix, 0, row + i, row + i, value);
            }
        }
        if cone % 3 == 0 {
            draft.put(0, 0, row, row, -1.0);
        }
        row += order;
    }
    for i in 0..first {
        for matrix in [1 + i, 4 + i] {
            let value = draft.value();
            draft.put(matrix, 0, i, i, value);
        }
    }
    draft.finish("chain of cones", m, &[], row).with_second_order(&orders)
}

/// Programs with sparse Schur complements.
pub(crate) fn sparse() -> Vec<Data> {
    vec![chain(), arrow(), chain_of_cones()]
}

/// Programs with dense ones.
pub(crate) fn dense() -> Vec<Data> {
    vec![mixed(), full(), blocks(), few(), linear(), one(), none(), cones(), long_cone()]
}

/// One that is worth several threads.
pub(crate) fn large() -> Data {
    let mut draft = Draft::new(8);
    draft.scatter(0, 0, 70, 50);
    draft.full(1, 0, &(0..70).collect::<Vec<usize>>());
    for matrix in 2..=100 {
        let rows: Vec<usize> = (0..matrix % 12).map(|i| (matrix * 11 + i * 3) % 70).collect();
        draft.full(matrix, 0, &rows);
        draft.scatter(matrix, 0, 70, matrix % 5);
        draft.scatter(matrix, 1, 33, matrix % 3);
        draft.put(matrix, 2, matrix % 50, matrix % 50, 1.5);
        for i in [50 + matrix % 3, 53 + matrix % 600, 53 + 5 * matrix, 653 + matrix % 7] {
            draft.put(matrix, 2, i, i, 0.5 + (i % 4) as f64);
        }
    }
    let cones = [3, 600, 7];
    draft.finish("large", 100, &[70, 33], 660).with_second_order(&cones)
}
