//! A problem through time on a device: all of it or, where there are several ranks, one rank's
//! [share](crate::solid::Share).

mod step;

use core::num::NonZeroU64;

use nonius_comm::Communicator;
use nonius_comm::dense::{CudaWire, Wire};
use nonius_cuda::Cuda;
use nonius_gpu::{Buffer, Error, Pointer, Stream, bytes_of_mut};

use super::clock::Clock;
use super::elements::{Elements, Pass, Place};
use super::failure::lost;
use super::halo::Halo;
use super::layout::DeviceLayout;
use super::nodes::{Assembly, Nodes};
use super::numbers::Format;
use crate::cpu::Ranks;
use crate::solid::{
    self, Advance, Division, Failure, Goal, Layout, Limits, Masses, Operations, PATCH, Precision,
    Problem, Share, Solids, State, Tallies, Whole, Works,
};

/// Steps that are queued before the host looks whether there are to be more.
const AHEAD: u64 = 32;

/// A problem at a time.
pub(super) struct DeviceRun {
    cuda: Cuda,
    problem: Problem,
    precision: Precision,
    whole: Whole,
    parts: Vec<Elements>,
    nodes: Nodes,
    /// Messages between ranks, where there are several.
    halo: Option<Halo>,
    /// Streams beside that of the backend: of several ranks, those of the elements inside.
    others: Vec<Stream>,
    /// Copies results while the next steps go on.
    copies: Stream,
    clock: Clock,
    /// Work done before by patches of another size than the device's, which count from zero.
    before: Option<Vec<Vec<[f64; 4]>>>,
}

impl DeviceRun {
    /// The problem at the time of a state, whose stable step and loads are known. All ranks have
    /// the same problem and state; several are linked by a wire.
    pub(super) fn new(
        cuda: &Cuda,
        (ranks, wire): (&Communicator, Option<&CudaWire>),
        problem: &Problem,
        precision: Precision,
        state: &State,
        tuning: DeviceLayout,
    ) -> Result<Self, Failure> {
        let masses = Masses::new(problem)
            .map_err(|(block, element)| Failure::Inverted { block, element })?;
        let layout = Layout::new(problem, tuning.patch);
        let division = Division::new(problem, &layout, ranks.size());
        let share = Share::new(problem, &layout, &division, ranks.rank());
        let whole = Whole::new(ranks.clone(), problem, layout, division);
        let run = || {
            Self::in_memory(cuda, wire, problem, precision, state, tuning, (share, whole, &masses))
        };
        run().map_err(lost)
    }

    fn in_memory(
        cuda: &Cuda,
        wire: Option<&CudaWire>,
        problem: &Problem,
        precision: Precision,
        state: &State,
        tuning: DeviceLayout,
        (share, whole, masses): (Share, Whole, &Masses),
    ) -> Result<Self, Error> {
        let nodes = Nodes::new(cuda, problem, precision, state, (&share, &whole, masses))?;
        let force = Format::of_elements(precision).force();
        let of_patches = &state.tallies.patches;
        let before = (tuning.patch != PATCH).then(|| of_patches.clone());
        let mut parts = Vec::with_capacity(share.parts.len());
        let mut sums = nodes.sums.address();
        for part in &share.parts {
            let work = |&patch: &u32| match &before {
                Some(_) => [0.0; 4],
                None => of_patches[part.block][patch as usize],
            };
            let works: Vec<[f64; 4]> = part.numbers.iter().map(work).collect();
            let place = Place {
                part,
                masses: &masses.points[part.block],
                numbers: &state.elements[part.block],
                works: &works,
                sums: Pointer::at(sums),
                x: nodes.seen(),
                u: nodes.u.pointer(),
                v: nodes.v.pointer(),
                count: share.nodes.len(),
                clock: nodes.clock.pointer(),
            };
            parts.push(Elements::new(cuda, problem, precision, tuning, &place)?);
            sums += (force * part.patches.nodes.len()) as u64;
        }
        let halo = wire.map(|wire| Halo::new(cuda, wire, precision, &nodes, (&share, &whole)));
        let halo = halo.transpose()?;
        // What other ranks wait for goes first, in the backend's stream.
        let beside = tuning.streams - usize::from(halo.is_none());
        let others = (0..beside).map(|_| cuda.device().stream()).collect::<Result<_, _>>()?;
        Ok(Self {
            whole,
            parts,
            nodes,
            halo,
            others,
            copies: cuda.device().stream()?,
            clock: Clock::new(problem, state),
            before,
            problem: problem.clone(),
            precision,
            cuda: cuda.clone(),
        })
    }

