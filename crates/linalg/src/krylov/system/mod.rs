//! Sparse systems from their entries to the solution: brought into a format and to a backend,
//! preconditioned, solved by a method, and judged.

mod home;
mod host;
mod limbs;
mod mp;
mod names;
mod options;
mod outcome;
mod residues;
mod run;
mod scale;
mod solve;
mod truth;

pub use home::{Carries, Conditioner, Doubles, Home, Homes, Operator, Vector};
pub use host::OnHost;
pub use limbs::limbs;
pub use mp::mp;
pub use names::UnknownName;
pub use options::{KrylovOptions, Preconditioning, SparseFormat, SparseValues, Storage};
pub use outcome::{Iterated, Solved};
pub use residues::format_of_residues;
pub use solve::Iterates;
