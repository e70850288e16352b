//! The jobs that ranks share.

use std::time::{Duration, Instant};

use nonius_comm::dense::{Cargo, Grid, Link, Queue, Ranks};
use nonius_comm::tridiag::Solver;
use nonius_comm::{Communicator, Packed, krylov};
use nonius_cuda::{Cuda, DeviceNumber};
use nonius_fem::Simulation;
use nonius_fem::cuda::CudaRanks;
use nonius_fem::solid::Solids;
use nonius_linalg::backend::{Cpu, Gemm, Schedule};
use nonius_linalg::certified::Prover;
use nonius_linalg::dense::gemm::{Products, Report, gemm_on};
use nonius_linalg::out_of_core::OutOfCore;
use nonius_linalg::{DeviceFailure, Error, Matrix, Number, SliceMut, tridiag};
use nonius_option::cuda::OnCuda;
use nonius_option::{
    Contract, Priced, Quote, Request, implied_volatility_on_ranks, price_on_ranks,
};
use nonius_sdp::certify::Certificate;
use nonius_sdp::solver::Phase;
use nonius_sdp::{AnyPoint, Ladder, Observe, Optimizer, Problem, Report as SdpReport};

use super::{Backend, Fit, ImpliedResult, Machine, PriceResult, Size};
use crate::dense::Operands;
use crate::tridiag::transfer::Transfer;

/// The device of a rank.
pub(crate) trait Member: Backend + Link {
    /// The order of tiles.
    const TILE: usize;

    /// How proofs of digits multiply matrices.
    fn proofs() -> Products;

    /// The room for matrices of the rank whose device has the least, the same on every rank; `None`
    /// where devices have the hosts' memories. All ranks call it.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn least_room(&self, ranks: &Communicator) -> Result<Option<usize>, Error>;

    /// A product of matrices that every rank has. All ranks call it together.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn product<T: Cargo>(
        ranks: &Ranks<Self>,
        operands: &Operands<'_, T>,
        beta: T,
        c: &mut Matrix<T>,
    ) -> Result<Report, Error>
    where
        Self: Queue<T> + 'static,
    {
        in_tiles(ranks, operands, beta, c)
    }

    /// Where ranks with such devices share simulations. All ranks call it together.
    fn solids(&self, ranks: &Communicator) -> Result<impl Solids, Error>;
}

impl Member for Cpu {
    /// Four panels of `dd`. Smaller ones go to and fro more often.
    const TILE: usize = 64;

    fn proofs() -> Products {
        Products::direct()
    }

    fn least_room(&self, _: &Communicator) -> Result<Option<usize>, Error> {
        Ok(None)
    }

    /// No matrix is moved but the result.
    fn product<T: Cargo>(
        ranks: &Ranks<Self>,
        operands: &Operands<'_, T>,
        beta: T,
        c: &mut Matrix<T>,
    ) -> Result<Report, Error> {
        let &Operands { a, transpose_a, b, transpose_b, alpha } = operands;
        ranks.multiply_on_hosts([alpha, beta], (transpose_a, a), (transpose_b, b), c)
    }

    fn solids(&self, ranks: &Communicator) -> Result<impl Solids, Error> {
        Ok(nonius_fem::Ranks(ranks.clone()))
    }
}

impl Member for Cuda {
    /// Products of that many terms are nearly as fast as longer ones.
    const TILE: usize = 512;

    fn proofs() -> Products {
        Products::default()
    }

    /// Ranks with one device have equal parts of its room.
    fn least_room(&self, ranks: &Communicator) -> Result<Option<usize>, Error> {
        let identity =
            self.device().identity().map_err(DeviceFailure::new).map_err(Error::Device)?;
        let room = self.room()?.unwrap_or(0) as u64;
        let (identity, _) = identity.as_chunks::<8>();
        let mine = [u64::from_ne_bytes(identity[0]), u64::from_ne_bytes(identity[1]), room];
        let mut all = vec![0; mine.len() * ranks.size()];
        ranks.all_gather(&mine, &mut all)?;
        let (all, _) = all.as_chunks::<3>();
        let part = |one: &[u64; 3]| {
            let sharing = all.iter().filter(|other| other[..2] == one[..2]).count();
            one[2] / sharing.max(1) as u64
        };
        Ok(all.iter().map(part).min().map(|room| room as usize))
    }

    fn solids(&self, ranks: &Communicator) -> Result<impl Solids, Error> {
        CudaRanks::new(ranks, self)
    }
}

/// Ranks, each with a device of its own.
#[derive(Clone, Debug)]
pub(crate) struct Team<B> {
    ranks: Communicator,
    local: B,
}

