//! Texts that callers make room for.

use std::ffi::c_char;

use crate::failure::Failure;
use crate::pointers::{check, put, put_if_wanted};
use crate::status::Status;

/// Where a text goes, as the header says: a buffer of `capacity` bytes, and the length.
#[derive(Clone, Copy)]
pub(crate) struct Buffer {
    pub(crate) bytes: *mut c_char,
    pub(crate) capacity: usize,
    pub(crate) length: *mut usize,
}

impl Buffer {
    /// A failure where nothing can be written.
    pub(crate) fn check(self) -> Result<(), Failure> {
        if self.capacity > 0 { check(self.bytes, "buffer") } else { Ok(()) }
    }

    /// Writes a text with a zero at its end where there is room, and its length in any case.
    ///
    /// # Safety
    /// The [contract](crate#contract) for an array of `capacity` bytes that is written, and a
    /// length that is written or null.
    pub(crate) unsafe fn write(self, text: &str) -> Result<(), Failure> {
        self.check()?;
        // SAFETY: as this function's.
        unsafe { put_if_wanted(self.length, text.len(), "length") }?;
        if text.len() >= self.capacity {
            let (needed, found) = (text.len() + 1, self.capacity);
            let text = format_args!("the text needs {needed} bytes, and the buffer has {found}");
            return Err(Failure::new(Status::Room, text));
        }
        for (i, &byte) in text.as_bytes().iter().enumerate() {
            // SAFETY: `i` is below the capacity.
            unsafe { put(self.bytes, i, byte as c_char) };
        }
        // SAFETY: the text is shorter than the capacity.
        unsafe { put(self.bytes, text.len(), 0) };
        Ok(())
    }
}
