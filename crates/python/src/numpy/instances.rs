//! The making of instances of types, as `nonius.dd` and `nonius.mp(424)`.

use std::ffi::{c_char, c_int, c_void};
use std::ptr::null_mut;

use nonius::Mp;
use nonius::num::mp::Bits;
use pyo3::ffi;
use pyo3::prelude::*;

use super::item::Item;
use super::raw::{Api, Array, Descriptor, MpDescriptor, TYPE_NUMBER, TypeObject};

/// A new instance of a type that is made; null, with an error set, where memory does not do.
pub(super) fn new<T: Item>(
    class: *mut TypeObject,
    scalar: *mut ffi::PyTypeObject,
    form: T::Form,
) -> *mut Descriptor {
    type New = unsafe extern "C" fn(*mut TypeObject, *mut c_void, *mut c_void) -> *mut Descriptor;
    Python::attach(|_| {
        let api = Api::get();
        // SAFETY: `numpy.dtype` makes instances of types that derive from it, as NumPy's own do.
        unsafe {
            let make: New = std::mem::transmute(ffi::PyType_GetSlot(api.dtype(), ffi::Py_tp_new));
            let instance = make(class, null_mut(), null_mut());
            if !instance.is_null() {
                (*instance).type_number = TYPE_NUMBER;
                (*instance).item_size = T::bytes(form) as isize;
                (*instance).alignment = align_of::<f64>() as isize;
                (*instance).kind = b'f' as c_char;
                (*instance).character = b'V' as c_char;
                (*instance).byte_order = b'|' as c_char;
                (*instance).scalar = scalar;
                let (many, one) = (copy_many::<T> as *const c_void, copy_one::<T> as *const c_void);
                api.set_copies(instance, many, one);
            }
            instance
        }
    })
}

/// A new instance of `nonius.mp`; null, with an error set, where memory does not do.
pub(super) fn of_bits(
    class: *mut TypeObject,
    scalar: *mut ffi::PyTypeObject,
    bits: Bits,
) -> *mut Descriptor {
    let instance = new::<Mp>(class, scalar, bits);
    if !instance.is_null() {
        // SAFETY: an instance of this type, with its own members behind the common ones. NumPy
        // takes a hash that is not −1 as it is; its own knows no bits.
        unsafe {
            (*instance.cast::<MpDescriptor>()).bits = bits;
            (*instance).hash = 0x6d70_0000 + bits.get() as isize;
        }
    }
    instance
}

/// Copies an entry, and swaps the bytes of its words where asked to.
///
/// # Safety
/// Places of entries as the array has; the first may be missing.
unsafe fn copy_swapped<T: Item>(to: *mut u8, from: *const u8, swap: bool, form: T::Form) {
    let size = T::bytes(form);
    // SAFETY: by the caller; an entry consists of words of 8 bytes.
    unsafe {
        if !from.is_null() && !std::ptr::eq(from, to) {
            std::ptr::copy(from, to, size);
        }
        if swap {
            for place in (0..size).step_by(8) {
                let word = to.add(place).cast::<u64>();
                word.write_unaligned(word.read_unaligned().swap_bytes());
            }
        }
    }
}

unsafe extern "C" fn copy_one<T: Item>(
    to: *mut u8,
    from: *const u8,
    swap: c_int,
    array: *mut Array,
) {
    // SAFETY: by NumPy.
    unsafe { copy_swapped::<T>(to, from, swap != 0, T::form((*array).descriptor)) };
}

unsafe extern "C" fn copy_many<T: Item>(
    to: *mut u8,
    stride: isize,
    from: *const u8,
    from_stride: isize,
    count: isize,
    swap: c_int,
    array: *mut Array,
) {
    for i in 0..count {
        let from = match from.is_null() {
            true => from,
            false => from.wrapping_offset(i * from_stride),
        };
        let to = to.wrapping_offset(i * stride);
        // SAFETY: by NumPy.
        unsafe { copy_swapped::<T>(to, from, swap != 0, T::form((*array).descriptor)) };
    }
}
