//! The host's side of transfers: rectangles of its memory that are read and written piece by piece,
//! and fresh memory.

use core::marker::PhantomData;
use core::ops::Range;
use std::alloc::{Layout, alloc_zeroed};

use nonius_gpu::Error;
use nonius_linalg::{MatMut, MatRef, Scalar, limbs_of};

/// Bytes of the large pages that are asked for.
const LARGE_PAGE: usize = 2 << 20;
/// Bytes of the smallest pages, at the most.
const PAGE: usize = 64 << 10;

/// Does some work on a thread of the pool where it is `long`, so that it need not call the others
/// from outside at each copy.
pub fn in_pool<R: Send>(long: bool, work: impl FnOnce() -> R + Send) -> R {
    if long { rayon::scope(|_| work()) } else { work() }
}

/// So many zeros. The system supplies their pages when they are first written, large ones where it
/// has some.
pub(crate) fn zeros<T: Scalar>(count: usize) -> Result<Vec<T>, Error> {
    let too_much = |asked| Error::OutOfHostMemory { asked };
    let layout = Layout::array::<T>(count).map_err(|_| too_much(u64::MAX))?;
    if layout.size() == 0 {
        return Ok(Vec::new());
    }
    // SAFETY: the size is not zero.
    let start = unsafe { alloc_zeroed(layout) };
    if start.is_null() {
        return Err(too_much(layout.size() as u64));
    }
    // SAFETY: the global allocator's memory for `count` numbers; a number of zero bytes is zero.
    let numbers = unsafe { Vec::from_raw_parts(start.cast::<T>(), count, count) };
    let first = start as usize;
    let whole =
        first.next_multiple_of(LARGE_PAGE)..(first + layout.size()) / LARGE_PAGE * LARGE_PAGE;
    advise(whole, Advice::LargePages);
    Ok(numbers)
}

/// What the system is told of memory.
#[derive(Clone, Copy)]
enum Advice {
    /// Large pages are welcome.
    LargePages,
    /// It will be written soon.
    Supply,
}

/// Tells the system about pages; no content changes. Where the system does not know the advice,
/// nothing happens.
fn advise(pages: Range<usize>, advice: Advice) {
    if pages.is_empty() {
        return;
    }
    #[cfg(target_os = "linux")]
    {
        let advice = match advice {
            Advice::LargePages => libc::MADV_HUGEPAGE,
            Advice::Supply => libc::MADV_POPULATE_WRITE,
        };
        let start = core::ptr::without_provenance_mut(pages.start);
        // SAFETY: the range begins at a page; either advice leaves what is there as it is.
        unsafe { libc::madvise(start, pages.len(), advice) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = advice;
}

/// Has the system supply pages, which takes it longer than the bus takes to fill them.
pub(crate) fn supply(pages: Range<usize>) {
    advise(pages, Advice::Supply);
}

/// A part of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) row: usize,
    pub(crate) col: usize,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
}

/// The parts of a matrix, of `height` rows and `width` columns each but for the last ones, column
/// by column.
pub(crate) fn parts(
    (rows, cols): (usize, usize),
    (height, width): (usize, usize),
) -> impl Iterator<Item = Part> {
    (0..cols).step_by(width).flat_map(move |col| {
        let across = width.min(cols - col);
        let part = move |row| Part { row, col, rows: height.min(rows - row), cols: across };
        (0..rows).step_by(height).map(part)
    })
}

/// Copies the limbs of a matrix's numbers, column by column.
pub(crate) fn gather<T: Scalar>(to: &mut [f64], from: MatRef<'_, T>) {
    if let Some(numbers) = from.as_contiguous() {
        return to.copy_from_slice(limbs_of(numbers));
    }
    let columns = to.chunks_exact_mut(T::LIMBS * from.rows());
    columns.enumerate().for_each(|(j, to)| to.copy_from_slice(limbs_of(from.col(j))));
}

/// A rectangle of the host's memory that is written, its parts by several threads at the same time.
#[derive(Debug)]
pub(crate) struct Place<'a> {
    start: *mut f64,
    /// Limbs of a number.
    limbs: usize,
    rows: usize,
    cols: usize,
    /// Numbers from one column to the next.
    ld: usize,
    borrowed: PhantomData<&'a mut [f64]>,
}

// SAFETY: like a `&mut [f64]`, it alone reaches its numbers.
unsafe impl Send for Place<'_> {}

impl<'a> Place<'a> {
    pub(crate) fn new<T: Scalar>(mut to: MatMut<'a, T>) -> Self {
        const { assert!(size_of::<T>() == T::LIMBS * size_of::<f64>()) };
        let ((rows, cols), ld) = (to.shape(), to.ld());
        let start = to.as_mut_ptr().cast();
        Self { start, limbs: T::LIMBS, rows, cols, ld, borrowed: PhantomData }
    }

    pub(crate) fn shape(&self) -> (usize, usize) {
        (self.rows, self.cols)
    }

    /// Limbs of all its numbers.
    pub(crate) fn limbs(&self) -> usize {
        self.limbs * self.rows * self.cols
    }

