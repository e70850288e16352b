//! Where the parts of a sparse system are kept: in the host's memory, or in a GPU's.

use nonius_cuda::{CudaSpace, Planar};
use nonius_linalg::Error;
use nonius_linalg::backend::Space;
use nonius_linalg::krylov::{IncompleteCholesky, LinearOperator, Preconditioner};
use nonius_linalg::sparse::{Csr, Dia, Ell, Full, Jad, Layout, Values};

use super::options::SparseFormat;

pub(crate) type Operator<S> = Box<dyn LinearOperator<S> + Send>;
pub(crate) type Conditioner<S> = Box<dyn Preconditioner<S> + Send>;
pub(crate) type Vector<S> = <S as Space>::Vector;

/// A space for systems that are prepared in the host's space `H`.
pub trait Home<H: Space> {
    type Space: Space + 'static;

    /// The space.
    fn space(&mut self) -> &mut Self::Space;

    /// The matrix.
    fn operator<A>(&self, a: A) -> Result<Operator<Self::Space>, Error>
    where
        A: Layout<Values: Planar> + LinearOperator<H> + Send + 'static;

    /// The preconditioner.
    fn factors<V: Planar + Values + 'static>(
        &self,
        m: IncompleteCholesky<V>,
    ) -> Result<Conditioner<Self::Space>, Error>
    where
        IncompleteCholesky<V>: Preconditioner<H>;

    /// The vector.
    fn vector(&self, x: H::Vector) -> Result<Vector<Self::Space>, Error>;

    /// The vector, to the host.
    fn host(&self, x: Vector<Self::Space>) -> Result<H::Vector, Error>;

    /// The matrix in a format.
    fn in_format<V: Planar + Values + 'static>(
        &self,
        format: SparseFormat,
        a: Csr<V>,
    ) -> Result<Operator<Self::Space>, Error>
    where
        Csr<V>: LinearOperator<H>,
        Ell<V>: LinearOperator<H>,
        Jad<V>: LinearOperator<H>,
        Dia<V>: LinearOperator<H>,
        Full<V>: LinearOperator<H>,
    {
        match format {
            SparseFormat::Csr => self.operator(a),
            SparseFormat::Ell => self.operator(Ell::from_csr(&a)?),
            SparseFormat::Jad => self.operator(Jad::from_csr(&a)?),
            SparseFormat::Dia => self.operator(Dia::from_csr(&a)?),
            SparseFormat::Full => self.operator(Full::from_csr(&a)?),
        }
    }

    /// The preconditioner whose inverse is this matrix.
    fn inverse<A>(&self, a: A) -> Result<Conditioner<Self::Space>, Error>
    where
        A: Layout<Values: Planar> + LinearOperator<H> + Send + 'static,
    {
        Ok(Box::new(Applied(self.operator(a)?)))
    }
}

/// The preconditioner whose inverse is this operator.
struct Applied<S>(Operator<S>);

impl<S: Space> Preconditioner<S> for Applied<S> {
    fn apply(&self, space: &mut S, r: &S::Vector, z: &mut S::Vector) {
        self.0.apply(space, r, z);
    }
}

/// The host's memory.
pub struct OnHost<H>(pub H);

impl<H: Space + 'static> Home<H> for OnHost<H> {
    type Space = H;

    fn space(&mut self) -> &mut H {
        &mut self.0
    }

    fn operator<A>(&self, a: A) -> Result<Operator<H>, Error>
    where
        A: Layout<Values: Planar> + LinearOperator<H> + Send + 'static,
    {
        Ok(Box::new(a))
    }

    fn factors<V: Planar + Values + 'static>(
        &self,
        m: IncompleteCholesky<V>,
    ) -> Result<Conditioner<H>, Error>
    where
        IncompleteCholesky<V>: Preconditioner<H>,
    {
        Ok(Box::new(m))
    }

    fn vector(&self, x: H::Vector) -> Result<H::Vector, Error> {
        Ok(x)
    }

    fn host(&self, x: H::Vector) -> Result<H::Vector, Error> {
        Ok(x)
    }
}

impl<H: Space<Vector: Planar>> Home<H> for CudaSpace {
    type Space = Self;

    fn space(&mut self) -> &mut Self {
        self
    }

    fn operator<A>(&self, a: A) -> Result<Operator<Self>, Error>
    where
        A: Layout<Values: Planar> + LinearOperator<H> + Send + 'static,
    {
        Ok(Box::new(self.upload_matrix(&a)?))
    }

    fn factors<V: Planar + Values + 'static>(
        &self,
        m: IncompleteCholesky<V>,
    ) -> Result<Conditioner<Self>, Error>
    where
        IncompleteCholesky<V>: Preconditioner<H>,
    {
        Ok(Box::new(self.upload_incomplete_cholesky(&m)?))
    }

    fn vector(&self, x: H::Vector) -> Result<Vector<Self>, Error> {
        self.upload(&x)
    }

    fn host(&self, x: Vector<Self>) -> Result<H::Vector, Error> {
        self.download(&x)
    }
}
