//! One equality less.
//!
//! With `x₀ = −1` an equality is `Σ fᵢ·xᵢ = 0` for `i = 0, 1, …`. A pivot `k > 0` with `fₖ ≠ 0`
//! goes: `Fᵢ ← (mᵢ·Fᵢ − tᵢ·Fₖ)/gᵢ` and the same with `c`, with finite decimals `mᵢ > 0` and `tᵢ` of
//! which the quotient is `fᵢ/fₖ`. Numbers of the same rows and the same `Y` are combined, and `xᵢ`
//! is `mᵢ/gᵢ` times the new one, so that `xₖ = −Σ tᵢ·xᵢ/gᵢ` with the new ones.
//!
//! Where `fₖ` has other prime factors than two and five that `fᵢ` has not, `mᵢ` is not one, and
//! `gᵢ` is a divisor that all entries have in common: without it the number of digits would double
//! with every equality.

use super::columns::{Column, Columns, Key, at};
use crate::decimal::Decimal;

/// Pivots less than about a hundredth of the largest number are not taken.
const MOST_DIGITS_BELOW_LARGEST: i64 = 2;
/// As many entries for each that a problem has, and this many, may there be in the end.
const FILL: usize = 8;
const FILL_BEYOND: usize = 1_000_000;
/// The words that all computed numbers may have together: about a minute of work.
const WORK: u64 = 500_000_000;

/// What became of an equality.
pub(super) enum Outcome {
    /// It is gone.
    Eliminated(Step),
    /// It asks for nothing that is not so already.
    Idle,
    /// No `x` meets it.
    Contradiction,
    /// It stays what it was.
    Kept,
}

/// The substitution of a variable.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The number of the pair.
    pub(super) pair: u32,
    /// `k`.
    pub(super) pivot: usize,
    /// Its column, as it was then.
    pub(super) column: Column,
    pub(super) terms: Vec<Term>,
}

/// What happened to another column.
#[derive(Clone, Debug)]
pub(super) struct Term {
    /// `i`.
    pub(super) matrix: usize,
    /// `mᵢ`.
    pub(super) times: Decimal,
    /// `tᵢ`.
    pub(super) of_pivot: Decimal,
    /// `gᵢ`.
    pub(super) common: Decimal,
}

/// Eliminates the equality of a pair from a table that began with `began_with` entries.
pub(super) fn eliminate(columns: &mut Columns, pair: u32, began_with: usize) -> Outcome {
    let key = Key::Equality(pair);
    let of = |column: &Option<Column>| column.as_ref().and_then(|column| at(column, key)).cloned();
    let row: Vec<(usize, Decimal)> =
        columns.all.iter().enumerate().filter_map(|(i, column)| Some((i, of(column)?))).collect();
    let Some((pivot, of_pivot)) = pivot(columns, &row) else {
        return if row.is_empty() { Outcome::Idle } else { Outcome::Contradiction };
    };
    let Some(column) = columns.all[pivot].clone() else { return Outcome::Kept };
    let most = (FILL * began_with).saturating_add(FILL_BEYOND);
    if columns.work > WORK
        || columns.entries.saturating_add(column.len().saturating_mul(row.len())) > most
    {
        return Outcome::Kept;
    }
    let others = row.iter().filter(|(i, _)| *i != pivot);
    let change = |(i, f): &(usize, Decimal)| {
        changed(columns.all[*i].as_ref()?, &column, [f, &of_pivot])
            .map(|(new, term)| (new, Term { matrix: *i, ..term }))
    };
    let Some(changes) = others.map(change).collect::<Option<Vec<_>>>() else {
        return Outcome::Kept;
    };
    let mut terms = Vec::new();
    for (new, term) in changes {
        let i = term.matrix;
        let words = new.iter().map(|(_, number)| number.words());
        columns.work += words.sum::<u64>();
        columns.entries += new.len();
        columns.entries -= columns.all[i].replace(new).map_or(0, |old| old.len());
        columns.is_changed[i] = true;
        terms.push(term);
    }
    columns.entries -= column.len();
    columns.all[pivot] = None;
    columns.is_changed[pivot] = true;
    Outcome::Eliminated(Step { pair, pivot, column, terms })
}

/// The variable to go: quotients by its number are finite where that can be, and it has the fewest
/// entries.
fn pivot(columns: &Columns, row: &[(usize, Decimal)]) -> Option<(usize, Decimal)> {
    let candidates = row.iter().filter(|(i, _)| *i > 0);
    let largest = candidates.clone().map(|(_, f)| f.order()).max()?;
    let candidates = candidates.filter(|(_, f)| f.order() >= largest - MOST_DIGITS_BELOW_LARGEST);
    let one = Decimal::one();
    let cost = |(i, f): &&(usize, Decimal)| {
        let is_finite = one.ratio(f).is_some_and(|[m, _]| m.is_one());
        (!is_finite, columns.all[*i].as_ref().map_or(0, Vec::len), !f.abs().is_one())
    };
    candidates.min_by_key(cost).cloned()
}

/// A column after the substitution, with what happened to it; `None` where a number would have too
/// many digits.
fn changed(column: &Column, pivot: &Column, [f, by]: [&Decimal; 2]) -> Option<(Column, Term)> {
    let [times, of_pivot] = f.ratio(by)?;
    let (less, zero) = (-&of_pivot, Decimal::zero());
    let mut new = Column::with_capacity(column.len() + pivot.len());
    let (mut ours, mut theirs) = (column.iter().peekable(), pivot.iter().peekable());
    loop {
        let key = match (ours.peek(), theirs.peek()) {
            (Some((a, _)), Some((b, _))) => *a.min(b),
            (Some((key, _)), None) | (None, Some((key, _))) => *key,
            (None, None) => break,
        };
        let ours = ours.next_if(|(at, _)| *at == key).map(|(_, number)| number);
        let theirs = theirs.next_if(|(at, _)| *at == key).map(|(_, number)| number);
        let sum = match (ours, theirs) {
            (Some(ours), None) if times.is_one() => ours.clone(),
            _ => Decimal::sum_of_products(
                [ours.unwrap_or(&zero), &times],
                [theirs.unwrap_or(&zero), &less],
            )?,
        };
        if !sum.is_zero() {
            new.push((key, sum));
        }
    }
    let common = if times.is_one() {
        Decimal::one()
    } else {
        Decimal::common(new.iter().map(|(_, number)| number))
    };
    if !common.is_one() {
        for (_, number) in &mut new {
            *number = number.exact_quotient(&common);
        }
    }
    let fits = new.iter().all(|(_, number)| number.fits());
    fits.then_some((new, Term { matrix: 0, times, of_pivot, common }))
}
