//! Elements of a block on a device: all of them, or some patches.

use nonius_cuda::Cuda;
use nonius_gpu::{Buffer, Const, Error, Kernel, Pointer, Shape, Stream};
use rayon::prelude::*;

use super::arguments::{
    self as kernel, ADVANCE_BY_INCREMENTS, ADVANCE_IN_FULL, Constant, FORCES_IN_FULL,
};
use super::clock::Clock;
use super::layout::DeviceLayout;
use super::nodes::Assembly;
use super::numbers::{Format, Memories, Numbers, int};
use super::sources::{increments_of_block, source_of_block};
use crate::model::{Hardening, JohnsonCook, Lame, Law, Plastic};
use crate::solid::{Memory, OwnPart, Patches, Precision, Problem, Units};

/// How many elements' corners follow each other in a node's sum: see the host's groups.
const GROUP: usize = 16;

/// What elements do.
#[derive(Clone, Copy)]
pub(super) enum Pass {
    /// A step.
    Step(Assembly),
    /// Forces in full where nodes are, put where sums are.
    InFull,
}

/// Elements of a block.
pub(super) struct Elements {
    /// The block's number.
    pub(super) block: usize,
    /// Whether other ranks wait for their sums.
    pub(super) is_boundary: bool,
    advance: Kernel<kernel::Elements>,
    /// Of increments, once they are asked for.
    by_increments: Option<Kernel<kernel::Elements>>,
    in_full: Kernel<kernel::Elements>,
    patch: usize,
    patches: usize,
    /// How many elements there are.
    count: usize,
    /// How many numbers points remember, and elements.
    numbers: [usize; 2],
    units: Units,
    memories: Memories,
    works: Numbers,
    shared: u32,
    /// All patches.
    arguments: kernel::Elements,
    _tables: [Buffer; 6],
    _numbers: [Numbers; 2],
}

/// Where the elements lie in the run.
pub(super) struct Place<'a> {
    pub(super) part: &'a OwnPart,
    pub(super) masses: &'a [f64],
    pub(super) numbers: &'a [f64],
    /// Work of its patches until now.
    pub(super) works: &'a [[f64; 4]],
    /// Sums, from the block's first on.
    pub(super) sums: Pointer<kernel::Force>,
    /// What all elements see of nodes: where they are, displacements and velocities.
    pub(super) x: Pointer<Const<kernel::Place>>,
    pub(super) u: Pointer<Const<kernel::Node>>,
    pub(super) v: Pointer<Const<kernel::Node>>,
    /// How many nodes there are.
    pub(super) count: usize,
    pub(super) clock: Pointer<Clock>,
}

impl Elements {
    pub(super) fn new(
        cuda: &Cuda,
        problem: &Problem,
        precision: Precision,
        layout: DeviceLayout,
        place: &Place<'_>,
    ) -> Result<Self, Error> {
        let patch = layout.patch;
        let &OwnPart { block: number, ref patches, is_boundary, .. } = place.part;
        let block = &problem.blocks[number];
        let module = cuda.device().module(&source_of_block(problem, block, precision, patch))?;
        let advance = module.kernel(ADVANCE_IN_FULL)?;
        let in_full = module.kernel(FORCES_IN_FULL)?;
        let kind = block.kind;
        let count = patches.elements.len();
        let units = Units::new(block, &problem.materials[block.material], place.masses);
        let memory = Memory::of(&units.material);
        let own = kind.points() * memory.numbers;
        let all = memory.of_element(kind);
        let order = &patches.elements;
        let memories = by_patch(order, patch, all, &|element, k| {
            let x = place.numbers[element * all + k];
            if (own..all - 1).contains(&k) { units.force * x } else { x }
        });
        let masses = by_patch(order, patch, kind.points(), &|element, point| {
            units.mass * place.masses[element * kind.points() + point]
        });
        let size = Format::of_elements(precision).size();
        let most = patches.first.windows(2).map(|ends| (ends[1] - ends[0]) as usize).max();
        let most = most.unwrap_or(0);
        // Of each patch, numbers of its nodes and one more; a multiple of 16 bytes of any.
        let stride = (most + 1).next_multiple_of(8);
        let (turns, corners) = meetings(patches, patch, kind.nodes(), stride);
        // Forces of corners, or nodes; a multiple of 16 bytes of any numbers.
        let force = Format::of_elements(precision).force() / size;
        let row = if precision == Precision::Mixed { 12 } else { 6 };
        let room = (force * kind.nodes() * patch).max(row * stride).next_multiple_of(4);
        let copied = if kind.points() == 1 { all * Memories::size(precision) } else { 0 };
        let shared = room * size + patch * (copied + 2 * kind.nodes()) + 2 * stride;
        let patch_count = patches.first.len() - 1;
        let constants = Format::of_constants(precision);
        let works = Numbers::new(cuda, place.works.as_flattened(), constants)?;
        let tables = [
            cuda.numbers(&patches.first)?,
            cuda.numbers(&padded(patches, stride))?,
            cuda.numbers(&filled(&patches.local, kind.nodes(), patch))?,
            cuda.numbers(&turns)?,
            cuda.numbers(&corners)?,
            cuda.numbers(order)?,
        ];
        let table = Numbers::new(cuda, &table_of(&units.material.law), constants)?;
        let memories = Memories::new(cuda, &memories, all * patch, precision)?;
        let masses = Numbers::new(cuda, &masses, Format::of_elements(precision))?;
        advance.allow_shared(shared as u32)?;
        in_full.allow_shared(shared as u32)?;
        let [first, own_nodes, local, turns, corners, names] = &tables;
        let arguments = kernel::Elements {
            first: first.pointer(),
            own: own_nodes.pointer(),
            local: local.pointer(),
            turns: turns.pointer(),
            corners: corners.pointer(),
            names: names.pointer(),
            masses: masses.pointer(),
            memories: memories.pointer(),
            sums: place.sums,
            works: works.pointer(),
            x: place.x,
            u: place.u,
            v: place.v,
            clock: place.clock,
            unit: constants.constant(units.length),
            energy: constants.constant(units.energy),
            count: int(count)?,
            number: int(number)?,
            first_patch: 0,
            room: int(room)?,
            stride: int(stride)?,
            nodes: int(place.count)?,
            material: material_of(&units, memory, table.pointer(), constants)?,
        };
        Ok(Self {
            block: number,
            is_boundary,
            advance,
            by_increments: None,
            in_full,
            patch,
            patches: patch_count,
            count,
            numbers: [own, all],
            units,
            memories,
            works,
            shared: shared as u32,
            arguments,
            _tables: tables,
            _numbers: [masses, table],
        })
    }

