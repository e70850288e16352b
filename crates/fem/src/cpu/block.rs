//! Elements of a block through steps, patch by patch.

use core::marker::PhantomData;

use nonius_linalg::cpu::simd::counting::{Counting, operations};
use nonius_linalg::cpu::simd::dispatch_real;
use nonius_linalg::cpu::simd::real::{Narrow, Number, Real, RealKernel, Registers, each};
use nonius_linalg::threads::{Grain, chunks, map_parts};

use super::element::{Element, Remembered, Step};
use super::group::{GROUP, Slots, groups};
use super::law::Substance;
use super::precision::Numbers;
use super::way::{Forces, InFull, Increments, Standing, Way};
use crate::model::{Block, Material};
use crate::solid::vector::V3;
use crate::solid::{Masses, Memory, PATCH, Patches, Units, sum_of_block};

/// What all elements of some patches found.
#[derive(Clone, Copy)]
pub(super) struct Findings {
    pub(super) stable: f64,
    /// The first element, by its place in the block, that has turned inside out.
    pub(super) inverted: Option<u32>,
}

impl Findings {
    pub(super) const NONE: Self = Self { stable: f64::INFINITY, inverted: None };

    pub(super) fn with(self, other: Self) -> Self {
        let first = match (self.inverted, other.inverted) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Self { stable: self.stable.min(other.stable), inverted: first }
    }
}

/// What elements see of nodes, in their new order.
pub(super) struct Nodes<'a, T> {
    pub(super) coordinates: &'a [[f64; 3]],
    pub(super) u: &'a [[T; 3]],
    pub(super) v: &'a [[T; 3]],
}

/// Elements of a block.
pub(super) trait Elements<P: Numbers>: Send + Sync {
    /// Takes all through a step of which the nodes have come to `u` at `v`; `sums` gets what each
    /// patch makes on its nodes.
    fn advance(
        &mut self,
        nodes: &Nodes<'_, P::Sum>,
        step: &Step,
        way: Way,
        sums: &mut [[P::Sum; 3]],
    ) -> Findings;
    /// Operations of all elements in such a step, in `f32` and in `f64`.
    fn operations(&self, nodes: &Nodes<'_, P::Sum>, step: &Step, way: Way) -> [u64; 2];
    /// How many sums there are.
    fn sums(&self) -> usize;
    /// How many there are.
    fn count(&self) -> usize;
    /// All numbers, element by element in the order of the patches.
    fn numbers(&self) -> Vec<f64>;
    /// Work of each patch since the beginning, see [`Tallies`](crate::solid::Tallies).
    fn works(&self) -> &[[f64; 4]];
}

/// Elements of a kind.
pub(super) struct OfKind<P: Numbers, const N: usize, E> {
    patches: Patches,
    /// Of each patch.
    works: Vec<[f64; 4]>,
    memory: Memory,
    units: Units,
    /// The nodes' places in patches, group by group and node by node.
    local: Vec<u16>,
    masses: Vec<P::Own>,
    /// What elements remember, in the order of a state.
    memories: Vec<P::Sum>,
    kind: PhantomData<fn() -> E>,
}

impl<P: Numbers, const N: usize, E: Element<N> + 'static> OfKind<P, N, E> {
    /// Elements with the numbers of a state.
    pub(super) fn boxed(
        block: &Block,
        material: &Material,
        (masses, which): (&Masses, usize),
        mut patches: Patches,
        (numbers, works): (&[f64], Vec<[f64; 4]>),
    ) -> Box<dyn Elements<P>> {
        let memory = Memory::of(material);
        let own = E::POINTS * memory.numbers;
        let all = remembered::<N, E>(memory);
        let local = core::mem::take(&mut patches.local);
        let order = &patches.elements;
        let masses = &masses.points[which];
        let units = Units::new(block, material, masses);
        let value = |element: usize, number: usize| {
            let x = numbers[element * all + number];
            if (own..all - 1).contains(&number) { x * units.force } else { x }
        };
        let mass = |element: usize, point: usize| units.mass * masses[element * E::POINTS + point];
        let mut made = Self {
            works,
            memory,
            local: vec![0; groups(order.len()) * N * GROUP],
            masses: side_by_side(order, E::POINTS, mass),
            memories: side_by_side(order, all, value),
            units: units.clone(),
            patches,
            kind: PhantomData,
        };
        let count = made.patches.elements.len();
        for group in 0..groups(count) {
            for lane in 0..GROUP {
                let element = (group * GROUP + lane).min(count - 1);
                for k in 0..N {
                    made.local[(group * N + k) * GROUP + lane] = local[element * N + k];
                }
            }
        }
        Box::new(made)
    }
}

