//! The unknowns of all right-hand sides: refined one after the other, or together.

use nonius_num::mp::{Bits, MpRef};

use super::block::{self, Block, Loaded};
use super::candidate;
use super::certificate::Certificate;
use super::column::Column;
use super::host::cpu;
use super::inverse::Inverse;
use super::machine::Machine;
use super::magnitude::Magnitude;
use super::outcome::Open;
use super::refine::{self, Corrector};
use super::residual::lowest_bit;
use super::system::System;
use super::target::Target;
use crate::threads::{Grain, map_parts};
use crate::{Error, mp};

/// Approximations of `Y`.
pub(super) enum Unknowns<M: Machine> {
    /// One after the other.
    Columns(Vec<Column>),
    /// All at once.
    Block(Block<M>),
}

/// What was proved.
pub(super) struct Found {
    /// `Y`, rounded to the bits of the target, or exactly with as many as it has.
    pub(super) y: mp::Matrix,
    /// Whether `y` is exact, where the solution is known exactly.
    pub(super) whole: Option<bool>,
    /// The largest relative error, by the target's measure.
    pub(super) worst: Magnitude,
}

/// How refinement ends.
pub(super) enum End {
    /// The digits are proved.
    Found(Found),
    /// A better inverse is needed.
    Stagnates,
    /// More bits of what is given are needed; the largest relative error that is left.
    DataTooShort(Magnitude),
    /// More bits are needed than there may be; the same.
    NoMoreBits(Magnitude),
    /// The digits are proved of all entries but these.
    Undecided(Vec<Open>),
}

impl<M: Machine> Unknowns<M> {
    /// Zeros, of which nothing is known.
    pub(super) fn new(machine: &M, system: &System, target: &Target) -> Result<Self, Error> {
        if system.rights() >= M::TOGETHER {
            return Block::new(machine, system, target).map(Self::Block);
        }
        Ok(Self::Columns((0..system.rights()).map(|j| Column::new(system, j, target)).collect()))
    }

    /// Refines all columns; `report` hears the column and its error bound after each step.
    pub(super) fn refine(
        &mut self,
        machine: &M,
        (system, loaded): (&System, &Loaded<M>),
        (inverse, certificate): (&Inverse<M>, &Certificate),
        target: &Target,
        report: &mut dyn FnMut(usize, Magnitude),
    ) -> Result<End, Error> {
        let block = match self {
            Self::Columns(columns) => {
                let inverse = inverse.fetched(machine)?;
                let corrector = Corrector::Inverse(&inverse, certificate);
                let end = one_by_one(machine, system, corrector, target, columns, report)?;
                return Ok(end.unwrap_or_else(|| End::Found(together(system, target, columns))));
            }
            Self::Block(block) => block,
        };
        let with = (inverse, certificate);
        match block.refine(machine, (system, loaded), with, target, report)? {
            block::End::Stagnates => return Ok(End::Stagnates),
            block::End::DataTooShort(worst) => return Ok(End::DataTooShort(worst)),
            block::End::NoMoreBits(worst) => return Ok(End::NoMoreBits(worst)),
            block::End::Done => {}
        }
        let mut y = block.fetch(machine, Some(target.bits))?;
        let mut columns = exact_columns(block, &y, system, target);
        let is_open = |j: &usize| !block.verdicts[*j].done;
        let open: Vec<usize> = (0..y.cols()).filter(is_open).collect();
        if !open.is_empty() {
            let whole = block.fetch(machine, None)?;
            let mut left: Vec<Column> =
                open.iter().map(|&j| block_column(block, &whole, system, target, j)).collect();
            let inverse = inverse.fetched(machine)?;
            let corrector = Corrector::Inverse(&inverse, certificate);
            if let Some(end) = one_by_one(machine, system, corrector, target, &mut left, report)? {
                return Ok(end);
            }
            columns.extend(left);
        }
        if columns.len() == y.cols() {
            columns.sort_by_key(|column| column.index);
            return Ok(End::Found(together(system, target, &columns)));
        }
        let others = block.verdicts.iter().filter(|verdict| verdict.done);
        let mut worst = others.map(|x| x.worst).fold(Magnitude::ZERO, Magnitude::max);
        for column in &columns {
            (0..y.rows()).for_each(|i| y.put(i, column.index, column.values.entry(i, 0)));
            worst = worst.max(column.worst);
        }
        Ok(End::Found(Found { y, whole: None, worst }))
    }
}

/// Solves for all columns without an inverse, at the same time where they are several; and the most
/// bits that it took.
pub(super) fn solve_columns<M: Machine>(
    machine: &M,
    system: &System,
    corrector: Corrector<'_>,
    target: &Target,
    report: &mut dyn FnMut(usize, Magnitude),
) -> Result<(End, Option<Bits>), Error> {
    let mut columns: Vec<Column> =
        (0..system.rights()).map(|j| Column::new(system, j, target)).collect();
    let solved = match &mut columns[..] {
        [column] => vec![solve_column(machine, system, corrector, target, column)],
        columns => map_parts(columns, Grain::ANY, |_, column| {
            solve_column(&cpu(), system, corrector, target, column)
        }),
    };
    let solved: Vec<(refine::End, Vec<Magnitude>)> =
        solved.into_iter().collect::<Result<_, Error>>()?;
    let (mut open, mut early) = (Vec::new(), None);
    for (column, (end, bounds)) in columns.iter().zip(solved) {
        bounds.into_iter().for_each(|bound| report(column.index, bound));
        early = early.or(ended(system, column, end, &mut open));
    }
    let bits = columns.iter().map(|column| column.values.bits()).max();
    let undecided = (!open.is_empty()).then_some(End::Undecided(open));
    let end = early.or(undecided);
    Ok((end.unwrap_or_else(|| End::Found(together(system, target, &columns))), bits))
}

