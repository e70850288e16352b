//! NumPy's tables of functions and the layouts that it reads, as its headers `dtype_api.h` and
//! `ndarraytypes.h` state them.

use std::ffi::{c_char, c_int, c_ulong, c_void};
use std::ptr::null;
use std::sync::OnceLock;

use nonius::num::mp::Bits;
use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;

/// The first members of a type object, which are the same in all versions of Python from 3.10 to
/// 3.14. NumPy's types have more behind them.
#[repr(C)]
pub(super) struct TypeObject {
    pub(super) references: isize,
    pub(super) metatype: *mut ffi::PyTypeObject,
    size: isize,
    pub(super) name: *const c_char,
    pub(super) basic_size: isize,
    item_size: isize,
    dealloc_to_async: [*mut c_void; 5],
    pub(super) repr: *const c_void,
    number_to_call: [*mut c_void; 5],
    pub(super) str: *const c_void,
    getattro_to_buffer: [*mut c_void; 3],
    flags: c_ulong,
    doc: *const c_char,
    traverse_to_richcompare: [*mut c_void; 3],
    weak_list_offset: isize,
    iter_to_members: [*mut c_void; 4],
    pub(super) getset: *mut ffi::PyGetSetDef,
    pub(super) base: *mut ffi::PyTypeObject,
    dict_to_set: [*mut c_void; 3],
    dict_offset: isize,
    init_alloc: [*mut c_void; 2],
    pub(super) new: *const c_void,
}

/// An instance of a type, as `nonius.dd`.
#[repr(C)]
pub(crate) struct Descriptor {
    references: isize,
    class: *mut ffi::PyTypeObject,
    pub(super) scalar: *mut ffi::PyTypeObject,
    pub(super) kind: c_char,
    pub(super) character: c_char,
    pub(super) byte_order: c_char,
    former_flags: c_char,
    pub(super) type_number: c_int,
    flags: u64,
    pub(super) item_size: isize,
    pub(super) alignment: isize,
    metadata: *mut ffi::PyObject,
    pub(super) hash: isize,
    reserved: [*mut c_void; 2],
}

/// An instance of `nonius.mp`, as `nonius.mp(424)`.
#[repr(C)]
pub(super) struct MpDescriptor {
    pub(super) common: Descriptor,
    pub(super) bits: Bits,
}

/// The first members of a loop's context: `PyArrayMethod_Context`.
#[repr(C)]
struct Context {
    caller: *mut ffi::PyObject,
    method: *mut c_void,
    descriptors: *const *mut Descriptor,
}

/// The instance that operand `k` of a loop has.
///
/// # Safety
/// NumPy gave the context to a method with that many operands.
pub(super) unsafe fn descriptor_of(context: *const c_void, k: usize) -> *mut Descriptor {
    // SAFETY: by the caller.
    unsafe { *(*context.cast::<Context>()).descriptors.add(k) }
}

/// The first members of an array.
#[repr(C)]
pub(super) struct Array {
    references: isize,
    class: *mut ffi::PyTypeObject,
    pub(super) data: *mut c_void,
    pub(super) dimensions: c_int,
    pub(super) shape: *const isize,
    pub(super) strides: *const isize,
    base: *mut ffi::PyObject,
    pub(super) descriptor: *mut Descriptor,
    pub(super) flags: c_int,
}

/// A function for a slot of a type or of a method.
#[repr(C)]
pub(super) struct Slot {
    pub(super) slot: c_int,
    pub(super) function: *const c_void,
}

/// `PyArrayMethod_Spec`: a cast, or what a ufunc does with types.
#[repr(C)]
pub(super) struct MethodSpec {
    pub(super) name: *const c_char,
    pub(super) inputs: c_int,
    pub(super) outputs: c_int,
    pub(super) casting: c_int,
    pub(super) flags: c_int,
    pub(super) types: *mut *mut c_void,
    pub(super) slots: *mut Slot,
}

