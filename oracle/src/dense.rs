//! Matrices in MPFR: the judge of factors and solutions of numbers of any precision.
//!
//! Every entry of a product is rounded once, and systems are solved by elimination with partial
//! pivoting; Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., Theorem 9.4. With
//! `p` bits the relative error of a solution is about `n·κ·2^-p`, of which the caller takes enough.

use nonius_linalg::backend::Reading;
use nonius_linalg::mp::Matrix;
use rug::Float;

use crate::mp::float;
pub use crate::symmetric::Rows;

/// The entries of a matrix by rows, exactly.
pub fn rows(a: &Matrix) -> Rows {
    (0..a.rows()).map(|i| (0..a.cols()).map(|j| float(a.entry(i, j))).collect()).collect()
}

/// The transpose.
pub fn transposed(a: &Rows) -> Rows {
    let cols = a.first().map_or(0, Vec::len);
    (0..cols).map(|j| a.iter().map(|row| row[j].clone()).collect()).collect()
}

/// The absolute values.
pub fn magnitudes(a: &Rows) -> Rows {
    a.iter().map(|row| row.iter().map(|x| x.clone().abs()).collect()).collect()
}

/// `A·B`, each entry rounded once.
pub fn product(a: &Rows, b: &Rows, bits: u32) -> Rows {
    let columns = transposed(b);
    let entry = |row: &Vec<Float>, column: &Vec<Float>| {
        Float::with_val(bits, Float::dot(row.iter().zip(column)))
    };
    a.iter().map(|row| columns.iter().map(|column| entry(row, column)).collect()).collect()
}

/// `A − B`, each entry rounded once.
pub fn difference(a: &Rows, b: &Rows, bits: u32) -> Rows {
    let of_rows = |(a, b): (&Vec<Float>, &Vec<Float>)| {
        a.iter().zip(b).map(|(x, y)| Float::with_val(bits, x - y)).collect()
    };
    a.iter().zip(b).map(of_rows).collect()
}

/// The largest magnitude.
pub fn largest<'a>(entries: impl IntoIterator<Item = &'a Float>) -> Float {
    let larger = |size: Float, x: &Float| size.max(&Float::with_val(64, x.abs_ref()));
    entries.into_iter().fold(Float::new(64), larger)
}

/// The Frobenius norm.
pub fn norm(a: &Rows) -> Float {
    let entries = || a.iter().flatten();
    Float::with_val(64, Float::dot(entries().zip(entries()))).sqrt()
}

/// The determinant of a square matrix, and the solution of `A·X = B`; none for a singular matrix.
pub fn solve(mut a: Rows, mut b: Rows, bits: u32) -> Option<(Float, Rows)> {
    let n = a.len();
    a.iter_mut().chain(&mut b).flatten().for_each(|x| x.set_prec(bits));
    let mut determinant = Float::with_val(bits, 1);
    for k in 0..n {
        let by_size = |&i: &usize, &j: &usize| a[i][k].cmp_abs(&a[j][k]).expect("numbers");
        let pivot = (k..n).max_by(by_size)?;
        if a[pivot][k].is_zero() {
            return None;
        }
        if pivot != k {
            a.swap(k, pivot);
            b.swap(k, pivot);
            determinant = -determinant;
        }
        determinant *= &a[k][k];
        for i in k + 1..n {
            let factor = Float::with_val(bits, &a[i][k] / &a[k][k]);
            subtract(&mut a, i, k, &factor);
            subtract(&mut b, i, k, &factor);
        }
    }
    for k in (0..n).rev() {
        for x in &mut b[k] {
            *x /= &a[k][k];
        }
        for (i, row) in a[..k].iter().enumerate() {
            subtract(&mut b, i, k, &row[k]);
        }
    }
    Some((determinant, b))
}

/// Subtracts a multiple of row `k` from row `i`.
fn subtract(a: &mut Rows, i: usize, k: usize, factor: &Float) {
    let row = std::mem::take(&mut a[i]);
    let less = |(mut x, y): (Float, &Float)| {
        x -= factor * y;
        x
    };
    a[i] = row.into_iter().zip(&a[k]).map(less).collect();
}

/// The same number.
pub fn of_reading(x: Reading) -> Float {
    Float::with_val(64, x.significand) << x.exponent as i32
}
