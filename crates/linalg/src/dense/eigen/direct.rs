//! Reflections and rotations, on the host.

use super::{Eigen, Vectors, iterate, tridiagonalize};
use crate::backend::{Cpu, Schedule};
use crate::cpu::rotate::Rows;
use crate::{Error, MatRef, Matrix, Number};

/// Eigenvalues and eigenvectors of a symmetric matrix with entries of about 1.
pub(super) fn eigen<T: Number>(
    cpu: Cpu,
    a: MatRef<'_, T>,
    vectors: Vectors,
) -> Result<Eigen<T>, Error> {
    let n = a.rows();
    let reduced = tridiagonalize::tridiagonalize(cpu, a.to_matrix());
    let (mut d, mut e) = (reduced.diagonal, reduced.beside);
    let mut rotated =
        (vectors == Vectors::Yes).then(|| Rows::new(&reduced.q.columns(&cpu, a.format(), n, n)));
    iterate::diagonalize(a.format(), &mut d, &mut e, |rotations| {
        if let Some(rotated) = &mut rotated {
            rotated.rotate(rotations);
        }
    })?;
    let order = ascending(&d);
    let values = order.iter().map(|&j| d[j]).collect();
    Ok(Eigen { values, vectors: rotated.map(|rotated| rotated.columns(&order)) })
}

/// Eigenvectors in `f64`, in ascending order of the eigenvalues.
pub(crate) fn eigenvectors(a: MatRef<'_, f64>) -> Result<Matrix<f64>, Error> {
    let cpu = Cpu::default();
    let found = Schedule::run(&cpu, || eigen(cpu, a, Vectors::Yes))?;
    Ok(found.vectors.unwrap_or_else(|| Matrix::zeros(a.rows(), 0)))
}

/// The order in which values ascend.
pub(super) fn ascending<T: Number>(values: &[T]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[i].partial_cmp(&values[j]).unwrap_or(core::cmp::Ordering::Equal));
    order
}