/// Numbers of elements in their order, those of a group side by side; the last element fills the
/// last group.
fn side_by_side<T: Number>(
    order: &[u32],
    count: usize,
    number: impl Fn(usize, usize) -> f64,
) -> Vec<T> {
    let mut all = Vec::with_capacity(groups(order.len()) * count * GROUP);
    for group in 0..groups(order.len()) {
        for k in 0..count {
            for lane in 0..GROUP {
                let element = order[(group * GROUP + lane).min(order.len() - 1)];
                all.push(T::rounded(number(element as usize, k)));
            }
        }
    }
    all
}

impl<P: Numbers, const N: usize, E: Element<N> + 'static> Elements<P> for OfKind<P, N, E> {
    fn advance(
        &mut self,
        nodes: &Nodes<'_, P::Sum>,
        step: &Step,
        way: Way,
        sums: &mut [[P::Sum; 3]],
    ) -> Findings {
        let per_patch = PATCH.div_ceil(GROUP);
        let all = remembered::<N, E>(self.memory);
        let mut parts = Vec::with_capacity(self.patches.first.len());
        let mut rest = sums;
        for patch in 0..self.patches.first.len() - 1 {
            let (own, others) = rest.split_at_mut(self.patches.nodes_of(patch).len());
            parts.push(own);
            rest = others;
        }
        let (patches, local) = (&self.patches, &self.local);
        let units = &self.units;
        let substance = Substance::new(&units.material);
        let numbers = (
            chunks(&mut self.memories, per_patch * all * GROUP),
            chunks(&mut self.masses, per_patch * E::POINTS * GROUP),
        );
        let work = ((&mut parts[..], &mut self.works[..]), numbers);
        let found = map_parts(work, Grain::ANY, |patch, ((sums, works), (memories, masses))| {
            let of_patch = OfPatch::<P, N, E> {
                substance: &substance,
                step,
                units,
                nodes,
                own: patches.nodes_of(patch),
                elements: part(&patches.elements, PATCH, patch),
                local: part(local, per_patch * N * GROUP, patch),
                memories,
                masses,
                sums,
                works,
                kind: PhantomData,
            };
            match way {
                Way::Increments if P::IS_MIXED => dispatch_real(of_patch.by::<Increments>()),
                Way::Standing => dispatch_real(of_patch.by::<Standing>()),
                _ => dispatch_real(of_patch.by::<InFull>()),
            }
        });
        found.into_iter().fold(Findings::NONE, Findings::with)
    }

    fn operations(&self, nodes: &Nodes<'_, P::Sum>, step: &Step, way: Way) -> [u64; 2] {
        let per_patch = PATCH.div_ceil(GROUP);
        let all = remembered::<N, E>(self.memory);
        let substance = Substance::new(&self.units.material);
        let elements = &self.patches.elements;
        let count = self.patches.first.len() - 1;
        let (mut found, mut computed) = ([0; 2], 0);
        for patch in (0..count).step_by(count.div_ceil(COUNTED).max(1)) {
            let own = self.patches.nodes_of(patch);
            let mut sums = vec![[P::Sum::default(); 3]; own.len()];
            let of_patch = OfPatch::<P, N, E> {
                substance: &substance,
                step,
                units: &self.units,
                nodes,
                own,
                elements: part(elements, PATCH, patch),
                local: part(&self.local, per_patch * N * GROUP, patch),
                memories: &mut part(&self.memories, per_patch * all * GROUP, patch).to_vec(),
                masses: &mut part(&self.masses, per_patch * E::POINTS * GROUP, patch).to_vec(),
                sums: &mut sums,
                works: &mut [0.0; 4],
                kind: PhantomData,
            };
            computed += groups(of_patch.elements.len()) * GROUP;
            let (_, own) = operations(|| match way {
                Way::Increments if P::IS_MIXED => of_patch.by::<Increments>().run::<Counting>(),
                Way::Standing => of_patch.by::<Standing>().run::<Counting>(),
                _ => of_patch.by::<InFull>().run::<Counting>(),
            });
            found = [found[0] + own[0], found[1] + own[1]];
        }
        let share = elements.len() as f64 / computed.max(1) as f64;
        found.map(|found| (share * found as f64).round() as u64)
    }

    fn sums(&self) -> usize {
        self.patches.nodes.len()
    }

    fn count(&self) -> usize {
        self.patches.elements.len()
    }

    fn numbers(&self) -> Vec<f64> {
        let (own, all) = (E::POINTS * self.memory.numbers, remembered::<N, E>(self.memory));
        let mut numbers = Vec::with_capacity(self.count() * all);
        for i in 0..self.count() {
            let (group, lane) = (i / GROUP, i % GROUP);
            numbers.extend((0..all).map(|k| {
                let x = self.memories[(group * all + k) * GROUP + lane].get();
                if (own..all - 1).contains(&k) { x / self.units.force } else { x }
            }));
        }
        numbers
    }

    fn works(&self) -> &[[f64; 4]] {
        &self.works
    }
}

