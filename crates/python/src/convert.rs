//! Numbers of Python as numbers of a kind: rounded once, whatever they were.

use nonius::num::mp::Bits;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError, PyZeroDivisionError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt, PyString};

use crate::exact::Exact;
use crate::numpy::Kind;
use crate::scalar::{DoubleDouble, Multiprecision, QuadDouble, TripleDouble};

/// The number nearest to an object: a scalar of ours, `bool`, `int`, `float`, decimal text, or what
/// is a fraction exactly, such as `Fraction`, `Decimal` and numbers of NumPy, mpmath, gmpy2 and
/// python-flint.
pub(crate) fn number<K: Kind>(object: &Bound<'_, PyAny>, format: K::Format) -> PyResult<K> {
    let of_double = |x| K::from_f64(x).to_format(format);
    if let Some(number) = of_ours(object, format) {
        return Ok(number);
    }
    if let Ok(float) = object.cast::<PyFloat>() {
        return Ok(of_double(float.value()));
    }
    if let Ok(truth) = object.cast::<PyBool>() {
        return Ok(of_double(if truth.is_true() { 1.0 } else { 0.0 }));
    }
    if let Ok(integer) = object.cast::<PyInt>() {
        return of_integer(integer, format);
    }
    if let Ok(text) = object.cast::<PyString>() {
        return of_text(&text.to_cow()?, format);
    }
    // A ball's `_mpf_` is its midpoint, rounded.
    if object.hasattr("is_exact")? && object.hasattr("man_exp")? {
        return of_ball(object, format);
    }
    if let Some(number) = of_mpmath(object, format)? {
        return Ok(number);
    }
    if is_decimal(object)? {
        // A fraction would have as many digits as the exponent says.
        let is_nan = object.call_method0("is_nan")?.is_truthy()?;
        let text = object.str()?;
        return if is_nan { Ok(of_double(f64::NAN)) } else { of_text(&text.to_cow()?, format) };
    }
    let fraction = match object.call_method0("as_integer_ratio") {
        Ok(fraction) => fraction,
        // Infinities and NaN are no fractions.
        Err(error)
            if error.is_instance_of::<PyOverflowError>(object.py())
                || error.is_instance_of::<PyValueError>(object.py()) =>
        {
            return Ok(of_double(object.call_method0("__float__")?.extract()?));
        }
        Err(_) => return of_other(object, format),
    };
    let (numerator, denominator): (Bound<'_, PyAny>, Bound<'_, PyAny>) = fraction.extract()?;
    quotient(&numerator, &denominator, format)
}

/// The bits of a scalar of ours.
pub(crate) fn bits_of_ours(object: &Bound<'_, PyAny>) -> Option<u32> {
    if object.is_instance_of::<DoubleDouble>() {
        Some(104)
    } else if object.is_instance_of::<TripleDouble>() {
        Some(156)
    } else if object.is_instance_of::<QuadDouble>() {
        Some(208)
    } else {
        Some(object.cast::<Multiprecision>().ok()?.get().0.bits().get())
    }
}

/// Bits that hold an object exactly, where its type tells: an integer, a double, a scalar of ours.
pub(crate) fn bits_to_hold(object: &Bound<'_, PyAny>) -> Option<u32> {
    if object.is_instance_of::<PyInt>() {
        return object.call_method0("bit_length").and_then(|bits| bits.extract()).ok();
    }
    if object.is_instance_of::<PyFloat>() { Some(53) } else { bits_of_ours(object) }
}

fn of_ours<K: Kind>(object: &Bound<'_, PyAny>, format: K::Format) -> Option<K> {
    let quad = if let Ok(x) = object.cast::<DoubleDouble>() {
        x.get().0.to_quad()
    } else if let Ok(x) = object.cast::<TripleDouble>() {
        x.get().0.to_quad()
    } else if let Ok(x) = object.cast::<QuadDouble>() {
        x.get().0
    } else {
        return Some(K::from_mp(&object.cast::<Multiprecision>().ok()?.get().0).to_format(format));
    };
    Some(K::from_quad(format, quad))
}

fn of_integer<K: Kind>(integer: &Bound<'_, PyInt>, format: K::Format) -> PyResult<K> {
    if let Ok(small) = integer.extract::<i32>() {
        return Ok(K::from_f64(small.into()).to_format(format));
    }
    Ok(K::nearest_to(format, &whole(integer)?))
}

/// An integer, exactly.
fn whole(integer: &Bound<'_, PyAny>) -> PyResult<Exact> {
    let py = integer.py();
    let magnitude = integer.call_method0("__abs__")?;
    let bits: usize = magnitude.call_method0("bit_length")?.extract()?;
    let bytes = magnitude.call_method1("to_bytes", (8 * bits.div_ceil(64), "little"))?;
    let words = bytes.cast::<PyBytes>()?.as_bytes().chunks_exact(8);
    let words = words.map(|word| word.iter().rev().fold(0, |x, &byte| x << 8 | u64::from(byte)));
    let is_negative = integer.lt(0_i32.into_pyobject(py)?)?;
    Ok(Exact { is_negative, words: words.collect(), exponent: 0, is_more: false })
}

