//! What is read from well-formed Matrix Market files.

use nonius_linalg::sparse::matrix_market::{Field, Format, read};
use nonius_linalg::{Matrix, Scalar};
use nonius_num::{Dd, Qd, Td};

fn dense<T: Scalar>(text: impl AsRef<[u8]>) -> Matrix<T> {
    read::<T>(text.as_ref()).unwrap().into_dense().unwrap()
}

fn triplets(text: &str) -> Vec<(usize, usize, f64)> {
    let coo = read::<f64>(text.as_bytes()).unwrap().into_coo().unwrap();
    coo.triplets().map(|t| (t.row, t.col, t.value)).collect()
}

#[test]
fn a_file_with_everything_that_is_legal() {
    let text = "\u{feff}%%matrixmarket MATRIX Coordinate Real General\r\n% a comment\r\n\r\n  \t\r\n\
                3\t 2   +6\r\n% among entries\n1 1 1\r\n\n 3 2 -.5 \n2 1 +2.\n1 2 1.5D1\n\t3 1 4d-1\n\
                1 1 0.25";
    let stored = read::<f64>(text.as_bytes()).unwrap();
    let header = *stored.header();
    assert_eq!((header.format, header.field), (Format::Coordinate, Field::Real));
    assert_eq!((header.rows, header.cols, header.entries), (3, 2, 6));
    let a = stored.into_dense().unwrap();
    assert_eq!(a.as_slice(), [1.25, 2.0, 0.4, 15.0, 0.0, -0.5]);
}

#[test]
fn symmetries() {
    let lower = "3 3 4\n1 1 1\n2 1 2\n3 2 4\n3 3 5\n";
    let a = dense::<f64>(format!("%%MatrixMarket matrix coordinate real symmetric\n{lower}"));
    assert_eq!(a.as_slice(), [1.0, 2.0, 0.0, 2.0, 0.0, 4.0, 0.0, 4.0, 5.0]);
    let packed = "%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n0\n0\n4\n5\n";
    assert_eq!(dense::<f64>(packed), a);
    assert_eq!(
        triplets(packed),
        [(0, 0, 1.0), (1, 0, 2.0), (0, 1, 2.0), (2, 1, 4.0), (1, 2, 4.0), (2, 2, 5.0)]
    );
    let skew = "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n0\n-2\n";
    let b = dense::<f64>(skew);
    assert_eq!(b.as_slice(), [0.0, 1.0, 0.0, -1.0, 0.0, -2.0, 0.0, 2.0, 0.0]);
    let listed =
        "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 3\n2 1 1\n2 2 0\n3 2 -2\n";
    assert_eq!(dense::<f64>(listed), b);
    assert_eq!(
        triplets(listed),
        [(1, 0, 1.0), (0, 1, -1.0), (1, 1, 0.0), (2, 1, -2.0), (1, 2, 2.0)]
    );
    let pattern = "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n2 1\n2 2\n";
    assert_eq!(dense::<f64>(pattern).as_slice(), [0.0, 1.0, 1.0, 1.0]);
}

#[test]
fn empty_shapes() {
    for (rows, cols) in [(0, 0), (0, 4), (3, 0), (0, usize::MAX)] {
        let a = dense::<f64>(format!("%%MatrixMarket matrix array real general\n{rows} {cols}\n"));
        assert_eq!(a.shape(), (rows, cols));
        let coordinate =
            format!("%%MatrixMarket matrix coordinate real general\n{rows} {cols} 0\n");
        assert_eq!(dense::<f64>(&coordinate).shape(), (rows, cols));
        assert!(triplets(&coordinate).is_empty());
    }
}

/// `0.1` is the number of the format nearest to 1/10, whose product with 10 is within a rounding of
/// 1, and no tenth of lower precision.
fn tenth<T: Scalar>() {
    let a = dense::<T>("%%MatrixMarket matrix array real general\n1 1\n0.1\n")[(0, 0)];
    let quotient = T::ONE / T::from_f64(10.0);
    assert!((a - quotient).abs().to_f64() <= 2.0 * T::UNIT_ROUNDOFF * 0.1, "{}", T::NAME);
    assert!(T::LIMBS == 1 || a != T::from_f64(0.1));
}

#[test]
fn a_tenth_at_every_precision() {
    tenth::<f64>();
    tenth::<Dd>();
    tenth::<Td>();
    tenth::<Qd>();
}
