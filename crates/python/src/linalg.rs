//! The tasks of dense matrices on arrays.

use nonius::certified::Refusal;
use nonius::dense::{
    DecompositionReport, Determinant, Eigenvalues, Error, Inverse, LeastSquares, Method,
    SingularValues, Solve, Vectors,
};
use nonius::num::{Dd, Fixed, Qd, Td};
use nonius::{Device, Matrix, Mp, Precision};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::{create_exception, intern};

use crate::numpy::{Kind, Stored, column_major, to_numpy};

create_exception!(nonius, NoniusError, PyRuntimeError, "The numbers did not allow an answer.");

/// Adds the functions to a module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("NoniusError", py.get_type::<NoniusError>())?;
    module.add_function(wrap_pyfunction!(solve, module)?)?;
    module.add_function(wrap_pyfunction!(solve_digits, module)?)?;
    module.add_function(wrap_pyfunction!(lstsq, module)?)?;
    module.add_function(wrap_pyfunction!(inv, module)?)?;
    module.add_function(wrap_pyfunction!(det, module)?)?;
    module.add_function(wrap_pyfunction!(eigh, module)?)?;
    module.add_function(wrap_pyfunction!(svd, module)?)?;
    Ok(())
}

/// The exception of an error: what is wrong with the arguments, with memory, or with the numbers.
fn raised(error: Error) -> PyErr {
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

fn refused(refusal: Refusal) -> PyErr {
    NoniusError::new_err(refusal.to_string())
}

pub(crate) fn device_of(name: &str) -> PyResult<Device> {
    name.parse()
        .map_err(|error: nonius::device::UnknownDevice| PyValueError::new_err(error.to_string()))
}

/// Runs a generic function with the numbers of a precision.
macro_rules! at {
    ($precision:expr, $function:ident($($argument:expr),*)) => {
        match $precision.parse::<Precision>() {
            Ok(Precision::F64) => $function::<f64>($($argument),*),
            Ok(Precision::Dd) => $function::<Dd>($($argument),*),
            Ok(Precision::Td) => $function::<Td>($($argument),*),
            Ok(Precision::Qd) => $function::<Qd>($($argument),*),
            Ok(other) => Err(PyValueError::new_err(format!(
                "precision {other}: expected f64, dd, td or qd"
            ))),
            Err(error) => Err(PyValueError::new_err(error.to_string())),
        }
    };
}

/// Values, vectors where they are wanted, and how good they are.
type Eigen<'py> = (Bound<'py, PyAny>, Columns<'py>, Bound<'py, PyDict>);

/// Left vectors, values, right vectors, and how good they are.
type Svd<'py> = (Columns<'py>, Bound<'py, PyAny>, Columns<'py>, Bound<'py, PyDict>);

/// An array of vectors, where they are wanted.
type Columns<'py> = Option<Bound<'py, PyAny>>;

/// A result, and how good it is.
type Found<'py> = PyResult<(Bound<'py, PyAny>, Bound<'py, PyDict>)>;

/// Solves `A·X = B`. Returns `X` and a dictionary of how good it is.
#[pyfunction]
fn solve<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    precision: &str,
    method: &str,
    device: &str,
) -> Found<'py> {
    at!(precision, solve_in(a, b, method, device))
}

fn solve_in<'py, T: Stored + nonius::Number>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    method: &str,
    device: &str,
) -> Found<'py> {
    let py = a.py();
    let (a, b) = (column_major::<T>(a, "a")?, column_major::<T>(b, "b")?);
    let method: Method = method
        .parse()
        .map_err(|error: nonius::dense::UnknownMethod| PyValueError::new_err(error.to_string()))?;
    let task = Solve::new(a.view()?).rhs(b.view()?).method(method).device(device_of(device)?);
    let (x, report) = py.detach(|| task.run()).map_err(raised)?;
    let told = PyDict::new(py);
    told.set_item("method", report.method.name())?;
    told.set_item("relative_residual", report.relative_residual.to_f64())?;
    told.set_item("condition_estimate", report.condition_estimate.to_f64())?;
    told.set_item("correct_digits", report.correct_digits)?;
    told.set_item("device", report.place.device.to_string())?;
    Ok((to_numpy(py, &x, b.is_vector()?)?, told))
}

