//! Vectors that evolve under tridiagonal matrices, on a device, in one of two ways.
//!
//! **Chains.** A thread has a member of the batch and does what the reference does, operation by
//! operation, with the same bits; members with the same stages lie side by side, 32 in a
//! tile. A step of `n` nodes takes as long as `2n` operations that wait for each
//! other.
//!
//! Numbers of any precision are always computed as chains.
//!
//! **Scans.** A block of threads has a member, a thread a chunk of nodes. The recurrences of
//! elimination and substitution, with an obstacle in the form of Brennan and Schwartz, are
//! functions of one number that threads compose in pairs, fours and so on
//! (`kernels/option/scan.cuh`). Bits are others than the host's; those of a member are the same in
//! every batch that is computed by scans. A step's error is of the size of that of the order of
//! operations of [`evolve`](crate::evolve), see there: composed slopes of a matrix that is strictly
//! diagonally dominant by rows are bounded, so that scans add up what recurrences do. Members with
//! other matrices are computed as chains.
//!
//! All stages of all members are one launch, of scans one for each number of nodes. A member that
//! fails does so again on the host, which finds out why.

// The launch of kernels.
#![allow(unsafe_code)]

mod arguments;
#[cfg(test)]
mod blocks;
mod laid;
mod plan;
#[cfg(test)]
mod tests;
mod tile;
mod way;

use core::ops::Range;
use std::sync::LazyLock;

use include_dir::{Dir, include_dir};
use nonius_cuda::{Cuda, Kind, in_pool};
use nonius_gpu::{Buffer, Error, LANES, Lanes, Shape, Source, Texts, bytes_of, bytes_of_mut};
use nonius_linalg::Error as LinalgError;
use nonius_linalg::backend::Reference;
use nonius_num::{Dd, Mp, Qd, Td};
use rayon::prelude::*;

use crate::evolve::{Evolution, Evolve, Failure, Outcome, alike, in_one_format};

use arguments::{Batch, EVOLVE, Tile};
use plan::{Kernel, Plan, Words};
use way::{Block, TOGETHER, Way};

pub use laid::Laid;
pub use way::Recurrences;

static FOLDER: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/kernels");

static TEXTS: LazyLock<Texts> =
    LazyLock::new(|| Texts::of_folder(&FOLDER).with(nonius_cuda::texts()));

/// The kernels of a way.
fn source(way: Way, kind: Kind) -> Source {
    let module = |name, file| kind.source(&TEXTS, name, file).entry(EVOLVE);
    match way {
        Way::Chain => module("evolve", "option/evolve.cu"),
        Way::Scan => module("evolve-scan", "option/evolve_scan.cu")
            .define("THREADS", Block::most_threads(kind.lanes())),
    }
}

/// The modules that evolutions on a GPU ask for: all of limbs, and those of usual bits. For other
/// bits they are compiled when they are asked for.
pub fn sources() -> Vec<Source> {
    let of_kind = |kind| {
        let ways = match kind {
            Kind::Limbs(_) => &[Way::Chain, Way::Scan][..],
            Kind::Mp(_) => &[Way::Chain],
        };
        ways.iter().map(move |&way| source(way, kind))
    };
    Kind::usual().flat_map(of_kind).collect()
}

/// Numbers whose evolutions on a GPU are compiled with this crate.
pub trait OnCuda: Laid {
    /// The GPU.
    fn evolver(gpu: &Cuda) -> &dyn Evolve<Self>;
}

macro_rules! on_cuda {
    ($($number:ident)*) => {$(
        impl OnCuda for $number {
            fn evolver(gpu: &Cuda) -> &dyn Evolve<Self> {
                gpu
            }
        }
    )*};
}

on_cuda! { f64 Dd Td Qd Mp }

impl<T: Laid> Evolve<T> for Cuda {
    fn together(&self) -> usize {
        TOGETHER
    }

