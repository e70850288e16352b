//! Files of results.

use std::io::Read;

use nonius_linalg::Number;
use nonius_num::decimal::Decimal;

use super::dense_point::{DUAL, PRIMAL};
use super::error::ReadError;
use super::point::{matrices, vector};
use super::read;
use super::scanner::{Scanner, Word};
use crate::output::TITLE;
use crate::problem::Problem;
use crate::seal;
use crate::solution::Solution;

/// Reads the point in a result of SDPA, SDPA-DD, SDPA-GMP or
/// [`write_result`](crate::output::write_result). What stands before `xVec =` and after the numbers
/// of `yMat =` is passed over.
///
/// A result that begins or ends as [`write_result`](crate::output::write_result) lets them is
/// refused where its [seal](crate::seal) is broken.
///
/// # Errors
/// [`ReadError`].
pub fn read_result<T: Number>(
    input: impl Read,
    format: T::Format,
    problem: &Problem,
) -> Result<Solution<T>, ReadError> {
    read(input, |scanner| {
        let file = scanner.bytes();
        if file.starts_with(TITLE.as_bytes()) || seal::is_sealed(file) {
            seal::check(file)?;
        }
        parse(scanner, format, problem)
    })
}

fn parse<T: Number>(
    scanner: &mut Scanner<'_>,
    format: T::Format,
    problem: &Problem,
) -> Result<Solution<T>, ReadError> {
    find(scanner, b"xVec", "a line that begins with `xVec =`")?;
    let x = vector(scanner, format, problem)?;
    let [mut primal, mut dual] = matrices(format, problem)?;
    label(scanner, b"xMat", "a line that begins with `xMat =`")?;
    PRIMAL.read(scanner, format, &mut primal)?;
    label(scanner, b"yMat", "a line that begins with `yMat =`")?;
    DUAL.read(scanner, format, &mut dual)?;
    match scanner.next() {
        Some(word) if f64::from_decimal(word.text).is_ok() => Err(word.expected("the end of Y")),
        _ => Ok(Solution { x, primal, dual }),
    }
}

/// Passes over lines until one begins with a label.
fn find(scanner: &mut Scanner<'_>, name: &[u8], needed: &'static str) -> Result<(), ReadError> {
    loop {
        let word = scanner.word(needed)?;
        if is_label(scanner, word, name) {
            return Ok(());
        }
        scanner.skip_line();
    }
}

/// A label, which there has to be.
fn label(scanner: &mut Scanner<'_>, name: &[u8], needed: &'static str) -> Result<(), ReadError> {
    let word = scanner.word(needed)?;
    if is_label(scanner, word, name) { Ok(()) } else { Err(word.expected(needed)) }
}

/// Whether a word, with the next one where it is the name alone, is the name and `=`.
fn is_label(scanner: &mut Scanner<'_>, word: Word<'_>, name: &[u8]) -> bool {
    match word.text.strip_prefix(name) {
        Some(b"") => scanner.next().is_some_and(|word| word.text == b"="),
        rest => rest == Some(b"="),
    }
}
