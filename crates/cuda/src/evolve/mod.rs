//! Vectors that evolve under tridiagonal matrices, on a device.
//!
//! A thread has a member of the batch; members with the same stages lie side by side, 32 in a [tile](tile::Tile). All stages of all members are one launch. A member that fails does so
//! again on the host, which finds out why.

mod plan;
mod tile;

use core::ops::Range;

use nonius_linalg::backend::{Evolve, Reference};
use nonius_linalg::evolve::{Evolution, Failure, Outcome, alike};
use nonius_linalg::{Error as LinalgError, Scalar};
use rayon::prelude::*;

use crate::backend::Cuda;
use crate::error::Error;
use crate::host;
use crate::kernels::Source;
use crate::lanes::{LANES, Lanes};
use crate::memory::{Buffer, bytes_of, bytes_of_mut};
use crate::module::{Shape, argument};

use plan::{Plan, Words};
use tile::WIDTH;

fn source(limbs: usize) -> Source {
    Source::new("evolve", limbs, "evolve.cu", &[])
}

/// Every module of this capability.
pub(crate) fn sources(limbs: usize) -> Vec<Source> {
    vec![source(limbs)]
}

impl<T: Scalar> Evolve<T> for Cuda {
    /// Half a gigabyte: with vectors of a thousand nodes three warps for each multiprocessor of the largest devices, which their memory's rate allows no more of.
    const TOGETHER: usize = 1 << 26;

    fn evolve(
        &self,
        batch: &[Evolution<T>],
    ) -> Result<Vec<Result<Outcome<T>, Failure>>, LinalgError> {
        let groups = alike(batch);
        let tiles: Vec<&[usize]> = groups.iter().flat_map(|group| group.chunks(WIDTH)).collect();
        let outcomes = self.fetch(|| run(self, &Plan::new(batch, &tiles)))?;
        let mut all: Vec<Option<Outcome<T>>> = batch.iter().map(|_| None).collect();
        for (tile, outcomes) in tiles.iter().zip(outcomes) {
            tile.iter().zip(outcomes).for_each(|(&i, outcome)| all[i] = outcome);
        }
        let lost = |(member, outcome): (&Evolution<T>, Option<Outcome<T>>)| match outcome {
            Some(outcome) => Ok(Ok(outcome)),
            None => Ok(Reference.evolve(core::slice::from_ref(member))?.remove(0)),
        };
        batch.par_iter().zip(all).map(lost).collect()
    }
}

/// The outcomes of the members of each tile; nothing for those that the device does not vouch for.
fn run<T: Scalar>(cuda: &Cuda, plan: &Plan<'_, T>) -> Result<Vec<Vec<Option<Outcome<T>>>>, Error> {
    if plan.tiles().is_empty() {
        return Ok(Vec::new());
    }
    let stream = cuda.stream();
    let kernel = cuda.device().module(&source(T::LIMBS))?.kernel(c"evolve")?;
    let Words { tiles, stages, numbers, firsts } = plan.words();
    let (tiles, stages) = (cuda.numbers(&tiles)?, cuda.numbers(&stages)?);
    let (numbers, firsts) = (cuda.numbers(&numbers)?, cuda.numbers(&firsts)?);
    let room = plan.room();
    let u = Buffer::of_numbers(stream, Some(room.u))?;
    let work = Buffer::of_numbers(stream, Some(room.work))?;
    let contacts = Buffer::new(stream, 4 * room.contacts)?;
    let failed = Buffer::new(stream, 4 * plan.lanes())?;
    let input = upload(cuda, plan)?;
    let buffers = [&tiles, &stages, &input, &u, &work, &numbers, &firsts, &contacts, &failed];
    let addresses = buffers.map(Buffer::address);
    let mut arguments = addresses.each_ref().map(argument);
    let grid = [plan.tiles().len() as u32, 1, 1];
    let shape = Shape { grid, block: [WIDTH as u32, 1, 1], shared: 0 };
    // SAFETY: the kernel takes tiles and their stages, which say where in the other memory their numbers are, as the plan laid it out.
    unsafe { kernel.launch(stream, shape, &mut arguments)? };
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
fn upload<T: Scalar>(cuda: &Cuda, plan: &Plan<'_, T>) -> Result<Buffer, Error> {
    let (stream, count) = (cuda.stream(), plan.room().input);
    let mut input = Buffer::of_numbers(stream, Some(count))?;
    let mut lanes = Lanes::new::<f64>(cuda.device(), stream, count)?;
    let pieces = lanes.pieces();
    host::in_pool(pieces > 1, || {
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
fn download<T: Scalar>(
    cuda: &Cuda,
    plan: &Plan<'_, T>,
    u: &Buffer,
    outcomes: &mut [Vec<Option<Outcome<T>>>],
) -> Result<(), Error> {
    let (stream, count) = (cuda.stream(), plan.room().u);
    let mut lanes = Lanes::new::<f64>(cuda.device(), stream, count)?;
    let queue = |lanes: &mut Lanes<'_>, index: usize| {
        let Range { start, end } = lanes.numbers(index);
        let (to, lane_stream) = lanes.idle(index)?.room(end - start);
        // SAFETY: the lane's memory is looked at only when the lane is idle.
        unsafe { u.read(lane_stream, 8 * start, bytes_of_mut(to)) }
    };
    let pieces = lanes.pieces();
    host::in_pool(pieces > 1, || {
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
