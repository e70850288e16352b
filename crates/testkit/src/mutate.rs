//! Damaged files: what a reader has to survive.

use crate::Random;

/// Words that break readers: limits of types, numbers that are none, signs, separators, controls.
const WORDS: [&str; 40] = [
    "0",
    "-1",
    "1",
    "2",
    "255",
    "65536",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "1000000000000",
    "1e308",
    "1e400",
    "-1e-400",
    "1e999999999999",
    "0x1p3",
    "nan",
    "inf",
    "-inf",
    "NaN",
    "1e",
    ".",
    "-",
    "+",
    "e5",
    "1.5.5",
    "\u{0}",
    "\u{1b}[31m",
    "\u{feff}",
    "é",
    "\n",
    "\r\n",
    "\t",
    " ",
    ",",
    "*",
    "%",
    "\"",
];

/// Returns `file` after one to eight changes at random places: bits flipped, bytes removed,
/// repeated or replaced by a word that breaks readers, numbers replaced, pieces of `other` put in,
/// the end cut off.
pub fn mutated(random: &mut Random, file: &[u8], other: &[u8]) -> Vec<u8> {
    let mut out = file.to_vec();
    for _ in 0..=random.below(8) {
        mutate(random, &mut out, other);
    }
    out
}

fn mutate(random: &mut Random, out: &mut Vec<u8>, other: &[u8]) {
    let at = random.below(out.len() + 1);
    let length = 1 << random.below(8);
    let end = (at + random.below(length) + 1).min(out.len());
    match random.below(10) {
        0 if at < out.len() => out[at] ^= 1 << random.below(8),
        1 if at < out.len() => out[at] = random.bits() as u8,
        2 => drop(out.drain(at..end.max(at))),
        3 => {
            let piece = out[at..end.max(at)].to_vec();
            out.splice(at..at, piece);
        }
        4 => out.truncate(at),
        5 if !other.is_empty() => {
            let from = random.below(other.len());
            let to = (from + length).min(other.len());
            out.splice(at..at, other[from..to].iter().copied());
        }
        6 => replace_number(random, out, at),
        7 => replace_line(random, out, at),
        _ => {
            let word = WORDS[random.below(WORDS.len())].bytes();
            out.splice(at..end.max(at).min(at + 4).min(out.len()), word);
        }
    }
}

/// Replaces the number that follows `at`.
fn replace_number(random: &mut Random, out: &mut Vec<u8>, at: usize) {
    let Some(skipped) = out[at..].iter().position(u8::is_ascii_digit) else { return };
    let start = at + skipped;
    let length = out[start..].iter().position(|byte| !byte.is_ascii_digit());
    let end = length.map_or(out.len(), |length| start + length);
    let word = WORDS[random.below(WORDS.len())].bytes();
    out.splice(start..end, word);
}

/// Removes the line that follows `at`, or says it twice.
fn replace_line(random: &mut Random, out: &mut Vec<u8>, at: usize) {
    let Some(skipped) = out[at..].iter().position(|&byte| byte == b'\n') else { return };
    let start = at + skipped + 1;
    let length = out[start..].iter().position(|&byte| byte == b'\n');
    let end = length.map_or(out.len(), |length| start + length + 1);
    if random.bits() & 1 == 0 {
        out.drain(start..end);
    } else {
        let line = out[start..end].to_vec();
        out.splice(start..start, line);
    }
}

#[cfg(test)]
mod tests {
    use super::mutated;
    use crate::random_cases;

    #[test]
    fn random_files_of_any_length_are_damaged() {
        random_cases("mutated", 1000, |random| {
            let length = random.below(40);
            let file: Vec<u8> = (0..length).map(|_| b"0123 456\n789 a"[random.below(14)]).collect();
            let damaged = mutated(random, &file, b"other 12\n");
            assert!(damaged.len() < 4096);
        });
    }
}