impl<B: Member> Team<B> {
    /// The ranks, of which this one computes with `local`.
    pub(crate) fn new(ranks: &Communicator, local: B) -> Self {
        Self { ranks: ranks.clone(), local }
    }

    /// Matrices in tiles of this order.
    fn tiled(&self, tile: usize, products: Products) -> Result<Ranks<B>, Error> {
        Ranks::new(Grid::new(&self.ranks, tile), self.local.multiplying(products))
    }

    /// Matrices in tiles on the devices or, where these are too small, on the hosts.
    fn fitting<T: Cargo>(
        &self,
        tile: usize,
        products: Products,
        format: T::Format,
        size: Size,
        room: Option<usize>,
    ) -> Result<Fit<Ranks<B>, Ranks<OutOfCore<B>>>, Error> {
        let room = match room {
            Some(room) => Some(room),
            None => self.local.least_room(&self.ranks)?,
        };
        let (grid, local) = (Grid::new(&self.ranks, tile), self.local.multiplying(products));
        Ok(match size.fit_on::<T, _>(format, &grid, local, room) {
            Fit::InCore(local) => Fit::InCore(Ranks::new(grid, local)?),
            Fit::OutOfCore(local) => Fit::OutOfCore(Ranks::new(grid, local)?),
        })
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

    /// Finds implied volatilities, some on each rank.
    fn implied<T: Priced + OnCuda + Cargo>(
        &self,
        quotes: &[Quote<T>],
        tolerance: f64,
    ) -> Result<Vec<ImpliedResult<T>>, Error> {
        implied_volatility_on_ranks(&self.ranks, self.local.evolver::<T>(), quotes, tolerance)
    }
}

/// A product of matrices that every rank has, in tiles.
fn in_tiles<T: Number, B: Gemm<T>>(
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

/// The jobs of ranks with such a device. What is compiled for a device cannot be asked of all.
macro_rules! share_jobs {
    ($device:ty) => {
        impl Machine for Team<$device> {
            type Dense = Ranks<$device>;
            type OutOfCore = Ranks<OutOfCore<$device>>;
            type Homes = krylov::Ranks<$device>;

            fn dense(&self, products: Products) -> Result<Ranks<$device>, Error> {
                self.tiled(<$device>::TILE, products)
            }

            fn fit<T: Cargo>(
                &self,
                products: Products,
                format: T::Format,
                size: Size,
                room: Option<usize>,
            ) -> Result<Fit<Self::Dense, Self::OutOfCore>, Error> {
                self.fitting::<T>(<$device>::TILE, products, format, size, room)
            }

            fn homes(
                &self,
                order: usize,
                places: &[(usize, usize)],
            ) -> Result<krylov::Ranks<$device>, Error> {
                self.rows(order, places)
            }

            fn prover(&self) -> Result<impl Prover, Error> {
                self.dense(<$device>::proofs())
            }

            fn agree(&self, word: u64) -> Result<u64, Error> {
                self.word_of_first(word)
            }

            fn continue_simulation(
                &self,
                simulation: &mut Simulation<'_>,
            ) -> Result<(), nonius_fem::Error> {
                let backend = Member::solids(&self.local, &self.ranks);
                simulation.continue_on(&backend.map_err(nonius_fem::Error::Device)?)
            }

            fn multiply<T: Number + Cargo>(
                &self,
                products: Products,
                operands: &Operands<'_, T>,
                beta: T,
                c: &mut Matrix<T>,
                room: Option<usize>,
            ) -> Result<(Report, bool), Error> {
                let size = Size::Product(operands.sizes());
                Ok(match self.fit::<T>(products, c.format(), size, room)? {
                    Fit::InCore(ranks) => {
                        (<$device as Member>::product(&ranks, operands, beta, c)?, false)
                    }
                    Fit::OutOfCore(ranks) => (in_tiles(&ranks, operands, beta, c)?, true),
                })
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

            fn imply<T: Priced + OnCuda + Cargo>(
                &self,
                quotes: &[Quote<T>],
                tolerance: f64,
            ) -> Result<Vec<ImpliedResult<T>>, Error> {
                self.implied(quotes, tolerance)
            }
        }

        impl Optimizer for Team<$device> {
            fn climb(
                &self,
                ladder: &Ladder<'_>,
                observe: &mut Observe<'_>,
            ) -> Result<(SdpReport, AnyPoint), Error> {
                self.dense(Products::default())?.for_cholesky().climb(ladder, observe)
            }

            fn prove(
                &self,
                problem: &Problem,
                found: (&AnyPoint, Phase),
            ) -> Result<Certificate, nonius_sdp::Error> {
                self.dense(Products::default())?.prove(problem, found)
            }
        }
    };
}

share_jobs!(Cpu);
share_jobs!(Cuda);
