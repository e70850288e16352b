//! Sparse systems from their entries to the solution: brought into a format and to a backend,
//! preconditioned, solved by a method, and judged.

mod home;
mod host;
mod names;
mod number;
mod options;
mod outcome;
mod positional;
mod residues;
mod run;
mod scale;
mod solve;
mod truth;

pub use home::{Carries, Conditioner, Doubles, Home, Homes, Operator, Vector};
pub use host::OnHost;
pub use names::UnknownName;
pub use number::SparseNumber;
pub use options::{KrylovOptions, Preconditioning, SparseFormat, SparseValues, Storage};
pub use outcome::{Iterated, Solved};
pub use positional::positional;
pub use residues::{format_of_residues, in_any_storage};
pub use solve::Iterates;
