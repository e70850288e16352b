//! How much is computed in a step.

use core::num::NonZeroU64;

use super::super::block::Nodes;
use super::super::element::Step;
use super::super::precision::Numbers;
use super::super::way::Way;
use super::HostRun;
use crate::solid::{Failure, Operations};
use nonius_comm::Reduction;

/// Of a node of a patch: its place and displacement in the unit of lengths, and its force out of
/// that.
const OF_PATCH_NODE: usize = 3 * 7;
/// Of what a patch adds to a node's force.
const OF_SLOT: usize = 3;
/// Of a node: 13 along each axis for its velocity, its displacement and the work of reactions, 4
/// for its acceleration and the size of forces.
const OF_NODE: usize = 3 * 17;
/// Of an element: sums of works.
const OF_ELEMENT: usize = 4;

impl<P: Numbers> HostRun<P> {
    /// Those of all nodes and elements in a step like the last one. Loads, given motions and walls
    /// are at few nodes, and not counted.
    pub(super) fn count_operations(
        &self,
        resync: Option<NonZeroU64>,
    ) -> Result<Operations, Failure> {
        let in_full = self.of_elements(Way::InFull);
        let mut all = match resync.map(NonZeroU64::get) {
            _ if !P::IS_MIXED => in_full,
            Some(1) => in_full,
            every => {
                let increments = self.of_elements(Way::Increments);
                let part = every.map_or(0.0, |every| 1.0 / every as f64);
                let mean = |k: usize| part * in_full[k] + (1.0 - part) * increments[k];
                [mean(0), mean(1)]
            }
        };
        // Nodes compute in `f64` whatever the precision.
        let elements: usize = self.parts.iter().map(|part| part.elements.count()).sum();
        let [own, _] = self.share.sums;
        let double = OF_PATCH_NODE * own
            + OF_SLOT * self.share.first[self.share.owned] as usize
            + OF_NODE * self.share.owned
            + OF_ELEMENT * elements;
        all[1] += double as f64;
        let mut all = all.map(|count| count.round() as u64);
        self.whole.ranks.all_reduce(Reduction::Sum, &mut all)?;
        let [single, double] = all;
        Ok(Operations { single, double })
    }

    /// Those of elements themselves, in `f32` and `f64`.
    fn of_elements(&self, way: Way) -> [f64; 2] {
        let problem = &self.share.problem;
        let dt = if self.clock.last > 0.0 { self.clock.last } else { self.clock.stable };
        let (viscosity, hourglass) = (problem.viscosity, problem.hourglass);
        let step = Step { dt, viscosity, hourglass, scale: self.scale };
        let nodes = Nodes { coordinates: &problem.coordinates, u: &self.u, v: &self.v };
        let mut all = [0.0; 2];
        for part in &self.parts {
            let own = part.elements.operations(&nodes, &step, way);
            (0..2).for_each(|k| all[k] += own[k] as f64);
        }
        all
    }
}
