//! [Solids in motion](crate::solid) on the host: elements in the lanes of registers, patches of them on threads.
//!
//! Results do not depend on the width of registers or the number of threads: a patch sums forces element by element, a node patch by patch, and all operations round as they do on single numbers.

mod block;
mod element;
mod functions;
pub(crate) mod geometry;
mod group;
mod hardening;
mod law;
mod precision;
mod run;
pub(crate) mod vector;
mod way;

use crate::solid::{Advance, Failure, Precision, Problem, State};
use precision::{Double, Mixed, Single};
use run::HostRun;

/// A problem at the time of a state, which fits it.
pub(crate) fn start(
    problem: &Problem,
    precision: Precision,
    state: &State,
) -> Result<Box<dyn Advance>, Failure> {
    Ok(match precision {
        Precision::Single => Box::new(HostRun::<Single>::new(problem, state)?),
        Precision::Double => Box::new(HostRun::<Double>::new(problem, state)?),
        Precision::Mixed => Box::new(HostRun::<Mixed>::new(problem, state)?),
    })
}
