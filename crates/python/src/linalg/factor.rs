//! Factors.

use nonius::Matrix;
use nonius::dense::{
    CholeskyFactor, FactorReport, LuFactors, QColumns, QrFactors, Triangle, Triangles,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::common::{Found, Report, at, device_of, told};
use super::errors::raised;
use crate::numpy::{Stored, column_major, to_numpy};
use crate::running;

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(lu, module)?)?;
    module.add_function(wrap_pyfunction!(lu_factor, module)?)?;
    module.add_function(wrap_pyfunction!(cholesky, module)?)?;
    module.add_function(wrap_pyfunction!(qr, module)?)
}

/// The rows of `A` in the order of `L·U`, `L`, `U`, and what is known of them.
type Lu<'py> = (Vec<usize>, Bound<'py, PyAny>, Bound<'py, PyAny>, Report<'py>);

/// `Q` where it is asked for, `R`, and what is known of them.
type Qr<'py> = (Option<Bound<'py, PyAny>>, Bound<'py, PyAny>, Report<'py>);

fn of_factors<'py>(py: Python<'py>, info: bool, report: &FactorReport) -> PyResult<Report<'py>> {
    told(py, info, |told| {
        if let Some(condition) = report.condition_estimate {
            told.set_item("condition_estimate", condition.to_f64())?;
        }
        told.set_item("device", report.place.device.to_string())
    })
}

fn factored<T: Stored>(
    a: &Bound<'_, PyAny>,
    device: &str,
) -> PyResult<(Triangles<T>, FactorReport)> {
    let py = a.py();
    let a = column_major::<T>(a, "a")?;
    let task = LuFactors::new(a.view()).device(device_of(device)?);
    running::run_on(py, a.view(), || task.run())?.map_err(raised)
}

/// LU factors with partial pivoting.
#[pyfunction]
fn lu<'py>(a: &Bound<'py, PyAny>, precision: &str, device: &str, info: bool) -> PyResult<Lu<'py>> {
    at!(precision, lu_in(a, device, info))
}

fn lu_in<'py, T: Stored>(a: &Bound<'py, PyAny>, device: &str, info: bool) -> PyResult<Lu<'py>> {
    let py = a.py();
    let (found, report) = factored::<T>(a, device)?;
    let rows = found.rows();
    let (lower, upper) = (to_numpy(py, found.lower, false)?, to_numpy(py, found.upper, false)?);
    Ok((rows, lower, upper, of_factors(py, info, &report)?))
}

/// `L` below the diagonal with `U` on and above it, the exchanges, and what is known of them.
#[pyfunction]
fn lu_factor<'py>(
    a: &Bound<'py, PyAny>,
    precision: &str,
    device: &str,
    info: bool,
) -> PyResult<(Bound<'py, PyAny>, Vec<usize>, Report<'py>)> {
    at!(precision, lu_factor_in(a, device, info))
}

fn lu_factor_in<'py, T: Stored>(
    a: &Bound<'py, PyAny>,
    device: &str,
    info: bool,
) -> PyResult<(Bound<'py, PyAny>, Vec<usize>, Report<'py>)> {
    let py = a.py();
    let (found, report) = factored::<T>(a, device)?;
    let n = found.pivots.len();
    let (mut packed, lower) = (found.upper, found.lower);
    for j in 0..n {
        packed.column_mut(j).range(j + 1..n).copy_from(lower.column(j).range(j + 1..n));
    }
    Ok((to_numpy(py, packed, false)?, found.pivots, of_factors(py, info, &report)?))
}

/// The lower Cholesky factor, or the upper one, and what is known of it.
#[pyfunction]
fn cholesky<'py>(
    a: &Bound<'py, PyAny>,
    upper: bool,
    precision: &str,
    device: &str,
    info: bool,
) -> Found<'py> {
    at!(precision, cholesky_in(a, upper, device, info))
}

fn cholesky_in<'py, T: Stored>(
    a: &Bound<'py, PyAny>,
    upper: bool,
    device: &str,
    info: bool,
) -> Found<'py> {
    let py = a.py();
    let a = column_major::<T>(a, "a")?;
    let triangle = if upper { Triangle::Upper } else { Triangle::Lower };
    let task = CholeskyFactor::new(a.view()).triangle(triangle).device(device_of(device)?);
    let (factor, report): (Matrix<T>, _) =
        running::run_on(py, a.view(), || task.run())?.map_err(raised)?;
    let factor = to_numpy(py, factor, false)?;
    // The transpose lies where the factor does.
    let factor = if upper { factor.getattr("T")? } else { factor };
    Ok((factor, of_factors(py, info, &report)?))
}

/// QR factors of a matrix of any shape.
#[pyfunction]
fn qr<'py>(
    a: &Bound<'py, PyAny>,
    mode: &str,
    precision: &str,
    device: &str,
    info: bool,
) -> PyResult<Qr<'py>> {
    at!(precision, qr_in(a, mode, device, info))
}

fn qr_in<'py, T: Stored>(
    a: &Bound<'py, PyAny>,
    mode: &str,
    device: &str,
    info: bool,
) -> PyResult<Qr<'py>> {
    let py = a.py();
    let columns = match mode {
        "reduced" => QColumns::Reduced,
        "complete" => QColumns::Complete,
        "r" => QColumns::None,
        _ => {
            return Err(PyValueError::new_err(format!(
                "mode: expected reduced, complete or r, found {mode:?}"
            )));
        }
    };
    let a = column_major::<T>(a, "a")?;
    let task = QrFactors::new(a.view()).columns(columns).device(device_of(device)?);
    let (found, report) = running::run_on(py, a.view(), || task.run())?.map_err(raised)?;
    let q = found.q.map(|q| to_numpy(py, q, false)).transpose()?;
    Ok((q, to_numpy(py, found.r, false)?, of_factors(py, info, &report)?))
}
