//! Vectors in the host's memory that are parts of longer ones.

use core::ops::Range;

use nonius_num::RnsFloat;
use nonius_num::mp::Head;
use nonius_num::rns::float::{Format, RnsNumbers, RnsRef};

use super::{HostSpace, MP_BLOCK, RnsSpace};
use crate::backend::{SEGMENT, Segments, Words};
use crate::cpu::reduce::BLOCKS;
use crate::{Error, Number, Numbers};

const _: () = {
    assert!(SEGMENT.is_multiple_of(MP_BLOCK));
    let mut limbs = 1;
    while limbs < BLOCKS.len() {
        assert!(SEGMENT.is_multiple_of(BLOCKS[limbs]));
        limbs += 1;
    }
};

impl<T: Number> Segments for HostSpace<T> {
    type Pairs = Vec<(usize, usize)>;

    fn pairs(&self, pairs: &[(usize, usize)]) -> Result<Self::Pairs, Error> {
        Ok(pairs.into())
    }

    fn sum_ranges(
        &mut self,
        ranges: &Self::Pairs,
        x: &Numbers<T>,
        y: &Numbers<T>,
        to: &mut Numbers<T>,
    ) {
        for (k, &(begin, end)) in ranges.iter().enumerate() {
            let [x, y] = [x, y].map(|x| x.as_slice().range(begin..end));
            to.set(k, T::sum_products(self.arithmetic(), x, y, &mut self.sums));
        }
    }

    fn add_pairs(&mut self, pairs: &Self::Pairs, x: &mut Numbers<T>, to: &mut T) {
        pairs.iter().for_each(|&(i, j)| x.set(i, x.at(i) + x.at(j)));
        *to = x.at(0);
    }

    fn move_entries(&mut self, moves: &Self::Pairs, from: &Numbers<T>, to: &mut Numbers<T>) {
        let mut to = to.as_mut_slice();
        for &(i, j) in moves {
            to.reborrow().range(j..j + 1).copy_from(from.as_slice().range(i..i + 1));
        }
    }

    fn place(&mut self, from: &Numbers<T>, first: usize, to: &mut Numbers<T>, range: Range<usize>) {
        let from = from.as_slice().range(first..first + range.len());
        to.as_mut_slice().range(range).copy_from(from);
    }
}

