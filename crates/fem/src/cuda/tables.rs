//! What acts on nodes, as kernels take it.

use std::collections::BTreeMap;

use nonius_cuda::Cuda;
use nonius_gpu::{Buffer, Const, Error, Plain, Pointer};

use super::arguments as kernel;
use super::numbers::int;
use crate::solid::{FaceNodes, Masses, Pressed, Problem};

/// Memory that kernels alone look at once it is filled in.
pub(super) struct Tables<'a> {
    pub(super) cuda: &'a Cuda,
    pub(super) kept: Vec<Buffer>,
}

impl Tables<'_> {
    pub(super) fn keep<T>(&mut self, buffer: Buffer) -> Pointer<T> {
        let pointer = buffer.pointer();
        self.kept.push(buffer);
        pointer
    }

    pub(super) fn numbers<P: Plain>(&mut self, numbers: &[P]) -> Result<Pointer<Const<P>>, Error> {
        let buffer = self.cuda.numbers(numbers)?;
        Ok(self.keep(buffer))
    }

    /// Room for `bytes` bytes.
    pub(super) fn room<T>(&mut self, bytes: usize) -> Result<Pointer<T>, Error> {
        let buffer = Buffer::new(self.cuda.stream(), bytes)?;
        Ok(self.keep(buffer))
    }
}

/// What a node has that few have.
#[derive(Clone, Default)]
pub(super) struct Role {
    pub(super) given: [u32; 3],
    pub(super) walls: u32,
    pub(super) loads: Vec<[u32; 2]>,
    pub(super) pressed: u32,
}

/// The nodes that have roles, and the walls that stop all.
pub(super) fn roles(problem: &Problem, pressed: &Pressed) -> (BTreeMap<u32, Role>, u32) {
    let mut roles: BTreeMap<u32, Role> = BTreeMap::new();
    let mut of = |node: u32, change: &mut dyn FnMut(&mut Role)| {
        change(roles.entry(node).or_default());
    };
    for (number, motion) in problem.motions.iter().enumerate() {
        let given = number as u32 + 1;
        of(motion.node, &mut |role| role.given[motion.axis as usize] = given);
    }
    for force in &problem.forces {
        let load = [u32::from(force.axis), force.course];
        of(force.node, &mut |role| role.loads.push(load));
    }
    for (number, &node) in pressed.nodes.iter().enumerate() {
        of(node, &mut |role| role.pressed = number as u32 + 1);
    }
    let mut common = 0;
    for (number, wall) in problem.walls.iter().enumerate() {
        match &wall.nodes {
            None => common |= 1 << number,
            Some(nodes) => {
                nodes.iter().for_each(|&node| of(node, &mut |role| role.walls |= 1 << number));
            }
        }
    }
    (roles, common)
}

/// Courses and their points, and room for their values.
pub(super) fn courses(
    problem: &Problem,
    tables: &mut Tables<'_>,
) -> Result<kernel::Courses, Error> {
    let (mut courses, mut points) = (Vec::new(), Vec::new());
    for course in &problem.courses {
        courses.push(kernel::Course {
            factor: course.factor,
            is_smooth: i32::from(course.smooth),
            first: int(points.len() / 2)?,
            count: int(course.points.len())?,
            unused: 0,
        });
        points.extend(course.points.as_flattened());
    }
    let bytes = 8 * problem.courses.len();
    Ok(kernel::Courses {
        courses: tables.numbers(&courses)?,
        points: tables.numbers(&points)?,
        from: tables.room(bytes)?,
        to: tables.room(bytes)?,
        now: tables.room(bytes)?,
        next: tables.room(bytes)?,
        halfway: tables.room(bytes)?,
        count: int(problem.courses.len())?,
        unused: 0,
    })
}

/// Accelerations of all nodes, or of parts of the masses of nodes that have these numbers in the
/// problem.
pub(super) fn gravity(
    problem: &Problem,
    old: &[u32],
    tables: &mut Tables<'_>,
) -> Result<Pointer<Const<kernel::Gravity>>, Error> {
    let mut all = Vec::new();
    for own in &problem.gravity {
        let parts = match &own.elements {
            None => Pointer::NULL,
            Some(elements) => {
                let masses: BTreeMap<u32, f64> =
                    Masses::of_elements(problem, elements).into_iter().collect();
                let part = |node: &u32| masses.get(node).copied().unwrap_or(0.0);
                tables.numbers(&old.iter().map(part).collect::<Vec<f64>>())?
            }
        };
        let (direction, course) = (own.direction, i64::from(own.course));
        all.push(kernel::Gravity { direction, parts, course });
    }
    tables.numbers(&all)
}

/// The corners of faces that meet in each pressed node.
#[derive(Default)]
pub(super) struct Corners {
    pub(super) first: Vec<u32>,
    pub(super) corners: Vec<kernel::Corner>,
    pub(super) faces: Vec<kernel::Face>,
}

impl Corners {
    pub(super) fn new(problem: &Problem, pressed: &Pressed) -> Result<Self, Error> {
        let mut of_nodes = vec![Vec::new(); pressed.nodes.len()];
        let mut faces = Vec::new();
        let all = problem
            .pressures
            .iter()
            .flat_map(|pressure| pressure.faces.iter().map(move |face| (face, pressure.course)));
        for (face, course) in all {
            for (node, name) in face.nodes.iter().enumerate() {
                let place = pressed.nodes.partition_point(|other| other < name);
                let (face, node) = (faces.len() as u32, node as u32);
                of_nodes[place].push(kernel::Corner { face, node, course });
            }
            faces.push(face_of(face)?);
        }
        let mut corners = Self { first: vec![0], faces, ..Self::default() };
        for own in of_nodes {
            corners.corners.extend(own);
            corners.first.push(corners.corners.len() as u32);
        }
        Ok(corners)
    }
}

/// A face as kernels take it.
fn face_of(face: &FaceNodes) -> Result<kernel::Face, Error> {
    let node = |i: usize| face.nodes.get(i).copied().unwrap_or(0);
    Ok(kernel::Face {
        nodes: core::array::from_fn(node),
        count: int(face.nodes.len())?,
        is_axisymmetric: i32::from(face.axisymmetric),
        thickness: face.depth,
    })
}
