//! Whole systems on ranks.

use core::fmt;

use nonius_linalg::backend::{Segments, Space};
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
use super::whole::Whole;
use crate::Communicator;

/// Ranks as the backend of [systems](nonius_linalg::krylov::system) that every rank has read. Each
/// prepares the whole system, iterates on its rows in its host's memory, and has the whole
/// solution.
///
/// Solutions and reports are those of one device, except with matrices of limbs by diagonals:
/// their rows are summed as compressed ones, which differs where there are more diagonals than a
/// sum [has terms between carries](nonius_linalg::accumulate::Sum::PERIOD).
#[derive(Clone, Debug)]
pub struct Ranks(Team);

impl Ranks {
    /// The ranks for systems with these rows.
    ///
    /// Panics where the rows are those of more or fewer ranks.
    pub fn new(ranks: &Communicator, rows: Rows) -> Self {
        Self(Team::new(ranks, rows))
    }

    fn home<S: Segments>(&self, local: S) -> OnRanks<S> {
        OnRanks(RankSpace::of_team(self.0.clone(), local))
    }
}

/// A space of ranks, each in its host's memory.
pub struct OnRanks<S: Space>(RankSpace<S>);

impl<S: Space> fmt::Debug for OnRanks<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OnRanks").field(&self.0.team).finish()
    }
}

impl<S: Segments + 'static> Home<S> for OnRanks<S> {
    type Space = RankSpace<S>;

    fn space(&mut self) -> &mut RankSpace<S> {
        &mut self.0
    }

    fn vector(&self, x: S::Vector) -> Result<RankVector<S::Vector>, Error> {
        self.0.share(&x)
    }

    fn host(&self, x: RankVector<S::Vector>) -> Result<S::Vector, Error> {
        self.0.whole(&x)
    }
}

impl<S: Segments + 'static, V: Number> Carries<S, V> for OnRanks<S>
where
    Csr<V>: LinearOperator<S>,
{
    fn operator<A>(&self, a: A) -> Result<Operator<RankSpace<S>>, Error>
    where
        A: Layout<Number = V> + LinearOperator<S> + Send + 'static,
    {
        Ok(Box::new(RankMatrix::from_whole(&self.0, &a)?))
    }

    fn factors(&self, m: IncompleteCholesky<V>) -> Result<Conditioner<RankSpace<S>>, Error>
    where
        IncompleteCholesky<V>: Preconditioner<S>,
    {
        Ok(Box::new(Whole(m)))
    }

    fn in_format(&self, format: SparseFormat, a: Csr<V>) -> Result<Operator<RankSpace<S>>, Error>
    where
        Csr<V>: LinearOperator<S>,
        Ell<V>: LinearOperator<S>,
        Jad<V>: LinearOperator<S>,
        Dia<V>: LinearOperator<S>,
        Full<V>: LinearOperator<S>,
    {
        let rows = || RankMatrix::from_whole(&self.0, &a);
        match format {
            SparseFormat::Csr | SparseFormat::Dia => Ok(Box::new(rows()?)),
            SparseFormat::Ell => Ok(Box::new(rows()?.try_map(|part| Ell::from_csr(&part))?)),
            SparseFormat::Jad => Ok(Box::new(rows()?.try_map(|part| Jad::from_csr(&part))?)),
            // Zeros are terms.
            SparseFormat::Full => self.operator(Full::from_csr(&a)?),
        }
    }
}

impl Homes for Ranks {
    type Doubles = OnRanks<HostSpace<f64>>;
    type Numbers<T: SparseNumber> = OnRanks<HostSpace<T>>;
    type Residues = OnRanks<RnsSpace>;

    fn numbers<T: SparseNumber>(
        &self,
        format: T::Format,
        arithmetic: Arithmetic,
    ) -> Result<(Self::Numbers<T>, Self::Doubles), Error> {
        let local = HostSpace::new(format).with_arithmetic(arithmetic)?;
        Ok((self.home(local), self.home(HostSpace::new(()))))
    }

    fn residues(&self, local: RnsSpace) -> Result<(Self::Residues, Self::Doubles), Error> {
        Ok((self.home(local), self.home(HostSpace::new(()))))
    }
}
