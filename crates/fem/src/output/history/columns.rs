//! Columns of a history: their names, what they measure, and in what.

use crate::HistoryRow;
use crate::model::{Quantity, Units};

/// The columns before those of probes.
pub const COLUMNS: [&str; 10] = [
    "time",
    "step",
    "increment",
    "kinetic",
    "internal",
    "plastic",
    "hourglass",
    "viscous",
    "external",
    "balance",
];

/// The names of [`COLUMNS`] with their units, where these are stated.
pub(super) fn column_names(units: Option<&Units>) -> impl Iterator<Item = String> {
    COLUMNS.into_iter().map(move |name| with_unit(name.to_owned(), name, units))
}

/// The numbers of a row behind time and step.
pub(super) fn numbers(row: &HistoryRow) -> impl Iterator<Item = f64> + '_ {
    let energies = &row.energies;
    let numbers = [
        row.increment,
        energies.kinetic,
        energies.internal,
        energies.plastic,
        energies.hourglass,
        energies.viscous,
        energies.external,
        energies.balance(),
    ];
    numbers.into_iter().chain(row.probes.iter().copied())
}

/// A name with the unit of what it names in parentheses: `kinetic (mJ)`.
pub(super) fn with_unit(name: String, what: &str, units: Option<&Units>) -> String {
    let unit = units.zip(measured(what)).and_then(|(units, quantity)| units.of(quantity));
    match unit {
        Some(unit) => format!("{name} ({unit})"),
        None => name,
    }
}

/// A column's name without its unit, and that.
pub(super) fn name_and_unit(name: &str) -> (&str, Option<&str>) {
    let parts = name.strip_suffix(')').and_then(|name| name.rsplit_once(" ("));
    // Behind the last colon of a probe's column, names have no blanks.
    match parts.filter(|(_, unit)| !unit.contains(':')) {
        Some((name, unit)) => (name, Some(unit)),
        None => (name, None),
    }
}

/// What the column of that name measures; `None` of counts and strains.
fn measured(what: &str) -> Option<Quantity> {
    match what.trim_end_matches(|c: char| c.is_ascii_digit()) {
        "time" | "increment" => Some(Quantity::Time),
        "u" => Some(Quantity::Length),
        "v" => Some(Quantity::Velocity),
        "mises" | "s" => Some(Quantity::Stress),
        "temperature" => Some(Quantity::Temperature),
        "step" | "peeq" => None,
        _ => Some(Quantity::Energy),
    }
}
