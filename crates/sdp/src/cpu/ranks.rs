//! The Schur complement of hosts that are ranks: in tiles, or where it is sparse, on every rank.

use nonius_comm::dense::{Panels, Tiled};
use nonius_linalg::backend::{Cpu, Memory};
use nonius_linalg::dense::{Transpose, cholesky_in_place};
use nonius_linalg::{Error, Numbers};

use super::blocks::Blocks;
use super::complement::Schur;
use super::cone::CpuCone;
use super::kernels::Kernels;
use crate::cone::Cone;
use crate::ranks::{Lists, RanksCone, Shared};

/// A Schur complement that ranks have, or its Cholesky factor.
#[expect(missing_debug_implementations, reason = "matrices of a backend")]
pub enum RanksSchur<T: Kernels> {
    /// A dense one in tiles, and once it is factored, the factor's panels.
    Tiled {
        /// The lower triangle, or the factor.
        matrix: Tiled<T, Cpu>,
        /// What systems are solved with.
        panels: Option<Panels<T, Cpu>>,
    },
    /// A sparse one, on every rank.
    Whole(Schur<T>),
}

impl<T: Kernels> Shared<Cpu> for CpuCone<T> {
    type OnRanks = RanksSchur<T>;

    fn schur_on_ranks(cone: &RanksCone<Self, Cpu>) -> Result<RanksSchur<T>, Error> {
        let m = cone.whole.constraints();
        match cone.whole.sparse_columns() {
            None => {
                let matrix = cone.ranks.try_zeros(cone.whole.format(), m, m)?;
                Ok(RanksSchur::Tiled { matrix, panels: None })
            }
            Some(_) => Ok(RanksSchur::Whole(cone.whole.schur()?)),
        }
    }

    fn form_on_ranks(
        cone: &RanksCone<Self, Cpu>,
        u: &Blocks<T>,
        v: &Blocks<T>,
        b: &mut RanksSchur<T>,
    ) -> Result<(), Error> {
        let (ranks, owners) = (cone.ranks.grid().ranks(), &cone.columns[..]);
        let [u, v] = [u, v].map(|a| cone.whole.upload_blocks(&cone.gathered(a)?));
        let mine: Vec<usize> = (0..owners.len()).filter(|&j| owners[j] == ranks.rank()).collect();
        let formed = cone.whole.schur_columns(&u?, &v?, &mine)?;
        match b {
            RanksSchur::Tiled { matrix, .. } => cone.ranks.fill_lower(owners, &formed, matrix),
            RanksSchur::Whole(b) => {
                let lengths = cone.whole.sparse_columns().unwrap_or_default();
                let place = |j: usize| mine.partition_point(|&other| other < j);
                let lists = Lists { owners, lengths };
                let format = cone.whole.format();
                let all = lists.all(ranks, format, |j| formed[place(j)].as_slice())?;
                cone.whole.put_columns(&all, b);
                Ok(())
            }
        }
    }

    fn factor_on_ranks(
        cone: &RanksCone<Self, Cpu>,
        shifts: &[f64],
        b: &mut RanksSchur<T>,
    ) -> Result<bool, Error> {
        match b {
            RanksSchur::Tiled { matrix, panels } => {
                *panels = None;
                if !shifts.is_empty() {
                    let mut numbers = Numbers::with_capacity(cone.whole.format(), shifts.len());
                    shifts.iter().for_each(|&shift| numbers.push(T::from_f64(shift)));
                    cone.ranks.add_to_diagonal(numbers.as_slice(), matrix)?;
                }
                let outcome = cholesky_in_place(&cone.ranks, cone.ranks.view_mut(matrix));
                if outcome.is_ok() {
                    *panels = Some(cone.ranks.panels(matrix, T::BLOCKING.substitution)?);
                }
                Ok(outcome.is_ok())
            }
            RanksSchur::Whole(b) => cone.whole.factor_schur(shifts, b),
        }
    }

    fn solve_on_ranks(
        cone: &RanksCone<Self, Cpu>,
        factor: &RanksSchur<T>,
        x: &mut Numbers<T>,
    ) -> Result<(), Error> {
        match factor {
            RanksSchur::Tiled { panels, .. } => {
                // Without a factor nobody solves.
                let Some(panels) = panels else { return Ok(()) };
                for transpose in [Transpose::No, Transpose::Yes] {
                    cone.ranks.solve_panels(panels, transpose, x.as_mut_slice())?;
                }
            }
            RanksSchur::Whole(factor) => cone.whole.solve_schur(factor, x),
        }
        Ok(())
    }
}
