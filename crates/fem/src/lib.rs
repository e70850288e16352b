//! Explicit dynamics of solids by finite elements.
//!
//! A [`model::Model`] is what an input file says: nodes, elements, materials, motions and loads, in whatever consistent units its author has chosen.

pub mod generate;
pub mod input;
pub mod model;
pub mod output;
mod problem;
mod record;
mod simulation;
mod snapshot;

pub use nonius_linalg::solid::Precision;
pub use problem::Unsupported;
pub use record::{RecordError, Recorded, Settings, record};
pub use simulation::{Error, Simulation};
pub use snapshot::{Energies, HistoryRow, Snapshot, von_mises};
