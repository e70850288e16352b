//! What comes of the rows of a book.

use nonius::Precision;
use nonius::option::book::Row;
use nonius::option::{self, Error, Grid};
use serde::Serialize;

use crate::common::{device_text, precision_text};
use crate::failure::Failure;
use crate::reason::in_our_words;
use crate::report::Report;
use crate::summary::{Summary, time_text};

/// Rows that a message names at most.
const MOST_NAMED: usize = 5;

/// For each row of a book its line, and what was found, or a sentence that says why not.
pub(super) struct Results<R> {
    pub(super) rows: Vec<(u64, Result<R, String>)>,
}

/// What results are called.
pub(super) struct Nouns {
    /// As in `contracts`.
    pub(super) rows: &'static str,
    /// As in `price`.
    pub(super) result: &'static str,
    /// As in `prices`.
    pub(super) results: &'static str,
    /// What follows the number of results in the summary, as in `priced`.
    pub(super) found: &'static str,
}

/// The sides of a grid, as in `256x128`.
pub(super) fn grid_text(grid: Grid) -> String {
    format!("{}x{}", grid.space, grid.time)
}

impl<R> Results<R> {
    /// Of all rows, with what was found of those that are sound, in their order.
    pub(super) fn new<C>(rows: Vec<Row<C>>, found: Vec<Result<R, Error>>) -> Self {
        let mut found = found.into_iter();
        let of_row = |row: Row<C>| {
            let result = match row.found {
                Err(error) => Err(in_our_words(error.to_string())),
                Ok(_) => found.next().map_or(Err(String::new()), |found| {
                    found.map_err(|error| format!("row {}: {error}", row.line))
                }),
            };
            (row.line, result)
        };
        Self { rows: rows.into_iter().map(of_row).collect() }
    }

    /// How many rows have a result.
    pub(super) fn found(&self) -> usize {
        self.rows.iter().filter(|(_, result)| result.is_ok()).count()
    }

    /// How many have one that has a property.
    pub(super) fn count(&self, is_so: impl Fn(&R) -> bool) -> usize {
        self.rows.iter().filter(|(_, result)| result.as_ref().is_ok_and(&is_so)).count()
    }

    /// The report of figures, with a summary for people and the failure, if there is one.
    pub(super) fn report(
        &self,
        (nouns, is_converged): (&Nouns, impl Fn(&R) -> bool),
        (name, precision): (&str, Precision),
        (took, rate): (&option::Report, f64),
        figures: impl Serialize + Send + 'static,
    ) -> Report {
        let Nouns { rows, found, .. } = nouns;
        let mut summary = Summary::default();
        let (count, results) = (self.rows.len(), self.found());
        summary.line("book", format!("{name}: {count} {rows}, {results} {found}"));
        summary.line("precision", precision_text(precision));
        let seconds = took.time.as_secs_f64();
        summary.line("device", device_text(&took.place, seconds));
        let time = time_text(seconds);
        summary.line("time", format!("{time}, {rate:.0} {rows} a second"));
        let message = self.failure(nouns, is_converged);
        let failure = message.map(|message| Failure::numerical(format!("{name}: {message}")));
        Report::new(figures).with_summary(summary).with_failure(failure)
    }

    /// A sentence that names the rows without a result and those whose result is not within the
    /// tolerance, where there are any.
    fn failure(&self, nouns: &Nouns, is_converged: impl Fn(&R) -> bool) -> Option<String> {
        let reasons: Vec<&str> = self
            .rows
            .iter()
            .filter_map(|(_, result)| Some(result.as_ref().err()?.as_str()))
            .collect();
        let is_rough =
            |result: &Result<R, String>| result.as_ref().is_ok_and(|result| !is_converged(result));
        let rough = self.rows.iter().filter(|(_, result)| is_rough(result));
        let lines: Vec<String> = rough.map(|(line, _)| line.to_string()).collect();
        let Nouns { rows, result, results, .. } = nouns;
        let missing = (!reasons.is_empty()).then(|| {
            let (failed, all) = (reasons.len(), self.rows.len());
            format!("{failed} of {all} {rows} have no {result}: {}", listed(&reasons, "; "))
        });
        let rough = (!lines.is_empty()).then(|| {
            let (failed, all) = (lines.len(), self.found());
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            let named = listed(&lines, ", ");
            let row = if failed == 1 { "row" } else { "rows" };
            format!("{failed} of {all} {results} are not within the tolerance: {row} {named}")
        });
        let all: Vec<String> = missing.into_iter().chain(rough).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }
}

/// The first of some texts, and how many others there are.
fn listed(texts: &[&str], separator: &str) -> String {
    let named = &texts[..texts.len().min(MOST_NAMED)];
    let others = texts.len() - named.len();
    let more = if others > 0 { format!("{separator}and {others} more") } else { String::new() };
    named.join(separator) + &more
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOUNS: Nouns =
        Nouns { rows: "contracts", result: "price", results: "prices", found: "priced" };

    #[test]
    fn failures_name_their_rows() {
        let results = |rows| Results { rows };
        let is_converged = |&price: &f64| price > 1.0;
        let good = results(vec![(2, Ok(2.0)), (3, Ok(3.0))]);
        assert_eq!(good.failure(&NOUNS, is_converged), None);
        let mixed = results(vec![(2, Ok(0.5)), (3, Err("row 3: no".into())), (4, Ok(2.0))]);
        assert_eq!(
            mixed.failure(&NOUNS, is_converged).unwrap(),
            "1 of 3 contracts have no price: row 3: no; \
             1 of 2 prices are not within the tolerance: row 2"
        );
        let many = (2..9).map(|line| (line, Err::<f64, _>(format!("row {line}: no")))).collect();
        let message = results(many).failure(&NOUNS, is_converged).unwrap();
        assert!(message.ends_with("row 5: no; row 6: no; and 2 more"), "{message}");
    }
}
