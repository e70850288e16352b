//! The tasks of dense matrices on arrays.
//!
//! Functions take matrices, whose stacks Python takes apart, and return results with a dictionary
//! of how good they are where `info` asks for it.

mod common;
mod decompose;
mod digits;
mod errors;
mod factor;
mod solve;

use pyo3::prelude::*;

use errors::NoniusWarning;

pub(crate) use common::{Answer, Report, at, device_of, in_format, precision_of, told};
pub(crate) use errors::{NoniusError, raised, warn_of};

/// Adds the functions to a module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("NoniusError", py.get_type::<NoniusError>())?;
    module.add("NoniusWarning", py.get_type::<NoniusWarning>())?;
    module.add_function(wrap_pyfunction!(bits, module)?)?;
    solve::add_to(module)?;
    digits::add_to(module)?;
    factor::add_to(module)?;
    decompose::add_to(module)
}

/// The bits of a precision: a rounding changes a number by `2^-bits` of it at most.
#[pyfunction]
fn bits(precision: &str) -> PyResult<u32> {
    Ok(precision_of(precision)?.bits())
}
