//! Which of the methods, at run time.

use core::fmt;
use core::ops::ControlFlow;

use super::bicgstab::Bicgstab;
use super::cg::Cg;
use super::gmres::Gmres;
use super::minres::Minres;
use super::operator::LinearOperator;
use super::options::Options;
use super::precondition::Preconditioner;
use super::report::{Report, Step};
use crate::Error;
use crate::backend::Space;

/// The methods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// [Conjugate gradients](Cg).
    #[default]
    Cg,
    /// [BiCGSTAB](Bicgstab).
    Bicgstab,
    /// [MINRES](Minres).
    Minres,
    /// [GMRES](Gmres).
    Gmres {
        /// Iterations after which it begins anew.
        restart: usize,
    },
}

impl Algorithm {
    /// The methods, GMRES with the usual cycles of 50 iterations.
    pub const ALL: [Self; 4] =
        [Self::Cg, Self::Bicgstab, Self::Minres, Self::Gmres { restart: 50 }];

    /// The spelling: `cg`, `bicgstab`, `minres`, `gmres`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cg => "cg",
            Self::Bicgstab => "bicgstab",
            Self::Minres => "minres",
            Self::Gmres { .. } => "gmres",
        }
    }

    /// Whether the method is for symmetric matrices only.
    pub fn needs_symmetry(self) -> bool {
        matches!(self, Self::Cg | Self::Minres)
    }
}

/// `cg`, `bicgstab`, `minres`, `gmres(50)`
impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gmres { restart } => f.pad(&format!("gmres({restart})")),
            other => f.pad(other.name()),
        }
    }
}

/// One of the methods with its memory, for systems of one order.
///
/// ```
/// use std::ops::ControlFlow::Continue;
///
/// use nonius_linalg::Numbers;
/// use nonius_linalg::krylov::{Algorithm, AnySolver, HostSpace, Identity, Options};
/// use nonius_linalg::sparse::Dia;
///
/// let a = Dia::<f64>::diagonal(vec![1.0, 2.0, 3.0].into());
/// let b = Numbers::from(vec![1.0, 2.0, 3.0]);
/// for algorithm in Algorithm::ALL {
///     let (mut space, mut x) = (HostSpace::new(()), Numbers::zeros((), 3));
///     let mut solver = AnySolver::new(&space, 3, algorithm)?;
///     let options = Options::default();
///     let report =
///         solver.solve(&mut space, &a, &Identity, &b, &mut x, &options, |_| Continue(()))?;
///     assert!(report.converged && (x[2] - 1.0).abs() < 1e-7, "{algorithm}");
/// }
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
#[derive(Debug)]
pub enum AnySolver<S: Space> {
    /// Conjugate gradients.
    Cg(Cg<S>),
    /// BiCGSTAB.
    Bicgstab(Bicgstab<S>),
    /// MINRES.
    Minres(Minres<S>),
    /// GMRES.
    Gmres(Gmres<S>),
}

impl<S: Space> AnySolver<S> {
    /// Memory for systems of order `n`.
    ///
    /// # Errors
    /// [`Error::TooLarge`], and [`Error::Device`].
    pub fn new(space: &S, n: usize, algorithm: Algorithm) -> Result<Self, Error> {
        Ok(match algorithm {
            Algorithm::Cg => Self::Cg(Cg::new(space, n)?),
            Algorithm::Bicgstab => Self::Bicgstab(Bicgstab::new(space, n)?),
            Algorithm::Minres => Self::Minres(Minres::new(space, n)?),
            Algorithm::Gmres { restart } => Self::Gmres(Gmres::new(space, n, restart)?),
        })
    }

    /// [`Solver::solve`](super::Solver::solve) of the method.
    ///
    /// # Errors
    /// As there.
    #[expect(
        clippy::too_many_arguments,
        reason = "a system, its preconditioner, and what is asked for"
    )]
    pub fn solve(
        &mut self,
        space: &mut S,
        a: &dyn LinearOperator<S>,
        m: &dyn Preconditioner<S>,
        b: &S::Vector,
        x: &mut S::Vector,
        options: &Options,
        observe: impl FnMut(Step) -> ControlFlow<()>,
    ) -> Result<Report, Error> {
        match self {
            Self::Cg(solver) => solver.solve(space, a, m, b, x, options, observe),
            Self::Bicgstab(solver) => solver.solve(space, a, m, b, x, options, observe),
            Self::Minres(solver) => solver.solve(space, a, m, b, x, options, observe),
            Self::Gmres(solver) => solver.solve(space, a, m, b, x, options, observe),
        }
    }
}
