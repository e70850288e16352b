//! The making of a type: what NumPy asks of it beside casts and functions.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use nonius::Mp;
use pyo3::ffi;
use pyo3::prelude::*;

use super::kind::Kind;
use super::raw::{
    Api, Array, Descriptor, MpDescriptor, NUMERIC, PARAMETRIC, TypeObject, TypeSpec, kept, slots,
};
use super::{casts, instances, parametric, products};
use crate::convert;

/// Room for a type of NumPy's: for what Python has of a type, and for what NumPy adds.
#[repr(C, align(64))]
struct Room([u8; 8192]);

/// Makes a type of one instance, and adds the instance to a module.
pub(super) fn register<K: Kind<Format = ()>>(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    make::<K>(
        py,
        |class| {
            class.repr = text::<K> as *const c_void;
            class.str = text::<K> as *const c_void;
            class.new = new::<K> as *const c_void;
        },
        |functions| {
            functions.extend([
                (1, discover::<K> as *const c_void),
                (3, default::<K> as *const c_void),
                (Api::get().array_functions + 7, products::dot::<K> as *const c_void),
            ]);
        },
    )?;
    let instance = instances::new::<K>(K::place().class(), K::scalar_class(py), ());
    if instance.is_null() {
        return Err(PyErr::fetch(py));
    }
    K::place().set_instance(instance);
    // SAFETY: an object that lives on.
    let instance = unsafe { Bound::from_borrowed_ptr(py, instance.cast()) };
    module.add(K::NAME, instance)
}

/// Makes the type whose instances have bits, and adds it to a module.
pub(super) fn register_parametric(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    make::<Mp>(
        py,
        |class| {
            class.basic_size = size_of::<MpDescriptor>() as isize;
            class.getset = parametric::attributes();
            class.repr = parametric::text as *const c_void;
            class.str = parametric::text as *const c_void;
            class.new = parametric::new as *const c_void;
        },
        |functions| {
            functions.extend([
                (1, parametric::discover as *const c_void),
                (3, parametric::default as *const c_void),
            ]);
        },
    )?;
    // SAFETY: an object that lives on.
    let class = unsafe { Bound::from_borrowed_ptr(py, Mp::place().class().cast()) };
    module.add(Mp::NAME, class)
}

/// Makes a type; `fill` and `more` give what the type has of its own.
fn make<K: Kind>(
    py: Python<'_>,
    fill: impl FnOnce(&mut TypeObject),
    more: impl FnOnce(&mut Vec<(c_int, *const c_void)>),
) -> PyResult<()> {
    let api = Api::get();
    let class: *mut TypeObject = (kept(Room([0; 8192])) as *mut Room).cast();
    // SAFETY: the room is zero, which is an empty type, and nobody else has it yet.
    unsafe {
        (*class).references = 1;
        (*class).metatype = api.dtype_meta();
        (*class).name = K::FULL_NAME.as_ptr();
        (*class).basic_size = size_of::<Descriptor>() as isize;
        (*class).base = api.dtype();
        fill(&mut *class);
        if ffi::PyType_Ready(class.cast()) < 0 {
            return Err(PyErr::fetch(py));
        }
    }
    K::place().set_class(class);
    let of_arrays = api.array_functions;
    let mut functions = vec![
        (4, common_type::<K> as *const c_void),
        (5, common_instance::<K> as *const c_void),
        (6, canonical as *const c_void),
        (7, set_item::<K> as *const c_void),
        (8, get_item::<K> as *const c_void),
        (of_arrays + 5, compare::<K> as *const c_void),
        (of_arrays + 6, position_of_largest::<K> as *const c_void),
        (of_arrays + 22, position_of_least::<K> as *const c_void),
        (of_arrays + 10, is_nonzero::<K> as *const c_void),
    ];
    more(&mut functions);
    let parameter = if K::IS_PARAMETRIC { PARAMETRIC } else { 0 };
    let spec = kept(TypeSpec {
        scalar: K::scalar_class(py),
        flags: NUMERIC | parameter,
        casts: casts::of::<K>(py)?,
        slots: slots(&functions),
        base: null_mut(),
    });
    api.make_type(py, class, spec)
}

/// The instance, with a reference for whoever asked.
fn instance_of<K: Kind<Format = ()>>() -> *mut Descriptor {
    let instance = K::place().instance();
    // SAFETY: an object that lives on, or null while it is made.
    unsafe { ffi::Py_XINCREF(instance.cast()) };
    instance
}

unsafe extern "C" fn text<K: Kind<Format = ()>>(_: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: a text with a zero at its end.
    unsafe { ffi::PyUnicode_FromString(K::FULL_NAME.as_ptr()) }
}

