//! Reflections and rotations, on the host.

use super::iterate::{self, Side};
use super::{Svd, bidiagonalize};
use crate::backend::{Cpu, Schedule};
use crate::cpu::rotate::Rows;
use crate::dense::Vectors;
use crate::{Error, MatRef, Matrix, Number};

/// Singular values and vectors of a square matrix with entries of about 1.
pub(super) fn svd<T: Number>(
    cpu: Cpu,
    a: MatRef<'_, T>,
    vectors: Vectors,
) -> Result<Svd<T>, Error> {
    let n = a.rows();
    let reduced = bidiagonalize::bidiagonalize(cpu, a.to_matrix());
    let (mut d, mut e) = (reduced.diagonal, reduced.above);
    let columns = || {
        let [left, right] = [&reduced.left, &reduced.right];
        let [left, right] = [left, right].map(|q| q.columns(&cpu, a.format(), n, n));
        (Rows::new(&left), Rows::new(&right))
    };
    let mut rotated = (vectors == Vectors::Yes).then(columns);
    iterate::diagonalize(a.format(), &mut d, &mut e, |side, rotations| {
        match (&mut rotated, side) {
            (Some((left, _)), Side::Left) => left.rotate(rotations),
            (Some((_, right)), Side::Right) => right.rotate(rotations),
            (None, _) => {}
        }
    })?;
    let order = descending(&d);
    let vectors = rotated.map(|(left, right)| {
        let v = with_signs(right.columns(&order), &order, &d);
        (left.columns(&order), v)
    });
    Ok(Svd { values: order.iter().map(|&j| d[j].abs()).collect(), vectors })
}

/// Singular vectors in `f64`, left and right, in descending order of the singular values.
pub(crate) fn singular_vectors(a: MatRef<'_, f64>) -> Result<(Matrix<f64>, Matrix<f64>), Error> {
    let cpu = Cpu::default();
    let found = Schedule::run(&cpu, || svd(cpu, a, Vectors::Yes))?;
    Ok(found.vectors.unwrap_or_else(|| (Matrix::zeros(a.rows(), 0), Matrix::zeros(a.cols(), 0))))
}

/// The order in which magnitudes descend.
pub(super) fn descending<T: Number>(values: &[T]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    let by_size = |i: usize, j: usize| values[j].abs().partial_cmp(&values[i].abs());
    order.sort_by(|&i, &j| by_size(i, j).unwrap_or(core::cmp::Ordering::Equal));
    order
}

/// `V` with the signs of the values, of which column `j` belongs to `values[order[j]]`.
pub(super) fn with_signs<T: Number>(mut v: Matrix<T>, order: &[usize], values: &[T]) -> Matrix<T> {
    for (j, _) in order.iter().enumerate().filter(|&(_, &i)| values[i] < T::ZERO) {
        (0..v.rows()).for_each(|i| v.set(i, j, -v.at(i, j)));
    }
    v
}
