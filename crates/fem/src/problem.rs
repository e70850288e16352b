//! A model with its motions and loads resolved: each node's and each face's, with its course.

use core::fmt;

use crate::model::{Face, Kind, Load, Material, Mesh, Model, Motion};
use crate::solid::{
    Course, FaceNodes, FacePressure, Gravity, NodeForce, NodeMotion, Problem, WALLS,
};

/// What a model has that runs cannot compute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// More walls than [`WALLS`].
    Walls,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsupported::Walls => {
                write!(f, "there are more than {WALLS} walls")
            }
        }
    }
}

impl core::error::Error for Unsupported {}

/// Stiffness against hourglass modes, as a part of that against strain.
const HOURGLASS: f64 = 0.05;

/// The problem that a model poses.
///
/// # Errors
/// [`Unsupported`].
pub fn problem(model: &Model) -> Result<Problem, Unsupported> {
    let mut courses = Courses { model, all: Vec::new() };
    let mut motions = Vec::new();
    for prescribed in &model.prescribed {
        let (factor, is_velocity) = match prescribed.motion {
            Motion::Displacement(u) => (u, false),
            Motion::Velocity(v) => (v, true),
        };
        let course = courses.add(factor, prescribed.amplitude);
        let axis = prescribed.axis as u8;
        motions.extend(prescribed.nodes.iter().map(|&node| NodeMotion {
            node,
            axis,
            is_velocity,
            course,
        }));
    }
    let (mut forces, mut gravity, mut pressures) = (Vec::new(), Vec::new(), Vec::new());
    for load in &model.loads {
        match load {
            Load::Concentrated { nodes, axis, force, amplitude } => {
                let course = courses.add(*force, *amplitude);
                let axis = *axis as u8;
                forces.extend(nodes.iter().map(|&node| NodeForce { node, axis, course }));
            }
            Load::Gravity { acceleration, amplitude, elements } => {
                let course = courses.add(1.0, *amplitude);
                let elements = elements.clone();
                gravity.push(Gravity { direction: *acceleration, course, elements });
            }
            Load::Pressure(pressure) => {
                let course = courses.add(pressure.pressure, pressure.amplitude);
                let faces = pressure.faces.iter().map(|face| of_face(&model.mesh, face)).collect();
                pressures.push(FacePressure { faces, course });
            }
        }
    }
    if model.walls.len() > WALLS {
        return Err(Unsupported::Walls);
    }
    // Where nothing heats up, materials have no specific heat.
    let material = |material: &Material| {
        let specific_heat = if model.time.adiabatic { material.specific_heat } else { 0.0 };
        Material { specific_heat, ..material.clone() }
    };
    Ok(Problem {
        coordinates: model.mesh.coordinates.clone(),
        blocks: model.mesh.blocks.clone(),
        materials: model.materials.iter().map(material).collect(),
        velocities: model.velocities.clone(),
        temperatures: model.temperatures.clone(),
        motions,
        forces,
        pressures,
        gravity,
        walls: model.walls.clone(),
        courses: courses.all,
        viscosity: model.time.viscosity,
        hourglass: HOURGLASS,
    })
}

/// Functions of time.
struct Courses<'a> {
    model: &'a Model,
    all: Vec<Course>,
}

impl Courses<'_> {
    fn add(&mut self, factor: f64, amplitude: Option<usize>) -> u32 {
        let amplitude = amplitude.map(|number| &self.model.amplitudes[number]);
        let points = amplitude.map_or_else(Vec::new, |amplitude| amplitude.points.clone());
        let smooth = amplitude.is_some_and(|amplitude| amplitude.smooth);
        self.all.push(Course { factor, points, smooth });
        self.all.len() as u32 - 1
    }
}

fn of_face(mesh: &Mesh, face: &Face) -> FaceNodes {
    let block = &mesh.blocks[face.element.block as usize];
    let own = mesh.nodes_of(face.element);
    FaceNodes {
        nodes: block.kind.faces()[face.face as usize].iter().map(|&i| own[i]).collect(),
        depth: block.depth(),
        axisymmetric: block.kind == Kind::Axisymmetric,
    }
}
