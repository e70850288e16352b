//! Solutions and determinants with proved digits, of numbers that count as exact.

use nonius::certified::{Data, Determinant, Magnitude, Solve, Stage};
use nonius::num::mp::Bits;
use nonius::num::{Dd, Fixed, Qd, Td};
use nonius::{Matrix, Mp, Precision};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::common::{Found, at, device_of, precision_of, told};
use super::errors::{NoniusError, refused};
use crate::convert;
use crate::exact::most_bits;
use crate::numpy::{Kind, Stored, column_major, to_numpy};
use crate::running;

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(solve_digits, module)?)?;
    module.add_function(wrap_pyfunction!(solve_integers, module)?)?;
    module.add_function(wrap_pyfunction!(det_digits, module)?)?;
    module.add_function(wrap_pyfunction!(det_integers, module)?)
}

/// Integers of Python, row by row.
type Rows<'py> = Vec<Vec<Bound<'py, PyAny>>>;

/// What is asked of a proof: the digits, the numbers of the result, the device, a dictionary.
struct Asked<'a> {
    digits: u32,
    result: &'a str,
    device: &'a str,
    info: bool,
}

/// Solves `A·X = B` so that all entries of `X` have proved digits. The arrays hold the numbers of
/// `given` exactly.
#[pyfunction]
fn solve_digits<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    given: &str,
    digits: u32,
    result: &str,
    device: &str,
    info: bool,
) -> Found<'py> {
    let py = a.py();
    let (a, _) = at!(given, data_of(a, "a"))?;
    let (b, as_vector) = at!(given, data_of(b, "b"))?;
    solved(py, a, b, as_vector, Asked { digits, result, device, info })
}

/// Solves `A·X = B` of integers, row by row, so that all entries of `X` have proved digits.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "those of the function in Python, and what it found")]
fn solve_integers<'py>(
    py: Python<'py>,
    a: Rows<'py>,
    b: Rows<'py>,
    as_vector: bool,
    digits: u32,
    result: &str,
    device: &str,
    info: bool,
) -> Found<'py> {
    let (a, b) = (integers(&a, "a")?, integers(&b, "b")?);
    solved(py, a, b, as_vector, Asked { digits, result, device, info })
}

/// The determinant with proved digits, of an array that holds the numbers of `given` exactly.
#[pyfunction]
fn det_digits<'py>(
    a: &Bound<'py, PyAny>,
    given: &str,
    digits: u32,
    result: &str,
    device: &str,
    info: bool,
) -> Found<'py> {
    let py = a.py();
    let (a, _) = at!(given, data_of(a, "a"))?;
    determined(py, a, None, Asked { digits, result, device, info })
}

/// The determinant of integers, row by row, times a fraction, with proved digits.
#[pyfunction]
fn det_integers<'py>(
    py: Python<'py>,
    a: Rows<'py>,
    factor: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    digits: u32,
    result: &str,
    device: &str,
    info: bool,
) -> Found<'py> {
    let a = integers(&a, "a")?;
    let factor = convert::quotient::<Mp>(&factor.0, &factor.1, most_bits())?;
    determined(py, a, Some(factor), Asked { digits, result, device, info })
}

/// The numbers of an array, and whether it has one dimension.
fn data_of<T: Stored>(array: &Bound<'_, PyAny>, name: &str) -> PyResult<(Data, bool)> {
    let array = column_major::<T>(array, name)?;
    Ok((Data::from_matrix(array.view()), array.is_vector()))
}

/// Integers, with as many bits as the longest takes.
fn integers(rows: &Rows<'_>, name: &str) -> PyResult<Data> {
    let cols = rows.first().map_or(0, Vec::len);
    let mut longest = Bits::LEAST;
    for (i, row) in rows.iter().enumerate() {
        for entry in row {
            let bits: u32 = entry.call_method0("bit_length")?.extract()?;
            if bits > Bits::MOST {
                let most = Bits::MOST;
                return Err(PyValueError::new_err(format!(
                    "{name}: row {i} times the common denominator of its numbers has {bits} bits, \
                     more than {most}"
                )));
            }
            longest = longest.max(bits);
        }
    }
    let bits = Bits::new(longest.next_multiple_of(64).min(Bits::MOST))
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    let mut values = Matrix::<Mp>::zeros_in(bits, rows.len(), cols);
    for (i, row) in rows.iter().enumerate() {
        for (j, entry) in row.iter().enumerate().take(cols) {
            values.put(i, j, convert::number::<Mp>(entry, bits)?.view());
        }
    }
    Ok(Data::exact(values))
}