    /// Makes ready for increments.
    pub(super) fn allow_increments(&mut self, cuda: &Cuda, problem: &Problem) -> Result<(), Error> {
        let block = &problem.blocks[self.block];
        if self.by_increments.is_none() {
            let module = cuda.device().module(&increments_of_block(problem, block, self.patch))?;
            let kernel = module.kernel(ADVANCE_BY_INCREMENTS)?;
            kernel.allow_shared(self.shared)?;
            self.by_increments = Some(kernel);
        }
        Ok(())
    }

    /// Puts what part `index` of `parts` of the patches do into a stream. A step is one by
    /// increments, where these are [allowed](Self::allow_increments), or has forces in full.
    ///
    /// # Safety
    /// What the arguments point to is alive until the stream has come so far, and nobody else uses
    /// it meanwhile.
    pub(super) unsafe fn queue(
        &self,
        stream: &Stream,
        part: [usize; 2],
        pass: Pass,
    ) -> Result<(), Error> {
        let kernel = match (pass, &self.by_increments) {
            (Pass::Step(Assembly::Increments), Some(kernel)) => kernel,
            (Pass::Step(_), _) => &self.advance,
            (Pass::InFull, _) => &self.in_full,
        };
        // SAFETY: the caller's promise.
        unsafe { self.launch(kernel, stream, part) }
    }

    unsafe fn launch(
        &self,
        kernel: &Kernel<kernel::Elements>,
        stream: &Stream,
        [index, parts]: [usize; 2],
    ) -> Result<(), Error> {
        let at = |part: usize| self.patches * part / parts;
        let patches = at(index)..at(index + 1);
        let arguments = kernel::Elements { first_patch: int(patches.start)?, ..self.arguments };
        let shape = Shape {
            grid: [patches.len() as u32, 1, 1],
            block: [self.patch as u32, 1, 1],
            shared: self.shared,
        };
        // SAFETY: the caller's promise.
        unsafe { kernel.launch(stream, shape, &arguments) }
    }

    /// Work of each patch since the beginning.
    pub(super) fn works(&self, cuda: &Cuda) -> Result<Vec<[f64; 4]>, Error> {
        let works = self.works.read(cuda)?;
        Ok(works.as_chunks().0.to_vec())
    }

    /// All numbers, element by element in the order of patches, each as a
    /// [state](crate::solid::State::elements) has it.
    pub(super) fn numbers(&self, cuda: &Cuda) -> Result<Vec<f64>, Error> {
        let memories = self.memories.read(cuda)?;
        let [own, all] = self.numbers;
        let mut numbers = vec![0.0; self.count * all];
        numbers.par_chunks_exact_mut(all).enumerate().for_each(|(i, to)| {
            let (patch, lane) = (i / self.patch, i % self.patch);
            for (k, to) in to.iter_mut().enumerate() {
                let x = memories[(patch * all + k) * self.patch + lane];
                *to = if (own..all - 1).contains(&k) { x / self.units.force } else { x };
            }
        });
        Ok(numbers)
    }
}

/// Places of nodes, element by element; the last element fills the last patch.
fn filled(local: &[u16], nodes: usize, patch: usize) -> Vec<u16> {
    let mut all = local.to_vec();
    if let Some(last) = local.len().checked_sub(nodes) {
        let whole = local.len().next_multiple_of(nodes * patch);
        while all.len() < whole {
            all.extend(&local[last..]);
        }
    }
    all
}

