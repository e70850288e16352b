//! What the suite needs of a space, and systems in its memory.

use nonius_linalg::backend::Space;
use nonius_linalg::krylov::system::SparseNumber;
use nonius_linalg::krylov::{
    Algorithm, AnySolver, HostSpace, Inverse, LinearOperator, Options, Preconditioner, Report,
    RnsSpace,
};
use nonius_linalg::sparse::{Csr, Dia};
use nonius_linalg::{Error, Number, Numbers};
use nonius_num::rns::float::{RnsFloat, RnsNumbers};
use nonius_num::{Real, Ring};
use std::ops::ControlFlow;

/// What the suite needs beside a space, which may be that itself.
pub trait Suite {
    /// The space.
    type Space: Space;
    /// A sparse matrix.
    type Matrix: LinearOperator<Self::Space>;
    /// A preconditioner by a diagonal.
    type Diagonal: Preconditioner<Self::Space>;

    /// The space.
    fn space(&mut self) -> &mut Self::Space;
    /// The unit roundoff.
    fn unit_roundoff(&self) -> f64;
    /// The matrix in the backend's memory.
    fn matrix(&self, a: &Csr<f64>) -> Self::Matrix;
    /// The preconditioner whose inverse has this diagonal.
    fn diagonal(&self, inverse: &[f64]) -> Self::Diagonal;
    /// The vector in the backend's memory.
    fn to_space(&self, x: &[f64]) -> Vector<Self>;
    /// The vector, rounded.
    fn to_host(&self, x: &Vector<Self>) -> Vec<f64>;
}

/// A vector of a suite's space.
pub type Vector<S> = <<S as Suite>::Space as Space>::Vector;

/// The methods, with cycles of 1 iteration, of a few and of more than any order here.
pub(super) fn algorithms() -> impl Iterator<Item = Algorithm> {
    let restarts = [1, 20, 1000].map(|restart| Algorithm::Gmres { restart });
    [Algorithm::Cg, Algorithm::Bicgstab, Algorithm::Minres].into_iter().chain(restarts)
}

/// A system in the memory of a space.
pub(super) struct System<S: Suite> {
    pub(super) a: S::Matrix,
    pub(super) m: Option<S::Diagonal>,
    pub(super) b: Vector<S>,
    pub(super) n: usize,
}

impl<S: Suite> System<S> {
    pub(super) fn new(space: &S, a: &Csr<f64>, b: &[f64]) -> Self {
        Self { a: space.matrix(a), m: None, b: space.to_space(b), n: b.len() }
    }

    pub(super) fn solve(
        &self,
        space: &mut S,
        algorithm: Algorithm,
        x: &mut Vector<S>,
        options: &Options,
    ) -> Result<Report, Error> {
        let mut solver = AnySolver::new(space.space(), self.n, algorithm)?;
        let mut steps = Vec::new();
        let observe = |step| {
            steps.push(step);
            ControlFlow::Continue(())
        };
        let report = match &self.m {
            Some(m) => solver.solve(space.space(), &self.a, m, &self.b, x, options, observe),
            None => {
                let m = &nonius_linalg::krylov::Identity;
                solver.solve(space.space(), &self.a, m, &self.b, x, options, observe)
            }
        }?;
        assert_eq!(steps.len(), report.iterations, "{algorithm}");
        if options.history {
            assert_eq!(report.history.len(), report.iterations + 1, "{algorithm}");
            assert_eq!(report.history.last(), Some(&report.relative_residual_recursive));
        }
        for (i, step) in steps.iter().enumerate() {
            assert_eq!(step.iteration, i + 1, "{algorithm}");
        }
        Ok(report)
    }

    /// From zero.
    pub(super) fn solve_from_zero(
        &self,
        space: &mut S,
        algorithm: Algorithm,
        options: &Options,
    ) -> Result<(Vec<f64>, Report), Error> {
        let mut x = space.space().vector(self.n)?;
        let report = self.solve(space, algorithm, &mut x, options)?;
        Ok((space.to_host(&x), report))
    }
}

/// The unit roundoff of numbers with `bits` bits, or of `FEWER` bits where these are more than
/// `MOST`. That of most bits is not in the range of `f64`, and a larger one takes fewer iterations.
fn unit_roundoff(bits: u32) -> f64 {
    const MOST: u32 = 500;
    const FEWER: u32 = 100;
    0.5_f64.powi(if bits > MOST { FEWER } else { bits } as i32)
}

impl<T: SparseNumber> Suite for HostSpace<T> {
    type Space = Self;
    type Matrix = Csr<T::Short>;
    type Diagonal = Inverse<Dia<T::Short>>;

    fn space(&mut self) -> &mut Self {
        self
    }

    fn unit_roundoff(&self) -> f64 {
        unit_roundoff(T::precision(self.format()).bits())
    }

    fn matrix(&self, a: &Csr<f64>) -> Self::Matrix {
        T::short(a.clone()).unwrap_or_else(|error| panic!("{error}"))
    }

    fn diagonal(&self, inverse: &[f64]) -> Self::Diagonal {
        Inverse(Dia::diagonal(numbers(T::Short::ZERO.format(), inverse)))
    }

    fn to_space(&self, x: &[f64]) -> Numbers<T> {
        numbers(self.format(), x)
    }

    fn to_host(&self, x: &Numbers<T>) -> Vec<f64> {
        x.as_slice().iter().map(T::to_f64).collect()
    }
}

/// The same numbers in a format.
pub fn numbers<T: Number>(format: T::Format, x: &[f64]) -> Numbers<T> {
    let mut to = Numbers::with_capacity(format, x.len());
    x.iter().for_each(|&x| to.push(T::from_f64(x)));
    to
}

impl Suite for RnsSpace {
    type Space = Self;
    type Matrix = Csr<f64>;
    type Diagonal = Inverse<Dia<f64>>;

    fn space(&mut self) -> &mut Self {
        self
    }

    fn unit_roundoff(&self) -> f64 {
        unit_roundoff(self.format().bits())
    }

    fn matrix(&self, a: &Csr<f64>) -> Self::Matrix {
        a.clone()
    }

    fn diagonal(&self, inverse: &[f64]) -> Self::Diagonal {
        Inverse(Dia::diagonal(inverse.to_vec().into()))
    }

    fn to_space(&self, x: &[f64]) -> RnsNumbers {
        let mut numbers = RnsNumbers::new(self.format());
        x.iter().for_each(|&x| numbers.push(RnsFloat::from_f64(self.format(), x).view()));
        numbers
    }

    fn to_host(&self, x: &RnsNumbers) -> Vec<f64> {
        (0..x.len()).map(|i| x.at(i).to_mp().to_f64()).collect()
    }
}
