//! What forces from outside act on.

use std::collections::BTreeMap;

use crate::solid::{Masses, Pressed, Problem, Share};

/// What loads act on, nodes by the rank's numbers.
pub(super) struct Loads {
    pub(super) pressed: Pressed,
    /// Of gravity on some elements, nodes with the parts of their masses that it acts on.
    pub(super) partial: Vec<Vec<(u32, f64)>>,
    /// The nodes with loads of their own, ascending.
    pub(super) nodes: Vec<u32>,
    /// Of each of these the sum of its loads at both ends of a step.
    pub(super) both: Vec<[f64; 3]>,
    /// Of each node its place among these.
    pub(super) place: Vec<u32>,
}

impl Loads {
    /// Those of a rank, with forces of pressures; `old` are its nodes' numbers in the problem.
    pub(super) fn new(
        problem: &Problem,
        share: &Share,
        old: &[u32],
        pressures: Vec<[f64; 3]>,
    ) -> Self {
        let mut pressed = Pressed::new(&share.problem);
        pressed.forces = pressures;
        let is_moved = |&node: &u32| (node as usize) < share.moved;
        let partial = problem.gravity.iter().map(|gravity| {
            let elements = gravity.elements.as_deref().unwrap_or_default();
            let masses: BTreeMap<u32, f64> =
                Masses::of_elements(problem, elements).into_iter().collect();
            let own = old[..share.moved].iter().zip(0..);
            own.filter_map(|(node, own)| Some((own, *masses.get(node)?))).collect()
        });
        let partial: Vec<Vec<(u32, f64)>> = partial.collect();
        let forced = share.problem.forces.iter().map(|force| force.node);
        let under_pressure = pressed.nodes.iter().copied().filter(is_moved);
        let all = forced.chain(under_pressure);
        let mut nodes: Vec<u32> = all.chain(partial.iter().flatten().map(|own| own.0)).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut place = vec![0; if nodes.is_empty() { 0 } else { share.moved }];
        for (own, &node) in nodes.iter().enumerate() {
            place[node as usize] = own as u32;
        }
        Self { pressed, partial, both: vec![[0.0; 3]; nodes.len()], nodes, place }
    }

    /// Forces of pressures on the first nodes, so many of a rank.
    pub(super) fn forces_of_own(&self, owned: usize) -> &[[f64; 3]] {
        &self.pressed.forces[..self.pressed.of_first(owned)]
    }
}
