//! A problem through time on a device.

use core::num::NonZeroU64;

use nonius_cuda::Cuda;
use nonius_gpu::{Buffer, Error, Pointer, Stream, bytes_of_mut};
use nonius_linalg::backend::Cpu;

use super::clock::Clock;
use super::elements::{Elements, Place};
use super::failure::lost;
use super::layout::DeviceLayout;
use super::nodes::{Assembly, Nodes};
use super::numbers::Format;
use crate::solid::{
    self, Advance, Failure, Goal, Layout, Limits, Masses, Operations, PATCH, Precision, Problem,
    Solids, State, Tallies, Works,
};

/// Steps that are queued before the host looks whether there are to be more.
const AHEAD: u64 = 32;

/// A problem at a time.
pub(super) struct DeviceRun {
    cuda: Cuda,
    problem: Problem,
    precision: Precision,
    layout: Layout,
    blocks: Vec<Elements>,
    nodes: Nodes,
    /// Streams beside that of the backend.
    others: Vec<Stream>,
    /// Copies results while the next steps go on.
    copies: Stream,
    clock: Clock,
    /// Work done before by patches of another size than the device's, which count from zero.
    before: Option<Vec<Vec<[f64; 4]>>>,
}

impl DeviceRun {
    /// The problem at the time of a state, whose stable step and loads are known.
    pub(super) fn new(
        cuda: &Cuda,
        problem: &Problem,
        precision: Precision,
        state: &State,
        tuning: DeviceLayout,
    ) -> Result<Self, Failure> {
        let masses = Masses::new(problem)
            .map_err(|(block, element)| Failure::Inverted { block, element })?;
        let layout = Layout::new(problem, tuning.patch);
        Self::in_memory(cuda, problem, precision, state, tuning, (layout, &masses)).map_err(lost)
    }

    fn in_memory(
        cuda: &Cuda,
        problem: &Problem,
        precision: Precision,
        state: &State,
        tuning: DeviceLayout,
        (layout, masses): (Layout, &Masses),
    ) -> Result<Self, Error> {
        let nodes = Nodes::new(cuda, problem, precision, state, (&layout, masses))?;
        let force = Format::of_elements(precision).force();
        let of_patches = &state.tallies.patches;
        let before = (layout.patch != PATCH).then(|| of_patches.clone());
        let mut blocks = Vec::with_capacity(problem.blocks.len());
        let mut sums = nodes.sums.address();
        for (number, block) in problem.blocks.iter().enumerate() {
            let patches = &layout.blocks[number];
            let zeros = vec![[0.0; 4]; patches.first.len() - 1];
            let place = Place {
                number,
                masses: &masses.points[number],
                patches,
                numbers: &state.elements[number],
                works: if before.is_some() { &zeros } else { &of_patches[number] },
                sums: Pointer::at(sums),
                x: nodes.seen(),
                u: nodes.u.pointer(),
                v: nodes.v.pointer(),
                count: layout.order.len(),
                clock: nodes.clock.pointer(),
            };
            blocks.push(Elements::new(cuda, problem, block, precision, tuning, &place)?);
            sums += (force * patches.nodes.len()) as u64;
        }
        let others =
            (1..tuning.streams).map(|_| cuda.device().stream()).collect::<Result<_, _>>()?;
        Ok(Self {
            layout,
            blocks,
            nodes,
            others,
            copies: cuda.device().stream()?,
            clock: Clock::new(problem, state),
            before,
            problem: problem.clone(),
            precision,
            cuda: cuda.clone(),
        })
    }

    /// Queues a step, after which accelerations are in memory if it `keeps` them, or none follows.
    fn step(&self, assembly: Assembly, keeps: bool) -> Result<(), Error> {
        let stream = self.cuda.stream();
        let parts = self.others.len() + 1;
        let before = if self.others.is_empty() { None } else { Some(stream.record()?) };
        for block in &self.blocks {
            // SAFETY: the run's memory is its own, and lives until its streams have been waited
            // for, since what frees it is queued there.
            unsafe { block.advance(stream, [0, parts], assembly)? };
        }
        for (part, other) in self.others.iter().enumerate() {
            if let Some(before) = &before {
                other.wait(before)?;
            }
            for block in &self.blocks {
                // SAFETY: as above; the parts write memory of their own.
                unsafe { block.advance(other, [part + 1, parts], assembly)? };
            }
            stream.wait(&other.record()?)?;
        }
        // SAFETY: as above.
        unsafe { self.nodes.turn(&self.cuda, assembly, keeps) }
    }

    /// How a step comes to forces, counted from the beginning.
    fn assembly(&self, step: u64, limits: Limits) -> Assembly {
        let is_in_full = self.precision != Precision::Mixed || limits.is_in_full(step);
        if is_in_full { Assembly::InFull } else { Assembly::Increments }
    }

    /// Takes steps until the clock says that no more is under way.
    fn go_on(&mut self, limits: Limits, goal: Goal, steps: u64) -> Result<(), Error> {
        let mut taken = self.clock.known().steps;
        let has_increments =
            self.precision == Precision::Mixed && limits.resync != Some(NonZeroU64::MIN);
        if has_increments {
            for (elements, block) in self.blocks.iter_mut().zip(&self.problem.blocks) {
                elements.allow_increments(&self.cuda, &self.problem, block)?;
            }
        }
        // SAFETY: as in `step`.
        unsafe { self.nodes.begin(&self.cuda, limits, goal, steps)? };
        let mut left = steps;
        loop {
            let some = left.min(AHEAD);
            for _ in 0..some {
                taken += 1;
                self.step(self.assembly(taken, limits), has_increments)?;
            }
            left -= some;
            self.look()?;
            if left == 0 || !self.clock.is_moving() {
                return Ok(());
            }
        }
    }

