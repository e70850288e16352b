//! What messages are made of, and memory for them.

use bytemuck::{AnyBitPattern, NoUninit, cast_slice, cast_slice_mut};
use nonius_linalg::cpu::memory::ask_for_large_pages;

use crate::Error;

/// A value that messages carry as its bytes. Numbers travel as limbs or as words.
pub trait Item: NoUninit + AnyBitPattern + Send + Sync {}

impl Item for u8 {}
impl Item for i32 {}
impl Item for u32 {}
impl Item for u64 {}
impl Item for i64 {}
impl Item for f32 {}
impl Item for f64 {}

/// An item that reductions take.
pub trait Ordered: Item {
    /// Sum; of integers modulo the power of two that they hold.
    fn plus(self, other: Self) -> Self;
    /// The lesser one; NaN where one of them is.
    fn least(self, other: Self) -> Self;
    /// The greater one; NaN where one of them is.
    fn greatest(self, other: Self) -> Self;
}

macro_rules! integers {
    ($($integer:ty),*) => {$(
        impl Ordered for $integer {
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            fn least(self, other: Self) -> Self {
                self.min(other)
            }

            fn greatest(self, other: Self) -> Self {
                self.max(other)
            }
        }
    )*};
}

integers!(i32, u32, u64, i64);

impl Ordered for f64 {
    fn plus(self, other: Self) -> Self {
        self + other
    }

    fn least(self, other: Self) -> Self {
        if self.is_nan() || self < other { self } else { other }
    }

    fn greatest(self, other: Self) -> Self {
        if self.is_nan() || self > other { self } else { other }
    }
}

/// So many zeros.
pub(crate) fn zeros<T: Item>(count: usize) -> Result<Vec<T>, Error> {
    let mut items = room(count)?;
    items.resize(count, T::zeroed());
    Ok(items)
}

/// Bytes of a message, in memory of their own.
#[derive(Debug)]
pub(crate) struct Message {
    words: Vec<u64>,
    length: usize,
}

impl Message {
    /// A copy.
    pub(crate) fn copied(bytes: &[u8]) -> Result<Self, Error> {
        let mut copy = Self::zeros(bytes.len())?;
        copy.bytes_mut().copy_from_slice(bytes);
        Ok(copy)
    }

    /// So many bytes, all zero.
    pub(crate) fn zeros(length: usize) -> Result<Self, Error> {
        Ok(Self { words: zeros(length.div_ceil(size_of::<u64>()))?, length })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &cast_slice(&self.words)[..self.length]
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut cast_slice_mut(&mut self.words)[..self.length]
    }

    pub(crate) fn into_words(self) -> Vec<u64> {
        self.words
    }
}

/// Whole words.
impl From<Vec<u64>> for Message {
    fn from(words: Vec<u64>) -> Self {
        Self { length: size_of_val(&words[..]), words }
    }
}

/// No items, and memory for so many.
pub(crate) fn room<T>(count: usize) -> Result<Vec<T>, Error> {
    let mut items = Vec::new();
    let refused = |_| Error::NoMemory(count.saturating_mul(size_of::<T>()));
    items.try_reserve_exact(count).map_err(refused)?;
    ask_for_large_pages(items.spare_capacity_mut());
    Ok(items)
}
