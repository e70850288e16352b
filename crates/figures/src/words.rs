//! Words of a figure: fit to print, and to their room.

use nonius_files::text::printable;

use crate::font::width;

/// Characters of a name that are looked at, from its beginning and from its end.
const LOOKED_AT: usize = 400;

/// Words without control characters and without what XML cannot hold.
pub(crate) fn clean(words: &str) -> String {
    let words = printable(words);
    let words = words.trim();
    words
        .chars()
        .map(|c| if matches!(c, '\u{fffe}' | '\u{ffff}') { '\u{fffd}' } else { c })
        .collect()
}

/// A name of that width at most, without its middle where it is longer: names of one figure often
/// begin alike.
pub(crate) fn shortened(name: &str, size: f64, room: f64) -> String {
    let name = clean(name);
    let characters: Vec<char> = name.chars().collect();
    if characters.len() <= 2 * LOOKED_AT && width(&name, size) <= room {
        return name;
    }
    let cut = |kept: usize| {
        let tail = kept / 3;
        let head = characters[..kept - tail].iter();
        head.chain(['…'].iter()).chain(&characters[characters.len() - tail..]).collect::<String>()
    };
    let most = (characters.len() - 1).min(LOOKED_AT);
    // The longest that fits, by bisection.
    let (mut fits, mut too_long) = (0, most + 1);
    while too_long - fits > 1 {
        let middle = fits.midpoint(too_long);
        if width(&cut(middle), size) <= room {
            fits = middle;
        } else {
            too_long = middle;
        }
    }
    cut(fits)
}

/// Lines of that width at most; the last has the rest, shortened.
pub(crate) fn wrapped(words: &str, size: f64, room: f64, lines: usize) -> Vec<String> {
    let words = clean(words);
    let mut found: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
        let is_last = found.len() == lines;
        match found.last_mut() {
            Some(line) if is_last || width(line, size) + width(word, size) + size / 3.0 <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => found.push(word.to_owned()),
        }
    }
    found.iter().map(|line| shortened(line, size, room)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_ends() {
        assert_eq!(shortened(" a\u{1b}b\u{ffff} ", 13.0, 200.0), "a\\u{1b}b\u{fffd}");
        let long = format!("probe {} u1", "x".repeat(300));
        for name in [long.clone(), long.repeat(5000), "漢".repeat(3000)] {
            for room in [0.0, 5.0, 40.0, 100.0, 300.0] {
                let found = shortened(&name, 13.0, room);
                assert!(found.contains('…') && width(&found, 13.0) <= room.max(14.0), "{found}");
            }
        }
        let found = shortened(&long, 13.0, 120.0);
        assert!(found.starts_with("probe x") && found.ends_with("x u1"), "{found}");
    }

    #[test]
    fn titles_are_wrapped() {
        let words = "rates of products of matrices against the bits of a number";
        assert_eq!(wrapped(words, 15.0, 2000.0, 2), [words]);
        let found = wrapped(words, 15.0, 250.0, 3);
        assert_eq!(found.join(" "), words);
        assert!(found.len() > 1 && found.iter().all(|line| width(line, 15.0) <= 250.0));
        let found = wrapped(words, 15.0, 100.0, 2);
        assert!(found.len() == 2 && found[1].contains('…'), "{found:?}");
        assert!(wrapped(" ", 15.0, 100.0, 2).is_empty());
        assert_eq!(wrapped(&"y".repeat(9999), 15.0, 100.0, 2).len(), 1);
    }
}