    /// The norms of forces in full, see [`Nodes::drift`].
    fn norms(&mut self) -> Result<[f64; 3], Error> {
        // SAFETY: as in `step`.
        let norms = unsafe {
            self.nodes.evaluate(&self.cuda)?;
            self.nodes.place(&self.cuda)?;
            for block in &self.blocks {
                block.in_full(self.cuda.stream())?;
            }
            self.nodes.drift(&self.cuda)?
        };
        self.look()?;
        Ok(norms)
    }

    /// Waits for what is queued, and learns where it has come to.
    fn look(&mut self) -> Result<(), Error> {
        let stream = self.cuda.stream();
        let clock = core::slice::from_mut(&mut self.clock);
        // SAFETY: looked at when the stream has been waited for; any bits are a clock.
        unsafe { self.nodes.clock.read(stream, 0, bytes_of_mut(clock))? };
        stream.synchronize()
    }

    /// A buffer's numbers, copied beside what the stream of the backend does next.
    fn copy(&self, from: &Buffer, to: &mut [[f64; 3]]) -> Result<(), Error> {
        self.copies.wait(&self.cuda.stream().record()?)?;
        // SAFETY: looked at when the stream has been waited for; any bits are such numbers.
        unsafe { from.read(&self.copies, 0, bytes_of_mut(to))? };
        self.copies.synchronize()
    }

    /// Numbers of nodes in the order of the problem.
    fn old_order(&self, numbers: &[f64]) -> Vec<[f64; 3]> {
        let count = self.layout.order.len();
        let at = |&place: &u32| core::array::from_fn(|k| numbers[k * count + place as usize]);
        self.layout.place.iter().map(at).collect()
    }

    /// Work done until now. Patches of another size than the host's count as parts of one.
    fn tallies(&self) -> Result<Tallies, Error> {
        let mut patches = Vec::with_capacity(self.blocks.len());
        for (number, block) in self.blocks.iter().enumerate() {
            let mut works = block.works(&self.cuda)?;
            if let Some(before) = &self.before {
                let own = std::mem::replace(&mut works, before[number].clone());
                if let Some(first) = works.first_mut() {
                    for work in &own {
                        first.iter_mut().zip(work).for_each(|(sum, work)| *sum += work);
                    }
                }
            }
            patches.push(works);
        }
        Ok(Tallies { patches, nodes: self.nodes.works(&self.cuda)? })
    }

    fn state_now(&self) -> Result<State, Error> {
        let clock = self.clock.known();
        let cuda = &self.cuda;
        Ok(State {
            time: clock.time,
            steps: clock.steps,
            last: clock.last,
            stable: clock.stable,
            scale: self.clock.scale,
            tallies: self.tallies()?,
            displacements: self.old_order(&self.nodes.u.read(cuda)?),
            velocities: self.old_order(&self.nodes.v.read(cuda)?),
            accelerations: self.old_order(&self.nodes.a.read(cuda)?),
            elements: self
                .blocks
                .iter()
                .map(|block| block.numbers(cuda))
                .collect::<Result<_, _>>()?,
            pressures: self.nodes.pressures(cuda)?,
        })
    }
}

impl Advance for DeviceRun {
    fn advance(&mut self, limits: Limits, goal: Goal, steps: u64) -> Result<(), Failure> {
        if steps == 0 || self.clock.known().has_come_to(limits, goal) {
            return Ok(());
        }
        self.go_on(limits, goal, steps).map_err(lost)?;
        self.clock.failure(&self.layout).map_or(Ok(()), Err)
    }

    fn drift(&mut self) -> Result<f64, Failure> {
        let [internal, all, difference] = self.norms().map_err(lost)?;
        self.clock.failure(&self.layout).map_or(Ok(()), Err)?;
        Ok(if difference > 0.0 { difference / internal.max(all) } else { 0.0 })
    }

    /// The host counts: kernels have its operations.
    fn operations(&self, resync: Option<NonZeroU64>) -> Result<Operations, Failure> {
        Cpu::default().solids(&self.problem, self.precision, &self.state()?)?.operations(resync)
    }

    fn clock(&self) -> solid::Clock {
        self.clock.known()
    }

    fn works(&self) -> Result<Works, Failure> {
        let works = self.tallies().map_err(lost)?.works();
        let [_, given] = self.nodes.energies(&self.cuda).map_err(lost)?;
        Ok(Works { external: works.external - given, ..works })
    }

    fn kinetic(&self) -> Result<f64, Failure> {
        self.nodes.energies(&self.cuda).map(|[kinetic, _]| kinetic).map_err(lost)
    }

    fn motion(&self) -> Result<[Vec<[f64; 3]>; 2], Failure> {
        let count = self.layout.order.len();
        let [mut displacements, mut velocities] = [vec![[0.0; 3]; count], vec![[0.0; 3]; count]];
        // SAFETY: as in `step`.
        let found = unsafe { self.nodes.motion(&self.cuda) };
        found
            .and_then(|[u, v]| {
                self.copy(&u, &mut displacements)?;
                self.copy(&v, &mut velocities)
            })
            .map_err(lost)?;
        Ok([displacements, velocities])
    }

    fn elements(&self, block: usize) -> Result<Vec<f64>, Failure> {
        self.blocks[block].numbers(&self.cuda).map_err(lost)
    }

    fn state(&self) -> Result<State, Failure> {
        self.state_now().map_err(lost)
    }
}
