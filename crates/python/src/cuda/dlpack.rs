//! The structures of DLPack, whose layout its version 1 fixes, and capsules of Python that hold
//! them.

#![allow(unsafe_code)]

use std::ffi::{CStr, c_void};
use std::mem::offset_of;
use std::ptr::{self, NonNull};

use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;

use super::foreign::rows;
use super::numbers::{Numbers, release};

/// Memory of a GPU of NVIDIA's, in DLPack's numbers.
pub(super) const CUDA: i32 = 2;
/// Memory that CUDA moves between GPU and host.
pub(super) const CUDA_MANAGED: i32 = 13;
/// The newest version whose structures these are.
pub(super) const VERSION: (u32, u32) = (1, 1);

const FLOAT: u8 = 2;
const READ_ONLY: u64 = 1;
const IS_COPIED: u64 = 2;
/// More dimensions than arrays have, which are refused.
const MOST_DIMENSIONS: i32 = 64;

const VERSIONED: &CStr = c"dltensor_versioned";
const USED_VERSIONED: &CStr = c"used_dltensor_versioned";
const UNVERSIONED: &CStr = c"dltensor";
const USED_UNVERSIONED: &CStr = c"used_dltensor";

#[repr(C)]
#[derive(Clone, Copy)]
struct Device {
    kind: i32,
    ordinal: i32,
}

#[repr(C)]
#[derive(Clone, Copy, PartialEq)]
struct DataType {
    code: u8,
    bits: u8,
    lanes: u16,
}

const DOUBLE: DataType = DataType { code: FLOAT, bits: 64, lanes: 1 };

#[repr(C)]
#[derive(Clone, Copy)]
struct Tensor {
    data: *mut c_void,
    device: Device,
    dimensions: i32,
    kind: DataType,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

#[repr(C)]
struct Managed {
    tensor: Tensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

#[repr(C)]
struct ManagedVersioned {
    major: u32,
    minor: u32,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut ManagedVersioned)>,
    flags: u64,
    tensor: Tensor,
}

#[cfg(target_pointer_width = "64")]
const _: () = {
    assert!(size_of::<Tensor>() == 48 && offset_of!(Tensor, kind) == 20);
    assert!(offset_of!(Tensor, shape) == 24 && offset_of!(Tensor, byte_offset) == 40);
    assert!(size_of::<Managed>() == 64 && offset_of!(Managed, deleter) == 56);
    assert!(size_of::<ManagedVersioned>() == 80 && offset_of!(ManagedVersioned, flags) == 24);
    assert!(offset_of!(ManagedVersioned, tensor) == 32);
};

/// A tensor of another library, which is given back when this is dropped.
pub(super) enum Imported {
    Unversioned(NonNull<c_void>),
    Versioned(NonNull<c_void>),
}

// SAFETY: the specification lets any thread call the deleter, which is done with Python's lock.
unsafe impl Send for Imported {}
// SAFETY: nothing is changed until it is dropped.
unsafe impl Sync for Imported {}

impl Drop for Imported {
    fn drop(&mut self) {
        // Where Python is at its end, the memory is left to the system.
        let _ = Python::try_attach(|_| {
            // SAFETY: a tensor that was taken from its capsule, so that its deleter is called here
            // alone.
            unsafe {
                match *self {
                    Self::Unversioned(place) => {
                        let managed: *mut Managed = place.as_ptr().cast();
                        if let Some(deleter) = (*managed).deleter {
                            deleter(managed);
                        }
                    }
                    Self::Versioned(place) => {
                        let managed: *mut ManagedVersioned = place.as_ptr().cast();
                        if let Some(deleter) = (*managed).deleter {
                            deleter(managed);
                        }
                    }
                }
            }
        });
    }
}

/// What a tensor says of itself.
pub(super) struct Described {
    pub(super) device: (i32, i32),
    pub(super) address: u64,
    pub(super) shape: Vec<usize>,
    /// In numbers.
    pub(super) strides: Vec<i64>,
    pub(super) is_read_only: bool,
}

impl Imported {
    /// Takes the tensor out of a capsule, which nobody else may take it from then.
    pub(super) fn take(capsule: &Bound<'_, PyAny>) -> PyResult<Self> {
        let raw = capsule.as_ptr();
        // SAFETY: an object that lives on; the names are those that the specification gives, and
        // live for ever.
        unsafe {
            for (name, used, is_versioned) in
                [(VERSIONED, USED_VERSIONED, true), (UNVERSIONED, USED_UNVERSIONED, false)]
            {
                if ffi::PyCapsule_IsValid(raw, name.as_ptr()) == 0 {
                    continue;
                }
                let place = NonNull::new(ffi::PyCapsule_GetPointer(raw, name.as_ptr()));
                let Some(place) = place else { return Err(PyErr::fetch(capsule.py())) };
                if ffi::PyCapsule_SetName(raw, used.as_ptr()) != 0 {
                    return Err(PyErr::fetch(capsule.py()));
                }
                return Ok(match is_versioned {
                    true => Self::Versioned(place),
                    false => Self::Unversioned(place),
                });
            }
        }
        Err(PyTypeError::new_err("x: expected a capsule of DLPack that nobody has taken yet"))
    }

