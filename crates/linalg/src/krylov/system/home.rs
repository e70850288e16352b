//! Where the parts of a sparse system are kept: in the host's memory, or in a device's.

use nonius_num::mp::Bits;

use super::options::SparseFormat;
use crate::backend::{Round, Space};
use crate::dense::gemm::Arithmetic;
use crate::krylov::{
    IncompleteCholesky, LimbSpace, LinearOperator, MpSpace, Preconditioner, RnsSpace,
};
use crate::mp::Numbers;
use crate::sparse::{Csr, Dia, Ell, Full, Jad, Layout, Values};
use crate::{Error, Scalar};

/// A matrix in a space.
pub type Operator<S> = Box<dyn LinearOperator<S> + Send>;
/// A preconditioner in a space.
pub type Conditioner<S> = Box<dyn Preconditioner<S> + Send>;
/// A vector of a space.
pub type Vector<S> = <S as Space>::Vector;

/// A space for systems that are prepared in the host's space `H`.
pub trait Home<H: Space> {
    /// The space.
    type Space: Space + 'static;

    /// The space.
    fn space(&mut self) -> &mut Self::Space;

    /// Brings a vector there.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn vector(&self, x: H::Vector) -> Result<Vector<Self::Space>, Error>;

    /// Brings a vector to the host.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn host(&self, x: Vector<Self::Space>) -> Result<H::Vector, Error>;
}

/// A space to which matrices with such values are brought.
pub trait Carries<H: Space, V: Values>: Home<H> {
    /// The matrix there.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn operator<A>(&self, a: A) -> Result<Operator<Self::Space>, Error>
    where
        A: Layout<Values = V> + LinearOperator<H> + Send + 'static;

    /// The preconditioner there.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn factors(&self, m: IncompleteCholesky<V>) -> Result<Conditioner<Self::Space>, Error>
    where
        IncompleteCholesky<V>: Preconditioner<H>;

    /// The matrix there, in a format.
    ///
    /// # Errors
    /// [`Error::Device`]; as the format.
    fn in_format(&self, format: SparseFormat, a: Csr<V>) -> Result<Operator<Self::Space>, Error>
    where
        V: 'static,
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
    ///
    /// # Errors
    /// [`Error::Device`].
    fn inverse<A>(&self, a: A) -> Result<Conditioner<Self::Space>, Error>
    where
        A: Layout<Values = V> + LinearOperator<H> + Send + 'static,
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

/// The spaces of corrections in `f64`.
pub type Doubles<B> = <<B as Homes>::Doubles as Home<LimbSpace<f64>>>::Space;

/// A backend's spaces for iterations.
pub trait Homes: Sized {
    /// Of `f64`.
    type Doubles: Carries<LimbSpace<f64>, Vec<f64>>;
    /// Of limbs.
    type Limbs<T: Scalar>: Home<LimbSpace<T>, Space: Round<Doubles<Self>>>
        + Carries<LimbSpace<T>, Vec<f64>>
        + Carries<LimbSpace<T>, Vec<T>>;
    /// Of any precision.
    type Mp: Home<MpSpace, Space: Round<Doubles<Self>>> + Carries<MpSpace, Numbers>;
    /// Of residues.
    type Residues: Home<RnsSpace, Space: Round<Doubles<Self>>> + Carries<RnsSpace, Vec<f64>>;

    /// Spaces of limbs, and of `f64` for corrections.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn limbs<T: Scalar>(&self) -> Result<(Self::Limbs<T>, Self::Doubles), Error>;

    /// Spaces of so many bits, and of `f64` for corrections.
    ///
    /// # Errors
    /// [`Error::NotOfIterations`], [`Error::Device`].
    fn mp(&self, bits: Bits, arithmetic: Arithmetic) -> Result<(Self::Mp, Self::Doubles), Error>;

    /// Spaces of residues, and of `f64` for corrections.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn residues(&self, space: RnsSpace) -> Result<(Self::Residues, Self::Doubles), Error>;
}
