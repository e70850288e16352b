//! Scalars of Python.

use std::cmp::Ordering;

use nonius::Number;
use nonius::dense::{BinaryOp, Operations};
use nonius::num::mp::Bits;
use nonius::num::{Dd, Qd, Td};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyFloat;

use crate::convert;
use crate::numpy::Kind;

/// Adds the classes to a module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<DoubleDouble>()?;
    module.add_class::<TripleDouble>()?;
    module.add_class::<QuadDouble>()
}

/// The exact fraction of a finite number: numerator and denominator, integers of Python.
fn ratio<'py, T: Number<Format = ()>>(
    py: Python<'py>,
    x: T,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    if x.is_nan() {
        return Err(PyValueError::new_err("NaN is no fraction"));
    }
    if !x.is_finite() {
        return Err(PyOverflowError::new_err("infinity is no fraction"));
    }
    let wide = Bits::new(Bits::MOST).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let exact = x.in_bits(wide);
    let one = 1_i32.into_pyobject(py)?.into_any();
    let mut numerator = 0_i32.into_pyobject(py)?.into_any();
    let words = exact.words();
    for &word in words.iter().rev() {
        numerator = numerator.lshift(64)?.bitor(word)?;
    }
    if x < T::ZERO {
        numerator = numerator.neg()?;
    }
    let Some(exponent) = exact.head().exponent() else { return Ok((numerator, one)) };
    // The number is its words, as one integer, times this power of two.
    let power = i64::from(exponent) - 64 * words.len() as i64;
    let two_power = one.lshift(power.unsigned_abs())?;
    if power >= 0 {
        return Ok((numerator.mul(two_power)?, one));
    }
    let common = py.import("math")?.call_method1("gcd", (&numerator, &two_power))?;
    Ok((numerator.floor_div(&common)?, two_power.floor_div(&common)?))
}

macro_rules! scalars {
    ($($(#[$doc:meta])* $class:ident $number:ident $name:literal $digits:literal;)*) => {$(
        $(#[$doc])*
        #[pyclass(frozen, module = "nonius")]
        pub(crate) struct $class(pub(crate) $number);

        #[pymethods]
        impl $class {
            #[new]
            fn new(value: &Bound<'_, PyAny>) -> PyResult<Self> {
                Ok(Self(convert::number(value)?))
            }

            /// The shortest text that reads back as the same number, unless limbs far apart make
            /// it long: then the digits that the precision is worth.
            fn __repr__(&self) -> String {
                text(self.0.to_string(), $digits, || format!("{:.*e}", $digits - 1, self.0))
            }

            fn __format__(&self, format: &str) -> PyResult<String> {
                let x = self.0;
                let (digits, letter) = match format.char_indices().next_back() {
                    None => return Ok(self.__repr__()),
                    Some((at, letter)) => (&format[..at], letter),
                };
                let places = match digits.strip_prefix('.') {
                    Some(places) => places.parse::<usize>().ok(),
                    None if digits.is_empty() => Some(6),
                    None => None,
                };
                match (places, letter) {
                    (Some(places), 'f' | 'F') => Ok(format!("{x:.places$}")),
                    (Some(places), 'e') => Ok(format!("{x:.places$e}")),
                    (Some(places), 'E') => Ok(format!("{x:.places$E}")),
                    _ => Err(PyValueError::new_err(format!(
                        "format {format:?}: expected .Nf or .Ne, as .30f"
                    ))),
                }
            }

            fn __float__(&self) -> f64 {
                self.0.to_f64()
            }

            fn __int__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                let (numerator, denominator) = ratio(py, self.0.trunc())?;
                numerator.floor_div(denominator)
            }

            fn __bool__(&self) -> bool {
                self.0 != $number::ZERO
            }

            /// Equal numbers of any type of Python have equal hashes.
            fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
                let x = self.0;
                if !x.is_finite() || x == $number::from(x.to_f64()) {
                    return x.to_f64().into_pyobject(py)?.hash();
                }
                let (numerator, denominator) = ratio(py, x)?;
                py.import("fractions")?.call_method1("Fraction", (numerator, denominator))?.hash()
            }

            /// Numerator and denominator of the number, exactly.
            fn as_integer_ratio<'py>(
                &self,
                py: Python<'py>,
            ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
                ratio(py, self.0)
            }

            /// The limbs, whose sum is the number.
            #[getter]
            fn limbs(&self) -> Vec<f64> {
                self.0.limbs().to_vec()
            }

            /// The type of arrays.
            #[getter]
            fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                py.import("nonius._nonius")?.getattr($name)
            }

            fn __reduce__<'py>(
                &self,
                py: Python<'py>,
            ) -> PyResult<(Bound<'py, PyAny>, (String,))> {
                Ok((py.get_type::<Self>().into_any(), (self.0.to_string(),)))
            }

            fn __neg__(&self) -> Self {
                Self(-self.0)
            }

            fn __pos__(&self) -> Self {
                Self(self.0)
            }

            fn __abs__(&self) -> Self {
                Self(self.0.abs())
            }

            fn __trunc__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                self.__int__(py)
            }

            fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                operate(self.0, other, false, BinaryOp::Add)
            }

            fn __radd__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                operate(self.0, other, true, BinaryOp::Add)
            }

            fn __sub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                operate(self.0, other, false, BinaryOp::Sub)
            }

            fn __rsub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                operate(self.0, other, true, BinaryOp::Sub)
            }

            fn __mul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                operate(self.0, other, false, BinaryOp::Mul)
            }

            fn __rmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                operate(self.0, other, true, BinaryOp::Mul)
            }

            fn __truediv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                operate(self.0, other, false, BinaryOp::Div)
            }

            fn __rtruediv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                operate(self.0, other, true, BinaryOp::Div)
            }

            fn __pow__(
                &self,
                other: &Bound<'_, PyAny>,
                _modulus: Option<&Bound<'_, PyAny>>,
            ) -> PyResult<Py<PyAny>> {
                operate(self.0, other, false, BinaryOp::Pow)
            }

            fn __rpow__(
                &self,
                other: &Bound<'_, PyAny>,
                _modulus: Option<&Bound<'_, PyAny>>,
            ) -> PyResult<Py<PyAny>> {
                operate(self.0, other, true, BinaryOp::Pow)
            }

            fn __richcmp__(
                &self,
                other: &Bound<'_, PyAny>,
                how: CompareOp,
            ) -> PyResult<Py<PyAny>> {
                let py = other.py();
                if !is_number(other)? {
                    return Ok(py.NotImplemented());
                }
                let holds = compare(self.0, other, how)?;
                Ok(holds.into_pyobject(py)?.to_owned().into_any().unbind())
            }
        }
    )*};
}

