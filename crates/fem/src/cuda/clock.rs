//! Where a run is, as the device knows it.

use core::mem::offset_of;

use nonius_gpu::{KernelType, Plain, kernel_arguments};

use super::numbers::Pair;
use crate::model::BulkViscosity;
use crate::solid::{Failure, Problem, State, Whole};

/// Numbers of a step as elements see them, which kernels alone fill in: `Step` in `fem/step.cuh`.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct Step<T>([T; 8]);

// SAFETY: `repr(C)`, numbers that are plain themselves.
unsafe impl<T: Plain> Plain for Step<T> {}

impl KernelType for Step<f64> {
    fn declare(name: &str) -> String {
        format!("Step<double> {name}")
    }
}

impl KernelType for Step<Pair> {
    fn declare(name: &str) -> String {
        format!("Step<Pair> {name}")
    }
}

kernel_arguments! {
    /// A copy of the device's.
    pub(super) struct Clock {
        /// Of the step under way: its length; linear and quadratic bulk viscosity; stiffness
        /// against hourglass modes; what rounded parts of forces are multiplied by.
        dt: f64,
        linear: f64,
        quadratic: f64,
        hourglass: f64,
        pub(super) scale: f64,
        /// Now; the length of the last step; the longest stable step.
        time: f64,
        last: f64,
        stable: f64,
        /// Until when, and how long steps may be: a part of what is stable, and at most so much.
        end: f64,
        factor: f64,
        most: f64,
        /// Where steps stop, no matter how long.
        pause: f64,
        /// Steps taken, and steps left.
        steps: i64,
        left: i64,
        /// The bits of the longest stable step of the elements so far.
        found: u64,
        /// The first block of elements, in the upper half, and the first element there that has
        /// turned inside out; or [`NONE`].
        inverted: u64,
        /// The first node that is not finite, by its number in the layout, or [`NONE`].
        broken: u64,
        /// Whether a step is under way.
        is_moving: i32,
        /// Whether one has been taken whose forces are not summed up yet.
        is_assembling: i32,
        /// What elements see of the step, with constants in `f64` and in pairs.
        wide: Step<f64>,
        paired: Step<Pair>,
        /// The mean of its length and that of the last step, by which velocities grow.
        mean: Pair,
    }
}

kernel_arguments! {
    /// Of a clock what another rank has to know.
    pub(super) struct Verdict {
        found: u64,
        inverted: u64,
        broken: u64,
    }
}

/// Where a clock has its verdict.
pub(super) const VERDICT: usize = offset_of!(Clock, found);

const _: () = assert!(
    offset_of!(Clock, inverted) - VERDICT == offset_of!(Verdict, inverted)
        && offset_of!(Clock, broken) - VERDICT == offset_of!(Verdict, broken)
);

const NONE: u64 = u64::MAX;

impl Clock {
    pub(super) fn new(problem: &Problem, state: &State) -> Self {
        let BulkViscosity { linear, quadratic } = problem.viscosity;
        Self {
            dt: 0.0,
            linear,
            quadratic,
            hourglass: problem.hourglass,
            scale: state.scale,
            time: state.time,
            last: state.last,
            stable: state.stable,
            end: 0.0,
            factor: 0.0,
            most: 0.0,
            pause: 0.0,
            steps: state.steps as i64,
            left: 0,
            found: NONE,
            inverted: NONE,
            broken: NONE,
            is_moving: 0,
            is_assembling: 0,
            wide: Step::default(),
            paired: Step::default(),
            mean: Pair::default(),
        }
    }

    pub(super) fn known(&self) -> crate::solid::Clock {
        crate::solid::Clock {
            time: self.time,
            steps: self.steps as u64,
            last: self.last,
            stable: self.stable,
        }
    }

    /// Whether a step is under way.
    pub(super) fn is_moving(&self) -> bool {
        self.is_moving != 0
    }

    /// Why it has stopped, if it should not have.
    pub(super) fn failure(&self, whole: &Whole) -> Option<Failure> {
        let (inverted, broken) = (self.inverted, self.broken);
        if broken != NONE {
            return Some(Failure::NotFinite { node: whole.old_number(broken as usize) });
        }
        let [block, element] = [inverted >> 32, inverted & u64::from(u32::MAX)];
        (inverted != NONE)
            .then_some(Failure::Inverted { block: block as usize, element: element as usize })
    }
}
