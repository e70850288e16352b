//! Every way in which a Matrix Market file can be wrong, with the exact message.

use std::io::{self, Read};

use nonius_linalg::sparse::matrix_market::{Problem, read};

fn message(text: impl AsRef<[u8]>) -> String {
    read::<f64>(text.as_ref()).expect_err("a malformed file was read").to_string()
}

const GENERAL: &str = "%%MatrixMarket matrix coordinate real general\n";
const INTEGER: &str = "%%MatrixMarket matrix coordinate integer general\n";
const PATTERN: &str = "%%MatrixMarket matrix coordinate pattern general\n";
const SYMMETRIC: &str = "%%MatrixMarket matrix coordinate real symmetric\n";
const SKEW: &str = "%%MatrixMarket matrix coordinate real skew-symmetric\n";
const ARRAY: &str = "%%MatrixMarket matrix array real general\n";

#[test]
fn banner() {
    assert_eq!(message(""), "the file is empty: expected the banner `%%MatrixMarket matrix ...`");
    let banner = |line: &str| message(format!("{line}\n1 1 1\n1 1 1\n"));
    assert_eq!(banner("1 1 1"), "line 1: expected the banner `%%MatrixMarket`, found `1`");
    assert_eq!(banner(""), "line 1: expected the banner `%%MatrixMarket`, found nothing");
    assert_eq!(
        banner("%MatrixMarket matrix coordinate real general"),
        "line 1: expected the banner `%%MatrixMarket`, found `%MatrixMarket`"
    );
    assert_eq!(
        banner("%%MatrixMarket matrix coordinate real"),
        "line 1: expected the five words `%%MatrixMarket matrix FORMAT FIELD SYMMETRY`, found 4"
    );
    assert_eq!(
        banner("%%MatrixMarket matrix coordinate real general dense"),
        "line 1: expected the five words `%%MatrixMarket matrix FORMAT FIELD SYMMETRY`, found 6"
    );
    assert_eq!(
        banner("%%MatrixMarket vector coordinate real general"),
        "line 1: expected the object `matrix`, found `vector`"
    );
    assert_eq!(
        banner("%%MatrixMarket matrix dense real general"),
        "line 1: expected the format `coordinate` or `array`, found `dense`"
    );
    assert_eq!(
        banner("%%MatrixMarket matrix coordinate float general"),
        "line 1: expected the field `real`, `integer` or `pattern`, found `float`"
    );
    assert_eq!(
        banner("%%MatrixMarket matrix coordinate real upper"),
        "line 1: expected the symmetry `general`, `symmetric` or `skew-symmetric`, found `upper`"
    );
    assert_eq!(
        banner("%%MatrixMarket matrix coordinate complex general"),
        "line 1: expected a real matrix, found `complex`: complex matrices are not supported"
    );
    assert_eq!(
        banner("%%MatrixMarket matrix coordinate real Hermitian"),
        "line 1: expected a real matrix, found `Hermitian`: complex matrices are not supported"
    );
    assert_eq!(
        banner("%%MatrixMarket matrix array pattern general"),
        "line 1: expected `real` or `integer` before `array`, found `pattern`: the format has no array pattern"
    );
    assert_eq!(
        banner("%%MatrixMarket matrix coordinate pattern skew-symmetric"),
        "line 1: expected `real` or `integer` before `skew-symmetric`, found `pattern`: \
         the format has no skew-symmetric pattern"
    );
}

#[test]
fn sizes() {
    let coordinate = |lines: &str| message(format!("{GENERAL}{lines}"));
    let array = |lines: &str| message(format!("{ARRAY}{lines}"));
    assert_eq!(
        coordinate("% only a comment\n\n"),
        "line 3: expected the line of sizes `rows columns entries`, found the end of the file"
    );
    assert_eq!(
        message(GENERAL.trim_end()),
        "line 1: expected the line of sizes `rows columns entries`, found the end of the file"
    );
    assert_eq!(
        array(""),
        "line 1: expected the line of sizes `rows columns`, found the end of the file"
    );
    assert_eq!(
        coordinate("% comment\n2 2\n"),
        "line 3: expected the line of sizes `rows columns entries`, found 2 words"
    );
    assert_eq!(
        array("2 2 4\n"),
        "line 2: expected the line of sizes `rows columns`, found 3 words"
    );
    assert_eq!(array("2\n"), "line 2: expected the line of sizes `rows columns`, found 1 word");
    assert_eq!(
        coordinate("2 two 4\n"),
        "line 2: expected a size from 0 to 18446744073709551615, found `two`"
    );
    assert_eq!(
        coordinate("-2 2 4\n"),
        "line 2: expected a size from 0 to 18446744073709551615, found `-2`"
    );
    assert_eq!(
        coordinate("2.0 2 4\n"),
        "line 2: expected a size from 0 to 18446744073709551615, found `2.0`"
    );
    assert_eq!(
        coordinate("2 2 18446744073709551616\n"),
        "line 2: expected a size from 0 to 18446744073709551615, found `18446744073709551616`"
    );
    assert_eq!(
        message(format!("{SYMMETRIC}2 3 1\n1 1 1\n")),
        "line 2: expected as many rows as columns in a symmetric matrix, found 2 and 3"
    );
}

