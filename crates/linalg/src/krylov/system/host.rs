//! Systems in the host's memory.

use super::home::{Carries, Conditioner, Home, Homes, Operator};
use super::number::SparseNumber;
use crate::backend::{Cpu, Space};
use crate::dense::gemm::Arithmetic;
use crate::krylov::{HostSpace, IncompleteCholesky, LinearOperator, Preconditioner, RnsSpace};
use crate::sparse::Layout;
use crate::{Error, Number};

/// The host's memory.
#[derive(Debug)]
pub struct OnHost<H>(H);

impl<H: Space + 'static> Home<H> for OnHost<H> {
    type Space = H;

    fn space(&mut self) -> &mut H {
        &mut self.0
    }

    fn vector(&self, x: H::Vector) -> Result<H::Vector, Error> {
        Ok(x)
    }

    fn host(&self, x: H::Vector) -> Result<H::Vector, Error> {
        Ok(x)
    }
}

impl<H: Space + 'static, V: Number> Carries<H, V> for OnHost<H> {
    fn operator<A>(&self, a: A) -> Result<Operator<H>, Error>
    where
        A: Layout<Number = V> + LinearOperator<H> + Send + 'static,
    {
        Ok(Box::new(a))
    }

    fn factors(&self, m: IncompleteCholesky<V>) -> Result<Conditioner<H>, Error>
    where
        IncompleteCholesky<V>: Preconditioner<H>,
    {
        Ok(Box::new(m))
    }
}

impl Homes for Cpu {
    type Doubles = OnHost<HostSpace<f64>>;
    type Numbers<T: SparseNumber> = OnHost<HostSpace<T>>;
    type Residues = OnHost<RnsSpace>;

    fn numbers<T: SparseNumber>(
        &self,
        format: T::Format,
        arithmetic: Arithmetic,
    ) -> Result<(Self::Numbers<T>, Self::Doubles), Error> {
        let space = HostSpace::new(format).with_arithmetic(arithmetic)?;
        Ok((OnHost(space), OnHost(HostSpace::new(()))))
    }

    fn residues(&self, space: RnsSpace) -> Result<(Self::Residues, Self::Doubles), Error> {
        Ok((OnHost(space), OnHost(HostSpace::new(()))))
    }
}