/// What elements see of numbers of their nodes: these themselves or, where they are rounded, what
/// they differ by from those of the first node, which leaves them the digits of what strains
/// elements. Axisymmetric ones see radii, and these differences of theirs in place of a third axis.
#[inline(always)]
fn own_places<P: Numbers, R: Registers, E: Element<N>, const N: usize>(
    nodes: &[V3<P::W<R>>; N],
) -> [V3<P::A<R>>; N] {
    let mut own = [[<P::A<R> as Real>::zero(); 3]; N];
    for (own, node) in own.iter_mut().zip(nodes) {
        for k in 0..3 {
            own[k] = match k {
                0 if E::AXISYMMETRIC => node[0].narrow(),
                2 if E::AXISYMMETRIC => node[0].difference(nodes[0][0]),
                _ if P::IS_MIXED => node[k].difference(nodes[0][k]),
                _ => node[k].narrow(),
            };
        }
    }
    own
}

/// How many numbers an element remembers.
fn remembered<const N: usize, E: Element<N>>(memory: Memory) -> usize {
    E::POINTS * memory.numbers + 3 * E::MODES + 1
}

/// In how many patches of a block operations are counted.
const COUNTED: usize = 8;

/// The numbers of a patch among those of all.
fn part<T>(all: &[T], per_patch: usize, patch: usize) -> &[T] {
    all.chunks(per_patch.max(1)).nth(patch).unwrap_or_default()
}

/// A patch's step.
struct OfPatch<'a, P: Numbers, const N: usize, E> {
    substance: &'a Substance<'a>,
    step: &'a Step,
    units: &'a Units,
    nodes: &'a Nodes<'a, P::Sum>,
    own: &'a [u32],
    elements: &'a [u32],
    local: &'a [u16],
    memories: &'a mut [P::Sum],
    masses: &'a mut [P::Own],
    sums: &'a mut [[P::Sum; 3]],
    works: &'a mut [f64; 4],
    kind: PhantomData<fn() -> E>,
}

/// A patch that finds its forces in a way: a kernel for each, of which none has anything of the
/// others.
struct By<T, W>(T, PhantomData<fn() -> W>);

impl<P: Numbers, const N: usize, E: Element<N>, W: Forces<E, N>> RealKernel
    for By<OfPatch<'_, P, N, E>, W>
{
    type Output = Findings;

    #[inline(always)]
    fn run<R: Registers>(self) -> Findings {
        self.0.patch::<R, W>()
    }
}

