//! Explicit dynamics of solids by finite elements.
//!
//! A [`model::Model`] is what an input file says: nodes, elements, materials, motions and loads, in whatever consistent units its author has chosen.

pub mod generate;
pub mod input;
pub mod model;
pub mod output;
mod snapshot;

pub use snapshot::{Energies, HistoryRow, Snapshot, von_mises};