#[test]
fn absurd_sizes() {
    assert_eq!(
        message(format!("{ARRAY}18446744073709551615 3\n1\n")),
        "a matrix of 18446744073709551615 rows and 3 columns does not fit into memory"
    );
    // No more memory is taken than the entries that are there need.
    assert_eq!(
        message(format!("{ARRAY}1000000000 1000000000\n1\n2\n")),
        "line 4: expected 1000000000000000000 entries, found the end of the file after 2"
    );
    assert_eq!(
        message(format!("{GENERAL}9 9 18446744073709551615\n1 1 1\n")),
        "line 3: expected 18446744073709551615 entries, found the end of the file after 1"
    );
    let huge = format!("{GENERAL}1000000000000 1000000 1\n1000000000000 7 1\n");
    let stored = read::<f64>(huge.as_bytes()).unwrap();
    assert_eq!(stored.clone().into_coo().unwrap().places()[0].0, 999_999_999_999);
    let error = stored.into_dense().unwrap_err().to_string();
    let expected = "a dense matrix of 1000000000000 × 1000000: 8.00 EB of memory needed, ";
    assert!(error.starts_with(expected), "{error}");
}

#[test]
fn entries() {
    let general = |line: &str| message(format!("{GENERAL}3 2 1\n%\n{line}\n"));
    assert_eq!(general("1 1"), "line 4: expected `row column value`, found 2 words");
    assert_eq!(general("1 1 1.0 0.0"), "line 4: expected `row column value`, found 4 words");
    assert_eq!(general("1 1 1.0 % one"), "line 4: expected `row column value`, found 5 words");
    assert_eq!(general("0 1 1"), "line 4: expected a row from 1 to 3, found `0`");
    assert_eq!(general("4 1 1"), "line 4: expected a row from 1 to 3, found `4`");
    assert_eq!(general("-1 1 1"), "line 4: expected a row from 1 to 3, found `-1`");
    assert_eq!(general("1 3 1"), "line 4: expected a column from 1 to 2, found `3`");
    assert_eq!(general("1 x 1"), "line 4: expected a column from 1 to 2, found `x`");
    assert_eq!(
        general("1 99999999999999999999999 1"),
        "line 4: expected a column from 1 to 2, found `99999999999999999999999`"
    );
    assert_eq!(
        message(format!("{GENERAL}0 2 1\n1 1 1\n")),
        "line 3: expected no entries in a matrix without rows, found row `1`"
    );
    for word in ["one", "1.2.3", "1e", "--1", "0x10", "1,5", "1_000"] {
        assert_eq!(
            general(&format!("1 1 {word}")),
            format!("line 4: expected a decimal number, found `{word}`")
        );
    }
    for word in ["nan", "NaN", "inf", "-Infinity"] {
        assert_eq!(
            general(&format!("1 1 {word}")),
            format!("line 4: expected a finite number, found `{word}`")
        );
    }
    for word in ["1e309", "-1e999999999999999999999"] {
        assert_eq!(
            general(&format!("1 1 {word}")),
            format!("line 4: expected a number within the range of f64, found `{word}`")
        );
    }
    assert_eq!(
        message([GENERAL.as_bytes(), b"3 2 1\n1 1 \xff\xfe1\n"].concat()),
        "line 3: expected a decimal number, found `\\xff\\xfe1`"
    );
    let long = format!("1 1 {}", "z".repeat(100));
    assert_eq!(
        general(&long),
        format!("line 4: expected a decimal number, found `{}...`", "z".repeat(40))
    );
}