unsafe extern "C" fn new<K: Kind<Format = ()>>(
    _: *mut ffi::PyTypeObject,
    _: *mut ffi::PyObject,
    _: *mut ffi::PyObject,
) -> *mut Descriptor {
    instance_of::<K>()
}

unsafe extern "C" fn default<K: Kind<Format = ()>>(_: *mut TypeObject) -> *mut Descriptor {
    instance_of::<K>()
}

unsafe extern "C" fn discover<K: Kind<Format = ()>>(
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
        Some(index) if index + 2 > K::RANK => other.cast(),
        Some(_) => this.cast(),
        None if casts::is_real_number(other) => this.cast(),
        // SAFETY: the object that says that a function has no answer.
        None => unsafe { ffi::Py_NotImplemented() },
    };
    // SAFETY: an object that lives on.
    unsafe { ffi::Py_IncRef(result) };
    result
}

unsafe extern "C" fn common_instance<K: Kind>(
    a: *mut Descriptor,
    b: *mut Descriptor,
) -> *mut Descriptor {
    // SAFETY: instances of this type that NumPy holds.
    unsafe {
        let (form, other) = (K::form(a), K::form(b));
        let wider = if K::wider(form, other) == form { a } else { b };
        ffi::Py_IncRef(wider.cast());
        wider
    }
}

unsafe extern "C" fn canonical(a: *mut Descriptor) -> *mut Descriptor {
    // SAFETY: an instance that NumPy holds.
    unsafe { ffi::Py_IncRef(a.cast()) };
    a
}

unsafe extern "C" fn set_item<K: Kind>(
    descriptor: *mut Descriptor,
    object: *mut ffi::PyObject,
    place: *mut u8,
) -> c_int {
    Python::attach(|py| {
        // SAFETY: an instance of this type, and an object, that NumPy holds.
        let (form, object) = unsafe { (K::form(descriptor), Bound::from_borrowed_ptr(py, object)) };
        match convert::number::<K>(&object, form) {
            Ok(number) => {
                // SAFETY: a place of an array of this type.
                unsafe { number.write(form, place) };
                0
            }
            Err(error) => {
                error.restore(py);
                -1
            }
        }
    })
}

unsafe extern "C" fn get_item<K: Kind>(
    descriptor: *mut Descriptor,
    place: *const u8,
) -> *mut ffi::PyObject {
    Python::attach(|py| {
        // SAFETY: a place of an array of this type.
        let number = unsafe { K::read(K::form(descriptor), place) };
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
unsafe extern "C" fn compare<K: Kind>(a: *const u8, b: *const u8, array: *mut Array) -> c_int {
    // SAFETY: places of numbers as the array has.
    let (a, b) = unsafe {
        let form = K::form((*array).descriptor);
        (K::read(form, a), K::read(form, b))
    };
    match a.partial_cmp(&b) {
        Some(order) => order as c_int,
        None => c_int::from(a.is_nan()) - c_int::from(b.is_nan()),
    }
}

unsafe extern "C" fn is_nonzero<K: Kind>(place: *const u8, array: *mut Array) -> u8 {
    // SAFETY: a place of a number as the array has.
    let number = unsafe { K::read(K::form((*array).descriptor), place) };
    u8::from(number != K::ZERO)
}

unsafe extern "C" fn position_of_largest<K: Kind>(
    numbers: *const u8,
    count: isize,
    position: *mut isize,
    array: *mut Array,
) -> c_int {
    // SAFETY: NumPy gives `count` numbers as the array has, and a place for the position.
    unsafe {
        let form = K::form((*array).descriptor);
        position.write(first_best(form, numbers, count, |x: K, best| x > best));
    }
    0
}

unsafe extern "C" fn position_of_least<K: Kind>(
    numbers: *const u8,
    count: isize,
    position: *mut isize,
    array: *mut Array,
) -> c_int {
    // SAFETY: as above.
    unsafe {
        let form = K::form((*array).descriptor);
        position.write(first_best(form, numbers, count, |x: K, best| x < best));
    }
    0
}

/// The position of the first number that no other one is better than; that of the first NaN where
/// there is one.
///
/// # Safety
/// There are `count` numbers of this form.
unsafe fn first_best<K: Kind>(
    form: K::Form,
    numbers: *const u8,
    count: isize,
    is_better: impl Fn(K, K) -> bool,
) -> isize {
    let size = K::bytes(form) as isize;
    // SAFETY: by the caller.
    let at = |i: isize| unsafe { K::read(form, numbers.offset(i * size)) };
    let mut best: Option<(isize, K)> = None;
    for i in 0..count {
        let number = at(i);
        if number.is_nan() {
            return i;
        }
        if best.is_none_or(|(_, best)| is_better(number, best)) {
            best = Some((i, number));
        }
    }
    best.map_or(0, |(i, _)| i)
}
