//! Vectors whose limbs lie in planes.

use core::marker::PhantomData;

use super::Operand;
use crate::cpu::elementwise::{Sink, Source, compute, transfer};
use crate::cpu::limbs::{limbs_of, limbs_of_mut};
use crate::operation::Operations;
use crate::{Error, Scalar};

/// A vector stored as a structure of arrays: all first limbs, then all second limbs, and so on.
///
/// The layout that registers and devices compute with: nothing has to be shuffled on the way.
/// Planes begin at multiples of 64 bytes.
#[derive(Debug)]
pub struct Planes<T> {
    data: Vec<f64>,
    /// Where the first plane begins in `data`.
    begin: usize,
    /// From one plane to the next.
    stride: usize,
    length: usize,
    scalar: PhantomData<T>,
}

/// A cache line, in numbers.
const LINE: usize = 8;

/// Numbers in a page: addresses that differ by a multiple of it compete for the same places in a
/// cache.
const PAGE: usize = 512;

impl<T: Scalar> Planes<T> {
    /// A vector of zeros.
    pub fn zeros(length: usize) -> Self {
        let lines = length.next_multiple_of(LINE);
        // An odd number of lines beyond a page keeps the planes out of each other's way.
        let stride = if lines.is_multiple_of(PAGE) { lines + 5 * LINE } else { lines };
        let data = vec![0.0; T::LIMBS * stride + LINE];
        let begin = data.as_ptr().align_offset(LINE * size_of::<f64>()).min(LINE);
        Self { data, begin, stride, length, scalar: PhantomData }
    }

    /// The numbers of a slice.
    pub fn from_slice(numbers: &[T]) -> Self {
        let mut planes = Self::zeros(numbers.len());
        transfer(T::LIMBS, Source::Interleaved(limbs_of(numbers)), planes.sink());
        planes
    }

    /// The numbers one after the other.
    pub fn to_vec(&self) -> Vec<T> {
        let mut numbers = vec![T::ZERO; self.length];
        transfer(T::LIMBS, self.source(), Sink::Interleaved(limbs_of_mut(&mut numbers)));
        numbers
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is no number.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Limb `limb` of all numbers.
    pub fn plane(&self, limb: usize) -> &[f64] {
        assert!(limb < T::LIMBS, "limb {limb} of {}", T::LIMBS);
        &self.data[self.begin + limb * self.stride..][..self.length]
    }

    /// Limb `limb` of all numbers, to be changed.
    pub fn plane_mut(&mut self, limb: usize) -> &mut [f64] {
        assert!(limb < T::LIMBS, "limb {limb} of {}", T::LIMBS);
        &mut self.data[self.begin + limb * self.stride..][..self.length]
    }

    /// Number `i`.
    pub fn get(&self, i: usize) -> T {
        T::from_limbs(|limb| self.plane(limb)[i])
    }

    /// Changes number `i`.
    pub fn set(&mut self, i: usize, x: T) {
        for limb in 0..T::LIMBS {
            self.plane_mut(limb)[i] = x.limb(limb);
        }
    }

    /// `self ← operation(operands)`, number by number; as [`elementwise`](super::elementwise).
    ///
    /// # Errors
    /// [`Error::Shape`] when an operand has another length.
    pub fn assign<const K: usize>(
        &mut self,
        operation: impl Operations<K>,
        operands: [Operand<T, &Self>; K],
    ) -> Result<(), Error> {
        for (operand, name) in operands.iter().zip(Operand::<T, &Self>::NAMES) {
            if let Operand::Entries(x) = operand {
                Error::check_length(name, self.length, x.length)?;
            }
        }
        let sources = operands.map(|operand| match operand {
            Operand::Entries(x) => x.source(),
            Operand::Scalar(x) => Source::constant(x),
            Operand::Output => Source::Sink,
        });
        compute(operation, T::LIMBS, sources, self.sink());
        Ok(())
    }

    fn source(&self) -> Source<'_> {
        Source::Planar(core::array::from_fn(
            |limb| {
                if limb < T::LIMBS { self.plane(limb) } else { &[] }
            },
        ))
    }

    fn sink(&mut self) -> Sink<'_> {
        let mut rest = &mut self.data[self.begin..];
        Sink::Planar(core::array::from_fn(|limb| {
            if limb >= T::LIMBS {
                return Default::default();
            }
            let (plane, after) = core::mem::take(&mut rest).split_at_mut(self.stride);
            rest = after;
            &mut plane[..self.length]
        }))
    }
}

impl<T: Scalar> Clone for Planes<T> {
    fn clone(&self) -> Self {
        let mut planes = Self::zeros(self.length);
        transfer(T::LIMBS, self.source(), planes.sink());
        planes
    }
}

impl<T: Scalar> PartialEq for Planes<T> {
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length && (0..self.length).all(|i| self.get(i) == other.get(i))
    }
}

impl<'a, T> From<&'a Planes<T>> for Operand<T, &'a Planes<T>> {
    fn from(x: &'a Planes<T>) -> Self {
        Operand::Entries(x)
    }
}
