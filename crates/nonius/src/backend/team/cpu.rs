//! Ranks that compute with their hosts' processors.

use std::time::Duration;

use nonius_comm::Packed;
use nonius_comm::dense::{Cargo, Ranks};
use nonius_comm::krylov;
use nonius_cuda::DeviceNumber;
use nonius_fem::Simulation;
use nonius_linalg::backend::Cpu;
use nonius_linalg::certified::Prover;
use nonius_linalg::dense::gemm::{Products, Report};
use nonius_linalg::{Error, Matrix, Number, SliceMut, tridiag};
use nonius_option::cuda::OnCuda;
use nonius_option::{Contract, Priced, Request};
use nonius_sdp::certify::Certificate;
use nonius_sdp::solver::Phase;
use nonius_sdp::{AnyPoint, Ladder, Observe, Optimizer, Problem, Report as SdpReport};

use super::{Team, product};
use crate::backend::{Machine, PriceResult};
use crate::dense::Operands;
use crate::tridiag::transfer::Transfer;

/// The order of tiles: four panels of `dd`. Smaller ones go to and fro more often.
const TILE: usize = 64;

impl Machine for Team<Cpu> {
    type Dense = Ranks<Cpu>;
    type Homes = krylov::Ranks<Cpu>;

    fn dense(&self, products: Products) -> Result<Ranks<Cpu>, Error> {
        self.tiled(TILE, products)
    }

    fn homes(&self, order: usize, places: &[(usize, usize)]) -> Result<krylov::Ranks<Cpu>, Error> {
        self.rows(order, places)
    }

    fn prover(&self) -> Result<impl Prover, Error> {
        self.dense(Products::direct())
    }

    fn agree(&self, word: u64) -> Result<u64, Error> {
        self.word_of_first(word)
    }

    fn continue_simulation(
        &self,
        simulation: &mut Simulation<'_>,
    ) -> Result<(), nonius_fem::Error> {
        simulation.continue_on(&nonius_fem::Ranks(self.ranks.clone()))
    }

    fn multiply<T: Number + Cargo>(
        &self,
        products: Products,
        operands: &Operands<'_, T>,
        beta: T,
        c: &mut Matrix<T>,
    ) -> Result<Report, Error> {
        product(&self.dense(products)?, operands, beta, c)
    }

    fn tridiagonal<T: DeviceNumber + Packed>(
        &self,
        batch: &tridiag::Batch<'_, T>,
        options: &tridiag::Options,
        _: Transfer,
        x: SliceMut<'_, T>,
    ) -> Result<(tridiag::Report, Duration), Error> {
        self.solved(batch, options, x)
    }

    fn price<T: Priced + OnCuda + Cargo>(
        &self,
        contracts: &[Contract<T>],
        request: &Request,
    ) -> Result<Vec<PriceResult<T>>, Error> {
        self.priced(contracts, request)
    }
}

impl Optimizer for Team<Cpu> {
    fn climb(
        &self,
        ladder: &Ladder<'_>,
        observe: &mut Observe<'_>,
    ) -> Result<(SdpReport, AnyPoint), Error> {
        self.dense(Products::default())?.climb(ladder, observe)
    }

    fn prove(
        &self,
        problem: &Problem,
        found: (&AnyPoint, Phase),
    ) -> Result<Certificate, nonius_sdp::Error> {
        self.dense(Products::default())?.prove(problem, found)
    }
}