/// Solves `A·X = B` so that all entries of `X` have proved digits, one more than their rounding to
/// the numbers of `result` leaves. The arrays hold the numbers of `given` exactly.
#[pyfunction]
fn solve_digits<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    digits: u32,
    given: &str,
    result: &str,
    device: &str,
) -> Found<'py> {
    at!(given, digits_of(a, b, digits, result, device))
}

fn digits_of<'py, T: Stored + nonius::Number>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    digits: u32,
    result: &str,
    device: &str,
) -> Found<'py> {
    let py = a.py();
    let (a, b) = (column_major::<T>(a, "a")?, column_major::<T>(b, "b")?);
    let task = Solve::new(a.view()?).rhs(b.view()?).digits(digits).device(device_of(device)?);
    let (solution, place) = py.detach(|| task.run()).map_err(refused)?;
    let told = PyDict::new(py);
    told.set_item("condition_estimate", solution.condition.to_f64())?;
    told.set_item("device", place.device.to_string())?;
    let as_vector = b.is_vector()?;
    let (array, roundoff) = match result {
        "dd" => (to_numpy(py, &rounded::<Dd>(&solution.x)?, as_vector)?, Dd::UNIT_ROUNDOFF),
        "td" => (to_numpy(py, &rounded::<Td>(&solution.x)?, as_vector)?, Td::UNIT_ROUNDOFF),
        _ => (to_numpy(py, &rounded::<Qd>(&solution.x)?, as_vector)?, Qd::UNIT_ROUNDOFF),
    };
    // What is asked for has been proved with a digit more, which the rounding may take.
    told.set_item("digits", digits - 1)?;
    told.set_item("error_bound", solution.error_bound.to_f64() + 2.0 * roundoff)?;
    Ok((array, told))
}

/// The numbers nearest to those of a solution, each within the unit roundoff.
fn rounded<K: Kind + Fixed>(x: &Matrix<Mp>) -> PyResult<Matrix<K>> {
    let nearest = Matrix::from_fn(x.rows(), x.cols(), |i, j| K::from_mp(&x.at(i, j)));
    for (number, exact) in nearest.iter().zip(x) {
        let error = (number.in_bits(exact.bits()) - exact).abs();
        let bound = exact.abs() * Mp::from_f64(exact.bits(), K::UNIT_ROUNDOFF);
        if !number.is_finite() || error > bound {
            let name = <K as Kind>::NAME;
            return Err(NoniusError::new_err(format!("a number exceeds the range of {name}")));
        }
    }
    Ok(nearest)
}

/// Minimises `‖B − A·X‖₂`. Returns `X` and a dictionary of how good it is.
#[pyfunction]
fn lstsq<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    precision: &str,
    device: &str,
) -> Found<'py> {
    at!(precision, lstsq_in(a, b, device))
}

fn lstsq_in<'py, T: Stored + nonius::Number>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    device: &str,
) -> Found<'py> {
    let py = a.py();
    let (a, b) = (column_major::<T>(a, "a")?, column_major::<T>(b, "b")?);
    let task = LeastSquares::new(a.view()?).rhs(b.view()?).device(device_of(device)?);
    let (x, report) = py.detach(|| task.run()).map_err(raised)?;
    let told = PyDict::new(py);
    told.set_item("residual_norm", report.residual_norm.to_f64())?;
    told.set_item("condition_estimate", report.condition_estimate.to_f64())?;
    told.set_item("correct_digits", report.correct_digits)?;
    told.set_item("device", report.place.device.to_string())?;
    Ok((to_numpy(py, &x, b.is_vector()?)?, told))
}

/// The inverse and a dictionary of how good it is.
#[pyfunction]
fn inv<'py>(a: &Bound<'py, PyAny>, precision: &str, device: &str) -> Found<'py> {
    at!(precision, inv_in(a, device))
}

fn inv_in<'py, T: Stored + nonius::Number>(a: &Bound<'py, PyAny>, device: &str) -> Found<'py> {
    let py = a.py();
    let a = column_major::<T>(a, "a")?;
    let task = Inverse::new(a.view()?).device(device_of(device)?);
    let (x, report) = py.detach(|| task.run()).map_err(raised)?;
    let told = PyDict::new(py);
    told.set_item("relative_residual", report.relative_residual.to_f64())?;
    told.set_item("condition_estimate", report.condition_estimate.to_f64())?;
    told.set_item("correct_digits", report.correct_digits)?;
    told.set_item("device", report.place.device.to_string())?;
    Ok((to_numpy(py, &x, false)?, told))
}

