//! Scalars of Python.

use std::cmp::Ordering;

use nonius::dense::{BinaryOp, Operations};
use nonius::num::{Dd, Precision, Qd, Td};
use nonius::{Mp, Whole};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyInt};

use crate::convert;
use crate::exact::most_bits;
use crate::numpy::{Kind, at_least, bits_of_object};

/// Adds the classes to a module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<DoubleDouble>()?;
    module.add_class::<TripleDouble>()?;
    module.add_class::<QuadDouble>()?;
    module.add_class::<Multiprecision>()
}

/// The magnitude of a finite number as an odd integer, or zero, times this power of two.
fn odd_part<'py>(py: Python<'py>, x: &Mp) -> PyResult<(Bound<'py, PyAny>, i64)> {
    let bytes: Vec<u8> = x.words().iter().flat_map(|word| word.to_le_bytes()).collect();
    let from_bytes = py.get_type::<PyInt>().getattr("from_bytes")?;
    let whole = from_bytes.call1((PyBytes::new(py, &bytes), "little"))?;
    let Some(exponent) = x.head().exponent() else { return Ok((whole, 0)) };
    let zero_words = x.words().iter().take_while(|&&word| word == 0).count();
    let zeros = x.words().get(zero_words).map_or(0, |word| word.trailing_zeros());
    let shift = 64 * zero_words as i64 + i64::from(zeros);
    let power = i64::from(exponent) - 64 * x.words().len() as i64;
    Ok((whole.rshift(shift)?, power + shift))
}

/// The exact fraction of a finite number: numerator and denominator, integers of Python.
fn ratio<'py>(py: Python<'py>, x: &Mp) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    if x.is_nan() {
        return Err(PyValueError::new_err("NaN is no fraction"));
    }
    if !x.is_finite() {
        return Err(PyOverflowError::new_err("infinity is no fraction"));
    }
    let (odd, power) = odd_part(py, x)?;
    let odd = if x.head().is_negative() { odd.neg()? } else { odd };
    let one = 1_i32.into_pyobject(py)?.into_any();
    if power >= 0 {
        return Ok((odd.lshift(power)?, one));
    }
    Ok((odd, one.lshift(-power)?))
}

/// Python's hash of a finite number: its value modulo a prime `2^k − 1`.
fn hash_of_finite(x: &Mp) -> isize {
    const K: u32 = if cfg!(target_pointer_width = "64") { 61 } else { 31 };
    const PRIME: u128 = (1 << K) - 1;
    let words = x.words().iter().rev();
    let rest = words.fold(0, |rest, &word| ((rest << 64) + u128::from(word)) % PRIME);
    let power = x.head().exponent().map_or(0, i64::from) - 64 * x.words().len() as i64;
    let rest = ((rest << power.rem_euclid(K.into())) % PRIME) as isize;
    // −1 says in C that there is none.
    match if x.head().is_negative() { -rest } else { rest } {
        -1 => -2,
        hash => hash,
    }
}

/// An integer of the type that mpmath takes, where there is mpmath.
fn integer_for_mpmath<'py>(py: Python<'py>, x: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    match py.import("mpmath").and_then(|mpmath| mpmath.getattr("libmp")) {
        Ok(library) => library.call_method1("MPZ", (x,)),
        Err(_) => Ok(x),
    }
}

