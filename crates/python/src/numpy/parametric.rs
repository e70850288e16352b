//! `nonius.mp(bits)`: the type whose instances have a parameter.
//!
//! **Which instance a result has.** Of several operands the one with the most bits decides, where
//! types without bits of their own count as much as their significands have: `dd`, `td` and `qd`
//! 104, 156 and 208, numbers of NumPy at most 64 (a `longdouble` of quadruple precision 113),
//! integers of Python as many as they have. So no operand is rounded to fewer bits than it has.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use nonius::Mp;
use nonius::num::mp::Bits;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::item::Item;
use super::kind::Kind;
use super::raw::{Descriptor, NO_CASTING, SAFE, SAME_KIND, TypeObject, UNSAFE, kept};
use crate::convert;

/// Resolves the instances of a cast or function: method, types, given and found instances, offset.
type Resolve = unsafe extern "C" fn(
    *mut c_void,
    *const *mut TypeObject,
    *const *mut Descriptor,
    *mut *mut Descriptor,
    *mut isize,
) -> c_int;

/// The bits that an object names.
pub(crate) fn bits_of_object(object: &Bound<'_, PyAny>) -> PyResult<Bits> {
    let index = object.call_method0("__index__").map_err(|_| {
        let class = object.get_type();
        PyTypeError::new_err(format!("bits: expected an integer, found {class}"))
    })?;
    index.extract().ok().and_then(|bits| Bits::new(bits).ok()).ok_or_else(|| {
        let (least, most) = (Bits::LEAST, Bits::MOST);
        PyValueError::new_err(format!("bits: expected {least} to {most}, found {index}"))
    })
}

/// Bits that hold as many as a significand has.
pub(crate) fn at_least(bits: u32) -> Bits {
    Bits::new(bits.clamp(Bits::LEAST, Bits::MOST)).unwrap_or(Bits::FEWEST)
}

/// The instance with one more reference; null, with an error set, where memory does not do.
fn new_reference(bits: Bits) -> *mut Descriptor {
    let instance = Mp::instance(bits);
    // SAFETY: an object that lives on, or null.
    unsafe { ffi::Py_XINCREF(instance.cast()) };
    instance
}

/// `nonius.mp(bits)`
pub(super) unsafe extern "C" fn new(
    _: *mut ffi::PyTypeObject,
    arguments: *mut ffi::PyObject,
    named: *mut ffi::PyObject,
) -> *mut Descriptor {
    Python::attach(|py| {
        // SAFETY: a tuple, and a dictionary or null.
        let (arguments, named) = unsafe {
            (Bound::from_borrowed_ptr(py, arguments), Bound::from_borrowed_ptr_or_opt(py, named))
        };
        let bits = || -> PyResult<Bits> {
            let arguments = arguments.cast::<PyTuple>()?;
            let named = named.as_ref().map(|named| named.cast::<PyDict>()).transpose()?;
            let count = arguments.len() + named.map_or(0, |named| named.len());
            let bits = match named.map(|named| named.get_item("bits")).transpose()?.flatten() {
                Some(bits) => Some(bits),
                None => arguments.get_item(0).ok(),
            };
            match bits.filter(|_| count == 1) {
                Some(bits) => bits_of_object(&bits),
                None => Err(PyTypeError::new_err(format!(
                    "nonius.mp: expected one argument, the bits, found {count}"
                ))),
            }
        };
        match bits() {
            Ok(bits) => new_reference(bits),
            Err(error) => {
                error.restore(py);
                null_mut()
            }
        }
    })
}

/// The type alone stands for the fewest bits. NumPy takes this instance for integers and doubles of
/// Python too, and follows a null pointer where there is none.
pub(super) unsafe extern "C" fn default(_: *mut TypeObject) -> *mut Descriptor {
    new_reference(Bits::FEWEST)
}

/// The instance that holds an object: a number of ours, an integer or a double.
pub(super) unsafe extern "C" fn discover(
    _: *mut TypeObject,
    object: *mut ffi::PyObject,
) -> *mut Descriptor {
    Python::attach(|py| {
        // SAFETY: an object that NumPy holds.
        let object = unsafe { Bound::from_borrowed_ptr(py, object) };
        match convert::bits_to_hold(&object) {
            Some(bits) => new_reference(at_least(bits)),
            None => {
                let text = "nonius.mp: name the bits for such numbers, as nonius.mp(424)";
                PyTypeError::new_err(text).restore(py);
                null_mut()
            }
        }
    })
}

