//! A problem through time on the host.

mod afresh;
mod energies;
mod loading;
mod loads;
mod operations;

use core::num::NonZeroU64;

use super::block::{Elements, Findings, Nodes, OfKind};
use super::element::{Axisymmetric, Hexahedron, PlaneStrain, ReducedHexahedron, Step, Tetrahedron};
use super::precision::Numbers;
use super::way::Way;
use crate::model::{Kind, Wall};
use crate::solid::{
    Advance, Clock, Failure, Goal, Layout, Limits, Masses, NODES as OF_TALLY, Operations, PATCH,
    Problem, State, Works, sum_of_block,
};
use loads::Loads;
use nonius_linalg::cpu::simd::real::Number;
use nonius_linalg::threads::{Grain, chunks, for_each, map_parts};

/// Nodes of a chunk of work.
const NODES: usize = 16 * OF_TALLY;

/// Numbers of nodes and elements, nodes in the order of the layout.
pub(super) struct HostRun<P: Numbers> {
    problem: Problem,
    layout: Layout,
    coordinates: Vec<[f64; 3]>,
    masses: Vec<f64>,
    /// One over masses; zero where there is none.
    inverses: Vec<f64>,
    u: Vec<[P::Sum; 3]>,
    /// Half a step before the time.
    v: Vec<[P::Sum; 3]>,
    /// Of forces without reactions.
    a: Vec<[P::Sum; 3]>,
    /// Of each node and axis one more than the number of its motion, or zero.
    given: Vec<[u32; 3]>,
    /// Of each node a bit for each wall that stops it.
    stopped: Vec<u32>,
    loads: Loads,
    /// Of each patch what forces on its nodes change by.
    sums: Vec<[P::Sum; 3]>,
    blocks: Vec<Box<dyn Elements<P>>>,
    scale: f64,
    clock: Clock,
    /// Work of loads and of reactions, see [`Tallies`](crate::solid::Tallies).
    works: Vec<[f64; 2]>,
}

