//! A problem through time on the host: all of it or, where there are several ranks, one rank's
//! [share](crate::solid::Share).

mod afresh;
mod energies;
mod forces;
mod loading;
mod loads;
mod motion;
mod operations;
mod start;

use core::num::NonZeroU64;

use super::block::Elements;
use super::element::Step;
use super::precision::Numbers;
use super::way::Way;
use crate::solid::{Advance, Clock, Failure, Goal, Limits, Operations, Share, State, Whole, Works};
use loads::Loads;
use nonius_linalg::cpu::simd::real::Number;
use nonius_linalg::threads::Grain;

/// Groups of nodes that a thread takes at least.
const GROUPS: Grain = Grain::AtLeast(16);

/// Numbers of nodes and elements that a rank has, in its order.
pub(super) struct HostRun<P: Numbers> {
    share: Share,
    whole: Whole,
    masses: Vec<f64>,
    /// One over masses; zero where there is none.
    inverses: Vec<f64>,
    /// Of nodes that the rank only sees, too.
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
    /// Of each patch what forces on its nodes change by; then those of other ranks.
    sums: Vec<[P::Sum; 3]>,
    parts: Vec<Part<P>>,
    scale: f64,
    clock: Clock,
    /// Of each group of nodes the work of loads and of reactions, see
    /// [`Tallies`](crate::solid::Tallies).
    works: Vec<[f64; 2]>,
}

/// Patches of a block.
struct Part<P> {
    block: usize,
    elements: Box<dyn Elements<P>>,
    /// Whether other ranks wait for their sums.
    is_boundary: bool,
}

impl<P: Numbers> HostRun<P> {
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
        let broken = self.moved(dt);
        let problem = &self.share.problem;
        let (viscosity, hourglass) = (problem.viscosity, problem.hourglass);
        let step = Step { dt, viscosity, hourglass, scale: self.scale };
        let stable = self.elements(&step, way, broken)?;
        self.assemble(way)?;
        let time = self.clock.time;
        self.add_loads(time, time + dt, way == Way::InFull);
        self.tally_loads(0.5 * dt);
        self.clock = Clock {
            time: if is_last { end } else { time + dt },
            steps: self.clock.steps + 1,
            last: dt,
            stable,
        };
        Ok(())
    }

    /// Numbers of this rank's groups, put together.
    fn of_nodes(&self, numbers: &[[P::Sum; 3]]) -> Result<Vec<[f64; 3]>, Failure> {
        let own = numbers[..self.share.owned].iter().map(|numbers| numbers.map(Number::get));
        self.whole.of_nodes(&own.collect::<Vec<_>>())
    }

    /// What this rank has of a block, put together by its parts.
    fn of_block<T>(&self, block: usize, of_part: impl Fn(&dyn Elements<P>) -> Vec<T>) -> Vec<T> {
        let parts = self.parts.iter().filter(|part| part.block == block);
        parts.flat_map(|part| of_part(part.elements.as_ref())).collect()
    }
}

fn add<T: Number>(to: &mut T, by: f64) {
    *to = T::rounded(to.get() + by);
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
        self.count_operations(resync)
    }

    fn clock(&self) -> Clock {
        self.clock
    }

    fn works(&self) -> Result<Works, Failure> {
        let works = self.tallies()?.works();
        let [_, given] = self.energies()?;
        Ok(Works { external: works.external - given, ..works })
    }

    fn kinetic(&self) -> Result<f64, Failure> {
        let [kinetic, _] = self.energies()?;
        Ok(kinetic)
    }

    fn motion(&self) -> Result<[Vec<[f64; 3]>; 2], Failure> {
        let half = 0.5 * self.clock.last;
        let problem = &self.share.problem;
        let velocity = |node: usize| {
            core::array::from_fn(|k| {
                let v = self.v[node][k].get();
                match self.given[node][k].checked_sub(1) {
                    None => v + half * self.a[node][k].get(),
                    Some(number) => {
                        let motion = &problem.motions[number as usize];
                        let course = &problem.courses[motion.course as usize];
                        if motion.is_velocity { course.at(self.clock.time) } else { v }
                    }
                }
            })
        };
        let velocities: Vec<[f64; 3]> = (0..self.share.owned).map(velocity).collect();
        Ok([self.of_nodes(&self.u)?, self.whole.of_nodes(&velocities)?])
    }

    fn elements(&self, block: usize) -> Result<Vec<f64>, Failure> {
        let mine = self.of_block(block, |elements| elements.numbers());
        self.whole.of_elements(block, &mine)
    }

    fn state(&self) -> Result<State, Failure> {
        let blocks = 0..self.whole.blocks();
        Ok(State {
            time: self.clock.time,
            steps: self.clock.steps,
            last: self.clock.last,
            stable: self.clock.stable,
            scale: self.scale,
            tallies: self.tallies()?,
            displacements: self.of_nodes(&self.u)?,
            velocities: self.of_nodes(&self.v)?,
            accelerations: self.of_nodes(&self.a)?,
            elements: blocks.map(|block| self.elements(block)).collect::<Result<_, _>>()?,
            pressures: self.whole.of_pressures(self.loads.forces_of_own(self.share.owned))?,
        })
    }
}
