//! Matrices as text.

use core::fmt::{self, Display};

use nonius_num::Element;

use super::Matrix;

/// Rows and columns of which all are shown; of more, those at the ends.
const MOST: usize = 12;
/// Rows and columns at an end.
const AT_AN_END: usize = 4;

/// One row a line, columns aligned, of large matrices the corners. `{:.10}` and `{:.3e}` are passed
/// on to the numbers.
///
/// ```
/// use nonius_linalg::Matrix;
///
/// let a = Matrix::from_rows([[1.0, -0.5], [0.25, 10.0]]);
/// assert_eq!(a.to_string(), "   1  -0.5\n0.25    10\n");
/// assert_eq!(format!("{a:.1}"), "1.0  -0.5\n0.2  10.0\n");
/// let large = Matrix::<f64>::zeros(1000, 2);
/// assert_eq!(large.to_string(), format!("{0}⋮  ⋮\n{0}1000 × 2\n", "0  0\n".repeat(4)));
/// ```
impl<T: Element + Display> Display for Matrix<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = f.precision();
        let text = move |x: T| match places {
            Some(places) => format!("{x:.places$}"),
            None => x.to_string(),
        };
        write(self, f, text)
    }
}

impl<T: Element + fmt::LowerExp> fmt::LowerExp for Matrix<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = f.precision();
        let text = move |x: T| match places {
            Some(places) => format!("{x:.places$e}"),
            None => format!("{x:e}"),
        };
        write(self, f, text)
    }
}

/// The rows or columns shown; `None` for those left out.
fn shown(count: usize) -> Vec<Option<usize>> {
    if count <= MOST {
        return (0..count).map(Some).collect();
    }
    let ends = [0..AT_AN_END, count - AT_AN_END..count];
    let [first, last] = ends.map(|range| range.map(Some));
    first.chain([None]).chain(last).collect()
}

fn write<T: Element>(
    matrix: &Matrix<T>,
    f: &mut fmt::Formatter<'_>,
    text: impl Fn(T) -> String,
) -> fmt::Result {
    let (rows, cols) = (shown(matrix.rows()), shown(matrix.cols()));
    let cell = |i: Option<usize>, j: Option<usize>| match (i, j) {
        (Some(i), Some(j)) => text(matrix.at(i, j)),
        (Some(_), None) => "…".to_string(),
        (None, Some(_)) => "⋮".to_string(),
        (None, None) => "⋱".to_string(),
    };
    let column = |&j: &Option<usize>| -> Vec<String> { rows.iter().map(|&i| cell(i, j)).collect() };
    let columns: Vec<Vec<String>> = cols.iter().map(column).collect();
    let width = |cells: &Vec<String>| cells.iter().map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = columns.iter().map(|cells| width(cells).unwrap_or(0)).collect();
    for i in 0..rows.len() {
        for (j, (cells, width)) in columns.iter().zip(&widths).enumerate() {
            let gap = if j == 0 { "" } else { "  " };
            write!(f, "{gap}{:>width$}", cells[i])?;
        }
        writeln!(f)?;
    }
    if matrix.rows().max(matrix.cols()) > MOST {
        writeln!(f, "{} × {}", matrix.rows(), matrix.cols())?;
    }
    Ok(())
}
