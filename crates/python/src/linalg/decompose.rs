//! Eigenvalues and singular values.

use nonius::dense::{DecompositionReport, Eigenvalues, Reading, SingularValues, Vectors};
use pyo3::prelude::*;

use super::common::{Report, at, column, device_of, told};
use super::errors::raised;
use crate::numpy::{Stored, column_major, to_numpy};
use crate::running;

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(eigh, module)?)?;
    module.add_function(wrap_pyfunction!(svd, module)?)
}

/// Values, vectors where they are wanted, and how good they are.
type Eigen<'py> = (Bound<'py, PyAny>, Columns<'py>, Report<'py>);

/// Left vectors, values, right vectors, and how good they are.
type Svd<'py> = (Columns<'py>, Bound<'py, PyAny>, Columns<'py>, Report<'py>);

/// An array of vectors, where they are wanted.
type Columns<'py> = Option<Bound<'py, PyAny>>;

fn wanted(vectors: bool) -> Vectors {
    if vectors { Vectors::Yes } else { Vectors::No }
}

fn quality<'py>(
    py: Python<'py>,
    info: bool,
    report: &DecompositionReport,
) -> PyResult<Report<'py>> {
    let number = |reading: Option<Reading>| reading.map(|reading| reading.to_f64());
    told(py, info, |told| {
        told.set_item("relative_residual", number(report.relative_residual))?;
        told.set_item("orthogonality", number(report.orthogonality))?;
        told.set_item("device", report.place.device.to_string())
    })
}

/// Eigenvalues of a symmetric matrix, its vectors where they are wanted, and how good they are.
#[pyfunction]
fn eigh<'py>(
    a: &Bound<'py, PyAny>,
    vectors: bool,
    precision: &str,
    device: &str,
    info: bool,
) -> PyResult<Eigen<'py>> {
    at!(precision, eigh_in(a, vectors, device, info))
}

fn eigh_in<'py, T: Stored>(
    a: &Bound<'py, PyAny>,
    vectors: bool,
    device: &str,
    info: bool,
) -> PyResult<Eigen<'py>> {
    let py = a.py();
    let a = column_major::<T>(a, "a")?;
    let task = Eigenvalues::new(a.view()).vectors(wanted(vectors)).device(device_of(device)?);
    let (found, report) = running::run_on(py, a.view(), || task.run())?.map_err(raised)?;
    let vectors = found.vectors.map(|vectors| to_numpy(py, vectors, false)).transpose()?;
    Ok((
        to_numpy(py, column(a.view().format(), &found.values), true)?,
        vectors,
        quality(py, info, &report)?,
    ))
}

/// Left vectors, singular values, right vectors, and how good they are.
#[pyfunction]
fn svd<'py>(
    a: &Bound<'py, PyAny>,
    vectors: bool,
    precision: &str,
    device: &str,
    info: bool,
) -> PyResult<Svd<'py>> {
    at!(precision, svd_in(a, vectors, device, info))
}

fn svd_in<'py, T: Stored>(
    a: &Bound<'py, PyAny>,
    vectors: bool,
    device: &str,
    info: bool,
) -> PyResult<Svd<'py>> {
    let py = a.py();
    let a = column_major::<T>(a, "a")?;
    let task = SingularValues::new(a.view()).vectors(wanted(vectors)).device(device_of(device)?);
    let (found, report) = running::run_on(py, a.view(), || task.run())?.map_err(raised)?;
    let (left, right) = match found.vectors {
        Some((left, right)) => {
            (Some(to_numpy(py, left, false)?), Some(to_numpy(py, right, false)?))
        }
        None => (None, None),
    };
    Ok((
        left,
        to_numpy(py, column(a.view().format(), &found.values), true)?,
        right,
        quality(py, info, &report)?,
    ))
}
