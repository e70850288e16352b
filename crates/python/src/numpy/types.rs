//! The making of a type: what NumPy asks of it beside casts and functions.

use std::ffi::{c_char, c_int, c_void};
use std::ptr::null_mut;

use pyo3::ffi;
use pyo3::prelude::*;

use super::kind::Kind;
use super::raw::{Api, Descriptor, NUMERIC, TYPE_NUMBER, TypeObject, TypeSpec, kept, slots};
use super::{casts, products};
use crate::convert;

/// Room for a type of NumPy's: for what Python has of a type, and for what NumPy adds.
#[repr(C, align(64))]
struct Room([u8; 8192]);

/// Makes the type and its instance, and adds the instance to a module.
pub(super) fn register<K: Kind>(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let (py, api, place) = (module.py(), Api::get(), K::place());
    let class: *mut TypeObject = (kept(Room([0; 8192])) as *mut Room).cast();
    // SAFETY: the room is zero, which is an empty type, and nobody else has it yet.
    unsafe {
        (*class).references = 1;
        (*class).metatype = api.dtype_meta();
        (*class).name = K::FULL_NAME.as_ptr();
        (*class).basic_size = size_of::<Descriptor>() as isize;
        (*class).base = api.dtype();
        (*class).repr = text::<K> as *const c_void;
        (*class).str = text::<K> as *const c_void;
        (*class).new = new::<K> as *const c_void;
        if ffi::PyType_Ready(class.cast()) < 0 {
            return Err(PyErr::fetch(py));
        }
    }
    place.set_class(class);
    let functions = api.array_functions;
    let spec = kept(TypeSpec {
        scalar: K::scalar_class(py),
        flags: NUMERIC,
        casts: casts::of::<K>(py)?,
        slots: slots(&[
            (1, discover::<K> as *const c_void),
            (3, default::<K> as *const c_void),
            (4, common_type::<K> as *const c_void),
            (5, common_instance as *const c_void),
            (6, canonical as *const c_void),
            (7, set_item::<K> as *const c_void),
            (8, get_item::<K> as *const c_void),
            (functions + 5, compare::<K> as *const c_void),
            (functions + 6, position_of_largest::<K> as *const c_void),
            (functions + 22, position_of_least::<K> as *const c_void),
            (functions + 7, products::dot::<K> as *const c_void),
            (functions + 10, is_nonzero::<K> as *const c_void),
        ]),
        base: null_mut(),
    });
    api.make_type(py, class, spec)?;
    type New = unsafe extern "C" fn(*mut TypeObject, *mut c_void, *mut c_void) -> *mut Descriptor;
    // SAFETY: `numpy.dtype` makes instances of types that derive from it, as NumPy's own do.
    let instance = unsafe {
        let make: New = std::mem::transmute(ffi::PyType_GetSlot(api.dtype(), ffi::Py_tp_new));
        make(class, null_mut(), null_mut())
    };
    if instance.is_null() {
        return Err(PyErr::fetch(py));
    }
    // SAFETY: it has just been made.
    unsafe {
        (*instance).type_number = TYPE_NUMBER;
        (*instance).item_size = size_of::<K>() as isize;
        (*instance).alignment = align_of::<K>() as isize;
        (*instance).kind = b'f' as c_char;
        (*instance).character = b'V' as c_char;
        (*instance).byte_order = b'|' as c_char;
        (*instance).scalar = K::scalar_class(py);
    }
    place.set_instance(instance);
    // SAFETY: an object that lives on.
    let instance = unsafe { Bound::from_borrowed_ptr(py, instance.cast()) };
    module.add(K::NAME, instance)
}

/// The instance, with a reference for whoever asked.
fn instance_of<K: Kind>() -> *mut Descriptor {
    let instance = K::place().instance();
    // SAFETY: an object that lives on, or null while it is made.
    unsafe { ffi::Py_XINCREF(instance.cast()) };
    instance
}

unsafe extern "C" fn text<K: Kind>(_: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: a text with a zero at its end.
    unsafe { ffi::PyUnicode_FromString(K::FULL_NAME.as_ptr()) }
}

unsafe extern "C" fn new<K: Kind>(
    _: *mut ffi::PyTypeObject,
    _: *mut ffi::PyObject,
    _: *mut ffi::PyObject,
) -> *mut Descriptor {
    instance_of::<K>()
}

unsafe extern "C" fn default<K: Kind>(_: *mut TypeObject) -> *mut Descriptor {
    instance_of::<K>()
}

