//! Batches of vectors that evolve under tridiagonal matrices.

use nonius_linalg::backend::{Cpu, Reference};
use nonius_linalg::{Error, Number};

use super::{Evolution, Failure, Outcome, reference};
use crate::cpu::Kernels;

/// What the [evolution](super) of vectors asks of a backend. The input lies in the host's memory:
/// it is small beside what is computed from it.
///
/// ```
/// use nonius_linalg::backend::Cpu;
/// use nonius_option::evolve::{Evolution, Evolve, Generator, Stage, Steps};
///
/// // du/dt = −u for one node, by Crank–Nicolson: e⁻¹ at the time 1.
/// let zeros = vec![0.0];
/// let decay = Generator { lower: zeros.clone(), diagonal: vec![-1.0], upper: zeros };
/// let steps = Steps { generator: 0, count: 1000, dt: 1e-3, theta: 0.5, constraint: None };
/// let evolution = Evolution {
///     start: vec![1.0],
///     generators: vec![decay],
///     obstacles: vec![],
///     stages: vec![Stage::Steps(steps)],
/// };
/// let outcomes = Cpu::default().evolve(&[evolution], 1)?;
/// assert!((outcomes[0].as_ref().unwrap().u[0] - (-1.0_f64).exp()).abs() < 1e-7);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
pub trait Evolve<T: Number>: Sync {
    /// Numbers of members that make a batch as large as the backend needs to be fast: 128 MB in
    /// `f64` unless it says otherwise. Larger batches only take more memory.
    fn together(&self) -> usize {
        1 << 24
    }

    /// The outcome of every member of the batch, in its order, with the bits of
    /// [`Reference`] or, where the backend says so, by another
    /// [order of operations](crate::evolve). A member's failure is its own.
    ///
    /// The batch is one of several that have `of` members together, maybe on several ranks. A
    /// backend that computes few members another way than many looks at this number alone, so that
    /// bits do not depend on how members are shared out.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn evolve(
        &self,
        batch: &[Evolution<T>],
        of: usize,
    ) -> Result<Vec<Result<Outcome<T>, Failure>>, Error>;
}

impl<T: Number> Evolve<T> for Reference {
    fn evolve(
        &self,
        batch: &[Evolution<T>],
        _: usize,
    ) -> Result<Vec<Result<Outcome<T>, Failure>>, Error> {
        Ok(batch.iter().map(reference::evolve).collect())
    }
}

impl<T: Kernels> Evolve<T> for Cpu {
    fn evolve(
        &self,
        batch: &[Evolution<T>],
        _: usize,
    ) -> Result<Vec<Result<Outcome<T>, Failure>>, Error> {
        Ok(T::evolve(batch))
    }
}
