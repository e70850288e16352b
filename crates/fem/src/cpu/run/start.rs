//! A run at the time of a state.

use nonius_comm::Communicator;
use nonius_linalg::cpu::simd::real::Number;

use super::super::block::{Elements, OfKind};
use super::super::element::{
    Axisymmetric, Hexahedron, PlaneStrain, ReducedHexahedron, Step, Tetrahedron,
};
use super::super::precision::Numbers;
use super::super::way::Way;
use super::loads::Loads;
use super::{HostRun, Part};
use crate::model::Kind;
use crate::solid::{
    Clock, Division, Failure, Layout, Masses, OwnPart, PATCH, Problem, Share, State, Whole,
};

impl<P: Numbers> HostRun<P> {
    /// The part of a run that is a rank's. All ranks have the same problem and state.
    pub(in super::super) fn new(
        ranks: Communicator,
        problem: &Problem,
        state: &State,
    ) -> Result<Self, Failure> {
        let masses = Masses::new(problem)
            .map_err(|(block, element)| Failure::Inverted { block, element })?;
        let layout = Layout::new(problem, PATCH);
        let division = Division::new(problem, &layout, ranks.size());
        let mut share = Share::new(problem, &layout, &division, ranks.rank());
        let old: Vec<u32> = share.nodes.iter().map(|&node| layout.order[node as usize]).collect();
        let ordered = |numbers: &[[f64; 3]], count: usize| -> Vec<[P::Sum; 3]> {
            old[..count].iter().map(|&node| numbers[node as usize].map(P::Sum::rounded)).collect()
        };
        let of_nodes: Vec<f64> =
            old[..share.moved].iter().map(|&node| masses.nodes[node as usize]).collect();
        let inverses: Vec<f64> =
            of_nodes.iter().map(|&m| if m > 0.0 { 1.0 / m } else { 0.0 }).collect();
        let parts = core::mem::take(&mut share.parts);
        let parts = parts.into_iter().map(|part| elements(part, problem, &masses, state)).collect();
        let whole = Whole::new(ranks, problem, layout, division);
        let loads = Loads::new(problem, &share, &old, whole.pressures_of(&share, state));
        let groups = whole.groups().into_iter().map(|group| state.tallies.nodes[group]);
        let mut run = Self {
            masses: of_nodes,
            inverses,
            u: ordered(&state.displacements, old.len()),
            v: ordered(&state.velocities, share.moved),
            a: ordered(&state.accelerations, share.moved),
            given: given(&share),
            stopped: stopped(&share),
            loads,
            sums: vec![[P::Sum::default(); 3]; share.sums[1]],
            parts,
            scale: state.scale,
            clock: Clock {
                time: state.time,
                steps: state.steps,
                last: state.last,
                stable: state.stable,
            },
            works: groups.collect(),
            share,
            whole,
        };
        if state.stable == f64::INFINITY {
            run.begin()?;
        }
        Ok(run)
    }

    /// What is not known at time zero: a stable step, and loads.
    fn begin(&mut self) -> Result<(), Failure> {
        let rest = vec![[P::Sum::default(); 3]; self.v.len()];
        let moving = core::mem::replace(&mut self.v, rest);
        let (viscosity, scale) = (self.share.problem.viscosity, self.scale);
        let resting = Step { dt: 1.0, viscosity, hourglass: 0.0, scale };
        self.clock.stable = self.elements(&resting, Way::InFull, None)?;
        self.v = moving;
        self.add_loads(0.0, 0.0, true);
        Ok(())
    }
}

/// Of each node and axis one more than the number of its motion, or zero.
fn given(share: &Share) -> Vec<[u32; 3]> {
    let mut given = vec![[0; 3]; share.moved];
    for (number, motion) in (1..).zip(&share.problem.motions) {
        given[motion.node as usize][motion.axis as usize] = number;
    }
    given
}

/// Of each node a bit for each wall that stops it.
fn stopped(share: &Share) -> Vec<u32> {
    let mut stopped = vec![0; share.moved];
    for (number, wall) in share.problem.walls.iter().enumerate() {
        match &wall.nodes {
            None => stopped.iter_mut().for_each(|walls| *walls |= 1 << number),
            Some(nodes) => {
                nodes.iter().for_each(|&node| stopped[node as usize] |= 1 << number);
            }
        }
    }
    stopped
}

/// The elements of a part with the numbers of a state.
fn elements<P: Numbers>(
    part: OwnPart,
    problem: &Problem,
    masses: &Masses,
    state: &State,
) -> Part<P> {
    let OwnPart { block: number, numbers: own, patches, is_boundary } = part;
    let block = &problem.blocks[number];
    let material = &problem.materials[block.material];
    let works = &state.tallies.patches[number];
    let works: Vec<[f64; 4]> = own.iter().map(|&patch| works[patch as usize]).collect();
    let (masses, numbers) = ((masses, number), (&state.elements[number][..], works));
    let elements: Box<dyn Elements<P>> = match block.kind {
        Kind::Hexahedron => {
            OfKind::<P, 8, Hexahedron>::boxed(block, material, masses, patches, numbers)
        }
        Kind::ReducedHexahedron => {
            OfKind::<P, 8, ReducedHexahedron>::boxed(block, material, masses, patches, numbers)
        }
        Kind::Tetrahedron => {
            OfKind::<P, 4, Tetrahedron>::boxed(block, material, masses, patches, numbers)
        }
        Kind::PlaneStrain => {
            OfKind::<P, 4, PlaneStrain>::boxed(block, material, masses, patches, numbers)
        }
        Kind::Axisymmetric => {
            OfKind::<P, 4, Axisymmetric>::boxed(block, material, masses, patches, numbers)
        }
    };
    Part { block: number, elements, is_boundary }
}
