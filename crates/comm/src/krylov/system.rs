//! Whole systems on ranks.

use core::fmt;

use nonius_linalg::backend::{Cpu, Space, Words};
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::system::{
    Carries, Conditioner, Home, Homes, Operator, SparseFormat, SparseNumber,
};
use nonius_linalg::krylov::{
    HostSpace, IncompleteCholesky, LinearOperator, Preconditioner, RnsSpace,
};
use nonius_linalg::sparse::{Csr, Dia, Ell, Full, Jad, Layout};
use nonius_linalg::{Error, Number};

use super::matrix::RankMatrix;
use super::rows::Rows;
use super::space::{RankSpace, RankVector};
use super::team::Team;
use super::travel::{Travel, gather};
use super::whole::Whole;
use crate::Communicator;
use crate::dense::Link;

/// Ranks, each with a device of its own, as the backend of
/// [systems](nonius_linalg::krylov::system) that every rank has read. Each prepares the whole
/// system, iterates on its rows in its device's memory, and has the whole solution.
///
/// Solutions and reports are those of one device, except with matrices of limbs by diagonals:
/// their rows are summed as compressed ones, which differs where there are more diagonals than a
/// sum [has terms between carries](nonius_linalg::accumulate::Sum::PERIOD).
#[derive(Clone, Debug)]
pub struct Ranks<B: Link> {
    team: Team<B::Wire>,
    local: B,
}

impl<B: Link> Ranks<B> {
    /// The ranks for systems with these rows, which call this together; this one computes with
    /// `local`.
    ///
    /// Panics where the rows are those of more or fewer ranks.
    ///
    /// # Errors
    /// [`Error::Device`]: a rank is lost.
    pub fn new(ranks: &Communicator, rows: Rows, local: B) -> Result<Self, Error> {
        Ok(Self { team: Team::new(ranks, rows, &local)?, local })
    }

    /// The home of vectors that are prepared in `host`, and of which this rank has its rows in
    /// `space`, a space like that of `local`.
    fn home<H, L>(&self, host: H, local: L, space: L::Space) -> Result<OnRanks<H, L>, Error>
    where
        H: Words,
        L: Home<H, Space: Travel<Device = B>>,
    {
        Ok(OnRanks { host, local, space: RankSpace::of_team(self.team.clone(), space)? })
    }
}

/// A space of ranks, each in its device's memory.
pub struct OnRanks<H: Space, L: Home<H, Space: Travel>> {
    host: H,
    /// What brings vectors and matrices to the device.
    local: L,
    space: RankSpace<L::Space>,
}

impl<H: Space, L: Home<H, Space: Travel>> fmt::Debug for OnRanks<H, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OnRanks").field(&self.space.team).finish()
    }
}

impl<H: Words, L: Home<H, Space: Travel>> Home<H> for OnRanks<H, L> {
    type Space = RankSpace<L::Space>;

    fn space(&mut self) -> &mut Self::Space {
        &mut self.space
    }

    fn vector(&self, x: H::Vector) -> Result<RankVector<<L::Space as Space>::Vector>, Error> {
        let team = &self.space.team;
        Error::check_length("x", team.rows.order(), self.host.length(&x))?;
        let (own, mut words) = (team.own(), Vec::new());
        let mut here = self.host.vector(own.len())?;
        self.host.pack(&x, own.clone(), &mut words);
        self.host.unpack(&words, &mut here, 0..own.len());
        Ok(self.space.of_parts(self.local.vector(here)?))
    }

    fn host(&self, x: RankVector<<L::Space as Space>::Vector>) -> Result<H::Vector, Error> {
        let team = &self.space.team;
        team.check()?;
        let own = self.local.host(x.local)?;
        let mut whole = self.host.vector(team.rows.order())?;
        gather(&self.host, &team.ranks, &own, &team.counts(), &mut whole)?;
        Ok(whole)
    }
}

/// An operator of a device's space.
struct Local<S>(Operator<S>);

impl<S: Space> LinearOperator<S> for Local<S> {
    fn size(&self) -> (usize, usize) {
        self.0.size()
    }

    fn apply(&self, space: &mut S, x: &S::Vector, y: &mut S::Vector) {
        self.0.apply(space, x, y);
    }
}

/// A preconditioner of a device's space.
struct LocalConditioner<S>(Conditioner<S>);

impl<S: Space> Preconditioner<S> for LocalConditioner<S> {
    fn apply(&self, space: &mut S, r: &S::Vector, z: &mut S::Vector) {
        self.0.apply(space, r, z);
    }
}

