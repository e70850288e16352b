//! Points of a problem and of what is left of it.

use std::collections::{BTreeSet, HashMap};

use nonius_linalg::{Number, Numbers};

use super::Eliminated;
use super::columns::Key;
use super::pairs::Row;
use super::substitution::{Step, Term};
use crate::decimal::{Decimal, Towards};
use crate::text::{decimal, nearest, text};
use crate::{BlockValues, Misfit, Solution};

/// More digits than any precision has: with this many threes, a decimal reads as the number nearest
/// to a third.
const THREES: usize = 1400;
/// Digits beyond those of the numbers with which is computed.
const GUARD: i64 = 20;

/// The digits that are computed with for numbers of a precision.
pub(super) fn digits<T: Number>(format: T::Format) -> i64 {
    let third = T::from_decimal_in(format, format!("0.{}", "3".repeat(THREES)).as_bytes());
    text(third.unwrap_or(T::ZERO)).len() as i64 + GUARD
}

impl Eliminated<'_> {
    /// The point of the problem that a point of what is left is.
    ///
    /// # Errors
    /// [`Misfit`] where the point is not one of the problem that is left.
    pub fn restore<T: Number>(&self, mut solution: Solution<T>) -> Result<Solution<T>, Misfit> {
        solution.check(&self.problem)?;
        if self.is_whole() {
            return Ok(solution);
        }
        let digits = digits::<T>(solution.x.format());
        self.restore_x(&mut solution.x, digits);
        self.scale_primal(&mut solution.primal, self.scale.each_ref(), digits);
        self.restore_dual(&mut solution.dual, solution.x.format(), digits);
        Ok(solution)
    }

    /// The point of what is left that a point of the problem is, but for rows and variables that
    /// are eliminated.
    ///
    /// # Errors
    /// [`Misfit`] where the point is not one of the problem.
    pub fn restrict<T: Number>(&self, mut solution: Solution<T>) -> Result<Solution<T>, Misfit> {
        // Blocks and constraints are those of the problem.
        solution.check(&self.problem)?;
        if self.is_whole() {
            return Ok(solution);
        }
        let digits = digits::<T>(solution.x.format());
        let mut x = Variables::new(&solution.x, digits);
        for Term { matrix, times, common, .. } in self.steps.iter().flat_map(|step| &step.terms) {
            if times != common {
                let number = x.get(*matrix).map(|number| number.times(common));
                x.set(*matrix, number.and_then(|number| x.quotient(&number, times)));
            }
        }
        x.write(&mut solution.x);
        let [above, below] = &self.scale;
        self.scale_primal(&mut solution.primal, [below, above], digits);
        Ok(solution)
    }

    fn restore_x<T: Number>(&self, numbers: &mut Numbers<T>, digits: i64) {
        let mut x = Variables::new(numbers, digits);
        for Step { pivot, terms, .. } in self.steps.iter().rev() {
            let mut products = Vec::new();
            for Term { matrix, times, of_pivot, common } in terms {
                let number = x.get(*matrix).and_then(|number| x.quotient(&number, common));
                products.push(number.as_ref().map(|number| -&number.times(of_pivot)));
                if times != common {
                    x.set(*matrix, number.map(|number| number.times(times)));
                }
            }
            let products: Option<Vec<Decimal>> = products.into_iter().collect();
            x.set(*pivot, products.map(|products| Decimal::sum(&products, digits)));
        }
        x.write(numbers);
    }

    /// Divides `X` by a quotient, and puts zeros into the rows of pairs that are eliminated.
    fn scale_primal<T: Number>(
        &self,
        blocks: &mut [BlockValues<T>],
        [above, below]: [&Decimal; 2],
        digits: i64,
    ) {
        for row in self.steps.iter().flat_map(|step| self.pairs[step.pair as usize]) {
            put(blocks, row, T::ZERO);
        }
        if above == below {
            return;
        }
        for entries in blocks.iter_mut().map(BlockValues::entries_mut) {
            for i in 0..entries.len() {
                if entries.is_zero_at(i) {
                    continue;
                }
                let number = decimal(entries.at(i)).map(|number| number.times(below));
                let number =
                    number.and_then(|number| number.quotient(above, digits, Towards::Below));
                entries.set(i, nearest(number.as_ref(), entries.format()));
            }
        }
    }

    fn restore_dual<T: Number>(
        &self,
        blocks: &mut [BlockValues<T>],
        format: T::Format,
        digits: i64,
    ) {
        let mut differences = HashMap::new();
        for step in self.steps.iter().rev() {
            let difference = self.difference(step, blocks, &differences, digits);
            let [first, second] = self.pairs[step.pair as usize];
            let size: T = nearest(difference.as_ref().map(Decimal::abs).as_ref(), format);
            let is_negative = difference.as_ref().is_some_and(Decimal::is_negative);
            let [more, less] = if is_negative { [second, first] } else { [first, second] };
            put(blocks, more, size);
            put(blocks, less, T::ZERO);
            differences.insert(step.pair, difference);
        }
    }

    /// The difference of the entries of `Y` in the two rows of a pair, which the constraint of the
    /// pivot says: `Fₖ•Y = cₖ`. Those of later steps are known.
    fn difference<T: Number>(
        &self,
        step: &Step,
        blocks: &[BlockValues<T>],
        known: &HashMap<u32, Option<Decimal>>,
        digits: i64,
    ) -> Option<Decimal> {
        let product = |(key, number): &(Key, Decimal)| match *key {
            Key::Objective => Some(number.clone()),
            Key::Equality(pair) if pair == step.pair => Some(Decimal::zero()),
            Key::Equality(pair) => {
                let [first, second] = self.pairs[pair as usize];
                let of_point = || at(blocks, first)?.plus(&-&at(blocks, second)?);
                let difference = known.get(&pair).cloned().unwrap_or_else(of_point)?;
                Some(-&number.times(&difference))
            }
            Key::Entry { block, col, row } => {
                let y = blocks[block as usize].at(row as usize, col as usize);
                let product = number.times(&decimal(y?)?);
                if row == col { Some(-&product) } else { (-&product).plus(&-&product) }
            }
        };
        let products: Option<Vec<Decimal>> = step.column.iter().map(product).collect();
        let divisor = super::columns::at(&step.column, Key::Equality(step.pair))?;
        Decimal::sum(&products?, digits).quotient(divisor, digits, Towards::Below)
    }
}

