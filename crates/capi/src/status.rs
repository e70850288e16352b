//! What functions return.

/// How a call ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All is done.
    Ok = 0,
    /// A pointer is null or not aligned.
    Pointer = 1,
    /// An argument has a value that the function does not take.
    Argument = 2,
    /// Shapes do not fit, or an index lies outside.
    Shape = 3,
    /// Numbers of different precisions, or of one that does not exist.
    Precision = 4,
    /// A text is no number, no program or no file that can be read.
    Text = 5,
    /// The numbers do not allow an answer: a singular matrix, one that is not positive definite,
    /// digits that cannot be proved.
    Numbers = 6,
    /// There is not enough memory.
    Memory = 7,
    /// The device cannot be had, or failed.
    Device = 8,
    /// The text needs more room: its length is written all the same.
    Room = 9,
    /// A fault of the library.
    Internal = 10,
}

impl Status {
    /// The cause in a few words, with a zero at the end.
    pub(crate) fn name(status: i32) -> &'static core::ffi::CStr {
        match status {
            0 => c"ok",
            1 => c"null pointer",
            2 => c"argument out of range",
            3 => c"shapes do not fit",
            4 => c"precisions do not fit",
            5 => c"text cannot be read",
            6 => c"no answer for these numbers",
            7 => c"not enough memory",
            8 => c"device failed",
            9 => c"not enough room for the text",
            10 => c"fault of the library",
            _ => c"unknown status",
        }
    }
}
