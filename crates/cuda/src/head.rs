//! Heads of numbers of any precision as bytes.

use nonius_gpu::{bytes_of, bytes_of_mut};
use nonius_num::mp::Head;

/// The bytes of heads.
pub(crate) fn bytes_of_heads(heads: &[Head]) -> &[u8] {
    // SAFETY: a head is a transparent `i32`.
    bytes_of(unsafe { core::slice::from_raw_parts(heads.as_ptr().cast::<i32>(), heads.len()) })
}

/// The bytes of heads, to be changed.
pub(crate) fn bytes_of_heads_mut(heads: &mut [Head]) -> &mut [u8] {
    let (start, count) = (heads.as_mut_ptr().cast::<i32>(), heads.len());
    // SAFETY: as above; any bits are a head.
    bytes_of_mut(unsafe { core::slice::from_raw_parts_mut(start, count) })
}
