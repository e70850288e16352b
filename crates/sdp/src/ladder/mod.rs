//! Programs solved and proved in one precision after the other, each known when the program runs.

mod changes;
mod checkpoint;
mod climb;
#[cfg(not(test))]
mod compiled;
mod cones;
mod cost;
mod error;
mod numbers;
mod optimizer;
mod options;
mod point;
mod precision;
mod prove;
mod solve;
mod stages;

pub use checkpoint::Checkpoint;
pub use climb::{Ladder, Observe};
pub use cost::Cost;
pub use error::Error;
pub use numbers::PointNumber;
pub use optimizer::Optimizer;
pub use options::{Options, Start};
pub use point::{AnyPoint, FetchPoint, PointFormat, PointMatrix, WriteMatrix};
pub use precision::{LEAST_GAP, LastPrecision, UnknownLastPrecision, usual_gap, usual_iterations};
pub use prove::{proof_precision, prove};
pub use solve::{solve, solve_on};
