//! What there is: nodes, elements, motions and loads.

use super::material::{Material, Memory};

/// What elements there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Eight nodes, eight points and one volume strain.
    Hexahedron,
    /// Eight nodes, one point and hourglass control.
    ReducedHexahedron,
    /// Four nodes and constant strain.
    Tetrahedron,
    /// Four nodes in plane strain, one point and hourglass control.
    PlaneStrain,
    /// Four nodes around the second axis, one point and hourglass control.
    Axisymmetric,
}

impl Kind {
    /// All.
    pub const ALL: [Kind; 5] = [
        Kind::Hexahedron,
        Kind::ReducedHexahedron,
        Kind::Tetrahedron,
        Kind::PlaneStrain,
        Kind::Axisymmetric,
    ];

    /// How many nodes an element has.
    pub fn nodes(self) -> usize {
        match self {
            Kind::Hexahedron | Kind::ReducedHexahedron => 8,
            Kind::Tetrahedron | Kind::PlaneStrain | Kind::Axisymmetric => 4,
        }
    }

    /// At how many points stress is known.
    pub fn points(self) -> usize {
        if self == Kind::Hexahedron { 8 } else { 1 }
    }

    /// How many numbers an element remembers whose points have such memories: theirs, three for each hourglass mode, and the pressure of viscosity.
    pub fn remembers(self, memory: Memory) -> usize {
        self.points() * memory.numbers + 3 * self.modes() + 1
    }

    /// The power of length that volumes are: plane elements have a thickness of one.
    pub(crate) fn dimensions(self) -> f64 {
        if self == Kind::PlaneStrain { 2.0 } else { 3.0 }
    }

    /// How many hourglass modes are controlled.
    pub fn modes(self) -> usize {
        match self {
            Kind::ReducedHexahedron => 4,
            Kind::PlaneStrain | Kind::Axisymmetric => 1,
            Kind::Hexahedron | Kind::Tetrahedron => 0,
        }
    }
}

/// Elements of one kind and one material.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Their kind.
    pub kind: Kind,
    /// The place of their material in the problem.
    pub material: usize,
    /// Their nodes.
    pub nodes: Vec<u32>,
    /// Thickness of plane elements; of axisymmetric ones the angle that they go through, `2π` all around; 1 of others.
    pub thickness: f64,
}

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
pub struct Motion {
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
pub struct Force {
    /// The node.
    pub node: u32,
    /// The axis.
    pub axis: u8,
    /// The number of its course.
    pub course: u32,
}

/// A face of an element, or the side of a plane one.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// Its nodes, counterclockwise as seen from outside; of a side with the element on the left.
    pub nodes: Vec<u32>,
    /// [Thickness](Block::thickness) of the element whose side it is.
    pub thickness: f64,
    /// Whether it goes around the second axis.
    pub axisymmetric: bool,
}

/// Pressure on faces.
#[derive(Clone, Debug, PartialEq)]
pub struct Pressure {
    /// On which.
    pub faces: Vec<Face>,
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
    /// The elements that it acts on, by their blocks and their places there; none where it acts on all.
    pub elements: Option<Vec<[u32; 2]>>,
}

/// How many walls there may be.
pub const WALLS: usize = 32;

/// A plane that nodes cannot pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Wall {
    /// The nodes that it stops; none where it stops all.
    pub nodes: Option<Vec<u32>>,
    /// A point of it.
    pub point: [f64; 3],
    /// The direction of the side on which nodes are, of length 1.
    pub normal: [f64; 3],
}

/// What there is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problem {
    /// Coordinates at the beginning; of plane and axisymmetric problems the third is zero.
    pub coordinates: Vec<[f64; 3]>,
    /// Elements.
    pub blocks: Vec<Block>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Velocities at the beginning; none where all rest.
    pub velocities: Vec<[f64; 3]>,
    /// Temperatures of nodes at the beginning; none where they are zero.
    pub temperatures: Vec<f64>,
    /// Functions of time.
    pub courses: Vec<Course>,
    /// Given motions, of each node along each axis at most one.
    pub motions: Vec<Motion>,
    /// Forces.
    pub forces: Vec<Force>,
    /// Pressures.
    pub pressures: Vec<Pressure>,
    /// Accelerations.
    pub gravity: Vec<Gravity>,
    /// Planes that nodes cannot pass, at most [`WALLS`].
    pub walls: Vec<Wall>,
    /// Linear and quadratic bulk viscosity.
    pub viscosity: [f64; 2],
    /// Stiffness against hourglass modes, as a part of that against strain; 0.05 is usual.
    pub hourglass: f64,
}
