//! Numbers as messages.

use nonius_linalg::{Slice, SliceMut};
use nonius_num::mp::Head;
use nonius_num::{Element, Mp, MultiFloat};

/// Numbers that travel between ranks, as words.
pub trait Packed: Element {
    /// Words of a number.
    fn words_of(format: Self::Format) -> usize;

    /// Appends the words of numbers.
    fn pack(numbers: Slice<'_, Self>, words: &mut Vec<u64>);

    /// Takes the words of as many numbers as there are places.
    fn unpack(words: &[u64], numbers: SliceMut<'_, Self>);
}

impl Packed for f32 {
    fn words_of((): ()) -> usize {
        1
    }

    fn pack(numbers: Slice<'_, Self>, words: &mut Vec<u64>) {
        words.extend(numbers.cells().iter().map(|x| u64::from(x.to_bits())));
    }

    fn unpack(words: &[u64], numbers: SliceMut<'_, Self>) {
        let places = numbers.plain().iter_mut().zip(words);
        places.for_each(|(x, &word)| *x = Self::from_bits(word as u32));
    }
}

impl Packed for f64 {
    fn words_of((): ()) -> usize {
        1
    }

    fn pack(numbers: Slice<'_, Self>, words: &mut Vec<u64>) {
        words.extend(numbers.cells().iter().map(|x| x.to_bits()));
    }

    fn unpack(words: &[u64], numbers: SliceMut<'_, Self>) {
        numbers.plain().iter_mut().zip(words).for_each(|(x, &word)| *x = Self::from_bits(word));
    }
}

impl<const N: usize> Packed for MultiFloat<N>
where
    Self: Element<Cell = Self, Format = ()>,
{
    fn words_of((): ()) -> usize {
        N
    }

    fn pack(numbers: Slice<'_, Self>, words: &mut Vec<u64>) {
        let start = words.len();
        words.resize(start + N * numbers.len(), 0);
        let (places, _) = words[start..].as_chunks_mut::<N>();
        let numbers = numbers.cells().iter().zip(places);
        numbers.for_each(|(x, place)| *place = x.limbs().map(f64::to_bits));
    }

    fn unpack(words: &[u64], numbers: SliceMut<'_, Self>) {
        let (words, _) = words.as_chunks::<N>();
        let places = numbers.plain().iter_mut().zip(words);
        places.for_each(|(x, &word)| *x = Self::from_limbs(word.map(f64::from_bits)));
    }
}

impl Packed for Mp {
    fn words_of(bits: Self::Format) -> usize {
        1 + bits.words()
    }

    fn pack(numbers: Slice<'_, Self>, words: &mut Vec<u64>) {
        let (heads, digits) = numbers.parts();
        for (head, digits) in heads.iter().zip(digits.chunks_exact(numbers.bits().words())) {
            words.push(head.to_bits().into());
            words.extend_from_slice(digits);
        }
    }

    fn unpack(words: &[u64], numbers: SliceMut<'_, Self>) {
        let size = numbers.format().words();
        let (heads, digits) = numbers.into_parts();
        let places = heads.iter_mut().zip(digits.chunks_exact_mut(size));
        for ((head, digits), words) in places.zip(words.chunks_exact(1 + size)) {
            *head = Head::from_bits(words[0] as u32);
            digits.copy_from_slice(&words[1..]);
        }
    }
}
