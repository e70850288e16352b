//! A problem through time.

use rayon::prelude::*;

use super::element::{
    Advanced, Axisymmetric, Controls, Element, Hexahedron, PlaneStrain, ReducedHexahedron, Step,
    Tetrahedron, advance_element,
};
use super::geometry::{Point, ROOT, SIGNS, hexahedron_point, modes, tetrahedron};
use super::law::{Material, Memory};
use super::real::{Narrow, Real, V3};

/// What elements there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Eight nodes, eight points and one volume strain.
    Hexahedron,
    /// Eight nodes, one point and hourglass control.
    ReducedHexahedron,
    /// Four nodes and constant strain.
    Tetrahedron,
    /// Four nodes in plane strain, one point and hourglass control.
    PlaneStrain,
    /// Four nodes around the second axis, one point and hourglass control.
    Axisymmetric,
}

/// Elements of one kind and one material.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Their kind.
    pub kind: Kind,
    /// The place of their material in the problem.
    pub material: usize,
    /// Their nodes.
    pub nodes: Vec<u32>,
    /// Thickness of plane elements, and 1 of others.
    pub thickness: f64,
}

/// A function of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// What it is multiplied by.
    pub factor: f64,
    /// Times, increasing, and values, constant beyond them; the factor alone where there are none.
    pub points: Vec<[f64; 2]>,
    /// Whether it is smooth between points, `t³·(10 − 15t + 6t²)`, and not linear.
    pub smooth: bool,
}

impl Course {
    /// Its value at a time.
    pub fn at(&self, time: f64) -> f64 {
        let after = self.points.partition_point(|point| point[0] <= time);
        let value = match (after.checked_sub(1).map(|i| self.points[i]), self.points.get(after)) {
            (None, None) => 1.0,
            (Some(last), None) => last[1],
            (None, Some(first)) => first[1],
            (Some([t0, x0]), Some(&[t1, x1])) => {
                let t = (time - t0) / (t1 - t0);
                let part =
                    if self.smooth { t * t * t * (10.0 - 15.0 * t + 6.0 * t * t) } else { t };
                x0 + part * (x1 - x0)
            }
        };
        self.factor * value
    }
}

/// What a node does along an axis, whatever the forces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Motion {
    /// The node.
    pub node: u32,
    /// The axis.
    pub axis: u8,
    /// Whether its velocity is given, and not its displacement.
    pub is_velocity: bool,
    /// The number of the course that it takes.
    pub course: u32,
}

/// A force on a node along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Force {
    /// The node.
    pub node: u32,
    /// The axis.
    pub axis: u8,
    /// The number of its course.
    pub course: u32,
}

/// A plane that nodes cannot pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// A point of it.
    pub point: [f64; 3],
    /// The direction of the side on which nodes are, of length 1.
    pub normal: [f64; 3],
}

/// What there is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problem {
    /// Coordinates at the beginning; of plane and axisymmetric problems the third is zero.
    pub coordinates: Vec<[f64; 3]>,
    /// Elements.
    pub blocks: Vec<Block>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Velocities at the beginning; none where all rest.
    pub velocities: Vec<[f64; 3]>,
    /// Temperatures of nodes at the beginning; none where they are zero.
    pub temperatures: Vec<f64>,
    /// Functions of time.
    pub courses: Vec<Course>,
    /// Given motions, of each node along each axis at most one.
    pub motions: Vec<Motion>,
    /// Forces.
    pub forces: Vec<Force>,
    /// Accelerations of everything, each with the number of its course.
    pub gravity: Vec<([f64; 3], u32)>,
    /// Planes that no node passes.
    pub walls: Vec<Wall>,
    /// Linear and quadratic bulk viscosity.
    pub viscosity: [f64; 2],
    /// Stiffness against hourglass modes, as a part of that against strain; 0.05 is usual.
    pub hourglass: f64,
}

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

/// Numbers that are kept for nodes.
trait Kept: Copy + Send + Sync + 'static {
    fn rounded(x: f64) -> Self;
    fn get(self) -> f64;
}

impl Kept for f32 {
    fn rounded(x: f64) -> Self {
        x as f32
    }
    fn get(self) -> f64 {
        f64::from(self)
    }
}

