//! The functions as C calls them.

#![allow(unsafe_code)]

mod handles;
mod hostile;
mod mplapack;
mod threads;

use std::ffi::{CStr, CString, c_char};
use std::ptr::null_mut;

use nonius_c::matrix::*;
use nonius_c::settings::nonius_last_error;
use nonius_c::status::Status;

/// The sentence about the last failure.
fn last() -> String {
    // SAFETY: the text stays until the next failure of this thread, and is copied before.
    unsafe { CStr::from_ptr(nonius_last_error()) }.to_string_lossy().into_owned()
}

/// Expects success.
#[track_caller]
fn ok(status: Status) {
    assert_eq!(status, Status::Ok, "{}", last());
}

/// A handle that a call puts into its output.
#[track_caller]
fn made<T>(call: impl FnOnce(*mut *mut T) -> Status) -> *mut T {
    let mut handle = null_mut();
    ok(call(&mut handle));
    assert!(!handle.is_null());
    handle
}

/// A matrix of doubles, by columns.
fn matrix(precision: u32, rows: usize, cols: usize, data: &[f64]) -> *mut Matrix {
    assert_eq!(data.len(), rows * cols);
    // SAFETY: the array has as many numbers.
    made(|to| unsafe { nonius_matrix_from_doubles(precision, rows, cols, data.as_ptr(), rows, to) })
}

/// A text that a function writes.
#[track_caller]
fn written(mut call: impl FnMut(*mut c_char, usize, *mut usize) -> Status) -> String {
    let mut length = 0;
    assert_eq!(call(null_mut(), 0, &mut length), Status::Room);
    // One byte too few, and what lies behind the buffer.
    let mut bytes = vec![0x7f as c_char; length + 2];
    assert_eq!(call(bytes.as_mut_ptr(), length, &mut length), Status::Room);
    assert!(bytes.iter().all(|&byte| byte == 0x7f));
    ok(call(bytes.as_mut_ptr(), length + 1, null_mut()));
    assert_eq!((bytes[length], bytes[length + 1]), (0, 0x7f));
    bytes[..length].iter().map(|&byte| byte as u8 as char).collect()
}

/// An entry in decimal.
#[track_caller]
fn decimal(a: *const Matrix, row: usize, col: usize, digits: u32) -> String {
    // SAFETY: the buffer is as `written` says, and the handle is alive.
    written(|bytes, room, length| unsafe {
        nonius_matrix_decimal(a, row, col, digits, bytes, room, length)
    })
}

fn text(text: &str) -> CString {
    CString::new(text).unwrap()
}