impl<P: Numbers> HostRun<P> {
    pub(super) fn new(problem: &Problem, state: &State) -> Result<Self, Failure> {
        let masses = Masses::new(problem)
            .map_err(|(block, element)| Failure::Inverted { block, element })?;
        let layout = Layout::new(problem, PATCH);
        let order = &layout.order;
        let ordered = |numbers: &[[f64; 3]]| -> Vec<[P::Sum; 3]> {
            order.iter().map(|&node| numbers[node as usize].map(P::Sum::rounded)).collect()
        };
        let mut given = vec![[0; 3]; order.len()];
        for (number, motion) in problem.motions.iter().enumerate() {
            let node = layout.place[motion.node as usize] as usize;
            given[node][motion.axis as usize] = number as u32 + 1;
        }
        let mut stopped = vec![0; order.len()];
        for (number, wall) in problem.walls.iter().enumerate() {
            match &wall.nodes {
                None => stopped.iter_mut().for_each(|walls| *walls |= 1 << number),
                Some(nodes) => nodes.iter().for_each(|&node| {
                    stopped[layout.place[node as usize] as usize] |= 1 << number;
                }),
            }
        }
        let of_nodes: Vec<f64> = order.iter().map(|&node| masses.nodes[node as usize]).collect();
        let inverses: Vec<f64> =
            of_nodes.iter().map(|&m| if m > 0.0 { 1.0 / m } else { 0.0 }).collect();
        let blocks: Vec<Box<dyn Elements<P>>> = problem
            .blocks
            .iter()
            .enumerate()
            .map(|(number, block)| {
                let material = &problem.materials[block.material];
                let patches = &layout.blocks[number];
                let masses = (&masses, number);
                let numbers = (&state.elements[number][..], &state.tallies.patches[number][..]);
                match block.kind {
                    Kind::Hexahedron => {
                        OfKind::<P, 8, Hexahedron>::boxed(block, material, masses, patches, numbers)
                    }
                    Kind::ReducedHexahedron => OfKind::<P, 8, ReducedHexahedron>::boxed(
                        block, material, masses, patches, numbers,
                    ),
                    Kind::Tetrahedron => OfKind::<P, 4, Tetrahedron>::boxed(
                        block, material, masses, patches, numbers,
                    ),
                    Kind::PlaneStrain => OfKind::<P, 4, PlaneStrain>::boxed(
                        block, material, masses, patches, numbers,
                    ),
                    Kind::Axisymmetric => OfKind::<P, 4, Axisymmetric>::boxed(
                        block, material, masses, patches, numbers,
                    ),
                }
            })
            .collect();
        let sums = blocks.iter().map(|block| block.sums()).sum();
        let loads = Loads::new(problem, &layout, &state.pressures);
        let mut run = Self {
            coordinates: order.iter().map(|&node| problem.coordinates[node as usize]).collect(),
            masses: of_nodes,
            inverses,
            u: ordered(&state.displacements),
            v: ordered(&state.velocities),
            a: ordered(&state.accelerations),
            given,
            stopped,
            loads,
            sums: vec![[P::Sum::default(); 3]; sums],
            blocks,
            scale: state.scale,
            clock: Clock {
                time: state.time,
                steps: state.steps,
                last: state.last,
                stable: state.stable,
            },
            works: state.tallies.nodes.clone(),
            problem: problem.clone(),
            layout,
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
        let (viscosity, scale) = (self.problem.viscosity, self.scale);
        let resting = Step { dt: 1.0, viscosity, hourglass: 0.0, scale };
        self.clock.stable = self.elements(&resting, Way::InFull)?.stable;
        self.v = moving;
        self.add_loads(0.0, 0.0, true);
        Ok(())
    }

    /// All elements' step.
    fn elements(&mut self, step: &Step, way: Way) -> Result<Findings, Failure> {
        let nodes = Nodes { coordinates: &self.coordinates, u: &self.u, v: &self.v };
        let mut found = Findings::NONE;
        let mut rest = &mut self.sums[..];
        for (number, block) in self.blocks.iter_mut().enumerate() {
            let (own, others) = rest.split_at_mut(block.sums());
            rest = others;
            let of_block = block.advance(&nodes, step, way, own);
            if let Some(element) = of_block.inverted {
                return Err(Failure::Inverted { block: number, element: element as usize });
            }
            found = found.with(of_block);
        }
        Ok(found)
    }

    /// Velocities and displacements of a step, what is given and walls among them.
    fn moved(&mut self, dt: f64) -> Result<(), Failure> {
        let mean = 0.5 * (dt + self.clock.last);
        let (time, end) = (self.clock.time, self.clock.time + dt);
        let problem = &self.problem;
        let at = |time: f64| -> Vec<f64> {
            problem.courses.iter().map(|course| course.at(time)).collect()
        };
        // Displacements are given at the end of the step, velocities half way.
        let (courses, halfway) = (at(end), at(time + 0.5 * dt));
        // Of gravity on everything at both ends of the step.
        let mut pull = [0.0; 3];
        for gravity in problem.gravity.iter().filter(|gravity| gravity.elements.is_none()) {
            let course = gravity.course as usize;
            let both = problem.courses[course].at(time) + courses[course];
            (0..3).for_each(|k| pull[k] += gravity.direction[k] * both);
        }
        let half = 0.5 * dt;
        let (masses, coordinates, stopped) = (&self.masses, &self.coordinates, &self.stopped);
        let (a, given) = (&self.a, &self.given);
        let moving = (chunks(&mut self.u, NODES), chunks(&mut self.v, NODES));
        let numbers = (moving, chunks(&mut self.works, NODES / OF_TALLY));
        let broken: Vec<Option<usize>> =
            map_parts(numbers, Grain::ANY, |chunk, ((u, v), works)| {
                let (a, given) = (&a[chunk * NODES..], &given[chunk * NODES..]);
                let mut broken = None;
                let mut done = [0.0; OF_TALLY];
                for i in 0..u.len() {
                    let node = chunk * NODES + i;
                    let old = v[i].map(Number::get);
                    let free: [f64; 3] = core::array::from_fn(|k| {
                        P::Sum::rounded(old[k] + mean * a[i][k].get()).get()
                    });
                    let mut new = free;
                    for k in 0..3 {
                        let Some(number) = given[i][k].checked_sub(1) else { continue };
                        let motion = &problem.motions[number as usize];
                        let course = motion.course as usize;
                        new[k] = if motion.is_velocity {
                            halfway[course]
                        } else {
                            (courses[course] - u[i][k].get()) / dt
                        };
                    }
                    let mut walls = stopped[node];
                    while walls != 0 {
                        let wall = &problem.walls[walls.trailing_zeros() as usize];
                        stop(wall, &coordinates[node], u[i].map(Number::get), &mut new, dt);
                        walls &= walls - 1;
                    }
                    let mut work = 0.0;
                    for k in 0..3 {
                        v[i][k] = P::Sum::rounded(new[k]);
                        let new = v[i][k].get();
                        let mid = 0.5 * (old[k] + new);
                        // The impulse of reactions.
                        work += masses[node] * ((new - free[k]) * mid + half * pull[k] * new);
                        u[i][k] = P::Sum::rounded(u[i][k].get() + dt * new);
                        if !new.is_finite() {
                            broken = broken.or(Some(node));
                        }
                    }
                    done[i % OF_TALLY] = work;
                    if (i + 1) % OF_TALLY == 0 || i + 1 == u.len() {
                        works[i / OF_TALLY][1] += sum_of_block(&done);
                        done = [0.0; OF_TALLY];
                    }
                }
                broken
            });
        match broken.into_iter().flatten().next() {
            Some(node) => Err(Failure::NotFinite { node: self.layout.order[node] as usize }),
            None => Ok(()),
        }
    }

    /// Adds the elements' forces to accelerations, or puts them in their place, and finds the scale
    /// of the next increments.
    fn assemble(&mut self, way: Way) {
        if way == Way::InFull {
            for_each(chunks(&mut self.a, NODES), Grain::ANY, |_, a| a.fill([P::Sum::default(); 3]));
        }
        let size = self.add_forces();
        if way == Way::Increments && size > 0.0 && size.is_finite() {
            // A power of two, which rounds nothing.
            let mean = size / (3.0 * self.masses.len() as f64);
            self.scale = (-mean.log2()).round().clamp(-100.0, 100.0).exp2();
        }
    }

    /// Adds the elements' sums to accelerations; the sum of all forces' magnitudes.
    fn add_forces(&mut self) -> f64 {
        let (layout, sums) = (&self.layout, &self.sums);
        let (masses, inverses) = (&self.masses, &self.inverses);
        let sizes: Vec<f64> = map_parts(chunks(&mut self.a, NODES), Grain::ANY, |chunk, a| {
            let mut size = 0.0;
            for (i, a) in a.iter_mut().enumerate() {
                let node = chunk * NODES + i;
                let own = layout.first[node] as usize..layout.first[node + 1] as usize;
                let mut force = [0.0; 3];
                for &slot in &layout.slots[own] {
                    let sum = &sums[slot as usize];
                    (0..3).for_each(|k| force[k] += sum[k].get());
                }
                for k in 0..3 {
                    add(&mut a[k], -inverses[node] * force[k]);
                    size += masses[node] * a[k].get().abs();
                }
            }
            size
        });
        sizes.into_iter().sum()
    }

    /// How the next step comes to forces.
    fn way(&self, limits: Limits) -> Way {
        let is_in_full = !P::IS_MIXED || limits.is_in_full(self.clock.steps + 1);
        if is_in_full { Way::InFull } else { Way::Increments }
    }

    /// A step.
    fn step(&mut self, limits: Limits, end: f64) -> Result<(), Failure> {
        let way = self.way(limits);
        let dt = self.clock.next(limits, end);
        let is_last = dt == end - self.clock.time;
        self.moved(dt)?;
        let problem = &self.problem;
        let (viscosity, hourglass) = (problem.viscosity, problem.hourglass);
        let step = Step { dt, viscosity, hourglass, scale: self.scale };
        let found = self.elements(&step, way)?;
        self.assemble(way);
        let time = self.clock.time;
        self.add_loads(time, time + dt, way == Way::InFull);
        self.tally_loads(0.5 * dt);
        self.clock = Clock {
            time: if is_last { end } else { time + dt },
            steps: self.clock.steps + 1,
            last: dt,
            stable: found.stable,
        };
        Ok(())
    }

    /// Numbers of nodes in their old order.
    fn old_order(&self, numbers: &[[P::Sum; 3]]) -> Vec<[f64; 3]> {
        self.layout.place.iter().map(|&place| numbers[place as usize].map(Number::get)).collect()
    }
}

fn add<T: Number>(to: &mut T, by: f64) {
    *to = T::rounded(to.get() + by);
}

/// Takes from a velocity what would carry the node through the wall.
fn stop(wall: &Wall, x: &[f64; 3], u: [f64; 3], v: &mut [f64; 3], dt: f64) {
    let along = |a: [f64; 3]| (0..3).map(|k| a[k] * wall.normal[k]).sum::<f64>();
    let gap = along(core::array::from_fn(|k| x[k] + u[k] - wall.point[k]));
    let speed = along(*v);
    if gap + dt * speed < 0.0 {
        let change = -gap / dt - speed;
        for (v, along) in v.iter_mut().zip(wall.normal) {
            *v += change * along;
        }
    }
}

impl<P: Numbers> Advance for HostRun<P> {
    fn advance(&mut self, limits: Limits, goal: Goal, steps: u64) -> Result<(), Failure> {
        for _ in 0..steps {
            if self.clock.has_come_to(limits, goal) {
                break;
            }
            self.step(limits, goal.end)?;
        }
        Ok(())
    }