/// `PyArrayDTypeMeta_Spec`: a type.
#[repr(C)]
pub(super) struct TypeSpec {
    pub(super) scalar: *mut ffi::PyTypeObject,
    pub(super) flags: c_int,
    pub(super) casts: *mut *mut MethodSpec,
    pub(super) slots: *mut Slot,
    pub(super) base: *mut ffi::PyTypeObject,
}

/// A loop over the entries of arrays: context, addresses, lengths, strides, data of its own.
pub(super) type Loop = unsafe extern "C" fn(
    *mut c_void,
    *const *mut u8,
    *const isize,
    *const isize,
    *mut c_void,
) -> c_int;

/// `NPY_METH_SUPPORTS_UNALIGNED` and `NPY_METH_NO_FLOATINGPOINT_ERRORS`.
pub(super) const METHOD_FLAGS: c_int = 1 << 2 | 1 << 1;
/// `NPY_METH_REQUIRES_PYAPI`: a loop needs Python's lock.
pub(super) const REQUIRES_LOCK: c_int = 1;
/// `NPY_METH_IS_REORDERABLE`: a reduction may take entries in any order.
pub(super) const REORDERABLE: c_int = 1 << 3;
/// `NPY_DT_PARAMETRIC`
pub(super) const PARAMETRIC: c_int = 1 << 2;
/// `NPY_DT_NUMERIC`
pub(super) const NUMERIC: c_int = 1 << 3;
/// A number that no type of NumPy has. With its own −1, `einsum` reads a function from in front of
/// its table, and returns zeros; with a number beyond the table it refuses the type.
pub(super) const TYPE_NUMBER: c_int = 4096;
/// `NPY_METH_get_reduction_initial`
pub(super) const REDUCTION_INITIAL: c_int = 4;
/// Castings: `NPY_NO_CASTING`, `NPY_SAFE_CASTING`, `NPY_SAME_KIND_CASTING`, `NPY_UNSAFE_CASTING`.
pub(super) const NO_CASTING: c_int = 0;
pub(super) const SAFE: c_int = 2;
pub(super) const SAME_KIND: c_int = 3;
pub(super) const UNSAFE: c_int = 4;
/// `NPY_METH_resolve_descriptors`
pub(super) const RESOLVE: c_int = 2;
/// `NPY_METH_strided_loop`
pub(super) const STRIDED_LOOP: c_int = 5;
/// `NPY_METH_unaligned_strided_loop`
pub(super) const UNALIGNED_LOOP: c_int = 7;

/// `NPY_ARRAY_F_CONTIGUOUS`, `NPY_ARRAY_ALIGNED`, `NPY_ARRAY_WRITEABLE`
pub(super) const FORTRAN: c_int = 0x0002;
pub(super) const ALIGNED: c_int = 0x0100;
const WRITEABLE: c_int = 0x0400;
/// `NPY_DOUBLE`
const DOUBLE: c_int = 12;

/// NumPy's functions.
pub(super) struct Api {
    array: *const *const c_void,
    /// The instance of the type of doubles.
    pub(super) double: *mut Descriptor,
    ufunc: *const *const c_void,
    /// What is added to the numbers of the older functions of arrays.
    pub(super) array_functions: c_int,
}

// SAFETY: the tables are NumPy's constants.
unsafe impl Send for Api {}
// SAFETY: as above.
unsafe impl Sync for Api {}

static API: OnceLock<Api> = OnceLock::new();

