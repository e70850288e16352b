//! What numbers are when many of them are stored.

use core::fmt::Debug;

use crate::MultiFloat;
use crate::mp::{Bits, Head, Mp, MpRef};

/// A value of which many are stored: each as a cell, and as so many words beside it.
///
/// A number of fixed precision is its own cell and has no words. One of any precision has its
/// [`Head`] as cell, and the words of its significand. What the cells and words of many numbers
/// have in common beside their type is their *format*.
pub trait Element: Copy + Send + Sync + 'static {
    /// What there is one of for each value. The default is that of zero.
    type Cell: Copy + Debug + Default + PartialEq + Send + Sync + 'static;
    /// What values of one precision have in common beside their type: nothing where the type says
    /// all, else their bits.
    type Format: Copy + Debug + PartialEq + Send + Sync + 'static;

    /// Words beside each cell. Those of zero are zeros.
    fn words(format: Self::Format) -> usize;

    /// The value of a cell and its words.
    fn load(format: Self::Format, cell: Self::Cell, words: &[u64]) -> Self;

    /// Writes the value, rounded to the format, to words and returns the cell.
    fn store(self, format: Self::Format, words: &mut [u64]) -> Self::Cell;
}

/// Values that are stored as they are.
pub trait Plain: Element<Cell = Self, Format = ()> {}

impl<T: Element<Cell = T, Format = ()>> Plain for T {}

/// Implements [`Element`] for values that are stored as they are.
macro_rules! plain {
    () => {
        type Cell = Self;
        type Format = ();

        #[inline(always)]
        fn words((): ()) -> usize {
            0
        }

        #[inline(always)]
        fn load((): (), cell: Self, _: &[u64]) -> Self {
            cell
        }

        #[inline(always)]
        fn store(self, (): (), _: &mut [u64]) -> Self {
            self
        }
    };
    ($($type:ty)*) => {$(
        impl Element for $type {
            plain!();
        }
    )*};
}

plain!(f64 f32 u64 i64 Head);

impl<const N: usize> Element for MultiFloat<N> {
    plain!();
}

impl Element for Mp {
    type Cell = Head;
    type Format = Bits;

    #[inline(always)]
    fn words(bits: Bits) -> usize {
        bits.words()
    }

    fn load(bits: Bits, head: Head, words: &[u64]) -> Self {
        MpRef::new(bits, head, words).to_mp(bits)
    }

    fn store(self, bits: Bits, words: &mut [u64]) -> Head {
        self.view().write(bits, words)
    }
}

/// Bytes that a number of a format takes among many.
pub fn stored_bytes<T: Element>(format: T::Format) -> usize {
    size_of::<T::Cell>() + T::words(format) * size_of::<u64>()
}
