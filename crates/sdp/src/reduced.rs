//! A problem as it is computed with.
//!
//! What SDPA's format calls a dense block may be several: rows that no entry of any matrix connects
//! form blocks of their own, in `X` as in `Y` (an entry of `Y` outside meets nothing but zeros, and
//! without it `Y` is still positive semidefinite). Blocks of order 1 are diagonal. Rows without any
//! entry are left out, and so are variables whose matrix is zero. Constraints are sorted by the
//! number of their entries, the largest first, which is the order that the Schur complement wants.

use nonius_linalg::{Error, Number, Numbers};

use crate::components::Components;
use crate::cone::{self, Program};
use crate::{Block, BlockValues, Misfit, Place, Problem, Solution};

/// Where a row of a problem's block is computed with.
#[derive(Clone, Copy)]
struct Home {
    /// The square; `None` on the diagonal.
    square: Option<usize>,
    /// The row there.
    row: u32,
}

/// What is left of a problem.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The problem's.
    blocks: Vec<Block>,
    /// Of each square the block and the rows of the problem that it has.
    squares: Vec<(usize, Vec<usize>)>,
    /// Of each entry of the diagonal the block and the row.
    diagonal: Vec<(usize, usize)>,
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
        for place in entries.iter().map(|entry| entry.place) {
            counts[place.matrix as usize] += 1;
            rows.extend([(place.block, place.row), (place.block, place.col)]);
        }
        rows.sort_unstable();
        rows.dedup();
        let number = |block: u32, row: u32| rows.partition_point(|&other| other < (block, row));
        let mut components = Components::new(rows.len());
        for place in entries.iter().map(|entry| entry.place) {
            components.join(number(place.block, place.row), number(place.block, place.col));
        }
        let (mut squares, mut diagonal) = (Vec::new(), Vec::new());
        let mut homes = vec![Home { square: None, row: 0 }; rows.len()];
        for component in components.sets() {
            let block = rows[component[0]].0 as usize;
            if let &[only] = component.as_slice() {
                homes[only].row = diagonal.len() as u32;
                diagonal.push((block, rows[only].1 as usize));
                continue;
            }
            for (row, &member) in (0..).zip(&component) {
                homes[member] = Home { square: Some(squares.len()), row };
            }
            squares.push((block, component.iter().map(|&i| rows[i].1 as usize).collect()));
        }
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
        Self { blocks, squares, diagonal, constraints, places, values, idle }
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
            let count = places.len();
            let too_large = Error::TooLarge { rows: count, cols: 1 };
            let mut values = Numbers::try_zeros(numbers.format(), count).ok_or(too_large)?;
            for (i, place) in places.enumerate() {
                values.set(i, numbers.at(place as usize));
            }
            Ok::<Numbers<T>, Error>(values)
        };
        let objective = chosen(&mut self.constraints.iter().map(|&k| problem.objective()[k]))?;
        let values = chosen(&mut self.values.iter().copied())?;
        let orders: Vec<usize> = self.squares.iter().map(|(_, rows)| rows.len()).collect();
        Program::new(objective, &orders, self.diagonal.len(), &self.places, &values)
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

    /// Of each entry of the diagonal the block of the problem and the row.
    pub fn diagonal(&self) -> &[(usize, usize)] {
        &self.diagonal
    }

    /// The problem's constraints in the order in which they are computed with.
    pub fn constraints(&self) -> &[usize] {
        &self.constraints
    }

    /// The constraints that are left out, whose matrices are zero.
    pub fn idle(&self) -> &[usize] {
        &self.idle
    }

    /// The order of `X` and `Y`.
    pub fn order(&self) -> usize {
        self.diagonal.len() + self.squares.iter().map(|(_, rows)| rows.len()).sum::<usize>()
    }
}

/// The numbers of a point that are computed with: `x`, and of `X` and `Y` each square column by
/// column, then the diagonal.
pub type Reducible<N> = (Vec<N>, [Vec<Vec<N>>; 2]);

impl Reduced {
    /// The numbers of a point that are computed with.
    ///
    /// # Errors
    /// [`Misfit`] where the point is not one of the problem.
    pub fn restrict<N: Clone>(&self, solution: &Solution<N>) -> Result<Reducible<N>, Misfit> {
        solution.fits(self.constraints.len() + self.idle.len(), &self.blocks)?;
        let x = self.constraints.iter().map(|&k| solution.x[k].clone()).collect();
        Ok((x, [&solution.primal, &solution.dual].map(|blocks| self.restrict_blocks(blocks))))
    }

    fn restrict_blocks<N: Clone>(&self, blocks: &[BlockValues<N>]) -> Vec<Vec<N>> {
        let square = |(block, rows): &(usize, Vec<usize>)| {
            match &blocks[*block] {
                BlockValues::Dense { order, entries } if *order == rows.len() => {
                    return entries.clone();
                }
                _ => {}
            }
            let entry = |i: usize, j: usize| blocks[*block].at(i, j).cloned();
            rows.iter().flat_map(|&j| rows.iter().filter_map(move |&i| entry(i, j))).collect()
        };
        let diagonal = |&(block, row): &(usize, usize)| blocks[block].at(row, row).cloned();
        let squares = self.squares.iter().map(square);
        squares.chain([self.diagonal.iter().filter_map(diagonal).collect()]).collect()
    }

    /// The point of the problem with these numbers, and zeros elsewhere.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn expand<N: Clone>(
        &self,
        problem: &Problem,
        (x, [primal, dual]): &Reducible<N>,
        zero: &N,
    ) -> Result<Solution<N>, Error> {
        let mut all = vec![zero.clone(); problem.constraints()];
        for (&k, x) in self.constraints.iter().zip(x) {
            all[k] = x.clone();
        }
        let blocks = |numbers| self.expand_blocks(problem, numbers, zero);
        Ok(Solution { x: all, primal: blocks(primal)?, dual: blocks(dual)? })
    }

    fn expand_blocks<N: Clone>(
        &self,
        problem: &Problem,
        numbers: &[Vec<N>],
        zero: &N,
    ) -> Result<Vec<BlockValues<N>>, Error> {
        let filled = |&block: &Block| BlockValues::filled(block, zero);
        let mut blocks: Vec<BlockValues<N>> =
            problem.blocks().iter().map(filled).collect::<Result<_, _>>()?;
        for ((block, rows), numbers) in self.squares.iter().zip(numbers) {
            match &mut blocks[*block] {
                BlockValues::Dense { order, entries } if *order == rows.len() => {
                    entries.clone_from(numbers);
                    continue;
                }
                _ => {}
            }
            let mut numbers = numbers.iter();
            for &j in rows {
                for &i in rows {
                    if let (Some(to), Some(number)) = (blocks[*block].at_mut(i, j), numbers.next())
                    {
                        to.clone_from(number);
                    }
                }
            }
        }
        let last = numbers.last().map_or(&[][..], Vec::as_slice);
        for (&(block, row), number) in self.diagonal.iter().zip(last) {
            if let Some(to) = blocks[block].at_mut(row, row) {
                to.clone_from(number);
            }
        }
        Ok(blocks)
    }
}
