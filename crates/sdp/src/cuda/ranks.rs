//! The Schur complement of GPUs that are ranks.
//!
//! Each has `U` and `V`, forms some runs of columns, and gives them to the others. All have the
//! whole lower triangle then. They factor their tiles of a large one together, and each factors a
//! small one alone. So all have the whole factor, with which each solves systems as one GPU does.
//! Matrices go from one GPU's memory to another's.

use nonius_comm::dense::{Cargo, Ranks};
use nonius_cuda::{Cuda, DeviceMatrix, Kind};
use nonius_linalg::backend::{Memory, View, ViewMut};
use nonius_linalg::dense::cholesky_in_place;
use nonius_linalg::{Error as LinalgError, Number};

use super::blocks::CudaBlocks;
use super::cone::CudaCone;
use super::formula::column_costs;
use super::small::{self, Position, first_small};
use crate::cone::{Cone, Program};
use crate::ranks::{Plan, RanksCone, Shared};

/// Columns of the Schur complement that a rank forms together, so that few copies are needed.
const COLUMNS: usize = 8;

/// Rows of a square whose parts take less time than their messages.
const LEAST_DIVIDED: usize = 1024;

/// Rows of a matrix that two GPUs factor in as much time as one: in `dd` two H200s take 0.0995 s,
/// one 0.1041 s (`gpus-two.txt` of 2026-11-28 among the runs of `bench`).
const LEAST_IN_TILES: usize = 16_384;

impl<T: Cargo> Shared<Cuda> for CudaCone<T> {
    type OnRanks = DeviceMatrix<T>;

    fn schur_on_ranks(cone: &RanksCone<Self, Cuda>) -> Result<DeviceMatrix<T>, LinalgError> {
        cone.whole.schur()
    }

    fn form_on_ranks(
        cone: &RanksCone<Self, Cuda>,
        u: &CudaBlocks<T>,
        v: &CudaBlocks<T>,
        b: &mut DeviceMatrix<T>,
    ) -> Result<(), LinalgError> {
        let [u, v] = [u, v].map(|a| whole_of(cone, a));
        cone.whole.form_schur(&u?, &v?, b);
        for owner in 0..cone.ranks.grid().ranks().size() {
            give_columns(cone, owner, b)?;
        }
        Ok(())
    }

    fn factor_on_ranks(
        cone: &RanksCone<Self, Cuda>,
        shifts: &[f64],
        b: &mut DeviceMatrix<T>,
    ) -> Result<bool, LinalgError> {
        if !cone.in_tiles || cone.whole.constraints() == 0 {
            return cone.whole.factor_schur(shifts, b);
        }
        cone.whole.shift_schur(shifts, b)?;
        let mut tiles = cone.ranks.tiles_of::<T>(b.as_ref());
        let outcome = cholesky_in_place(&cone.ranks, cone.ranks.view_mut(&mut tiles));
        if outcome.is_ok() {
            *b = cone.ranks.everywhere(&tiles)?;
            cone.whole.prepare_systems(b.as_mut());
        }
        Ok(outcome.is_ok())
    }

    fn solve_on_ranks(
        cone: &RanksCone<Self, Cuda>,
        factor: &DeviceMatrix<T>,
        x: &mut DeviceMatrix<T>,
    ) -> Result<(), LinalgError> {
        cone.whole.solve_schur(factor, x);
        Ok(())
    }
}

/// How GPUs share a program out. Small squares lie together, and sums go over all of them.
pub(crate) fn plan<T: Number>(program: &Program<T>) -> Plan {
    let orders: Vec<usize> = program.squares().iter().map(|square| square.order).collect();
    let kind = Kind::of::<T>(program.objective().format());
    let (positions, _) = small::positions(&orders, small::most_rows(kind));
    let first = first_small(&positions);
    let group = |(block, position): (usize, &Position)| match position {
        Position::Alone(_) => block,
        Position::Among(_) => first.unwrap_or(block),
    };
    let groups = positions.iter().enumerate().map(group).chain([orders.len()]).collect();
    Plan {
        costs: column_costs(program),
        together: COLUMNS,
        groups,
        least_divided: LEAST_DIVIDED,
        least_in_tiles: LEAST_IN_TILES,
    }
}

