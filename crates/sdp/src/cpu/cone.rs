//! A program as its cone has it, and what is computed from it once.

use std::sync::{Arc, OnceLock};

use nonius_linalg::backend::{Cpu, Schedule};
use nonius_linalg::dense::cholesky_in_place;
use nonius_linalg::{Element, Matrix};

use super::formula::{self, SchurFormula};
use super::gathered::Gathered;
use super::kernels::Kernels;
use super::schur::Prepared;
use super::sparsity::Sparsity;
use crate::cone::{Magnitudes, Program, Square};

/// A program with numbers `T`, on the host.
#[derive(Clone, Debug)]
pub struct CpuCone<T: Element> {
    pub(super) program: Program<T>,
    pub(super) cpu: Cpu,
    /// For each square how the columns of the Schur complement are computed.
    formulas: Vec<Vec<SchurFormula>>,
    /// The squares' entries once more, as sums want them.
    pub(super) gathered: Vec<Gathered<T>>,
    /// Where the Schur complement has entries, once it is asked for; `None` where it is dense.
    pub(super) sparsity: OnceLock<Option<Arc<Sparsity>>>,
    /// Once they are asked for.
    pub(super) magnitudes: OnceLock<Magnitudes>,
}

impl<T: Kernels> CpuCone<T> {
    /// The program, with products of matrices as `cpu` has them.
    pub fn new(program: Program<T>, cpu: Cpu) -> Self {
        let formulas =
            program.squares().iter().map(|square| formula::choose(square, T::COSTS)).collect();
        Self::with_formulas(program, cpu, formulas)
    }

    /// The same with one formula for all columns of the Schur complement, not the fastest for each.
    pub fn with_formula(program: Program<T>, cpu: Cpu, formula: SchurFormula) -> Self {
        let count = |square: &Square<T>| square.constraints.len();
        let formulas = program.squares().iter().map(|s| vec![formula; count(s)]).collect();
        Self::with_formulas(program, cpu, formulas)
    }

    fn with_formulas(program: Program<T>, cpu: Cpu, formulas: Vec<Vec<SchurFormula>>) -> Self {
        let gathered = program.squares().iter().map(Gathered::new).collect();
        let (sparsity, magnitudes) = (OnceLock::new(), OnceLock::new());
        Self { program, cpu, formulas, gathered, sparsity, magnitudes }
    }

    /// The program.
    pub fn program(&self) -> &Program<T> {
        &self.program
    }

    /// Where the Schur complement has entries; `None` where it is dense.
    pub(super) fn sparsity(&self) -> Option<&Arc<Sparsity>> {
        self.sparsity.get_or_init(|| Sparsity::new(&self.program).map(Arc::new)).as_ref()
    }

    pub(super) fn prepared(&self) -> Prepared<'_, T> {
        Prepared {
            program: &self.program,
            formulas: &self.formulas,
            gathered: &self.gathered,
            products: self.cpu.products(),
        }
    }

    /// Puts the Cholesky factor in the place of the lower triangle; whether there is one.
    pub(super) fn factor_square(&self, a: &mut Matrix<T>) -> bool {
        self.cpu.run(|| cholesky_in_place(&self.cpu, a.view_mut())).is_ok()
    }
}
