//! What is computed where only the time counts: a body that is drawn, so that all of its elements
//! deform alike and, if they can, yield.

use std::error::Error;

use clap::ValueEnum;
use nonius_fem::generate;
use nonius_fem::model::{
    Block, Elastic, Hardening, JohnsonCook, Kind, Law, Material, Mesh, Model, Plastic, Time,
};
use rand::{Rng, SeedableRng, rngs::StdRng};

/// What elements are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Matter {
    /// Linear elasticity.
    Elastic,
    /// Plasticity of von Mises with a table of yield stresses.
    J2,
    /// The law of Johnson and Cook with adiabatic heating.
    JohnsonCook,
}

impl Matter {
    /// As records name it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Matter::Elastic => "elastic",
            Matter::J2 => "j2",
            Matter::JohnsonCook => "johnson-cook",
        }
    }

    /// Steel, in kilograms, metres and seconds; temperatures in degrees Celsius.
    fn material(self) -> Material {
        let elastic = Elastic { young: 2.06e11, poisson: 0.3 };
        let plastic = |hardening| Law::Plastic(elastic, Plastic { hardening });
        let law = match self {
            Matter::Elastic => Law::Elastic(elastic),
            Matter::J2 => {
                let points = [[0.0, 8.06e8], [0.01, 1.0e9], [0.05, 1.15e9], [0.2, 1.3e9]];
                plastic(Hardening::Table(points.to_vec()))
            }
            Matter::JohnsonCook => plastic(Hardening::JohnsonCook(JohnsonCook {
                a: 8.06e8,
                b: 6.14e8,
                n: 0.168,
                c: 0.0089,
                rate: 1.0,
                m: 1.1,
                melting: 1540.0,
                transition: 20.0,
            })),
        };
        let heats = self == Matter::JohnsonCook;
        Material {
            name: "steel".to_string(),
            density: DENSITY,
            law,
            expansion: if heats { 1.23e-5 } else { 0.0 },
            specific_heat: if heats { 460.0 } else { 0.0 },
            heat_fraction: if heats { 0.9 } else { 0.0 },
        }
    }
}

const DENSITY: f64 = 7830.0;
/// Of compression waves in steel, about.
const SPEED: f64 = 6000.0;
/// Strain in the time that a wave takes through an element. Steps are shorter; yield begins at 0.4
/// %.
const STRAIN: f64 = 4e-4;
/// By what part of the distance between nodes they lie elsewhere than on a lattice, at most.
const DISTORTION: f64 = 0.05;

/// The cells along each axis of a cube or square with about `elements` elements.
pub(super) fn cells(kind: Kind, elements: usize) -> [usize; 3] {
    let per_cell = if kind == Kind::Tetrahedron { 6 } else { 1 };
    let cells = elements as f64 / f64::from(per_cell);
    let side = (cells.powf(1.0 / kind.dimensions() as f64).round() as usize).max(1);
    [side; 3]
}

/// A cube or square of side 1 with `cells[k]` cells along axis `k`, slightly irregular. It is drawn
/// along its last axis and contracts along the others at constant volume. Its period is the time
/// that a wave takes through an element.
pub(super) fn drawn(
    kind: Kind,
    matter: Matter,
    cells: [usize; 3],
) -> Result<Model, Box<dyn Error>> {
    let dimensions = kind.dimensions();
    let side = cells[..dimensions].iter().copied().max().unwrap_or(1);
    let mut mesh = match dimensions {
        2 => square(kind, side),
        _ => generate::cuboid(kind, cells)?.mesh,
    };
    let mut random = StdRng::seed_from_u64(1);
    for place in &mut mesh.coordinates {
        for x in &mut place[..dimensions] {
            // The boundary stays, and with it the axis of what goes round one.
            if *x > 0.0 && *x < 1.0 {
                *x += random.random_range(-1.0..1.0) * DISTORTION / side as f64;
            }
        }
    }
    let period = 1.0 / (SPEED * side as f64);
    let rate = STRAIN / period;
    let rates = match kind {
        Kind::PlaneStrain => [-1.0, 1.0, 0.0],
        Kind::Axisymmetric => [-0.5, 1.0, 0.0],
        _ => [-0.5, -0.5, 1.0],
    };
    let velocity = |place: &[f64; 3]| core::array::from_fn(|k| rate * rates[k] * place[k]);
    Ok(Model {
        velocities: mesh.coordinates.iter().map(velocity).collect(),
        temperatures: vec![20.0; mesh.coordinates.len()],
        mesh,
        materials: vec![matter.material()],
        time: Time { period, adiabatic: true, ..Time::default() },
        ..Model::default()
    })
}

/// A square of quadrilaterals.
fn square(kind: Kind, side: usize) -> Mesh {
    let points = side + 1;
    let part = |i: usize| i as f64 / side as f64;
    let at = |i: usize, j: usize| (i * points + j) as u32;
    let places = (0..points).flat_map(|i| (0..points).map(move |j| (i, j)));
    let cells = (0..side).flat_map(|i| (0..side).map(move |j| (i, j)));
    let corners = |(i, j)| [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
    Mesh {
        node_labels: (1..=(points * points) as u64).collect(),
        coordinates: places.map(|(i, j)| [part(i), part(j), 0.0]).collect(),
        blocks: vec![Block {
            kind,
            material: 0,
            labels: (1..=(side * side) as u64).collect(),
            nodes: cells.flat_map(corners).collect(),
            thickness: 1.0,
        }],
        ..Mesh::default()
    }
}
