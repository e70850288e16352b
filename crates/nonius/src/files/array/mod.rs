//! Arrays of NumPy, `.npy`: what they hold, and numbers of any precision in them.
//!
//! An array holds floating-point numbers, integers or truth values in either order of bytes, or
//! decimal texts. A text is rounded once, as the text of any other file. Nothing is taken on trust:
//! memory grows with the bytes that a file really has.
//!
//! Source: "NEP 1: A Simple File Format for NumPy Arrays"; numpy.lib.format.

mod cells;
mod error;
mod header;
mod kind;
mod matrix;
mod write;

pub use error::{ArrayProblem, Place};

pub(crate) use cells::read_cells;
pub(crate) use header::Header;
pub(crate) use kind::Cell;
pub(super) use matrix::{push_cell, read};
pub(crate) use write::write_texts;
pub(super) use write::{write, write_integers, write_word};