    fn drift(&mut self) -> Result<f64, Failure> {
        self.drift_of_forces()
    }

    fn operations(&self, resync: Option<NonZeroU64>) -> Result<Operations, Failure> {
        Ok(self.count_operations(resync))
    }

    fn clock(&self) -> Clock {
        self.clock
    }

    fn works(&self) -> Result<Works, Failure> {
        let works = self.tallies().works();
        let [_, given] = self.energies();
        Ok(Works { external: works.external - given, ..works })
    }

    fn kinetic(&self) -> Result<f64, Failure> {
        let [kinetic, _] = self.energies();
        Ok(kinetic)
    }

    fn motion(&self) -> Result<[Vec<[f64; 3]>; 2], Failure> {
        let half = 0.5 * self.clock.last;
        let velocity = |&place: &u32| {
            let node = place as usize;
            core::array::from_fn(|k| {
                let v = self.v[node][k].get();
                match self.given[node][k].checked_sub(1) {
                    None => v + half * self.a[node][k].get(),
                    Some(number) => {
                        let motion = &self.problem.motions[number as usize];
                        let course = &self.problem.courses[motion.course as usize];
                        if motion.is_velocity { course.at(self.clock.time) } else { v }
                    }
                }
            })
        };
        let velocities = self.layout.place.iter().map(velocity).collect();
        Ok([self.old_order(&self.u), velocities])
    }

    fn elements(&self, block: usize) -> Result<Vec<f64>, Failure> {
        Ok(self.blocks[block].numbers())
    }

    fn state(&self) -> Result<State, Failure> {
        Ok(State {
            time: self.clock.time,
            steps: self.clock.steps,
            last: self.clock.last,
            stable: self.clock.stable,
            scale: self.scale,
            tallies: self.tallies(),
            displacements: self.old_order(&self.u),
            velocities: self.old_order(&self.v),
            accelerations: self.old_order(&self.a),
            elements: self.blocks.iter().map(|block| block.numbers()).collect(),
            pressures: self.loads.pressed.forces.clone(),
        })
    }
}
