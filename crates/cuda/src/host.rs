//! Copies within the host's memory, by all threads of the current pool: one processor alone copies at a fraction of the bus's rate.

use core::mem::MaybeUninit;

use nonius_linalg::{MatRef, Scalar, limbs_of};
use rayon::prelude::*;

use crate::error::Error;

/// Bytes that one thread copies at a time.
const BLOCK: usize = 128 << 10;
/// Bytes of the smallest pages, at the least, and of the large ones that are asked for.
const PAGE: usize = 4 << 10;
const LARGE_PAGE: usize = 2 << 20;

/// Does some work on a thread of the pool where it is `long`, so that it need not call the others from outside at each copy.
pub(crate) fn in_pool<R: Send>(long: bool, work: impl FnOnce() -> R + Send) -> R {
    if long { rayon::scope(|_| work()) } else { work() }
}

/// Memory for so many numbers, none of them there yet.
pub(crate) fn reserve<T: Scalar>(count: usize) -> Result<Vec<T>, Error> {
    let mut numbers = Vec::new();
    let asked = count.saturating_mul(size_of::<T>()) as u64;
    numbers.try_reserve_exact(count).map_err(|_| Error::OutOfHostMemory { asked })?;
    Ok(numbers)
}

/// Limbs of numbers that need not be there.
pub(crate) fn limbs_of_room<T: Scalar>(room: &mut [MaybeUninit<T>]) -> &mut [MaybeUninit<f64>] {
    const { assert!(size_of::<T>() == T::LIMBS * size_of::<f64>()) };
    let count = room.len() * T::LIMBS;
    // SAFETY: a `Scalar` is `LIMBS` numbers side by side without padding, as in `limbs_of`, and any of them may be written.
    unsafe { core::slice::from_raw_parts_mut(room.as_mut_ptr().cast(), count) }
}

/// Has the system supply the pages of fresh memory, which takes it longer than the bus takes to fill them: large ones where
/// it has some, and under all threads. Overwrites what is there.
pub(crate) fn touch(room: &mut [MaybeUninit<f64>]) {
    if size_of_val(room) <= BLOCK {
        return;
    }
    let large = LARGE_PAGE / size_of::<f64>();
    // Large pages begin at multiples of their size: two threads in one would both have it cleared.
    let before = room.as_ptr().align_offset(LARGE_PAGE).min(room.len());
    let (first, rest) = room.split_at_mut(before);
    ask_for_large_pages(rest);
    let supply = |part: &mut [MaybeUninit<f64>]| {
        part.iter_mut().step_by(PAGE / size_of::<f64>()).for_each(|x| _ = x.write(0.0));
    };
    rayon::join(|| supply(first), || rest.par_chunks_mut(large).for_each(supply));
}

/// Asks for large pages; what does not fill one keeps small ones.
fn ask_for_large_pages(room: &mut [MaybeUninit<f64>]) {
    let bytes = size_of_val(room) / LARGE_PAGE * LARGE_PAGE;
    #[cfg(target_os = "linux")]
    if bytes > 0 {
        // SAFETY: the range lies in memory that is borrowed mutably and begins at a page. The advice changes no content; where
        // the system knows no large pages, it fails and nothing is lost.
        unsafe { libc::madvise(room.as_mut_ptr().cast(), bytes, libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = bytes;
}

/// So many zeros, written by all threads.
pub(crate) fn zeros<T: Scalar>(count: usize) -> Result<Vec<T>, Error> {
    let mut numbers = reserve::<T>(count)?;
    let room = limbs_of_room(&mut numbers.spare_capacity_mut()[..count]);
    touch(room);
    let block = BLOCK / size_of::<f64>();
    room.par_chunks_mut(block).for_each(|part| part.fill(MaybeUninit::new(0.0)));
    // SAFETY: the capacity is `count` at least, and every limb is written.
    unsafe { numbers.set_len(count) };
    Ok(numbers)
}

/// Copies limbs to memory of the same length.
pub(crate) fn fill(to: &mut [MaybeUninit<f64>], from: &[f64]) {
    assert_eq!(to.len(), from.len(), "length of a copy");
    // SAFETY: numbers that are there are a case of numbers that may be.
    let from: &[MaybeUninit<f64>] =
        unsafe { core::slice::from_raw_parts(from.as_ptr().cast(), from.len()) };
    let block = BLOCK / size_of::<f64>();
    if to.len() <= block {
        return to.copy_from_slice(from);
    }
    to.par_chunks_mut(block)
        .zip(from.par_chunks(block))
        .for_each(|(to, from)| to.copy_from_slice(from));
}

/// Copies the limbs of a matrix's numbers from number `first` on, counted column by column.
pub(crate) fn gather<T: Scalar>(to: &mut [f64], from: MatRef<'_, T>, first: usize) {
    let block = BLOCK / size_of::<T>();
    let copy = |index: usize, to: &mut [f64]| gather_block(to, from, first + index * block);
    if to.len() <= block * T::LIMBS {
        return copy(0, to);
    }
    to.par_chunks_mut(block * T::LIMBS).enumerate().for_each(|(index, to)| copy(index, to));
}

fn gather_block<T: Scalar>(mut to: &mut [f64], from: MatRef<'_, T>, first: usize) {
    let (mut i, mut j) = (first % from.rows(), first / from.rows());
    while !to.is_empty() {
        let column = limbs_of(&from.col(j)[i..]);
        let (part, rest) = to.split_at_mut(column.len().min(to.len()));
        part.copy_from_slice(&column[..part.len()]);
        (to, i, j) = (rest, 0, j + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_linalg::Matrix;
    use nonius_num::Td;

    /// Numbers whose limbs say where they stand.
    fn numbered(rows: usize, cols: usize) -> Matrix<Td> {
        Matrix::from_fn(rows, cols, |i, j| {
            let first = (1 + i + j * rows) as f64;
            Td::from_limbs(
                [1.0, f64::EPSILON / 4.0, f64::EPSILON.powi(2) / 16.0].map(|x| first * x),
            )
        })
    }

    #[test]
    fn numbers_of_columns_with_gaps_follow_one_another() {
        let a = numbered(3001, 7);
        let part = MatRef::from_parts(a.as_slice(), 2999, 7, 3001);
        let whole = part.to_matrix();
        let limbs = limbs_of(whole.as_slice());
        for (first, count) in [(0, 2999 * 7), (0, 1), (2998, 2), (5000, 15_993), (4321, 12_345)] {
            let mut to = vec![0.0; 3 * count];
            gather(&mut to, part, first);
            assert!(to == limbs[3 * first..3 * (first + count)], "{count} from {first} on");
        }
    }

    #[test]
    fn fresh_memory_takes_what_is_copied() {
        for count in [0, 1, 5461, 5462, 300_001] {
            let a = numbered(count, 1);
            let mut numbers = reserve::<Td>(count).expect("memory");
            let room = limbs_of_room(&mut numbers.spare_capacity_mut()[..count]);
            touch(room);
            fill(room, limbs_of(a.as_slice()));
            // SAFETY: `fill` has written every limb.
            unsafe { numbers.set_len(count) };
            assert!(numbers == a.as_slice(), "{count}");
        }
    }

    #[test]
    fn too_much_memory_is_an_error() {
        let error = reserve::<Td>(usize::MAX).expect_err("more than there is");
        assert!(matches!(error, Error::OutOfHostMemory { asked: u64::MAX }), "{error}");
    }
}
