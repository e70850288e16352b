//! Where what is seen lies in the picture's plane.

use super::Direction;

/// Unit vectors to the right, upwards and towards the viewer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axes {
    right: [f64; 3],
    up: [f64; 3],
    towards: [f64; 3],
}

impl Axes {
    /// Of a direction, unless it has no length.
    pub(super) fn of(direction: Direction) -> Option<Self> {
        let towards = unit(direction.vector())?;
        // The second axis points upwards; seen along it, the third downwards or upwards.
        let upwards = if towards[1].abs() < 0.999 {
            [0.0, 1.0, 0.0]
        } else {
            [0.0, 0.0, -towards[1].signum()]
        };
        let right = unit(cross(upwards, towards))?;
        Some(Self { right, up: cross(towards, right), towards })
    }

    /// To the right, upwards and towards the viewer.
    pub(super) fn project(&self, point: [f64; 3]) -> [f64; 3] {
        [self.right, self.up, self.towards].map(|axis| dot(axis, point))
    }
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A vector of length 1, unless there is none in that direction.
pub(super) fn unit(a: [f64; 3]) -> Option<[f64; 3]> {
    let largest = a.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    if !(largest > 0.0 && a.iter().all(|x| x.is_finite())) {
        return None;
    }
    let a = a.map(|x| x / largest);
    let length = dot(a, a).sqrt();
    Some(a.map(|x| x / length))
}