unsafe extern "C" fn discover<K: Kind>(
    _: *mut TypeObject,
    _: *mut ffi::PyObject,
) -> *mut Descriptor {
    instance_of::<K>()
}

/// Numbers of NumPy become these. Of two kinds of ours the higher one decides.
unsafe extern "C" fn common_type<K: Kind>(
    this: *mut TypeObject,
    other: *mut TypeObject,
) -> *mut ffi::PyObject {
    let ours = casts::places().iter().position(|place| place.class() == other);
    let result = match ours {
        Some(index) if index + 2 > K::LIMBS => other.cast(),
        Some(_) => this.cast(),
        None if casts::is_real_number(other) => this.cast(),
        // SAFETY: the object that says that a function has no answer.
        None => unsafe { ffi::Py_NotImplemented() },
    };
    // SAFETY: an object that lives on.
    unsafe { ffi::Py_IncRef(result) };
    result
}

unsafe extern "C" fn common_instance(a: *mut Descriptor, _: *mut Descriptor) -> *mut Descriptor {
    // SAFETY: an instance that NumPy holds.
    unsafe { ffi::Py_IncRef(a.cast()) };
    a
}

unsafe extern "C" fn canonical(a: *mut Descriptor) -> *mut Descriptor {
    // SAFETY: an instance that NumPy holds.
    unsafe { ffi::Py_IncRef(a.cast()) };
    a
}

unsafe extern "C" fn set_item<K: Kind>(
    _: *mut Descriptor,
    object: *mut ffi::PyObject,
    place: *mut K,
) -> c_int {
    Python::attach(|py| {
        // SAFETY: an object that NumPy holds.
        let object = unsafe { Bound::from_borrowed_ptr(py, object) };
        match convert::number::<K>(&object) {
            Ok(number) => {
                // SAFETY: a place of an array of this type.
                unsafe { place.write_unaligned(number) };
                0
            }
            Err(error) => {
                error.restore(py);
                -1
            }
        }
    })
}

unsafe extern "C" fn get_item<K: Kind>(_: *mut Descriptor, place: *const K) -> *mut ffi::PyObject {
    Python::attach(|py| {
        // SAFETY: a place of an array of this type.
        let number = unsafe { place.read_unaligned() };
        match number.to_scalar(py) {
            Ok(scalar) => scalar.into_ptr(),
            Err(error) => {
                error.restore(py);
                null_mut()
            }
        }
    })
}

/// For sorting: NaN comes last.
unsafe extern "C" fn compare<K: Kind>(a: *const K, b: *const K, _: *mut c_void) -> c_int {
    // SAFETY: places of arrays of this type.
    let (a, b) = unsafe { (a.read_unaligned(), b.read_unaligned()) };
    match a.partial_cmp(&b) {
        Some(order) => order as c_int,
        None => c_int::from(a.is_nan()) - c_int::from(b.is_nan()),
    }
}

unsafe extern "C" fn is_nonzero<K: Kind>(place: *const K, _: *mut c_void) -> u8 {
    // SAFETY: a place of an array of this type.
    let number = unsafe { place.read_unaligned() };
    u8::from(number != K::ZERO)
}

unsafe extern "C" fn position_of_largest<K: Kind>(
    numbers: *const K,
    count: isize,
    position: *mut isize,
    _: *mut c_void,
) -> c_int {
    // SAFETY: NumPy gives an array of `count` numbers, and a place for the position.
    unsafe { position.write(first_best(numbers, count, |x: K, best| x > best)) };
    0
}

unsafe extern "C" fn position_of_least<K: Kind>(
    numbers: *const K,
    count: isize,
    position: *mut isize,
    _: *mut c_void,
) -> c_int {
    // SAFETY: as above.
    unsafe { position.write(first_best(numbers, count, |x: K, best| x < best)) };
    0
}

/// The position of the first number that no other one is better than; that of the first NaN where
/// there is one.
///
/// # Safety
/// There are `count` numbers.
unsafe fn first_best<K: Kind>(
    numbers: *const K,
    count: isize,
    is_better: impl Fn(K, K) -> bool,
) -> isize {
    // SAFETY: by the caller.
    let at = |i: isize| unsafe { numbers.offset(i).read_unaligned() };
    let mut best = 0;
    for i in 0..count {
        let number = at(i);
        if number.is_nan() {
            return i;
        }
        if is_better(number, at(best)) {
            best = i;
        }
    }
    best
}
