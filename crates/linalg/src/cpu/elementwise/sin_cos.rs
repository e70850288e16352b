//! Sine and cosine in one pass: the reduction of the argument is done once for both.

use core::marker::PhantomData;

use nonius_num::Lane;

use super::super::limbs::{limbs_of, limbs_of_mut};
use super::super::simd::{Kernel, dispatch};
use super::storage::LIMBS;
use super::tiled::{LIMBS_OF_A_THREAD, TILE, Tile, sink_of, source_of};
use super::{Sink, Source, transfer};
use crate::threads::{available, join};
use crate::{MatMut, MatRef, Pack, Scalar};

/// `sin ← sin x` and `cos ← cos x`, entry by entry. Panics when the shapes do not fit.
pub(in crate::cpu) fn sin_cos<T: Scalar>(
    x: MatRef<'_, T>,
    mut sin: MatMut<'_, T>,
    mut cos: MatMut<'_, T>,
) {
    let (rows, cols) = x.shape();
    assert_eq!((sin.shape(), cos.shape()), ((rows, cols), (rows, cols)), "shapes of the results");
    if rows == 0 || cols == 0 {
        return;
    }
    let contiguous = [x, sin.as_ref(), cos.as_ref()].iter().all(MatRef::is_contiguous);
    let (runs, count) = if contiguous { (1, rows * cols) } else { (cols, rows) };
    for j in 0..runs {
        of_run(x.run(j, count), sin.run_mut(j, count), cos.run_mut(j, count));
    }
}

fn of_run<T: Scalar>(x: &[T], sin: &mut [T], cos: &mut [T]) {
    if x.len() * T::LIMBS > LIMBS_OF_A_THREAD && available() > 1 {
        let middle = x.len() / 2;
        let (left, right) = x.split_at(middle);
        let (left_sin, right_sin) = sin.split_at_mut(middle);
        let (left_cos, right_cos) = cos.split_at_mut(middle);
        join(|| of_run(left, left_sin, left_cos), || of_run(right, right_sin, right_cos));
        return;
    }
    let mut tiles: [Tile; 2] = [[[1.0; TILE]; LIMBS]; 2];
    let results = sin.chunks_mut(TILE).zip(cos.chunks_mut(TILE));
    for (x, (sin, cos)) in x.chunks(TILE).zip(results) {
        let count = x.len();
        transfer(T::LIMBS, Source::Interleaved(limbs_of(x)), sink_of::<T>(&mut tiles[0], count));
        dispatch(OnTile { tiles: &mut tiles, count, scalar: PhantomData::<T> });
        for (tile, to) in tiles.iter().zip([sin, cos]) {
            transfer(T::LIMBS, source_of::<T>(tile, count), Sink::Interleaved(limbs_of_mut(to)));
        }
    }
}

/// Replaces the first `count` numbers of the first tile by their sines; their cosines go to the
/// second.
struct OnTile<'a, T> {
    tiles: &'a mut [Tile; 2],
    count: usize,
    scalar: PhantomData<T>,
}

impl<T: Scalar> Kernel for OnTile<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        for at in (0..self.count).step_by(L::LANES) {
            let x = T::Pack::<L>::from_limbs(|limb| L::load(&self.tiles[0][limb][at..]));
            let (sin, cos) = x.sin_cos();
            for limb in 0..T::LIMBS {
                sin.limb(limb).store(&mut self.tiles[0][limb][at..]);
                cos.limb(limb).store(&mut self.tiles[1][limb][at..]);
            }
        }
    }
}