/// Refines a column; how that ends, and the bounds of its errors after each step.
fn solve_column<M: Machine>(
    machine: &M,
    system: &System,
    corrector: Corrector<'_>,
    target: &Target,
    column: &mut Column,
) -> Result<(refine::End, Vec<Magnitude>), Error> {
    let mut bounds = Vec::new();
    let end = column.refine(machine, system, corrector, target, &mut |x| bounds.push(x))?;
    Ok((end, bounds))
}

/// Refines columns on the host; a reason to end, unless all digits are proved.
fn one_by_one<M: Machine>(
    machine: &M,
    system: &System,
    corrector: Corrector<'_>,
    target: &Target,
    columns: &mut [Column],
    report: &mut dyn FnMut(usize, Magnitude),
) -> Result<Option<End>, Error> {
    let mut open = Vec::new();
    for column in columns {
        let index = column.index;
        let mut heard = |error_bound| report(index, error_bound);
        let end = column.refine(machine, system, corrector, target, &mut heard)?;
        if let Some(end) = ended(system, column, end, &mut open) {
            return Ok(Some(end));
        }
    }
    Ok((!open.is_empty()).then_some(End::Undecided(open)))
}

/// The reason to end that a column is, unless its digits are proved, but perhaps of entries that
/// are `open`.
fn ended(system: &System, column: &Column, end: refine::End, open: &mut Vec<Open>) -> Option<End> {
    match end {
        refine::End::Done => None,
        refine::End::Stagnates => Some(End::Stagnates),
        refine::End::DataTooShort(worst) => Some(End::DataTooShort(worst)),
        refine::End::NoMoreBits(worst) => Some(End::NoMoreBits(worst)),
        refine::End::Undecided(rows) => {
            open.extend(rows.into_iter().map(|row| {
                Open {
                    row,
                    col: column.index,
                    bound: Magnitude::above(column.values.entry(row, 0))
                        .plus(column.errors[row])
                        .shifted(system.column_scales[row]),
                }
            }));
            None
        }
    }
}

/// All columns as one matrix: exactly where all are exact and few bits hold them.
fn together(system: &System, target: &Target, columns: &[Column]) -> Found {
    let n = system.order();
    let exact = columns.iter().all(Column::is_exact);
    let entries = || columns.iter().flat_map(|column| (0..n).map(|i| column.values.entry(i, 0)));
    let length = |x: MpRef<'_>| Some(i64::from(x.head().exponent()?) - lowest_bit(x)?);
    let longest = entries().filter_map(length).max().and_then(|length| u32::try_from(length).ok());
    let enough = Bits::new(longest.unwrap_or(0).max(target.bits.get())).ok().filter(|_| exact);
    let bits = enough.unwrap_or(target.bits);
    let mut y = mp::Matrix::zeros_in(bits, n, columns.len());
    for (j, column) in columns.iter().enumerate() {
        (0..n).for_each(|i| y.put(i, j, column.values.entry(i, 0)));
    }
    let worst = columns.iter().map(|column| column.worst).fold(Magnitude::ZERO, Magnitude::max);
    Found { y, whole: exact.then_some(enough.is_some()), worst }
}

/// A column of a block with the bounds of its errors, of values that may be rounded to fewer bits.
fn block_column<M: Machine>(
    block: &Block<M>,
    y: &mp::Matrix,
    system: &System,
    target: &Target,
    j: usize,
) -> Column {
    let mut values = mp::Matrix::zeros_in(y.bits(), y.rows(), 1);
    (0..y.rows()).for_each(|i| values.put(i, 0, y.entry(i, j)));
    let errors = (0..y.rows()).map(|i| error(block, y, system, target, (i, j)));
    Column::from_parts(j, values, errors.collect(), block.verdicts[j].worst)
}

fn error<M: Machine>(
    block: &Block<M>,
    y: &mp::Matrix,
    system: &System,
    target: &Target,
    (i, j): (usize, usize),
) -> Magnitude {
    let size = Magnitude::above(y.entry(i, j));
    let rounding = size.shifted(1 - i64::from(y.bits().get()));
    block.error(system, target, (i, j), size.shifted(1)).plus(rounding)
}

/// Entries of a column that are looked at before it is tried as an exact solution.
const FIRST: usize = 8;

/// The columns of a block that are solutions of few bits.
fn exact_columns<M: Machine>(
    block: &Block<M>,
    y: &mp::Matrix,
    system: &System,
    target: &Target,
) -> Vec<Column> {
    if !system.is_exact() {
        return Vec::new();
    }
    let seems_short = |j: &usize| {
        block.verdicts[*j].done
            && (0..y.rows().min(FIRST)).all(|i| {
                candidate::is_short(y.entry(i, *j), error(block, y, system, target, (i, *j)))
            })
    };
    (0..y.cols())
        .filter(seems_short)
        .filter_map(|j| {
            let mut column = block_column(block, y, system, target, j);
            candidate::exact(system, &mut column).then_some(column)
        })
        .collect()
}
