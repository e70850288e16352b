//! A model as the numbers that a run computes with.

use core::fmt;

use nonius_linalg::solid::{self, Course, Force, Motion};

use crate::model::{Elastic, Face, Hardening, Kind, Law, Load, Material, Model, Motion as Given};

/// What a model has that runs do not know yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// A hyperelastic material.
    NeoHookean {
        /// Its name.
        material: String,
    },
    /// Gravity on a part of the elements.
    GravityOnElements,
    /// A wall that stops a part of the nodes.
    WallForNodes,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsupported::NeoHookean { material } => {
                write!(f, "material {material}: neo-Hookean solids cannot be computed yet")
            }
            Unsupported::GravityOnElements => {
                f.write_str("gravity on a part of the elements cannot be computed yet")
            }
            Unsupported::WallForNodes => {
                f.write_str("walls that stop a part of the nodes cannot be computed yet")
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
pub(crate) fn problem(model: &Model) -> Result<solid::Problem, Unsupported> {
    let mut courses = Courses { model, all: Vec::new() };
    let mut motions = Vec::new();
    for prescribed in &model.prescribed {
        let (factor, is_velocity) = match prescribed.motion {
            Given::Displacement(u) => (u, false),
            Given::Velocity(v) => (v, true),
        };
        let course = courses.add(factor, prescribed.amplitude);
        let axis = prescribed.axis as u8;
        motions.extend(prescribed.nodes.iter().map(|&node| Motion {
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
                forces.extend(nodes.iter().map(|&node| Force { node, axis, course }));
            }
            Load::Gravity { acceleration, amplitude, elements: None } => {
                gravity.push((*acceleration, courses.add(1.0, *amplitude)));
            }
            Load::Gravity { .. } => return Err(Unsupported::GravityOnElements),
            Load::Pressure(pressure) => {
                let course = courses.add(pressure.pressure, pressure.amplitude);
                let faces = pressure.faces.iter().map(|face| of_face(model, face)).collect();
                pressures.push(solid::Pressure { faces, course });
            }
        }
    }
    let wall = |wall: &crate::model::Wall| match wall.nodes {
        None => Ok(solid::Wall { point: wall.point, normal: wall.normal }),
        Some(_) => Err(Unsupported::WallForNodes),
    };
    let viscosity = model.time.viscosity;
    Ok(solid::Problem {
        coordinates: model.mesh.coordinates.clone(),
        blocks: model.mesh.blocks.iter().map(block).collect(),
        materials: model
            .materials
            .iter()
            .map(|material| of_material(material, model.time.adiabatic))
            .collect::<Result<_, _>>()?,
        velocities: model.velocities.clone(),
        temperatures: model.temperatures.clone(),
        motions,
        forces,
        pressures,
        gravity,
        walls: model.walls.iter().map(wall).collect::<Result<_, _>>()?,
        courses: courses.all,
        viscosity: [viscosity.linear, viscosity.quadratic],
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

fn block(block: &crate::model::Block) -> solid::Block {
    let kind = match block.kind {
        Kind::Hexahedron => solid::Kind::Hexahedron,
        Kind::ReducedHexahedron => solid::Kind::ReducedHexahedron,
        Kind::Tetrahedron => solid::Kind::Tetrahedron,
        Kind::ReducedPlaneStrain => solid::Kind::PlaneStrain,
        Kind::ReducedAxisymmetric => solid::Kind::Axisymmetric,
    };
    let (material, thickness) = (block.material, block.thickness);
    solid::Block { kind, material, nodes: block.nodes.clone(), thickness }
}

fn of_face(model: &Model, face: &Face) -> solid::Face {
    let block = &model.mesh.blocks[face.element.block as usize];
    let own = model.mesh.nodes_of(face.element);
    solid::Face {
        nodes: block.kind.faces()[face.face as usize].iter().map(|&i| own[i]).collect(),
        thickness: block.thickness,
        axisymmetric: block.kind == Kind::ReducedAxisymmetric,
    }
}

fn of_material(material: &Material, adiabatic: bool) -> Result<solid::Material, Unsupported> {
    let (elastic, hardening) = match &material.law {
        Law::Elastic(elastic) => (elastic, None),
        Law::Plastic(elastic, plastic) => (elastic, Some(of_hardening(&plastic.hardening))),
        Law::NeoHookean(_) => {
            return Err(Unsupported::NeoHookean { material: material.name.clone() });
        }
    };
    let &Elastic { young, poisson } = elastic;
    let heats = adiabatic && material.specific_heat > 0.0;
    Ok(solid::Material {
        density: material.density,
        lambda: young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
        mu: young / (2.0 * (1.0 + poisson)),
        hardening,
        expansion: material.expansion,
        heating: if heats { material.heat_fraction / material.specific_heat } else { 0.0 },
    })
}

fn of_hardening(hardening: &Hardening) -> solid::Hardening {
    match hardening {
        Hardening::Table(points) => solid::Hardening::Table(points.clone()),
        &Hardening::JohnsonCook(crate::model::JohnsonCook {
            a,
            b,
            n,
            c,
            rate,
            m,
            melting,
            transition,
        }) => solid::Hardening::JohnsonCook { a, b, n, c, rate, m, melting, transition },
    }
}
