//! Loops over entries of arrays, wherever they are.

use std::ffi::{c_int, c_void};

use super::raw::Loop;

/// Entries at equal distances.
#[derive(Clone, Copy)]
pub(super) struct Entries {
    pub(super) start: *mut u8,
    pub(super) stride: isize,
}

impl Entries {
    /// Entry `i`.
    ///
    /// # Safety
    /// There is an entry `i`, of this type.
    #[inline(always)]
    pub(super) unsafe fn get<T: Copy>(self, i: usize) -> T {
        // SAFETY: by the caller.
        unsafe { self.start.offset(i as isize * self.stride).cast::<T>().read_unaligned() }
    }

    /// Replaces entry `i`.
    ///
    /// # Safety
    /// There is an entry `i`, of this type, and nobody else reads or writes it.
    #[inline(always)]
    pub(super) unsafe fn set<T>(self, i: usize, x: T) {
        // SAFETY: by the caller.
        unsafe { self.start.offset(i as isize * self.stride).cast::<T>().write_unaligned(x) };
    }
}

/// The operands of a loop, and how many entries there are.
///
/// # Safety
/// The arguments are those of a [`Loop`] with `K` operands.
pub(super) unsafe fn operands<const K: usize>(
    data: *const *mut u8,
    length: *const isize,
    strides: *const isize,
) -> (usize, [Entries; K]) {
    // SAFETY: by the caller.
    unsafe {
        let entries =
            std::array::from_fn(|k| Entries { start: *data.add(k), stride: *strides.add(k) });
        (*length as usize, entries)
    }
}

/// A loop of a function of one number, by a type without size that names the function.
pub(super) trait Map1<A: Copy, B>: Copy + 'static {
    /// The function.
    fn of(a: A) -> B;

    /// Its loop.
    const LOOP: Loop = run_1::<A, B, Self>;
}

unsafe extern "C" fn run_1<A: Copy, B, F: Map1<A, B>>(
    _: *mut c_void,
    data: *const *mut u8,
    length: *const isize,
    strides: *const isize,
    _: *mut c_void,
) -> c_int {
    // SAFETY: NumPy calls the loop with two operands of these types.
    unsafe {
        let (count, [a, b]) = operands(data, length, strides);
        for i in 0..count {
            b.set(i, F::of(a.get(i)));
        }
    }
    0
}

/// A loop of a function of two numbers.
pub(super) trait Map2<A: Copy, B>: Copy + 'static {
    /// The function.
    fn of(x: A, y: A) -> B;

    /// Its loop.
    const LOOP: Loop = run_2::<A, B, Self>;
}

unsafe extern "C" fn run_2<A: Copy, B, F: Map2<A, B>>(
    _: *mut c_void,
    data: *const *mut u8,
    length: *const isize,
    strides: *const isize,
    _: *mut c_void,
) -> c_int {
    // SAFETY: NumPy calls the loop with three operands of these types.
    unsafe {
        let (count, [x, y, z]) = operands(data, length, strides);
        for i in 0..count {
            z.set(i, F::of(x.get(i), y.get(i)));
        }
    }
    0
}
