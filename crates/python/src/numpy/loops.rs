//! Loops over entries of arrays, wherever they are.

use std::ffi::{c_int, c_void};

use super::item::{Entries, Item};
use super::raw::{Loop, descriptor_of};

/// What the instance of operand `k` says of its entries.
///
/// # Safety
/// The context is that of a loop whose operand `k` has this type.
#[inline(always)]
pub(super) unsafe fn form_of<T: Item>(context: *const c_void, k: usize) -> T::Form {
    // SAFETY: by the caller.
    unsafe { T::form(descriptor_of(context, k)) }
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
pub(super) trait Map1<A: Item, B: Item>: Copy + 'static {
    /// The function. Its result may have more bits than the form in which it is stored.
    fn of(a: A, form: B::Form) -> B;

    /// Its loop.
    const LOOP: Loop = run_1::<A, B, Self>;
}

unsafe extern "C" fn run_1<A: Item, B: Item, F: Map1<A, B>>(
    context: *mut c_void,
    data: *const *mut u8,
    length: *const isize,
    strides: *const isize,
    _: *mut c_void,
) -> c_int {
    // SAFETY: NumPy calls the loop with two operands of these types.
    unsafe {
        let (from, to) = (form_of::<A>(context, 0), form_of::<B>(context, 1));
        let (count, [a, b]) = operands(data, length, strides);
        for i in 0..count {
            b.set(to, i, F::of(a.get(from, i), to));
        }
    }
    0
}

/// A loop of a function of two numbers.
pub(super) trait Map2<A: Item, B: Item>: Copy + 'static {
    /// The function.
    fn of(x: A, y: A) -> B;

    /// Its loop.
    const LOOP: Loop = run_2::<A, B, Self>;
}

unsafe extern "C" fn run_2<A: Item, B: Item, F: Map2<A, B>>(
    context: *mut c_void,
    data: *const *mut u8,
    length: *const isize,
    strides: *const isize,
    _: *mut c_void,
) -> c_int {
    // SAFETY: NumPy calls the loop with three operands of these types.
    unsafe {
        let [first, second] = [form_of::<A>(context, 0), form_of::<A>(context, 1)];
        let to = form_of::<B>(context, 2);
        let (count, [x, y, z]) = operands(data, length, strides);
        for i in 0..count {
            z.set(to, i, F::of(x.get(first, i), y.get(second, i)));
        }
    }
    0
}
