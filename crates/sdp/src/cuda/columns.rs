//! How the columns of the Schur complement are computed, a square's at a time.

use nonius_cuda::Cuda;
use nonius_gpu::{Error, Pointer};
use nonius_linalg::Element;

use super::formula::{CudaSchurFormula, is_long};
use super::full::Full;
use super::lists::Lists;
use crate::cone::Square;

/// How the columns of one square are computed.
#[derive(Debug)]
pub(super) struct Columns {
    /// Where the list of those is that take entries alone, and how many there are.
    pub(super) sparse: Pointer<u32>,
    pub(super) sparse_count: usize,
    /// Whether most of their sums are long.
    pub(super) is_long: bool,
    pub(super) full: Full,
    _lists: Lists,
}

impl Columns {
    /// Those of the constraints that `has` tells.
    pub(super) fn new<T: Element>(
        gpu: &Cuda,
        square: &Square<T>,
        formulas: &[CudaSchurFormula],
        has: &dyn Fn(usize) -> bool,
    ) -> Result<Self, Error> {
        let of_all = |formula| -> Vec<u32> {
            let numbered = (0..).zip(formulas);
            numbered.filter(|&(_, &one)| one == formula).map(|(matrix, _)| matrix).collect()
        };
        let of = |formula| {
            let mut own = of_all(formula);
            own.retain(|&matrix| has(square.constraints[matrix as usize] as usize));
            own
        };
        let (sparse, full) = (of(CudaSchurFormula::Sparse), CudaSchurFormula::Full);
        let mut lists = Lists::default();
        Ok(Self {
            sparse: lists.keep(gpu.numbers(&sparse)?),
            sparse_count: sparse.len(),
            is_long: is_long(square),
            full: Full::new(gpu, square, of(full), of_all(full))?,
            _lists: lists,
        })
    }
}