impl<T: Cargo> CudaCone<T> {
    /// A program that GPUs share out by a plan. All ranks call it.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub(crate) fn on_ranks(
        ranks: &Ranks<Cuda>,
        program: Program<T>,
        plan: &Plan,
    ) -> Result<RanksCone<Self, Cuda>, LinalgError> {
        let whole =
            |program, columns: &dyn Fn(usize) -> bool| Self::with_columns(ranks, &program, columns);
        let own = |program, divided: &[bool]| Self::with_divided(ranks, &program, divided);
        RanksCone::new(ranks, program, plan, whole, own)
    }
}

/// All blocks of a matrix, of which each rank has some.
fn whole_of<T: Cargo>(
    cone: &RanksCone<CudaCone<T>, Cuda>,
    a: &CudaBlocks<T>,
) -> Result<CudaBlocks<T>, LinalgError> {
    let (whole, own) = (&cone.whole, &cone.own);
    let mut all = whole.blocks()?;
    let me = cone.ranks.grid().ranks().rank();
    let spread = |block: usize, mine: Option<&DeviceMatrix<T>>, to: &mut DeviceMatrix<T>| {
        if let Some(mine) = mine.filter(|_| cone.divided[block]) {
            whole.gpu.copy(mine.as_ref(), to.as_mut());
            return Ok(());
        }
        let (owner, shape) = (cone.blocks[block], to.shape());
        let given = mine.filter(|_| owner == me).map(DeviceMatrix::as_ref);
        let taken = cone.ranks.broadcast((owner, given), whole.format, shape)?;
        if let Some(from) = taken.as_ref().map(DeviceMatrix::as_ref).or(given) {
            whole.gpu.copy(from, to.as_mut());
        }
        Ok::<_, LinalgError>(())
    };
    for (block, (there, here)) in whole.positions.iter().zip(&own.positions).enumerate() {
        let Position::Alone(to) = *there else { continue };
        let mine = match *here {
            Position::Alone(from) => Some(&a.squares[from]),
            Position::Among(_) => None,
        };
        spread(block, mine, &mut all.squares[to])?;
    }
    if let Some(first) = first_small(&whole.positions) {
        spread(first, Some(&a.small), &mut all.small)?;
    }
    spread(whole.orders.len(), Some(&a.diagonal), &mut all.diagonal)?;
    Ok(all)
}

/// Gives the columns that a rank has formed to the others.
fn give_columns<T: Cargo>(
    cone: &RanksCone<CudaCone<T>, Cuda>,
    owner: usize,
    b: &mut DeviceMatrix<T>,
) -> Result<(), LinalgError> {
    let (ranks, gpu, m) = (&cone.ranks, &cone.whole.gpu, cone.whole.constraints);
    let runs: Vec<(usize, usize)> = runs_of(&cone.columns, owner);
    let width = runs.iter().map(|(_, count)| count).sum();
    if width == 0 {
        return Ok(());
    }
    let mut given = None;
    if ranks.grid().ranks().rank() == owner {
        let mut columns = Memory::<T>::room(gpu, cone.whole.format, m, width);
        let mut place = 0;
        for &(first, count) in &runs {
            let to = columns.as_mut().block_mut(0, place, m, count);
            gpu.copy(b.as_ref().block(0, first, m, count), to);
            place += count;
        }
        given = Some(columns);
    }
    let from = given.as_ref().map(DeviceMatrix::as_ref);
    if let Some(columns) = ranks.broadcast::<T>((owner, from), cone.whole.format, (m, width))? {
        let mut place = 0;
        for &(first, count) in &runs {
            let to = b.as_mut().block_mut(0, first, m, count);
            gpu.copy(columns.as_ref().block(0, place, m, count), to);
            place += count;
        }
    }
    Ok(())
}

/// Where runs of columns of a rank begin, and how long they are.
fn runs_of(owners: &[usize], owner: usize) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for column in (0..owners.len()).filter(|&column| owners[column] == owner) {
        match runs.last_mut() {
            Some((first, count)) if *first + *count == column => *count += 1,
            _ => runs.push((column, 1)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::runs_of;

    #[test]
    fn columns_that_follow_one_another_are_one_run() {
        let owners = [0, 0, 1, 1, 1, 0, 1];
        assert_eq!(runs_of(&owners, 0), [(0, 2), (5, 1)]);
        assert_eq!(runs_of(&owners, 1), [(2, 3), (6, 1)]);
        assert_eq!(runs_of(&owners, 2), []);
    }
}
