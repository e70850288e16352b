//! Files of NumPy and SciPy, and such as they never write.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use nonius::certified::Datum;
use nonius::files::matrix_market::{Format, Style, WriteError};
use nonius::files::{MatrixName, read, read_from, write_dense, write_sparse};
use nonius::num::mp::Bits;
use nonius::sparse::{Coo, Triplet};
use nonius::{Dd, Matrix, Mp, Number, Qd, Td};

/// A file that `make.py` in the same folder has made.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/numpy").join(name)
}

fn dense(name: &str) -> Matrix<f64> {
    read::<f64>((), &file(name)).unwrap().into_dense().unwrap()
}

/// What is wrong with a file, without its name.
fn wrong(name: &str) -> String {
    let path = file(name);
    let message = read::<f64>((), &path).unwrap_err().to_string();
    message.strip_prefix(&format!("{}: ", path.display())).unwrap().to_string()
}

/// What is wrong with some bytes.
fn wrong_bytes(name: &str, bytes: &[u8]) -> String {
    let message = read_from::<f64>((), Path::new(name), bytes).unwrap_err().to_string();
    message.strip_prefix(&format!("{name}: ")).unwrap().to_string()
}

const MATRIX: [[f64; 3]; 2] = [[1.0, -2.0, 3.5], [0.0, 0.25, -6.0]];

fn matrix() -> Matrix<f64> {
    Matrix::from_fn(2, 3, |i, j| MATRIX[i][j])
}

#[test]
fn arrays_of_all_classes() {
    for name in [
        "half.npy",
        "single-big-endian.npy",
        "double-fortran.npy",
        "version-2.npy",
        "version-3.npy",
        "one.npz",
        "packed.npz",
        "two.npz:a",
    ] {
        assert_eq!(dense(name), matrix(), "{name}");
    }
    assert_eq!(dense("two.npz:b"), Matrix::from_fn(2, 3, |i, j| 2.0 * MATRIX[i][j]));
    assert_eq!(dense("column.npy"), Matrix::from_fn(2, 1, |i, _| [0.1, -2.0][i]));
    assert_eq!(dense("scalar.npy"), Matrix::from_fn(1, 1, |_, _| 7.5));
    assert_eq!(dense("unsigned.npy"), Matrix::from_fn(1, 2, |_, j| [255.0, 0.0][j]));
    assert_eq!(dense("truth.npy"), Matrix::from_fn(1, 2, |_, j| [1.0, 0.0][j]));
    assert_eq!(dense("empty.npy").shape(), (0, 3));
}

/// Doubles and integers are taken as they are, texts are rounded once.
#[test]
fn numbers_are_rounded_once() {
    let qd = |name: &str| read::<Qd>((), &file(name)).unwrap().into_dense().unwrap();
    let number = |text: &str| text.parse::<Qd>().unwrap();
    assert_eq!(qd("column.npy")[(0, 0)], Qd::from(0.1));
    let integers = qd("integers.npy");
    assert_eq!(integers[(0, 0)], number("9223372036854775807"));
    assert_eq!(integers[(1, 1)], number("-9223372036854775808"));
    let texts = qd("texts.npy");
    assert_eq!((texts[(0, 0)], texts[(0, 1)]), (number("0.1"), number("-0.001")));
    assert_eq!(texts[(1, 0)], number("1e41") + number("1"));
    assert_eq!(qd("bytes.npy")[(0, 0)], number("0.1"));

    // What is proved holds for the double in the file, of which the decimal has 55 places.
    let bits = Bits::new(64).unwrap();
    let exact = read::<Datum>(bits.into(), &file("column.npy")).unwrap().into_dense().unwrap();
    assert!(exact.is_exact());
    assert_eq!(exact.places(), 55);
    let text = read::<Datum>(bits.into(), &file("bytes.npy")).unwrap().into_dense().unwrap();
    assert!(!text.is_exact());
    assert_eq!(text.places(), 1);
}

#[test]
fn sparse_matrices_of_scipy() {
    let expected = |i: usize, j: usize| match (i, j) {
        (0, 1) => 0.1,
        (2, 0) => -2.0,
        (2, 2) => 7.0,
        _ => 0.0,
    };
    for (name, entries) in [("coo.npz", 4), ("csr.npz", 3), ("csc.npz", 3)] {
        let stored = read::<f64>((), &file(name)).unwrap();
        let header = *stored.header();
        assert_eq!((header.format, header.entries), (Format::Coordinate, entries), "{name}");
        assert_eq!(stored.into_dense().unwrap(), Matrix::from_fn(3, 4, expected), "{name}");
    }
    // An array of such an archive by itself.
    assert_eq!(dense("csr.npz:data"), Matrix::from_fn(3, 1, |i, _| [0.1, -2.0, 7.0][i]));
    assert_eq!(
        wrong("dia.npz"),
        "sparse matrix of SciPy: expected the format csr, csc or coo, found `dia`"
    );
}