/// `nonius.mp(424)`
pub(super) unsafe extern "C" fn text(instance: *mut ffi::PyObject) -> *mut ffi::PyObject {
    Python::attach(|py| {
        // SAFETY: an instance of the type.
        let bits = unsafe { Mp::form(instance.cast()) };
        match format!("nonius.mp({bits})").into_pyobject(py) {
            Ok(text) => text.into_any().into_ptr(),
            Err(_) => null_mut(),
        }
    })
}

unsafe extern "C" fn get_bits(instance: *mut ffi::PyObject, _: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: an instance of the type.
    unsafe { ffi::PyLong_FromLong(Mp::form(instance.cast()).get().into()) }
}

/// The attribute `bits`.
pub(super) fn attributes() -> *mut ffi::PyGetSetDef {
    let end = ffi::PyGetSetDef::default();
    let bits = ffi::PyGetSetDef {
        name: c"bits".as_ptr(),
        get: Some(get_bits),
        doc: c"Bits of a significand.".as_ptr(),
        ..end
    };
    kept([bits, end]).as_mut_ptr()
}

/// The instance of a type of NumPy's, or of another of ours, in the byte order of this machine.
///
/// # Safety
/// It is such a type.
unsafe fn singleton(class: *mut TypeObject) -> *mut Descriptor {
    // SAFETY: by the caller; these types make their instance without an argument.
    unsafe { ffi::PyObject_CallObject(class.cast(), null_mut()).cast() }
}

/// Casts from a type whose significands have as many bits.
pub(super) fn resolve_from(bits: u32) -> *const c_void {
    let resolve: Resolve = match bits {
        0..=64 => from_type::<64>,
        65..=104 => from_type::<104>,
        105..=113 => from_type::<113>,
        114..=156 => from_type::<156>,
        _ => from_type::<208>,
    };
    resolve as *const c_void
}

unsafe extern "C" fn from_type<const BITS: u32>(
    _: *mut c_void,
    types: *const *mut TypeObject,
    given: *const *mut Descriptor,
    found: *mut *mut Descriptor,
    _: *mut isize,
) -> c_int {
    // SAFETY: two types, the second of which is ours, and two places.
    unsafe {
        let asked = *given.add(1);
        let bits = if asked.is_null() { at_least(BITS) } else { Mp::form(asked) };
        *found = singleton(*types);
        *found.add(1) = new_reference(bits);
        match () {
            () if (*found).is_null() || (*found.add(1)).is_null() => -1,
            () if bits.get() >= BITS => SAFE,
            () => SAME_KIND,
        }
    }
}

/// The cast from objects: to the fewest bits where nobody names others, so that of several operands
/// the other ones decide.
pub(super) unsafe extern "C" fn resolve_from_objects(
    method: *mut c_void,
    types: *const *mut TypeObject,
    given: *const *mut Descriptor,
    found: *mut *mut Descriptor,
    offset: *mut isize,
) -> c_int {
    // SAFETY: by NumPy.
    let casting = unsafe { from_type::<0>(method, types, given, found, offset) };
    if casting < 0 { casting } else { SAME_KIND }
}

/// Casts to another type.
pub(super) fn resolve_to(casting: c_int) -> *const c_void {
    let resolve: Resolve = if casting == UNSAFE { to_type::<UNSAFE> } else { to_type::<SAME_KIND> };
    resolve as *const c_void
}

unsafe extern "C" fn to_type<const CASTING: c_int>(
    _: *mut c_void,
    types: *const *mut TypeObject,
    given: *const *mut Descriptor,
    found: *mut *mut Descriptor,
    _: *mut isize,
) -> c_int {
    // SAFETY: two types, the first of which is ours, and two places.
    unsafe {
        ffi::Py_IncRef((*given).cast());
        *found = *given;
        *found.add(1) = singleton(*types.add(1));
        if (*found.add(1)).is_null() { -1 } else { CASTING }
    }
}

/// Functions: all operands of the type get the most bits that one has.
pub(super) unsafe extern "C" fn resolve_function<const INPUTS: usize>(
    _: *mut c_void,
    types: *const *mut TypeObject,
    given: *const *mut Descriptor,
    found: *mut *mut Descriptor,
    _: *mut isize,
) -> c_int {
    // SAFETY: operands of our type, and a result of ours or another type.
    unsafe {
        let all = (0..INPUTS).map(|k| Mp::form(*given.add(k)));
        let bits = all.max().unwrap_or(Bits::FEWEST);
        for k in 0..=INPUTS {
            let class = *types.add(k);
            let is_ours = class == Mp::place().class();
            *found.add(k) = if is_ours { new_reference(bits) } else { singleton(class) };
            if (*found.add(k)).is_null() {
                return -1;
            }
        }
    }
    NO_CASTING
}
