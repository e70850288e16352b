//! Eigenvalues and eigenvectors of symmetric matrices in MPFR, by Jacobi's method: the judge of
//! eigenvalues and singular values of limbs and of numbers of any precision.
//!
//! Golub and Van Loan, *Matrix Computations*, 4th ed., Algorithm 8.5.3. With `p` bits the error of
//! an eigenvalue is a few `n²·2^-p` times the norm.

use rug::Float;
use rug::ops::NegAssign;

/// A square matrix by its rows.
pub type Rows = Vec<Vec<Float>>;

/// The eigenvalues of a symmetric matrix in ascending order, and the eigenvectors, one in each row.
pub fn eigen(mut a: Rows, bits: u32) -> (Vec<Float>, Rows) {
    let n = a.len();
    let mut v: Rows = (0..n)
        .map(|i| (0..n).map(|j| Float::with_val(bits, u32::from(i == j))).collect())
        .collect();
    let largest = |norm: Float, x: &Float| norm.max(&Float::with_val(64, x.abs_ref()));
    let norm = a.iter().flatten().fold(Float::new(64), largest);
    // What is left beside the diagonal changes no eigenvalue by more than n times this.
    let least = norm >> (bits - 20);
    loop {
        let mut turned = false;
        for q in 1..n {
            for p in 0..q {
                if Float::with_val(64, a[p][q].abs_ref()) <= least {
                    continue;
                }
                turned = true;
                let (c, s) = rotation(&a[p][p], &a[p][q], &a[q][q], bits);
                for row in &mut a {
                    let (x, y) = (row[p].clone(), row[q].clone());
                    row[p] = Float::with_val(bits, &c * &x) - Float::with_val(bits, &s * &y);
                    row[q] = Float::with_val(bits, &s * &x) + Float::with_val(bits, &c * &y);
                }
                rotate_rows(&mut a, p, q, &c, &s, bits);
                rotate_rows(&mut v, p, q, &c, &s, bits);
            }
        }
        if !turned {
            break;
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| a[i][i].partial_cmp(&a[j][j]).expect("numbers"));
    let values = order.iter().map(|&i| a[i][i].clone()).collect();
    (values, order.iter().map(|&i| v[i].clone()).collect())
}

/// Rotates rows `p < q`.
fn rotate_rows(a: &mut Rows, p: usize, q: usize, c: &Float, s: &Float, bits: u32) {
    let (before, after) = a.split_at_mut(q);
    for (x, y) in before[p].iter_mut().zip(&mut after[0]) {
        let turned = Float::with_val(bits, c * &*x) - Float::with_val(bits, s * &*y);
        *y = Float::with_val(bits, s * &*x) + Float::with_val(bits, c * &*y);
        *x = turned;
    }
}

/// Cosine and sine of the smaller angle that makes `[[pp, pq], [pq, qq]]` diagonal.
fn rotation(pp: &Float, pq: &Float, qq: &Float, bits: u32) -> (Float, Float) {
    let cotangent = Float::with_val(bits, qq - pp) / Float::with_val(bits, pq + pq);
    let root = (Float::with_val(bits, cotangent.square_ref()) + 1u32).sqrt();
    let mut tangent = (Float::with_val(bits, cotangent.abs_ref()) + root).recip();
    if cotangent.is_sign_negative() {
        tangent.neg_assign();
    }
    let cosine = (Float::with_val(bits, tangent.square_ref()) + 1u32).sqrt().recip();
    let sine = Float::with_val(bits, &tangent * &cosine);
    (cosine, sine)
}
