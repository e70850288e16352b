//! Loads.

use super::mesh::{ElementId, Face};

/// A load.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Load {
    /// A force on each of some nodes along an axis; of axisymmetric elements the total on the ring,
    /// as in Abaqus.
    Concentrated {
        /// Which nodes.
        nodes: Vec<u32>,
        /// The axis: 0, 1 or 2.
        axis: usize,
        /// The force.
        force: f64,
        /// What it is multiplied by, as time passes.
        amplitude: Option<usize>,
    },
    /// Pressure on faces, which follows them.
    Pressure(Pressure),
    /// An acceleration of everything, or of some elements.
    Gravity {
        /// The acceleration.
        acceleration: [f64; 3],
        /// What it is multiplied by, as time passes.
        amplitude: Option<usize>,
        /// Which elements; all where there is no list.
        elements: Option<Vec<ElementId>>,
    },
}

/// Pressure on faces.
#[derive(Clone, Debug, PartialEq)]
pub struct Pressure {
    /// On which faces.
    pub faces: Vec<Face>,
    /// Force on a unit of area, inwards.
    pub pressure: f64,
    /// What it is multiplied by, as time passes.
    pub amplitude: Option<usize>,
}
