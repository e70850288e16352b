//! Elements of a block through steps.

use rayon::prelude::*;

use super::element::{Advanced, Controls, Element, Step, advance_element};
use super::geometry::{Point, ROOT, SIGNS, hexahedron_point, modes, tetrahedron};
use super::law::{Material, Memory};
use super::problem::{Block, Kind, Problem};
use super::real::{Narrow, Real, V3};

/// Elements of a chunk of work.
const ELEMENTS: usize = 512;

/// Numbers that are kept for nodes.
pub(super) trait Kept: Copy + Send + Sync + 'static {
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

/// What all elements of a block found.
#[derive(Clone, Copy)]
pub(super) struct Findings {
    pub(super) stable: f64,
    pub(super) work: [f64; 4],
    pub(super) inverted: Option<usize>,
}

impl Findings {
    pub(super) const NONE: Self = Self { stable: f64::INFINITY, work: [0.0; 4], inverted: None };

    pub(super) fn with(self, other: Self) -> Self {
        Self {
            stable: self.stable.min(other.stable),
            work: core::array::from_fn(|k| self.work[k] + other.work[k]),
            inverted: self.inverted.or(other.inverted),
        }
    }
}

/// Elements of a block.
pub(super) trait Elements<S, A>: Send + Sync {
    /// Takes all through a step of which the nodes have come to `u` at `v`.
    fn advance(&mut self, nodes: &Nodes<'_, A>, step: &Step, forces: &mut [[S; 3]]) -> Findings;
    fn fields(&self) -> Vec<([f64; 6], f64, f64)>;
}

/// What elements see of nodes.
pub(super) struct Nodes<'a, A> {
    pub(super) coordinates: &'a [[f64; 3]],
    pub(super) u: &'a [[A; 3]],
    pub(super) v: &'a [[A; 3]],
    pub(super) scale: f64,
}

pub(super) struct Plain<S, A, const N: usize, const P: usize, const M: usize, E> {
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
    pub(super) fn boxed(
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
