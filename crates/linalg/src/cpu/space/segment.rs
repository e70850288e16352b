//! Vectors in the host's memory that are parts of longer ones.

use core::ops::Range;

use nonius_num::RnsFloat;
use nonius_num::mp::Head;
use nonius_num::rns::float::{Format, RnsNumbers, RnsRef};

use super::{HostSpace, MP_BLOCK, RnsSpace};
use crate::backend::{SEGMENT, Segments};
use crate::cpu::reduce::BLOCKS;
use crate::{Number, Numbers};

const _: () = {
    assert!(SEGMENT.is_multiple_of(MP_BLOCK));
    let mut limbs = 1;
    while limbs < BLOCKS.len() {
        assert!(SEGMENT.is_multiple_of(BLOCKS[limbs]));
        limbs += 1;
    }
};

impl<T: Number> Segments for HostSpace<T> {
    fn words(&self) -> usize {
        size_of::<T::Cell>().div_ceil(size_of::<u64>()) + T::words(self.format())
    }

    fn dot_within(&mut self, range: Range<usize>, x: &Numbers<T>, y: &Numbers<T>, to: &mut T) {
        let (x, y) = (x.as_slice().range(range.clone()), y.as_slice().range(range));
        *to = T::sum_blocks(self.arithmetic(), x, y, &mut self.sums);
    }

    fn is_finite(&self, x: &T) -> bool {
        x.is_finite()
    }

    fn pack_number(&self, x: &T, words: &mut Vec<u64>) {
        let mut number = Numbers::with_capacity(self.format(), 1);
        number.push(*x);
        T::pack_entries(number.as_slice(), words);
    }

    fn unpack_number(&self, words: &[u64], to: &mut T) {
        let mut number = Numbers::zeros(self.format(), 1);
        T::unpack_entries(words, number.as_mut_slice());
        *to = number.at(0);
    }

    fn pack(&self, x: &Numbers<T>, range: Range<usize>, words: &mut Vec<u64>) {
        T::pack_entries(x.as_slice().range(range), words);
    }

    fn unpack(&self, words: &[u64], to: &mut Numbers<T>, range: Range<usize>) {
        T::unpack_entries(words, to.as_mut_slice().range(range));
    }

    fn place(&mut self, from: &Numbers<T>, first: usize, to: &mut Numbers<T>, range: Range<usize>) {
        let from = from.as_slice().range(first..first + range.len());
        to.as_mut_slice().range(range).copy_from(from);
    }
}

/// Words of the residues of a number.
fn words_of_residues(format: &Format) -> usize {
    format.lanes().div_ceil(2)
}

/// Head and bounds, then the residues by twos.
fn pack(x: RnsRef<'_>, words: &mut Vec<u64>) {
    words.extend([x.head().to_bits().into(), x.bounds().low(), x.bounds().high()]);
    let two = |two: &[u32]| two.iter().rev().fold(0, |word, &one| word << 32 | u64::from(one));
    words.extend(x.stored().chunks(2).map(two));
}

/// The number of these words; NaN where they are no number's.
fn unpacked(format: &Format, words: &[u64]) -> RnsFloat {
    let (head, bounds) = (Head::from_bits(words[0] as u32), (words[1], words[2]));
    let halves = words[3..].iter().flat_map(|&word| [word as u32, (word >> 32) as u32]);
    let residues: Vec<u32> = halves.take(format.lanes()).collect();
    let number = RnsFloat::from_stored(format, head, bounds, &residues);
    number.unwrap_or_else(|| RnsFloat::nan(format))
}

impl Segments for RnsSpace {
    fn words(&self) -> usize {
        3 + words_of_residues(self.format())
    }

    fn dot_within(
        &mut self,
        range: Range<usize>,
        x: &RnsNumbers,
        y: &RnsNumbers,
        to: &mut RnsFloat,
    ) {
        *to = self.sum_products(x.as_slice().range(range.clone()), y.as_slice().range(range));
    }

    fn is_finite(&self, x: &RnsFloat) -> bool {
        x.is_finite()
    }

    fn pack_number(&self, x: &RnsFloat, words: &mut Vec<u64>) {
        pack(x.view(), words);
    }

