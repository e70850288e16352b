//! What forces from outside act on.

use crate::solid::{Layout, Masses, Pressed, Problem};

/// What loads act on, nodes by their new numbers.
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
    /// Those of a problem, with forces of pressures.
    pub(super) fn new(problem: &Problem, layout: &Layout, pressures: &[[f64; 3]]) -> Self {
        let mut pressed = Pressed::new(problem);
        pressed.forces = pressures.to_vec();
        let partial: Vec<Vec<(u32, f64)>> = problem
            .gravity
            .iter()
            .map(|gravity| {
                let elements = gravity.elements.as_deref().unwrap_or_default();
                let own = Masses::of_elements(problem, elements).into_iter();
                own.map(|(node, mass)| (layout.place[node as usize], mass)).collect()
            })
            .collect();
        let forced = problem.forces.iter().map(|force| force.node);
        let old = forced.chain(pressed.nodes.iter().copied());
        let new = old.map(|node| layout.place[node as usize]);
        let mut nodes: Vec<u32> = new.chain(partial.iter().flatten().map(|own| own.0)).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut place = vec![0; if nodes.is_empty() { 0 } else { layout.order.len() }];
        for (own, &node) in nodes.iter().enumerate() {
            place[node as usize] = own as u32;
        }
        Self { pressed, partial, both: vec![[0.0; 3]; nodes.len()], nodes, place }
    }
}
