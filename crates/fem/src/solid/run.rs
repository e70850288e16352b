//! A problem through time.

use core::num::NonZeroU64;

use super::advance::Advance;
use super::backend::Solids;
use super::clock::{Clock, Goal, Limits};
use super::failure::Failure;
use super::memory::Memory;
use super::operations::Operations;
use super::precision::Precision;
use super::problem::Problem;
use super::state::State;
use super::tally::Works;
use crate::model::Block;

/// What is known of an element's stress: means of its points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fields {
    /// `11, 22, 33, 12, 23, 13`.
    pub stress: [f64; 6],
    /// Equivalent plastic strain.
    pub plastic_strain: f64,
    /// Temperature, where the material keeps count of it.
    pub temperature: Option<f64>,
}

/// How a block's numbers lie in a state.
#[derive(Clone, Copy)]
struct Width {
    memory: Memory,
    points: usize,
    all: usize,
}

/// A problem at a time.
pub struct Run {
    inner: Box<dyn Advance>,
    blocks: Vec<Width>,
}

impl Run {
    /// The problem at the time of a state, on a backend.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn on<B: Solids>(
        backend: &B,
        problem: &Problem,
        precision: Precision,
        state: &State,
    ) -> Result<Self, Failure> {
        if !state.fits(problem) {
            return Err(Failure::OtherState);
        }
        let inner = backend.solids(problem, precision, state)?;
        let width = |block: &Block| {
            let memory = Memory::of(&problem.materials[block.material]);
            Width { memory, points: block.kind.points(), all: memory.of_element(block.kind) }
        };
        Ok(Self { inner, blocks: problem.blocks.iter().map(width).collect() })
    }

    /// Takes a step of `factor` times what is stable, no longer than `most` and not beyond `end`,
    /// with forces in full; its length.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn step(&mut self, factor: f64, most: f64, end: f64) -> Result<f64, Failure> {
        self.inner.advance(
            Limits { factor, most, resync: Some(NonZeroU64::MIN) },
            end.into(),
            1,
        )?;
        Ok(self.inner.clock().last)
    }

    /// Takes steps until they [have come](Clock::has_come_to) to a goal, at most `steps` of them.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn advance(
        &mut self,
        limits: Limits,
        goal: impl Into<Goal>,
        steps: u64,
    ) -> Result<(), Failure> {
        self.inner.advance(limits, goal.into(), steps)
    }

    /// By what part the forces that were summed up of increments differ from those computed in
    /// full: the norm of the difference over that of the elements' forces on nodes or, if it is
    /// greater, of all forces without reactions. Nothing changes.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn drift(&mut self) -> Result<f64, Failure> {
        self.inner.drift()
    }

    /// Floating-point operations of a step like the last one, the mean of as many as
    /// [`Limits::resync`] says: those of elements are counted in some patches of each block, of
    /// nodes without loads they follow from their number.
    ///
    /// # Errors
    /// [`Failure::Device`].
    pub fn operations(&self, resync: Option<NonZeroU64>) -> Result<Operations, Failure> {
        self.inner.operations(resync)
    }

    /// Where it is.
    pub fn clock(&self) -> Clock {
        self.inner.clock()
    }

    /// The time.
    pub fn time(&self) -> f64 {
        self.inner.clock().time
    }

    /// Steps until now.
    pub fn steps(&self) -> u64 {
        self.inner.clock().steps
    }

    /// The longest stable step.
    pub fn stable(&self) -> f64 {
        self.inner.clock().stable
    }

    /// The length of the last step.
    pub fn increment(&self) -> f64 {
        self.inner.clock().last
    }

    /// Displacements of nodes, and their velocities at the time itself, where forces are known too.
    /// Where a displacement is given, the velocity is the mean of the last step.
    ///
    /// # Errors
    /// [`Failure::Device`].
    pub fn motion(&self) -> Result<[Vec<[f64; 3]>; 2], Failure> {
        self.inner.motion()
    }

    /// Kinetic energy, `½·m·v⁻·(v⁻ + Δt·a)` with the velocity half a step before the time and,
    /// where motion is given, `½·m·v⁻²`: with it the sum of all energies changes by the work of
    /// loads and reactions alone as long as steps are equal, where with `½·m·v²` it differs by
    /// `⅛·m·(Δt·a)²`.
    ///
    /// # Errors
    /// [`Failure::Device`].
    pub fn kinetic(&self) -> Result<f64, Failure> {
        self.inner.kinetic()
    }

    /// Work done until now.
    ///
    /// # Errors
    /// [`Failure::Device`].
    pub fn works(&self) -> Result<Works, Failure> {
        self.inner.works()
    }

    /// What is known of the elements of a block.
    ///
    /// # Errors
    /// [`Failure::Device`].
    pub fn fields(&self, block: usize) -> Result<Vec<Fields>, Failure> {
        let Width { memory, points, all } = self.blocks[block];
        let numbers = self.inner.elements(block)?;
        let part = 1.0 / points as f64;
        let of = |element: &[f64]| {
            let mut fields = Fields::default();
            let mut warmth = 0.0;
            for point in element.chunks_exact(memory.numbers).take(points) {
                (0..6).for_each(|k| fields.stress[k] += part * point[k]);
                fields.plastic_strain += memory.plastic_strain.map_or(0.0, |at| part * point[at]);
                warmth += memory.temperature.map_or(0.0, |at| part * point[at]);
            }
            fields.temperature = memory.temperature.map(|_| warmth);
            fields
        };
        Ok(numbers.chunks_exact(all).map(of).collect())
    }

    /// Everything that a run goes on from.
    ///
    /// # Errors
    /// [`Failure::Device`].
    pub fn state(&self) -> Result<State, Failure> {
        self.inner.state()
    }
}