    /// How a step comes to forces, counted from the beginning.
    fn assembly(&self, step: u64, limits: Limits) -> Assembly {
        let is_in_full = self.precision != Precision::Mixed || limits.is_in_full(step);
        if is_in_full { Assembly::InFull } else { Assembly::Increments }
    }

    /// Takes steps until the clock says that no more is under way.
    fn go_on(&mut self, limits: Limits, goal: Goal, steps: u64) -> Result<(), Failure> {
        let mut taken = self.clock.known().steps;
        let has_increments =
            self.precision == Precision::Mixed && limits.resync != Some(NonZeroU64::MIN);
        if has_increments {
            for part in &mut self.parts {
                part.allow_increments(&self.cuda, &self.problem).map_err(lost)?;
            }
        }
        // SAFETY: as in `elements_pass`.
        unsafe { self.nodes.begin(&self.cuda, limits, goal, steps) }.map_err(lost)?;
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
    fn norms(&mut self) -> Result<[f64; 3], Failure> {
        // SAFETY: as in `elements_pass`.
        unsafe {
            self.nodes.evaluate(&self.cuda).map_err(lost)?;
            self.nodes.place(&self.cuda).map_err(lost)?;
        }
        self.elements_pass(Pass::InFull)?;
        self.look()?;
        // SAFETY: as above.
        let squares = unsafe { self.nodes.drift(&self.cuda) }.map_err(lost)?;
        let mut sums = [0.0; 3];
        for part in self.whole.of_groups(&squares)? {
            sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        Ok(sums.map(f64::sqrt))
    }

    /// Waits for what is queued, and learns where it has come to.
    fn look(&mut self) -> Result<(), Failure> {
        let stream = self.cuda.stream();
        let clock = core::slice::from_mut(&mut self.clock);
        // SAFETY: looked at when the stream has been waited for; any bits are a clock.
        unsafe { self.nodes.clock.read(stream, 0, bytes_of_mut(clock)) }.map_err(lost)?;
        stream.synchronize().map_err(lost)?;
        self.check_messages()
    }

    /// Why the run fails: where another rank is lost, that is why.
    fn blamed(&self, failure: Failure) -> Failure {
        self.check_messages().err().unwrap_or(failure)
    }

    /// Whether all that came from other ranks is what they sent.
    fn check_messages(&self) -> Result<(), Failure> {
        let outcome = self.halo.as_ref().map_or(Ok(()), |halo| halo.wire().check());
        outcome.map_err(Failure::Device)
    }

    /// A buffer's numbers, copied beside what the stream of the backend does next.
    fn copy(&self, from: &Buffer, to: &mut [[f64; 3]]) -> Result<(), Error> {
        self.copies.wait(&self.cuda.stream().record()?)?;
        // SAFETY: looked at when the stream has been waited for; any bits are such numbers.
        unsafe { from.read(&self.copies, 0, bytes_of_mut(to))? };
        self.copies.synchronize()
    }

    /// What this rank has of a block, part by part.
    fn of_block<T>(
        &self,
        block: usize,
        of_part: impl Fn(&Elements) -> Result<Vec<T>, Error>,
    ) -> Result<Vec<T>, Failure> {
        let parts = self.parts.iter().filter(|part| part.block == block);
        let all: Vec<Vec<T>> = parts.map(of_part).collect::<Result<_, _>>().map_err(lost)?;
        Ok(all.into_iter().flatten().collect())
    }

    /// Work done until now. Patches of another size than the host's count as parts of one.
    fn tallies(&self) -> Result<Tallies, Failure> {
        let mut patches = Vec::with_capacity(self.whole.blocks());
        for block in 0..self.whole.blocks() {
            let own = self.of_block(block, |part| part.works(&self.cuda))?;
            let mut works = self.whole.of_patches(block, &own)?;
            if let Some(before) = &self.before {
                let own = std::mem::replace(&mut works, before[block].clone());
                if let Some(first) = works.first_mut() {
                    for work in &own {
                        first.iter_mut().zip(work).for_each(|(sum, work)| *sum += work);
                    }
                }
            }
            patches.push(works);
        }
        let nodes = self.nodes.works(&self.cuda).map_err(lost)?;
        Ok(Tallies { patches, nodes: self.whole.of_groups(&nodes)? })
    }

    /// Kinetic energy, and what forces do in the half step before the time on what moves as given.
    fn energies(&self) -> Result<[f64; 2], Failure> {
        let parts = self.nodes.energies(&self.cuda).map_err(lost)?;
        let parts = self.whole.of_groups(&parts)?;
        Ok(parts.into_iter().fold([0.0; 2], |[a, b], [x, y]| [a + x, b + y]))
    }
}

impl Drop for DeviceRun {
    /// Memory is freed in the order of the backend's stream, which waits for the others first. The
    /// host waits for none: another rank may be gone.
    fn drop(&mut self) {
        for other in &self.others {
            // What cannot be queued is not under way.
            let _ = other.record().and_then(|end| self.cuda.stream().wait(&end));
        }
    }
}

impl Advance for DeviceRun {
    fn advance(&mut self, limits: Limits, goal: Goal, steps: u64) -> Result<(), Failure> {
        if steps == 0 || self.clock.known().has_come_to(limits, goal) {
            return Ok(());
        }
        self.go_on(limits, goal, steps).map_err(|failure| self.blamed(failure))?;
        self.clock.failure(&self.whole).map_or(Ok(()), Err)
    }

    fn drift(&mut self) -> Result<f64, Failure> {
        let [internal, all, difference] = self.norms().map_err(|failure| self.blamed(failure))?;
        self.clock.failure(&self.whole).map_or(Ok(()), Err)?;
        Ok(if difference > 0.0 { difference / internal.max(all) } else { 0.0 })
    }

    /// Hosts count: kernels have its operations.
    fn operations(&self, resync: Option<NonZeroU64>) -> Result<Operations, Failure> {
        Ranks(self.whole.ranks.clone())
            .solids(&self.problem, self.precision, &self.state()?)?
            .operations(resync)
    }

    fn clock(&self) -> solid::Clock {
        self.clock.known()
    }

    fn works(&self) -> Result<Works, Failure> {
        let works = self.tallies()?.works();
        let [_, given] = self.energies()?;
        Ok(Works { external: works.external - given, ..works })
    }

    fn kinetic(&self) -> Result<f64, Failure> {
        self.energies().map(|[kinetic, _]| kinetic)
    }

    fn motion(&self) -> Result<[Vec<[f64; 3]>; 2], Failure> {
        let count = self.nodes.owned();
        let [mut displacements, mut velocities] = [vec![[0.0; 3]; count], vec![[0.0; 3]; count]];
        // SAFETY: as in `elements_pass`.
        let found = unsafe { self.nodes.motion(&self.cuda) };
        found
            .and_then(|[u, v]| {
                self.copy(&u, &mut displacements)?;
                self.copy(&v, &mut velocities)
            })
            .map_err(lost)?;
        if self.whole.is_alone() {
            return Ok([displacements, velocities]);
        }
        Ok([self.whole.of_nodes(&displacements)?, self.whole.of_nodes(&velocities)?])
    }

    fn elements(&self, block: usize) -> Result<Vec<f64>, Failure> {
        let mine = self.of_block(block, |part| part.numbers(&self.cuda))?;
        self.whole.of_elements(block, &mine)
    }

    fn state(&self) -> Result<State, Failure> {
        let (clock, cuda, nodes) = (self.clock.known(), &self.cuda, &self.nodes);
        let whole = |numbers| self.whole.of_nodes(&nodes.own(cuda, numbers).map_err(lost)?);
        let blocks = 0..self.whole.blocks();
        Ok(State {
            time: clock.time,
            steps: clock.steps,
            last: clock.last,
            stable: clock.stable,
            scale: self.clock.scale,
            tallies: self.tallies()?,
            displacements: whole(&nodes.u)?,
            velocities: whole(&nodes.v)?,
            accelerations: whole(&nodes.a)?,
            elements: blocks.map(|block| self.elements(block)).collect::<Result<_, _>>()?,
            pressures: self.whole.of_pressures(&nodes.pressures(cuda).map_err(lost)?)?,
        })
    }
}
