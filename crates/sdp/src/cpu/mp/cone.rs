//! A program as its cone has it, and what is computed from it once.

use std::sync::{Arc, OnceLock};

use nonius_linalg::Error;
use nonius_linalg::backend::{Cpu, Schedule, Space};
use nonius_linalg::cpu::space::MpSpace;
use nonius_linalg::dense::factor_in_place;
use nonius_linalg::dense::gemm::Products;
use nonius_linalg::mp::{Matrix, Numbers};
use nonius_num::mp::{Bits, Mp};

use super::gathered::Gathered;
use super::sums::Pair;
use super::supernode::Panels;
use crate::cone::{Magnitudes, Program};
use crate::cpu::formula::{self, SchurFormula};
use crate::cpu::sparsity::Sparsity;

/// Limbs of the numbers whose costs choose the formulas of the Schur complement.
pub(super) const LIMBS: usize = 4;

/// A program with numbers of any bits, on the host.
#[derive(Clone, Debug)]
pub struct MpCone {
    pub(super) program: Program<Mp>,
    pub(super) products: Products,
    pub(super) bits: Bits,
    /// For each square how the columns of the Schur complement are computed.
    pub(super) formulas: Vec<Vec<SchurFormula>>,
    /// The squares' entries once more, as sums want them.
    pub(super) gathered: Vec<Gathered>,
    /// The diagonal block's entries by their constraints, each with its row.
    pub(super) diagonal: Vec<Pair>,
    /// Where the Schur complement has entries; `None` where it is dense.
    pub(in crate::cpu) sparsity: Option<Arc<Sparsity>>,
    /// Once they are asked for.
    pub(super) magnitudes: OnceLock<Magnitudes>,
}

impl MpCone {
    /// The program, with numbers of the objective's bits and products of matrices by the engine of `products`; their sums have one arithmetic.
    pub fn new(program: Program<Mp>, products: Products) -> Self {
        let bits = program.objective().bits();
        let squares = program.squares();
        let formulas = squares.iter().map(|square| formula::choose(square, LIMBS)).collect();
        let gathered = squares.iter().map(Gathered::new).collect();
        let numbers = program.diagonal().numbers.iter();
        let diagonal = numbers.map(|&(row, e)| (e as usize, row as usize)).collect();
        let sparsity = Sparsity::new(&program).map(Arc::new);
        let magnitudes = OnceLock::new();
        Self { program, products, bits, formulas, gathered, diagonal, sparsity, magnitudes }
    }

    /// The program.
    pub fn program(&self) -> &Program<Mp> {
        &self.program
    }

    /// The bits.
    pub fn bits(&self) -> Bits {
        self.bits
    }

    /// The entries of matrix `k` in the diagonal block, each with its row.
    pub(super) fn of_diagonal(&self, k: usize) -> &[Pair] {
        let starts = &self.program.diagonal().by_constraint;
        &self.diagonal[starts[k]..starts[k + 1]]
    }

    pub(super) fn cpu(&self) -> Cpu {
        Cpu::new(self.products)
    }

    /// Turns a matrix into its Cholesky factor, with zeros above the diagonal, where it has one.
    pub(super) fn factor_square(&self, a: &mut Matrix) -> bool {
        let is_definite = self.cpu().run(|| factor_in_place(&self.cpu(), a.view_mut())).is_ok();
        for j in 1..a.cols() {
            a.column_mut(j).range(0..j).clear();
        }
        is_definite
    }

    pub(super) fn panels(&self) -> Panels {
        Panels { bits: self.bits, products: self.products }
    }

    pub(super) fn zeros(&self, count: usize) -> Result<Numbers, Error> {
        Numbers::try_zeros(self.bits, count).ok_or(Error::TooLarge { rows: count, cols: 1 })
    }

    pub(super) fn sum_of_products(&self, x: &Numbers, y: &Numbers) -> Mp {
        let mut to = Mp::zero(self.bits);
        MpSpace::new(self.bits).dot(x, y, &mut to);
        to
    }
}
