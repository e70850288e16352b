//! The kinds of numbers: how each multiplies matrices and solves sparse systems.

use std::fmt;

use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::gemm::crt::Fallback;
use nonius_linalg::dense::gemm::{Engine as ProductEngine, Factor, Products, Report, gemm_on};
use nonius_linalg::krylov::Step;
use nonius_linalg::{DeviceFailure, Error, mp};
use nonius_num::mp::{Bits, Mp};

use crate::device::Engine;
use crate::krylov::{self, KrylovOptions, Solved, SparseValues};
use crate::{AnyNumber, Dd, Matmul, Matrix, Number, Precision, Qd, Td};

impl Number for f64 {}

impl Number for Dd {}

impl Number for Td {}

impl Number for Qd {}

macro_rules! fixed {
    ($($number:ty)*) => {$(
        impl AnyNumber for $number {
            fn precision((): ()) -> Precision {
                Precision::of::<Self>()
            }

            fn check(products: Products) -> Result<(), Error> {
                products.check::<Self>()
            }

            fn multiply(
                engine: &Engine,
                products: Products,
                product: &Matmul<'_, Self>,
                beta: &Self,
                c: &mut Matrix<Self>,
            ) -> Result<Report, Error> {
                multiply(engine, products, product, *beta, c)
            }

            fn solve_sparse(
                engine: &Engine,
                (): (),
                a: SparseValues<Self>,
                vectors: (&Matrix<Self>, &Matrix<Self>),
                options: &KrylovOptions,
                observe: &mut dyn FnMut(Step),
            ) -> Result<Solved<Matrix<Self>>, Error> {
                krylov::limbs(engine, a, vectors, options, observe)
            }
        }
    )*};
}

fixed!(f64 Dd Td Qd);

fn multiply<T: Number>(
    engine: &Engine,
    products: Products,
    product: &Matmul<'_, T>,
    beta: T,
    c: &mut Matrix<T>,
) -> Result<Report, Error> {
    let &Matmul { a, transpose_a, b, transpose_b, alpha } = product;
    match engine {
        Engine::Cpu => {
            let (cpu, a, b) = (Cpu::new(products), a.view(), b.view());
            gemm_on(&cpu, transpose_a, transpose_b, alpha, a, b, beta, c.view_mut())
        }
        Engine::Cuda(gpu) => {
            let gpu = gpu.clone().with_products(products);
            let (a, b, c) = (a.view(), b.view(), c.view_mut());
            gpu.gemm_host(transpose_a, transpose_b, alpha, a, b, beta, c)
        }
    }
}

impl AnyNumber for Mp {
    fn precision(bits: Bits) -> Precision {
        Precision::Mp(bits)
    }

    fn check(products: Products) -> Result<(), Error> {
        mp::check(products)
    }

    fn multiply(
        engine: &Engine,
        products: Products,
        product: &Matmul<'_, Mp>,
        beta: &Mp,
        c: &mut mp::Matrix,
    ) -> Result<Report, Error> {
        let Matmul { a, transpose_a, b, transpose_b, alpha } = product;
        let (alpha, beta) = (alpha.view(), beta.view());
        let gpu = match engine {
            Engine::Cpu => {
                return mp::gemm(products, *transpose_a, *transpose_b, alpha, a, b, beta, c);
            }
            Engine::Cuda(gpu) => gpu.clone().with_products(products),
        };
        mp::check_product((*transpose_a, a), (*transpose_b, b), c)?;
        if products.engine == Some(ProductEngine::Direct) {
            return Err(Error::Device(DeviceFailure::new(OnlyByResidues(None))));
        }
        let (a, b) = (gpu.upload_mp(a)?, gpu.upload_mp(b)?);
        match gpu.multiply_mp(Factor::Matrix(*transpose_a, &a), Factor::Matrix(*transpose_b, &b))? {
            Ok((product, report)) => {
                mp::update(alpha, &gpu.download_mp(&product)?, beta, c)?;
                Ok(report)
            }
            Err(reason) => Err(Error::Device(DeviceFailure::new(OnlyByResidues(Some(reason))))),
        }
    }

    fn solve_sparse(
        engine: &Engine,
        bits: Bits,
        a: SparseValues<Mp>,
        vectors: (&mp::Matrix, &mp::Matrix),
        options: &KrylovOptions,
        observe: &mut dyn FnMut(Step),
    ) -> Result<Solved<mp::Matrix>, Error> {
        krylov::mp(engine, bits, a, vectors, options, observe)
    }
}

/// GPUs multiply numbers of any precision in one way, and why that will not do, unless another is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct OnlyByResidues(Option<Fallback>);

impl fmt::Display for OnlyByResidues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GPUs multiply mp numbers by the engine crt only")?;
        self.0.map_or(Ok(()), |reason| write!(f, ", and {reason}"))
    }
}

impl std::error::Error for OnlyByResidues {}
