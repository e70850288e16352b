//! A problem as a table of exact numbers: a column for each matrix, `F₀` first, with the number in
//! the objective as one of its entries.
//!
//! A multiple of a column, or a sum of two, is one for other variables `x`; nothing happens to the
//! rows, nor to `Y`.

use std::collections::HashMap;

use super::pairs::{Pair, Row};
use crate::decimal::Decimal;
use crate::literals::Literals;
use crate::{Block, Entry, Place, Problem};

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// The first row of a pair, by the number of the pair.
    Equality(u32),
    /// The objective.
    Objective,
    /// An entry of the blocks.
    Entry { block: u32, col: u32, row: u32 },
}

/// The entries of a column other than zero, by their rows.
pub(super) type Column = Vec<(Key, Decimal)>;

/// The entry of a column in a row, if it is not zero.
pub(super) fn at(column: &Column, key: Key) -> Option<&Decimal> {
    let place = column.binary_search_by_key(&key, |(key, _)| *key).ok()?;
    Some(&column[place].1)
}

/// The table.
pub(super) struct Columns {
    /// `None` for those that are gone.
    pub(super) all: Vec<Option<Column>>,
    /// Those that are not what they were.
    pub(super) is_changed: Vec<bool>,
    /// How many entries there are.
    pub(super) entries: usize,
    /// How many words the numbers had that were computed.
    pub(super) work: u64,
}

impl Columns {
    /// The table of a problem with these pairs; `None` where a number has too many digits, or is
    /// out of range.
    pub(super) fn new(problem: &Problem, pairs: &[Pair]) -> Option<Self> {
        let literals = problem.numbers();
        let mut parsed: HashMap<u32, Decimal> = HashMap::new();
        let mut number = |literal: u32| {
            if let Some(number) = parsed.get(&literal) {
                return Some(number.clone());
            }
            let number = Decimal::parse(literals.text(literal).as_bytes())?;
            let fits = number.fits();
            fits.then(|| parsed.entry(literal).or_insert(number).clone())
        };
        // Of the second row of a pair nothing has to be known.
        let mut of_pairs: HashMap<Row, Option<Key>> = HashMap::new();
        for (number, &[first, second]) in pairs.iter().enumerate() {
            of_pairs.insert(first, Some(Key::Equality(number as u32)));
            of_pairs.insert(second, None);
        }
        let mut all = vec![Column::new(); problem.constraints() + 1];
        for (column, &literal) in all[1..].iter_mut().zip(problem.objective()) {
            if !literals.is_zero(literal) {
                column.push((Key::Objective, number(literal)?));
            }
        }
        for entry in problem.entries().iter().filter(|entry| !literals.is_zero(entry.value)) {
            let Place { matrix, block, col, row } = entry.place;
            let key = match of_pairs.get(&Row { block, row }) {
                Some(None) => continue,
                Some(Some(key)) => *key,
                None => Key::Entry { block, col, row },
            };
            all[matrix as usize].push((key, number(entry.value)?));
        }
        all.iter_mut().for_each(|column| column.sort_unstable_by_key(|(key, _)| *key));
        let entries = all.iter().map(Vec::len).sum();
        Some(Self {
            is_changed: vec![false; all.len()],
            all: all.into_iter().map(Some).collect(),
            entries,
            work: 0,
        })
    }

    /// What the table says of the objective beside the numbers of the constraints.
    pub(super) fn constant(&self) -> Decimal {
        let constant = self.all[0].as_ref().and_then(|column| at(column, Key::Objective));
        constant.cloned().unwrap_or_else(Decimal::zero)
    }

    /// The problem with these numbers, in the blocks that it had; constraints that are gone are
    /// zero. `problem` is the one that there was.
    pub(super) fn problem(&self, problem: &Problem, pairs: &[Pair]) -> Problem {
        let mut numbers = problem.numbers().clone();
        let mut objective = problem.objective().to_vec();
        let mut entries = Vec::new();
        for (matrix, column) in self.all.iter().enumerate() {
            if !self.is_changed[matrix] {
                entries.extend_from_slice(problem.matrix(matrix));
                continue;
            }
            let none = Column::new();
            let column = column.as_ref().unwrap_or(&none);
            if let Some(c) = matrix.checked_sub(1).and_then(|k| objective.get_mut(k)) {
                let number = at(column, Key::Objective).cloned().unwrap_or_else(Decimal::zero);
                *c = place(&mut numbers, &number);
            }
            for (key, number) in column {
                let matrix = matrix as u32;
                match *key {
                    Key::Objective => {}
                    Key::Entry { block, col, row } => entries.push(Entry {
                        place: Place { matrix, block, col, row },
                        value: place(&mut numbers, number),
                    }),
                    Key::Equality(pair) => {
                        let numbers =
                            [number.clone(), -number].map(|number| place(&mut numbers, &number));
                        for (Row { block, row }, value) in
                            pairs[pair as usize].into_iter().zip(numbers)
                        {
                            entries.push(Entry {
                                place: Place { matrix, block, col: row, row },
                                value,
                            });
                        }
                    }
                }
            }
        }
        let blocks: Vec<Block> = problem.blocks().to_vec();
        Problem::new(numbers, objective, blocks, entries)
    }
}

fn place(numbers: &mut Literals, number: &Decimal) -> u32 {
    numbers.place(number.to_string().as_bytes())
}
