//! Values that lie in memory as a kernel reads them.

/// What may be given to a kernel: types with the layout of a C type.
///
/// # Safety
/// The type is `repr(C)` or a primitive number, without padding that a kernel would read, and any
/// bits are a value of it.
pub unsafe trait Plain: Copy {}

// SAFETY: primitive numbers.
unsafe impl Plain for u16 {}
// SAFETY: as above.
unsafe impl Plain for i32 {}
// SAFETY: as above.
unsafe impl Plain for u32 {}
// SAFETY: as above.
unsafe impl Plain for i64 {}
// SAFETY: as above.
unsafe impl Plain for u64 {}
// SAFETY: as above.
unsafe impl Plain for f32 {}
// SAFETY: as above.
unsafe impl Plain for f64 {}
// SAFETY: an array lies in memory as in C.
unsafe impl<P: Plain, const N: usize> Plain for [P; N] {}

/// The bytes of numbers.
pub fn bytes_of<P: Plain>(numbers: &[P]) -> &[u8] {
    // SAFETY: numbers have no padding, any byte is a `u8`, and the length is theirs.
    unsafe { core::slice::from_raw_parts(numbers.as_ptr().cast(), size_of_val(numbers)) }
}

/// The bytes of numbers, to be changed.
pub fn bytes_of_mut<P: Plain>(numbers: &mut [P]) -> &mut [u8] {
    // SAFETY: as `bytes_of`; any bytes are a number.
    unsafe { core::slice::from_raw_parts_mut(numbers.as_mut_ptr().cast(), size_of_val(numbers)) }
}
