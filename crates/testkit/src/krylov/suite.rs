//! What the suite needs of a space, and systems in its memory.

use nonius_linalg::backend::Space;
use nonius_linalg::krylov::{
    Algorithm, AnySolver, Inverse, LimbSpace, LinearOperator, MpSpace, Options, Preconditioner,
    Report, RnsSpace,
};
use nonius_linalg::mp::{Mp, Numbers};
use nonius_linalg::sparse::{Csr, Dia};
use nonius_linalg::{Error, Scalar};
use nonius_num::Real;
use nonius_num::rns::float::{RnsFloat, RnsNumbers};

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
    fn matrix(&self, a: &Csr<Vec<f64>>) -> Self::Matrix;
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
    pub(super) fn new(space: &S, a: &Csr<Vec<f64>>, b: &[f64]) -> Self {
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
        let observe = |step| steps.push(step);
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

impl<T: Scalar> Suite for LimbSpace<T> {
    type Space = Self;
    type Matrix = Csr<Vec<f64>>;
    type Diagonal = Inverse<Dia<Vec<f64>>>;

    fn space(&mut self) -> &mut Self {
        self
    }

    fn unit_roundoff(&self) -> f64 {
        T::UNIT_ROUNDOFF
    }

    fn matrix(&self, a: &Csr<Vec<f64>>) -> Self::Matrix {
        a.clone()
    }

    fn diagonal(&self, inverse: &[f64]) -> Self::Diagonal {
        Inverse(Dia::diagonal(inverse.to_vec()))
    }

    fn to_space(&self, x: &[f64]) -> Vec<T> {
        x.iter().map(|&x| T::from_f64(x)).collect()
    }

    fn to_host(&self, x: &Vec<T>) -> Vec<f64> {
        x.iter().map(|&x| Real::to_f64(x)).collect()
    }
}

impl Suite for MpSpace {
    type Space = Self;
    type Matrix = Csr<Numbers>;
    type Diagonal = Inverse<Dia<Numbers>>;

    fn space(&mut self) -> &mut Self {
        self
    }

    fn unit_roundoff(&self) -> f64 {
        0.5_f64.powi(self.bits().get() as i32)
    }

    fn matrix(&self, a: &Csr<Vec<f64>>) -> Self::Matrix {
        a.to_mp().unwrap_or_else(|error| panic!("{error}"))
    }

    fn diagonal(&self, inverse: &[f64]) -> Self::Diagonal {
        Inverse(Dia::diagonal(self.to_space(inverse)))
    }

    fn to_space(&self, x: &[f64]) -> Numbers {
        let mut to = Numbers::zeros(self.bits(), x.len());
        x.iter().enumerate().for_each(|(i, &x)| to.put(i, Mp::from_f64(self.bits(), x).view()));
        to
    }

    fn to_host(&self, x: &Numbers) -> Vec<f64> {
        (0..x.len()).map(|i| x.at(i).to_f64()).collect()
    }
}

impl Suite for RnsSpace {
    type Space = Self;
    type Matrix = Csr<Vec<f64>>;
    type Diagonal = Inverse<Dia<Vec<f64>>>;

    fn space(&mut self) -> &mut Self {
        self
    }

    fn unit_roundoff(&self) -> f64 {
        0.5_f64.powi(self.format().bits() as i32)
    }

    fn matrix(&self, a: &Csr<Vec<f64>>) -> Self::Matrix {
        a.clone()
    }

    fn diagonal(&self, inverse: &[f64]) -> Self::Diagonal {
        Inverse(Dia::diagonal(inverse.to_vec()))
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
