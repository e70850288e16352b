//! A model as the numbers that a run computes with.

use core::fmt;

use crate::model::{
    Elastic, ElementId, Face, Hardening, Kind, Law, Load, Material, Model, Motion as Given,
    NeoHookean,
};
use crate::solid::{self, Course, Force, Motion};

/// What a model has that runs cannot compute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// More walls than [`solid::WALLS`].
    Walls,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsupported::Walls => {
                write!(f, "there are more than {} walls", solid::WALLS)
            }
        }
    }
}

impl core::error::Error for Unsupported {}

/// The angle that axisymmetric elements go through. As in Abaqus masses, forces on nodes, reactions and energies are totals of the
/// whole ring; pressures are forces on a unit of area, and gravity acts on a unit of mass.
const RING: f64 = core::f64::consts::TAU;

/// Stiffness against hourglass modes, as a part of that against strain.
const HOURGLASS: f64 = 0.05;

/// The problem that a model poses.
///
/// # Errors
/// [`Unsupported`].
pub fn problem(model: &Model) -> Result<solid::Problem, Unsupported> {
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
            Load::Gravity { acceleration, amplitude, elements } => {
                let places =
                    |all: &Vec<ElementId>| all.iter().map(|id| [id.block, id.element]).collect();
                gravity.push(solid::Gravity {
                    direction: *acceleration,
                    course: courses.add(1.0, *amplitude),
                    elements: elements.as_ref().map(places),
                });
            }
            Load::Pressure(pressure) => {
                let course = courses.add(pressure.pressure, pressure.amplitude);
                let faces = pressure.faces.iter().map(|face| of_face(model, face)).collect();
                pressures.push(solid::Pressure { faces, course });
            }
        }
    }
    if model.walls.len() > solid::WALLS {
        return Err(Unsupported::Walls);
    }
    let wall = |wall: &crate::model::Wall| solid::Wall {
        nodes: wall.nodes.clone(),
        point: wall.point,
        normal: wall.normal,
    };
    let viscosity = model.time.viscosity;
    Ok(solid::Problem {
        coordinates: model.mesh.coordinates.clone(),
        blocks: model.mesh.blocks.iter().map(block).collect(),
        materials: model
            .materials
            .iter()
            .map(|material| of_material(material, model.time.adiabatic))
            .collect(),
        velocities: model.velocities.clone(),
        temperatures: model.temperatures.clone(),
        motions,
        forces,
        pressures,
        gravity,
        walls: model.walls.iter().map(wall).collect(),
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
    let (material, thickness) = (block.material, thickness(block));
    solid::Block { kind, material, nodes: block.nodes.clone(), thickness }
}

/// The thickness of a plane block, or the angle of an axisymmetric one.
fn thickness(block: &crate::model::Block) -> f64 {
    if block.kind == Kind::ReducedAxisymmetric { RING } else { block.thickness }
}

fn of_face(model: &Model, face: &Face) -> solid::Face {
    let block = &model.mesh.blocks[face.element.block as usize];
    let own = model.mesh.nodes_of(face.element);
    solid::Face {
        nodes: block.kind.faces()[face.face as usize].iter().map(|&i| own[i]).collect(),
        thickness: thickness(block),
        axisymmetric: block.kind == Kind::ReducedAxisymmetric,
    }
}

fn of_material(material: &Material, adiabatic: bool) -> solid::Material {
    let linear = |&Elastic { young, poisson }: &Elastic| {
        (
            young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
            young / (2.0 * (1.0 + poisson)),
        )
    };
    let ((lambda, mu), law) = match &material.law {
        Law::Elastic(elastic) => (linear(elastic), solid::Law::Elastic),
        Law::Plastic(elastic, plastic) => {
            (linear(elastic), solid::Law::Plastic(of_hardening(&plastic.hardening)))
        }
        Law::NeoHookean(NeoHookean { c10, d1 }) => {
            let mu = 2.0 * c10;
            ((2.0 / d1 - 2.0 / 3.0 * mu, mu), solid::Law::NeoHookean)
        }
    };
    let heats = adiabatic && material.specific_heat > 0.0;
    solid::Material {
        density: material.density,
        lambda,
        mu,
        law,
        expansion: material.expansion,
        heating: if heats { material.heat_fraction / material.specific_heat } else { 0.0 },
    }
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
