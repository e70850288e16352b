//! Numbers by the words that a device keeps in planes.

use nonius_gpu::Plain;
use nonius_linalg::tridiag::Solvable;
use nonius_linalg::{Scalar, Slice};
use nonius_num::mp::{Bits, Head};
use nonius_num::{Dd, Mp, Qd, Td};

use crate::host::{bytes_of_cells, bytes_of_cells_mut};
use crate::kind::Kind;

/// Numbers of tridiagonal systems that devices know.
pub trait DeviceNumber: Solvable {
    /// A limb, or a word.
    #[doc(hidden)]
    type Word: Word;

    #[doc(hidden)]
    fn kind(format: Self::Format) -> Kind;
    #[doc(hidden)]
    fn word(from: Slice<'_, Self>, i: usize, plane: usize) -> Self::Word;
    #[doc(hidden)]
    fn of_words(format: Self::Format, word: impl FnMut(usize) -> Self::Word) -> Self;
}

/// A word of which any bytes are one.
#[doc(hidden)]
pub trait Word: sealed::Sealed + Copy + Default + Send + Sync + 'static {}

pub(crate) mod sealed {
    /// Words are passed to kernels.
    pub trait Sealed: super::Plain {}
}

impl sealed::Sealed for f32 {}
impl sealed::Sealed for f64 {}
impl sealed::Sealed for u64 {}
impl Word for f32 {}
impl Word for f64 {}
impl Word for u64 {}

impl DeviceNumber for f32 {
    type Word = f32;

    fn kind((): ()) -> Kind {
        Kind::Limbs(0)
    }

    fn word(from: Slice<'_, f32>, i: usize, _: usize) -> f32 {
        from.cells()[i]
    }

    fn of_words((): (), mut word: impl FnMut(usize) -> f32) -> f32 {
        word(0)
    }
}

macro_rules! limbs {
    ($($number:ty),*) => {$(
        impl DeviceNumber for $number {
            type Word = f64;

            fn kind((): ()) -> Kind {
                Kind::Limbs(<$number as Scalar>::LIMBS)
            }

            fn word(from: Slice<'_, Self>, i: usize, plane: usize) -> f64 {
                Scalar::limb(from.cells()[i], plane)
            }

            fn of_words((): (), word: impl FnMut(usize) -> f64) -> Self {
                <$number as Scalar>::from_limbs(word)
            }
        }
    )*};
}

limbs!(f64, Dd, Td, Qd);

/// The head has the plane behind those of the words.
impl DeviceNumber for Mp {
    type Word = u64;

    fn kind(bits: Bits) -> Kind {
        Kind::Mp(bits)
    }

    fn word(from: Slice<'_, Mp>, i: usize, plane: usize) -> u64 {
        let count = from.format().words();
        if plane < count {
            return from.words()[i * count + plane];
        }
        let mut bytes = [0; 4];
        bytes.copy_from_slice(bytes_of_cells::<Mp>(&from.cells()[i..=i]));
        u32::from_ne_bytes(bytes).into()
    }

    fn of_words(bits: Bits, mut word: impl FnMut(usize) -> u64) -> Mp {
        let mut number = Mp::zero(bits);
        number.set_parts(|_, words| {
            words.iter_mut().enumerate().for_each(|(plane, to)| *to = word(plane));
            let mut head = [Head::default()];
            let bytes = (word(words.len()) as u32).to_ne_bytes();
            bytes_of_cells_mut::<Mp>(&mut head).copy_from_slice(&bytes);
            head[0]
        });
        number
    }
}
