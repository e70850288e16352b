//! What lies in arrays: how it is read from memory and written to it.
//!
//! A number of NumPy's types, or a sum of limbs, lies there as it is. An [`Mp`] of `b` bits is a
//! block of `8 + 8·⌈b/64⌉` bytes without addresses, so that bytes can be copied, saved and mapped:
//!
//! | bytes | hold |
//! |---|---|
//! | 0 to 3 | sign, class and exponent: the bits of a [`Head`] with the highest one flipped |
//! | 4 to 7 | zeros |
//! | 8 on | the words of the significand, lowest first |
//!
//! The flip makes a block of zeros the number zero. Memory may hold anything: a block that is no
//! number reads as NaN.

use std::ptr::copy_nonoverlapping;

use nonius::Mp;
use nonius::dense::{Slice, SliceMut};
use nonius::num::mp::{Bits, Head};
use nonius::num::{Element, MultiFloat};

use super::raw::{Descriptor, MpDescriptor};

/// A value that lies in arrays, whose place may have any alignment.
pub(crate) trait Item: Copy + 'static {
    /// What an instance of the type says of all its values: the bits of [`Mp`], else nothing.
    type Form: Copy + PartialEq;

    /// What this instance says.
    ///
    /// # Safety
    /// It is an instance of the type.
    unsafe fn form(descriptor: *const Descriptor) -> Self::Form;

    /// Bytes of a value.
    fn bytes(form: Self::Form) -> usize;

    /// Reads a value.
    ///
    /// # Safety
    /// The place has as many readable [`bytes`](Self::bytes).
    unsafe fn read(form: Self::Form, place: *const u8) -> Self;

    /// Writes the value, rounded to the form.
    ///
    /// # Safety
    /// The place has as many writable [`bytes`](Self::bytes).
    unsafe fn write(self, form: Self::Form, place: *mut u8);
}

/// Entries at equal distances.
#[derive(Clone, Copy)]
pub(crate) struct Entries {
    pub(super) start: *mut u8,
    pub(super) stride: isize,
}

impl Entries {
    /// Entries from number `i` on.
    pub(super) fn from(self, i: usize) -> Self {
        Self { start: self.start.wrapping_offset(i as isize * self.stride), ..self }
    }

    /// Entry `i`.
    ///
    /// # Safety
    /// There is an entry `i`, of this type and form.
    #[inline(always)]
    pub(crate) unsafe fn get<T: Item>(self, form: T::Form, i: usize) -> T {
        // SAFETY: by the caller.
        unsafe { T::read(form, self.start.offset(i as isize * self.stride)) }
    }

    /// Replaces entry `i`.
    ///
    /// # Safety
    /// There is an entry `i`, of this type and form, and nobody else reads or writes it.
    #[inline(always)]
    pub(super) unsafe fn set<T: Item>(self, form: T::Form, i: usize, x: T) {
        // SAFETY: by the caller.
        unsafe { x.write(form, self.start.offset(i as isize * self.stride)) };
    }
}

/// Numbers that kernels may find where arrays have them.
pub(crate) trait InPlace: Element + Item<Form = <Self as Element>::Format> {
    /// Whether kernels take the layout that arrays have.
    const IS_PLAIN: bool = true;

    /// Numbers that lie one after the other; none where kernels need another layout, or another
    /// alignment.
    ///
    /// # Safety
    /// There are `count` such numbers, which nobody writes meanwhile.
    unsafe fn numbers<'a>(
        form: Self::Form,
        start: *const u8,
        count: usize,
    ) -> Option<Slice<'a, Self>>;

    /// Where numbers begin that an array can have there; none where it needs another layout.
    fn start(numbers: SliceMut<'_, Self>) -> Option<*mut u8>;

    /// Copies numbers from entries at equal distances.
    ///
    /// # Safety
    /// There are as many readable entries.
    unsafe fn gather(form: Self::Form, from: Entries, mut to: SliceMut<'_, Self>) {
        for i in 0..to.len() {
            // SAFETY: by the caller.
            to.set(i, unsafe { from.get(form, i) });
        }
    }

    /// Copies numbers to entries at equal distances.
    ///
    /// # Safety
    /// There are as many writable entries.
    unsafe fn scatter(form: Self::Form, from: Slice<'_, Self>, to: Entries) {
        for (i, number) in from.iter().enumerate() {
            // SAFETY: by the caller.
            unsafe { to.set(form, i, number) };
        }
    }

    /// The same as [`numbers`](Self::numbers), to be written.
    ///
    /// # Safety
    /// There are `count` such numbers, which nobody else reads or writes meanwhile.
    unsafe fn numbers_mut<'a>(
        form: Self::Form,
        start: *mut u8,
        count: usize,
    ) -> Option<SliceMut<'a, Self>>;
}

macro_rules! as_they_are {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        impl<$($generics)*> Item for $type {
            type Form = ();

            #[inline(always)]
            unsafe fn form(_: *const Descriptor) {}

            #[inline(always)]
            fn bytes((): ()) -> usize {
                size_of::<Self>()
            }

            #[inline(always)]
            unsafe fn read((): (), place: *const u8) -> Self {
                // SAFETY: by the caller.
                unsafe { place.cast::<Self>().read_unaligned() }
            }

            #[inline(always)]
            unsafe fn write(self, (): (), place: *mut u8) {
                // SAFETY: by the caller.
                unsafe { place.cast::<Self>().write_unaligned(self) };
            }
        }
    )*};
}

