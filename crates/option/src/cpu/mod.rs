//! The evolution of many vectors: members of a batch with the same stages in the lanes of
//! registers, crews of them on threads.
//!
//! The recurrences of a step are chains in which every operation waits for the one before. Lanes,
//! and where there are enough members two registers at a time, fill that wait with other members. A
//! member that is alone with its stages, and a crew of which one fails, is left to the reference.

mod crew;

use nonius_linalg::cpu::simd::{Kernel, dispatch};
use nonius_linalg::threads::{Grain, map};
use nonius_linalg::{Number, Scalar};
use nonius_num::{Dd, Lane, Mp, Qd, Td};

use self::crew::Crew;
use crate::evolve::{Evolution, Failure, Outcome, alike, reference};

/// Numbers whose evolutions are compiled with this crate, rather than in each that prices options.
pub trait Kernels: Number {
    /// The outcome of every member, on all threads.
    fn evolve(batch: &[Evolution<Self>]) -> Vec<Result<Outcome<Self>, Failure>>;
}

macro_rules! kernels {
    ($($number:ident)*) => {$(
        impl Kernels for $number {
            fn evolve(batch: &[Evolution<Self>]) -> Vec<Result<Outcome<Self>, Failure>> {
                by_crews(batch)
            }
        }
    )*};
}

kernels! { f64 Dd Td Qd }

/// One by one: registers hold no more than one.
impl Kernels for Mp {
    fn evolve(batch: &[Evolution<Self>]) -> Vec<Result<Outcome<Self>, Failure>> {
        map(batch.len(), Grain::ANY, |i| reference::evolve(&batch[i]))
    }
}

fn by_crews<T: Scalar>(batch: &[Evolution<T>]) -> Vec<Result<Outcome<T>, Failure>> {
    let lanes = dispatch(Lanes);
    // As many crews as threads, if need be of fewer registers.
    let wide = batch.len() > 2 * lanes * rayon::current_num_threads();
    let size = if wide { 2 * lanes } else { lanes };
    let groups = alike(batch);
    let crews: Vec<&[usize]> = groups.iter().flat_map(|members| members.chunks(size)).collect();
    let of_crew = |at: usize| {
        let members: Vec<&Evolution<T>> = crews[at].iter().map(|&i| &batch[i]).collect();
        together(&members, lanes)
    };
    let outcomes = map(crews.len(), Grain::ANY, of_crew);
    let members = crews.iter().flat_map(|crew| crew.iter().copied());
    let mut all: Vec<_> = members.zip(outcomes.into_iter().flatten()).collect();
    let unsound = |(i, member): (usize, &Evolution<T>)| Some((i, Err(member.check().err()?)));
    all.extend(batch.iter().enumerate().filter_map(unsound));
    all.sort_unstable_by_key(|&(i, _)| i);
    all.into_iter().map(|(_, outcome)| outcome).collect()
}

/// The outcomes of members with the same stages.
fn together<T: Scalar>(
    members: &[&Evolution<T>],
    lanes: usize,
) -> Vec<Result<Outcome<T>, Failure>> {
    let alone = || members.iter().map(|member| reference::evolve(member)).collect();
    if members.len() == 1 {
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
