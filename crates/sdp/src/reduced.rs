//! A problem as it is computed with.
//!
//! What SDPA's format calls a dense block may be several: rows that no entry of any matrix connects
//! form blocks of their own, in `X` as in `Y` (an entry of `Y` outside meets nothing but zeros, and
//! without it `Y` is still positive semidefinite). Blocks of order 1 are diagonal. Rows without any
//! entry are left out, of a second-order cone those after the first, and so are variables whose
//! matrix is zero. Constraints are sorted by the number of their entries, the largest first, which
//! is the order that the Schur complement wants.

use std::borrow::Cow;

use nonius_linalg::threads::{Grain, for_each};
use nonius_linalg::{Error, Number, Numbers, SliceMut};

use crate::components::Components;
use crate::cone::{self, Program, in_format, zeros};
use crate::{Block, BlockValues, Place, Problem, Solution};

/// Where a row of a problem's block is computed with.
#[derive(Clone, Copy)]
struct Home {
    /// The square; `None` on the diagonal.
    square: Option<usize>,
    /// The row there.
    row: u32,
}

/// The part of a problem that is computed with, in smaller blocks and without zero rows.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The problem's.
    blocks: Vec<Block>,
    /// Of each square the block and the rows of the problem that it has.
    squares: Vec<(usize, Vec<usize>)>,
    /// Of each entry of the diagonal the block and the row.
    diagonal: Vec<(usize, usize)>,
    /// The orders of the second-order cones, which are the last entries of the diagonal.
    second_order: Vec<usize>,
    /// The problem's constraints in the order in which they are computed with.
    constraints: Vec<usize>,
    /// Places of entries that are left, and of their values among the problem's numbers.
    places: Vec<cone::Place>,
    values: Vec<u32>,
    /// Constraints whose matrix is zero.
    idle: Vec<usize>,
}

impl Reduced {
    /// What is left of a problem.
    pub fn new(problem: &Problem) -> Self {
        let numbers = problem.numbers();
        let entries: Vec<_> =
            problem.entries().iter().filter(|entry| !numbers.is_zero(entry.value)).collect();
        let mut counts = vec![0_usize; problem.constraints() + 1];
        // By what there is, not by the orders that blocks are declared with.
        let mut rows: Vec<(u32, u32)> = Vec::with_capacity(entries.len());
        let is_cone =
            |block: u32| matches!(problem.blocks()[block as usize], Block::SecondOrder(_));
        for place in entries.iter().map(|entry| entry.place) {
            counts[place.matrix as usize] += 1;
            rows.extend([(place.block, place.row), (place.block, place.col)]);
            if is_cone(place.block) {
                rows.push((place.block, 0));
            }
        }
        rows.sort_unstable();
        rows.dedup();
        let number = |block: u32, row: u32| rows.partition_point(|&other| other < (block, row));
        let mut components = Components::new(rows.len());
        for place in entries.iter().map(|entry| entry.place) {
            let row = if is_cone(place.block) { 0 } else { place.row };
            components.join(number(place.block, row), number(place.block, place.col));
        }
        let (mut squares, mut diagonal) = (Vec::new(), Vec::new());
        let mut cones: Vec<Vec<usize>> = Vec::new();
        let mut homes = vec![Home { square: None, row: 0 }; rows.len()];
        for component in components.sets() {
            let block = rows[component[0]].0 as usize;
            if let &[only] = component.as_slice() {
                homes[only].row = diagonal.len() as u32;
                diagonal.push((block, rows[only].1 as usize));
                continue;
            }
            if is_cone(rows[component[0]].0) {
                cones.push(component);
                continue;
            }
            for (row, &member) in (0..).zip(&component) {
                homes[member] = Home { square: Some(squares.len()), row };
            }
            squares.push((block, component.iter().map(|&i| rows[i].1 as usize).collect()));
        }
        for &member in cones.iter().flatten() {
            homes[member].row = diagonal.len() as u32;
            diagonal.push((rows[member].0 as usize, rows[member].1 as usize));
        }
        let second_order = cones.iter().map(Vec::len).collect();
        let (mut constraints, idle): (Vec<usize>, Vec<usize>) =
            (0..problem.constraints()).partition(|&k| counts[k + 1] > 0);
        constraints.sort_by_key(|&k| core::cmp::Reverse(counts[k + 1]));
        let mut matrices = vec![0_u32; problem.constraints() + 1];
        for (new, &k) in constraints.iter().enumerate() {
            matrices[k + 1] = new as u32 + 1;
        }
        let places = entries
            .iter()
            .map(|entry| {
                let Place { matrix, block, row, col } = entry.place;
                let [row, col] = [row, col].map(|row| homes[number(block, row)]);
                cone::Place {
                    block: row.square.unwrap_or(squares.len()) as u32,
                    matrix: matrices[matrix as usize],
                    col: col.row,
                    row: row.row,
                }
            })
            .collect();
        let values = entries.iter().map(|entry| entry.value).collect();
        let blocks = problem.blocks().to_vec();
        Self { blocks, squares, diagonal, second_order, constraints, places, values, idle }
    }

