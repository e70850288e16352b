//! Keywords with parameters, and lines of data.

use core::ops::Range;
use std::path::{Path, PathBuf};

use super::super::error::{At, Found, Item, Problem};
use super::super::text::{label, number};
use super::name::Name;

/// A keyword, its parameters and the places of its data.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) at: At,
    /// In upper case, single blanks between words.
    pub(super) keyword: String,
    /// The same without blanks.
    pub(super) key: String,
    parameters: Vec<Parameter>,
    pub(super) data: Range<usize>,
}

#[derive(Debug)]
struct Parameter {
    name: String,
    key: String,
    /// Empty where there is none.
    value: String,
}

/// The most parameters of a keyword, several times as many as any has.
const PARAMETERS: usize = 100;

/// A keyword whose data begin at a place. It begins with an asterisk.
pub(super) fn keyword_line(text: &str, at: At, data: usize) -> Found<Block> {
    let cells = split(text.trim_start_matches('*'));
    let mut cells = cells.into_iter();
    let keyword = words(cells.next().unwrap_or(""));
    if keyword.is_empty() {
        return at.expected("a keyword behind the asterisk", "");
    }
    let mut parameters: Vec<Parameter> = Vec::new();
    for cell in cells.filter(|cell| !cell.is_empty()) {
        if parameters.len() == PARAMETERS {
            return at.expected("at most 100 parameters of a keyword", cell);
        }
        let (name, value) = cell.split_once('=').unwrap_or((cell, ""));
        let name = words(name);
        let key = squeeze(&name);
        if parameters.iter().any(|parameter| parameter.key == key) {
            return Err(at.repeated(Item::Parameter, name));
        }
        parameters.push(Parameter { name, key, value: value.trim().to_string() });
    }
    let key = squeeze(&keyword);
    Ok(Block { at, keyword, key, parameters, data: data..data })
}

/// In upper case, with single blanks.
fn words(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().map(str::to_uppercase).collect();
    words.join(" ")
}

/// In upper case, without blanks.
pub(super) fn squeeze(text: &str) -> String {
    text.split_whitespace().flat_map(str::chars).flat_map(char::to_uppercase).collect()
}

impl Block {
    fn parameter(&self, key: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.key == squeeze(key))
    }

    /// A parameter's value, which may be empty.
    pub(super) fn value(&self, key: &str) -> Option<&str> {
        self.parameter(key).map(|parameter| parameter.value.as_str())
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.parameter(key).is_some()
    }

    /// A parameter's value as one of some words: in upper case and without blanks.
    pub(super) fn word(&self, key: &str) -> Option<String> {
        self.value(key).map(squeeze)
    }

    /// A parameter's value, which has to be there.
    pub(super) fn needed(&self, name: &'static str) -> Found<&str> {
        match self.value(name) {
            Some(value) if !value.is_empty() => Ok(value),
            _ => {
                let keyword = self.keyword.clone();
                Err(self.at.fault(Problem::MissingParameter { keyword, name }))
            }
        }
    }

    pub(super) fn name(&self, name: &'static str) -> Found<Name> {
        self.needed(name).map(Name::new)
    }

    pub(super) fn number(&self, key: &str, needed: &'static str) -> Found<Option<f64>> {
        let Some(text) = self.value(key) else { return Ok(None) };
        match number(text) {
            Some(value) => Ok(Some(value)),
            None => self.at.expected(needed, format!("{key}={text}")),
        }
    }

    /// A parameter has this value, or a value that stands for no such parameter.
    pub(super) fn only(&self, key: &'static str, words: &[&str]) -> Found<()> {
        match self.word(key) {
            Some(word) if !words.contains(&word.as_str()) => {
                let name = format!("{key}={}", self.value(key).unwrap_or(""));
                Err(self.unsupported(name))
            }
            _ => Ok(()),
        }
    }

    fn unsupported(&self, name: String) -> super::super::error::Fault {
        let keyword = self.keyword.clone();
        self.at.fault(Problem::Parameter { keyword, name })
    }

    /// There are no parameters but these.
    pub(super) fn allow(&self, names: &[&str]) -> Found<()> {
        let keys: Vec<_> = names.iter().map(|name| squeeze(name)).collect();
        match self.parameters.iter().find(|parameter| !keys.contains(&parameter.key)) {
            Some(parameter) => Err(self.unsupported(parameter.name.clone())),
            None => Ok(()),
        }
    }

    /// The file that the parameter INPUT names, relative to the folder of a file.
    pub(super) fn input(&self, file: &Path) -> Option<PathBuf> {
        let value = self.value("INPUT").map(unquoted).filter(|value| !value.is_empty())?;
        Some(file.parent().unwrap_or(Path::new("")).join(value))
    }
}

fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
}

/// Cells between commas that no quotes enclose, without blanks around.
fn split(text: &str) -> Vec<&str> {
    let mut quoted = false;
    let cells = text.split(|character: char| {
        quoted ^= character == '"';
        character == ',' && !quoted
    });
    cells.map(str::trim).collect()
}

/// A line of data.
#[derive(Debug)]
pub(super) struct Record<'a> {
    pub(super) at: At,
    /// Without empty ones at the end.
    pub(super) cells: Vec<&'a str>,
}

impl<'a> Record<'a> {
    pub(super) fn new(at: At, text: &'a str) -> Self {
        let mut cells = split(text);
        while cells.last().is_some_and(|cell| cell.is_empty()) {
            cells.pop();
        }
        Self { at, cells }
    }

    /// A cell; empty where there is none.
    pub(super) fn text(&self, place: usize) -> &'a str {
        self.cells.get(place).copied().unwrap_or("")
    }

    /// A number that may be left out.
    pub(super) fn maybe(&self, place: usize, needed: &'static str) -> Found<Option<f64>> {
        let text = self.text(place);
        match number(text) {
            Some(value) => Ok(Some(value)),
            None if text.is_empty() => Ok(None),
            None => self.at.expected(needed, text),
        }
    }

    pub(super) fn number(&self, place: usize, needed: &'static str) -> Found<f64> {
        match self.maybe(place, needed)? {
            Some(value) => Ok(value),
            None => self.at.expected(needed, ""),
        }
    }

    pub(super) fn label(&self, place: usize) -> Found<u64> {
        label(self.text(place), self.at)
    }

    pub(super) fn name(&self, place: usize, needed: &'static str) -> Found<Name> {
        match self.text(place) {
            "" => self.at.expected(needed, ""),
            text => Ok(Name::new(text)),
        }
    }

    /// There are no more cells than that.
    pub(super) fn at_most(&self, count: usize, needed: &'static str) -> Found<()> {
        match self.cells.get(count) {
            Some(cell) => self.at.expected(needed, format!("{cell} behind them")),
            None => Ok(()),
        }
    }
}
