//! Sparse systems in a GPU's memory.

use nonius_linalg::backend::Space;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::system::{Carries, Conditioner, Home, Homes, Operator, Vector};
use nonius_linalg::krylov::{IncompleteCholesky, LinearOperator, Preconditioner, RnsSpace};
use nonius_linalg::mp::Bits;
use nonius_linalg::sparse::{Layout, Values};
use nonius_linalg::{Error, Scalar};

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

impl<H: Space<Vector: Planar>, V: Planar + Values + 'static> Carries<H, V> for CudaSpace {
    fn operator<A>(&self, a: A) -> Result<Operator<Self>, Error>
    where
        A: Layout<Values = V> + LinearOperator<H> + Send + 'static,
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
    type Limbs<T: Scalar> = CudaSpace;
    type Mp = CudaSpace;
    type Residues = CudaSpace;

    fn limbs<T: Scalar>(&self) -> Result<(CudaSpace, CudaSpace), Error> {
        CudaSpace::prepare(self, &Kind::Limbs(T::LIMBS), Arithmetic::Delayed);
        Ok((CudaSpace::limbs::<T>(self)?, CudaSpace::limbs::<f64>(self)?))
    }

    fn mp(&self, bits: Bits, arithmetic: Arithmetic) -> Result<(CudaSpace, CudaSpace), Error> {
        CudaSpace::prepare(self, &Kind::Mp(bits), arithmetic);
        Ok((CudaSpace::mp(self, bits, arithmetic)?, CudaSpace::limbs::<f64>(self)?))
    }

    fn residues(&self, space: RnsSpace) -> Result<(CudaSpace, CudaSpace), Error> {
        CudaSpace::prepare(self, &Kind::Rns(space.format().clone()), Arithmetic::Ieee);
        Ok((CudaSpace::rns(self, &space)?, CudaSpace::limbs::<f64>(self)?))
    }
}
