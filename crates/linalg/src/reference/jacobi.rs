//! Eigenvalues and singular values by plane rotations alone, as a textbook writes them.
//!
//! Golub and Van Loan, *Matrix Computations*, 4th ed.: Algorithm 8.5.3 (cyclic by rows) and section
//! 8.6.3 (one-sided, after Hestenes). The first ends when no entry beside the diagonal exceeds `4u`
//! of the norm, so that all of them together are within `4n·u` of it, and the eigenvalues with
//! them; the second when no two of `n` columns of `m` entries have a cosine beyond `4m·u`.

use super::reduce::{dot, nrm2};
use crate::{Matrix, Number, Size};

/// Sweeps after which the iteration is given up: each of the last ones squares what is left, so
/// that even 208 bits take few.
const SWEEPS: usize = 60;

/// Eigenvalues in ascending order and, column by column, eigenvectors of a symmetric matrix; `None`
/// where the iteration does not end, as with NaN.
pub fn eigen<T: Number>(a: &Matrix<T>) -> Option<(Vec<T>, Matrix<T>)> {
    let n = a.rows();
    let (mut a, mut v) = (a.clone(), Matrix::identity_in(a.format(), n));
    let four = T::Size::from(4.0);
    let least = four * T::unit_roundoff(a.format()) * nrm2(a.numbers().as_slice()).size();
    for _ in 0..SWEEPS {
        let mut turned = false;
        for q in 1..n {
            for p in 0..q {
                if a.at(p, q).size() <= least {
                    continue;
                }
                turned = true;
                let (c, s) = rotation(a.at(p, p), a.at(p, q), a.at(q, q));
                rotate(&mut a, p, q, c, s);
                a = a.transposed();
                rotate(&mut a, p, q, c, s);
                rotate(&mut v, p, q, c, s);
            }
        }
        if !turned {
            let mut order: Vec<usize> = (0..n).collect();
            let finite = (0..n).all(|j| a.at(j, j).is_finite());
            order.sort_by(|&i, &j| {
                a.at(i, i).partial_cmp(&a.at(j, j)).unwrap_or(core::cmp::Ordering::Equal)
            });
            let values = order.iter().map(|&j| a.at(j, j)).collect();
            return finite
                .then(|| (values, Matrix::from_fn_in(a.format(), n, n, |i, j| v.at(i, order[j]))));
        }
    }
    None
}

/// Singular values of an `m × n` matrix, `m >= n`, in descending order; `None` where the iteration
/// does not end.
pub fn singular_values<T: Number>(a: &Matrix<T>) -> Option<Vec<T>> {
    let n = a.cols();
    let mut a = a.clone();
    let least = T::Size::from(4.0 * a.rows() as f64) * T::unit_roundoff(a.format());
    for _ in 0..SWEEPS {
        let mut turned = false;
        for q in 1..n {
            for p in 0..q {
                let [pp, pq, qq] =
                    [(p, p), (p, q), (q, q)].map(|(i, j)| dot(a.column(i), a.column(j)));
                let size = pp.size().sqrt() * qq.size().sqrt();
                if pq.size() <= least * size {
                    continue;
                }
                turned = true;
                let (c, s) = rotation(pp, pq, qq);
                rotate(&mut a, p, q, c, s);
            }
        }
        if !turned {
            let mut values: Vec<T> = (0..n).map(|j| nrm2(a.column(j))).collect();
            values.sort_by(|x, y| y.partial_cmp(x).unwrap_or(core::cmp::Ordering::Equal));
            return values.iter().all(|x| x.is_finite()).then_some(values);
        }
    }
    None
}

/// Cosine and sine of the smaller angle that makes `[[pp, pq], [pq, qq]]` diagonal.
fn rotation<T: Number>(pp: T, pq: T, qq: T) -> (T, T) {
    let cotangent = (qq - pp) / (pq + pq);
    let root = (T::ONE + cotangent * cotangent).sqrt();
    let tangent = T::ONE / if cotangent < T::ZERO { cotangent - root } else { cotangent + root };
    let cosine = T::ONE / (T::ONE + tangent * tangent).sqrt();
    (cosine, tangent * cosine)
}

/// Columns `p` and `q` become `c·p − s·q` and `s·p + c·q`.
fn rotate<T: Number>(a: &mut Matrix<T>, p: usize, q: usize, c: T, s: T) {
    for i in 0..a.rows() {
        let (x, y) = (a.at(i, p), a.at(i, q));
        a.set(i, p, c * x - s * y);
        a.set(i, q, s * x + c * y);
    }
}
