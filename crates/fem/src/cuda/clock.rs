//! Where a run is, as the device knows it.

use crate::solid::{Failure, Layout, Problem, State};

/// `Clock` in `fem/clock.cuh`, by words.
const WORDS: usize = 36;

/// A copy of the device's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock([u64; WORDS]);

const NONE: u64 = u64::MAX;

impl Clock {
    pub(super) fn new(problem: &Problem, state: &State) -> Self {
        let [linear, quadratic] = problem.viscosity;
        let mut words = [0; WORDS];
        let numbers = [
            0.0,
            linear,
            quadratic,
            problem.hourglass,
            state.scale,
            state.time,
            state.last,
            state.stable,
        ];
        for (word, number) in words.iter_mut().zip(numbers) {
            *word = number.to_bits();
        }
        words[12] = state.steps;
        words[14..17].fill(NONE);
        Self(words)
    }

    pub(super) fn words(&self) -> &[u64] {
        &self.0
    }

    pub(super) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }

    fn number(&self, place: usize) -> f64 {
        f64::from_bits(self.0[place])
    }

    pub(super) fn scale(&self) -> f64 {
        self.number(4)
    }

    pub(super) fn known(&self) -> crate::solid::Clock {
        crate::solid::Clock {
            time: self.number(5),
            steps: self.0[12],
            last: self.number(6),
            stable: self.number(7),
        }
    }

    /// Whether a step is under way.
    pub(super) fn is_moving(&self) -> bool {
        self.0[17] as u32 != 0
    }

    /// Why it has stopped, if it should not have.
    pub(super) fn failure(&self, layout: &Layout) -> Option<Failure> {
        let (inverted, broken) = (self.0[15], self.0[16]);
        if broken != NONE {
            return Some(Failure::NotFinite { node: layout.order[broken as usize] as usize });
        }
        let [block, element] = [inverted >> 32, inverted & u64::from(u32::MAX)];
        (inverted != NONE)
            .then_some(Failure::Inverted { block: block as usize, element: element as usize })
    }
}
