//! Types of numbers that NumPy's arrays have, by NumPy's interface for user types (NEP 42).
//!
//! NumPy reaches numbers by addresses, so that this module is unsafe; the rest of the crate is not.
//! `docs/decisions/python-types.md` says what this interface carries, and how it goes together with
//! Python's stable one.

#![allow(unsafe_code)]

mod arrays;
mod casts;
mod functions;
mod indices;
mod kind;
mod loops;
mod products;
mod promotion;
mod raw;
mod types;

use nonius::num::MultiFloat;
use pyo3::prelude::*;

pub(crate) use arrays::{Stored, column_major, to_numpy};
pub(crate) use indices::indices;
pub(crate) use kind::Kind;

/// Makes the types, and adds them to a module as `dd`, `td` and `qd`.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    raw::load(py)?;
    types::register::<MultiFloat<2>>(module)?;
    types::register::<MultiFloat<3>>(module)?;
    types::register::<MultiFloat<4>>(module)?;
    functions::add::<MultiFloat<2>>(py)?;
    functions::add::<MultiFloat<3>>(py)?;
    functions::add::<MultiFloat<4>>(py)?;
    promotion::add(py)
}
