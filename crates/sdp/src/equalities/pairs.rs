//! Rows that are opposites.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::decimal::Decimal;
use crate::{Block, Place, Problem};

/// A row that shares no entry with another one, everything counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Row {
    pub(super) block: u32,
    pub(super) row: u32,
}

/// Two such rows of which the entries of all matrices differ in sign only, the first one before the
/// second.
pub(super) type Pair = [Row; 2];

/// All pairs of a problem, in the order of their first rows; of rows with the same entries the
/// first ones.
pub(super) fn find(problem: &Problem) -> Vec<Pair> {
    let mut groups: HashMap<Vec<(u32, i64)>, [Option<Row>; 2]> = HashMap::new();
    for (row, mut entries) in rows(problem) {
        let is_negative = entries.first().is_some_and(|&(_, number)| number < 0);
        if is_negative {
            entries.iter_mut().for_each(|(_, number)| *number = -*number);
        }
        groups.entry(entries).or_default()[usize::from(is_negative)].get_or_insert(row);
    }
    let both = |rows: [Option<Row>; 2]| Some([rows[0]?.min(rows[1]?), rows[0]?.max(rows[1]?)]);
    let mut pairs: Vec<Pair> = groups.into_values().filter_map(both).collect();
    pairs.sort_unstable();
    pairs
}

/// The matrices that have an entry in each row that is a block by itself, and the names of these
/// entries.
fn rows(problem: &Problem) -> BTreeMap<Row, Vec<(u32, i64)>> {
    let numbers = problem.numbers();
    let entries = || problem.entries().iter().filter(|entry| !numbers.is_zero(entry.value));
    let mut joined: HashSet<Row> = HashSet::new();
    for Place { block, row, col, .. } in entries().map(|entry| entry.place) {
        if row != col {
            joined.extend([row, col].map(|row| Row { block, row }));
        }
    }
    let mut names = Names::default();
    let mut rows: BTreeMap<Row, Option<Vec<(u32, i64)>>> = BTreeMap::new();
    // By matrices.
    let is_cone = |block: u32| matches!(problem.blocks()[block as usize], Block::SecondOrder(_));
    for entry in entries() {
        let Place { matrix, block, row, .. } = entry.place;
        if is_cone(block) || joined.contains(&Row { block, row }) {
            continue;
        }
        let row = rows.entry(Row { block, row }).or_insert_with(|| Some(Vec::new()));
        match (names.of(problem, entry.value), row.as_mut()) {
            (Some(name), Some(row)) => row.push((matrix, name)),
            _ => *row = None,
        }
    }
    rows.into_iter().filter_map(|(row, entries)| Some((row, entries?))).collect()
}

/// Names of numbers: the same for those that are equal, the opposite for those that differ in sign.
#[derive(Default)]
struct Names {
    of_literals: HashMap<u32, Option<i64>>,
    of_magnitudes: HashMap<Decimal, i64>,
}

impl Names {
    /// That of a literal other than zero, unless it is out of all ranges.
    fn of(&mut self, problem: &Problem, literal: u32) -> Option<i64> {
        *self.of_literals.entry(literal).or_insert_with(|| {
            let number = Decimal::parse(problem.numbers().text(literal).as_bytes())?;
            let next = self.of_magnitudes.len() as i64 + 1;
            let name = *self.of_magnitudes.entry(number.abs()).or_insert(next);
            Some(if number.is_negative() { -name } else { name })
        })
    }
}