impl<H, L, V> Carries<H, V> for OnRanks<H, L>
where
    H: Words,
    L: Carries<H, V, Space: Travel<Pairs: Send, Vector: Send>>,
    V: Number,
    Csr<V>: LinearOperator<H>,
{
    fn operator<A>(&self, a: A) -> Result<Operator<Self::Space>, Error>
    where
        A: Layout<Number = V> + LinearOperator<H> + Send + 'static,
    {
        self.in_this_format(&a, Ok)
    }

    fn factors(&self, m: IncompleteCholesky<V>) -> Result<Conditioner<Self::Space>, Error>
    where
        IncompleteCholesky<V>: Preconditioner<H>,
    {
        Ok(Box::new(Whole(LocalConditioner(self.local.factors(m)?))))
    }

    fn in_format(&self, format: SparseFormat, a: Csr<V>) -> Result<Operator<Self::Space>, Error>
    where
        Csr<V>: LinearOperator<H>,
        Ell<V>: LinearOperator<H>,
        Jad<V>: LinearOperator<H>,
        Dia<V>: LinearOperator<H>,
        Full<V>: LinearOperator<H>,
    {
        match format {
            SparseFormat::Csr | SparseFormat::Dia => self.operator(a),
            SparseFormat::Ell => self.in_this_format(&a, |part| Ell::from_csr(&part)),
            SparseFormat::Jad => self.in_this_format(&a, |part| Jad::from_csr(&part)),
            // Zeros are terms.
            SparseFormat::Full => self.operator(Full::from_csr(&a)?),
        }
    }
}

impl<H: Words, L: Home<H, Space: Travel>> OnRanks<H, L> {
    /// The rows of a matrix, those of this rank in a format and in its device's memory.
    fn in_this_format<V, A>(
        &self,
        a: &impl Layout<Number = V>,
        format: impl Fn(Csr<V>) -> Result<A, Error>,
    ) -> Result<Operator<RankSpace<L::Space>>, Error>
    where
        V: Number,
        L: Carries<H, V, Space: Travel<Pairs: Send, Vector: Send>>,
        A: Layout<Number = V> + LinearOperator<H> + Send + 'static,
    {
        let rows = RankMatrix::from_whole(&self.space, a)?;
        let placed = |part| Ok(Local(self.local.operator(format(part)?)?));
        Ok(Box::new(rows.try_map(placed)?))
    }
}

impl Homes for Ranks<Cpu> {
    type Doubles = OnRanks<HostSpace<f64>, <Cpu as Homes>::Doubles>;
    type Numbers<T: SparseNumber> = OnRanks<HostSpace<T>, <Cpu as Homes>::Numbers<T>>;
    type Residues = OnRanks<RnsSpace, <Cpu as Homes>::Residues>;

    fn numbers<T: SparseNumber>(
        &self,
        format: T::Format,
        arithmetic: Arithmetic,
    ) -> Result<(Self::Numbers<T>, Self::Doubles), Error> {
        let (local, doubles) = self.local.numbers::<T>(format, arithmetic)?;
        let space = HostSpace::new(format).with_arithmetic(arithmetic)?;
        let numbers = self.home(HostSpace::new(format), local, space)?;
        Ok((numbers, self.home(HostSpace::new(()), doubles, HostSpace::new(()))?))
    }

    fn residues(&self, space: RnsSpace) -> Result<(Self::Residues, Self::Doubles), Error> {
        let (local, doubles) = self.local.residues(space.clone())?;
        let numbers = self.home(space.clone(), local, space)?;
        Ok((numbers, self.home(HostSpace::new(()), doubles, HostSpace::new(()))?))
    }
}

#[cfg(feature = "cuda")]
mod cuda {
    use nonius_cuda::{Cuda, CudaSpace};

    use super::*;

    impl Homes for Ranks<Cuda> {
        type Doubles = OnRanks<HostSpace<f64>, CudaSpace>;
        type Numbers<T: SparseNumber> = OnRanks<HostSpace<T>, CudaSpace>;
        type Residues = OnRanks<RnsSpace, CudaSpace>;

        fn numbers<T: SparseNumber>(
            &self,
            format: T::Format,
            arithmetic: Arithmetic,
        ) -> Result<(Self::Numbers<T>, Self::Doubles), Error> {
            let (local, doubles) = Homes::numbers::<T>(&self.local, format, arithmetic)?;
            let space = CudaSpace::numbers::<T>(&self.local, format, arithmetic)?;
            Ok((self.home(HostSpace::new(format), local, space)?, self.doubles(doubles)?))
        }

        fn residues(&self, host: RnsSpace) -> Result<(Self::Residues, Self::Doubles), Error> {
            let (local, doubles) = self.local.residues(host.clone())?;
            let space = CudaSpace::rns(&self.local, &host)?;
            Ok((self.home(host, local, space)?, self.doubles(doubles)?))
        }
    }

    impl Ranks<Cuda> {
        fn doubles(&self, local: CudaSpace) -> Result<OnRanks<HostSpace<f64>, CudaSpace>, Error> {
            let space = CudaSpace::numbers::<f64>(&self.local, (), Arithmetic::Delayed)?;
            self.home(HostSpace::new(()), local, space)
        }
    }
}
