//! The comment that states the units of a deck.

use super::super::error::Found;
use super::block::Block;
use crate::model::{Units, UnknownUnit};

/// The units that a comment in the form of a keyword states.
pub(super) fn units(block: &Block) -> Found<Units> {
    block.allow(&["LENGTH", "MASS", "TIME", "TEMPERATURE"])?;
    let [length, mass, time] = ["LENGTH", "MASS", "TIME"].map(|name| block.needed(name));
    match Units::new(length?, mass?, time?, block.value("TEMPERATURE")) {
        Ok(units) => Ok(units),
        Err(UnknownUnit { needed, symbol }) => block.at.expected(needed, symbol),
    }
}
