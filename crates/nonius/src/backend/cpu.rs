//! The jobs on the host's processor.

use std::time::{Duration, Instant};

use nonius_comm::Packed;
use nonius_comm::dense::Cargo;
use nonius_cuda::DeviceNumber;
use nonius_fem::Simulation;
use nonius_linalg::backend::Cpu;
use nonius_linalg::certified::Prover;
use nonius_linalg::dense::gemm::{Products, Report, gemm_on};
use nonius_linalg::out_of_core::OutOfCore;
use nonius_linalg::{Error, Matrix, Number, SliceMut, tridiag};
use nonius_option::cuda::OnCuda;
use nonius_option::evolve::Evolve;
use nonius_option::{Contract, Kernels, Priced, Quote, Request, implied_volatility, price};

use super::fit::multiply_out_of_core;
use super::{Backend, Fit, ImpliedResult, Machine, PriceResult, Size};
use crate::dense::Operands;
use crate::tridiag::form::Form;
use crate::tridiag::solved::Solved;
use crate::tridiag::transfer::Transfer;

impl Machine for Cpu {
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
        Ok(size.fit::<T, _>(format, self.multiplying(products), room.or(self.room()?)))
    }

    fn homes(&self, _: usize, _: &[(usize, usize)]) -> Result<Self, Error> {
        Ok(*self)
    }

    fn prover(&self) -> Result<impl Prover, Error> {
        Ok(self.multiplying(Products::direct()))
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

    fn continue_simulation(&self, _: &mut Simulation<'_>) -> Result<(), nonius_fem::Error> {
        Ok(())
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
            Fit::InCore(cpu) => {
                let report = gemm_on(&cpu, transpose_a, transpose_b, alpha, a, b, beta, c)?;
                Ok((report, false))
            }
            Fit::OutOfCore(large) => Ok((multiply_out_of_core(&large, product, beta, c)?, true)),
        }
    }

    fn tridiagonal<T: DeviceNumber + Packed>(
        &self,
        batch: &tridiag::Batch<'_, T>,
        options: &tridiag::Options,
        _: Transfer,
        x: SliceMut<'_, T>,
    ) -> Result<(tridiag::Report, Duration), Error> {
        let start = Instant::now();
        let report = tridiag::solve(batch, options, x)?;
        Ok((report, start.elapsed()))
    }
}

impl Backend for Cpu {
    fn multiplying(&self, products: Products) -> Self {
        Self::new(products)
    }

    fn room(&self) -> Result<Option<usize>, Error> {
        Ok(None)
    }

    fn evolver<T: Kernels + OnCuda>(&self) -> &dyn Evolve<T> {
        self
    }

    fn tridiagonal_formed<T: DeviceNumber>(
        &self,
        _: T::Format,
        _: (usize, usize),
        _: tridiag::Order,
        _: &Form,
        _: &tridiag::Options,
    ) -> Result<Solved<T>, Error> {
        Err(Error::NeedsGpu { what: "coefficients by statements" })
    }
}
