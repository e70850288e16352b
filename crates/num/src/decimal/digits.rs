//! Between integers and decimal digits, nineteen at a time.

use alloc::vec::Vec;

use crate::integers::big::Big;
use crate::integers::words::Divisor;

/// `10^19`, the greatest power of ten in a word.
pub(crate) const CHUNK: u64 = 10_000_000_000_000_000_000;
/// Digits of a chunk.
pub(crate) const CHUNK_DIGITS: usize = 19;

/// `10^19`, whose highest bit is set, as a divisor.
const BY_CHUNK: Divisor = Divisor::new(CHUNK);

/// The integer that the ASCII digits denote.
pub(crate) fn from_digits<'a>(digits: impl Iterator<Item = &'a u8>) -> Big {
    let mut integer = Big::from_words(&[]);
    let (mut chunk, mut scale) = (0, 1_u64);
    for digit in digits {
        chunk = 10 * chunk + u64::from(digit - b'0');
        scale *= 10;
        if scale == CHUNK {
            integer.multiply_add_small(scale, chunk);
            (chunk, scale) = (0, 1);
        }
    }
    integer.multiply_add_small(scale, chunk);
    integer
}

/// Takes the number apart into digits to the base `10^19`, least significant first, calling `emit`
/// for each; `words` end as zeros. Zero has none.
#[inline]
pub(crate) fn to_chunks(words: &mut [u64], mut emit: impl FnMut(u64)) {
    let mut length = words.len();
    loop {
        while length > 0 && words[length - 1] == 0 {
            length -= 1;
        }
        if length == 0 {
            return;
        }
        let mut remainder = 0;
        for word in words[..length].iter_mut().rev() {
            (*word, remainder) = BY_CHUNK.divide(remainder, *word);
        }
        emit(remainder);
    }
}

/// Appends the digits of a number given in chunks, least significant first, without leading zeros;
/// returns how many.
#[inline]
pub(crate) fn append_chunks(chunks: &[u64], out: &mut Vec<u8>) -> usize {
    let start = out.len();
    let (&leading, rest) = chunks.split_last().unwrap_or((&0, &[]));
    let text = chunk_digits(leading);
    let zeros = text[1..].iter().zip(&text).take_while(|(_, digit)| **digit == b'0').count();
    out.extend_from_slice(&text[zeros..]);
    for &chunk in rest.iter().rev() {
        out.extend_from_slice(&chunk_digits(chunk));
    }
    out.len() - start
}

/// Nineteen digits.
#[inline(always)]
fn chunk_digits(chunk: u64) -> [u8; CHUNK_DIGITS] {
    let mut text = [0; CHUNK_DIGITS];
    let (rest, low) = (chunk / 100_000_000, chunk % 100_000_000);
    let (high, middle) = (rest / 100_000_000, rest % 100_000_000);
    text[0] = b'0' + (high / 100) as u8;
    text[1] = b'0' + (high / 10 % 10) as u8;
    text[2] = b'0' + (high % 10) as u8;
    text[3..11].copy_from_slice(&eight_digits(middle));
    text[11..].copy_from_slice(&eight_digits(low));
    text
}

/// The digits of a number below `10^8`: split in halves three times, all parts of a word at once.
///
/// `⌊x/100⌋ = ⌊10486x / 2^20⌋` for `x < 10^4` and `⌊x/10⌋ = ⌊103x / 2^10⌋` for `x < 100`.
#[inline(always)]
fn eight_digits(x: u64) -> [u8; 8] {
    let halves = (x / 10_000) | (x % 10_000) << 32;
    let hundreds = ((halves * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let pairs = hundreds | ((halves - 100 * hundreds) << 16);
    let tens = ((pairs * 103) >> 10) & 0x000f_000f_000f_000f;
    let digits = tens | ((pairs - 10 * tens) << 8);
    (digits | 0x3030_3030_3030_3030).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::super::testing::Random;
    use super::*;

    #[test]
    fn eight_digits_of_every_pair_of_halves() {
        for x in (0..10_000).map(|half| half * 10_001).chain(0..20_000) {
            assert_eq!(eight_digits(x), format!("{x:08}").as_bytes());
        }
    }

    #[test]
    fn chunks_of_random_integers() {
        let mut random = Random::new(30);
        for round in 0..50_000_u32 {
            let high = [random.next(), u64::MAX, 0, CHUNK - 1][round as usize % 4];
            let low = [random.next(), u64::MAX, 0, CHUNK - 1, CHUNK][round as usize % 5];
            let x = u128::from(high) << 64 | u128::from(low);
            let mut chunks = Vec::new();
            to_chunks(&mut [low, high, 0], |chunk| chunks.push(chunk));
            let mut text = Vec::new();
            append_chunks(&chunks, &mut text);
            assert_eq!(text, format!("{x}").as_bytes());
            let divisor = u128::from(CHUNK);
            let dividend = u128::from(high % CHUNK) << 64 | u128::from(low);
            let expected = ((dividend / divisor) as u64, (dividend % divisor) as u64);
            assert_eq!(BY_CHUNK.divide(high % CHUNK, low), expected);
        }
    }
}
