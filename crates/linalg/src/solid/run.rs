//! A problem through time.

use rayon::prelude::*;

use super::block::{Elements, Findings, Kept, Nodes, Plain};
use super::element::{
    Axisymmetric, Element, Hexahedron, PlaneStrain, ReducedHexahedron, Step, Tetrahedron,
};
use super::pressure::Pressed;
use super::problem::{Kind, Problem, Wall};
use super::real::{Narrow, Real, V3};

/// In what numbers a run computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// Everything in `f32`.
    Single,
    /// Everything in `f64`.
    Double,
    /// Increments of forces in `f32`, sums and what multiplies increments in `f64`.
    Mixed,
}

/// Work done since the beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Works {
    /// Of stresses on strains.
    pub internal: f64,
    /// Of plastic flow, part of the former.
    pub plastic: f64,
    /// Against hourglass modes.
    pub hourglass: f64,
    /// Of bulk viscosity.
    pub viscous: f64,
    /// Of loads, walls and given motions.
    pub external: f64,
}

/// Why a run cannot go on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Failure {
    /// An element has a volume that is not positive, or is not a number.
    Inverted {
        /// The place of its block.
        block: usize,
        /// Its place there.
        element: usize,
    },
    /// A node's velocity is not finite.
    NotFinite {
        /// The node.
        node: usize,
    },
}

/// Nodes of a chunk of work.
const NODES: usize = 4096;

/// A problem at a time.
pub struct Run {
    inner: Box<dyn Advance>,
}

impl Run {
    /// The problem at time zero. `problem` is well formed: numbers of nodes, materials and courses are there.
    ///
    /// # Errors
    /// [`Failure::Inverted`].
    pub fn new(problem: &Problem, precision: Precision) -> Result<Self, Failure> {
        let inner: Box<dyn Advance> = match precision {
            Precision::Single => Box::new(State::<f32, f32>::new(problem)?),
            Precision::Double => Box::new(State::<f64, f64>::new(problem)?),
            Precision::Mixed => Box::new(State::<f32, f64>::new(problem)?),
        };
        Ok(Self { inner })
    }

    /// Takes a step of `factor` times what is stable, no longer than `most` and not beyond `end`; its length.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn step(&mut self, factor: f64, most: f64, end: f64) -> Result<f64, Failure> {
        self.inner.step(factor, most, end)
    }

    /// The time.
    pub fn time(&self) -> f64 {
        self.inner.clock().time
    }

    /// Steps until now.
    pub fn steps(&self) -> u64 {
        self.inner.clock().steps
    }

    /// The length of the last step.
    pub fn increment(&self) -> f64 {
        self.inner.clock().last
    }

    /// Displacements.
    pub fn displacements(&self) -> Vec<[f64; 3]> {
        self.inner.displacements()
    }

    /// Velocities at the time itself, where forces are known too.
    pub fn velocities(&self) -> Vec<[f64; 3]> {
        self.inner.velocities()
    }

    /// Kinetic energy, `½·m·v⁻·(v⁻ + Δt·a)` with the velocity half a step before the time: with it the sum of all energies changes by the work of loads and reactions alone as long as
    /// steps are equal, where with `½·m·v²` it differs by `⅛·m·(Δt·a)²`.
    pub fn kinetic(&self) -> f64 {
        self.inner.kinetic()
    }

    /// Work done until now.
    pub fn works(&self) -> Works {
        self.inner.works()
    }

    /// Stress (`11, 22, 33, 12, 23, 13`), plastic strain and temperature of each element of a block: means of its points.
    pub fn fields(&self, block: usize) -> Vec<([f64; 6], f64, f64)> {
        self.inner.fields(block)
    }
}

#[derive(Clone, Copy, Default)]
struct Clock {
    time: f64,
    steps: u64,
    last: f64,
    stable: f64,
}

trait Advance: Send + Sync {
    fn step(&mut self, factor: f64, most: f64, end: f64) -> Result<f64, Failure>;
    fn clock(&self) -> Clock;
    fn displacements(&self) -> Vec<[f64; 3]>;
    fn velocities(&self) -> Vec<[f64; 3]>;
    fn kinetic(&self) -> f64;
    fn works(&self) -> Works;
    fn fields(&self, block: usize) -> Vec<([f64; 6], f64, f64)>;
}

