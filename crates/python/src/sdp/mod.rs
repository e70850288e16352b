//! Semidefinite programs: read, solved and proved.

mod error;
mod problem;
mod solution;
mod solve;
mod told;

use pyo3::prelude::*;

use problem::SdpProblem;
use solution::{SdpPoint, SdpSolution};

/// Adds the classes and functions to a module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SdpProblem>()?;
    module.add_class::<SdpPoint>()?;
    module.add_class::<SdpSolution>()?;
    module.add_function(wrap_pyfunction!(solve::sdp_solve, module)?)
}
