//! Explicit dynamics of solids by finite elements.
//!
//! A [`model::Model`] is what an input file says: nodes, elements, materials, motions and loads, in
//! whatever consistent units its author has chosen.

mod cpu;
#[cfg(feature = "cuda")]
pub mod cuda;
mod fingerprint;
pub mod generate;
pub mod input;
pub mod model;
pub mod output;
mod problem;
mod record;
mod simulation;
mod snapshot;
pub mod solid;

pub use problem::{Unsupported, problem};
pub use record::{
    CHECKPOINT, Dense, RecordError, Recorded, Saved, Settings, dense_outputs, record,
};
pub use simulation::{Error, Excess, Named, ResumeError, SaveError, Simulation};
pub use snapshot::{Energies, HistoryRow, Snapshot, von_mises};
pub use solid::{Goal, Operations, Precision};
