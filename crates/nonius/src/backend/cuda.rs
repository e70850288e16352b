//! The jobs on a GPU.

use std::time::{Duration, Instant};

use nonius_comm::Packed;
use nonius_comm::dense::Cargo;
use nonius_cuda::{Cuda, DeviceNumber, Transfer as Way};
use nonius_fem::Simulation;
use nonius_linalg::certified::Prover;
use nonius_linalg::dense::gemm::{Products, Report};
use nonius_linalg::out_of_core::OutOfCore;
use nonius_linalg::tridiag::{self, Batch, Options, Order, settle};
use nonius_linalg::{DeviceFailure, Error, Matrix, Number, Numbers, SliceMut};
use nonius_option::cuda::OnCuda;
use nonius_option::evolve::Evolve;
use nonius_option::{Contract, Kernels, Priced, Quote, Request, implied_volatility, price};

use super::fit::multiply_out_of_core;
use super::{Backend, Fit, ImpliedResult, Machine, PriceResult, Size};
use crate::dense::Operands;
use crate::tridiag::form::Form;
use crate::tridiag::solved::Solved;
use crate::tridiag::systems::{Systems, zeros};
use crate::tridiag::transfer::Transfer;

impl Machine for Cuda {
    type Dense = Self;
    type OutOfCore = OutOfCore<Self>;
    type Homes = Self;

    fn dense(&self, products: Products) -> Result<Self, Error> {
        Ok(self.multiplying(products))
    }

    fn fit<T: Cargo>(
        &self,
        products: Products,
        format: T::Format,
        size: Size,
        room: Option<usize>,
    ) -> Result<Fit<Self, OutOfCore<Self>>, Error> {
        let room = room.map_or_else(|| self.room(), |room| Ok(Some(room)))?;
        Ok(size.fit::<T, _>(format, self.multiplying(products), room))
    }

    fn homes(&self, _: usize, _: &[(usize, usize)]) -> Result<Self, Error> {
        Ok(self.clone())
    }

    fn prover(&self) -> Result<impl Prover, Error> {
        Ok(self.clone())
    }

    fn agree(&self, word: u64) -> Result<u64, Error> {
        Ok(word)
    }

    fn price<T: Priced + OnCuda + Cargo>(
        &self,
        contracts: &[Contract<T>],
        request: &Request,
    ) -> Result<Vec<PriceResult<T>>, Error> {
        price(self.evolver::<T>(), contracts, request)
    }

    fn imply<T: Priced + OnCuda + Cargo>(
        &self,
        quotes: &[Quote<T>],
        tolerance: f64,
    ) -> Result<Vec<ImpliedResult<T>>, Error> {
        implied_volatility(self.evolver::<T>(), quotes, tolerance)
    }

    fn continue_simulation(
        &self,
        simulation: &mut Simulation<'_>,
    ) -> Result<(), nonius_fem::Error> {
        simulation.continue_on(self)
    }

    fn multiply<T: Number + Cargo>(
        &self,
        products: Products,
        product: &Operands<'_, T>,
        beta: T,
        c: &mut Matrix<T>,
        room: Option<usize>,
    ) -> Result<(Report, bool), Error> {
        let &Operands { a, transpose_a, b, transpose_b, alpha } = product;
        let (format, size, c) = (c.format(), Size::Product(product.sizes()), c.view_mut());
        match self.fit::<T>(products, format, size, room)? {
            Fit::InCore(gpu) => {
                let report = gpu.gemm_host(transpose_a, transpose_b, alpha, a, b, beta, c)?;
                Ok((report, false))
            }
            Fit::OutOfCore(large) => Ok((multiply_out_of_core(&large, product, beta, c)?, true)),
        }
    }

    fn tridiagonal<T: DeviceNumber + Packed>(
        &self,
        batch: &Batch<'_, T>,
        options: &Options,
        transfer: Transfer,
        mut x: SliceMut<'_, T>,
    ) -> Result<(tridiag::Report, Duration), Error> {
        let (mut report, time) = solve_batch(self, batch, options, transfer, x.reborrow())?;
        report.failures = settle(batch, options, x, &report.failures)?;
        Ok((report, time))
    }
}

impl Backend for Cuda {
    fn multiplying(&self, products: Products) -> Self {
        self.clone().with_products(products)
    }

    /// All but an eighth, which kernels and transfers take.
    fn room(&self) -> Result<Option<usize>, Error> {
        let free = self.device().room();
        let free = free.map_err(|error| Error::Device(DeviceFailure::new(error)))?;
        Ok(Some((free - free / 8) as usize))
    }

    fn evolver<T: Kernels + OnCuda>(&self) -> &dyn Evolve<T> {
        T::evolver(self)
    }

    fn tridiagonal_formed<T: DeviceNumber>(
        &self,
        format: T::Format,
        (systems, size): (usize, usize),
        order: Order,
        form: &Form,
        options: &Options,
    ) -> Result<Solved<T>, Error> {
        let generator = form.generator();
        let mut batch =
            self.generate_tridiagonal::<T>(format, (systems, size), order, &generator)?;
        // Kernels are compiled, and the coefficients there.
        self.solve_tridiagonal(&mut batch, options)?;
        let start = Instant::now();
        let mut report = self.solve_tridiagonal(&mut batch, options)?;
        let time = start.elapsed();
        let array = || zeros(format, (size, systems), systems * size);
        let mut x = array()?;
        self.download_unknowns(&batch, &mut x)?;
        let (mut matrix, mut right) = ([array()?, array()?, array()?], array()?);
        let [lower, diagonal, upper] = &mut matrix;
        let arrays = [lower, diagonal, upper, &mut right].map(Numbers::as_mut_slice);
        self.download_coefficients(&batch, arrays)?;
        let formed = Systems { systems, size, order, matrix, right };
        report.failures = settle(&formed.batch()?, options, &mut x, &report.failures)?;
        Ok(Solved { x, report, time })
    }
}

fn solve_batch<T: DeviceNumber>(
    gpu: &Cuda,
    batch: &Batch<'_, T>,
    options: &Options,
    transfer: Transfer,
    x: SliceMut<'_, T>,
) -> Result<(tridiag::Report, Duration), Error> {
    let way = match transfer {
        Transfer::Synchronous => Way::Synchronous,
        Transfer::Asynchronous => Way::Asynchronous,
        Transfer::Mapped => Way::Mapped,
        Transfer::Device => {
            let mut there = gpu.upload_tridiagonal(batch)?;
            gpu.solve_tridiagonal(&mut there, options)?;
            let start = Instant::now();
            let report = gpu.solve_tridiagonal(&mut there, options)?;
            let time = start.elapsed();
            gpu.download_unknowns(&there, x)?;
            return Ok((report, time));
        }
    };
    let mut pinned = gpu.pin_tridiagonal(batch)?;
    warm(gpu, batch, options)?;
    let start = Instant::now();
    let report = gpu.solve_pinned(&mut pinned, options, way)?;
    let time = start.elapsed();
    pinned.unknowns(x);
    Ok((report, time))
}

/// Has the kernels compiled and loaded, by one system.
fn warm<T: DeviceNumber>(gpu: &Cuda, batch: &Batch<'_, T>, options: &Options) -> Result<(), Error> {
    let n = batch.size();
    let zero = Numbers::zeros(batch.format(), n);
    let mut one = zero.clone();
    (0..n).for_each(|i| one.set(i, T::ONE));
    let single = Batch::new(1, n, batch.order(), [&zero, &one, &zero], &one)?;
    let mut there = gpu.upload_tridiagonal(&single)?;
    gpu.solve_tridiagonal(&mut there, options).map(drop)
}
