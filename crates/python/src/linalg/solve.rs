//! Systems, least squares, inverses and determinants.

use nonius::Matrix;
use nonius::dense::{
    Determinant, DeterminantReport, DeterminantValue, Diagonal, Inverse, LeastSquares, Method,
    Solve, SolveTriangular, Transpose, Triangle, UnknownMethod,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::common::{Found, Report, at, column, device_of, tell_place, told};
use super::errors::{raised, warn_of};
use crate::numpy::{Stored, column_major, to_numpy};
use crate::running;

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(solve, module)?)?;
    module.add_function(wrap_pyfunction!(solve_triangular, module)?)?;
    module.add_function(wrap_pyfunction!(lu_solve, module)?)?;
    module.add_function(wrap_pyfunction!(lstsq, module)?)?;
    module.add_function(wrap_pyfunction!(inv, module)?)?;
    module.add_function(wrap_pyfunction!(det, module)?)?;
    module.add_function(wrap_pyfunction!(slogdet, module)?)
}

/// Solves `A·X = B`. Returns `X` and how good it is.
#[pyfunction]
fn solve<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    precision: &str,
    method: &str,
    device: &str,
    info: bool,
) -> Found<'py> {
    at!(precision, solve_in(a, b, precision, method, device, info))
}

fn solve_in<'py, T: Stored>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    precision: &str,
    method: &str,
    device: &str,
    info: bool,
) -> Found<'py> {
    let py = a.py();
    let (a, b) = (column_major::<T>(a, "a")?, column_major::<T>(b, "b")?);
    let method: Method =
        method.parse().map_err(|error: UnknownMethod| PyValueError::new_err(error.to_string()))?;
    let task = Solve::new(a.view()).rhs(b.view()).method(method).device(device_of(device)?);
    let (x, report) = running::run_on(py, a.view(), || task.run())?.map_err(raised)?;
    warn_of(py, report.correct_digits, precision)?;
    let told = told(py, info, |told| {
        told.set_item("method", report.method.name())?;
        told.set_item("relative_residual", report.relative_residual.to_f64())?;
        told.set_item("condition_estimate", report.condition_estimate.to_f64())?;
        told.set_item("correct_digits", report.correct_digits)?;
        tell_place(told, &report.place)
    })?;
    Ok((to_numpy(py, x, b.is_vector())?, told))
}

/// Solves `op(T)·X = B` with a triangle.
#[pyfunction]
fn solve_triangular<'py>(
    t: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    lower: bool,
    transpose: bool,
    unit_diagonal: bool,
    precision: &str,
) -> PyResult<Bound<'py, PyAny>> {
    at!(precision, triangular_in(t, b, lower, transpose, unit_diagonal))
}

fn triangular_in<'py, T: Stored>(
    t: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    lower: bool,
    transpose: bool,
    unit_diagonal: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = t.py();
    let (t, b) = (column_major::<T>(t, "a")?, column_major::<T>(b, "b")?);
    let triangle = if lower { Triangle::Lower } else { Triangle::Upper };
    let task = SolveTriangular::new(triangle, t.view(), b.view())
        .transpose(if transpose { Transpose::Yes } else { Transpose::No })
        .diagonal(if unit_diagonal { Diagonal::Unit } else { Diagonal::NonUnit });
    let x = running::run_on(py, t.view(), || task.run())?.map_err(raised)?;
    to_numpy(py, x, b.is_vector())
}

/// Solves `op(A)·X = B` with the packed LU factors and the exchanges of `A`.
#[pyfunction]
fn lu_solve<'py>(
    lu: &Bound<'py, PyAny>,
    pivots: Vec<usize>,
    b: &Bound<'py, PyAny>,
    transpose: bool,
    precision: &str,
) -> PyResult<Bound<'py, PyAny>> {
    at!(precision, lu_solve_in(lu, &pivots, b, transpose))
}

fn lu_solve_in<'py, T: Stored>(
    lu: &Bound<'py, PyAny>,
    pivots: &[usize],
    b: &Bound<'py, PyAny>,
    transpose: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = lu.py();
    let (lu, b) = (column_major::<T>(lu, "lu")?, column_major::<T>(b, "b")?);
    let (n, k) = b.view().shape();
    if pivots.len() != n || lu.view().rows() != n || pivots.iter().any(|&pivot| pivot >= n) {
        let (found, order) = (pivots.len(), lu.view().rows());
        return Err(PyValueError::new_err(format!(
            "piv: expected a row from 0 to {n} for each row of b, {n}, and of lu, {order}; found {found}"
        )));
    }
    let (factors, rights) = (lu.view(), b.view());
    let x = py
        .detach(|| {
            let mut x = rights.to_matrix();
            let exchange = |x: &mut Matrix<T>, i: usize| {
                (0..k).for_each(|j| x.column_mut(j).swap(i, pivots[i]));
            };
            let solve = |triangle, diagonal, transpose, x: &Matrix<T>| {
                let task = SolveTriangular::new(triangle, factors, x.view());
                task.transpose(transpose).diagonal(diagonal).run()
            };
            let (lower, upper) = (Triangle::Lower, Triangle::Upper);
            if transpose {
                let y = solve(upper, Diagonal::NonUnit, Transpose::Yes, &x)?;
                let mut x = solve(lower, Diagonal::Unit, Transpose::Yes, &y)?;
                (0..n).rev().for_each(|i| exchange(&mut x, i));
                return Ok(x);
            }
            (0..n).for_each(|i| exchange(&mut x, i));
            let y = solve(lower, Diagonal::Unit, Transpose::No, &x)?;
            solve(upper, Diagonal::NonUnit, Transpose::No, &y)
        })
        .map_err(raised)?;
    to_numpy(py, x, b.is_vector())
}