impl<T: Number> Words for HostSpace<T> {
    fn words(&self) -> usize {
        size_of::<T::Cell>().div_ceil(size_of::<u64>()) + T::words(self.format())
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

/// A copy; NaN where it is no number of the format.
fn number(format: &Format, x: RnsRef<'_>) -> RnsFloat {
    let bounds = (x.bounds().low(), x.bounds().high());
    let number = RnsFloat::from_stored(format, x.head(), bounds, x.stored());
    number.unwrap_or_else(|| RnsFloat::nan(format))
}

impl Segments for RnsSpace {
    type Pairs = Vec<(usize, usize)>;

    fn pairs(&self, pairs: &[(usize, usize)]) -> Result<Self::Pairs, Error> {
        Ok(pairs.into())
    }

    fn sum_ranges(
        &mut self,
        ranges: &Self::Pairs,
        x: &RnsNumbers,
        y: &RnsNumbers,
        to: &mut RnsNumbers,
    ) {
        for (k, &(begin, end)) in ranges.iter().enumerate() {
            let [x, y] = [x, y].map(|x| x.as_slice().range(begin..end));
            to.set(k, self.sum_products(x, y).view());
        }
    }

    fn add_pairs(&mut self, pairs: &Self::Pairs, x: &mut RnsNumbers, to: &mut RnsFloat) {
        for &(i, j) in pairs {
            let [left, right] = [i, j].map(|i| number(self.format(), x.at(i)));
            x.set(i, (&left + &right).view());
        }
        *to = number(self.format(), x.at(0));
    }

    fn move_entries(&mut self, moves: &Self::Pairs, from: &RnsNumbers, to: &mut RnsNumbers) {
        moves.iter().for_each(|&(i, j)| to.set(j, from.at(i)));
    }

    fn place(&mut self, from: &RnsNumbers, first: usize, to: &mut RnsNumbers, range: Range<usize>) {
        range.zip(first..).for_each(|(i, k)| to.set(i, from.at(k)));
    }
}

impl Words for RnsSpace {
    fn words(&self) -> usize {
        3 + words_of_residues(self.format())
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
}

#[cfg(test)]
mod tests {
    use nonius_num::mp::Bits;
    use nonius_num::{Dd, Mp, Qd};

    use super::*;
    use crate::backend::NumberOp;

    /// Numbers of all digits, from `f64`s.
    fn filled<S: Words>(space: &mut S, n: usize, seed: f64) -> S::Vector {
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

    fn words<S: Words>(space: &S, x: &S::Number) -> Vec<u64> {
        let mut words = Vec::new();
        space.pack_number(x, &mut words);
        assert_eq!(words.len(), space.words());
        words
    }

    fn all_words<S: Words>(space: &S, x: &S::Vector) -> Vec<u64> {
        let mut words = Vec::new();
        space.pack(x, 0..space.length(x), &mut words);
        words
    }

    /// Sums of segments, added as a tree, are the sum of the whole; words are those of numbers.
    fn check<S: Segments + Words>(mut space: S) {
        let n = 3 * SEGMENT + 100;
        let (x, y) = (filled(&mut space, n, 1.0), filled(&mut space, n, -9.0));
        let [mut whole, mut sum] = [(); 2].map(|()| space.number());
        space.dot(&x, &y, &mut whole);
        let mut sums = space.vector(2).unwrap();
        let ranges = space.pairs(&[(0, 2 * SEGMENT), (2 * SEGMENT, n)]).unwrap();
        space.sum_ranges(&ranges, &x, &y, &mut sums);
        let pairs = space.pairs(&[(0, 1)]).unwrap();
        let none = space.pairs(&[]).unwrap();
        space.add_pairs(&none, &mut sums, &mut sum);
        assert_ne!(words(&space, &sum), words(&space, &whole));
        space.add_pairs(&pairs, &mut sums, &mut sum);
        assert_eq!(words(&space, &sum), words(&space, &whole));
        let again = words(&space, &sum);
        space.unpack_number(&again, &mut whole);
        assert_eq!(words(&space, &whole), again);
    }

    /// Entries on their way.
    fn check_moves<S: Segments + Words>(mut space: S) {
        let x = filled(&mut space, 30, 1.0);
        let [mut few, mut one_by_one] = [5, 5].map(|n| space.vector(n).unwrap());
        let gathered = space.pairs(&[(20, 3), (1, 0), (2, 1), (21, 4), (3, 2)]).unwrap();
        space.move_entries(&gathered, &x, &mut few);
        space.place(&x, 1, &mut one_by_one, 0..3);
        space.place(&x, 20, &mut one_by_one, 3..5);
        assert_eq!(all_words(&space, &few), all_words(&space, &one_by_one));
        let mut some = Vec::new();
        for range in [1..4, 9..9, 20..22] {
            space.pack(&x, range, &mut some);
        }
        assert_eq!(all_words(&space, &few), some);
        space.clear(&mut few);
        space.unpack(&some, &mut few, 0..5);
        assert_eq!(all_words(&space, &few), some);
    }

    fn all<S: Segments + Words + Clone>(space: S) {
        check(space.clone());
        check_moves(space);
    }

    #[test]
    fn sums_of_segments_are_those_of_the_whole() {
        all(HostSpace::<f64>::new(()));
        all(HostSpace::<Dd>::new(()));
        all(HostSpace::<Qd>::new(()));
        all(HostSpace::<Mp>::new(Bits::new(212).unwrap()));
        all(RnsSpace::new(&Format::with_bits(106).unwrap()).unwrap());
    }
}