/// Finds NumPy's tables.
pub(super) fn load(py: Python<'_>) -> PyResult<()> {
    let version: String = py.import("numpy")?.getattr("__version__")?.extract()?;
    let mut parts = version.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    let (major, minor) = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
    if major < 2 {
        return Err(PyImportError::new_err(format!(
            "nonius needs NumPy 2.0 or later, found {version}"
        )));
    }
    let core = py.import("numpy._core._multiarray_umath")?;
    let table = |name: &str| -> PyResult<*const *const c_void> {
        let capsule = core.getattr(name)?;
        // SAFETY: a capsule without a name, as NumPy's headers read it.
        let table = unsafe { ffi::PyCapsule_GetPointer(capsule.as_ptr(), null()) };
        if table.is_null() { Err(PyErr::fetch(py)) } else { Ok(table.cast()) }
    };
    let array_functions = if (major, minor) < (2, 4) { 1 << 10 } else { 1 << 11 };
    let (array, ufunc) = (table("_ARRAY_API")?, table("_UFUNC_API")?);
    type FromNumber = unsafe extern "C" fn(c_int) -> *mut Descriptor;
    // SAFETY: the number and the type of `PyArray_DescrFromType` are those of NumPy's header.
    let double = unsafe {
        let of_number: FromNumber = std::mem::transmute(*array.add(45));
        of_number(DOUBLE)
    };
    let api = Api { array, ufunc, double, array_functions };
    API.get_or_init(|| api);
    Ok(())
}

impl Api {
    /// The tables, once they are [found](load).
    pub(super) fn get() -> &'static Self {
        API.get().expect("NumPy is loaded with the module")
    }

    /// `numpy.ndarray`.
    pub(super) fn array_type(&self) -> *mut c_void {
        // SAFETY: `PyArray_Type` has the number 2.
        unsafe { (*self.array.add(2)).cast_mut() }
    }

    /// A new array, column by column, of a type that lives on; its numbers are at `data`, unless
    /// that is null.
    pub(super) fn new_array<'py>(
        &self,
        py: Python<'py>,
        descriptor: *mut Descriptor,
        shape: &[isize],
        data: *mut c_void,
    ) -> PyResult<Bound<'py, PyAny>> {
        type Function = unsafe extern "C" fn(
            *mut c_void,
            *mut Descriptor,
            c_int,
            *const isize,
            *const isize,
            *mut c_void,
            c_int,
            *mut ffi::PyObject,
        ) -> *mut ffi::PyObject;
        // SAFETY: `PyArray_NewFromDescr` has the number 94, and takes a reference to the type.
        unsafe {
            let make: Function = std::mem::transmute(*self.array.add(94));
            ffi::Py_IncRef(descriptor.cast());
            let flags = FORTRAN | ALIGNED | WRITEABLE;
            let (count, none) = (shape.len() as c_int, std::ptr::null_mut());
            let class = self.array_type();
            let array = make(class, descriptor, count, shape.as_ptr(), null(), data, flags, none);
            Bound::from_owned_ptr_or_err(py, array)
        }
    }

    /// Has an array keep the object that its numbers belong to.
    pub(super) fn set_base(
        &self,
        array: &Bound<'_, PyAny>,
        owner: Bound<'_, PyAny>,
    ) -> PyResult<()> {
        type Function = unsafe extern "C" fn(*mut ffi::PyObject, *mut ffi::PyObject) -> c_int;
        // SAFETY: `PyArray_SetBaseObject` has the number 282, and takes the reference over.
        unsafe {
            let set: Function = std::mem::transmute(*self.array.add(282));
            done(array.py(), set(array.as_ptr(), owner.into_ptr()))
        }
    }

    /// `numpy.dtype`.
    pub(super) fn dtype(&self) -> *mut ffi::PyTypeObject {
        // SAFETY: `PyArrayDescr_Type` has the number 3.
        unsafe { (*self.array.add(3)).cast_mut().cast() }
    }

    /// The type of `numpy.dtype`.
    pub(super) fn dtype_meta(&self) -> *mut ffi::PyTypeObject {
        // SAFETY: `PyArrayDTypeMeta_Type` has the number 320.
        unsafe { (*self.array.add(320)).cast_mut().cast() }
    }

    /// `PyArrayInitDTypeMeta_FromSpec`
    pub(super) fn make_type(
        &self,
        py: Python<'_>,
        class: *mut TypeObject,
        spec: &TypeSpec,
    ) -> PyResult<()> {
        type Function = unsafe extern "C" fn(*mut c_void, *const TypeSpec) -> c_int;
        // SAFETY: the number and the type of the function are those of NumPy's header.
        let make: Function = unsafe { std::mem::transmute(*self.array.add(362)) };
        // SAFETY: the type has room for NumPy's members; the spec is complete.
        done(py, unsafe { make(class.cast(), spec) })
    }

    /// Gives a type functions that copy entries and swap their bytes, which no slot takes. Without
    /// them, NumPy before 2.5 follows a null pointer in `ndarray.byteswap`.
    ///
    /// # Safety
    /// An instance of a type of ours, and functions for its entries.
    pub(super) unsafe fn set_copies(
        &self,
        instance: *mut Descriptor,
        many: *const c_void,
        one: *const c_void,
    ) {
        /// Functions in front of them: casts to NumPy's types, `getitem` and `setitem`.
        const BEFORE: usize = 21 + 2;
        type Function = unsafe extern "C" fn(*mut Descriptor) -> *mut *const c_void;
        // SAFETY: as in `make_type`; `PyArray_ArrFuncs` begins with pointers to functions.
        unsafe {
            let functions: Function = std::mem::transmute(*self.array.add(365));
            let functions = functions(instance);
            if !functions.is_null() {
                *functions.add(BEFORE) = many;
                *functions.add(BEFORE + 1) = one;
            }
        }
    }

    /// `PyUFunc_AddLoopFromSpec`
    pub(super) fn add_loop(&self, ufunc: &Bound<'_, PyAny>, spec: &MethodSpec) -> PyResult<()> {
        type Function = unsafe extern "C" fn(*mut ffi::PyObject, *const MethodSpec) -> c_int;
        // SAFETY: as in `make_type`.
        let add: Function = unsafe { std::mem::transmute(*self.ufunc.add(43)) };
        // SAFETY: a ufunc, and a complete spec.
        done(ufunc.py(), unsafe { add(ufunc.as_ptr(), spec) })
    }

    /// `PyUFunc_AddPromoter`
    pub(super) fn add_promoter(
        &self,
        ufunc: &Bound<'_, PyAny>,
        types: &Bound<'_, PyAny>,
        promoter: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        type Function = unsafe extern "C" fn(
            *mut ffi::PyObject,
            *mut ffi::PyObject,
            *mut ffi::PyObject,
        ) -> c_int;
        // SAFETY: as in `make_type`.
        let add: Function = unsafe { std::mem::transmute(*self.ufunc.add(44)) };
        // SAFETY: a ufunc, a tuple and a capsule.
        done(ufunc.py(), unsafe { add(ufunc.as_ptr(), types.as_ptr(), promoter.as_ptr()) })
    }
}