    /// The program with the problem's numbers, as they were rounded.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn program<T: Number>(
        &self,
        problem: &Problem,
        numbers: &Numbers<T>,
    ) -> Result<Program<T>, Error> {
        let chosen = |places: &mut dyn ExactSizeIterator<Item = u32>| {
            collected(numbers.format(), places.map(|place| Some(numbers.at(place as usize))))
        };
        let objective = chosen(&mut self.constraints.iter().map(|&k| problem.objective()[k]))?;
        let values = chosen(&mut self.values.iter().copied())?;
        let orders: Vec<usize> = self.squares.iter().map(|(_, rows)| rows.len()).collect();
        let program = Program::new(objective, &orders, self.diagonal.len(), &self.places, &values)?;
        Ok(program.with_second_order(&self.second_order))
    }

    /// Multiples of the identity for `X` and `Y` to begin with, which the norms of the matrices
    /// suggest: with `n` the order, `max(10, √n, 1 + max ‖Fₖ‖)` and
    /// `max(10, √n·max (1 + |cᵢ|)/(1 + ‖Fᵢ‖))`.
    ///
    /// Source: K.-C. Toh, M. J. Todd and R. H. Tütüncü, *SDPT3*, Optimization Methods and Software
    /// 11, 1999, section 4.2, there for each block.
    ///
    /// # Errors
    /// Those of [`Literals::values`](crate::Literals::values).
    pub fn start(&self, problem: &Problem) -> Result<[f64; 2], Error> {
        let numbers = problem.numbers().values::<f64>(())?.into_vec();
        let mut squares = vec![0.0; self.constraints.len() + 1];
        for (place, &value) in self.places.iter().zip(&self.values) {
            let times = if place.row == place.col { 1.0 } else { 2.0 };
            squares[place.matrix as usize] += times * numbers[value as usize].powi(2);
        }
        let norms: Vec<f64> = squares.iter().map(|square: &f64| square.sqrt()).collect();
        let least = (self.order() as f64).sqrt().max(10.0);
        let primal = norms.iter().fold(0.0, |a: f64, &norm| a.max(norm)) + 1.0;
        let quotient = |(&k, norm): (&usize, &f64)| {
            let c = numbers[problem.objective()[k] as usize].abs();
            (1.0 + c) / (1.0 + norm)
        };
        let dual = self.constraints.iter().zip(&norms[1..]).map(quotient).fold(0.0, f64::max);
        Ok([primal.max(least), (dual * (self.order() as f64).sqrt()).max(least)])
    }

    /// Of each square the block of the problem that it is part of, and the rows that it has,
    /// ascending.
    pub fn squares(&self) -> &[(usize, Vec<usize>)] {
        &self.squares
    }

    /// Of each entry of the diagonal the block of the problem and the row, those of second-order
    /// cones last.
    pub fn diagonal(&self) -> &[(usize, usize)] {
        &self.diagonal
    }

    /// The orders of the second-order cones.
    pub fn second_order(&self) -> &[usize] {
        &self.second_order
    }

    /// The problem's constraints in the order in which they are computed with.
    pub fn constraints(&self) -> &[usize] {
        &self.constraints
    }

    /// The constraints that are left out, whose matrices are zero.
    pub fn idle(&self) -> &[usize] {
        &self.idle
    }

    /// The order of `X` and `Y`, rows of second-order cones included.
    pub fn order(&self) -> usize {
        self.diagonal.len() + self.squares.iter().map(|(_, rows)| rows.len()).sum::<usize>()
    }
}

/// The numbers of a point that are computed with: `x`, and of `X` and `Y` each square column by
/// column, then the diagonal.
pub type Reducible<T> = (Numbers<T>, [Vec<Numbers<T>>; 2]);

/// The same, borrowed from a point where a square is a whole block.
pub type Restricted<'a, T> = (Numbers<T>, [Vec<Cow<'a, Numbers<T>>>; 2]);

