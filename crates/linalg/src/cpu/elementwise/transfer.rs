//! Copies between layouts.

use nonius_num::{Dd, Qd, Td};

use super::job::NUMBERS_OF_A_THREAD;
use super::{Job, Operation, Sink, Source, fused};
use crate::Pack;

/// Copies numbers of `limbs` limbs from one layout to another.
pub(crate) fn transfer(limbs: usize, source: Source<'_>, sink: Sink<'_>) {
    Job { limbs, sources: [source], sink }.fork(NUMBERS_OF_A_THREAD, &|job: Job<'_, 1>| match job
        .limbs
    {
        1 => fused::run_across::<f64, _>(Identity, job.sources[0], job.sink),
        2 => fused::run_across::<Dd, _>(Identity, job.sources[0], job.sink),
        3 => fused::run_across::<Td, _>(Identity, job.sources[0], job.sink),
        _ => fused::run_across::<Qd, _>(Identity, job.sources[0], job.sink),
    });
}

/// What it receives.
#[derive(Clone, Copy)]
struct Identity;

impl Operation<1> for Identity {
    #[inline(always)]
    fn pack<P: Pack>(self, [x]: [P; 1]) -> P {
        x
    }
}
