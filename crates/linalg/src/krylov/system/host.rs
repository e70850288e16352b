//! Systems in the host's memory.

use nonius_num::mp::Bits;

use super::home::{Carries, Conditioner, Home, Homes, Operator};
use crate::backend::{Cpu, Space};
use crate::dense::gemm::Arithmetic;
use crate::krylov::{
    IncompleteCholesky, LimbSpace, LinearOperator, MpSpace, Preconditioner, RnsSpace,
};
use crate::sparse::{Layout, Values};
use crate::{Error, Scalar};

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

impl<H: Space + 'static, V: Values + 'static> Carries<H, V> for OnHost<H> {
    fn operator<A>(&self, a: A) -> Result<Operator<H>, Error>
    where
        A: Layout<Values = V> + LinearOperator<H> + Send + 'static,
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
    type Doubles = OnHost<LimbSpace<f64>>;
    type Limbs<T: Scalar> = OnHost<LimbSpace<T>>;
    type Mp = OnHost<MpSpace>;
    type Residues = OnHost<RnsSpace>;

    fn limbs<T: Scalar>(&self) -> Result<(Self::Limbs<T>, Self::Doubles), Error> {
        Ok((OnHost(LimbSpace::new()), OnHost(LimbSpace::new())))
    }

    fn mp(&self, bits: Bits, arithmetic: Arithmetic) -> Result<(Self::Mp, Self::Doubles), Error> {
        let space = MpSpace::new(bits).with_arithmetic(arithmetic)?;
        Ok((OnHost(space), OnHost(LimbSpace::new())))
    }

    fn residues(&self, space: RnsSpace) -> Result<(Self::Residues, Self::Doubles), Error> {
        Ok((OnHost(space), OnHost(LimbSpace::new())))
    }
}
