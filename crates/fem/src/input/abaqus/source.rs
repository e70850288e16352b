//! Lines of a deck and of the files that it includes.

use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use nonius_files::packed;
use nonius_files::room::read_whole;

use super::super::error::{At, Fault, Found, InputError, Problem};
use super::super::text::{decode, lines};
use super::block::{Block, Record, keyword_line, squeeze};
use super::units::units;
use crate::model::Units;

/// How many files a deck may include, counted as often as they are.
const FILES: usize = 10_000;
/// How a comment begins that states the units.
const UNITS: &str = "**UNITS,LENGTH=";
/// How deep these may include one another.
const MOST_NESTED_INCLUDES: usize = 50;

/// A deck as keywords with their lines of data.
#[derive(Debug, Default)]
pub(super) struct Deck {
    files: Vec<(PathBuf, Rc<str>)>,
    lines: Vec<Line>,
    pub(super) blocks: Vec<Block>,
    /// What a comment says of them.
    pub(super) units: Option<Units>,
}

/// A line of data: its place, and the bytes of its file.
#[derive(Clone, Copy, Debug)]
struct Line {
    at: At,
    start: usize,
    end: usize,
}

impl Deck {
    /// The deck of that text. Files that it includes are relative to the folder of `name`.
    pub(super) fn load(text: Vec<u8>, name: &Path) -> Result<Self, InputError> {
        let mut deck = Self::default();
        let mut open = Vec::new();
        match deck.file(name.to_path_buf(), text, &mut open) {
            Ok(()) => Ok(deck),
            Err(fault) => Err(deck.named(fault)),
        }
    }

    /// With the name of the file.
    pub(super) fn named(&self, fault: Fault) -> InputError {
        fault.named(self.files.iter().map(|(path, _)| path.as_path()))
    }

    pub(super) fn path(&self, at: At) -> &Path {
        &self.files[at.file as usize].0
    }

    /// The data of a keyword.
    pub(super) fn records<'a>(&'a self, block: &Block) -> impl Iterator<Item = Record<'a>> {
        self.lines[block.data.clone()].iter().map(|line| {
            let text = &self.files[line.at.file as usize].1;
            Record::new(line.at, &text[line.start..line.end])
        })
    }

    /// The data of a keyword as they are written.
    pub(super) fn texts<'a>(&'a self, block: &Block) -> impl Iterator<Item = &'a str> {
        self.lines[block.data.clone()]
            .iter()
            .map(|line| self.files[line.at.file as usize].1[line.start..line.end].trim())
    }

    fn file(&mut self, path: PathBuf, bytes: Vec<u8>, open: &mut Vec<PathBuf>) -> Found<()> {
        let file = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        let text: Rc<str> = decode(bytes).into();
        open.push(fs::canonicalize(&path).unwrap_or_else(|_| path.clone()));
        self.files.push((path, text.clone()));
        let mut numbered = lines(&text).zip(1u32..).peekable();
        while let Some(((start, end), line)) = numbered.next() {
            let at = At { file, line };
            let content = text[start..end].trim();
            if content.is_empty() || content.starts_with("**") {
                self.comment(content, at)?;
                continue;
            }
            if !content.starts_with('*') {
                let Some(block) = self.blocks.last_mut() else {
                    return at.expected("a keyword such as *HEADING", content);
                };
                self.lines.push(Line { at, start, end });
                block.data.end = self.lines.len();
                continue;
            }
            let mut whole = content.to_string();
            while whole.ends_with(',') {
                let next = |&((start, end), _): &((usize, usize), u32)| {
                    let content = text[start..end].trim();
                    !content.starts_with('*') || content.starts_with("**")
                };
                let Some(((start, end), _)) = numbered.next_if(next) else { break };
                let content = text[start..end].trim();
                if !content.starts_with("**") {
                    whole.push_str(content);
                }
                if content.is_empty() {
                    break;
                }
            }
            let block = keyword_line(&whole, at, self.lines.len())?;
            let input = block.input(&self.files[file as usize].0);
            if block.key != "INCLUDE" {
                self.blocks.push(block);
            } else {
                block.allow(&["INPUT"])?;
                block.needed("INPUT")?;
            }
            if let Some(input) = input {
                self.include(input, at, open)?;
            }
        }
        open.pop();
        Ok(())
    }

    /// A comment may state the units.
    fn comment(&mut self, content: &str, at: At) -> Found<()> {
        if !squeeze(content).starts_with(UNITS) {
            return Ok(());
        }
        if self.units.is_some() {
            return at.expected("the units in one comment", content);
        }
        self.units = Some(units(&keyword_line(content, at, 0)?)?);
        Ok(())
    }

    fn include(&mut self, path: PathBuf, at: At, open: &mut Vec<PathBuf>) -> Found<()> {
        let resolved = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        if open.contains(&resolved) {
            return Err(at.fault(Problem::Cycle));
        }
        if self.files.len() >= FILES || open.len() >= MOST_NESTED_INCLUDES {
            return Err(at.fault(Problem::Includes));
        }
        match packed::open(&path).and_then(read_whole) {
            Ok(bytes) => self.file(path, bytes, open),
            Err(error) => {
                let found = format!("{} ({})", path.display(), error.kind());
                at.expected("a file that can be read", found)
            }
        }
    }
}