/// Minimises `‖B − A·X‖₂`. Returns `X` and how good it is.
#[pyfunction]
fn lstsq<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    precision: &str,
    device: &str,
    info: bool,
) -> Found<'py> {
    at!(precision, lstsq_in(a, b, precision, device, info))
}

fn lstsq_in<'py, T: Stored>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    precision: &str,
    device: &str,
    info: bool,
) -> Found<'py> {
    let py = a.py();
    let (a, b) = (column_major::<T>(a, "a")?, column_major::<T>(b, "b")?);
    let task = LeastSquares::new(a.view()).rhs(b.view()).device(device_of(device)?);
    let (x, report) = running::run_on(py, a.view(), || task.run())?.map_err(raised)?;
    warn_of(py, report.correct_digits, precision)?;
    let told = told(py, info, |told| {
        told.set_item("residual_norm", report.residual_norm.to_f64())?;
        told.set_item("condition_estimate", report.condition_estimate.to_f64())?;
        told.set_item("correct_digits", report.correct_digits)?;
        told.set_item("device", report.place.device.to_string())
    })?;
    Ok((to_numpy(py, x, b.is_vector())?, told))
}

/// The inverse, and how good it is.
#[pyfunction]
fn inv<'py>(a: &Bound<'py, PyAny>, precision: &str, device: &str, info: bool) -> Found<'py> {
    at!(precision, inv_in(a, precision, device, info))
}

fn inv_in<'py, T: Stored>(
    a: &Bound<'py, PyAny>,
    precision: &str,
    device: &str,
    info: bool,
) -> Found<'py> {
    let py = a.py();
    let a = column_major::<T>(a, "a")?;
    let task = Inverse::new(a.view()).device(device_of(device)?);
    let (x, report) = running::run_on(py, a.view(), || task.run())?.map_err(raised)?;
    warn_of(py, report.correct_digits, precision)?;
    let told = told(py, info, |told| {
        told.set_item("relative_residual", report.relative_residual.to_f64())?;
        told.set_item("condition_estimate", report.condition_estimate.to_f64())?;
        told.set_item("correct_digits", report.correct_digits)?;
        tell_place(told, &report.place)
    })?;
    Ok((to_numpy(py, x, false)?, told))
}

/// The determinant as a scalar, and how good it is.
#[pyfunction]
fn det<'py>(a: &Bound<'py, PyAny>, precision: &str, device: &str, info: bool) -> Found<'py> {
    at!(precision, det_in(a, device, info))
}

fn det_in<'py, T: Stored>(a: &Bound<'py, PyAny>, device: &str, info: bool) -> Found<'py> {
    let py = a.py();
    let (value, report) = determinant::<T>(a, device)?;
    Ok((scalar(py, value.value())?, of_determinant(py, info, &value, &report)?))
}

/// The sign of the determinant, the logarithm of its magnitude, and how good the determinant is.
#[pyfunction]
fn slogdet<'py>(
    a: &Bound<'py, PyAny>,
    precision: &str,
    device: &str,
    info: bool,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, Report<'py>)> {
    at!(precision, slogdet_in(a, device, info))
}

fn slogdet_in<'py, T: Stored>(
    a: &Bound<'py, PyAny>,
    device: &str,
    info: bool,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, Report<'py>)> {
    let py = a.py();
    let (value, report) = determinant::<T>(a, device)?;
    let told = of_determinant(py, info, &value, &report)?;
    // Near 1 the logarithm of the number itself has no cancellation.
    let number = |x| T::from_f64(x).to_format(value.mantissa.format());
    let magnitude = value.value().abs();
    let is_ordinary = (-900..900).contains(&value.exponent);
    let logarithm = match value.sign() {
        0 => number(f64::NEG_INFINITY),
        _ if is_ordinary => magnitude.ln(),
        _ => value.mantissa.abs().ln() + number(value.exponent as f64) * number(2.0).ln(),
    };
    Ok((scalar(py, number(value.sign().into()))?, scalar(py, logarithm)?, told))
}

fn determinant<T: Stored>(
    a: &Bound<'_, PyAny>,
    device: &str,
) -> PyResult<(DeterminantValue<T>, DeterminantReport)> {
    let py = a.py();
    let a = column_major::<T>(a, "a")?;
    let task = Determinant::new(a.view()).device(device_of(device)?);
    running::run_on(py, a.view(), || task.run())?.map_err(raised)
}

fn of_determinant<'py, T: Stored>(
    py: Python<'py>,
    info: bool,
    value: &DeterminantValue<T>,
    report: &DeterminantReport,
) -> PyResult<Report<'py>> {
    told(py, info, |told| {
        told.set_item("condition_estimate", report.condition_estimate.to_f64())?;
        told.set_item("correct_digits", report.correct_digits)?;
        told.set_item("exponent", value.exponent)?;
        told.set_item("device", report.place.device.to_string())
    })
}

fn scalar<T: Stored>(py: Python<'_>, x: T) -> PyResult<Bound<'_, PyAny>> {
    to_numpy(py, column(x.format(), &[x]), true)?.get_item(0)
}
