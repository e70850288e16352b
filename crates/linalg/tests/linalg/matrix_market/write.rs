//! What is written reads back as the same numbers, at every precision.

use nonius_linalg::sparse::matrix_market::{
    Style, Symmetry, WriteError, read, write_coordinate, write_dense,
};
use nonius_linalg::sparse::{Coo, Triplet};
use nonius_linalg::{Matrix, Scalar};
use nonius_num::{Dd, Qd, Td};

fn dense<T: Scalar>(text: impl AsRef<[u8]>) -> Matrix<T> {
    read::<T>(text.as_ref()).unwrap().into_dense().unwrap()
}

fn style(symmetry: Symmetry) -> Style {
    Style { symmetry, comment: String::new() }
}

fn written<T: Scalar>(a: &Matrix<T>, symmetry: Symmetry) -> (String, String) {
    let (mut array, mut coordinate) = (Vec::new(), Vec::new());
    write_dense(&mut array, a, &style(symmetry)).unwrap();
    write_coordinate(&mut coordinate, Coo::from_dense(a.view()), &style(symmetry)).unwrap();
    (String::from_utf8(array).unwrap(), String::from_utf8(coordinate).unwrap())
}

#[test]
fn empty_shapes() {
    for (rows, cols) in [(0, 0), (0, 4), (3, 0), (0, usize::MAX)] {
        let a = Matrix::<f64>::from_columns(rows, cols, Vec::new()).unwrap();
        let mut out = Vec::new();
        write_dense(&mut out, &a, &Style::default()).unwrap();
        assert_eq!(dense::<f64>(out), a);
    }
}

#[test]
fn written_text() {
    let a = Matrix::from_fn(2, 2, |i, j| [[1.0, -0.5], [-0.5, 0.0]][i][j]);
    let mut out = Vec::new();
    let comment = "first\nsecond".to_string();
    write_dense(&mut out, &a, &Style { symmetry: Symmetry::Symmetric, comment }).unwrap();
    let text = String::from_utf8(out).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[..4],
        ["%%MatrixMarket matrix array real symmetric", "% first", "% second", "2 2"]
    );
    assert_eq!(
        lines[4..].iter().map(|x| x.parse().unwrap()).collect::<Vec<f64>>(),
        [1.0, -0.5, 0.0]
    );
    let (_, coordinate) = written(&a, Symmetry::Symmetric);
    let lines: Vec<&str> = coordinate.lines().collect();
    assert_eq!(lines[..2], ["%%MatrixMarket matrix coordinate real symmetric", "2 2 2"]);
    assert!(lines[2].starts_with("1 1 ") && lines[3].starts_with("2 1 -"));
}

#[test]
fn what_cannot_be_written() {
    let refuse = |a: &Matrix<f64>, symmetry| {
        let dense = write_dense(&mut Vec::new(), a, &style(symmetry)).unwrap_err();
        let coo = Coo::from_dense(a.view());
        let coordinate = write_coordinate(&mut Vec::new(), coo, &style(symmetry)).unwrap_err();
        assert_eq!(dense.to_string(), coordinate.to_string());
        dense
    };
    let a = Matrix::from_fn(3, 3, |i, j| if (i, j) == (2, 1) { 1.0 } else { 0.0 });
    assert_eq!(
        refuse(&a, Symmetry::Symmetric).to_string(),
        "the matrix is not symmetric: the entry in row 3, column 2 contradicts its mirror image"
    );
    assert!(matches!(
        refuse(&Matrix::identity(2), Symmetry::SkewSymmetric),
        WriteError::NotSymmetric { row: 0, col: 0, .. }
    ));
    assert_eq!(
        refuse(&Matrix::zeros(2, 3), Symmetry::Symmetric).to_string(),
        "a matrix of 2 rows and 3 columns cannot be symmetric"
    );
    let a = Matrix::from_fn(2, 2, |i, j| if (i, j) == (1, 0) { f64::NAN } else { 1.0 });
    assert_eq!(
        refuse(&a, Symmetry::General).to_string(),
        "the entry in row 2, column 1 is not finite, and files of matrices have finite numbers"
    );
}

#[test]
fn an_upper_triangle_alone_is_not_symmetric() {
    let upper = Coo::new(2, 2, vec![Triplet { row: 0, col: 1, value: 1.0 }]).unwrap();
    let error = write_coordinate(&mut Vec::new(), upper, &style(Symmetry::Symmetric)).unwrap_err();
    assert!(matches!(error, WriteError::NotSymmetric { row: 0, col: 1, .. }));
}

/// Numbers with as many digits as the format holds, of all magnitudes, and a few with gaps between
/// their limbs.
fn awkward<T: Scalar>(rows: usize, cols: usize) -> Matrix<T> {
    let third = T::ONE / T::from_f64(3.0);
    Matrix::from_fn(rows, cols, |i, j| {
        let n = (i * 31 + j * 17) % 101;
        let x = (T::from_f64(n as f64 + 2.0).sqrt() - third).ldexp((n as i32 - 50) * 13);
        match n % 5 {
            0 => T::ZERO,
            1 => -x,
            2 => T::from_f64(3.0) + x.ldexp(-900),
            _ => x,
        }
    })
}

fn round_trip<T: Scalar>() {
    for (rows, cols) in [(1, 1), (7, 5), (5000, 3), (3, 400)] {
        let a = awkward::<T>(rows, cols);
        let (array, coordinate) = written(&a, Symmetry::General);
        assert!(dense::<T>(array) == a, "{} array {rows} × {cols}", T::NAME);
        assert!(dense::<T>(coordinate) == a, "{} coordinate {rows} × {cols}", T::NAME);
    }
    let a = awkward::<T>(40, 40);
    let b = Matrix::from_fn(40, 40, |i, j| a[(i.max(j), i.min(j))]);
    let (array, coordinate) = written(&b, Symmetry::Symmetric);
    assert_eq!(array.lines().count(), 2 + 40 * 41 / 2);
    assert!(dense::<T>(array) == b && dense::<T>(coordinate) == b, "{} symmetric", T::NAME);
    let c = Matrix::from_fn(40, 40, |i, j| match i.cmp(&j) {
        std::cmp::Ordering::Less => -a[(j, i)],
        std::cmp::Ordering::Equal => T::ZERO,
        std::cmp::Ordering::Greater => a[(i, j)],
    });
    let (array, coordinate) = written(&c, Symmetry::SkewSymmetric);
    assert_eq!(array.lines().count(), 2 + 40 * 39 / 2);
    assert!(dense::<T>(array) == c && dense::<T>(coordinate) == c, "{} skew", T::NAME);
}

#[test]
fn numbers_read_back_as_they_were() {
    round_trip::<f64>();
    round_trip::<Dd>();
    round_trip::<Td>();
    round_trip::<Qd>();
}

#[test]
fn threads_do_not_change_what_is_read_and_written() {
    let a = awkward::<Dd>(30_000, 2);
    let pool = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
    let one = pool(1).install(|| written(&a, Symmetry::General));
    let three = pool(3).install(|| written(&a, Symmetry::General));
    assert!(one == three);
    assert!(pool(3).install(|| dense::<Dd>(&one.1)) == a);
}