fn solved<'py>(py: Python<'py>, a: Data, b: Data, as_vector: bool, asked: Asked<'_>) -> Found<'py> {
    let device = device_of(asked.device)?;
    // One digit more than is asked for, which the rounding to the result's numbers may take.
    let task = Solve::new(&a, &b, asked.digits + 1).device(device);
    let (solution, place) = running::run(py, || task.run())?.map_err(refused)?;
    let precision = precision_of(asked.result)?;
    let x = in_kind(py, &solution.x, precision, as_vector)?;
    let told = told(py, asked.info, |told| {
        told.set_item("digits", asked.digits)?;
        told.set_item("error_bound", bound(py, solution.error_bound, precision)?)?;
        told.set_item("condition_estimate", solution.condition.to_f64())?;
        told.set_item("route", route(&solution.route))?;
        told.set_item("device", place.device.to_string())
    })?;
    Ok((x, told))
}

fn determined<'py>(py: Python<'py>, a: Data, factor: Option<Mp>, asked: Asked<'_>) -> Found<'py> {
    let device = device_of(asked.device)?;
    let task = Determinant::new(&a, asked.digits + 1).device(device);
    let (found, place) = running::run(py, || task.run())?.map_err(refused)?;
    let value = match factor {
        // With the highest precision, whose rounding is nothing beside that to the result.
        Some(factor) => found.value.view().to_mp(factor.bits()) * factor,
        None => found.value,
    };
    let number = Matrix::from_fn_in(value.bits(), 1, 1, |_, _| value);
    let precision = precision_of(asked.result)?;
    let value = in_kind(py, &number, precision, true)?;
    let told = told(py, asked.info, |told| {
        told.set_item("digits", asked.digits)?;
        told.set_item("error_bound", bound(py, found.error_bound, precision)?)?;
        told.set_item("condition_estimate", found.condition.to_f64())?;
        told.set_item("route", route(&found.route))?;
        told.set_item("device", place.device.to_string())
    })?;
    Ok((value.get_item(0)?, told))
}

/// What was done, with how many bits (none for `f64`), and in how many steps.
fn route(stages: &[Stage]) -> Vec<(String, Option<u32>, usize)> {
    let of_stage =
        |stage: &Stage| (stage.by.name().to_string(), stage.bits.map(Bits::get), stage.steps);
    stages.iter().map(of_stage).collect()
}

/// An array of the numbers that are named.
fn in_kind<'py>(
    py: Python<'py>,
    x: &Matrix<Mp>,
    precision: Precision,
    as_vector: bool,
) -> PyResult<Bound<'py, PyAny>> {
    match precision {
        Precision::F64 | Precision::Dd => to_numpy(py, rounded::<Dd>(x)?, as_vector),
        Precision::Td => to_numpy(py, rounded::<Td>(x)?, as_vector),
        Precision::Qd => to_numpy(py, rounded::<Qd>(x)?, as_vector),
        Precision::Mp(bits) => {
            let rounded = Matrix::from_fn_in(bits, x.rows(), x.cols(), |i, j| x.at(i, j));
            to_numpy(py, rounded, as_vector)
        }
    }
}

/// A bound of the relative error of a result that is rounded to a precision: a double, or where the
/// precision is beyond the range of doubles, a number of ours.
fn bound(py: Python<'_>, before: Magnitude, precision: Precision) -> PyResult<Py<PyAny>> {
    let bound = before.plus(Magnitude::power(1 - i64::from(precision.bits())));
    let (significand, exponent) = bound.parts();
    match precision {
        Precision::Mp(_) => {
            let exponent = exponent.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
            Mp::from_f64(Bits::FEWEST, significand).ldexp(exponent).to_scalar(py)
        }
        _ => Ok(bound.to_f64().into_pyobject(py)?.into_any().unbind()),
    }
}

/// The numbers nearest to those of a solution, each within the unit roundoff.
fn rounded<K: Kind<Format = ()> + Fixed>(x: &Matrix<Mp>) -> PyResult<Matrix<K>> {
    let nearest = Matrix::from_fn_in((), x.rows(), x.cols(), |i, j| K::from_mp(&x.at(i, j)));
    for (number, exact) in (&nearest).into_iter().zip(x) {
        let error = (number.in_bits(exact.bits()) - exact).abs();
        let bound = exact.abs() * Mp::from_f64(exact.bits(), K::UNIT_ROUNDOFF);
        if !number.is_finite() || error > bound {
            let name = <K as Kind>::NAME;
            return Err(NoniusError::new_err(format!("a number exceeds the range of {name}")));
        }
    }
    Ok(nearest)
}
