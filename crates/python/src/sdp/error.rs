//! Exceptions of programs.

use nonius::sdp::Error;
use pyo3::PyErr;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};

use crate::linalg::NoniusError;

/// The exception of an error.
pub(super) fn raised(error: &Error) -> PyErr {
    use nonius::dense::Error as Computing;

    let text = error.to_string();
    match error {
        Error::Computing(Computing::TooLarge { .. } | Computing::NoRoom(_)) | Error::NoRoom(_) => {
            PyMemoryError::new_err(text)
        }
        Error::Computing(Computing::Device(_)) => PyRuntimeError::new_err(text),
        Error::Computing(_) => NoniusError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}
