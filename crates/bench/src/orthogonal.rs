//! Rates of factorisations by orthogonal matrices.

use std::hint::black_box;

use nonius_linalg::backend::{Cpu, Diagonalize, Reflecting};
use nonius_linalg::dense::{Qr, Vectors, eigen_on, svd_on};
use nonius_linalg::{Matrix, Scalar};
use nonius_num::{Dd, Qd, Td};

use crate::dense::{product, row};
use crate::inputs::matrix;
use crate::record::Record;
use crate::timing::best_of;

/// Factorisations of order `n` at every precision, on the threads of the current pool.
///
/// Rates count what textbooks do: `4/3·n³` for QR and for a tridiagonal form, `8/3·n³` for a
/// bidiagonal one, and where vectors are wanted another `23/3·n³` and `56/3·n³` (Golub and Van
/// Loan, *Matrix Computations*, 4th ed., sections 5.2, 8.3 and 8.6).
pub(crate) fn measure(sizes: &[usize], threads: usize) -> Vec<Record> {
    let mut records = Vec::new();
    for &n in sizes {
        one_precision::<f64>(n, threads, &mut records);
        one_precision::<Dd>(n, threads, &mut records);
        one_precision::<Td>(n, threads, &mut records);
        one_precision::<Qd>(n, threads, &mut records);
    }
    records
}

fn one_precision<T: Scalar>(n: usize, threads: usize, records: &mut Vec<Record>) {
    let cube = (n as f64).powi(3);
    let (a, b) = (matrix::<T>(n, n, 1), matrix::<T>(n, n, 2));
    let mut push = |name: &str, seconds, flops| {
        records.push(row::<T>(name, [n, n, n], threads, seconds, flops));
    };
    push("gemm", product(a.view(), b.view(), &mut Matrix::zeros(n, n)), 2.0 * cube);
    let seconds = best_of(|| drop(black_box(Qr::factor(a.view()).expect("finite"))));
    push("qr", seconds, 4.0 / 3.0 * cube);
    decompositions(&Cpu::default(), &a, &mut push);
}

/// Eigenvalues of the symmetric matrix with this lower triangle, and singular values of the matrix,
/// from the host's memory and back.
pub(crate) fn decompositions<T: Scalar, B: Diagonalize<T> + Reflecting<T>>(
    backend: &B,
    a: &Matrix<T>,
    push: &mut dyn FnMut(&str, f64, f64),
) {
    let n = a.rows();
    let cube = (n as f64).powi(3);
    let symmetric = Matrix::from_fn(n, n, |i, j| a[(i.max(j), i.min(j))]);
    for (name, vectors, flops) in
        [("eigenvalues", Vectors::No, 4.0 / 3.0 * cube), ("eigen", Vectors::Yes, 9.0 * cube)]
    {
        let find = || eigen_on(backend, symmetric.view(), vectors).expect("symmetric");
        push(name, best_of(|| drop(black_box(find()))), flops);
    }
    for (name, vectors, flops) in [
        ("singular-values", Vectors::No, 8.0 / 3.0 * cube),
        ("svd", Vectors::Yes, 64.0 / 3.0 * cube),
    ] {
        let find = || svd_on(backend, a.view(), vectors).expect("finite");
        push(name, best_of(|| drop(black_box(find()))), flops);
    }
}
