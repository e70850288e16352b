//! Taylor's test: a cylinder hits a wall.
//!
//! A section has a core of squares around the axis and rings of four blocks around the core, a
//! quarter of which is meshed here:
//!
//! ```text
//! x
//! |---__
//! |     -_      ring: `ring` elements outwards,
//! |__     \           twice `core` around
//! |  --\   |
//! |core |  |    core: `core` elements along each side
//! +-----+--- z
//! ```

use core::f64::consts::FRAC_PI_2;

use super::lattice::mesh;
use super::{GenerateError, materials, name_nodes};
use crate::model::{
    ElementId, Kind, Model, Motion, Outputs, Prescribed, Probe, ProbeTarget, Time, Units,
};

const RADIUS: f64 = 3.2;
const LENGTH: f64 = 32.4;
/// Corners of the core on the axes and between them, as parts of the radius.
const SIDE: f64 = 0.5;
const DIAGONAL: f64 = 0.38;

/// A quarter of a cylinder of steel along the second axis, 3.2 by 32.4 millimetres, that hits a
/// wall at 287 m/s and yields by Johnson and Cook. It has `core` elements along a side of the core,
/// `ring` from there outwards and `along` along the axis. The `foot` cannot leave the wall, `x` and
/// `z` are planes of symmetry.
///
/// # Errors
/// Of no elements, too many, or other ones than hexahedra.
pub fn taylor(kind: Kind, core: usize, ring: usize, along: usize) -> Result<Model, GenerateError> {
    if !matches!(kind, Kind::Hexahedron | Kind::ReducedHexahedron) {
        return Err(GenerateError::Kind(kind));
    }
    let section = Section::new(core, ring, along)?;
    let count = section.points.len();
    let mut coordinates = Vec::with_capacity(count * (along + 1));
    for layer in 0..=along {
        let height = LENGTH * layer as f64 / along as f64;
        coordinates.extend(section.points.iter().map(|&[z, x]| [x, height, z]));
    }
    let mut nodes = Vec::with_capacity(8 * section.cells.len() * along);
    for layer in 0..along {
        let [low, high] = [layer, layer + 1].map(|layer| (layer * count) as u32);
        for cell in &section.cells {
            nodes.extend(cell.iter().map(|&corner| low + corner));
            nodes.extend(cell.iter().map(|&corner| high + corner));
        }
    }
    let mut mesh = mesh(kind, coordinates, nodes)?;
    name_nodes(&mut mesh, "foot", |place| place[1] == 0.0);
    name_nodes(&mut mesh, "x", |place| place[0] == 0.0);
    name_nodes(&mut mesh, "z", |place| place[2] == 0.0);
    name_nodes(&mut mesh, "head", |place| *place == [0.0, LENGTH, 0.0]);
    name_nodes(&mut mesh, "rim", |place| *place == [0.0, 0.0, RADIUS]);
    let centre = vec![ElementId { block: 0, element: 0 }];
    mesh.element_sets.insert("centre".to_string(), centre.clone());
    let held = |(axis, name)| Prescribed {
        nodes: mesh.node_sets[name].clone(),
        axis,
        motion: Motion::Displacement(0.0),
        amplitude: None,
    };
    let prescribed = [(1, "foot"), (0, "x"), (2, "z")].map(held).to_vec();
    let probe = |name: &str| Probe {
        name: name.to_string(),
        target: ProbeTarget::Nodes(mesh.node_sets[name].clone()),
    };
    let inside = Probe { name: "centre".to_string(), target: ProbeTarget::Elements(centre) };
    let probes = vec![probe("head"), probe("rim"), inside];
    let count = mesh.coordinates.len();
    Ok(Model {
        title: "Taylor's test: a cylinder of steel hits a wall at 287 m/s".to_string(),
        units: Some(Units::MILLIMETRES),
        mesh,
        materials: vec![materials::yielding_steel()],
        velocities: vec![[0.0, -287_000.0, 0.0]; count],
        temperatures: vec![20.0; count],
        prescribed,
        time: Time { period: 8e-5, adiabatic: true, ..Time::default() },
        outputs: Outputs { fields: Some(20), history: Some(4e-7), probes, ..Outputs::default() },
        ..Model::default()
    })
}

/// A quarter of a section: points in the plane of the third and the first axis, and
/// counterclockwise quadrilaterals.
struct Section {
    points: Vec<[f64; 2]>,
    cells: Vec<[u32; 4]>,
}

impl Section {
    fn new(core: usize, ring: usize, along: usize) -> Result<Self, GenerateError> {
        if [core, ring, along].contains(&0) {
            return Err(GenerateError::Empty);
        }
        let side = core.saturating_add(1);
        let around = core.saturating_mul(2).saturating_add(1);
        let all = side.saturating_mul(side).saturating_add(around.saturating_mul(ring));
        let all = all.saturating_mul(along.saturating_add(1));
        if u32::try_from(all).is_err() {
            return Err(GenerateError::Size);
        }
        let mut points = Vec::new();
        for i in 0..side {
            for j in 0..side {
                let [s, t] = [i, j].map(|place| place as f64 / core as f64);
                // Bilinear between the corners; exactly zero on the axes.
                let bend = s * t * (DIAGONAL - SIDE);
                points.push([SIDE * s + bend, SIDE * t + bend].map(|part| RADIUS * part));
            }
        }
        let inner = |i: usize, j: usize| (i * side + j) as u32;
        let mut cells = Vec::new();
        for i in 0..core {
            for j in 0..core {
                cells.push([inner(i, j), inner(i + 1, j), inner(i + 1, j + 1), inner(i, j + 1)]);
            }
        }
        // Along the core's boundary, from the first axis of the plane to the second.
        let boundary =
            |k: usize| if k <= core { inner(core, k) } else { inner(2 * core - k, core) };
        for r in 1..=ring {
            let part = r as f64 / ring as f64;
            for k in 0..around {
                let [z, x] = points[boundary(k) as usize];
                let [outer_z, outer_x] = arc(k, 2 * core);
                points.push([z + part * (outer_z - z), x + part * (outer_x - x)]);
            }
        }
        let node = |r: usize, k: usize| match r {
            0 => boundary(k),
            _ => (side * side + (r - 1) * around + k) as u32,
        };
        for r in 0..ring {
            for k in 0..2 * core {
                cells.push([node(r, k), node(r + 1, k), node(r + 1, k + 1), node(r, k + 1)]);
            }
        }
        Ok(Self { points, cells })
    }
}

/// The point at a part of the quarter of a circle, exactly on the axes at its ends.
fn arc(k: usize, count: usize) -> [f64; 2] {
    if k == 0 {
        return [RADIUS, 0.0];
    }
    if k == count {
        return [0.0, RADIUS];
    }
    let (sine, cosine) = (FRAC_PI_2 * k as f64 / count as f64).sin_cos();
    [RADIUS * cosine, RADIUS * sine]
}