    /// Its [`parts`].
    pub(crate) fn cut(self, size: (usize, usize)) -> impl Iterator<Item = (Part, Place<'a>)> {
        parts(self.shape(), size).map(move |part| {
            let offset = self.limbs * (part.row + part.col * self.ld);
            // SAFETY: the first number of the part is one of this rectangle's.
            let start = unsafe { self.start.add(offset) };
            (part, Place { start, rows: part.rows, cols: part.cols, ..self })
        })
    }

    /// Its pages, but those that it has to itself in part only, some at a time; none where there
    /// are gaps between its columns.
    pub(crate) fn pages(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let whole = if self.ld == self.rows || self.cols <= 1 { self.rows * self.cols } else { 0 };
        let start = self.start as usize;
        let end = (start + size_of::<f64>() * self.limbs * whole) / PAGE * PAGE;
        let start = start.next_multiple_of(PAGE);
        // Large pages begin at multiples of their size: two threads in one would both have it
        // cleared.
        let first = start / LARGE_PAGE * LARGE_PAGE;
        let chunk = move |at: usize| start.max(at)..end.min(at + LARGE_PAGE);
        (first..end).step_by(LARGE_PAGE).map(chunk).filter(|pages| !pages.is_empty())
    }

    /// Writes the limbs of all numbers, column by column.
    pub(crate) fn fill(&mut self, from: &[f64]) {
        let height = self.limbs * self.rows;
        assert_eq!(from.len(), self.limbs(), "length of a copy");
        let (height, count) =
            if self.ld == self.rows { (from.len(), 1) } else { (height, self.cols) };
        for j in 0..count {
            // SAFETY: a column of the rectangle, which is borrowed mutably; or all of them, without
            // gaps.
            let to = unsafe {
                core::slice::from_raw_parts_mut(self.start.add(j * self.limbs * self.ld), height)
            };
            to.copy_from_slice(&from[j * height..(j + 1) * height]);
        }
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
    fn parts_make_up_the_whole() {
        let sizes = [(1, 1), (3, 7), (5, 2), (8, 9)];
        for (size, shape) in sizes.iter().flat_map(|&size| [(size, (5, 7)), (size, (5, 0))]) {
            let mut seen = Matrix::<f64>::zeros(shape.0, shape.1);
            for Part { row, col, rows, cols } in parts(shape, size) {
                assert!(rows > 0 && cols > 0);
                for (i, j) in (row..row + rows).flat_map(|i| (col..col + cols).map(move |j| (i, j)))
                {
                    seen[(i, j)] += 1.0;
                }
            }
            assert!(seen.as_slice().iter().all(|&count| count == 1.0), "{size:?}");
        }
    }

    /// In pieces of some sizes, with gaps between the columns of either side and without.
    #[test]
    fn numbers_arrive_where_they_belong() {
        let (rows, cols) = (37, 11);
        let a = numbered(rows + 2, cols);
        for (gaps_from, gaps_to) in [(0, 0), (2, 0), (0, 3), (2, 3)] {
            let from = MatRef::from_parts(a.as_slice(), rows, cols, rows + gaps_from);
            let mut to = vec![Td::ZERO; (rows + gaps_to) * cols];
            for size in [(rows, 4), (10, 1), (rows, cols), (1, 3)] {
                to.fill(Td::ZERO);
                let place = MatMut::from_parts(&mut to, rows, cols, rows + gaps_to);
                for (Part { row, col, rows, cols }, mut place) in Place::new(place).cut(size) {
                    let mut limbs = vec![f64::NAN; 3 * rows * cols];
                    gather(&mut limbs, from.block(row, col, rows, cols));
                    place.fill(&limbs);
                }
                let found = MatRef::from_parts(&to, rows, cols, rows + gaps_to);
                assert!(found.to_matrix() == from.to_matrix(), "{size:?}");
                let between =
                    (0..cols).flat_map(|j| rows + j * (rows + gaps_to)..(j + 1) * (rows + gaps_to));
                assert!(between.clone().all(|i| to[i] == Td::ZERO), "{size:?}");
            }
        }
    }

    #[test]
    fn fresh_memory_is_zero_and_has_its_pages_once() {
        for count in [0, 1, 5461, 300_001] {
            let mut numbers = zeros::<Td>(count).expect("memory");
            assert!(numbers.len() == count && numbers.iter().all(|&x| x == Td::ZERO));
            let range = numbers.as_ptr_range();
            let place = Place::new(MatMut::from_column(&mut numbers));
            let mut end = range.start as usize;
            for pages in place.pages() {
                assert!(pages.start >= end && pages.len() <= LARGE_PAGE);
                supply(pages.clone());
                end = pages.end;
            }
            assert!(end <= range.end as usize);
            assert!(numbers.iter().all(|&x| x == Td::ZERO));
        }
    }

    #[test]
    fn too_much_memory_is_an_error() {
        let error = zeros::<Td>(usize::MAX).expect_err("more than there is");
        assert!(matches!(error, Error::OutOfHostMemory { asked: u64::MAX }), "{error}");
    }
}
