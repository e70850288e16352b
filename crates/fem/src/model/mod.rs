//! What is to be computed.
//!
//! Units are whatever is consistent: with millimetres, tonnes and seconds forces are newtons and
//! stresses megapascals. A model may state its [`Units`], which outputs then show.

mod load;
mod material;
mod mesh;
mod motion;
mod output;
mod time;
mod units;

pub use load::{Load, Pressure};
pub use material::{Elastic, Hardening, JohnsonCook, Lame, Law, Material, NeoHookean, Plastic};
pub use mesh::{Block, ElementId, Face, Kind, Mesh};
pub use motion::{Amplitude, Motion, Prescribed, Wall};
pub use output::{Outputs, Probe, ProbeTarget};
pub use time::{BulkViscosity, Increments, Time};
pub use units::{Quantity, Units, UnknownUnit};

/// A model: all that an input file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Its heading.
    pub title: String,
    /// The units of its numbers, where they are stated.
    pub units: Option<Units>,
    /// Nodes and elements.
    pub mesh: Mesh,
    /// What blocks of elements are made of, which name these by their place here.
    pub materials: Vec<Material>,
    /// Functions of time that motions and loads name by their place here.
    pub amplitudes: Vec<Amplitude>,
    /// Velocities at the beginning, for each node; empty where all rest.
    pub velocities: Vec<[f64; 3]>,
    /// Temperatures at the beginning, for each node; empty where none is said.
    pub temperatures: Vec<f64>,
    /// Prescribed motions.
    pub prescribed: Vec<Prescribed>,
    /// Loads.
    pub loads: Vec<Load>,
    /// Rigid walls.
    pub walls: Vec<Wall>,
    /// The period, and the increments of time.
    pub time: Time,
    /// What is to be written, and when.
    pub outputs: Outputs,
}