impl Reduced {
    /// The numbers of a point that are computed with, rounded to a format.
    ///
    /// # Errors
    /// [`Error::Shape`] where the point is not one of the problem; [`Error::TooLarge`].
    pub fn restrict<'a, T: Number>(
        &self,
        solution: &'a Solution<T>,
        format: T::Format,
    ) -> Result<Restricted<'a, T>, Error> {
        solution.fits(self.constraints.len() + self.idle.len(), &self.blocks)?;
        let x = collected(format, self.constraints.iter().map(|&k| Some(solution.x.at(k))))?;
        let blocks = |blocks| self.restrict_blocks(blocks, format);
        Ok((x, [blocks(&solution.primal)?, blocks(&solution.dual)?]))
    }

    fn restrict_blocks<'a, T: Number>(
        &self,
        blocks: &'a [BlockValues<T>],
        format: T::Format,
    ) -> Result<Vec<Cow<'a, Numbers<T>>>, Error> {
        let square = |(block, rows): &(usize, Vec<usize>)| {
            let block = &blocks[*block];
            if is_whole(block, rows) {
                return in_format(block.entries(), format);
            }
            let mut square = zeros(format, rows.len() * rows.len())?;
            let mut columns = square.as_mut_slice().pieces(rows.len());
            for_each(&mut columns[..], Grain::ANY, |j, column| {
                for (i, &row) in rows.iter().enumerate() {
                    if let Some(number) = block.at(row, rows[j]) {
                        column.set(i, number);
                    }
                }
            });
            Ok(Cow::Owned(square))
        };
        let diagonal = self.diagonal.iter().map(|&(block, row)| blocks[block].at(row, row));
        let last = collected(format, diagonal).map(Cow::Owned);
        self.squares.iter().map(square).chain([last]).collect()
    }

    /// The point of the problem with these numbers, and zeros elsewhere.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn expand<T: Number>(
        &self,
        problem: &Problem,
        (x, [primal, dual]): Reducible<T>,
    ) -> Result<Solution<T>, Error> {
        let format = x.format();
        let mut all = zeros(format, problem.constraints())?;
        for (i, &k) in self.constraints.iter().enumerate() {
            all.copy_of(k, &x, i);
        }
        let blocks = |numbers| self.expand_blocks(problem, numbers, format);
        Ok(Solution { x: all, primal: blocks(primal)?, dual: blocks(dual)? })
    }

    fn expand_blocks<T: Number>(
        &self,
        problem: &Problem,
        mut numbers: Vec<Numbers<T>>,
        format: T::Format,
    ) -> Result<Vec<BlockValues<T>>, Error> {
        let mut blocks: Vec<Option<BlockValues<T>>> = vec![None; problem.blocks().len()];
        for ((block, rows), numbers) in self.squares.iter().zip(&mut numbers) {
            if problem.blocks()[*block] == Block::Dense(rows.len()) {
                let entries = core::mem::replace(numbers, Numbers::new(format));
                blocks[*block] = Some(BlockValues::Dense { order: rows.len(), entries });
            }
        }
        let zeros = |(found, &block)| match found {
            Some(found) => Ok(found),
            None => BlockValues::zeros(block, format),
        };
        let mut blocks: Vec<BlockValues<T>> =
            blocks.into_iter().zip(problem.blocks()).map(zeros).collect::<Result<_, _>>()?;
        for ((block, rows), numbers) in self.squares.iter().zip(&numbers) {
            if numbers.is_empty() {
                continue;
            }
            let mut columns = columns_of(&mut blocks[*block], rows);
            for_each(&mut columns[..], Grain::ANY, |j, column| {
                for (i, &row) in rows.iter().enumerate() {
                    column.set(row, numbers.at(i + j * rows.len()));
                }
            });
        }
        if let Some(last) = numbers.last() {
            for (&(block, row), number) in self.diagonal.iter().zip(last.as_slice().iter()) {
                blocks[block].set(row, row, number);
            }
        }
        Ok(blocks)
    }
}

/// Whether these are all rows of a block that is not diagonal.
fn is_whole<T: Number>(block: &BlockValues<T>, rows: &[usize]) -> bool {
    matches!(block, BlockValues::Dense { order, .. } if *order == rows.len())
}

/// Some columns of a block that is not diagonal, ascending.
fn columns_of<'a, T: Number>(
    block: &'a mut BlockValues<T>,
    columns: &[usize],
) -> Vec<SliceMut<'a, T>> {
    let order = block.order();
    let (mut rest, mut next) = (block.entries_mut().as_mut_slice(), 0);
    let mut found = Vec::with_capacity(columns.len());
    for &column in columns {
        let (_, from) = rest.split_at((column - next) * order);
        let (entries, after) = from.split_at(order);
        found.push(entries);
        (rest, next) = (after, column + 1);
    }
    found
}

/// Some numbers, each rounded to a format; zeros where there is none.
fn collected<T: Number>(
    format: T::Format,
    from: impl ExactSizeIterator<Item = Option<T>>,
) -> Result<Numbers<T>, Error> {
    let mut to = zeros(format, from.len())?;
    for (i, number) in from.enumerate() {
        if let Some(number) = number {
            to.set(i, number);
        }
    }
    Ok(to)
}
