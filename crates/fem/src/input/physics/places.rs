//! Where in a file something stands.

use toml::Spanned;

use super::super::error::{At, Found, Problem};
use super::super::text::lines;

/// Lines of a text.
pub(super) struct Places<'a> {
    pub(super) text: &'a str,
}

impl Places<'_> {
    pub(super) fn at_byte(&self, byte: usize) -> At {
        let line = lines(self.text).take_while(|&(start, _)| start <= byte).count();
        At { file: 0, line: u32::try_from(line.max(1)).unwrap_or(u32::MAX) }
    }

    /// Where something stands.
    pub(super) fn at<T>(&self, value: &Spanned<T>) -> At {
        self.at_byte(value.span().start)
    }

    /// What a check says of something.
    pub(super) fn check<T>(&self, value: &Spanned<T>, result: Result<(), Problem>) -> Found<()> {
        result.map_err(|problem| self.at(value).fault(problem))
    }
}
