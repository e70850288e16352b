//! Numbers of Python as numbers of a kind: rounded once, whatever they were.

use nonius::Mp;
use nonius::num::mp::Bits;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError, PyZeroDivisionError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString};

use crate::numpy::Kind;
use crate::scalar::{DoubleDouble, QuadDouble, TripleDouble};

/// The number nearest to an object: a scalar of ours, `bool`, `int`, `float`, decimal text, or what
/// is a fraction exactly, such as `Fraction`, `Decimal` and numbers of NumPy, mpmath, gmpy2 and
/// python-flint.
pub(crate) fn number<K: Kind>(object: &Bound<'_, PyAny>) -> PyResult<K> {
    if let Some(number) = of_ours(object) {
        return Ok(number);
    }
    if let Ok(float) = object.cast::<PyFloat>() {
        return Ok(K::from_f64(float.value()));
    }
    if let Ok(truth) = object.cast::<PyBool>() {
        return Ok(if truth.is_true() { K::ONE } else { K::ZERO });
    }
    if let Ok(integer) = object.cast::<PyInt>() {
        return of_integer(integer);
    }
    if let Ok(text) = object.cast::<PyString>() {
        return of_text(&text.to_cow()?);
    }
    if let Some(number) = of_mpmath(object)? {
        return Ok(number);
    }
    let fraction = match object.call_method0("as_integer_ratio") {
        Ok(fraction) => fraction,
        // Infinities and NaN are no fractions.
        Err(error)
            if error.is_instance_of::<PyOverflowError>(object.py())
                || error.is_instance_of::<PyValueError>(object.py()) =>
        {
            return Ok(K::from_f64(object.call_method0("__float__")?.extract()?));
        }
        Err(_) => return of_other(object),
    };
    let (numerator, denominator): (Bound<'_, PyAny>, Bound<'_, PyAny>) = fraction.extract()?;
    quotient(&numerator, &denominator)
}

fn of_ours<K: Kind>(object: &Bound<'_, PyAny>) -> Option<K> {
    let quad = if let Ok(x) = object.cast::<DoubleDouble>() {
        x.get().0.to_quad()
    } else if let Ok(x) = object.cast::<TripleDouble>() {
        x.get().0.to_quad()
    } else {
        object.cast::<QuadDouble>().ok()?.get().0
    };
    Some(K::from_quad(quad))
}

fn of_integer<K: Kind>(integer: &Bound<'_, PyInt>) -> PyResult<K> {
    if let Ok(small) = integer.extract::<i32>() {
        return Ok(K::from_f64(small.into()));
    }
    Ok(K::from_mp(&whole(integer)?))
}

/// An integer, exactly where 4096 bits do, else rounded to these.
fn whole(integer: &Bound<'_, PyAny>) -> PyResult<Mp> {
    let bits: u32 = integer.call_method0("bit_length")?.extract()?;
    let bits = Bits::new(bits.next_multiple_of(64).clamp(Bits::LEAST, Bits::MOST));
    let bits = bits.map_err(|error| PyValueError::new_err(error.to_string()))?;
    // Decimal text of thousands of digits is refused by Python, hexadecimal text is not.
    let text: String = integer.call_method1("__format__", ("x",))?.extract()?;
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.as_str()),
    };
    let mut value = Mp::zero(bits);
    for chunk in digits.as_bytes().chunks(8) {
        let chunk = std::str::from_utf8(chunk).unwrap_or("0");
        let part = u32::from_str_radix(chunk, 16).unwrap_or(0);
        value = value.ldexp(4 * chunk.len() as i32) + Mp::from_f64(bits, part.into());
    }
    Ok(if is_negative { -value } else { value })
}

fn of_text<K: Kind>(text: &str) -> PyResult<K> {
    let trimmed = text.trim();
    K::from_decimal(trimmed.as_bytes())
        .map_err(|error| PyValueError::new_err(format!("{text:?} is no number: {error}")))
}

/// `mpmath.mpf`, by its significand and exponent.
fn of_mpmath<K: Kind>(object: &Bound<'_, PyAny>) -> PyResult<Option<K>> {
    let Ok(parts) = object.getattr("_mpf_") else { return Ok(None) };
    let (sign, significand, exponent, bits): (i32, Bound<'_, PyAny>, i64, i64) = parts.extract()?;
    let value = whole(&significand.call_method0("__index__")?)?;
    if value.is_zero() && bits <= 0 && exponent != 0 {
        return Ok(Some(K::from_f64(object.call_method0("__float__")?.extract()?)));
    }
    let exponent = exponent.clamp(-1_000_000_000, 1_000_000_000) as i32;
    let value = value.ldexp(exponent);
    Ok(Some(K::from_mp(&if sign == 0 { value } else { -value })))
}

fn quotient<K: Kind>(numerator: &Bound<'_, PyAny>, denominator: &Bound<'_, PyAny>) -> PyResult<K> {
    let (numerator, denominator) =
        (numerator.call_method0("__int__")?, denominator.call_method0("__int__")?);
    let wide = Bits::new(Bits::MOST).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let (above, below) = (whole(&numerator)?, whole(&denominator)?);
    if below.is_zero() {
        return Err(PyZeroDivisionError::new_err("a fraction with the denominator 0"));
    }
    // With 4096 bits the quotient is as good as exact for the rounding that follows.
    let above = above.view().to_mp(wide);
    Ok(K::from_mp(&(above / below)))
}

/// What else says what it is: a `Fraction` of python-flint, an integer of gmpy2.
fn of_other<K: Kind>(object: &Bound<'_, PyAny>) -> PyResult<K> {
    if let (Ok(p), Ok(q)) = (object.getattr("p"), object.getattr("q")) {
        return quotient(&p, &q);
    }
    if let Ok(index) = object.call_method0("__index__") {
        return of_integer(index.cast::<PyInt>()?);
    }
    if let Ok(float) = object.call_method0("__float__") {
        return Ok(K::from_f64(float.extract()?));
    }
    let class = object.get_type().name()?;
    Err(PyTypeError::new_err(format!("expected a real number, found {class}")))
}
