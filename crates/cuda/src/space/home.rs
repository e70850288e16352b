//! Sparse systems in a GPU's memory.

use nonius_linalg::backend::Space;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::system::{
    Carries, Conditioner, Home, Homes, Operator, SparseNumber, Vector,
};
use nonius_linalg::krylov::{IncompleteCholesky, LinearOperator, Preconditioner, RnsSpace};
use nonius_linalg::sparse::Layout;
use nonius_linalg::{Error, Number};

use super::CudaSpace;
use super::kind::Kind;
use super::vector::Planar;
use crate::backend::Cuda;

impl<H: Space<Vector: Planar>> Home<H> for CudaSpace {
    type Space = Self;

    fn space(&mut self) -> &mut Self {
        self
    }

    fn vector(&self, x: H::Vector) -> Result<Vector<Self>, Error> {
        self.upload(&x)
    }

    fn host(&self, x: Vector<Self>) -> Result<H::Vector, Error> {
        self.download(&x)
    }
}

impl<H: Space<Vector: Planar>, V: Number> Carries<H, V> for CudaSpace {
    fn operator<A>(&self, a: A) -> Result<Operator<Self>, Error>
    where
        A: Layout<Number = V> + LinearOperator<H> + Send + 'static,
    {
        Ok(Box::new(self.upload_matrix(&a)?))
    }

    fn factors(&self, m: IncompleteCholesky<V>) -> Result<Conditioner<Self>, Error>
    where
        IncompleteCholesky<V>: Preconditioner<H>,
    {
        Ok(Box::new(self.upload_incomplete_cholesky(&m)?))
    }
}

impl Homes for Cuda {
    type Doubles = CudaSpace;
    type Numbers<T: SparseNumber> = CudaSpace;
    type Residues = CudaSpace;

    fn numbers<T: SparseNumber>(
        &self,
        format: T::Format,
        arithmetic: Arithmetic,
    ) -> Result<(CudaSpace, CudaSpace), Error> {
        CudaSpace::prepare(self, &Kind::of::<T>(format), arithmetic);
        let space = CudaSpace::numbers::<T>(self, format, arithmetic)?;
        Ok((space, CudaSpace::numbers::<f64>(self, (), Arithmetic::Delayed)?))
    }

    fn residues(&self, space: RnsSpace) -> Result<(CudaSpace, CudaSpace), Error> {
        CudaSpace::prepare(self, &Kind::Rns(space.format().clone()), Arithmetic::Ieee);
        let doubles = CudaSpace::numbers::<f64>(self, (), Arithmetic::Delayed)?;
        Ok((CudaSpace::rns(self, &space)?, doubles))
    }
}