as_they_are! {
    [] u8; [] u16; [] u32; [] u64; [] i8; [] i16; [] i32; [] i64; [] f32; [] f64;
    [const N: usize] MultiFloat<N>;
    [const N: usize] [u8; N];
}

macro_rules! where_they_are {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        impl<$($generics)*> InPlace for $type {
            unsafe fn numbers<'a>(
                (): (),
                start: *const u8,
                count: usize,
            ) -> Option<Slice<'a, Self>> {
                let start = start.cast::<Self>();
                // SAFETY: by the caller, and aligned.
                start.is_aligned().then(|| unsafe {
                    std::slice::from_raw_parts(start, count).into()
                })
            }

            fn start(numbers: SliceMut<'_, Self>) -> Option<*mut u8> {
                Some(numbers.plain().as_mut_ptr().cast())
            }

            unsafe fn numbers_mut<'a>(
                (): (),
                start: *mut u8,
                count: usize,
            ) -> Option<SliceMut<'a, Self>> {
                let start = start.cast::<Self>();
                // SAFETY: by the caller, and aligned.
                start.is_aligned().then(|| unsafe {
                    std::slice::from_raw_parts_mut(start, count).into()
                })
            }
        }
    )*};
}

where_they_are! {
    [] f64;
    [const N: usize] MultiFloat<N>;
}

/// The bit that makes a block of zeros a zero.
const FLIPPED: u32 = Head::zero(false).to_bits();
/// Bytes in front of the words.
const HEADER: usize = 8;
/// Most words of a number.
const MOST_WORDS: usize = Bits::MOST as usize / 64;

impl Item for Mp {
    type Form = Bits;

    unsafe fn form(descriptor: *const Descriptor) -> Bits {
        // SAFETY: by the caller; instances of this type have bits behind the common members.
        unsafe { (*descriptor.cast::<MpDescriptor>()).bits }
    }

    fn bytes(bits: Bits) -> usize {
        HEADER + 8 * bits.words()
    }

    unsafe fn read(bits: Bits, place: *const u8) -> Self {
        let mut x = Self::zero(bits);
        // SAFETY: by the caller.
        x.set_parts(|_, words| unsafe { read_parts(bits, place, words) });
        x
    }

    unsafe fn write(self, bits: Bits, place: *mut u8) {
        if self.bits() == bits {
            // SAFETY: by the caller.
            return unsafe { write_parts(self.head(), self.words(), place) };
        }
        let mut buffer = [0_u64; MOST_WORDS];
        let words = &mut buffer[..bits.words()];
        let head = self.view().write(bits, words);
        // SAFETY: by the caller.
        unsafe { write_parts(head, words, place) };
    }
}

/// Copies the words of a number, and returns its head: NaN where the block is no number.
///
/// # Safety
/// The place has a header, and as many words as the precision.
unsafe fn read_parts(bits: Bits, place: *const u8, words: &mut [u64]) -> Head {
    let n = words.len();
    // SAFETY: by the caller.
    let head = unsafe {
        copy_nonoverlapping(place.add(HEADER), words.as_mut_ptr().cast::<u8>(), 8 * n);
        Head::from_bits(place.cast::<u32>().read_unaligned() ^ FLIPPED)
    };
    let padding = 64 * n as u32 - bits.get();
    let is_significand = words[n - 1] >> 63 == 1 && words[0].trailing_zeros() >= padding;
    if is_significand && head.exponent().is_some() {
        return head;
    }
    words.fill(0);
    if head.is_zero() || head.is_infinite() { head } else { Head::NAN }
}

/// Writes a number.
///
/// # Safety
/// The place has room for a header and as many words.
unsafe fn write_parts(head: Head, words: &[u64], place: *mut u8) {
    // SAFETY: by the caller.
    unsafe {
        place.cast::<[u32; 2]>().write_unaligned([head.to_bits() ^ FLIPPED, 0]);
        copy_nonoverlapping(words.as_ptr().cast::<u8>(), place.add(HEADER), 8 * words.len());
    }
}

impl InPlace for Mp {
    const IS_PLAIN: bool = false;

    unsafe fn gather(bits: Bits, from: Entries, to: SliceMut<'_, Self>) {
        let (heads, words) = to.into_parts();
        let words = words.chunks_exact_mut(bits.words());
        for (i, (head, words)) in heads.iter_mut().zip(words).enumerate() {
            let place = from.start.wrapping_offset(i as isize * from.stride);
            // SAFETY: by the caller.
            *head = unsafe { read_parts(bits, place, words) };
        }
    }

    unsafe fn scatter(bits: Bits, from: Slice<'_, Self>, to: Entries) {
        let words = from.words().chunks_exact(bits.words());
        for (i, (&head, words)) in from.heads().iter().zip(words).enumerate() {
            let place = to.start.wrapping_offset(i as isize * to.stride);
            // SAFETY: by the caller.
            unsafe { write_parts(head, words, place) };
        }
    }

    fn start(_: SliceMut<'_, Self>) -> Option<*mut u8> {
        None
    }

    unsafe fn numbers<'a>(_: Bits, _: *const u8, _: usize) -> Option<Slice<'a, Self>> {
        None
    }

    unsafe fn numbers_mut<'a>(_: Bits, _: *mut u8, _: usize) -> Option<SliceMut<'a, Self>> {
        None
    }
}