#[test]
fn integers_and_patterns() {
    for word in ["1.5", "1e3", "1.", "x", "-", "+-1"] {
        assert_eq!(
            message(format!("{INTEGER}1 1 1\n1 1 {word}\n")),
            format!("line 3: expected an integer, found `{word}`")
        );
    }
    assert_eq!(
        message(format!("{PATTERN}1 1 1\n1 1 1\n")),
        "line 3: expected `row column`, found 3 words"
    );
}

#[test]
fn arrays() {
    assert_eq!(
        message(format!("{ARRAY}2 2\n1 2\n3 4\n")),
        "line 3: expected `value`, found 2 words"
    );
    assert_eq!(
        message(format!("{ARRAY}2 1\n1\n?\n")),
        "line 4: expected a decimal number, found `?`"
    );
}

#[test]
fn symmetric_files() {
    assert_eq!(
        message(format!("{SYMMETRIC}3 3 2\n1 1 1\n2 3 1\n")),
        "line 4: expected an entry of the lower triangle of a symmetric matrix, found row 2, column 3"
    );
    assert_eq!(
        message(format!("{SKEW}3 3 1\n1 2 1\n")),
        "line 3: expected an entry of the lower triangle of a skew-symmetric matrix, found row 1, column 2"
    );
    assert_eq!(
        message(format!("{SKEW}3 3 2\n2 2 0\n3 3 1\n")),
        "line 4: expected a zero diagonal in a skew-symmetric matrix, found a nonzero in row 3, column 3"
    );
}

#[test]
fn number_of_entries() {
    assert_eq!(
        message(format!("{GENERAL}2 2 3\n1 1 1\n\n% end\n2 2 1\n")),
        "line 6: expected 3 entries, found the end of the file after 2"
    );
    assert_eq!(
        message(format!("{GENERAL}2 2 1\n")),
        "line 2: expected 1 entry, found the end of the file after 0"
    );
    assert_eq!(
        message(format!("{GENERAL}2 2 1\n1 1 1\n\n% more\n2 2 1\n1 2 x\n")),
        "line 6: expected the end of the file after 1 entry, found more"
    );
    assert_eq!(
        message(format!("{ARRAY}1 2\n1\n2\n3\n")),
        "line 5: expected the end of the file after 2 entries, found more"
    );
    assert_eq!(
        message(format!("{ARRAY}0 5\n3\n")),
        "line 3: expected the end of the file after 0 entries, found more"
    );
}

/// Lines are counted across pieces and blocks; the first wrong line in the order of the file is the
/// one reported.
#[test]
fn lines_of_long_files() {
    let n = 600_000;
    let mut text = format!("{ARRAY}{n} 1\n");
    for i in 0..n {
        text.push_str(if i % 1000 == 0 { "% block\n0.125\n" } else { "0.0625\n" });
    }
    assert!(read::<f64>(text.as_bytes()).is_ok());
    let lines = text.lines().count();
    for (line, word) in [(lines, "last"), (lines / 2, "middle"), (3 * lines / 4, "later")] {
        let start = text.split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>();
        let end = start + text[start..].find('\n').unwrap();
        text.replace_range(start..end, word);
        let first = if word == "later" { (lines / 2, "middle") } else { (line, word) };
        assert_eq!(
            message(&text),
            format!("line {}: expected a decimal number, found `{}`", first.0, first.1)
        );
    }
    let shorter = text.replacen(&format!("{n} 1"), "1000 1", 1);
    assert_eq!(
        message(shorter),
        "line 1005: expected the end of the file after 1000 entries, found more"
    );
}

#[test]
fn a_line_without_end() {
    let endless = io::repeat(b'1').take(64 << 20);
    let error = read::<f64>(ARRAY.as_bytes().chain(&b"9 9\n"[..]).chain(endless)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 3: expected lines of at most 4194304 bytes, found a longer one"
    );
    let error = read::<f64>(io::repeat(b'%')).unwrap_err();
    assert!(matches!(error.problem, Problem::LongLine { .. }));
    assert_eq!(error.line, 1);
}

#[test]
fn a_reader_that_fails() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("cable pulled"))
        }
    }
    let error = read::<f64>(ARRAY.as_bytes().chain(&b"2 2\n1\n2\n"[..]).chain(Broken)).unwrap_err();
    assert_eq!(error.to_string(), "reading failed: cable pulled");
}