/// Numbers of elements in their order: patch by patch, number by number; the last element fills the
/// last patch.
fn by_patch(
    order: &[u32],
    patch: usize,
    numbers: usize,
    value: &(dyn Fn(usize, usize) -> f64 + Sync),
) -> Vec<f64> {
    let mut all = vec![0.0; order.len().div_ceil(patch) * patch * numbers];
    if numbers > 0 {
        all.par_chunks_exact_mut(patch * numbers).zip(order.par_chunks(patch)).for_each(
            |(to, elements)| {
                for k in 0..numbers {
                    for lane in 0..patch {
                        let element = elements[lane.min(elements.len() - 1)];
                        to[k * patch + lane] = value(element as usize, k);
                    }
                }
            },
        );
    }
    all
}

/// The nodes of patches, `stride` numbers for each patch: its last node fills the rest.
fn padded(patches: &Patches, stride: usize) -> Vec<u32> {
    let count = patches.first.len() - 1;
    let of = |number: usize| {
        let own = patches.nodes_of(number);
        (0..stride).map(|i| own[i.min(own.len() - 1)])
    };
    (0..count).flat_map(of).collect()
}

/// For each patch, where the corners begin that meet in each of its nodes, and where they end, in
/// `stride` numbers. Then these corners, by node of the element and lane, in the order of the
/// host's sums.
fn meetings(patches: &Patches, patch: usize, nodes: usize, stride: usize) -> (Vec<u16>, Vec<u16>) {
    let count = patches.first.len() - 1;
    let of_patch = |number: usize| {
        let elements = number * patch..((number + 1) * patch).min(patches.elements.len());
        let local = &patches.local[elements.start * nodes..elements.end * nodes];
        let present = elements.len();
        let corner = |group: usize| {
            (0..nodes).flat_map(move |node| {
                (group..(group + GROUP).min(present)).map(move |lane| (node, lane))
            })
        };
        let all: Vec<(usize, usize)> = (0..present).step_by(GROUP).flat_map(corner).collect();
        let mut turns = vec![0u16; stride];
        for &at in local {
            turns[usize::from(at) + 1] += 1;
        }
        for i in 1..stride {
            turns[i] += turns[i - 1];
        }
        let mut next = turns.clone();
        let mut corners = vec![0u16; patch * nodes];
        for (node, lane) in all {
            let next = &mut next[usize::from(local[lane * nodes + node])];
            corners[usize::from(*next)] = (node * patch + lane) as u16;
            *next += 1;
        }
        (turns, corners)
    };
    let parts: Vec<(Vec<u16>, Vec<u16>)> = (0..count).into_par_iter().map(of_patch).collect();
    let (turns, corners): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
    (turns.concat(), corners.concat())
}

/// Of a table of hardening, strains, stresses and slopes.
fn table_of(law: &Law) -> Vec<f64> {
    let Law::Plastic(_, Plastic { hardening: Hardening::Table(points) }) = law else {
        return Vec::new();
    };
    let mut table = Vec::new();
    for (i, &[strain, stress]) in points.iter().enumerate() {
        let slope = points.get(i + 1).map_or(0.0, |next| (next[1] - stress) / (next[0] - strain));
        table.extend([strain, stress, slope]);
    }
    table
}

/// The material as kernels take it, with its table.
fn material_of(
    units: &Units,
    memory: Memory,
    table: Pointer<Const<Constant>>,
    constants: Format,
) -> Result<kernel::Material, Error> {
    let material = &units.material;
    let (Lame { lambda, mu }, heating) = (material.lame(), material.heating());
    let (mut of_hardening, mut points) = ([0.0; 8], 0);
    if let Law::Plastic(_, plastic) = &material.law {
        match &plastic.hardening {
            &Hardening::JohnsonCook(JohnsonCook { a, b, n, c, rate, m, melting, transition }) => {
                of_hardening = [a, b, n, c, rate, m, 1.0 / (melting - transition), transition];
            }
            Hardening::Table(table) => points = table.len(),
        }
    }
    let constant = |x: f64| constants.constant(x);
    let [a, b, n, c, rate, m, range, transition] = of_hardening.map(constant);
    // Minus one where there is none.
    let place = |place: Option<usize>| place.map_or(Ok(-1), int);
    Ok(kernel::Material {
        density: constant(material.density),
        lambda: constant(lambda),
        mu: constant(mu),
        elastic: constant(lambda + 2.0 * mu),
        triple: constant(3.0 * mu),
        bulk: constant(lambda + 2.0 / 3.0 * mu),
        expansion: constant(material.expansion),
        heating: constant(heating),
        a,
        b,
        n,
        c,
        rate,
        m,
        range,
        transition,
        table,
        points: int(points)?,
        heats: i32::from(heating != 0.0),
        numbers: int(memory.numbers)?,
        plastic_strain: place(memory.plastic_strain)?,
        temperature: place(memory.temperature)?,
        strained: place(memory.strained)?,
        stretch: place(memory.stretch)?,
        unused: 0,
    })
}
