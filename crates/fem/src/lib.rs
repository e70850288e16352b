//! Explicit dynamics of solids by finite elements: impacts, waves and vibrations.
//!
//! A [`model::Model`] is what an input file says: nodes, elements, materials, motions and loads, in
//! any consistent units.
//!
//! | to do | with |
//! |---|---|
//! | read a deck of Abaqus, or a mesh of Gmsh | [`input::read_file`] |
//! | make a model of any size | [`generate`] |
//! | move it through time | [`Simulation`] |
//! | run it to its end and write all outputs | [`record()`] |
//! | share it out among threads, or the machines of a cluster | [`Ranks`] |
//! | run it to its end and keep its history | [`observe`] |
//! | write fields, histories, pictures, checkpoints | [`output`] |
//!
//! Begin with [`input`] or [`generate`] for a model, and with [`Simulation`] for its motion. A wave
//! runs along a bar. The free end moves twice as fast as the wave:
//!
//! ```
//! use nonius_fem::model::{BulkViscosity, Kind};
//! use nonius_fem::{Precision, Simulation, generate};
//!
//! let mut model = generate::bar(Kind::ReducedHexahedron, [100, 2, 2])?;
//! model.time.viscosity = BulkViscosity::NONE;
//! let mut simulation = Simulation::new(&model, Precision::Double)?;
//! // The bar is 1 m long. The middle of the pulse comes 20 µs after its front.
//! let speed = (2e11_f64 / 7800.0).sqrt();
//! simulation.advance_to(1.0 / speed + 20e-6)?;
//! let end = model.mesh.node_sets["end"][0] as usize;
//! let velocity = simulation.snapshot()?.velocities[end][0];
//! assert!((velocity - 2.0).abs() < 0.1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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

pub use cpu::Ranks;
pub use problem::{Unsupported, problem};
pub use record::{
    CHECKPOINT, Dense, RecordError, Recorded, Saved, Settings, dense_outputs, observe, record,
};
pub use simulation::{Error, Excess, Named, ResumeError, SaveError, Simulation};
pub use snapshot::{Energies, HistoryRow, Snapshot, von_mises};
pub use solid::{Goal, Operations, Precision};