    fn evolve(
        &self,
        batch: &[Evolution<T>],
        of: usize,
    ) -> Result<Vec<Result<Outcome<T>, Failure>>, LinalgError> {
        CudaEvolver { gpu: self, recurrences: Recurrences::default() }.evolve(batch, of)
    }
}

/// A GPU that computes recurrences in a stated way.
#[derive(Clone, Copy, Debug)]
pub struct CudaEvolver<'a> {
    /// The GPU.
    pub gpu: &'a Cuda,
    /// The way.
    pub recurrences: Recurrences,
}

impl<T: Laid> Evolve<T> for CudaEvolver<'_> {
    fn together(&self) -> usize {
        TOGETHER
    }

    fn evolve(
        &self,
        batch: &[Evolution<T>],
        of: usize,
    ) -> Result<Vec<Result<Outcome<T>, Failure>>, LinalgError> {
        let run = |plan: &Plan<'_, T>| self.gpu.fetch(|| run(self.gpu, plan));
        evolve_by((batch, of), self.recurrences, self.gpu.device().shared_memory(), run)
    }
}

/// For each tile of a plan the outcomes of its members; nothing for those that kernels do not vouch
/// for.
type Found<T> = Vec<Vec<Option<Outcome<T>>>>;

/// The outcomes of a batch, one of several with `of` members. `run` computes the members of each
/// format and way by kernels whose blocks have `shared` bytes of shared memory.
fn evolve_by<T: Laid>(
    (batch, of): (&[Evolution<T>], usize),
    recurrences: Recurrences,
    shared: usize,
    run: impl Fn(&Plan<'_, T>) -> Result<Found<T>, LinalgError>,
) -> Result<Vec<Result<Outcome<T>, Failure>>, LinalgError> {
    let batch = &*in_one_format(batch);
    let groups = alike(batch);
    let ways = Way::of_all(recurrences, batch, of);
    let kinds: Vec<(Way, T::Format)> =
        ways.into_iter().zip(batch.iter().map(Evolution::format)).collect();
    let mut different: Vec<(Way, T::Format)> = Vec::new();
    for &i in groups.iter().flatten() {
        if !different.contains(&kinds[i]) {
            different.push(kinds[i]);
        }
    }
    let mut all: Vec<Option<Outcome<T>>> = batch.iter().map(|_| None).collect();
    for kind in different {
        let of_kind = |group: &Vec<usize>| {
            group.iter().copied().filter(|&member| kinds[member] == kind).collect()
        };
        let groups: Vec<Vec<usize>> = groups.iter().map(of_kind).collect();
        let plan = Plan::new(kind, batch, &groups, shared);
        for (tile, outcomes) in plan.tiles().iter().zip(run(&plan)?) {
            tile.places.iter().zip(outcomes).for_each(|(&i, outcome)| all[i] = outcome);
        }
    }
    let lost = |(member, outcome): (&Evolution<T>, Option<Outcome<T>>)| match outcome {
        Some(outcome) => Ok(Ok(outcome)),
        None => Ok(Reference.evolve(core::slice::from_ref(member), 1)?.remove(0)),
    };
    batch.par_iter().zip(all).map(lost).collect()
}

/// Computes the members of a plan on a device.
fn run<T: Laid>(cuda: &Cuda, plan: &Plan<'_, T>) -> Result<Found<T>, Error> {
    if plan.tiles().is_empty() {
        return Ok(Vec::new());
    }
    let stream = cuda.stream();
    let kernel = cuda.device().module(&source(plan.way(), plan.kind()))?.kernel(EVOLVE)?;
    let Words { tiles, stages, numbers, firsts } = plan.words()?;
    let (tiles, stages) = (cuda.numbers(&tiles)?, cuda.numbers(&stages)?);
    let (numbers, firsts) = (cuda.numbers(&numbers)?, cuda.numbers(&firsts)?);
    let room = plan.room();
    let u = Buffer::of_numbers(stream, Some(room.u))?;
    let work = Buffer::of_numbers(stream, Some(room.work))?;
    let mut contacts = Buffer::new(stream, 4 * room.contacts)?;
    contacts.clear()?;
    let failed = Buffer::new(stream, 4 * plan.lanes())?;
    let input = upload(cuda, plan)?;
    for Kernel { first, count, threads, shared, in_work } in plan.launches() {
        kernel.allow_shared(shared)?;
        let batch = Batch {
            tiles: tiles.pointer::<Tile>().add(first).into(),
            stages: stages.pointer(),
            input: input.pointer(),
            u: u.pointer(),
            work: work.pointer(),
            numbers: numbers.pointer(),
            firsts: firsts.pointer(),
            contacts: contacts.pointer(),
            failed: failed.pointer().add(first * plan.way().width()),
            in_work,
        };
        let shape = Shape { grid: [count as u32, 1, 1], block: [threads, 1, 1], shared };
        // SAFETY: tiles and their stages say where in the other memory their numbers are, as the
        // plan laid it out.
        unsafe { kernel.launch(stream, shape, &batch)? };
    }
    let (mut touched, mut faults) = (vec![0; room.contacts], vec![0; plan.lanes()]);
    // SAFETY: looked at when the stream has been waited for; any bytes are such numbers.
    unsafe {
        contacts.read(stream, 0, bytes_of_mut(&mut touched))?;
        failed.read(stream, 0, bytes_of_mut(&mut faults))?;
    }
    stream.synchronize()?;
    let mut outcomes = plan.outcomes(&touched, &faults);
    download(cuda, plan, &u, &mut outcomes)?;
    Ok(outcomes)
}

/// The members' vectors on the device, sent in pieces.
fn upload<T: Laid>(cuda: &Cuda, plan: &Plan<'_, T>) -> Result<Buffer, Error> {
    let (stream, count) = (cuda.stream(), plan.room().input);
    let mut input = Buffer::of_numbers(stream, Some(count))?;
    let mut lanes = Lanes::new(cuda.device().lanes(), stream, count)?;
    let pieces = lanes.pieces();
    in_pool(pieces > 1, || {
        for index in 0..pieces {
            let Range { start, end } = lanes.numbers(index);
            let lane = lanes.idle(index)?;
            plan.fill(start, lane.limbs_mut(end - start));
            // SAFETY: the lane's memory is written again only when the lane is idle.
            unsafe {
                input.write(lane.stream(), 8 * start, bytes_of(lane.limbs(end - start)))?;
            }
        }
        lanes.join(stream)
    })?;
    Ok(input)
}

/// Puts the vectors on the device into the outcomes, in pieces.
fn download<T: Laid>(
    cuda: &Cuda,
    plan: &Plan<'_, T>,
    u: &Buffer,
    outcomes: &mut [Vec<Option<Outcome<T>>>],
) -> Result<(), Error> {
    let (stream, count) = (cuda.stream(), plan.room().u);
    let mut lanes = Lanes::new(cuda.device().lanes(), stream, count)?;
    let queue = |lanes: &mut Lanes<'_>, index: usize| {
        let Range { start, end } = lanes.numbers(index);
        let (to, lane_stream) = lanes.idle(index)?.room(end - start);
        // SAFETY: the lane's memory is looked at only when the lane is idle.
        unsafe { u.read(lane_stream, 8 * start, bytes_of_mut(to)) }
    };
    let pieces = lanes.pieces();
    in_pool(pieces > 1, || {
        for index in 0..pieces.min(LANES) {
            queue(&mut lanes, index)?;
        }
        for index in 0..pieces {
            let Range { start, end } = lanes.numbers(index);
            plan.take(start, lanes.idle(index)?.limbs(end - start), outcomes);
            if index + LANES < pieces {
                queue(&mut lanes, index + LANES)?;
            }
        }
        lanes.join(stream)
    })
}
