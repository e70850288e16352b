//! The jobs on the host's processor.

use std::time::{Duration, Instant};

use nonius_cuda::DeviceNumber;
use nonius_fem::Simulation;
use nonius_linalg::backend::Cpu;
use nonius_linalg::certified::Prover;
use nonius_linalg::dense::gemm::{Products, Report, gemm_on};
use nonius_linalg::{Error, Matrix, Number, SliceMut, tridiag};
use nonius_option::Kernels;
use nonius_option::cuda::OnCuda;
use nonius_option::evolve::Evolve;

use super::Backend;
use crate::dense::Operands;
use crate::tridiag::form::Form;
use crate::tridiag::solved::Solved;
use crate::tridiag::transfer::Transfer;

impl Backend for Cpu {
    fn multiplying(&self, products: Products) -> Self {
        Self::new(products)
    }

    fn prover(&self) -> impl Prover {
        self.multiplying(Products::direct())
    }

    fn evolver<T: Kernels + OnCuda>(&self) -> &dyn Evolve<T> {
        self
    }

    fn continue_simulation(&self, _: &mut Simulation<'_>) -> Result<(), nonius_fem::Error> {
        Ok(())
    }

    fn multiply<T: Number>(
        &self,
        products: Products,
        product: &Operands<'_, T>,
        beta: T,
        c: &mut Matrix<T>,
    ) -> Result<Report, Error> {
        let &Operands { a, transpose_a, b, transpose_b, alpha } = product;
        let cpu = self.multiplying(products);
        gemm_on(&cpu, transpose_a, transpose_b, alpha, a, b, beta, c.view_mut())
    }

    fn tridiagonal<T: DeviceNumber>(
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
