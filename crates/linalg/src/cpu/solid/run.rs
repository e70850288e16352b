//! A problem through time on the host.

mod afresh;
mod operations;

use core::num::NonZeroU64;

use rayon::prelude::*;

use super::block::{Elements, Findings, Kind, Nodes};
use super::element::{Axisymmetric, Hexahedron, PlaneStrain, ReducedHexahedron, Step, Tetrahedron};
use super::precision::Numbers;
use super::way::Way;
use crate::cpu::simd::real::Number;
use crate::solid::{
    self, Advance, Clock, Failure, Layout, Limits, Masses, Operations, PATCH, Pressed, Problem,
    State, Wall, Works,
};

/// Nodes of a chunk of work.
const NODES: usize = 4096;

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
    /// Of gravity on some elements, nodes with the parts of their masses that it acts on.
    partial: Vec<Vec<(u32, f64)>>,
    /// Of each patch what forces on its nodes change by.
    sums: Vec<[P::Sum; 3]>,
    blocks: Vec<Box<dyn Elements<P>>>,
    pressed: Pressed,
    scale: f64,
    clock: Clock,
    works: Works,
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
        let partial = problem.gravity.iter().map(|gravity| {
            let elements = gravity.elements.as_deref().unwrap_or_default();
            let own = Masses::of_elements(problem, elements).into_iter();
            own.map(|(node, mass)| (layout.place[node as usize], mass)).collect()
        });
        let blocks: Vec<Box<dyn Elements<P>>> = problem
            .blocks
            .iter()
            .enumerate()
            .map(|(number, block)| {
                let material = &problem.materials[block.material];
                let patches = (&layout.blocks[number], layout.patch);
                let (masses, numbers) = ((&masses, number), &state.elements[number][..]);
                match block.kind {
                    solid::Kind::Hexahedron => {
                        Kind::<P, 8, Hexahedron>::boxed(block, material, masses, patches, numbers)
                    }
                    solid::Kind::ReducedHexahedron => Kind::<P, 8, ReducedHexahedron>::boxed(
                        block, material, masses, patches, numbers,
                    ),
                    solid::Kind::Tetrahedron => {
                        Kind::<P, 4, Tetrahedron>::boxed(block, material, masses, patches, numbers)
                    }
                    solid::Kind::PlaneStrain => {
                        Kind::<P, 4, PlaneStrain>::boxed(block, material, masses, patches, numbers)
                    }
                    solid::Kind::Axisymmetric => {
                        Kind::<P, 4, Axisymmetric>::boxed(block, material, masses, patches, numbers)
                    }
                }
            })
            .collect();
        let sums = blocks.iter().map(|block| block.sums()).sum();
        let mut pressed = Pressed::new(problem);
        pressed.forces.clone_from(&state.pressures);
        let mut run = Self {
            coordinates: order.iter().map(|&node| problem.coordinates[node as usize]).collect(),
            masses: of_nodes,
            inverses,
            u: ordered(&state.displacements),
            v: ordered(&state.velocities),
            a: ordered(&state.accelerations),
            given,
            stopped,
            partial: partial.collect(),
            sums: vec![[P::Sum::default(); 3]; sums],
            blocks,
            pressed,
            scale: state.scale,
            clock: Clock {
                time: state.time,
                steps: state.steps,
                last: state.last,
                stable: state.stable,
            },
            works: state.works,
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

    /// What loads change between two times, or all of them.
    fn add_loads(&mut self, from: f64, to: f64, all: bool) {
        let change = |course: u32| {
            let course = &self.problem.courses[course as usize];
            course.at(to) - if all { 0.0 } else { course.at(from) }
        };
        for force in &self.problem.forces {
            let node = self.layout.place[force.node as usize] as usize;
            let by = change(force.course) * self.inverses[node];
            add(&mut self.a[node][force.axis as usize], by);
        }
        let (coordinates, u, place) = (&self.coordinates, &self.u, &self.layout.place);
        let at = |node: u32| {
            let node = place[node as usize] as usize;
            core::array::from_fn(|k| coordinates[node][k] + u[node][k].get())
        };
        if all {
            self.pressed.forces.fill([0.0; 3]);
        }
        let changes = self.pressed.renew(&self.problem, to, at);
        for (&node, change) in self.pressed.nodes.iter().zip(changes) {
            let node = place[node as usize] as usize;
            let inverse = self.inverses[node];
            self.a[node].iter_mut().zip(change).for_each(|(a, by)| add(a, by * inverse));
        }
        for (gravity, partial) in self.problem.gravity.iter().zip(&self.partial) {
            let by = change(gravity.course);
            if by == 0.0 {
                continue;
            }
            let by = gravity.direction.map(|x| by * x);
            if gravity.elements.is_some() {
                for &(node, mass) in partial {
                    let part = mass * self.inverses[node as usize];
                    (0..3).for_each(|k| add(&mut self.a[node as usize][k], part * by[k]));
                }
            } else {
                self.a.par_iter_mut().for_each(|a| (0..3).for_each(|k| add(&mut a[k], by[k])));
            }
        }
    }

    /// Forces at a time on single nodes, times their velocities.
    fn pushed(&self, time: f64) -> f64 {
        let course = |course: u32| self.problem.courses[course as usize].at(time);
        let velocity =
            |node: u32| self.v[self.layout.place[node as usize] as usize].map(Number::get);
        let of_forces = self
            .problem
            .forces
            .iter()
            .map(|force| course(force.course) * velocity(force.node)[force.axis as usize]);
        let of_pressures = self.pressed.nodes.iter().zip(&self.pressed.forces).map(|(&node, f)| {
            let v = velocity(node);
            f[0] * v[0] + f[1] * v[1] + f[2] * v[2]
        });
        let partial = self.problem.gravity.iter().zip(&self.partial).map(|(gravity, partial)| {
            let own = partial.iter().map(|&(node, mass)| {
                let v = self.v[node as usize].map(Number::get);
                mass * (0..3).map(|k| gravity.direction[k] * v[k]).sum::<f64>()
            });
            course(gravity.course) * own.sum::<f64>()
        });
        of_forces.chain(of_pressures).chain(partial).sum()
    }

    /// Velocities and displacements of a step, what is given and walls among them.
    fn moved(&mut self, dt: f64) -> Result<(), Failure> {
        let mean = 0.5 * (dt + self.clock.last);
        let (time, end) = (self.clock.time, self.clock.time + dt);
        let problem = &self.problem;
        let courses: Vec<f64> = problem.courses.iter().map(|course| course.at(end)).collect();
        // Of gravity on everything at both ends of the step.
        let mut pull = [0.0; 3];
        for gravity in problem.gravity.iter().filter(|gravity| gravity.elements.is_none()) {
            let course = gravity.course as usize;
            let both = problem.courses[course].at(time) + courses[course];
            (0..3).for_each(|k| pull[k] += gravity.direction[k] * both);
        }
        let half = 0.5 * dt;
        let numbers = self
            .u
            .par_chunks_mut(NODES)
            .zip(self.v.par_chunks_mut(NODES))
            .zip(self.a.par_chunks(NODES))
            .zip(self.given.par_chunks(NODES))
            .enumerate();
        let (masses, coordinates, stopped) = (&self.masses, &self.coordinates, &self.stopped);
        let done: Vec<(f64, Option<usize>)> = numbers
            .map(|(chunk, (((u, v), a), given))| {
                let mut work = 0.0;
                let mut broken = None;
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
                        let value = courses[motion.course as usize];
                        new[k] =
                            if motion.is_velocity { value } else { (value - u[i][k].get()) / dt };
                    }
                    let mut walls = stopped[node];
                    while walls != 0 {
                        let wall = &problem.walls[walls.trailing_zeros() as usize];
                        stop(wall, &coordinates[node], u[i].map(Number::get), &mut new, dt);
                        walls &= walls - 1;
                    }
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
                }
                (work, broken)
            })
            .collect();
        for (work, broken) in done {
            self.works.external += work;
            if let Some(node) = broken {
                return Err(Failure::NotFinite { node: self.layout.order[node] as usize });
            }
        }
        self.works.external += half * self.pushed(time);
        Ok(())
    }

    /// Adds the elements' forces to accelerations, or puts them in their place, and finds the scale of the next increments.
    fn assemble(&mut self, way: Way) {
        if way == Way::InFull {
            self.a.par_iter_mut().for_each(|a| *a = [P::Sum::default(); 3]);
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
        self.a
            .par_chunks_mut(NODES)
            .enumerate()
            .map(|(chunk, a)| {
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
            })
            .collect::<Vec<f64>>()
            .into_iter()
            .sum()
    }

    /// How the next step comes to forces.
    fn way(&self, limits: Limits) -> Way {
        let is_in_full = !P::INCREMENTS || limits.is_in_full(self.clock.steps + 1);
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
        // Of both ends of the step half each.
        self.works.external += 0.5 * dt * self.pushed(time + dt);
        let [internal, plastic, hourglass, viscous] = found.work;
        self.works.internal += internal;
        self.works.plastic += plastic;
        self.works.hourglass += hourglass;
        self.works.viscous += viscous;
        self.clock = Clock {
            time: if is_last { end } else { time + dt },
            steps: self.clock.steps + 1,
            last: dt,
            stable: found.stable,
        };
        Ok(())
    }

    /// What forces at the time do in the half step before it, on what moves as given or on what does not. The former is work that reactions take back when the next step begins, the latter makes kinetic energy of now from that of then.
    fn over_half_a_step(&self, given: bool) -> f64 {
        let half = 0.5 * self.clock.last;
        let mut sum = 0.0;
        for (node, motions) in self.given.iter().enumerate() {
            for (k, &motion) in motions.iter().enumerate() {
                if (motion > 0) == given {
                    sum += half * self.masses[node] * self.v[node][k].get() * self.a[node][k].get();
                }
            }
        }
        sum
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
    fn advance(&mut self, limits: Limits, end: f64, steps: u64) -> Result<(), Failure> {
        for _ in 0..steps {
            if self.clock.time >= end {
                break;
            }
            self.step(limits, end)?;
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
        let external = self.works.external - self.over_half_a_step(true);
        Ok(Works { external, ..self.works })
    }

    fn kinetic(&self) -> Result<f64, Failure> {
        let square = |v: &[P::Sum; 3]| v.iter().map(|v| v.get() * v.get()).sum::<f64>();
        let before: f64 = self.masses.iter().zip(&self.v).map(|(m, v)| 0.5 * m * square(v)).sum();
        Ok(before + self.over_half_a_step(false))
    }

    fn motion(&self) -> Result<[Vec<[f64; 3]>; 2], Failure> {
        let half = 0.5 * self.clock.last;
        let velocity = |&place: &u32| {
            let node = place as usize;
            core::array::from_fn(|k| {
                // What is given has no acceleration of its own.
                let a = if self.given[node][k] > 0 { 0.0 } else { self.a[node][k].get() };
                self.v[node][k].get() + half * a
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
            works: self.works,
            displacements: self.old_order(&self.u),
            velocities: self.old_order(&self.v),
            accelerations: self.old_order(&self.a),
            elements: self.blocks.iter().map(|block| block.numbers()).collect(),
            pressures: self.pressed.forces.clone(),
        })
    }
}
