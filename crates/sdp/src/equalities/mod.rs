//! Equality constraints of (P), which are free variables of (D).
//!
//! The format of SDPA has neither: `Σ fᵢ·xᵢ = b` is written as two rows of the diagonal that are
//! opposites, `Σ fᵢ·xᵢ − b ≥ 0` and `b − Σ fᵢ·xᵢ ≥ 0`. Of these neither can be positive, and the
//! multipliers of both may grow without bound while their difference, a free variable of (D), is
//! what it should be: a method for points of the interior loses digits there. So equalities are
//! eliminated before: each determines one of its variables, which is put into everything else
//! (`substitution`). That is exact: what is left is again a [`Problem`] of finite decimals, in the
//! same blocks, where pairs of rows and some of the variables have become zero. Quotients that are
//! no finite decimals are avoided by other variables, `xᵢ` divided by a number; where that has to
//! happen to `F₀`, `x` and `X` are those of the problem times a number `σ`, and so are the
//! objectives.
//!
//! An equality stays two rows where numbers would get more than 2000 digits, or the problem many
//! times its entries, where it would take minutes, or where nothing else would be left of it. Rows
//! are opposites if all their numbers are; one is not recognised that is the other times a number.

mod columns;
mod outcome;
mod pairs;
mod points;
mod substitution;

use core::fmt;
use std::borrow::Cow;

use columns::Columns;
pub(crate) use outcome::width;
use pairs::{Pair, Row};
use substitution::{Outcome, Step};

use crate::Problem;
use crate::decimal::Decimal;

/// A problem of which equality constraints are eliminated, and the way back.
///
/// ```
/// use nonius_sdp::equalities::Eliminated;
/// use nonius_sdp::input::read_sparse;
///
/// // x + y = 1 as two rows that are opposites, x ≥ 0 and y ≥ 0.
/// let text = "2\n2\n-2 -2\n1 2\n0 1 1 1 1\n0 1 2 2 -1\n1 1 1 1 1\n1 1 2 2 -1\n2 1 1 1 1\n\
///     2 1 2 2 -1\n1 2 1 1 1\n2 2 2 2 1\n";
/// let problem = read_sparse(text.as_bytes())?;
/// let eliminated = Eliminated::new(&problem)?;
/// assert_eq!(eliminated.equalities(), [1, 0]);
/// // x = 1 and x = 2
/// let text = "1\n1\n-4\n1\n0 1 1 1 1\n0 1 2 2 -1\n0 1 3 3 2\n0 1 4 4 -2\n1 1 1 1 1\n1 1 2 2 -1\n\
///     1 1 3 3 1\n1 1 4 4 -1\n";
/// assert!(Eliminated::new(&read_sparse(text.as_bytes())?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Eliminated<'a> {
    problem: Cow<'a, Problem>,
    pairs: Vec<Pair>,
    /// What was done; the problem is what it was where that is nothing.
    steps: Vec<Step>,
    /// The numbers of pairs that are gone and that are still there.
    counts: [usize; 2],
    /// What is in the objectives that are left but not in those of the problem.
    constant: Decimal,
    /// `σ` as a quotient.
    scale: [Decimal; 2],
}

/// An equality constraint that no `x` meets: the primal problem is infeasible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// Block and row, counted from 1, of the two rows that it is written as.
    pub rows: [[usize; 2]; 2],
    /// Whether it takes other equality constraints for that.
    pub needs_others: bool,
}

impl<'a> Eliminated<'a> {
    /// What is left of a problem.
    ///
    /// # Errors
    /// The first equality that contradicts itself or those before it.
    pub fn new(problem: &'a Problem) -> Result<Self, Contradiction> {
        let pairs = pairs::find(problem);
        let all = Self::of(problem, &pairs, pairs.len())?;
        match all.steps.last() {
            // Those before the last one that was eliminated leave something.
            Some(last) if all.is_nothing() => Self::of(problem, &pairs, last.pair as usize),
            _ => Ok(all),
        }
    }

    /// A problem of which nothing is eliminated, with `kept` equalities.
    fn whole(problem: &'a Problem, kept: usize) -> Self {
        Self {
            problem: Cow::Borrowed(problem),
            pairs: Vec::new(),
            steps: Vec::new(),
            counts: [0, kept],
            constant: Decimal::zero(),
            scale: [Decimal::one(), Decimal::one()],
        }
    }

    /// Without the first of these pairs.
    fn of(problem: &'a Problem, pairs: &[Pair], first: usize) -> Result<Self, Contradiction> {
        let whole = Self::whole(problem, pairs.len());
        if first == 0 {
            return Ok(whole);
        }
        let Some(mut columns) = Columns::new(problem, pairs) else { return Ok(whole) };
        let began_with = columns.entries;
        let (mut steps, mut kept) = (Vec::new(), pairs.len() - first);
        for (number, pair) in pairs.iter().enumerate().take(first) {
            match substitution::eliminate(&mut columns, number as u32, began_with) {
                Outcome::Eliminated(step) => steps.push(step),
                Outcome::Idle => {}
                Outcome::Kept => kept += 1,
                Outcome::Contradiction => {
                    let from_one =
                        |&Row { block, row }: &Row| [block as usize + 1, row as usize + 1];
                    let rows = pair.each_ref().map(from_one);
                    return Err(Contradiction { rows, needs_others: !steps.is_empty() });
                }
            }
        }
        if steps.is_empty() {
            return Ok(whole);
        }
        let mut scale = whole.scale;
        for term in steps.iter().flat_map(|step: &Step| &step.terms).filter(|term| term.matrix == 0)
        {
            scale = [scale[0].times(&term.times), scale[1].times(&term.common)];
        }
        Ok(Self {
            problem: Cow::Owned(columns.problem(problem, pairs)),
            pairs: pairs.to_vec(),
            steps,
            counts: [pairs.len() - kept, kept],
            constant: columns.constant(),
            scale,
        })
    }

    /// Whether neither a matrix nor the objective has an entry.
    fn is_nothing(&self) -> bool {
        let entries = self.problem.entries().iter().map(|entry| &entry.value);
        let mut values = entries.chain(self.problem.objective());
        values.all(|&value| self.problem.numbers().is_zero(value))
    }

    /// Whether nothing is eliminated: the problem is what it was, and so are its points.
    pub fn is_whole(&self) -> bool {
        self.steps.is_empty()
    }

    /// What is left: a problem with the same blocks and as many constraints, of which those whose
    /// variables are eliminated are zero.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// How many equalities are eliminated, and how many are left as two rows each.
    pub fn equalities(&self) -> [usize; 2] {
        self.counts
    }
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [[block, row], [other_block, other_row]] = self.rows;
        let others =
            if self.needs_others { " together with other equality constraints" } else { "" };
        write!(
            f,
            "row {row} of block {block} and row {other_row} of block {other_block} are an equality constraint that no x meets{others}: the primal problem is infeasible"
        )
    }
}

impl std::error::Error for Contradiction {}