#[test]
fn what_is_not_read() {
    assert_eq!(
        wrong("complex.npy"),
        "expected real numbers, found complex ones (<c16): complex matrices are not supported"
    );
    assert_eq!(
        wrong("cube.npy"),
        "expected an array of shape (rows, columns) or (rows,), not [1, 1, 1]"
    );
    assert_eq!(wrong("two.npz"), "expected FILE.npz:NAME for one of 2 arrays: `a`, `b`");
    assert_eq!(wrong("two.npz:c"), "there is no array `c`: expected `a`, `b`");
    assert!(
        wrong_bytes("a.npz", b"PK\x03\x04").starts_with("expected an archive of NumPy (.npz): ")
    );
    let packed = fs::read(file("packed.npz")).unwrap();
    for length in [0, 10, packed.len() / 2, packed.len() - 1] {
        wrong_bytes("a.npz", &packed[..length]);
    }
    // Members have checksums.
    let stored = fs::read(file("one.npz")).unwrap();
    let at = stored.windows(6).position(|bytes| bytes == b"\x93NUMPY").unwrap() + 130;
    let mut damaged = stored;
    damaged[at] ^= 1;
    assert_eq!(wrong_bytes("a.npz", &damaged), "array `arr_0`: reading failed: Invalid checksum");
}

/// An array of version 1.
fn array(kind: &str, order: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

#[test]
fn hostile_arrays() {
    let of = |kind: &str, shape: &str, data: &[u8]| {
        wrong_bytes("a.npy", &array(kind, "False", shape, data))
    };
    // No memory is taken for numbers that are not there.
    assert_eq!(
        of("<f8", "(1000000000, 1000000000)", &[0; 24]),
        "expected 1000000000000000000 numbers, found the end of the array after 3"
    );
    assert_eq!(
        of("<f8", "(4294967296, 4294967296)", &[]),
        "expected an array of NumPy (.npy): a header with a number that no length is"
    );
    assert_eq!(of("<f8", "(2,)", &[0; 17]), "expected the end of the array after 2 numbers");
    assert_eq!(
        of("<f8", "(2,)", &[0; 15]),
        "expected 2 numbers, found the end of the array after 1"
    );
    let nan = f64::NAN.to_le_bytes();
    assert_eq!(
        of("<f8", "(2, 2)", &[&[0; 16], &nan[..], &[0; 8]].concat()),
        "row 2, column 1: expected a finite number, found `NaN`"
    );
    assert_eq!(
        wrong_bytes("a", &array("<f8", "True", "(2, 2)", &[&[0; 16], &nan[..], &[0; 8]].concat())),
        "row 1, column 2: expected a finite number, found `NaN`"
    );
    assert_eq!(of("|S3", "(2,)", b"1.51.x"), "number 2: expected a decimal number, found `1.x`");
    assert_eq!(of("|S3", "(1,)", &[0; 3]), "number 1: expected a decimal number, found nothing");
    assert_eq!(
        of("|S5", "(1,)", b"1e400"),
        "number 1: expected a number within the range of f64, found `1e400`"
    );
    for kind in ["<f16", "|O", "<M8[s]", "|V8", "<U0", "|S20000"] {
        let message = of(kind, "(1,)", &[0; 16]);
        assert!(message.starts_with("expected real numbers or texts of 1 to"), "{kind}: {message}");
    }
    for bytes in
        [&b""[..], b"\x93NUMPY", b"\x93NUMPY\x01\x00\xff\xff{", b"\x93NUMPY\x09\x00\x00\x00"]
    {
        let message = wrong_bytes("a.npy", bytes);
        assert!(message.starts_with("expected an array of NumPy (.npy): "), "{message}");
    }
}

fn bytes_of(name: &str, a: &Matrix<impl Number>) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_dense(&mut bytes, MatrixName::of(Path::new(name)), a, &Style::default()).unwrap();
    bytes
}

/// Writes and reads in every form, with thirds, small and large numbers, and zeros of both signs.
fn round_trip<T: Number>(format: T::Format) {
    let third = T::ONE.to_format(format) / T::from_f64(3.0);
    let numbers =
        [third, T::from_f64(1e-200), -third * T::from_f64(1e200), T::from_f64(-0.0), T::ZERO];
    let numbers = numbers.map(|x| x.to_format(format));
    for (rows, cols) in [(1, 1), (1, 5), (5, 1), (3, 4), (4, 3), (2050, 2)] {
        let a = Matrix::from_fn_in(format, rows, cols, |i, j| numbers[(i + 2 * j) % 5]);
        for name in ["a.mtx", "a.npy", "a.npz", "a.npz:x", "a.csv"] {
            let bytes = bytes_of(name, &a);
            let stored = read_from::<T>(format, Path::new(name), &*bytes).unwrap();
            let again = stored.into_dense().unwrap();
            assert_eq!(again, a, "{name}");
            assert_eq!(bytes_of(name, &again), bytes, "{name}");
        }
        let text = bytes_of("a.npy", &a);
        let is_double = T::precision(format) == nonius::Precision::F64;
        let kind = if is_double { "'<f8'" } else { "'<U" };
        assert!(String::from_utf8_lossy(&text).contains(kind));
    }
}