    /// What the tensor says of itself.
    pub(super) fn describe(&self) -> PyResult<Described> {
        // SAFETY: a tensor of the version that its capsule's name said; members behind `flags` are
        // looked at where the major version is that of the structure.
        let (tensor, flags) = unsafe {
            match *self {
                Self::Unversioned(place) => ((*place.as_ptr().cast::<Managed>()).tensor, 0),
                Self::Versioned(place) => {
                    let managed: *const ManagedVersioned = place.as_ptr().cast();
                    let found = (*managed).major;
                    if found != VERSION.0 {
                        return Err(PyBufferError::new_err(format!(
                            "x: expected DLPack's version {}, found {found}",
                            VERSION.0
                        )));
                    }
                    ((*managed).tensor, (*managed).flags)
                }
            }
        };
        if tensor.kind != DOUBLE {
            let DataType { code, bits, lanes } = tensor.kind;
            return Err(PyTypeError::new_err(format!(
                "x: expected float64, found DLPack's type {code} of {bits} bits and {lanes} lanes"
            )));
        }
        let dimensions = tensor.dimensions;
        if !(0..=MOST_DIMENSIONS).contains(&dimensions) {
            return Err(PyBufferError::new_err(format!("x: found {dimensions} dimensions")));
        }
        let count = dimensions as usize;
        let list = |start: *const i64| match count {
            0 => Vec::new(),
            // SAFETY: the tensor has as many lengths, and strides where they are not null.
            _ => unsafe { std::slice::from_raw_parts(start, count) }.to_vec(),
        };
        if count > 0 && tensor.shape.is_null() {
            return Err(PyBufferError::new_err("x: found a tensor without a shape"));
        }
        let lengths: Result<Vec<usize>, _> =
            list(tensor.shape).into_iter().map(usize::try_from).collect();
        let shape = lengths
            .map_err(|_| PyBufferError::new_err("x: found a dimension of negative length"))?;
        let strides = if tensor.strides.is_null() {
            rows(&shape)
        } else {
            list(tensor.strides).into_iter().map(signed).collect()
        };
        Ok(Described {
            device: (tensor.device.kind, tensor.device.ordinal),
            address: (tensor.data.expose_provenance() as u64).wrapping_add(tensor.byte_offset),
            shape,
            strides,
            is_read_only: flags & READ_ONLY != 0,
        })
    }
}

/// A stride of numbers of eight bytes, which is below 2⁶⁰ in magnitude. CuPy 14 divides a negative
/// one of bytes as an unsigned number, so that `−k` arrives as `2⁶¹ − k`.
fn signed(stride: i64) -> i64 {
    (stride << 3) >> 3
}

/// A structure that holds a tensor.
trait Structure {
    /// The name of its capsules until somebody takes the tensor.
    const NAME: &'static CStr;
    /// Ends such a capsule.
    const END: ffi::PyCapsule_Destructor;

    fn tensor(&mut self) -> &mut Tensor;
    fn context(&mut self) -> &mut *mut c_void;
}

impl Structure for Managed {
    const NAME: &'static CStr = UNVERSIONED;
    const END: ffi::PyCapsule_Destructor = end;

    fn tensor(&mut self) -> &mut Tensor {
        &mut self.tensor
    }

    fn context(&mut self) -> &mut *mut c_void {
        &mut self.context
    }
}

impl Structure for ManagedVersioned {
    const NAME: &'static CStr = VERSIONED;
    const END: ffi::PyCapsule_Destructor = end_versioned;

    fn tensor(&mut self) -> &mut Tensor {
        &mut self.tensor
    }

