//! Exceptions and warnings.

use nonius::certified::{Failure, Refusal};
use nonius::dense::Error;
use pyo3::create_exception;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;

create_exception!(nonius, NoniusError, PyRuntimeError, "The numbers did not allow an answer.");
create_exception!(nonius, NoniusWarning, PyUserWarning, "A result has no correct digit.");

/// The exception of an error: what is wrong with the arguments, with memory, or with the numbers.
pub(crate) fn raised(error: Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::Singular { .. }
        | Error::NotPositiveDefinite { .. }
        | Error::RankDeficient { .. }
        | Error::NoConvergence { .. }
        | Error::Overflow { .. }
        | Error::OutOfRange { .. } => NoniusError::new_err(text),
        Error::NoRoom(_) | Error::TooLarge { .. } => PyMemoryError::new_err(text),
        Error::Device(_) => PyRuntimeError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

/// The exception of a proof that was not found.
pub(super) fn refused(refusal: Refusal) -> PyErr {
    match refusal.failure {
        Failure::Input(error) => raised(error),
        Failure::TooManyDigits(_) => PyValueError::new_err(refusal.to_string()),
        _ => NoniusError::new_err(refusal.to_string()),
    }
}

/// Warns whoever called Python's function of a result without a correct digit.
pub(crate) fn warn_of(py: Python<'_>, correct_digits: f64, precision: &str) -> PyResult<()> {
    // NaN is no correct digit either.
    if correct_digits >= 1.0 {
        return Ok(());
    }
    let text = format!("the matrix is too ill-conditioned for {precision}: no digit is correct\0");
    let text = std::ffi::CStr::from_bytes_with_nul(text.as_bytes()).unwrap_or_default();
    PyErr::warn(py, py.get_type::<NoniusWarning>().as_any(), text, 2)
}