/// Numbers of nodes and elements, in their precisions.
struct State<S, A> {
    problem: Problem,
    masses: Vec<f64>,
    u: Vec<[A; 3]>,
    /// Half a step before the time.
    v: Vec<[A; 3]>,
    /// Of forces without reactions.
    a: Vec<[A; 3]>,
    /// Of each node and axis one more than the number of its motion, or zero.
    given: Vec<[u32; 3]>,
    /// Increments of forces: of each element those of its nodes.
    forces: Vec<[S; 3]>,
    /// Where forces of nodes are: those of node `i` are `slots[first[i]..first[i + 1]]`.
    first: Vec<u32>,
    slots: Vec<u32>,
    blocks: Vec<Box<dyn Elements<S, A>>>,
    pressed: Pressed,
    scale: f64,
    clock: Clock,
    works: Works,
}

impl<S, A> State<S, A>
where
    S: Real + Kept,
    A: Narrow<S> + Kept,
    Hexahedron: Element<S, A, 8, 8, 0>,
{
    fn new(problem: &Problem) -> Result<Self, Failure> {
        let count = problem.coordinates.len();
        let mut masses = vec![0.0; count];
        let mut blocks = Vec::new();
        for (number, block) in problem.blocks.iter().enumerate() {
            let made = match block.kind {
                Kind::Hexahedron => {
                    Plain::<S, A, 8, 8, 0, Hexahedron>::boxed(block, problem, &mut masses)
                }
                Kind::ReducedHexahedron => {
                    Plain::<S, A, 8, 1, 4, ReducedHexahedron>::boxed(block, problem, &mut masses)
                }
                Kind::Tetrahedron => {
                    Plain::<S, A, 4, 1, 0, Tetrahedron>::boxed(block, problem, &mut masses)
                }
                Kind::PlaneStrain => {
                    Plain::<S, A, 4, 1, 1, PlaneStrain>::boxed(block, problem, &mut masses)
                }
                Kind::Axisymmetric => {
                    Plain::<S, A, 4, 1, 1, Axisymmetric>::boxed(block, problem, &mut masses)
                }
            };
            let inverted = |element| Failure::Inverted { block: number, element };
            blocks.push(made.map_err(inverted)?);
        }
        let all: usize = problem.blocks.iter().map(|block| block.nodes.len()).sum();
        let (first, slots) = slots(problem, count);
        let mut given = vec![[0; 3]; count];
        for (number, motion) in problem.motions.iter().enumerate() {
            given[motion.node as usize][motion.axis as usize] = number as u32 + 1;
        }
        let zeros = || vec![[A::zero(); 3]; count];
        let mut v = zeros();
        for (v, from) in v.iter_mut().zip(&problem.velocities) {
            *v = from.map(A::rounded);
        }
        let mut state = Self {
            problem: problem.clone(),
            masses,
            u: zeros(),
            v,
            a: zeros(),
            given,
            forces: vec![[S::zero(); 3]; all],
            first,
            slots,
            blocks,
            pressed: Pressed::new(problem),
            scale: 1.0,
            clock: Clock::default(),
            works: Works::default(),
        };
        // Of a step in which nothing moves only its stable successor is of interest.
        let moving = core::mem::replace(&mut state.v, zeros());
        let resting = Step { dt: 1.0, viscosity: problem.viscosity, hourglass: 0.0 };
        state.clock.stable = state.elements(&resting)?.stable;
        state.v = moving;
        state.add_loads(0.0, 0.0, true);
        Ok(state)
    }

    /// All elements' step.
    fn elements(&mut self, step: &Step) -> Result<Findings, Failure> {
        let nodes = Nodes {
            coordinates: &self.problem.coordinates,
            u: &self.u,
            v: &self.v,
            scale: self.scale,
        };
        let mut found = Findings::NONE;
        let mut rest = &mut self.forces[..];
        for (number, (block, of)) in self.blocks.iter_mut().zip(&self.problem.blocks).enumerate() {
            let (own, others) = rest.split_at_mut(of.nodes.len());
            rest = others;
            let of_block = block.advance(&nodes, step, own);
            if let Some(element) = of_block.inverted {
                return Err(Failure::Inverted { block: number, element });
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
            let (node, axis) = (force.node as usize, force.axis as usize);
            let a = &mut self.a[node][axis];
            *a = *a + A::splat(change(force.course) / self.masses[node]);
        }
        let (coordinates, u) = (&self.problem.coordinates, &self.u);
        let place = |node: u32| {
            let node = node as usize;
            core::array::from_fn(|k| coordinates[node][k] + u[node][k].get())
        };
        let changes = self.pressed.renew(&self.problem, to, place);
        for (&node, change) in self.pressed.nodes.iter().zip(changes) {
            let node = node as usize;
            for (a, change) in self.a[node].iter_mut().zip(change) {
                *a = *a + A::splat(change / self.masses[node]);
            }
        }
        for &(direction, course) in &self.problem.gravity {
            let by = change(course);
            if by != 0.0 {
                let by = direction.map(|x| A::splat(by * x));
                self.a.par_iter_mut().for_each(|a| (0..3).for_each(|k| a[k] = a[k] + by[k]));
            }
        }
    }

    /// Forces on nodes at a time times their velocities.
    fn pushed(&self, time: f64) -> f64 {
        let of_forces = self.problem.forces.iter().map(|force| {
            let v = self.v[force.node as usize][force.axis as usize].get();
            self.problem.courses[force.course as usize].at(time) * v
        });
        let of_pressures = self.pressed.nodes.iter().zip(&self.pressed.forces).map(|(&node, f)| {
            let v = self.v[node as usize].map(Kept::get);
            f[0] * v[0] + f[1] * v[1] + f[2] * v[2]
        });
        of_forces.chain(of_pressures).sum()
    }

    /// Velocities and displacements of a step, what is given and walls among them.
    fn moved(&mut self, dt: f64) -> Result<(), Failure> {
        let mean = 0.5 * (dt + self.clock.last);
        let (time, end) = (self.clock.time, self.clock.time + dt);
        let courses: Vec<f64> = self.problem.courses.iter().map(|course| course.at(end)).collect();
        let loads: Vec<f64> = self.problem.courses.iter().map(|course| course.at(time)).collect();
        let problem = &self.problem;
        // Of gravity at both ends of the step.
        let mut pull = [0.0; 3];
        for &(direction, course) in &problem.gravity {
            let both = loads[course as usize] + courses[course as usize];
            (0..3).for_each(|k| pull[k] += direction[k] * both);
        }
        let half = 0.5 * dt;
        let numbers = self
            .u
            .par_chunks_mut(NODES)
            .zip(self.v.par_chunks_mut(NODES))
            .zip(self.a.par_chunks(NODES))
            .zip(self.given.par_chunks(NODES))
            .enumerate();
        let masses = &self.masses;
        let done: Vec<(f64, Option<usize>)> = numbers
            .map(|(chunk, (((u, v), a), given))| {
                let mut work = 0.0;
                let mut broken = None;
                for i in 0..u.len() {
                    let node = chunk * NODES + i;
                    let old = v[i];
                    for k in 0..3 {
                        v[i][k] = old[k] + A::splat(mean) * a[i][k];
                    }
                    let free = v[i];
                    for k in 0..3 {
                        let Some(number) = given[i][k].checked_sub(1) else { continue };
                        let motion = &problem.motions[number as usize];
                        let value = courses[motion.course as usize];
                        v[i][k] = A::splat(if motion.is_velocity {
                            value
                        } else {
                            (value - u[i][k].get()) / dt
                        });
                    }
                    for wall in &problem.walls {
                        stop(wall, &problem.coordinates[node], u[i], &mut v[i], dt);
                    }
                    for k in 0..3 {
                        let mid = 0.5 * (old[k].get() + v[i][k].get());
                        // The impulse of reactions.
                        let impulse = v[i][k].get() - free[k].get();
                        work += masses[node] * (impulse * mid + half * pull[k] * v[i][k].get());
                        u[i][k] = u[i][k] + A::splat(dt) * v[i][k];
                        if !v[i][k].get().is_finite() {
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
                return Err(Failure::NotFinite { node });
            }
        }
        self.works.external += half * self.pushed(time);
        Ok(())
    }

    /// Adds the elements' increments to accelerations.
    fn assemble(&mut self) {
        let (first, slots, forces, masses) = (&self.first, &self.slots, &self.forces, &self.masses);
        let scale = self.scale;
        let size: f64 = self
            .a
            .par_chunks_mut(NODES)
            .enumerate()
            .map(|(chunk, a)| {
                let mut size = 0.0;
                for (i, a) in a.iter_mut().enumerate() {
                    let node = chunk * NODES + i;
                    let own = &slots[first[node] as usize..first[node + 1] as usize];
                    if own.is_empty() {
                        continue;
                    }
                    let factor = A::splat(1.0 / (scale * masses[node]));
                    for k in 0..3 {
                        let sum = own
                            .iter()
                            .fold(A::zero(), |sum, &slot| sum + A::widen(forces[slot as usize][k]));
                        a[k] = a[k] - factor * sum;
                        size += masses[node] * a[k].get().abs();
                    }
                }
                size
            })
            .collect::<Vec<f64>>()
            .into_iter()
            .sum();
        if size > 0.0 && size.is_finite() {
            // A power of two, which rounds nothing.
            let mean = size / (3.0 * masses.len() as f64);
            self.scale = (-mean.log2()).round().clamp(-500.0, 500.0).exp2();
        }
    }
}

/// Takes from a velocity what would carry the node through the wall.
fn stop<A: Real + Kept>(wall: &Wall, x: &V3<f64>, u: V3<A>, v: &mut V3<A>, dt: f64) {
    let along = |a: [f64; 3]| (0..3).map(|k| a[k] * wall.normal[k]).sum::<f64>();
    let gap = along(core::array::from_fn(|k| x[k] + u[k].get() - wall.point[k]));
    let speed = along(v.map(Kept::get));
    if gap + dt * speed < 0.0 {
        let change = -gap / dt - speed;
        for (v, along) in v.iter_mut().zip(wall.normal) {
            *v = *v + A::splat(change * along);
        }
    }
}

/// Where forces of nodes are.
fn slots(problem: &Problem, count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0u32; count + 1];
    let nodes = || problem.blocks.iter().flat_map(|block| &block.nodes);
    nodes().for_each(|&node| first[node as usize + 1] += 1);
    for i in 0..count {
        first[i + 1] += first[i];
    }
    let mut next = first.clone();
    let mut slots = vec![0u32; first[count] as usize];
    for (slot, &node) in nodes().enumerate() {
        let place = &mut next[node as usize];
        slots[*place as usize] = slot as u32;
        *place += 1;
    }
    (first, slots)
}

impl<S, A> Advance for State<S, A>
where
    S: Real + Kept,
    A: Narrow<S> + Kept,
{
    fn step(&mut self, factor: f64, most: f64, end: f64) -> Result<f64, Failure> {
        // Steps until the end are equal but for changes of what is stable: energies are kept as long as steps are.
        let left = end - self.clock.time;
        let longest = (factor * self.clock.stable).min(most);
        let dt = if left.is_finite() { left / (left / longest).ceil().max(1.0) } else { longest };
        self.moved(dt)?;
        let step =
            Step { dt, viscosity: self.problem.viscosity, hourglass: self.problem.hourglass };
        let found = self.elements(&step)?;
        self.assemble();
        let time = self.clock.time;
        self.add_loads(time, time + dt, false);
        // Of both ends of the step half each.
        self.works.external += 0.5 * dt * self.pushed(time + dt);
        let [internal, plastic, hourglass, viscous] = found.work;
        self.works.internal += internal;
        self.works.plastic += plastic;
        self.works.hourglass += hourglass;
        self.works.viscous += viscous;
        self.clock = Clock {
            time: if dt == left { end } else { time + dt },
            steps: self.clock.steps + 1,
            last: dt,
            stable: found.stable,
        };
        Ok(dt)
    }

    fn clock(&self) -> Clock {
        self.clock
    }

    fn displacements(&self) -> Vec<[f64; 3]> {
        self.u.iter().map(|u| u.map(Kept::get)).collect()
    }

    fn velocities(&self) -> Vec<[f64; 3]> {
        let half = 0.5 * self.clock.last;
        let of = |(i, v): (usize, &[A; 3])| {
            core::array::from_fn(|k| {
                // What is given has no acceleration of its own.
                let a = if self.given[i][k] > 0 { 0.0 } else { self.a[i][k].get() };
                v[k].get() + half * a
            })
        };
        self.v.iter().enumerate().map(of).collect()
    }

    fn kinetic(&self) -> f64 {
        let of = |(i, (v, a)): (usize, (&[A; 3], &[A; 3]))| {
            let product = |k: usize| v[k].get() * (v[k].get() + self.clock.last * a[k].get());
            0.5 * self.masses[i] * (product(0) + product(1) + product(2))
        };
        self.v.iter().zip(&self.a).enumerate().map(of).sum()
    }

    fn works(&self) -> Works {
        self.works
    }

    fn fields(&self, block: usize) -> Vec<([f64; 6], f64, f64)> {
        self.blocks[block].fields()
    }
}
