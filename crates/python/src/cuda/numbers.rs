//! The numbers of arrays in a GPU's memory.

use nonius::device::{Array, ArrayNumber};
use nonius::num::{Dd, Precision, Qd, Td};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::convert::{bits_of_ours, number};
use crate::numpy::Stored;

/// An array of any of the types.
#[derive(Clone, Debug)]
pub(super) enum Numbers {
    F64(Array<f64>),
    Dd(Array<Dd>),
    Td(Array<Td>),
    Qd(Array<Qd>),
}

/// What is the same for each type.
macro_rules! each {
    ($numbers:expr, $array:ident => $result:expr) => {
        match $numbers {
            $crate::cuda::numbers::Numbers::F64($array) => $result,
            $crate::cuda::numbers::Numbers::Dd($array) => $result,
            $crate::cuda::numbers::Numbers::Td($array) => $result,
            $crate::cuda::numbers::Numbers::Qd($array) => $result,
        }
    };
}

pub(super) use each;

/// Numbers whose arrays may lie in a GPU's memory.
pub(super) trait OnGpu: Stored + ArrayNumber {
    /// What Python calls the precision.
    const NAME: &'static str;

    /// The array as one of any type.
    fn wrap(array: Array<Self>) -> Numbers;

    /// The array of this type.
    fn of(numbers: &Numbers) -> Option<&Array<Self>>;

    /// The number nearest to a scalar of Python.
    fn of_scalar(object: &Bound<'_, PyAny>) -> PyResult<Self>;
}

macro_rules! on_gpu {
    ($($number:ty: $variant:ident $name:literal $nearest:expr;)*) => {$(
        impl OnGpu for $number {
            const NAME: &'static str = $name;

            fn wrap(array: Array<Self>) -> Numbers {
                Numbers::$variant(array)
            }

            fn of(numbers: &Numbers) -> Option<&Array<Self>> {
                match numbers {
                    Numbers::$variant(array) => Some(array),
                    _ => None,
                }
            }

            fn of_scalar(object: &Bound<'_, PyAny>) -> PyResult<Self> {
                $nearest(object)
            }
        }
    )*};
}

on_gpu! {
    f64: F64 "f64" |object: &Bound<'_, PyAny>| object.extract();
    Dd: Dd "dd" |object| number::<Dd>(object, ());
    Td: Td "td" |object| number::<Td>(object, ());
    Qd: Qd "qd" |object| number::<Qd>(object, ());
}

impl Numbers {
    /// What Python calls the precision.
    pub(super) fn name(&self) -> &'static str {
        fn name<T: OnGpu>(_: &Array<T>) -> &'static str {
            T::NAME
        }
        each!(self, array => name(array))
    }
}

/// The array of the same type as the operands before.
pub(super) fn same<'a, T: OnGpu>(numbers: &'a Numbers, name: &str) -> PyResult<&'a Array<T>> {
    T::of(numbers).ok_or_else(|| {
        PyTypeError::new_err(format!(
            "{name}: expected an array of {}, found one of {}",
            T::NAME,
            numbers.name()
        ))
    })
}

/// A scalar as an operand beside arrays; `None` for what is none, or has more bits than they.
pub(super) fn scalar<T: OnGpu>(object: &Bound<'_, PyAny>) -> PyResult<Option<T>> {
    let is_array = object.getattr("ndim").is_ok_and(|ndim| !matches!(ndim.extract(), Ok(0)));
    let bits = Precision::bits(T::precision(())).max(53);
    if is_array
        || object.is_instance_of::<pyo3::types::PyString>()
        || bits_of_ours(object).is_some_and(|found| found > bits)
    {
        return Ok(None);
    }
    match T::of_scalar(object) {
        Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => Ok(None),
        found => found.map(Some),
    }
}

/// Lets an array go. Memory that other libraries know waits for their work, which may need Python.
pub(super) fn release(numbers: Numbers) {
    if !each!(&numbers, array => array.is_shared()) {
        return;
    }
    let mut kept = Some(numbers);
    let _ = Python::try_attach(|py| py.detach(|| kept = None));
    // Where Python is at its end, the memory is left to the system.
    std::mem::forget(kept);
}