impl<P: Numbers, const N: usize, E: Element<N>> OfPatch<'_, P, N, E> {
    fn by<W: Forces<E, N>>(self) -> By<Self, W> {
        By(self, PhantomData)
    }

    #[inline(always)]
    fn patch<R: Registers, W: Forces<E, N>>(self) -> Findings {
        let lanes = <P::A<R> as Real>::LANES;
        // Of each node its coordinates half way and its displacement in the step.
        let mut rows = vec![[P::Sum::default(); 8]; self.own.len()];
        let mut totals = vec![[P::Sum::default(); 4]; self.own.len()];
        let (dt, half, unit) = (self.step.dt, 0.5 * self.step.dt, E::PART * self.units.length);
        for (row, &node) in rows.iter_mut().zip(self.own) {
            let node = node as usize;
            let (x, u, v) =
                (&self.nodes.coordinates[node], &self.nodes.u[node], &self.nodes.v[node]);
            for k in 0..3 {
                let v = v[k].get();
                row[k] = P::Sum::rounded(unit * (x[k] + (u[k].get() - half * v)));
                row[3 + k] = P::Sum::rounded(unit * (dt * v));
            }
        }
        let mut found = Findings::NONE;
        let mut works = [[0.0; PATCH]; 4];
        let mut stable = [f64::INFINITY; GROUP];
        let all = remembered::<N, E>(self.substance.memory) * GROUP;
        let mut forces = [[[P::Own::default(); GROUP]; 3]; N];
        for group in 0..groups(self.elements.len()) {
            let local = &self.local[group * N * GROUP..(group + 1) * N * GROUP];
            let memory = &mut self.memories[group * all..(group + 1) * all];
            let masses = E::POINTS * GROUP;
            let masses = &mut self.masses[group * masses..(group + 1) * masses];
            let mut work = [[P::Own::default(); GROUP]; 4];
            let mut longest = [P::Own::default(); GROUP];
            let mut least = [P::Own::default(); GROUP];
            for at in (0..GROUP).step_by(lanes) {
                let mut x = [[<P::W<R> as Real>::zero(); 3]; N];
                let mut d = x;
                for node in 0..N {
                    let [x0, x1, x2, d0, d1, d2] = Real::rows(&rows, &local[node * GROUP + at..]);
                    x[node] = [x0, x1, x2];
                    d[node] = [d0, d1, d2];
                }
                let (x, d) = (own_places::<P, R, E, N>(&x), own_places::<P, R, E, N>(&d));
                let mut remembered =
                    Remembered { memory: Slots::new(memory, at), masses: Slots::new(masses, at) };
                let (substance, step) = (self.substance, self.step);
                let (own, done) =
                    W::forces::<P::A<R>, P::W<R>>(substance, step, &x, &d, &mut remembered);
                for (to, force) in forces.iter_mut().zip(own) {
                    for k in 0..3 {
                        force[k].store(&mut to[k][at..]);
                    }
                }
                for (to, done) in work.iter_mut().zip(done.work) {
                    done.store(&mut to[at..]);
                }
                done.stable.store(&mut longest[at..]);
                done.least.store(&mut least[at..]);
            }
            let first = group * GROUP;
            let used = GROUP.min(self.elements.len() - first);
            for (node, force) in forces.iter_mut().enumerate() {
                for f in force.iter_mut() {
                    // The last group is filled with copies of the last element.
                    f[used..].fill(P::Own::default());
                }
                for at in (0..GROUP).step_by(lanes) {
                    let x = each!(3, K => P::W::<R>::widen(Real::load(&force[K][at..])));
                    Real::add_to_rows(x, &mut totals, &local[node * GROUP + at..]);
                }
            }
            for lane in 0..used {
                for k in 0..4 {
                    works[k][first + lane] = work[k][lane].get();
                }
                stable[lane] = stable[lane].min(longest[lane].get());
                // False for what is not a number, too.
                let is_positive = least[lane].get() > 0.0;
                if !is_positive {
                    let element = Some(self.elements[first + lane]);
                    found = found.with(Findings { inverted: element, ..Findings::NONE });
                }
            }
        }
        // Volumes times stresses, and these by lengths.
        let energy = self.units.energy;
        let force = energy * self.units.length;
        for (sum, total) in self.sums.iter_mut().zip(&totals) {
            for k in 0..3 {
                sum[k] = P::Sum::rounded(force * total[k].get());
            }
        }
        for (sum, works) in self.works.iter_mut().zip(&works) {
            *sum += energy * sum_of_block(works);
        }
        let stable = stable.into_iter().fold(f64::INFINITY, f64::min);
        found.with(Findings { stable, inverted: None })
    }
}
