//! What callers point at: checked as far as pointers can be.

use std::ffi::{CStr, c_char};

use crate::failure::Failure;
use crate::status::Status;

/// A failure unless a pointer is neither null nor misaligned.
pub(crate) fn check<T>(pointer: *const T, name: &str) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Failure::new(Status::Pointer, format_args!("{name} is a null pointer")));
    }
    if pointer.is_aligned() {
        return Ok(());
    }
    let bytes = align_of::<T>();
    let text = format_args!("{name} is not aligned to {bytes} bytes");
    Err(Failure::new(Status::Pointer, text))
}

/// What a pointer points at.
///
/// # Safety
/// The [contract](crate#contract) for a value that is read.
pub(crate) unsafe fn reference<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    check(pointer, name)?;
    // SAFETY: the pointer is neither null nor misaligned, and valid by the caller's contract.
    Ok(unsafe { &*pointer })
}

/// What a pointer points at, to be changed.
///
/// # Safety
/// The [contract](crate#contract) for a handle that is changed.
pub(crate) unsafe fn changed<'a, T>(pointer: *mut T, name: &str) -> Result<&'a mut T, Failure> {
    check(pointer, name)?;
    // SAFETY: the pointer is neither null nor misaligned, and valid by the caller's contract, by
    // which nobody else uses the value meanwhile.
    Ok(unsafe { &mut *pointer })
}

/// The elements of an array. A null pointer is an array of none.
///
/// # Safety
/// The [contract](crate#contract) for an array of `count` elements that is read.
pub(crate) unsafe fn elements<'a, T>(
    pointer: *const T,
    count: usize,
    name: &str,
) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    check(pointer, name)?;
    check_extent::<T>(count, name)?;
    // SAFETY: the pointer is neither null nor misaligned, the array is no longer than an array can
    // be, and valid by the caller's contract.
    Ok(unsafe { core::slice::from_raw_parts(pointer, count) })
}

/// A failure where no array can have this many elements.
pub(crate) fn check_extent<T>(count: usize, name: &str) -> Result<(), Failure> {
    match count.checked_mul(size_of::<T>()) {
        Some(bytes) if bytes <= isize::MAX as usize => Ok(()),
        _ => Err(Failure::shape(format_args!("{name} has {count} elements, more than memory"))),
    }
}

/// Writes one element of an array.
///
/// # Safety
/// The [contract](crate#contract) for an array with element `index` that is written; the pointer
/// has been [checked](check).
pub(crate) unsafe fn put<T>(pointer: *mut T, index: usize, value: T) {
    // SAFETY: the element lies in an array that the caller's contract lets us write. What it held
    // is plain data, or nothing yet, and is not dropped.
    unsafe { pointer.add(index).write(value) }
}

/// Writes what a pointer points at, unless it is null.
///
/// # Safety
/// The [contract](crate#contract) for a value that is written.
pub(crate) unsafe fn put_if_wanted<T>(
    pointer: *mut T,
    value: T,
    name: &str,
) -> Result<(), Failure> {
    if !pointer.is_null() {
        check(pointer, name)?;
        // SAFETY: as this function's.
        unsafe { put(pointer, 0, value) };
    }
    Ok(())
}

/// Puts a new handle where a pointer points.
///
/// # Safety
/// The [contract](crate#contract) for a pointer that is written; the pointer has been
/// [checked](check).
pub(crate) unsafe fn hand_over<T>(pointer: *mut *mut T, value: T) {
    // SAFETY: as this function's.
    unsafe { put(pointer, 0, Box::into_raw(Box::new(value))) }
}

/// Ends a handle. A null pointer is none.
///
/// # Safety
/// The [contract](crate#contract): the handle was made by [`hand_over`], and is freed once.
pub(crate) unsafe fn free<T>(pointer: *mut T) {
    if !pointer.is_null() && pointer.is_aligned() {
        // SAFETY: `hand_over` made the pointer from a box, and nobody uses it from here on.
        let handle = unsafe { Box::from_raw(pointer) };
        // What a handle drops is memory; a panic there would be a fault, and ends here.
        let _ = crate::failure::caught(|| {
            drop(handle);
            Ok(())
        });
    }
}

/// The text up to the zero.
///
/// # Safety
/// The [contract](crate#contract) for a text that is read.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, Failure> {
    check(pointer, name)?;
    // SAFETY: a pointer that is not null points at a text with a zero at its end.
    let bytes = unsafe { CStr::from_ptr(pointer) };
    bytes.to_str().map_err(|_| Failure::new(Status::Text, format_args!("{name} is not UTF-8")))
}
