//! Long operations: numbers are gathered into tiles of planes, so that each function is compiled
//! once for both layouts and for ends that do not fill a register.

use core::marker::PhantomData;

use nonius_num::{Dd, Lane, Qd, Td};

use super::super::simd::{Kernel, dispatch};
use super::storage::LIMBS;
use super::{Job, Operation, Sink, Source, job, transfer};
use crate::{Pack, Scalar};

/// Numbers in a tile: a few registers, so that a tile stays in the nearest cache.
pub(super) const TILE: usize = 64;

/// Limbs that one thread should have at least.
pub(super) const LIMBS_OF_A_THREAD: usize = job::NUMBERS_OF_A_THREAD / 32;

/// Planes of some numbers.
pub(super) type Tile = [[f64; TILE]; LIMBS];

impl<const K: usize> Job<'_, K> {
    /// Does the job with an operation of hundreds of instructions.
    pub(crate) fn tiled(self, operation: impl Operation<K>) {
        self.fork(LIMBS_OF_A_THREAD, &|job: Job<'_, K>| match job.limbs {
            1 => run::<K, f64>(operation, job),
            2 => run::<K, Dd>(operation, job),
            3 => run::<K, Td>(operation, job),
            _ => run::<K, Qd>(operation, job),
        });
    }
}

/// `sink ← operation(sources)` on this thread.
fn run<const K: usize, T: Scalar>(operation: impl Operation<K>, mut job: Job<'_, K>) {
    // Ones are in every function's domain or cheap: registers that are not full compute with them.
    let mut tiles: [Tile; K] = [[[1.0; TILE]; LIMBS]; K];
    loop {
        let count = job.sink.len(T::LIMBS).min(TILE);
        if count == 0 {
            return;
        }
        let (mut now, later) = job.split_at(count);
        for (tile, source) in tiles.iter_mut().zip(now.sources) {
            let source = match source {
                Source::Sink => now.sink.source(),
                _ => source,
            };
            transfer(T::LIMBS, source, sink_of::<T>(tile, count));
        }
        dispatch(OnTile { operation, tiles: &mut tiles, count, scalar: PhantomData::<T> });
        transfer(T::LIMBS, source_of::<T>(&tiles[0], count), now.sink.reborrow());
        job = later;
    }
}

pub(super) fn sink_of<T: Scalar>(tile: &mut Tile, count: usize) -> Sink<'_> {
    let mut planes: [&mut [f64]; LIMBS] = Default::default();
    for (to, plane) in planes.iter_mut().zip(tile).take(T::LIMBS) {
        *to = &mut plane[..count];
    }
    Sink::Planar(planes)
}

pub(super) fn source_of<T: Scalar>(tile: &Tile, count: usize) -> Source<'_> {
    let plane = |limb: usize| if limb < T::LIMBS { &tile[limb][..count] } else { &[] };
    Source::Planar(core::array::from_fn(plane))
}

/// Computes with the first `count` numbers of the tiles, the result in place of the first operand.
struct OnTile<'a, O, T, const K: usize> {
    operation: O,
    tiles: &'a mut [Tile; K],
    count: usize,
    scalar: PhantomData<T>,
}

impl<O: Operation<K>, T: Scalar, const K: usize> Kernel for OnTile<'_, O, T, K> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        for at in (0..self.count).step_by(L::LANES) {
            let load = |tile: &Tile| T::Pack::<L>::from_limbs(|limb| L::load(&tile[limb][at..]));
            let mut operands = [load(&self.tiles[0]); K];
            for k in 1..K {
                operands[k] = load(&self.tiles[k]);
            }
            let result = self.operation.pack(operands);
            for (limb, plane) in self.tiles[0].iter_mut().enumerate().take(T::LIMBS) {
                result.limb(limb).store(&mut plane[at..]);
            }
        }
    }
}
