//! Where the parts of a sparse system are kept: in the host's memory, or in a device's.

use super::number::SparseNumber;
use super::options::SparseFormat;
use crate::backend::{Round, Space};
use crate::dense::gemm::Arithmetic;
use crate::krylov::{HostSpace, IncompleteCholesky, LinearOperator, Preconditioner, RnsSpace};
use crate::sparse::{Csr, Dia, Ell, Full, Jad, Layout};
use crate::{Error, Number};

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
pub trait Carries<H: Space, V: Number>: Home<H> {
    /// The matrix there.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn operator<A>(&self, a: A) -> Result<Operator<Self::Space>, Error>
    where
        A: Layout<Number = V> + LinearOperator<H> + Send + 'static;

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
        A: Layout<Number = V> + LinearOperator<H> + Send + 'static,
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
pub type Doubles<B> = <<B as Homes>::Doubles as Home<HostSpace<f64>>>::Space;

/// A backend's spaces for iterations.
pub trait Homes: Sized {
    /// Of `f64`.
    type Doubles: Carries<HostSpace<f64>, f64>;
    /// Of numbers of a kind.
    type Numbers<T: SparseNumber>: Home<HostSpace<T>, Space: Round<Doubles<Self>>>
        + Carries<HostSpace<T>, T::Short>
        + Carries<HostSpace<T>, T>;
    /// Of residues.
    type Residues: Home<RnsSpace, Space: Round<Doubles<Self>>> + Carries<RnsSpace, f64>;

    /// Spaces of numbers of a format, with sums in an arithmetic, and of `f64` for corrections.
    ///
    /// # Errors
    /// As [`check_sums`](crate::krylov::check_sums); [`Error::Device`].
    fn numbers<T: SparseNumber>(
        &self,
        format: T::Format,
        arithmetic: Arithmetic,
    ) -> Result<(Self::Numbers<T>, Self::Doubles), Error>;

    /// Spaces of residues, and of `f64` for corrections.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn residues(&self, space: RnsSpace) -> Result<(Self::Residues, Self::Doubles), Error>;
}
