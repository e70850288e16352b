//! A problem at a time.

use super::memory::Memory;
use super::pressure::Pressed;
use super::problem::Problem;
use super::tally::{Tallies, Works};

/// Everything that a run goes on from, exactly: numbers of `f32` are `f64`s here.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// The time.
    pub time: f64,
    /// Steps until then.
    pub steps: u64,
    /// The length of the last step.
    pub last: f64,
    /// The longest stable step.
    pub stable: f64,
    /// What parts of increments of forces are multiplied by while they are computed, so that they
    /// do not underflow.
    pub scale: f64,
    /// Work done until then, in parts.
    pub tallies: Tallies,
    /// Displacements of nodes.
    pub displacements: Vec<[f64; 3]>,
    /// Velocities of nodes half a step before the time.
    pub velocities: Vec<[f64; 3]>,
    /// Accelerations of nodes by all forces but reactions.
    pub accelerations: Vec<[f64; 3]>,
    /// Of each block, element by element: the numbers of its [points](super::Memory), three for
    /// each hourglass mode, and the pressure of viscosity.
    pub elements: Vec<Vec<f64>>,
    /// Forces of pressures on the nodes that they reach.
    pub pressures: Vec<[f64; 3]>,
}

impl State {
    /// The beginning, but for [`stable`](State::stable), which the first look at all elements
    /// finds, and for loads that are there at time zero.
    pub fn new(problem: &Problem) -> Self {
        let count = problem.coordinates.len();
        let zeros = vec![[0.0; 3]; count];
        let mut velocities = zeros.clone();
        velocities.iter_mut().zip(&problem.velocities).for_each(|(v, &given)| *v = given);
        let elements = problem.blocks.iter().map(|block| {
            let memory = Memory::of(&problem.materials[block.material]);
            let width = block.kind.nodes();
            let mut numbers = Vec::new();
            for nodes in block.nodes.chunks_exact(width) {
                let known =
                    nodes.iter().filter_map(|&node| problem.temperatures.get(node as usize));
                let temperature = known.sum::<f64>() / width as f64;
                let point = memory.at_rest(temperature);
                (0..block.kind.points()).for_each(|_| numbers.extend(&point));
                numbers.extend(core::iter::repeat_n(0.0, 3 * block.kind.modes() + 1));
            }
            numbers
        });
        Self {
            stable: f64::INFINITY,
            scale: 1.0,
            displacements: zeros.clone(),
            velocities,
            accelerations: zeros,
            elements: elements.collect(),
            pressures: vec![[0.0; 3]; Pressed::new(problem).nodes.len()],
            tallies: Tallies::new(problem),
            ..Self::default()
        }
    }

    /// Whether it has as many numbers as a problem needs.
    pub fn fits(&self, problem: &Problem) -> bool {
        let empty = Self::new(problem);
        let count = problem.coordinates.len();
        let of_nodes = [&self.displacements, &self.velocities, &self.accelerations];
        let sizes = |state: &Self| -> Vec<usize> { state.elements.iter().map(Vec::len).collect() };
        of_nodes.iter().all(|numbers| numbers.len() == count)
            && sizes(self) == sizes(&empty)
            && self.pressures.len() == empty.pressures.len()
            && self.tallies.fit(&empty.tallies)
    }

    /// Work done until then.
    pub fn works(&self) -> Works {
        self.tallies.works()
    }
}