/// The entry of a row on the diagonal.
fn at<T: Number>(blocks: &[BlockValues<T>], Row { block, row }: Row) -> Option<Decimal> {
    blocks[block as usize].at(row as usize, row as usize).and_then(decimal)
}

fn put<T: Number>(blocks: &mut [BlockValues<T>], Row { block, row }: Row, number: T) {
    blocks[block as usize].set(row as usize, row as usize, number);
}

/// `x₀ = −1`, and `x`, of which some are changed; `None` for what is not finite.
struct Variables {
    numbers: Vec<Option<Decimal>>,
    changed: BTreeSet<usize>,
    digits: i64,
}

impl Variables {
    fn new<T: Number>(x: &Numbers<T>, digits: i64) -> Self {
        let numbers = x.as_slice().iter().map(decimal);
        let numbers = [Some(-&Decimal::one())].into_iter().chain(numbers).collect();
        Self { numbers, changed: BTreeSet::new(), digits }
    }

    fn get(&self, i: usize) -> Option<Decimal> {
        self.numbers[i].clone()
    }

    fn set(&mut self, i: usize, number: Option<Decimal>) {
        self.numbers[i] = number.map(|number| number.rounded(self.digits, Towards::Below));
        self.changed.insert(i);
    }

    fn quotient(&self, number: &Decimal, by: &Decimal) -> Option<Decimal> {
        if by.is_one() {
            Some(number.clone())
        } else {
            number.quotient(by, self.digits, Towards::Below)
        }
    }

    /// Puts what is changed into `x`, divided by `−x₀`.
    fn write<T: Number>(&self, x: &mut Numbers<T>) {
        let all = 0..self.numbers.len();
        let changed: Vec<usize> = if self.changed.contains(&0) {
            all.collect()
        } else {
            self.changed.iter().copied().collect()
        };
        let Some(unit) = self.get(0).map(|x| -&x) else { return };
        for i in changed.into_iter().filter(|&i| i > 0) {
            let number = self.get(i).and_then(|number| self.quotient(&number, &unit));
            x.set(i - 1, nearest(number.as_ref(), x.format()));
        }
    }
}
