//! What a deck says, before names and numbers are looked up.

use core::ops::RangeInclusive;

use super::super::error::At;
use super::name::Name;
use super::types::Type;
use crate::model::{Amplitude, Elastic, Hardening, Motion, NeoHookean, Time};

/// What a part, an instance or the assembly says. A deck without parts is an assembly alone.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) nodes: Vec<Node>,
    pub(super) elements: Vec<Elements>,
    pub(super) sets: Vec<Set>,
    pub(super) sections: Vec<Section>,
    pub(super) surfaces: Vec<Surface>,
}

impl Body {
    /// Bytes that its nodes and elements take in the mesh, about.
    pub(super) fn memory(&self) -> usize {
        let elements = self
            .elements
            .iter()
            .map(|elements| elements.labels.len() * 64 + elements.nodes.len() * size_of::<u32>());
        self.nodes.len() * 2 * size_of::<Node>() + elements.sum::<usize>()
    }
}

#[derive(Debug)]
pub(super) struct Node {
    pub(super) label: u64,
    pub(super) position: [f64; 3],
    pub(super) at: At,
}

/// Elements of a type.
#[derive(Debug)]
pub(super) struct Elements {
    pub(super) kind: Type,
    pub(super) labels: Vec<(u64, At)>,
    /// The numbers of their nodes.
    pub(super) nodes: Vec<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Nodes,
    Elements,
}

#[derive(Debug)]
pub(super) struct Set {
    pub(super) of: Of,
    pub(super) name: Name,
    pub(super) instance: Option<Name>,
    pub(super) members: Vec<(Member, At)>,
}

#[derive(Debug)]
pub(super) enum Member {
    /// Nodes or elements.
    Range(RangeInclusive<u64>, usize),
    /// Another set.
    Set(Name),
    /// The nodes of a set of elements.
    NodesOf(Name),
}

#[derive(Debug)]
pub(super) struct Section {
    pub(super) elements: Name,
    pub(super) material: Name,
    pub(super) thickness: Option<f64>,
    pub(super) at: At,
}

#[derive(Debug)]
pub(super) struct Surface {
    pub(super) name: Name,
    pub(super) instance: Option<Name>,
    /// Elements with the place of a face, or with all faces that no other element has.
    pub(super) faces: Vec<(Name, Option<u8>, At)>,
    /// Or nodes.
    pub(super) nodes: Vec<(Name, At)>,
}

#[derive(Debug)]
pub(super) struct Part {
    pub(super) name: Name,
    pub(super) body: Body,
}

#[derive(Debug)]
pub(super) struct Instance {
    pub(super) name: Name,
    /// The place of its part.
    pub(super) part: usize,
    pub(super) body: Body,
    pub(super) translation: [f64; 3],
    /// Two points of the axis, and degrees.
    pub(super) rotation: Option<[f64; 7]>,
}

#[derive(Debug)]
pub(super) struct Material {
    pub(super) name: Name,
    pub(super) at: At,
    pub(super) density: Option<f64>,
    pub(super) elastic: Option<Elastic>,
    pub(super) hardening: Option<(Hardening, At)>,
    /// C and the reference rate of Johnson and Cook.
    pub(super) rate: Option<([f64; 2], At)>,
    pub(super) hyperelastic: Option<NeoHookean>,
    pub(super) expansion: f64,
    pub(super) specific_heat: f64,
    pub(super) heat_fraction: f64,
}

/// Nodes with a number for a degree of freedom, from 1.
#[derive(Debug)]
pub(super) struct NodeValue {
    pub(super) nodes: Name,
    pub(super) axis: u64,
    pub(super) value: f64,
    pub(super) at: At,
}

#[derive(Debug)]
pub(super) struct Temperature {
    pub(super) nodes: Name,
    pub(super) value: f64,
    pub(super) at: At,
}

/// What a keyword *BOUNDARY says.
#[derive(Debug)]
pub(super) struct Boundary {
    pub(super) amplitude: Option<(Name, At)>,
    pub(super) velocity: bool,
    pub(super) values: Vec<NodeValue>,
}

impl Boundary {
    pub(super) fn motion(&self, value: f64) -> Motion {
        if self.velocity { Motion::Velocity(value) } else { Motion::Displacement(value) }
    }
}

/// What a keyword for loads says.
#[derive(Debug)]
pub(super) struct Loads {
    pub(super) amplitude: Option<(Name, At)>,
    pub(super) loads: Vec<Load>,
}

#[derive(Debug)]
pub(super) enum Load {
    Force(NodeValue),
    Gravity { elements: Option<Name>, acceleration: [f64; 3], at: At },
    Pressure { elements: Name, face: u8, pressure: f64, at: At },
    SurfacePressure { surface: Name, pressure: f64, at: At },
}

#[derive(Debug)]
pub(super) struct Probe {
    pub(super) of: Of,
    pub(super) name: Name,
    pub(super) at: At,
}

/// What is asked of fields.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fields {
    Number(usize),
    Interval(f64),
}

/// All that a deck says.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) title: String,
    pub(super) parts: Vec<Part>,
    pub(super) instances: Vec<Instance>,
    pub(super) top: Body,
    pub(super) materials: Vec<Material>,
    pub(super) amplitudes: Vec<(Name, Amplitude)>,
    pub(super) velocities: Vec<NodeValue>,
    pub(super) temperatures: Vec<Temperature>,
    pub(super) boundaries: Vec<Boundary>,
    pub(super) loads: Vec<Loads>,
    /// Where there is a step.
    pub(super) time: Option<Time>,
    pub(super) fields: Vec<Fields>,
    pub(super) histories: Vec<f64>,
    /// Whether times of fields and of the history are exact.
    pub(super) exact: [bool; 2],
    pub(super) probes: Vec<Probe>,
}