    fn unpack_number(&self, words: &[u64], to: &mut RnsFloat) {
        *to = unpacked(self.format(), words);
    }

    fn pack(&self, x: &RnsNumbers, range: Range<usize>, words: &mut Vec<u64>) {
        range.for_each(|i| pack(x.at(i), words));
    }

    fn unpack(&self, words: &[u64], to: &mut RnsNumbers, range: Range<usize>) {
        let numbers = range.zip(words.chunks_exact(self.words()));
        numbers.for_each(|(i, words)| to.set(i, unpacked(self.format(), words).view()));
    }

    fn place(&mut self, from: &RnsNumbers, first: usize, to: &mut RnsNumbers, range: Range<usize>) {
        range.zip(first..).for_each(|(i, k)| to.set(i, from.at(k)));
    }
}

#[cfg(test)]
mod tests {
    use nonius_num::mp::Bits;
    use nonius_num::{Dd, Mp, Qd};

    use super::*;
    use crate::backend::NumberOp;

    /// Numbers of all digits, from `f64`s.
    fn filled<S: Segments>(space: &mut S, n: usize, seed: f64) -> S::Vector {
        let (mut x, mut words) = (space.vector(n).unwrap(), Vec::new());
        let [mut a, mut b, mut q] = [(); 3].map(|()| space.number());
        for i in 0..n {
            space.set(seed + i as f64, &mut a);
            space.set(7.0 + (i % 11) as f64, &mut b);
            space.compute(NumberOp::Div, &a, &b, &mut q);
            space.pack_number(&q, &mut words);
        }
        space.unpack(&words, &mut x, 0..n);
        x
    }

    /// Sums of segments, added as a tree, are the sum of the whole; words are those of numbers.
    fn check<S: Segments>(mut space: S) {
        let n = 3 * SEGMENT + 100;
        let (x, y) = (filled(&mut space, n, 1.0), filled(&mut space, n, -9.0));
        let [mut whole, mut left, mut right, mut sum] = [(); 4].map(|()| space.number());
        space.dot(&x, &y, &mut whole);
        space.dot_within(0..2 * SEGMENT, &x, &y, &mut left);
        space.dot_within(2 * SEGMENT..n, &x, &y, &mut right);
        space.compute(NumberOp::Add, &left, &right, &mut sum);
        let words = |space: &S, x: &S::Number| {
            let mut words = Vec::new();
            space.pack_number(x, &mut words);
            assert_eq!(words.len(), space.words());
            words
        };
        assert_eq!(words(&space, &sum), words(&space, &whole));
        assert_ne!(words(&space, &left), words(&space, &whole));
        assert!(space.is_finite(&whole));
        space.compute(NumberOp::Div, &whole, &space.number(), &mut sum);
        assert!(!space.is_finite(&sum));
        let again = words(&space, &sum);
        space.unpack_number(&again, &mut left);
        assert_eq!(words(&space, &left), again);

        let (mut some, mut few) = (Vec::new(), space.vector(5).unwrap());
        space.pack(&x, 1..4, &mut some);
        space.pack(&x, 9..9, &mut some);
        space.pack(&x, 20..22, &mut some);
        space.unpack(&some, &mut few, 0..5);
        let mut z = space.vector(n).unwrap();
        space.place(&few, 0, &mut z, 1..4);
        space.place(&few, 3, &mut z, 20..22);
        let mut placed = Vec::new();
        space.pack(&z, 1..4, &mut placed);
        space.pack(&z, 20..22, &mut placed);
        assert_eq!(placed, some);
        space.dot(&z, &z, &mut whole);
        space.dot(&few, &few, &mut sum);
        assert!(space.is_finite(&sum) && words(&space, &sum) != words(&space, &space.number()));
    }

    #[test]
    fn sums_of_segments_are_those_of_the_whole() {
        check(HostSpace::<f64>::new(()));
        check(HostSpace::<Dd>::new(()));
        check(HostSpace::<Qd>::new(()));
        check(HostSpace::<Mp>::new(Bits::new(212).unwrap()));
        check(RnsSpace::new(&Format::with_bits(106).unwrap()).unwrap());
    }
}
