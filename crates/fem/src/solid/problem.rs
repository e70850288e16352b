//! What there is: nodes, elements, motions and loads, of each node and each face.

use crate::model::{Block, BulkViscosity, ElementId, Material, Wall};

/// A function of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// What it is multiplied by.
    pub factor: f64,
    /// Times, increasing, and values, constant beyond them; the factor alone where there are none.
    pub points: Vec<[f64; 2]>,
    /// Whether it is smooth between points, `t³·(10 − 15t + 6t²)`, and not linear.
    pub smooth: bool,
}

impl Course {
    /// Its value at a time.
    pub fn at(&self, time: f64) -> f64 {
        let after = self.points.partition_point(|point| point[0] <= time);
        let value = match (after.checked_sub(1).map(|i| self.points[i]), self.points.get(after)) {
            (None, None) => 1.0,
            (Some(last), None) => last[1],
            (None, Some(first)) => first[1],
            (Some([t0, x0]), Some(&[t1, x1])) => {
                let t = (time - t0) / (t1 - t0);
                let part =
                    if self.smooth { t * t * t * (10.0 - 15.0 * t + 6.0 * t * t) } else { t };
                x0 + part * (x1 - x0)
            }
        };
        self.factor * value
    }
}

/// What a node does along an axis, whatever the forces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeMotion {
    /// The node.
    pub node: u32,
    /// The axis.
    pub axis: u8,
    /// Whether its velocity is given, and not its displacement.
    pub is_velocity: bool,
    /// The number of the course that it takes.
    pub course: u32,
}

/// A force on a node along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeForce {
    /// The node.
    pub node: u32,
    /// The axis.
    pub axis: u8,
    /// The number of its course.
    pub course: u32,
}

/// The nodes of an element's face, or of a plane one's side.
#[derive(Clone, Debug, PartialEq)]
pub struct FaceNodes {
    /// The nodes, counterclockwise as seen from outside; of a side with the element on the left.
    pub nodes: Vec<u32>,
    /// [How far](Block::depth) the element goes whose side it is.
    pub depth: f64,
    /// Whether it goes around the second axis.
    pub axisymmetric: bool,
}

/// Pressure on faces.
#[derive(Clone, Debug, PartialEq)]
pub struct FacePressure {
    /// On which.
    pub faces: Vec<FaceNodes>,
    /// The number of its course: force on a unit of area, inwards.
    pub course: u32,
}

/// An acceleration.
#[derive(Clone, Debug, PartialEq)]
pub struct Gravity {
    /// What the course is multiplied by.
    pub direction: [f64; 3],
    /// The number of its course.
    pub course: u32,
    /// The elements that it acts on; none where it acts on all.
    pub elements: Option<Vec<ElementId>>,
}

/// How many walls there may be.
pub const WALLS: usize = 32;

/// What there is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problem {
    /// Coordinates at the beginning; of plane and axisymmetric problems the third is zero.
    pub coordinates: Vec<[f64; 3]>,
    /// Elements.
    pub blocks: Vec<Block>,
    /// Materials, without a specific heat where their temperatures stay.
    pub materials: Vec<Material>,
    /// Velocities at the beginning; none where all rest.
    pub velocities: Vec<[f64; 3]>,
    /// Temperatures of nodes at the beginning; none where they are zero.
    pub temperatures: Vec<f64>,
    /// Functions of time.
    pub courses: Vec<Course>,
    /// Given motions, of each node along each axis at most one.
    pub motions: Vec<NodeMotion>,
    /// Forces.
    pub forces: Vec<NodeForce>,
    /// Pressures.
    pub pressures: Vec<FacePressure>,
    /// Accelerations.
    pub gravity: Vec<Gravity>,
    /// Planes that nodes cannot pass, at most [`WALLS`].
    pub walls: Vec<Wall>,
    /// Bulk viscosity.
    pub viscosity: BulkViscosity,
    /// Stiffness against hourglass modes, as a part of that against strain; 0.05 is usual.
    pub hourglass: f64,
}
