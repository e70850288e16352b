//! Numbers in memory as the innermost loops step through them: addresses, and the layout as a type.

// A kernel may read the vector that it writes, which no pair of slices allows.
#![allow(unsafe_code)]

use core::slice;

use nonius_num::Lane;

use super::storage::{LIMBS, Sink, Source};
use crate::Pack;

/// Most lanes of a register.
const LANES: usize = 8;

/// A register's worth of numbers, in either layout.
pub(super) type Buffer = [f64; LIMBS * LANES];

/// Where the limbs of the first number lie; those beyond the last limb are not used.
pub(super) type Starts = [*mut f64; LIMBS];

/// The order of limbs in memory.
pub(super) trait Layout: Copy + Send + Sync {
    /// The addresses of a vector.
    ///
    /// Panics for a vector in another layout.
    fn source(x: Source<'_>) -> Starts;

    /// The addresses of a vector that is written.
    ///
    /// Panics for a vector in another layout.
    fn sink(z: &mut Sink<'_>) -> Starts;

    /// The addresses of a buffer's numbers.
    fn buffer(buffer: &mut Buffer) -> Starts;

    /// A register's worth of numbers from number `at` on.
    ///
    /// # Safety
    /// They lie in the vector, and nothing else writes them meanwhile.
    unsafe fn load<P: Pack>(from: Starts, at: usize) -> P;

    /// Writes a register's worth of numbers from number `at` on.
    ///
    /// # Safety
    /// They lie in the vector, may be written, and nothing else reads or writes them meanwhile.
    unsafe fn store<P: Pack>(to: Starts, at: usize, x: P);

    /// Copies `count` numbers of `limbs` limbs from number `at` on to the first of another vector
    /// of this layout.
    ///
    /// # Safety
    /// They lie in the vectors, may be read and written, and do not overlap.
    unsafe fn copy(from: Starts, at: usize, to: Starts, to_at: usize, limbs: usize, count: usize);
}

/// Numbers one after the other, limb by limb.
#[derive(Clone, Copy)]
pub(super) struct Interleaved;

/// An array for each limb.
#[derive(Clone, Copy)]
pub(super) struct Planar;

impl Layout for Interleaved {
    fn source(x: Source<'_>) -> Starts {
        let Source::Interleaved(x) = x else { unreachable!("operands lie as the layout says") };
        [x.as_ptr().cast_mut(); LIMBS]
    }

    fn sink(z: &mut Sink<'_>) -> Starts {
        let Sink::Interleaved(z) = z else { unreachable!("the result lies as the layout says") };
        [z.as_mut_ptr(); LIMBS]
    }

    fn buffer(buffer: &mut Buffer) -> Starts {
        [buffer.as_mut_ptr(); LIMBS]
    }

    #[inline(always)]
    unsafe fn load<P: Pack>(from: Starts, at: usize) -> P {
        let count = P::LIMBS * P::Lane::LANES;
        // SAFETY: by the contract.
        P::load(unsafe { slice::from_raw_parts(from[0].add(at * P::LIMBS), count) })
    }

    #[inline(always)]
    unsafe fn store<P: Pack>(to: Starts, at: usize, x: P) {
        let count = P::LIMBS * P::Lane::LANES;
        // SAFETY: by the contract.
        x.store(unsafe { slice::from_raw_parts_mut(to[0].add(at * P::LIMBS), count) });
    }

    unsafe fn copy(from: Starts, at: usize, to: Starts, to_at: usize, limbs: usize, count: usize) {
        // SAFETY: by the contract.
        unsafe {
            let (from, to) = (from[0].add(at * limbs), to[0].add(to_at * limbs));
            from.copy_to_nonoverlapping(to, count * limbs);
        }
    }
}

impl Layout for Planar {
    fn source(x: Source<'_>) -> Starts {
        let Source::Planar(x) = x else { unreachable!("operands lie as the layout says") };
        x.map(|plane| plane.as_ptr().cast_mut())
    }

    fn sink(z: &mut Sink<'_>) -> Starts {
        let Sink::Planar(z) = z else { unreachable!("the result lies as the layout says") };
        z.each_mut().map(|plane| plane.as_mut_ptr())
    }

    fn buffer(buffer: &mut Buffer) -> Starts {
        let mut planes = buffer.chunks_exact_mut(LANES);
        core::array::from_fn(|_| planes.next().map_or(core::ptr::null_mut(), <[f64]>::as_mut_ptr))
    }

    #[inline(always)]
    unsafe fn load<P: Pack>(from: Starts, at: usize) -> P {
        // SAFETY: by the contract.
        P::from_limbs(|limb| unsafe {
            P::Lane::load(slice::from_raw_parts(from[limb].add(at), P::Lane::LANES))
        })
    }

    #[inline(always)]
    unsafe fn store<P: Pack>(to: Starts, at: usize, x: P) {
        for limb in 0..P::LIMBS {
            // SAFETY: by the contract.
            let plane = unsafe { slice::from_raw_parts_mut(to[limb].add(at), P::Lane::LANES) };
            x.limb(limb).store(plane);
        }
    }

    unsafe fn copy(from: Starts, at: usize, to: Starts, to_at: usize, limbs: usize, count: usize) {
        for limb in 0..limbs {
            // SAFETY: by the contract.
            unsafe { from[limb].add(at).copy_to_nonoverlapping(to[limb].add(to_at), count) };
        }
    }
}
