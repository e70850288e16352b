//! Semidefinite programs: read, solved and proved.

mod problem;
mod solution;
mod solve;
mod told;

use nonius::sdp::Error;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use problem::SdpProblem;
use solution::{SdpPoint, SdpSolution};

use crate::linalg::NoniusError;

/// Adds the classes and functions to a module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SdpProblem>()?;
    module.add_class::<SdpPoint>()?;
    module.add_class::<SdpSolution>()?;
    module.add_function(wrap_pyfunction!(solve::sdp_solve, module)?)
}

/// The exception of an error.
fn raised(error: &Error) -> PyErr {
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