fn of_text<K: Kind>(text: &str, format: K::Format) -> PyResult<K> {
    let trimmed = text.trim();
    K::from_decimal_in(format, trimmed.as_bytes())
        .map_err(|error| PyValueError::new_err(format!("{text:?} is no number: {error}")))
}

fn is_decimal(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    object.is_instance(&object.py().import("decimal")?.getattr("Decimal")?)
}

/// `mpmath.mpf` and `gmpy2.mpfr`, by significand and exponent.
fn of_mpmath<K: Kind>(object: &Bound<'_, PyAny>, format: K::Format) -> PyResult<Option<K>> {
    let Ok(parts) = object.getattr("_mpf_") else { return Ok(None) };
    let (sign, significand, exponent, _): (
        i32,
        Bound<'_, PyAny>,
        Bound<'_, PyAny>,
        Bound<'_, PyAny>,
    ) = parts.extract()?;
    let significand = significand.call_method0("__int__")?;
    // Zero, and what has no significand: infinities and NaN.
    if !significand.is_truthy()? {
        let special: f64 = object.call_method0("__float__")?.extract()?;
        return Ok(Some(K::from_f64(special).to_format(format)));
    }
    let number = times_power(&significand, &exponent)?;
    let is_negative = number.is_negative ^ (sign != 0);
    Ok(Some(K::nearest_to(format, &Exact { is_negative, ..number })))
}

/// An integer times a power of two.
fn times_power(significand: &Bound<'_, PyAny>, exponent: &Bound<'_, PyAny>) -> PyResult<Exact> {
    /// Exponents beyond make all numbers infinite or zero.
    const FAR: i64 = 1 << 40;
    let far = if exponent.lt(0)? { -FAR } else { FAR };
    let exponent = exponent.extract().unwrap_or(far).clamp(-FAR, FAR);
    Ok(Exact { exponent, ..whole(significand)? })
}

/// A ball of python-flint, which is a number where its radius is zero.
fn of_ball<K: Kind>(ball: &Bound<'_, PyAny>, format: K::Format) -> PyResult<K> {
    if !ball.call_method0("is_exact")?.extract::<bool>()? {
        return Err(PyValueError::new_err(format!(
            "{ball} has a radius and is no single number: take its mid()"
        )));
    }
    if !ball.call_method0("is_finite")?.extract::<bool>()? {
        let special: f64 = ball.call_method0("__float__")?.extract()?;
        return Ok(K::from_f64(special).to_format(format));
    }
    let parts = ball.call_method0("man_exp")?;
    let (significand, exponent): (Bound<'_, PyAny>, Bound<'_, PyAny>) = parts.extract()?;
    let (significand, exponent) =
        (significand.call_method0("__int__")?, exponent.call_method0("__int__")?);
    Ok(K::nearest_to(format, &times_power(&significand, &exponent)?))
}

/// The number nearest to a fraction.
pub(crate) fn quotient<K: Kind>(
    numerator: &Bound<'_, PyAny>,
    denominator: &Bound<'_, PyAny>,
    format: K::Format,
) -> PyResult<K> {
    let (above, below) = (numerator.call_method0("__int__")?, denominator.call_method0("__int__")?);
    if !below.is_truthy()? {
        return Err(PyZeroDivisionError::new_err("a fraction with the denominator 0"));
    }
    let length = |x: &Bound<'_, PyAny>| x.call_method0("bit_length")?.extract::<i64>();
    // The quotient's integer part has more bits than any number.
    let shift = i64::from(Bits::MOST) + 64 + length(&below)? - length(&above)?;
    let shift = shift.max(0);
    let is_negative = above.lt(0)? != below.lt(0)?;
    let magnitude = above.call_method0("__abs__")?.lshift(shift)?;
    let (quotient, rest): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
        magnitude.divmod(below.call_method0("__abs__")?)?.extract()?;
    let whole = whole(&quotient)?;
    let is_more = rest.is_truthy()?;
    Ok(K::nearest_to(format, &Exact { is_negative, exponent: -shift, is_more, ..whole }))
}

/// What else says what it is: a `Fraction` of python-flint, an integer of gmpy2.
fn of_other<K: Kind>(object: &Bound<'_, PyAny>, format: K::Format) -> PyResult<K> {
    if let (Ok(p), Ok(q)) = (object.getattr("p"), object.getattr("q")) {
        return quotient(&p, &q, format);
    }
    if let Ok(index) = object.call_method0("__index__") {
        return of_integer(index.cast::<PyInt>()?, format);
    }
    if let Ok(float) = object.call_method0("__float__") {
        return Ok(K::from_f64(float.extract()?).to_format(format));
    }
    let class = object.get_type().name()?;
    Err(PyTypeError::new_err(format!("expected a real number, found {class}")))
}