impl Kept for f64 {
    fn rounded(x: f64) -> Self {
        x
    }
    fn get(self) -> f64 {
        self
    }
}

/// Nodes of a chunk of work.
const NODES: usize = 4096;
/// Elements of one.
const ELEMENTS: usize = 512;

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

    /// Displacements.
    pub fn displacements(&self) -> Vec<[f64; 3]> {
        self.inner.displacements()
    }

    /// Velocities at the time itself, where forces are known too.
    pub fn velocities(&self) -> Vec<[f64; 3]> {
        self.inner.velocities()
    }

    /// Kinetic energy.
    pub fn kinetic(&self) -> f64 {
        let velocities = self.inner.velocities();
        let parts = velocities.iter().zip(self.inner.masses());
        parts.map(|(v, m)| 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2])).sum()
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
    fn masses(&self) -> &[f64];
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
    scale: f64,
    clock: Clock,
    works: Works,
}

/// What all elements of a block found.
#[derive(Clone, Copy)]
struct Findings {
    stable: f64,
    work: [f64; 4],
    inverted: Option<usize>,
}

impl Findings {
    const NONE: Self = Self { stable: f64::INFINITY, work: [0.0; 4], inverted: None };

    fn with(self, other: Self) -> Self {
        Self {
            stable: self.stable.min(other.stable),
            work: core::array::from_fn(|k| self.work[k] + other.work[k]),
            inverted: self.inverted.or(other.inverted),
        }
    }
}

/// Elements of a block.
trait Elements<S, A>: Send + Sync {
    /// Takes all through a step of which the nodes have come to `u` at `v`.
    fn advance(&mut self, nodes: &Nodes<'_, A>, step: &Step, forces: &mut [[S; 3]]) -> Findings;
    fn fields(&self) -> Vec<([f64; 6], f64, f64)>;
}

/// What elements see of nodes.
struct Nodes<'a, A> {
    coordinates: &'a [[f64; 3]],
    u: &'a [[A; 3]],
    v: &'a [[A; 3]],
    scale: f64,
}

struct Plain<S, A, const N: usize, const P: usize, const M: usize, E> {
    nodes: Vec<[u32; N]>,
    material: Material,
    thickness: f64,
    masses: Vec<[S; P]>,
    memory: Vec<[Memory<A>; P]>,
    controls: Vec<Controls<S, M>>,
    kind: core::marker::PhantomData<fn() -> E>,
}

impl<S, A, const N: usize, const P: usize, const M: usize, E> Plain<S, A, N, P, M, E>
where
    S: Real + Kept,
    A: Narrow<S> + Kept,
    E: Element<f64, f64, N, P, M> + Element<S, A, N, P, M> + 'static,
{
    /// The elements at rest; adds their masses to nodes.
    fn boxed(
        block: &Block,
        problem: &Problem,
        masses: &mut [f64],
    ) -> Result<Box<dyn Elements<S, A>>, usize> {
        let material = problem.materials[block.material].clone();
        let (nodes, _) = block.nodes.as_chunks::<N>();
        let mut own = Vec::with_capacity(nodes.len());
        let mut memory = Vec::with_capacity(nodes.len());
        for (number, nodes) in nodes.iter().enumerate() {
            let x: [V3<f64>; N] = nodes.map(|node| problem.coordinates[node as usize]);
            let (points, whole): ([Point<f64, f64, N>; P], _) =
                <E as Element<f64, f64, N, P, M>>::points(&x, &[[0.0; 3]; N]);
            if !(whole.v > 0.0 && points.iter().all(|point| point.v > 0.0)) {
                return Err(number);
            }
            let factor = material.density * block.thickness;
            own.push(core::array::from_fn(|p| S::splat(factor * points[p].v)));
            for (share, &node) in shares(block.kind, &x).iter().zip(nodes) {
                masses[node as usize] += factor * share;
            }
            let temperatures = nodes.iter().filter_map(|&i| problem.temperatures.get(i as usize));
            let temperature = A::splat(temperatures.sum::<f64>() / N as f64);
            let point = Memory {
                stress: [A::zero(); 6],
                plastic_strain: A::zero(),
                temperature,
                strained: temperature,
            };
            memory.push([point; P]);
        }
        let rest = Controls { hourglass: [[S::zero(); 3]; M], viscous: S::zero() };
        Ok(Box::new(Self {
            nodes: nodes.to_vec(),
            material,
            thickness: block.thickness,
            masses: own,
            memory,
            controls: vec![rest; nodes.len()],
            kind: core::marker::PhantomData,
        }))
    }
}

