//! What is said of runs and proofs, as dictionaries.

use std::fmt::Display;
use std::str::FromStr;

use nonius::sdp::certify::Certificate;
use nonius::sdp::{Report, Row};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What a text says, or an exception.
pub(super) fn parsed<T: FromStr<Err: Display>>(text: &str) -> PyResult<T> {
    text.parse().map_err(|error: T::Err| PyValueError::new_err(error.to_string()))
}

/// A line of the history.
pub(super) fn row<'py>(py: Python<'py>, row: &Row) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("iteration", row.number)?;
    told.set_item("mu", row.mu)?;
    told.set_item("infeasibilities", row.infeasibilities)?;
    told.set_item("objectives", row.objectives)?;
    told.set_item("relative_gap", row.relative_gap)?;
    told.set_item("steps", row.steps)?;
    told.set_item("seconds", row.seconds)?;
    told.set_item("precision", &row.precision)?;
    Ok(told)
}

/// The outcome of a run.
pub(super) fn report<'py>(py: Python<'py>, report: &Report) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("phase", report.phase.name())?;
    told.set_item("end", report.end.name())?;
    told.set_item("iterations", report.iterations)?;
    told.set_item("objectives", report.objectives.clone())?;
    told.set_item("gap", report.gap)?;
    told.set_item("relative_gap", report.relative_gap)?;
    told.set_item("infeasibilities", report.infeasibilities)?;
    told.set_item("dimacs_errors", report.dimacs_errors)?;
    told.set_item("equalities", report.equalities)?;
    told.set_item("seconds", report.seconds)?;
    told.set_item("precision", &report.precision)?;
    Ok(told)
}

/// What is proved.
pub(super) fn certificate<'py>(
    py: Python<'py>,
    certificate: &Certificate,
) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    for (name, bound) in [("lower", &certificate.lower), ("upper", &certificate.upper)] {
        told.set_item(name, bound.as_ref().ok())?;
        let reason = bound.as_ref().err().map(ToString::to_string);
        told.set_item(format!("{name}_reason"), reason)?;
    }
    told.set_item("digits", certificate.digits())?;
    told.set_item("infeasible", certificate.infeasible.map(|phase| phase.name()))?;
    told.set_item("precision", &certificate.precision)?;
    told.set_item("seconds", certificate.seconds)?;
    Ok(told)
}
