//! A problem through time.

use core::num::NonZeroU64;

use nonius_linalg::backend::Cpu;

use super::material::Memory;
use super::operations::Operations;
use super::problem::Problem;
use super::state::State;
use super::tally::Works;
use crate::solid::Solids;

/// In what numbers a run computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// Everything in `f32`.
    Single,
    /// Elements in `f32`; motions of nodes, and sums that elements and nodes keep from step to
    /// step, in `f64`.
    Mixed,
    /// Everything in pairs of `f32`, some 14 digits, in place of `f64`: for devices where `f64` is
    /// slow, or that have none. On the CPU, which has it, the same as
    /// [`Double`](Precision::Double).
    Pairs,
    /// Everything in `f64`.
    Double,
}

impl Precision {
    /// All, in the order of their digits.
    pub const ALL: [Precision; 4] =
        [Precision::Single, Precision::Mixed, Precision::Pairs, Precision::Double];

    /// `f32`, `mixed`, `f32x2` or `f64`.
    pub fn name(self) -> &'static str {
        match self {
            Precision::Single => "f32",
            Precision::Mixed => "mixed",
            Precision::Pairs => "f32x2",
            Precision::Double => "f64",
        }
    }
}

/// Why a run cannot go on.
#[derive(Clone, Debug, PartialEq)]
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
    /// A state does not have the numbers of the problem.
    OtherState,
    /// A device cannot go on.
    Device(nonius_linalg::Error),
}

/// How long steps are, and how far forces are summed up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// A part of what is stable.
    pub factor: f64,
    /// The longest allowed.
    pub most: f64,
    /// In [mixed precision](Precision::Mixed), after how many steps, counted from the beginning,
    /// forces are computed in full and not summed up of increments: in every step where this is
    /// one, the usual choice; in none where there is no number. Other precisions always have forces
    /// in full.
    pub resync: Option<NonZeroU64>,
}

impl Limits {
    /// Whether a step, counted from 1, has forces in full where others have increments.
    pub fn is_in_full(&self, step: u64) -> bool {
        self.resync.is_some_and(|every| step.is_multiple_of(every.get()))
    }
}

/// Where steps lead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// A time at which a step ends, no matter how long that step is. All steps until then are as long as each other, as far as stability allows.
    pub end: f64,
    /// A time until the end that no step is shortened for: steps stop where they come nearest to it.
    pub pause: f64,
}

impl From<f64> for Goal {
    /// An end alone.
    fn from(end: f64) -> Self {
        Self { end, pause: end }
    }
}

/// Where a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    /// The time.
    pub time: f64,
    /// Steps until now.
    pub steps: u64,
    /// The length of the last step.
    pub last: f64,
    /// The longest stable step.
    pub stable: f64,
}

impl Clock {
    /// The length of the next step. Until the end all are equal but for changes of what is stable: energies are kept as long as steps are.
    ///
    /// Of `n` steps each may be longer than the longest by the part `1/(1024·n)`: times are rounded, and one unit in the last place beyond a whole number of steps would make two half steps of the last.
    pub fn next(&self, limits: Limits, end: f64) -> f64 {
        let longest = (limits.factor * few_bits(self.stable)).min(limits.most);
        let left = end - self.time;
        if left.is_finite() { left / (left / longest - SLACK).ceil().max(1.0) } else { longest }
    }

    /// Whether the end has come, or the pause is no nearer to the end of the next step than to now.
    pub fn has_come_to(&self, limits: Limits, goal: Goal) -> bool {
        let Goal { end, pause } = goal;
        self.time >= end || 2.0 * (pause - self.time) <= self.next(limits, end)
    }
}

/// By what part a last step may be longer than the longest. The sum of `n` steps is off by `½·n²·2⁻⁵³` of a step at most, by less than this for up to four million.
const SLACK: f64 = 1.0 / 1024.0;

/// A number rounded down to seven bits.
fn few_bits(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !(u64::MAX >> 18))
}

/// A problem at a time, in the memory of a backend.
pub trait Advance: Send + Sync {
    /// Takes steps until they [have come](Clock::has_come_to) to the goal, or so many of them.
    ///
    /// # Errors
    /// [`Failure`].
    fn advance(&mut self, limits: Limits, goal: Goal, steps: u64) -> Result<(), Failure>;
    /// See [`Run::drift`].
    ///
    /// # Errors
    /// [`Failure`].
    fn drift(&mut self) -> Result<f64, Failure>;
    /// See [`Run::operations`].
    ///
    /// # Errors
    /// [`Failure::Device`].
    fn operations(&self, resync: Option<NonZeroU64>) -> Result<Operations, Failure>;
    /// Where it is.
    fn clock(&self) -> Clock;
    /// Work done until now.
    ///
    /// # Errors
    /// [`Failure::Device`].
    fn works(&self) -> Result<Works, Failure>;
    /// See [`Run::kinetic`].
    ///
    /// # Errors
    /// [`Failure::Device`].
    fn kinetic(&self) -> Result<f64, Failure>;
    /// Displacements of nodes, and their velocities at the time itself.
    ///
    /// # Errors
    /// [`Failure::Device`].
    fn motion(&self) -> Result<[Vec<[f64; 3]>; 2], Failure>;
    /// See [`State::elements`].
    ///
    /// # Errors
    /// [`Failure::Device`].
    fn elements(&self, block: usize) -> Result<Vec<f64>, Failure>;
    /// Everything that it goes on from.
    ///
    /// # Errors
    /// [`Failure::Device`].
    fn state(&self) -> Result<State, Failure>;
}

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
    /// The problem at time zero on the host. `problem` is well formed: numbers of nodes, materials and courses are there.
    ///
    /// # Errors
    /// [`Failure::Inverted`].
    pub fn new(problem: &Problem, precision: Precision) -> Result<Self, Failure> {
        Self::on(&Cpu::default(), problem, precision, &State::new(problem))
    }

    /// The problem at the time of a state, on the host.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn resume(problem: &Problem, precision: Precision, state: &State) -> Result<Self, Failure> {
        Self::on(&Cpu::default(), problem, precision, state)
    }

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
        let width = |block: &super::Block| {
            let memory = problem.materials[block.material].memory();
            Width { memory, points: block.kind.points(), all: block.kind.remembers(memory) }
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

    /// Takes steps until they [have come](Clock::has_come_to) to a goal, or so many of them.
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

    /// By what part the forces that were summed up of increments differ from those computed in full: the norm of the difference over that of the elements' forces on nodes or, if it is greater, of all forces without reactions. Nothing changes.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn drift(&mut self) -> Result<f64, Failure> {
        self.inner.drift()
    }

    /// Floating-point operations of a step like the last one, the mean of as many as [`Limits::resync`] says: those of elements are counted in some patches of each block, of nodes without loads they follow from their number.
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

    /// Displacements of nodes, and their velocities at the time itself, where forces are known too. Where a displacement is given, the velocity is the mean of the last step.
    ///
    /// # Errors
    /// [`Failure::Device`].
    pub fn motion(&self) -> Result<[Vec<[f64; 3]>; 2], Failure> {
        self.inner.motion()
    }

    /// Kinetic energy, `½·m·v⁻·(v⁻ + Δt·a)` with the velocity half a step before the time and, where motion is given, `½·m·v⁻²`: with it the sum of all energies changes by the work of loads and reactions alone as long as
    /// steps are equal, where with `½·m·v²` it differs by `⅛·m·(Δt·a)²`.
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
