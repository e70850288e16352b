//! What messages are made of, and memory for them.

use bytemuck::{AnyBitPattern, NoUninit};

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

/// A copy of a message.
pub(crate) fn copied(message: &[u8]) -> Result<Vec<u8>, Error> {
    let mut copy = room(message.len())?;
    copy.extend_from_slice(message);
    Ok(copy)
}

fn room<T>(count: usize) -> Result<Vec<T>, Error> {
    let mut items = Vec::new();
    let refused = |_| Error::NoMemory(count.saturating_mul(size_of::<T>()));
    items.try_reserve_exact(count).map_err(refused)?;
    Ok(items)
}
