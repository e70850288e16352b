//! How much is computed in a step.

use super::super::block::Nodes;
use super::super::element::Step;
use super::super::precision::Numbers;
use super::HostRun;
use crate::solid::Operations;

/// Of a node of a patch: its place and displacement in the unit of lengths, and its force out of that.
const OF_PATCH_NODE: usize = 3 * 7;
/// Of what a patch adds to a node's force.
const OF_SLOT: usize = 3;
/// Of a node: 13 along each axis for its velocity, its displacement and the work of reactions, 4 for its acceleration and the size of forces.
const OF_NODE: usize = 3 * 17;
/// Of an element: sums of works.
const OF_ELEMENT: usize = 4;

impl<P: Numbers> HostRun<P> {
    /// Those of all nodes and elements in a step like the last one. Loads, given motions and walls are at few nodes, and not counted.
    pub(super) fn count_operations(&self) -> Operations {
        let dt = if self.clock.last > 0.0 { self.clock.last } else { self.clock.stable };
        let (viscosity, hourglass) = (self.problem.viscosity, self.problem.hourglass);
        let step = Step { dt, viscosity, hourglass, scale: self.scale, total: false };
        let nodes = Nodes { coordinates: &self.coordinates, u: &self.u, v: &self.v };
        // Nodes compute in `f64` whatever the precision.
        let elements: usize = self.layout.blocks.iter().map(|block| block.elements.len()).sum();
        let double = OF_PATCH_NODE * self.sums.len()
            + OF_SLOT * self.layout.slots.len()
            + OF_NODE * self.masses.len()
            + OF_ELEMENT * elements;
        let mut all = Operations { single: 0, double: double as u64 };
        for block in &self.blocks {
            let [single, double] = block.operations(&nodes, &step);
            all.single += single;
            all.double += double;
        }
        all
    }
}
