//! Prescribed motions, and walls.

/// A function of time through points, constant beyond them.
#[derive(Clone, Debug, PartialEq)]
pub struct Amplitude {
    /// Its name.
    pub name: String,
    /// Times, increasing, and values.
    pub points: Vec<[f64; 2]>,
    /// Whether it is smooth between points (`SMOOTH STEP`: `t³·(10 − 15t + 6t²)`) instead of
    /// linear.
    pub smooth: bool,
}

/// The prescribed motion of a node along an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motion {
    /// The displacement.
    Displacement(f64),
    /// The velocity.
    Velocity(f64),
}

/// The prescribed motion of nodes along an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Prescribed {
    /// The nodes.
    pub nodes: Vec<u32>,
    /// The axis: 0, 1 or 2.
    pub axis: usize,
    /// Their motion.
    pub motion: Motion,
    /// The amplitude that multiplies it. Without one the motion holds from the beginning on.
    pub amplitude: Option<usize>,
}

/// A plane that nodes cannot pass, without friction.
#[derive(Clone, Debug, PartialEq)]
pub struct Wall {
    /// A point of it.
    pub point: [f64; 3],
    /// The direction of the side on which nodes are, of length 1.
    pub normal: [f64; 3],
    /// The nodes that it stops; all where there is no list.
    pub nodes: Option<Vec<u32>>,
}
