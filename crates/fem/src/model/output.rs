//! What is to be written, and when.

use super::mesh::ElementId;

/// What is to be written, and when.
///
/// What is due at a time goes with the step that ends nearest to it, and no step is shortened for
/// it. Abaqus takes the step that ends next after the time, unless it is told `TIME MARKS=YES`,
/// which makes times exact here and there. The beginning and the end of the period have fields and
/// a row always.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outputs {
    /// In how many equal parts of the period fields are written, beside at the beginning; 20 where
    /// nothing is said.
    pub fields: Option<usize>,
    /// Time between rows of the history; a two-hundredth of the period where nothing is said.
    pub history: Option<f64>,
    /// Whether steps end at the times of fields, and not fields go with the steps nearest to these.
    pub exact_fields: bool,
    /// The same of rows of the history.
    pub exact_history: bool,
    /// Nodes and elements whose quantities are columns of the history.
    pub probes: Vec<Probe>,
}

/// Quantities of nodes or elements in the history.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// The name that its columns begin with.
    pub name: String,
    /// Of what.
    pub target: ProbeTarget,
}

/// Of what a probe is.
#[derive(Clone, Debug, PartialEq)]
pub enum ProbeTarget {
    /// Displacement and velocity of each node.
    Nodes(Vec<u32>),
    /// Stress of von Mises, plastic strain and temperature of each element, means of its points.
    Elements(Vec<ElementId>),
}