macro_rules! scalars {
    ($($(#[$doc:meta])* $class:ident $number:ident $digits:literal { $($own:tt)* })*) => {$(
        $(#[$doc])*
        #[pyclass(frozen, module = "nonius")]
        pub(crate) struct $class(pub(crate) $number);

        #[pymethods]
        impl $class {
            $($own)*

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
                Ok(ratio(py, &Whole::trunc(self.0).exact())?.0)
            }

            fn __bool__(&self) -> bool {
                self.0 != $number::ZERO
            }

            /// Equal numbers of any type of Python have equal hashes.
            fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
                if !self.0.is_finite() {
                    return self.0.to_f64().into_pyobject(py)?.hash();
                }
                Ok(hash_of_finite(&self.0.exact()))
            }

            /// Numerator and denominator of the number, exactly.
            fn as_integer_ratio<'py>(
                &self,
                py: Python<'py>,
            ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
                ratio(py, &self.0.exact())
            }

            /// For gmpy2: the number as a fraction, exactly.
            fn __mpq__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                py.import("gmpy2")?.call_method1("mpq", ratio(py, &self.0.exact())?)
            }

            /// Sign, significand, exponent and bits, as mpmath has them.
            #[getter]
            fn _mpf_<'py>(
                &self,
                py: Python<'py>,
            ) -> PyResult<(u8, Bound<'py, PyAny>, i64, i64)> {
                let x = self.0.exact();
                let sign = u8::from(x.head().is_negative() && !x.is_zero() && !x.is_nan());
                let (odd, power) = odd_part(py, &x)?;
                let bits = odd.call_method0("bit_length")?.extract()?;
                let odd = integer_for_mpmath(py, odd)?;
                Ok(match () {
                    () if x.is_nan() => (0, odd, -123, -1),
                    () if !x.is_finite() && sign == 0 => (0, odd, -456, -2),
                    () if !x.is_finite() => (1, odd, -789, -3),
                    () => (sign, odd, power, bits),
                })
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

/// What classes of limbs have for themselves.
macro_rules! scalars_of_limbs {
    ($($(#[$doc:meta])* $class:ident $number:ident $name:literal $digits:literal;)*) => {
        scalars! {$(
            $(#[$doc])*
            $class $number $digits {
                #[new]
                fn new(value: &Bound<'_, PyAny>) -> PyResult<Self> {
                    Ok(Self(convert::number(value, ())?))
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
            }
        )*}
    };
}

scalars_of_limbs! {
    /// A number of 31 digits: a sum of two doubles.
    DoubleDouble Dd "dd" 33;
    /// A number of 46 digits: a sum of three doubles.
    TripleDouble Td "td" 49;
    /// A number of 62 digits: a sum of four doubles.
    QuadDouble Qd "qd" 65;
}

scalars! {
    /// A number whose significand has as many bits as are asked for, from 64 to 4096.
    ///
    /// Parameters
    /// ----------
    /// value : int, float, str, Fraction, Decimal, or a number of NumPy, mpmath or nonius
    ///     The nearest number is taken.
    /// bits : int, optional
    ///     The bits of the significand, from 64 to 4096; by default those that an integer, a float
    ///     or a number of nonius needs.
    ///
    /// Examples
    /// --------
    /// >>> import nonius as nn
    /// >>> nn.Multiprecision("0.1", 80) + 1
    /// 1.1
    Multiprecision Mp 1300 {
        #[new]
        #[pyo3(signature = (value, bits=None))]
        fn new(value: &Bound<'_, PyAny>, bits: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
            let bits = match (bits, convert::bits_to_hold(value)) {
                (Some(bits), _) => bits_of_object(bits)?,
                (None, Some(bits)) => at_least(bits),
                (None, None) => {
                    let class = value.get_type().name()?;
                    return Err(PyTypeError::new_err(format!(
                        "bits: expected a number of bits for a value of type {class}"
                    )));
                }
            };
            Ok(Self(convert::number(value, bits)?))
        }

        /// Bits of the significand.
        #[getter]
        fn bits(&self) -> u32 {
            self.0.bits().get()
        }

        /// The type of arrays.
        #[getter]
        fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
            py.import("nonius._nonius")?.getattr("mp")?.call1((self.bits(),))
        }

        fn __reduce__<'py>(
            &self,
            py: Python<'py>,
        ) -> PyResult<(Bound<'py, PyAny>, (String, u32))> {
            Ok((py.get_type::<Self>().into_any(), (self.0.to_string(), self.bits())))
        }
    }
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

/// The result in the higher kind of both operands, and of two numbers of any bits in the more.
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
    let is_mp = |precision| matches!(precision, Precision::Mp(_));
    let precision = K::precision(x.format());
    if is_mp(precision) || other.is_instance_of::<Multiprecision>() {
        // As in arrays, integers count as many bits as they have.
        let bits = convert::bits_to_hold(other).unwrap_or(0);
        apply::<Mp>(x.in_bits(at_least(bits.max(precision.bits()))), other, swapped, operation)
    } else if other.is_instance_of::<QuadDouble>() {
        apply::<Qd>(x.to_quad(), other, swapped, operation)
    } else if other.is_instance_of::<TripleDouble>() && K::RANK == Dd::RANK {
        apply::<Td>(Td::from_quad((), x.to_quad()), other, swapped, operation)
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
    let y: K = convert::number(other, x.format())?;
    let operands = if swapped { [y, x] } else { [x, y] };
    operation.apply(operands).to_scalar(other.py())
}

/// Whether a comparison holds, exactly.
fn compare<K: Kind>(x: K, other: &Bound<'_, PyAny>, how: CompareOp) -> PyResult<bool> {
    let py = other.py();
    let is_ours = convert::bits_of_ours(other).is_some();
    if is_ours || other.is_instance_of::<PyFloat>() || !x.is_finite() {
        if K::RANK < Mp::RANK && !other.is_instance_of::<Multiprecision>() {
            let (x, y): (Qd, Qd) = (x.to_quad(), convert::number(other, ())?);
            return Ok(how.matches_partial(x.partial_cmp(&y)));
        }
        let (x, y): (Mp, Mp) = (x.exact(), convert::number(other, most_bits())?);
        return Ok(how.matches_partial(x.partial_cmp(&y)));
    }
    let (numerator, denominator) = ratio(py, &x.exact())?;
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
