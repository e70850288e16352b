//! The jobs on the host's processor.

use std::time::Instant;

use nonius_cuda::DeviceNumber;
use nonius_fem::Simulation;
use nonius_linalg::backend::Cpu;
use nonius_linalg::certified::Prover;
use nonius_linalg::dense::gemm::{Products, Report, gemm_on};
use nonius_linalg::dense::{
    Decomposition, Eigen, FoundDeterminant, Inverse, LeastSquares, Method, Solution, Svd, Vectors,
};
use nonius_linalg::krylov::Step;
use nonius_linalg::krylov::system::{Iterates, KrylovOptions, Solved as Iterated, SparseValues};
use nonius_linalg::mp::{self, Mp};
use nonius_linalg::{Error, MatRef, Matrix, tridiag};
use nonius_num::Decimal;
use nonius_option::Kernels;
use nonius_option::cuda::OnCuda;
use nonius_option::evolve::Evolve;

use super::{Backend, Dense, Sparse};
use crate::product::Matmul;
use crate::tridiagonal::form::Form;
use crate::tridiagonal::solved::Solved;
use crate::tridiagonal::transfer::TridiagonalTransfer;

impl Backend for Cpu {
    fn solve<T: Dense>(
        &self,
        products: Products,
        a: MatRef<'_, T>,
        b: MatRef<'_, T>,
        method: Method,
    ) -> Result<Solution<T>, Error> {
        T::solve(Self::new(products), a, b, method)
    }

    fn inverse<T: Dense>(&self, products: Products, a: MatRef<'_, T>) -> Result<Inverse<T>, Error> {
        T::inverse(Self::new(products), a)
    }

    fn determinant<T: Dense>(
        &self,
        products: Products,
        a: MatRef<'_, T>,
    ) -> Result<FoundDeterminant<T>, Error> {
        T::determinant(Self::new(products), a)
    }

    fn least_squares<T: Dense>(
        &self,
        products: Products,
        a: MatRef<'_, T>,
        b: MatRef<'_, T>,
    ) -> Result<LeastSquares<T>, Error> {
        T::least_squares(Self::new(products), a, b)
    }

    fn eigen<T: Dense>(
        &self,
        products: Products,
        a: MatRef<'_, T>,
        vectors: Vectors,
    ) -> Result<Decomposition<Eigen<T>>, Error> {
        T::eigen(Self::new(products), a, vectors)
    }

    fn svd<T: Dense>(
        &self,
        products: Products,
        a: MatRef<'_, T>,
        vectors: Vectors,
    ) -> Result<Decomposition<Svd<T>>, Error> {
        T::svd(Self::new(products), a, vectors)
    }

    fn prover(&self) -> impl Prover {
        Self::new(Products::direct())
    }

    fn options<T: Kernels + OnCuda>(&self) -> &dyn Evolve<T> {
        self
    }

    fn take(&self, _: &mut Simulation<'_>) -> Result<(), nonius_fem::Error> {
        Ok(())
    }

    fn multiply<T: Kernels + Decimal>(
        &self,
        products: Products,
        product: &Matmul<'_, T>,
        beta: T,
        c: &mut Matrix<T>,
    ) -> Result<Report, Error> {
        let &Matmul { a, transpose_a, b, transpose_b, alpha } = product;
        let (cpu, a, b) = (Self::new(products), a.view(), b.view());
        gemm_on(&cpu, transpose_a, transpose_b, alpha, a, b, beta, c.view_mut())
    }

    fn multiply_mp(
        &self,
        products: Products,
        product: &Matmul<'_, Mp>,
        beta: &Mp,
        c: &mut mp::Matrix,
    ) -> Result<Report, Error> {
        let Matmul { a, transpose_a, b, transpose_b, alpha } = product;
        let (alpha, beta) = (alpha.view(), beta.view());
        mp::gemm(products, *transpose_a, *transpose_b, alpha, a, b, beta, c)
    }

    fn iterate<T: Sparse>(
        &self,
        format: T::Format,
        a: SparseValues<T>,
        vectors: (&T::Matrix, &T::Matrix),
        options: &KrylovOptions,
        observe: &mut dyn FnMut(Step),
    ) -> Result<Iterated<T::Matrix>, Error> {
        <T as Iterates<Self>>::solve(self, format, a, vectors, options, observe)
    }

    fn tridiagonal<T: DeviceNumber>(
        &self,
        batch: &tridiag::Batch<'_, T>,
        options: &tridiag::Options,
        _: TridiagonalTransfer,
        x: &mut [T],
    ) -> Result<(tridiag::Report, f64), Error> {
        let start = Instant::now();
        let report = tridiag::solve(batch, options, x)?;
        Ok((report, start.elapsed().as_secs_f64()))
    }

    fn tridiagonal_formed<T: DeviceNumber>(
        &self,
        _: (usize, usize),
        _: tridiag::Order,
        _: &Form,
        _: &tridiag::Options,
    ) -> Result<Solved<T>, Error> {
        Err(Error::NeedsGpu { what: "coefficients by statements" })
    }
}
