//! How numbers are stored, many at a time.

use core::fmt::Debug;

use crate::MultiFloat;
use crate::mp::{Bits, Head, Mp, MpRef};

/// A type whose values are stored in bulk: a cell for each value, and words beside the cells.
///
/// A number of fixed precision is its own cell and has no words. A number of any precision has its
/// [`Head`] as its cell, and the words of its significand. The *format* is what all numbers of an
/// array share beside their type.
pub trait Element: Copy + Send + Sync + 'static {
    /// What is stored once for each value. The default is the cell of zero.
    type Cell: Copy + Debug + Default + PartialEq + Send + Sync + 'static;
    /// What values of one precision share beside their type: nothing for fixed precisions, the bits
    /// for [`Mp`].
    type Format: Copy + Debug + PartialEq + Send + Sync + 'static;

    /// The number of words beside each cell. The words of zero are zeros.
    fn words(format: Self::Format) -> usize;

    /// The value of a cell and its words.
    fn load(format: Self::Format, cell: Self::Cell, words: &[u64]) -> Self;

    /// Rounds the value to the format, writes its words and returns its cell.
    fn store(self, format: Self::Format, words: &mut [u64]) -> Self::Cell;
}

/// Values that are stored as they are: a slice of them is a plain slice.
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

/// The bytes that one number of a format takes in bulk storage.
///
/// ```
/// use nonius_num::mp::Bits;
/// use nonius_num::{Mp, Qd, stored_bytes};
///
/// assert_eq!(stored_bytes::<Qd>(()), 32);
/// // A head of four bytes and seven words.
/// assert_eq!(stored_bytes::<Mp>(Bits::new(424).unwrap()), 60);
/// ```
pub fn stored_bytes<T: Element>(format: T::Format) -> usize {
    size_of::<T::Cell>() + T::words(format) * size_of::<u64>()
}
