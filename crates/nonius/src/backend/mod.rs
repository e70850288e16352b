//! What a device does for the jobs of this library: each thing is asked for once, and done once by
//! each device.

mod cpu;
mod cuda;
mod fit;
mod team;

use std::time::Duration;

use nonius_comm::Packed;
use nonius_comm::dense::Cargo;
use nonius_cuda::DeviceNumber;
use nonius_fem::Simulation;
use nonius_linalg::certified::Prover;
use nonius_linalg::dense::gemm::{Products, Report};
use nonius_linalg::{Error, Matrix, Number, SliceMut, tridiag};
use nonius_option::cuda::OnCuda;
use nonius_option::evolve::Evolve;
use nonius_option::{Contract, Implied, Kernels, Price, Priced, Quote, Request};

use crate::dense::Operands;
use crate::tridiag::form::Form;
use crate::tridiag::solved::Solved;
use crate::tridiag::transfer::Transfer;

pub(crate) use fit::{Fit, Size};
pub(crate) use team::{Member, Team};

/// The price of a contract, or why it has none.
pub(crate) type PriceResult<T> = Result<Price<T>, nonius_option::Error>;

/// The volatility that a quote implies, or why there is none.
pub(crate) type ImpliedResult<T> = Result<Implied<T>, nonius_option::Error>;

/// What does the jobs that ranks share: a device alone, or a [`Team`].
pub(crate) trait Machine: nonius_sdp::Optimizer + Sized {
    /// What solves dense systems.
    type Dense;

    /// What solves those whose matrices its memory does not hold.
    type OutOfCore;

    /// What iterates on sparse systems.
    type Homes;

    /// What solves dense systems, with products of matrices computed so.
    fn dense(&self, products: Products) -> Result<Self::Dense, Error>;

    /// The same for a task of some size, in the memory that holds its matrices. `room` are bytes
    /// for matrices on a device, in place of those that it has.
    fn fit<T: Cargo>(
        &self,
        products: Products,
        format: T::Format,
        size: Size,
        room: Option<usize>,
    ) -> Result<Fit<Self::Dense, Self::OutOfCore>, Error>;

    /// What iterates on a system of an order whose matrix has entries in these places.
    fn homes(&self, order: usize, places: &[(usize, usize)]) -> Result<Self::Homes, Error>;

    /// What proves digits.
    fn prover(&self) -> Result<impl Prover, Error>;

    /// The word of the first rank.
    fn agree(&self, word: u64) -> Result<u64, Error>;

    /// Lets a simulation, which begins on the host, go on there.
    fn continue_simulation(&self, simulation: &mut Simulation<'_>)
    -> Result<(), nonius_fem::Error>;

    /// `C ← α·op(A)·op(B) + β·C` in the host's memory, with the room of [`fit`](Self::fit); also
    /// whether it was computed out of core.
    fn multiply<T: Number + Cargo>(
        &self,
        products: Products,
        product: &Operands<'_, T>,
        beta: T,
        c: &mut Matrix<T>,
        room: Option<usize>,
    ) -> Result<(Report, bool), Error>;

    /// Solves a batch of tridiagonal systems; the seconds are those of the solution alone.
    fn tridiagonal<T: DeviceNumber + Packed>(
        &self,
        batch: &tridiag::Batch<'_, T>,
        options: &tridiag::Options,
        transfer: Transfer,
        x: SliceMut<'_, T>,
    ) -> Result<(tridiag::Report, Duration), Error>;

    /// Prices contracts.
    fn price<T: Priced + OnCuda + Cargo>(
        &self,
        contracts: &[Contract<T>],
        request: &Request,
    ) -> Result<Vec<PriceResult<T>>, Error>;

    /// Finds the volatilities that quotes imply.
    fn imply<T: Priced + OnCuda + Cargo>(
        &self,
        quotes: &[Quote<T>],
        tolerance: f64,
    ) -> Result<Vec<ImpliedResult<T>>, Error>;
}

/// A device for every job.
pub(crate) trait Backend: Machine<Dense = Self, Homes = Self> + Clone {
    /// The same device, with products of matrices computed so.
    fn multiplying(&self, products: Products) -> Self;

    /// Bytes for matrices that the device has beside the host's memory; `None` where that is its
    /// memory.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn room(&self) -> Result<Option<usize>, Error>;

    /// What takes prices through time.
    fn evolver<T: Kernels + OnCuda>(&self) -> &dyn Evolve<T>;

    /// Solves a batch that is formed in the device's memory.
    ///
    /// # Errors
    /// [`Error::NeedsGpu`].
    fn tridiagonal_formed<T: DeviceNumber>(
        &self,
        format: T::Format,
        shape: (usize, usize),
        order: tridiag::Order,
        form: &Form,
        options: &tridiag::Options,
    ) -> Result<Solved<T>, Error>;
}

/// Work on a backend, written once for all of them: an implementation is generic over `B`, and
/// asks of its numbers what is compiled for `B`.
pub(crate) trait DeviceJob<B> {
    /// What it yields.
    type Output;

    /// Does it; on another backend once more where a device fails.
    fn run(&mut self, backend: &B) -> Result<Self::Output, Error>;
}
