use nonius_linalg::mp::{Matrix, Mp};
use nonius_linalg::sparse::matrix_market::{
    Stored, Style, Symmetry, WriteError, read_as, write_coordinate, write_dense,
};
use nonius_testkit::orthogonal::scaled;

use crate::mp::{bits, matrix};

fn stored(p: u32, text: &str) -> Stored<Mp> {
    read_as(bits(p), text.as_bytes()).unwrap()
}

fn text(a: &Matrix, symmetry: Symmetry) -> Result<String, WriteError> {
    let mut out = Vec::new();
    write_dense(&mut out, a, &Style { symmetry, ..Style::default() })?;
    Ok(String::from_utf8(out).unwrap())
}

fn coordinates(p: u32, array: &str, symmetry: Symmetry) -> Result<String, WriteError> {
    let mut out = Vec::new();
    let coo = stored(p, array).into_coo().unwrap();
    write_coordinate(&mut out, coo, &Style { symmetry, ..Style::default() })?;
    Ok(String::from_utf8(out).unwrap())
}

#[test]
fn written_numbers_read_back() {
    for p in [64, 106, 212, 424, 1000, 2048] {
        let a = matrix(bits(p), 9, 7, u64::from(p));
        let a = scaled(&a, |i, j| 40 * (i as i32 - 4) * (j as i32 - 3));
        let array = text(&a, Symmetry::General).unwrap();
        assert_eq!(stored(p, &array).into_dense().unwrap(), a);
        let listed = coordinates(p, &array, Symmetry::General).unwrap();
        assert_eq!(stored(p, &listed).into_dense().unwrap(), a);
    }
}

#[test]
fn a_tenth_is_the_nearest_number() {
    let file = "%%MatrixMarket matrix array real general\n1 1\n0.1\n";
    for p in [64, 107, 1000] {
        let a = stored(p, file).into_dense().unwrap();
        let ten = Mp::from_f64(bits(p), 10.0);
        let mut tenth = Mp::zero(bits(p));
        tenth.set_quotient(Mp::one(bits(p)).view(), ten.view());
        assert_eq!(a.entry(0, 0), tenth.view());
        assert_eq!(text(&a, Symmetry::General).unwrap(), file);
    }
}

#[test]
fn symmetries_and_repeated_entries() {
    let file =
        "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 1\n2 1 0.1\n3 3 4\n2 1 0.2\n";
    let a = stored(212, file).into_dense().unwrap();
    let sum =
        Mp::from_decimal(bits(212), b"0.1").unwrap() + Mp::from_decimal(bits(212), b"0.2").unwrap();
    assert!(a.entry(1, 0) == sum.view() && a.entry(0, 1) == sum.view());
    let array = text(&a, Symmetry::Symmetric).unwrap();
    assert_eq!(stored(212, &array).into_dense().unwrap(), a);
    let listed = coordinates(212, &array, Symmetry::Symmetric).unwrap();
    assert_eq!(stored(212, &listed).into_dense().unwrap(), a);
    let error = text(&a, Symmetry::SkewSymmetric).unwrap_err();
    assert!(matches!(error, WriteError::NotSymmetric { row: 0, col: 0, .. }));

    let file = "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 0.5\n3 2 7\n";
    let a = stored(64, file).into_dense().unwrap();
    assert_eq!(a.at(0, 1).to_string(), "-0.5");
    let array = text(&a, Symmetry::SkewSymmetric).unwrap();
    assert_eq!(stored(64, &array).into_dense().unwrap(), a);
    assert_eq!(coordinates(64, &array, Symmetry::SkewSymmetric).unwrap(), file);
    assert!(coordinates(64, &array, Symmetry::Symmetric).is_err());
    let pattern = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n";
    let a = stored(64, pattern).into_dense().unwrap();
    assert!(a.entry(1, 0) == Mp::one(bits(64)).view() && a.entry(0, 0).head().is_zero());
}

/// Lines of every length, so that line feeds are at every place of a word.
#[test]
fn lines_of_every_length() {
    let mut file = String::from("%%MatrixMarket matrix array real general\n40 3\n");
    for i in 0..120 {
        let (comment, blanks) = ("\u{8a}\u{b}".repeat(i % 17), " ".repeat(i % 11));
        let digits = "3".repeat(i);
        file += &format!("%{comment}\n{blanks}{i}.{digits}{blanks}\r\n");
    }
    let a = stored(300, &file).into_dense().unwrap();
    for i in 0..120 {
        let value = format!("{i}.{}", "3".repeat(i));
        let expected = Mp::from_decimal(bits(300), value.as_bytes()).unwrap();
        assert_eq!(a.at(i % 40, i / 40), expected);
    }
}

#[test]
fn numbers_of_which_one_triangle_is_listed() {
    let array = "%%MatrixMarket matrix array real symmetric\n2 2\n0.1\n-0.2\n0.3\n";
    let a = stored(424, array).into_dense().unwrap();
    assert!(a.at(0, 1) == a.at(1, 0) && a.at(0, 1).to_string() == "-0.2");
    let entries = stored(424, array).into_coo().unwrap();
    assert_eq!(entries.triplets().len(), 4);
}

#[test]
fn what_is_wrong_is_said() {
    let problem = |entry: &str| {
        let file = format!("%%MatrixMarket matrix array real general\n1 1\n{entry}\n");
        read_as::<Mp>(bits(424), file.as_bytes()).unwrap_err().to_string()
    };
    assert_eq!(
        problem("1e99999999"),
        "line 3: expected a number within the range of mp424, found `1e99999999`"
    );
    assert_eq!(problem("1.5x"), "line 3: expected a decimal number, found `1.5x`");
    assert_eq!(problem("1 2 3"), "line 3: expected `value`, found 3 words");
    assert_eq!(problem("nan"), "line 3: expected a finite number, found `nan`");
    let mut a = Matrix::zeros_in(bits(64), 2, 2);
    a.put(1, 0, Mp::infinity(bits(64), false).view());
    let error = text(&a, Symmetry::General).unwrap_err();
    assert!(matches!(error, WriteError::NotFinite { row: 1, col: 0 }));
}
