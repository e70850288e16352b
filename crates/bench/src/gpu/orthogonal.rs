//! Eigenvalues and singular values on a GPU.

use nonius_cuda::Cuda;
use nonius_linalg::Scalar;
use nonius_num::{Dd, Qd, Td};

use super::rows::row;
use crate::inputs::matrix;
use crate::orthogonal::decompositions;
use crate::record::Record;

/// Decompositions of order `n` at every precision, from the host's memory and back.
pub(crate) fn measure(gpu: &Cuda, sizes: &[usize]) -> Vec<Record> {
    let mut records = Vec::new();
    for &n in sizes {
        one_precision::<f64>(gpu, n, &mut records);
        one_precision::<Dd>(gpu, n, &mut records);
        one_precision::<Td>(gpu, n, &mut records);
        one_precision::<Qd>(gpu, n, &mut records);
    }
    records
}

fn one_precision<T: Scalar>(gpu: &Cuda, n: usize, records: &mut Vec<Record>) {
    let a = matrix::<T>(n, n, 1);
    decompositions(gpu, &a, &mut |name, seconds, flops| {
        records.push(row::<T>(name, [n, n, n], seconds, flops));
    });
}
