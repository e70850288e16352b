//! Arrays of numbers of several types.

use std::borrow::Cow;
use std::fmt;

/// The type of an array's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `f64`.
    F64,
    /// `f32`.
    F32,
    /// `u64`.
    U64,
    /// `u32`.
    U32,
}

impl Type {
    pub(super) const ALL: [Type; 4] = [Type::F64, Type::F32, Type::U64, Type::U32];

    /// Bytes of a number.
    pub fn bytes(self) -> usize {
        match self {
            Type::F64 | Type::U64 => 8,
            Type::F32 | Type::U32 => 4,
        }
    }

    /// What stands for it in a file.
    pub(super) fn tag(self) -> u8 {
        match self {
            Type::F64 => 0,
            Type::F32 => 1,
            Type::U64 => 2,
            Type::U32 => 3,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::F64 => "f64",
            Type::F32 => "f32",
            Type::U64 => "u64",
            Type::U32 => "u32",
        })
    }
}

/// An array of numbers, borrowed or owned.
#[derive(Clone, Debug, PartialEq)]
pub enum Array<'a> {
    /// Of `f64`.
    F64(Cow<'a, [f64]>),
    /// Of `f32`.
    F32(Cow<'a, [f32]>),
    /// Of `u64`.
    U64(Cow<'a, [u64]>),
    /// Of `u32`.
    U32(Cow<'a, [u32]>),
}

impl Array<'_> {
    /// The type of its numbers.
    pub fn element_type(&self) -> Type {
        match self {
            Array::F64(_) => Type::F64,
            Array::F32(_) => Type::F32,
            Array::U64(_) => Type::U64,
            Array::U32(_) => Type::U32,
        }
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        match self {
            Array::F64(numbers) => numbers.len(),
            Array::F32(numbers) => numbers.len(),
            Array::U64(numbers) => numbers.len(),
            Array::U32(numbers) => numbers.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A number that arrays can be of: `f64`, `f32`, `u64`, `u32`.
pub trait Element: Copy + Default + sealed::Sealed + 'static {
    /// Its type.
    const TYPE: Type;

    /// An array of numbers.
    fn array(numbers: Cow<'_, [Self]>) -> Array<'_>;

    /// The numbers of an array; the array itself where it has others.
    fn vector(array: Array<'_>) -> Result<Vec<Self>, Array<'_>>;

    /// Puts numbers into as many bytes as they take.
    fn put(numbers: &[Self], bytes: &mut [u8]);

    /// Puts bytes into as many numbers as they make.
    fn get(numbers: &mut [Self], bytes: &[u8]);
}

macro_rules! element {
    ($type:ty, $name:ident) => {
        impl sealed::Sealed for $type {}

        impl Element for $type {
            const TYPE: Type = Type::$name;

            fn array(numbers: Cow<'_, [Self]>) -> Array<'_> {
                Array::$name(numbers)
            }

            fn vector(array: Array<'_>) -> Result<Vec<Self>, Array<'_>> {
                if let Array::$name(numbers) = array {
                    Ok(numbers.into_owned())
                } else {
                    Err(array)
                }
            }

            fn put(numbers: &[Self], bytes: &mut [u8]) {
                let (words, _) = bytes.as_chunks_mut();
                for (word, x) in words.iter_mut().zip(numbers) {
                    *word = x.to_le_bytes();
                }
            }

            fn get(numbers: &mut [Self], bytes: &[u8]) {
                let (words, _) = bytes.as_chunks();
                for (x, word) in numbers.iter_mut().zip(words) {
                    *x = Self::from_le_bytes(*word);
                }
            }
        }
    };
}

element!(f64, F64);
element!(f32, F32);
element!(u64, U64);
element!(u32, U32);

impl<T: Element> From<Vec<T>> for Array<'_> {
    fn from(numbers: Vec<T>) -> Self {
        T::array(Cow::Owned(numbers))
    }
}

impl<'a, T: Element> From<&'a [T]> for Array<'a> {
    fn from(numbers: &'a [T]) -> Self {
        T::array(Cow::Borrowed(numbers))
    }
}