/// The volumes that belong to an element's nodes: `∫N_I dV`.
fn shares(kind: Kind, x: &[V3<f64>]) -> Vec<f64> {
    match kind {
        Kind::Hexahedron | Kind::ReducedHexahedron => {
            let x = modes(&core::array::from_fn(|i| x[i]));
            let mut shares = vec![0.0; 8];
            for (p, at) in SIGNS.iter().enumerate() {
                let v = hexahedron_point::<f64, f64>(&x, &[[0.0; 3]; 7], p).v;
                for (share, s) in shares.iter_mut().zip(&SIGNS) {
                    let n: f64 = (0..3).map(|k| 0.5 * (1.0 + s[k] * at[k] * ROOT)).product();
                    *share += n * v;
                }
            }
            shares
        }
        Kind::Tetrahedron => {
            let x = core::array::from_fn(|i| x[i]);
            vec![tetrahedron::<f64, f64>(&x, &[[0.0; 3]; 4]).v / 4.0; 4]
        }
        Kind::PlaneStrain => plane_shares(x, |_| 1.0),
        Kind::Axisymmetric => plane_shares(x, |r| r),
    }
}

/// `∫N_I·weight(r) dA` by four points.
fn plane_shares(x: &[V3<f64>], weight: impl Fn(f64) -> f64) -> Vec<f64> {
    let mut shares = vec![0.0; 4];
    for point in &SIGNS[..4] {
        let at = [point[0] * ROOT, point[1] * ROOT];
        let (mut r, mut j) = (0.0, [[0.0; 2]; 2]);
        let mut n = [0.0; 4];
        for i in 0..4 {
            let s = SIGNS[i];
            let (f, h) = (1.0 + s[0] * at[0], 1.0 + s[1] * at[1]);
            n[i] = 0.25 * f * h;
            r += n[i] * x[i][0];
            for k in 0..2 {
                j[0][k] += 0.25 * s[0] * h * x[i][k];
                j[1][k] += 0.25 * s[1] * f * x[i][k];
            }
        }
        let area = j[0][0] * j[1][1] - j[0][1] * j[1][0];
        (0..4).for_each(|i| shares[i] += n[i] * area * weight(r));
    }
    shares
}

impl<S, A, const N: usize, const P: usize, const M: usize, E> Elements<S, A>
    for Plain<S, A, N, P, M, E>