/// The determinant as a scalar, its sign, and a dictionary of how good it is.
#[pyfunction]
fn det<'py>(a: &Bound<'py, PyAny>, precision: &str, device: &str) -> Found<'py> {
    at!(precision, det_in(a, device))
}

fn det_in<'py, T: Stored + nonius::Number>(a: &Bound<'py, PyAny>, device: &str) -> Found<'py> {
    let py = a.py();
    let a = column_major::<T>(a, "a")?;
    let task = Determinant::new(a.view()?).device(device_of(device)?);
    let (value, report) = py.detach(|| task.run()).map_err(raised)?;
    let told = PyDict::new(py);
    told.set_item("condition_estimate", report.condition_estimate.to_f64())?;
    told.set_item("correct_digits", report.correct_digits)?;
    told.set_item("exponent", value.exponent)?;
    told.set_item("device", report.place.device.to_string())?;
    let number = Matrix::from_fn(1, 1, |_, _| value.value());
    Ok((to_numpy(py, &number, true)?.get_item(0)?, told))
}

/// Eigenvalues of a symmetric matrix, its vectors or `None`, and a dictionary of how good they are.
#[pyfunction]
fn eigh<'py>(
    a: &Bound<'py, PyAny>,
    vectors: bool,
    precision: &str,
    device: &str,
) -> PyResult<Eigen<'py>> {
    at!(precision, eigh_in(a, vectors, device))
}

fn eigh_in<'py, T: Stored + nonius::Number>(
    a: &Bound<'py, PyAny>,
    vectors: bool,
    device: &str,
) -> PyResult<Eigen<'py>> {
    let py = a.py();
    let a = column_major::<T>(a, "a")?;
    let wanted = if vectors { Vectors::Yes } else { Vectors::No };
    let task = Eigenvalues::new(a.view()?).vectors(wanted).device(device_of(device)?);
    let (found, report) = py.detach(|| task.run()).map_err(raised)?;
    let values = Matrix::from_fn(found.values.len(), 1, |i, _| found.values[i]);
    let vectors = found.vectors.map(|vectors| to_numpy(py, &vectors, false)).transpose()?;
    Ok((to_numpy(py, &values, true)?, vectors, quality(py, &report)?))
}

fn quality<'py>(py: Python<'py>, report: &DecompositionReport) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    let number = |reading: Option<nonius::dense::Reading>| reading.map(|reading| reading.to_f64());
    told.set_item(intern!(py, "relative_residual"), number(report.relative_residual))?;
    told.set_item(intern!(py, "orthogonality"), number(report.orthogonality))?;
    told.set_item(intern!(py, "device"), report.place.device.to_string())?;
    Ok(told)
}

/// Left vectors, singular values, right vectors, and a dictionary of how good they are.
#[pyfunction]
fn svd<'py>(
    a: &Bound<'py, PyAny>,
    vectors: bool,
    precision: &str,
    device: &str,
) -> PyResult<Svd<'py>> {
    at!(precision, svd_in(a, vectors, device))
}

fn svd_in<'py, T: Stored + nonius::Number>(
    a: &Bound<'py, PyAny>,
    vectors: bool,
    device: &str,
) -> PyResult<Svd<'py>> {
    let py = a.py();
    let a = column_major::<T>(a, "a")?;
    let wanted = if vectors { Vectors::Yes } else { Vectors::No };
    let task = SingularValues::new(a.view()?).vectors(wanted).device(device_of(device)?);
    let (found, report) = py.detach(|| task.run()).map_err(raised)?;
    let values = Matrix::from_fn(found.values.len(), 1, |i, _| found.values[i]);
    let told = quality(py, &report)?;
    let (left, right) = match &found.vectors {
        Some((left, right)) => {
            (Some(to_numpy(py, left, false)?), Some(to_numpy(py, right, false)?))
        }
        None => (None, None),
    };
    Ok((left, to_numpy(py, &values, true)?, right, told))
}
