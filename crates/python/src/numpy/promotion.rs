//! What functions compute with where their operands have several types.

use std::ffi::c_int;
use std::ptr::null_mut;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;

use super::casts::{is_of_objects, places};
use super::raw::{Api, TypeObject};

/// Functions of two numbers whose operands may have several types.
const FUNCTIONS: [&str; 28] = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "power",
    "float_power",
    "hypot",
    "arctan2",
    "maximum",
    "minimum",
    "fmax",
    "fmin",
    "remainder",
    "floor_divide",
    "fmod",
    "copysign",
    "equal",
    "not_equal",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "logical_and",
    "logical_or",
    "matmul",
    "vecdot",
    "matvec",
    "vecmat",
];

/// Those of them that compare numbers.
const COMPARISONS: [&str; 6] =
    ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"];

/// Our type with any other makes ours, or the higher one of two of ours.
pub(super) fn add(py: Python<'_>) -> PyResult<()> {
    let numpy = py.import("numpy")?;
    let promoter = capsule(py, promote::<2> as *const ())?;
    let comparison = capsule(py, promote_compared as *const ())?;
    let any = numpy.getattr("dtype")?;
    clip(&numpy)?;
    for name in FUNCTIONS {
        // NumPy 2.0 has neither `matvec` nor `vecmat`.
        let Ok(function) = numpy.getattr(name) else { continue };
        let promoter = if COMPARISONS.contains(&name) { &comparison } else { &promoter };
        // SAFETY: types that live on.
        let ours = places().map(|place| unsafe {
            Bound::from_borrowed_ptr(py, place.class().cast::<ffi::PyObject>())
        });
        // NumPy refuses to choose between two rules before it meets a better one: pairs come first.
        let mut pairs = Vec::new();
        for x in &ours {
            pairs.extend(ours.iter().filter(|y| !x.is(*y)).map(|y| (x, y)));
        }
        for x in &ours {
            pairs.extend([(x, &any), (&any, x)]);
        }
        for (x, y) in pairs {
            let types = (x, y, py.None()).into_pyobject(py)?;
            Api::get().add_promoter(&function, types.as_any(), promoter)?;
        }
    }
    Ok(())
}

/// The same for the three operands of `clip`.
fn clip(numpy: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = numpy.py();
    let function = numpy.getattr("_core")?.getattr("umath")?.getattr("clip")?;
    let promoter = capsule(py, promote::<3> as *const ())?;
    // SAFETY: types that live on.
    let ours = places().map(|place| unsafe {
        Bound::from_borrowed_ptr(py, place.class().cast::<ffi::PyObject>())
    });
    let any = numpy.getattr("dtype")?;
    let choices: Vec<_> = ours.iter().chain([&any]).collect();
    let mut rules = Vec::new();
    for &x in &choices {
        for &y in &choices {
            for &z in &choices {
                let of_ours = [x, y, z].iter().filter(|class| !class.is(&any)).count();
                // One type alone has a loop.
                if of_ours > 0 && !(of_ours == 3 && x.is(y) && y.is(z)) {
                    rules.push((of_ours, (x, y, z, py.None())));
                }
            }
        }
    }
    rules.sort_by_key(|(of_ours, _)| 3 - of_ours);
    for (_, types) in rules {
        Api::get().add_promoter(&function, types.into_pyobject(py)?.as_any(), &promoter)?;
    }
    Ok(())
}

/// A function under the name that NumPy asks for.
fn capsule(py: Python<'_>, function: *const ()) -> PyResult<Bound<'_, PyAny>> {
    let name = c"numpy._ufunc_promoter";
    // SAFETY: a function and a text that live on.
    unsafe {
        let capsule = ffi::PyCapsule_New(function.cast_mut().cast(), name.as_ptr(), None);
        Bound::from_owned_ptr_or_err(py, capsule)
    }
}

/// As [`promote`], for comparisons, which would round objects before they compare them.
unsafe extern "C" fn promote_compared(
    function: *mut ffi::PyObject,
    operands: *const *mut TypeObject,
    signature: *const *mut TypeObject,
    promoted: *mut *mut TypeObject,
) -> c_int {
    // SAFETY: two operands.
    let given: [_; 2] = std::array::from_fn(|k| unsafe { *operands.add(k) });
    if given.into_iter().any(is_of_objects) {
        Python::attach(|py| {
            PyTypeError::new_err(
                "a comparison would round these objects: convert them before, as by \
                 numpy.array(x, dtype=nonius.dd)",
            )
            .restore(py);
        });
        return -1;
    }
    // SAFETY: by NumPy.
    unsafe { promote::<2>(function, operands, signature, promoted) }
}

/// Replaces the types of operands by the highest one of ours.
unsafe extern "C" fn promote<const INPUTS: usize>(
    _: *mut ffi::PyObject,
    operands: *const *mut TypeObject,
    signature: *const *mut TypeObject,
    promoted: *mut *mut TypeObject,
) -> c_int {
    // SAFETY: as many operands, and a result.
    let given: [_; INPUTS] = std::array::from_fn(|k| unsafe { *operands.add(k) });
    let ours = places().into_iter().rev().find(|place| given.contains(&place.class()));
    let Some(ours) = ours else { return -1 };
    // Where a type is asked for, as by `any` and `all`, all operands have that.
    // SAFETY: as above.
    let mut asked = (0..INPUTS).map(|k| unsafe { *signature.add(k) });
    let class = asked.find(|class| !class.is_null()).unwrap_or(ours.class());
    for k in 0..=INPUTS {
        // SAFETY: as above.
        unsafe {
            let asked = *signature.add(k);
            let found = match (asked.is_null(), k) {
                (false, _) => asked,
                (true, k) if k == INPUTS => null_mut(),
                (true, _) => class,
            };
            ffi::Py_XINCREF(found.cast());
            *promoted.add(k) = found;
        }
    }
    0
}
