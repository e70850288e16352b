//! Large pieces of memory.

use std::alloc::{Layout, alloc_zeroed};
use std::slice;

/// `count` values whose bits are all zero; `None` where there is no memory. The system supplies
/// pages when they are first written, large ones where it has some: threads that write at once
/// have them supplied at once.
///
/// # Safety
/// Zero bits are a value.
#[allow(unsafe_code, reason = "memory that nobody has written")]
pub unsafe fn zero_bits<X: Copy>(count: usize) -> Option<Vec<X>> {
    let layout = Layout::array::<X>(count).ok()?;
    if layout.size() == 0 {
        return Some(Vec::new());
    }
    // SAFETY: the size is not zero.
    let start = unsafe { alloc_zeroed(layout) };
    if start.is_null() {
        return None;
    }
    // SAFETY: the global allocator's memory for `count` values, whose bits are one of them.
    let values = unsafe { Vec::from_raw_parts(start.cast::<X>(), count, count) };
    ask_for_large_pages(&values);
    Some(values)
}

/// `count` cells or words of zeros; `None` where there is no memory.
#[allow(unsafe_code, reason = "memory that nobody has written")]
pub(crate) fn zeros<X: Copy + Default>(count: usize) -> Option<Vec<X>> {
    let zero = X::default();
    // SAFETY: cells and words are numbers, or arrays of numbers, without padding.
    let bytes = unsafe { slice::from_raw_parts((&raw const zero).cast::<u8>(), size_of::<X>()) };
    if bytes.iter().all(|&byte| byte == 0) {
        // SAFETY: they are the value above.
        return unsafe { zero_bits(count) };
    }
    let mut values = Vec::new();
    values.try_reserve_exact(count).ok()?;
    ask_for_large_pages(values.spare_capacity_mut());
    values.resize(count, zero);
    Some(values)
}

/// Asks the system for large pages where this memory, which nobody has touched yet, fills some:
/// they are supplied in a fraction of the time.
#[allow(unsafe_code, reason = "a call of the system")]
pub fn ask_for_large_pages<X>(memory: &[X]) {
    #[cfg(target_os = "linux")]
    {
        const LARGE_PAGE: usize = 2 << 20;
        let whole = memory.as_ptr_range();
        let start = (whole.start as usize).next_multiple_of(LARGE_PAGE);
        let length = (whole.end as usize).saturating_sub(start) / LARGE_PAGE * LARGE_PAGE;
        if length > 0 {
            // SAFETY: the range lies in memory that is borrowed and begins at a page. The advice
            // changes no content; where the system knows no large pages, it fails and nothing is
            // lost.
            unsafe { libc::madvise(start as *mut libc::c_void, length, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}