scalars! {
    /// A number of 31 digits: a sum of two doubles.
    DoubleDouble Dd "dd" 33;
    /// A number of 46 digits: a sum of three doubles.
    TripleDouble Td "td" 49;
    /// A number of 62 digits: a sum of four doubles.
    QuadDouble Qd "qd" 65;
}

/// A number's text, or where that has more digits than `most`, the rounded one, without zeros at
/// its end, and with an exponent where the other has one.
fn text(exact: String, most: usize, rounded: impl Fn() -> String) -> String {
    let significand = exact.split('e').next().unwrap_or_default();
    let digits = significand.trim_start_matches(['-', '0', '.']);
    if digits.bytes().filter(u8::is_ascii_digit).count() <= most {
        return exact;
    }
    let rounded = rounded();
    let Some((significand, exponent)) = rounded.split_once('e') else { return exact };
    let Ok(exponent) = exponent.parse::<i32>() else { return exact };
    let (sign, significand) = match significand.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", significand),
    };
    let digits: String = significand.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_end_matches('0');
    let after = |places: usize| digits.get(places..).filter(|rest| !rest.is_empty());
    match exponent {
        0..16 => {
            let places = exponent as usize + 1;
            let whole = format!("{digits:0<places$}");
            match after(places) {
                Some(rest) => format!("{sign}{}.{rest}", &whole[..places]),
                None => format!("{sign}{}", &whole[..places]),
            }
        }
        -4..0 => format!("{sign}0.{}{digits}", "0".repeat((-exponent - 1) as usize)),
        _ => match after(1) {
            Some(rest) => format!("{sign}{}.{rest}e{exponent}", &digits[..1]),
            None => format!("{sign}{digits}e{exponent}"),
        },
    }
}

/// Whether an operator may take an object for a number: texts and arrays are none.
fn is_number(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let is_text = object.is_instance_of::<pyo3::types::PyString>();
    Ok(!is_text && !object.hasattr("__len__")? && object.hasattr("__float__")?)
}

/// The result in the higher kind of both operands.
fn operate<K: Kind>(
    x: K,
    other: &Bound<'_, PyAny>,
    swapped: bool,
    operation: BinaryOp,
) -> PyResult<Py<PyAny>> {
    let py = other.py();
    if !is_number(other)? {
        return Ok(py.NotImplemented());
    }
    if other.is_instance_of::<QuadDouble>() {
        apply::<Qd>(x.to_quad(), other, swapped, operation)
    } else if other.is_instance_of::<TripleDouble>() && K::LIMBS == 2 {
        apply::<Td>(Td::from_quad(x.to_quad()), other, swapped, operation)
    } else {
        apply::<K>(x, other, swapped, operation)
    }
}

fn apply<K: Kind>(
    x: K,
    other: &Bound<'_, PyAny>,
    swapped: bool,
    operation: BinaryOp,
) -> PyResult<Py<PyAny>> {
    let y: K = convert::number(other)?;
    let operands = if swapped { [y, x] } else { [x, y] };
    operation.apply(operands).to_scalar(other.py())
}

/// Whether a comparison holds, exactly.
fn compare<K: Kind>(x: K, other: &Bound<'_, PyAny>, how: CompareOp) -> PyResult<bool> {
    let py = other.py();
    let is_ours = other.is_instance_of::<DoubleDouble>()
        || other.is_instance_of::<TripleDouble>()
        || other.is_instance_of::<QuadDouble>();
    if is_ours || other.is_instance_of::<PyFloat>() || !x.is_finite() {
        let (x, y): (Qd, Qd) = (x.to_quad(), convert::number(other)?);
        return Ok(how.matches_partial(x.partial_cmp(&y)));
    }
    let (numerator, denominator) = ratio(py, x)?;
    let fraction = py.import("fractions")?.call_method1("Fraction", (numerator, denominator))?;
    let other = match other.call_method0("as_integer_ratio") {
        Ok(ratio) => {
            let (p, q): (Bound<'_, PyAny>, Bound<'_, PyAny>) = ratio.extract()?;
            py.import("fractions")?.call_method1("Fraction", (p, q))?
        }
        Err(_) => other.clone(),
    };
    fraction.rich_compare(other, how)?.is_truthy()
}

/// What an order means for an operator; NaN is unlike all numbers.
trait Matches {
    fn matches_partial(self, order: Option<Ordering>) -> bool;
}

impl Matches for CompareOp {
    fn matches_partial(self, order: Option<Ordering>) -> bool {
        order.map_or(matches!(self, CompareOp::Ne), |order| self.matches(order))
    }
}