    fn context(&mut self) -> &mut *mut c_void {
        &mut self.context
    }
}

/// What a tensor of ours points to.
struct Owned {
    shape: Vec<i64>,
    strides: Vec<i64>,
    /// Keeps the memory.
    numbers: Option<Numbers>,
}

impl Drop for Owned {
    fn drop(&mut self) {
        self.numbers.take().into_iter().for_each(release);
    }
}

/// A structure of ours with what its tensor points to.
struct Exported<M> {
    managed: M,
    owned: Owned,
}

/// An array that goes out.
pub(super) struct Export {
    pub(super) numbers: Numbers,
    pub(super) gpu: usize,
    pub(super) address: u64,
    pub(super) shape: Vec<usize>,
    /// In numbers.
    pub(super) strides: Vec<i64>,
    pub(super) is_read_only: bool,
    pub(super) is_copied: bool,
}

impl Export {
    /// A capsule with the tensor, of the version that has one or of the older that has none.
    pub(super) fn capsule(self, py: Python<'_>, is_versioned: bool) -> PyResult<Bound<'_, PyAny>> {
        let flag = |is_set: bool, flag: u64| if is_set { flag } else { 0 };
        let flags = flag(self.is_read_only, READ_ONLY) | flag(self.is_copied, IS_COPIED);
        let tensor = Tensor {
            data: ptr::with_exposed_provenance_mut(self.address as usize),
            device: Device { kind: CUDA, ordinal: self.gpu as i32 },
            dimensions: self.shape.len() as i32,
            kind: DOUBLE,
            shape: ptr::null_mut(),
            strides: ptr::null_mut(),
            byte_offset: 0,
        };
        let shape = self.shape.iter().map(|&length| length as i64).collect();
        let owned = Owned { shape, strides: self.strides, numbers: Some(self.numbers) };
        let context = ptr::null_mut();
        if is_versioned {
            let (major, minor) = VERSION;
            let deleter = Some(delete_versioned as unsafe extern "C" fn(_));
            return encapsulated(
                py,
                ManagedVersioned { major, minor, context, deleter, flags, tensor },
                owned,
            );
        }
        encapsulated(py, Managed { tensor, context, deleter: Some(delete) }, owned)
    }
}

/// The capsule of a structure with what it points to.
fn encapsulated<M: Structure>(
    py: Python<'_>,
    managed: M,
    owned: Owned,
) -> PyResult<Bound<'_, PyAny>> {
    let mut exported = Box::new(Exported { managed, owned });
    let Exported { managed, owned } = &mut *exported;
    let tensor = managed.tensor();
    (tensor.shape, tensor.strides) = (owned.shape.as_mut_ptr(), owned.strides.as_mut_ptr());
    let place = Box::into_raw(exported);
    // SAFETY: the box lives until its deleter is called. The destructor is of capsules of that
    // name.
    let capsule = unsafe {
        *(*place).managed.context() = place.cast();
        let managed = &raw mut (*place).managed;
        let made = ffi::PyCapsule_New(managed.cast(), M::NAME.as_ptr(), Some(M::END));
        Bound::from_owned_ptr_or_err(py, made)
    };
    // SAFETY: no capsule has it.
    capsule.inspect_err(|_| drop(unsafe { Box::from_raw(place) }))
}

unsafe extern "C" fn delete(managed: *mut Managed) {
    // SAFETY: called once, with a tensor of `Export::capsule`.
    drop(unsafe { Box::from_raw((*managed).context.cast::<Exported<Managed>>()) });
}

unsafe extern "C" fn delete_versioned(managed: *mut ManagedVersioned) {
    // SAFETY: called once, with a tensor of `Export::capsule`.
    drop(unsafe { Box::from_raw((*managed).context.cast::<Exported<ManagedVersioned>>()) });
}

/// Ends a capsule that nobody has taken the tensor from: its name is still the first.
unsafe extern "C" fn end(capsule: *mut ffi::PyObject) {
    // SAFETY: a capsule of `Export::capsule`.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, UNVERSIONED.as_ptr()) != 0 {
            delete(ffi::PyCapsule_GetPointer(capsule, UNVERSIONED.as_ptr()).cast());
        }
    }
}

/// As [`end`].
unsafe extern "C" fn end_versioned(capsule: *mut ffi::PyObject) {
    // SAFETY: a capsule of `Export::capsule`.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, VERSIONED.as_ptr()) != 0 {
            delete_versioned(ffi::PyCapsule_GetPointer(capsule, VERSIONED.as_ptr()).cast());
        }
    }
}