fn done(py: Python<'_>, result: c_int) -> PyResult<()> {
    if result < 0 { Err(PyErr::fetch(py)) } else { Ok(()) }
}

/// Slots that NumPy keeps, closed by an empty one.
pub(super) fn slots(all: &[(c_int, *const c_void)]) -> *mut Slot {
    let end = [(0, null())];
    let all = all.iter().chain(&end).map(|&(slot, function)| Slot { slot, function });
    Box::leak(all.collect::<Vec<_>>().into_boxed_slice()).as_mut_ptr()
}

/// A value that NumPy keeps.
pub(super) fn kept<T>(value: T) -> &'static mut T {
    Box::leak(Box::new(value))
}

/// The slots of one loop, which takes entries wherever they are.
pub(super) fn by_loop(run: Loop) -> Vec<(c_int, *const c_void)> {
    let run = run as *const c_void;
    vec![(STRIDED_LOOP, run), (UNALIGNED_LOOP, run)]
}

/// A method by these slots.
pub(super) fn with_slots<const K: usize>(
    name: &'static std::ffi::CStr,
    outputs: c_int,
    casting: c_int,
    types: [*mut c_void; K],
    all: &[(c_int, *const c_void)],
) -> &'static mut MethodSpec {
    kept(MethodSpec {
        name: name.as_ptr(),
        inputs: K as c_int - outputs,
        outputs,
        casting,
        flags: METHOD_FLAGS,
        types: kept(types).as_mut_ptr(),
        slots: slots(all),
    })
}
