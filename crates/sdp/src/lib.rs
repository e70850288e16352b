//! Semidefinite programs.
//!
//! A [`Problem`] is a pair of programs in the form of SDPA,
//!
//! (P) minimize `c·x` where `X = Σ xᵢ·Fᵢ − F₀` is positive semidefinite,
//!
//! (D) maximize `F₀•Y` where `Fᵢ•Y = cᵢ` for all `i` and `Y` is positive semidefinite,
//!
//! with symmetric matrices of dense and diagonal blocks, and `A•B` the sum of products of entries.
//! Its numbers stay the decimals that a file has, and are rounded once, to the precision in which
//! they are used.

pub mod certify;
mod components;
pub mod cone;
pub mod cpu;
#[cfg(feature = "cuda")]
pub mod cuda;
mod decimal;
pub mod equalities;
mod fingerprint;
pub mod input;
mod interior;
mod ladder;
mod literals;
mod machine;
pub mod output;
mod parameters;
mod problem;
mod reduced;
mod report;
mod run;
pub mod seal;
mod solution;
pub mod solver;
mod text;
mod units;

pub use fingerprint::Fingerprint;
pub use interior::{Interior, Side};
pub use ladder::{
    AnyPoint, Checkpoint, Cost, Error, FetchPoint, LEAST_GAP, Ladder, LastPrecision, Observe,
    Optimizer, Options, PointFormat, PointMatrix, PointNumber, Start, UnknownLastPrecision,
    WriteMatrix, proof_precision, prove, solve, solve_on, usual_gap, usual_iterations,
};
pub use literals::Literals;
pub use machine::Machine;
pub use parameters::Parameters;
pub use problem::{Block, Entry, Place, Problem};
pub use reduced::{Reduced, Reducible};
pub use report::{Report, Row};
pub use run::{Fetch, Task};
pub use solution::{BlockValues, Misfit, Solution};
pub use units::Units;