#[test]
fn every_precision_there_and_back() {
    round_trip::<f64>(());
    round_trip::<Dd>(());
    round_trip::<Td>(());
    round_trip::<Qd>(());
    round_trip::<Mp>(Bits::new(424).unwrap());
}

#[test]
fn sparse_matrices_there_and_back() {
    let third = Qd::from(1.0) / Qd::from(3.0);
    let entry = |k: usize| Triplet { row: k, col: 4 - k, value: third * Qd::from(k as f64) };
    let a = Coo::new(5, 6, (0..5).map(entry).collect()).unwrap();
    for name in ["a.mtx", "a.npz", "a.npy", "a.csv", "a.npz:x"] {
        let mut bytes = Vec::new();
        let style = Style::default();
        write_sparse(&mut bytes, MatrixName::of(Path::new(name)), a.clone(), &style).unwrap();
        let stored = read_from::<Qd>((), Path::new(name), &*bytes).unwrap();
        let is_sparse = stored.header().format == Format::Coordinate;
        assert_eq!(is_sparse, ["a.mtx", "a.npz"].contains(&name), "{name}");
        assert_eq!(stored.into_dense().unwrap(), a.to_dense().unwrap(), "{name}");
    }
}

#[test]
fn what_is_not_finite_is_not_written() {
    let a = Matrix::from_fn(2, 2, |i, j| if (i, j) == (1, 0) { f64::NAN } else { 1.0 });
    for name in ["a.npy", "a.npz", "a.csv"] {
        let name = MatrixName::of(Path::new(name));
        let error = write_dense(&mut Vec::new(), name, &a, &Style::default()).unwrap_err();
        assert!(matches!(error, WriteError::NotFinite { row: 1, col: 0 }), "{error}");
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Packed files are unpacked, and streams without a name are taken for what they are.
#[test]
fn packed_files_and_streams() {
    for name in ["a.npy", "a.npz", "a.csv", "a.mtx"] {
        let bytes = bytes_of(name, &matrix());
        let packed = gzip(&bytes);
        let mut streams = vec![(name.to_string(), &packed), (format!("{name}.gz"), &packed)];
        if name != "a.csv" {
            streams.extend([("stream".to_string(), &bytes), ("stream".to_string(), &packed)]);
        }
        for (name, bytes) in streams {
            let stored = read_from::<f64>((), Path::new(&name), &**bytes).unwrap();
            assert_eq!(stored.into_dense().unwrap(), matrix(), "{name}");
        }
    }
}

#[test]
fn comma_separated_values() {
    let read_csv = |text: &str| {
        let stored = read_from::<f64>((), Path::new("a.csv"), text.as_bytes()).unwrap();
        stored.into_dense().unwrap()
    };
    let expected = Matrix::from_fn(2, 2, |i, j| [[1.0, 0.5], [-2.0, 300.0]][i][j]);
    for text in
        ["1,0.5\n-2,3e2\n", "1,0.5\r\n-2,3d2", "\u{feff}1 , .5\n\n# a comment\n\"-2\",\" 300\"\n"]
    {
        assert_eq!(read_csv(text), expected, "{text}");
    }
    assert_eq!(read_csv("1\n2\n").shape(), (2, 1));
    assert_eq!(read_csv("1,2\n").shape(), (1, 2));
    for (text, message) in [
        ("", "the file is empty: expected rows of decimal numbers"),
        ("# only a comment\n", "the file is empty: expected rows of decimal numbers"),
        ("x,y\n1,2\n", "line 1, column 1: expected a decimal number, found `x`"),
        ("1,2\n\n3,4;5\n", "line 3, column 2: expected a decimal number, found `4;5`"),
        ("1,2\r\n3,\r\n", "line 2, column 2: expected a decimal number, found nothing"),
        ("1,2\n3\n", "line 2: expected 2 cells as in the first row, found 1"),
        ("1,2\n3,4,5", "line 2: expected 2 cells as in the first row, found 3"),
        ("nan\n", "line 1, column 1: expected a finite number, found `nan`"),
        ("1e400\n", "line 1, column 1: expected a number within the range of f64, found `1e400`"),
    ] {
        assert_eq!(wrong_bytes("a.csv", text.as_bytes()), message, "{text}");
    }
    let long = "1".repeat(70_000);
    assert_eq!(
        wrong_bytes("a.csv", format!("1\n{long}\n").as_bytes()),
        "line 2: expected cells of at most 65536 bytes"
    );
}
