//! The evolution of many vectors: members of a batch with the same stages in the lanes of registers, crews of them on threads.
//!
//! The recurrences of a step are chains in which every operation waits for the one before. Lanes, and where there are enough members two registers at a time, fill that wait
//! with other members. A member that is alone with its stages, and a crew of which one fails, is left to the reference.

mod crew;

use core::hash::{Hash, Hasher};
use std::collections::HashMap;

use nonius_num::Lane;
use rayon::prelude::*;

use self::crew::Crew;
use super::simd::{Kernel, dispatch};
use crate::evolve::{Evolution, Failure, Outcome, Stage};
use crate::{Scalar, reference};

/// The outcome of every member.
pub fn evolve<T: Scalar>(batch: &[Evolution<T>]) -> Vec<Result<Outcome<T>, Failure>> {
    let mut alike: HashMap<Shape<'_, T>, Vec<usize>> = HashMap::new();
    for (i, member) in batch.iter().enumerate() {
        alike.entry(Shape(member)).or_default().push(i);
    }
    let lanes = dispatch(Lanes);
    // As many crews as threads, if need be of fewer registers.
    let wide = batch.len() > 2 * lanes * rayon::current_num_threads();
    let size = if wide { 2 * lanes } else { lanes };
    let mut crews: Vec<Vec<usize>> =
        alike.values().flat_map(|members| members.chunks(size)).map(<[usize]>::to_vec).collect();
    // The order of the map differs from run to run; that of the work need not.
    crews.sort_unstable();
    let of_crew = |crew: &Vec<usize>| {
        let members: Vec<&Evolution<T>> = crew.iter().map(|&i| &batch[i]).collect();
        together(&members, lanes)
    };
    let outcomes: Vec<_> = crews.par_iter().map(of_crew).collect();
    let mut all: Vec<_> = crews.iter().flatten().zip(outcomes.into_iter().flatten()).collect();
    all.sort_unstable_by_key(|&(&i, _)| i);
    all.into_iter().map(|(_, outcome)| outcome).collect()
}

/// The outcomes of members with the same stages.
fn together<T: Scalar>(
    members: &[&Evolution<T>],
    lanes: usize,
) -> Vec<Result<Outcome<T>, Failure>> {
    let alone = || members.iter().map(|member| reference::evolve::evolve(member)).collect();
    if members.len() == 1 || members.iter().any(|member| member.check().is_err()) {
        return alone();
    }
    let outcomes = if members.len() > lanes {
        dispatch(Crew::<T, 2> { members })
    } else {
        dispatch(Crew::<T, 1> { members })
    };
    outcomes.map_or_else(alone, |outcomes| outcomes.into_iter().map(Ok).collect())
}

/// How many numbers a register holds.
struct Lanes;

impl Kernel for Lanes {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lane>(self) -> usize {
        L::LANES
    }
}

/// What members of a crew have in common: all but numbers.
struct Shape<'a, T>(&'a Evolution<T>);

impl<T: Scalar> PartialEq for Shape<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (self.0, other.0);
        a.start.len() == b.start.len()
            && a.stages.len() == b.stages.len()
            && a.stages.iter().zip(&b.stages).all(|pair| match pair {
                (Stage::Steps(a), Stage::Steps(b)) => {
                    (a.generator, a.count, a.constraint) == (b.generator, b.count, b.constraint)
                }
                (Stage::Map(_), Stage::Map(_)) => true,
                (Stage::Floor(a), Stage::Floor(b)) => a == b,
                _ => false,
            })
    }
}

impl<T: Scalar> Eq for Shape<'_, T> {}

impl<T: Scalar> Hash for Shape<'_, T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0.start.len(), self.0.stages.len()).hash(state);
        for stage in &self.0.stages {
            match stage {
                Stage::Steps(steps) => (0, steps.generator, steps.count).hash(state),
                Stage::Map(_) => 1.hash(state),
                Stage::Floor(obstacle) => (2, obstacle).hash(state),
            }
        }
    }
}
