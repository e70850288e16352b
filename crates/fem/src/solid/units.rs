//! In what units a block computes.

use crate::model::{Block, Kind, Material};

/// Units of a block, in which its elements are about as long as one, so that numbers of `f32` keep
/// clear of the ends of their range. They are powers of two of those of the problem, which rounds
/// nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Units {
    /// What lengths are multiplied by.
    pub length: f64,
    /// What masses of points are multiplied by.
    pub mass: f64,
    /// What forces of hourglass modes are multiplied by.
    pub force: f64,
    /// What an energy is multiplied by to have it in units of the problem; of all of the
    /// [depth](Block::depth).
    pub energy: f64,
    /// The material: stress has the units of the problem; density and specific heat have not.
    pub material: Material,
}

impl Units {
    /// Those of a block, of whose elements the points have these [masses](super::Masses::points).
    pub fn new(block: &Block, material: &Material, masses: &[f64]) -> Self {
        let dimensions = volume_power(block.kind);
        let elements = block.nodes.len() / block.kind.nodes();
        let volume = masses.iter().sum::<f64>() / (material.density * elements as f64);
        let length = (-(volume.log2() / dimensions).round()).exp2();
        let square = length * length;
        Self {
            length,
            mass: length.powf(dimensions) / square,
            force: length.powf(dimensions - 1.0),
            energy: block.depth() * length.powf(-dimensions),
            material: Material {
                density: material.density / square,
                specific_heat: material.specific_heat * square,
                ..material.clone()
            },
        }
    }
}

/// The power of length that volumes are: plane elements have a thickness of one.
fn volume_power(kind: Kind) -> f64 {
    if kind == Kind::PlaneStrain { 2.0 } else { 3.0 }
}
