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
mod instances;
mod item;
mod kind;
mod loops;
mod parametric;
mod products;
mod promotion;
mod raw;
mod types;

use nonius::Mp;
use nonius::num::{Dd, Qd, Td};
use pyo3::prelude::*;

pub(crate) use arrays::{Stored, column_major, dtype_of, to_numpy};
pub(crate) use indices::indices;
pub(crate) use kind::Kind;
pub(crate) use parametric::{at_least, bits_of_object};

/// Makes the types, and adds them to a module as `dd`, `td`, `qd` and `mp`.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    raw::load(py)?;
    types::register::<Dd>(module)?;
    types::register::<Td>(module)?;
    types::register::<Qd>(module)?;
    types::register_parametric(module)?;
    functions::add::<Dd>(py)?;
    functions::add::<Td>(py)?;
    functions::add::<Qd>(py)?;
    functions::add::<Mp>(py)?;
    promotion::add(py)
}
