//! Cells of a row.

use std::borrow::Cow;

use nonius_linalg::Number;

use super::error::{Column, Found, Problem};
use super::number::number;
use super::surfaces::Surfaces;
use crate::contract::{
    Amount, Barrier, Dividend, Exercise, Kind, Knock, Monitoring, Side, Volatility,
};
use crate::surface::Surface;
use crate::terms::{Piece, Terms};

/// What a cell of a book holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell<'a, T> {
    /// A text as CSV has it. A blank one counts as no text.
    Text(Cow<'a, str>),
    /// A number, which is not read as text.
    Number(T),
    /// A local volatility.
    Surface(Surface<T>),
    /// Nothing: the column's default, where it has one.
    Empty,
}

/// A row with as many cells as there are columns.
pub(super) struct Cells<'a, T: Number> {
    /// That of numbers.
    pub(super) format: T::Format,
    pub(super) columns: &'a [Column],
    /// The cell of the column at a place.
    pub(super) cell: &'a dyn Fn(usize) -> Cell<'a, T>,
}

impl<'a, T: Number> Cells<'a, T> {
    /// A cell; an empty one where the column or its text is missing.
    fn cell(&self, column: Column) -> Cell<'a, T> {
        let Some(place) = self.columns.iter().position(|&c| c == column) else {
            return Cell::Empty;
        };
        match (self.cell)(place) {
            Cell::Text(text) if text.trim().is_empty() => Cell::Empty,
            cell => cell,
        }
    }

    /// The text of a cell; nothing where it is empty.
    fn text(&self, column: Column) -> Option<String> {
        match self.cell(column) {
            Cell::Text(text) => Some(text.trim().to_string()),
            Cell::Number(x) => Some(in_decimal(x)),
            Cell::Surface(_) => Some("a surface".to_string()),
            Cell::Empty => None,
        }
    }

    /// The text of a cell that has to be filled.
    fn filled(&self, column: Column) -> Found<String> {
        self.text(column).ok_or((Some(column), Problem::Empty))
    }

    pub(super) fn number(&self, column: Column) -> Found<T> {
        if let Cell::Number(x) = self.cell(column) {
            return Ok(x.to_format(self.format));
        }
        self.read(&self.filled(column)?).map_err(|problem| (Some(column), problem))
    }

    fn read(&self, text: &str) -> Result<T, Problem> {
        number(self.format, text)
    }

    fn dates_of(&self, text: &str) -> Result<Vec<T>, Problem> {
        text.split(';').map(|text| self.read(text)).collect()
    }

    pub(super) fn kind(&self) -> Found<Kind> {
        let text = self.filled(Column::Type)?;
        match text.to_lowercase().as_str() {
            "call" => Ok(Kind::Call),
            "put" => Ok(Kind::Put),
            _ => Err((Some(Column::Type), form(&text, "call or put"))),
        }
    }

    pub(super) fn exercise(&self) -> Found<Exercise<T>> {
        const NEEDED: &str = "european, american, or bermudan with dates such as bermudan:0.25;0.5";
        let Some(text) = self.text(Column::Exercise) else { return Ok(Exercise::European) };
        let lower = text.to_lowercase();
        match lower.as_str() {
            "european" => Ok(Exercise::European),
            "american" => Ok(Exercise::American),
            _ => match lower.strip_prefix("bermudan:") {
                Some(dates) => self.dates_of(dates).map(Exercise::Bermudan),
                None => Err(form(&text, NEEDED)),
            }
            .map_err(|problem| (Some(Column::Exercise), problem)),
        }
    }

    /// A number or pieces.
    pub(super) fn terms(&self, column: Column) -> Found<Terms<T>> {
        if let Cell::Number(x) = self.cell(column) {
            return Ok(Terms::constant(x.to_format(self.format)));
        }
        let text = match self.text(column) {
            Some(text) => text,
            None if Column::OF_CONTRACT.contains(&column) => {
                return Err((Some(column), Problem::Empty));
            }
            None => return Ok(Terms::constant(T::ZERO.to_format(self.format))),
        };
        let terms = || {
            if !text.contains(':') {
                return self.read(&text).map(Terms::constant);
            }
            let pieces: Result<Vec<_>, _> = pairs(&text)
                .map(|pair| {
                    let (until, value) = pair?;
                    Ok(Piece { until: self.read(until)?, value: self.read(value)? })
                })
                .collect();
            Terms::new(pieces?).ok_or(Problem::Pieces)
        };
        terms().map_err(|problem| (Some(column), problem))
    }

    /// A number, pieces or the surface of a file.
    pub(super) fn volatility(&self, surfaces: &mut Surfaces<'_, T>) -> Found<Volatility<T>> {
        const NEEDED: &str = "a file of volatilities such as surface:volatilities.csv";
        let column = Column::Volatility;
        if let Cell::Surface(surface) = self.cell(column) {
            return Ok(Volatility::Local(surface.in_format(self.format)));
        }
        let text = self.filled(column)?;
        let file = match text.split_once(':') {
            Some((name, file)) if name.trim().eq_ignore_ascii_case("surface") => file.trim(),
            _ => return self.terms(column).map(Volatility::Terms),
        };
        let surface = if file.is_empty() { Err(form(&text, NEEDED)) } else { surfaces.of(file) };
        surface.map(Volatility::Local).map_err(|problem| (Some(column), problem))
    }

    pub(super) fn barrier(&self) -> Found<Option<Barrier<T>>> {
        let rebate = match self.cell(Column::Rebate) {
            Cell::Empty => T::ZERO.to_format(self.format),
            _ => self.number(Column::Rebate)?,
        };
        let Some(text) = self.text(Column::Barrier) else { return Ok(None) };
        let barrier = || {
            const NEEDED: &str = "a barrier such as down-out:90 or up-in:130@0.25;0.5";
            let bad = || form(&text, NEEDED);
            let (name, rest) = text.split_once(':').ok_or_else(bad)?;
            let (side, knock) = match name.trim().to_lowercase().as_str() {
                "up-in" => (Side::Up, Knock::In),
                "up-out" => (Side::Up, Knock::Out),
                "down-in" => (Side::Down, Knock::In),
                "down-out" => (Side::Down, Knock::Out),
                _ => return Err(bad()),
            };
            let (level, monitoring) = match rest.split_once('@') {
                Some((level, dates)) => (level, Monitoring::Dates(self.dates_of(dates)?)),
                None => (rest, Monitoring::Continuous),
            };
            Ok(Barrier { side, knock, level: self.read(level)?, rebate, monitoring })
        };
        barrier().map(Some).map_err(|problem| (Some(Column::Barrier), problem))
    }

    pub(super) fn dividends(&self) -> Found<Vec<Dividend<T>>> {
        let Some(text) = self.text(Column::Dividends) else { return Ok(Vec::new()) };
        let dividends = pairs(&text).map(|pair| {
            let (time, amount) = pair?;
            let amount = match amount.trim().strip_suffix('%') {
                Some(percent) => Amount::Proportional(self.read(percent)? / T::from_f64(100.0)),
                None => Amount::Cash(self.read(amount)?),
            };
            Ok(Dividend { time: self.read(time)?, amount })
        });
        let dividends: Result<Vec<_>, _> = dividends.collect();
        dividends.map_err(|problem| (Some(Column::Dividends), problem))
    }
}

/// A number as text.
fn in_decimal<T: Number>(x: T) -> String {
    let mut text = Vec::new();
    x.append_decimal(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

fn form(text: &str, needed: &'static str) -> Problem {
    Problem::Form { text: text.to_string(), needed }
}

/// Pairs with a colon between semicolons.
fn pairs(text: &str) -> impl Iterator<Item = Result<(&str, &str), Problem>> {
    text.split(';').map(|pair| {
        pair.split_once(':').ok_or_else(|| form(pair.trim(), "a time and a number such as 0.5:2"))
    })
}