where
    S: Real + Kept,
    A: Narrow<S> + Kept,
    E: Element<S, A, N, P, M> + 'static,
{
    fn advance(&mut self, nodes: &Nodes<'_, A>, step: &Step, forces: &mut [[S; 3]]) -> Findings {
        let (material, thickness) = (&self.material, S::splat(self.thickness));
        let work_scale = self.thickness;
        let force_scale = S::splat(nodes.scale) * thickness;
        let (dt, half) = (A::splat(step.dt), A::splat(0.5 * step.dt));
        let chunks = self
            .nodes
            .par_chunks(ELEMENTS)
            .zip(self.masses.par_chunks(ELEMENTS))
            .zip(self.memory.par_chunks_mut(ELEMENTS))
            .zip(self.controls.par_chunks_mut(ELEMENTS))
            .zip(forces.par_chunks_mut(ELEMENTS * N))
            .enumerate();
        let found: Vec<Findings> = chunks
            .map(|(chunk, ((((own, masses), memory), controls), forces))| {
                let mut found = Findings::NONE;
                for e in 0..own.len() {
                    let x: [V3<A>; N] = core::array::from_fn(|i| {
                        let node = own[e][i] as usize;
                        let (x, u, v) = (nodes.coordinates[node], nodes.u[node], nodes.v[node]);
                        core::array::from_fn(|k| A::splat(x[k]) + (u[k] - half * v[k]))
                    });
                    let d: [V3<A>; N] =
                        core::array::from_fn(|i| nodes.v[own[e][i] as usize].map(|v| dt * v));
                    // Masses are those of the thickness; forces and work are of thickness one until here.
                    let unit: [S; P] = masses[e].map(|m| m / thickness);
                    let Advanced { forces: f, stable, work, positive } =
                        advance_element::<S, A, E, N, P, M>(
                            material,
                            step,
                            (&x, &d),
                            &unit,
                            &mut memory[e],
                            &mut controls[e],
                        );
                    for (to, f) in forces[e * N..(e + 1) * N].iter_mut().zip(f) {
                        *to = f.map(|f| force_scale * f);
                    }
                    let one = Findings {
                        stable: stable.get(),
                        work: work.map(|w| work_scale * w.get()),
                        inverted: (!positive).then_some(chunk * ELEMENTS + e),
                    };
                    found = found.with(one);
                }
                found
            })
            .collect();
        found.into_iter().fold(Findings::NONE, Findings::with)
    }

    fn fields(&self) -> Vec<([f64; 6], f64, f64)> {
        let mean = |numbers: &mut dyn Iterator<Item = f64>| numbers.sum::<f64>() / P as f64;
        let of = |points: &[Memory<A>; P]| {
            let stress =
                core::array::from_fn(|k| mean(&mut points.iter().map(|p| p.stress[k].get())));
            let strain = mean(&mut points.iter().map(|p| p.plastic_strain.get()));
            (stress, strain, mean(&mut points.iter().map(|p| p.temperature.get())))
        };
        self.memory.iter().map(of).collect()
    }
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
            scale: 1.0,
            clock: Clock::default(),
            works: Works::default(),
        };
        // Of a step in which nothing moves only its stable successor is of interest.
        let moving = core::mem::replace(&mut state.v, zeros());
        let resting = Step { dt: 1.0, viscosity: [0.0; 2], hourglass: 0.0 };
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
        for &(direction, course) in &self.problem.gravity {
            let by = change(course);
            if by != 0.0 {
                let by = direction.map(|x| A::splat(by * x));
                self.a.par_iter_mut().for_each(|a| (0..3).for_each(|k| a[k] = a[k] + by[k]));
            }
        }
    }

    /// What loads are at a time, times velocities.
    fn moved(&mut self, dt: f64) -> Result<(), Failure> {
        let mean = 0.5 * (dt + self.clock.last);
        let (time, end) = (self.clock.time, self.clock.time + dt);
        let courses: Vec<f64> = self.problem.courses.iter().map(|course| course.at(end)).collect();
        let loads: Vec<f64> = self.problem.courses.iter().map(|course| course.at(time)).collect();
        let problem = &self.problem;
        let mut pull = [0.0; 3];
        for &(direction, course) in &problem.gravity {
            (0..3).for_each(|k| pull[k] += direction[k] * loads[course as usize]);
        }
        for force in &problem.forces {
            // Of half the old and half the new velocity; the other half follows below.
            let v = self.v[force.node as usize][force.axis as usize].get();
            self.works.external += 0.5 * mean * loads[force.course as usize] * v;
        }
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
                        // The impulse of reactions, and that of gravity.
                        let impulse = (v[i][k].get() - free[k].get()) + mean * pull[k];
                        work += masses[node] * impulse * mid;
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
        for force in &self.problem.forces {
            let v = self.v[force.node as usize][force.axis as usize].get();
            self.works.external += 0.5 * mean * loads[force.course as usize] * v;
        }
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
        let left = end - self.clock.time;
        let mut dt = (factor * self.clock.stable).min(most);
        // The last two steps share what is left, so that none is tiny.
        if left <= dt {
            dt = left;
        } else if left < 2.0 * dt {
            dt = 0.5 * left;
        }
        self.moved(dt)?;
        let step =
            Step { dt, viscosity: self.problem.viscosity, hourglass: self.problem.hourglass };
        let found = self.elements(&step)?;
        self.assemble();
        let time = self.clock.time;
        self.add_loads(time, time + dt, false);
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

    fn masses(&self) -> &[f64] {
        &self.masses
    }

    fn works(&self) -> Works {
        self.works
    }

    fn fields(&self, block: usize) -> Vec<([f64; 6], f64, f64)> {
        self.blocks[block].fields()
    }
}
