//! The jobs that ranks share.

mod cpu;
mod cuda;

use std::time::{Duration, Instant};

use nonius_comm::dense::{Cargo, Grid, Link, Ranks};
use nonius_comm::tridiag::Solver;
use nonius_comm::{Communicator, Packed, krylov};
use nonius_cuda::DeviceNumber;
use nonius_linalg::backend::Gemm;
use nonius_linalg::dense::gemm::{Products, Report, gemm_on};
use nonius_linalg::{Error, Matrix, Number, SliceMut, tridiag};
use nonius_option::cuda::OnCuda;
use nonius_option::{Contract, Priced, Request, price_on_ranks};

use super::{Backend, PriceResult};
use crate::dense::Operands;

/// Ranks, each with a device of its own.
#[derive(Clone, Debug)]
pub(crate) struct Team<B> {
    ranks: Communicator,
    local: B,
}

impl<B: Backend + Link> Team<B> {
    /// The ranks, of which this one computes with `local`.
    pub(crate) fn new(ranks: &Communicator, local: B) -> Self {
        Self { ranks: ranks.clone(), local }
    }

    /// Matrices in tiles of this order.
    fn tiled(&self, tile: usize, products: Products) -> Result<Ranks<B>, Error> {
        Ranks::new(Grid::new(&self.ranks, tile), self.local.multiplying(products))
    }

    /// What iterates on a system whose matrix has entries in these places.
    fn rows(&self, order: usize, places: &[(usize, usize)]) -> Result<krylov::Ranks<B>, Error> {
        let rows = krylov::Rows::of_places(self.ranks.size(), order, places);
        krylov::Ranks::new(&self.ranks, rows, self.local.clone())
    }

    /// Solves a batch of tridiagonal systems, some on each rank.
    fn solved<T: DeviceNumber + Packed>(
        &self,
        batch: &tridiag::Batch<'_, T>,
        options: &tridiag::Options,
        x: SliceMut<'_, T>,
    ) -> Result<(tridiag::Report, Duration), Error>
    where
        B: Solver<T>,
    {
        let start = Instant::now();
        let report = nonius_comm::tridiag::solve(&self.ranks, &self.local, batch, options, x)?;
        Ok((report, start.elapsed()))
    }

    /// The word of the first rank.
    fn word_of_first(&self, word: u64) -> Result<u64, Error> {
        let mut word = [word];
        self.ranks.broadcast(0, &mut word)?;
        Ok(word[0])
    }

    /// Prices contracts, some on each rank.
    fn priced<T: Priced + OnCuda + Cargo>(
        &self,
        contracts: &[Contract<T>],
        request: &Request,
    ) -> Result<Vec<PriceResult<T>>, Error> {
        price_on_ranks(&self.ranks, self.local.evolver::<T>(), contracts, &|_| *request)
    }
}

/// A product of matrices that every rank has.
fn product<T: Number, B: Gemm<T>>(
    ranks: &B,
    product: &Operands<'_, T>,
    beta: T,
    c: &mut Matrix<T>,
) -> Result<Report, Error> {
    let &Operands { a, transpose_a, b, transpose_b, alpha } = product;
    let [a, b] = [a, b].map(|operand| ranks.upload(operand));
    let (rows, cols) = c.shape();
    let mut found = match beta == T::ZERO {
        true => ranks.zeros(c.format(), rows, cols),
        false => ranks.upload(c.view()),
    };
    let (a, b, to) = (ranks.view(&a), ranks.view(&b), ranks.view_mut(&mut found));
    let report = gemm_on(ranks, transpose_a, transpose_b, alpha, a, b, beta, to)?;
    *c = ranks.download(ranks.view(&found))?;
    Ok(report)
}
