//! The host's side of transfers: rectangles of its memory that are read and written piece by piece,
//! and fresh memory.

use core::marker::PhantomData;
use core::ops::Range;

use nonius_gpu::{Error, bytes_of};
use nonius_linalg::cpu::memory::zero_bits;
use nonius_linalg::{MatMut, MatRef, Number, Numbers, Slice};

use crate::kind::Kind;

/// Bytes of the large pages that memory consists of where the system has some.
const LARGE_PAGE: usize = 2 << 20;
/// Bytes of the smallest pages, at the most.
const PAGE: usize = 64 << 10;

/// Does some work on a thread of the pool where it is `long`, so that it need not call the others
/// from outside at each copy.
pub fn in_pool<R: Send>(long: bool, work: impl FnOnce() -> R + Send) -> R {
    if long { rayon::scope(|_| work()) } else { work() }
}

/// `count` numbers with anything in them, zeros if they are limbs. The system supplies their pages
/// when they are first written, large pages where it has some.
pub(crate) fn numbers<T: Number>(format: T::Format, count: usize) -> Result<Numbers<T>, Error> {
    let cells = fresh::<T::Cell>(count)?;
    let words = fresh::<u64>(count.saturating_mul(T::words(format)))?;
    Ok(Numbers::from_parts(format, cells, words))
}

/// Room for `count` lanes.
pub(crate) fn room(count: usize) -> Result<Vec<f64>, Error> {
    fresh(count)
}

/// `count` values whose bits are all zero, which have to be a value of the type `P`.
fn fresh<P: Copy>(count: usize) -> Result<Vec<P>, Error> {
    let bytes = count.saturating_mul(size_of::<P>()) as u64;
    // SAFETY: cells and words of numbers, of which any bits are one.
    unsafe { zero_bits(count) }.ok_or(Error::OutOfHostMemory { asked: bytes })
}

/// Has the system supply pages, which takes it longer than the bus takes to fill them. Where it
/// does not know how, nothing happens.
pub(crate) fn supply(pages: Range<usize>) {
    if pages.is_empty() {
        return;
    }
    #[cfg(target_os = "linux")]
    {
        let start = core::ptr::without_provenance_mut(pages.start);
        // SAFETY: the range begins at a page, and what is there stays as it is.
        unsafe { libc::madvise(start, pages.len(), libc::MADV_POPULATE_WRITE) };
    }
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

/// Copies the lanes of a matrix's numbers, column by column.
pub(crate) fn gather<T: Number>(to: &mut [f64], from: MatRef<'_, T>) {
    if let Some(lanes) = lanes_of(from) {
        return to.copy_from_slice(lanes);
    }
    if let Some(numbers) = from.contiguous() {
        return gather_slice(to, numbers);
    }
    let height = Kind::of::<T>(from.format()).lanes() * from.rows();
    let columns = to.chunks_exact_mut(height);
    columns.enumerate().for_each(|(j, to)| gather_slice(to, from.column(j)));
}

/// The lanes of a matrix's numbers where they lie so on the host, column by column.
pub(crate) fn lanes_of<'a, T: Number>(from: MatRef<'a, T>) -> Option<&'a [f64]> {
    let numbers = from.contiguous().filter(|numbers| T::words(numbers.format()) == 0)?;
    let cells = numbers.cells();
    let count = size_of_val(cells) / size_of::<f64>();
    // SAFETY: numbers are sealed: without words, their cells are limbs.
    Some(unsafe { core::slice::from_raw_parts(cells.as_ptr().cast(), count) })
}

fn gather_slice<T: Number>(to: &mut [f64], from: Slice<'_, T>) {
    let (cells, words) = (bytes_of_cells::<T>(from.cells()), from.words());
    let lanes = Kind::of::<T>(from.format()).lanes();
    assert_eq!(to.len(), lanes * from.len(), "length of a copy");
    let count = T::words(from.format());
    if count == 0 {
        // SAFETY: any eight bytes are a number, and there are `to.len()` times as many.
        let limbs = unsafe { core::slice::from_raw_parts(cells.as_ptr().cast::<f64>(), to.len()) };
        return to.copy_from_slice(limbs);
    }
    let heads = cells.chunks_exact(size_of::<u32>());
    for ((to, words), head) in to.chunks_exact_mut(lanes).zip(words.chunks_exact(count)).zip(heads)
    {
        let (last, to) = to.split_last_mut().expect("a lane for the head");
        to.iter_mut().zip(words).for_each(|(to, &word)| *to = f64::from_bits(word));
        let head = head.first_chunk().copied().map_or(0, u32::from_ne_bytes);
        *last = f64::from_bits(head.into());
    }
}

/// The bytes of cells: of limbs, each in its eight bytes, or of heads in four.
pub(crate) fn bytes_of_cells<T: Number>(cells: &[T::Cell]) -> &[u8] {
    // SAFETY: numbers are sealed: their cells are one of the two, without gaps.
    unsafe { core::slice::from_raw_parts(cells.as_ptr().cast(), size_of_val(cells)) }
}

/// The same, to be changed.
pub(crate) fn bytes_of_cells_mut<T: Number>(cells: &mut [T::Cell]) -> &mut [u8] {
    // SAFETY: as above; any bits are a cell.
    unsafe { core::slice::from_raw_parts_mut(cells.as_mut_ptr().cast(), size_of_val(cells)) }
}

/// A rectangle of the host's memory that is written, its parts by several threads at the same time.
#[derive(Debug)]
pub(crate) struct Place<'a> {
    /// Limbs, or heads of numbers that have words.
    cells: *mut u8,
    words: *mut u64,
    /// Lanes of a number; all but one of them words, where there are words.
    lanes: usize,
    rows: usize,
    cols: usize,
    /// Numbers from one column to the next.
    ld: usize,
    borrowed: PhantomData<&'a mut [f64]>,
}

// SAFETY: like a `&mut [f64]`, it alone reaches its numbers.
unsafe impl Send for Place<'_> {}

impl<'a> Place<'a> {
    pub(crate) fn new<T: Number>(to: MatMut<'a, T>) -> Self {
        let lanes = Kind::of::<T>(to.format()).lanes();
        let ((rows, cols), ld) = (to.shape(), to.ld());
        let (cells, words) = to.into_numbers().into_parts();
        let has_words = lanes * size_of::<f64>() != size_of::<T::Cell>();
        let words = if has_words { words.as_mut_ptr() } else { core::ptr::null_mut() };
        let cells = cells.as_mut_ptr().cast();
        Self { cells, words, lanes, rows, cols, ld, borrowed: PhantomData }
    }

    /// Bytes of a cell.
    fn cell(&self) -> usize {
        if self.words.is_null() { self.lanes * size_of::<f64>() } else { size_of::<u32>() }
    }

    pub(crate) fn shape(&self) -> (usize, usize) {
        (self.rows, self.cols)
    }

    /// Lanes of a number.
    pub(crate) fn lanes_each(&self) -> usize {
        self.lanes
    }

    /// Lanes of all its numbers.
    pub(crate) fn lanes(&self) -> usize {
        self.lanes * self.rows * self.cols
    }

    /// Its [`parts`].
    pub(crate) fn cut(self, size: (usize, usize)) -> impl Iterator<Item = (Part, Place<'a>)> {
        parts(self.shape(), size).map(move |part| {
            let offset = part.row + part.col * self.ld;
            // SAFETY: the first number of the part is one of this rectangle's.
            let (cells, words) = unsafe { self.number(offset) };
            (part, Place { cells, words, rows: part.rows, cols: part.cols, ..self })
        })
    }

    /// Where the cell and the words of a number are.
    ///
    /// # Safety
    /// The number is one of the rectangle's.
    unsafe fn number(&self, index: usize) -> (*mut u8, *mut u64) {
        // SAFETY: by the caller; nothing is added to a null pointer.
        unsafe {
            let words = if self.words.is_null() { 0 } else { (self.lanes - 1) * index };
            (self.cells.add(self.cell() * index), self.words.add(words))
        }
    }

    /// Its pages, but those that it has to itself in part only, some at a time; none where there
    /// are gaps between its columns.
    pub(crate) fn pages(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let whole = if self.ld == self.rows || self.cols <= 1 { self.rows * self.cols } else { 0 };
        let (start, bytes) = if self.words.is_null() {
            (self.cells as usize, self.cell())
        } else {
            (self.words as usize, size_of::<u64>() * (self.lanes - 1))
        };
        let end = (start + bytes * whole) / PAGE * PAGE;
        let start = start.next_multiple_of(PAGE);
        // Large pages begin at multiples of their size: two threads in one would both have it
        // cleared.
        let first = start / LARGE_PAGE * LARGE_PAGE;
        let chunk = move |at: usize| start.max(at)..end.min(at + LARGE_PAGE);
        (first..end).step_by(LARGE_PAGE).map(chunk).filter(|pages| !pages.is_empty())
    }

    /// Writes the lanes of all numbers, column by column.
    pub(crate) fn fill(&mut self, from: &[f64]) {
        assert_eq!(from.len(), self.lanes(), "length of a copy");
        let (rows, cols) =
            if self.ld == self.rows { (self.rows * self.cols, 1) } else { self.shape() };
        let height = self.lanes * rows;
        for j in 0..cols {
            // SAFETY: a column of the rectangle, which is borrowed mutably; or all of them, without
            // gaps.
            unsafe {
                let (cells, words) = self.number(j * self.ld);
                self.fill_column((cells, words), rows, &from[j * height..(j + 1) * height]);
            }
        }
    }

    /// Writes the lanes of `count` numbers.
    ///
    /// # Safety
    /// The cells and words are those of `count` numbers of the rectangle.
    unsafe fn fill_column(&self, to: (*mut u8, *mut u64), count: usize, from: &[f64]) {
        let (cells, words) = to;
        // SAFETY: by the caller.
        let cells = unsafe { core::slice::from_raw_parts_mut(cells, self.cell() * count) };
        if self.words.is_null() {
            return cells.copy_from_slice(bytes_of(from));
        }
        let each = self.lanes - 1;
        // SAFETY: as above.
        let words = unsafe { core::slice::from_raw_parts_mut(words, each * count) };
        let heads = cells.chunks_exact_mut(size_of::<u32>());
        for ((from, words), head) in
            from.chunks_exact(self.lanes).zip(words.chunks_exact_mut(each)).zip(heads)
        {
            words.iter_mut().zip(from).for_each(|(to, lane)| *to = lane.to_bits());
            head.copy_from_slice(&(from[each].to_bits() as u32).to_ne_bytes());
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
            let mut numbers = numbers::<Td>((), count).expect("memory");
            let are_zero = |numbers: &Numbers<Td>| {
                numbers.len() == count && numbers.as_slice().iter().all(|x| x == Td::ZERO)
            };
            assert!(are_zero(&numbers));
            let range = numbers.as_slice().cells().as_ptr_range();
            let place = Place::new(MatMut::<Td>::from(numbers.as_mut_slice()));
            let mut end = range.start as usize;
            for pages in place.pages() {
                assert!(pages.start >= end && pages.len() <= LARGE_PAGE);
                supply(pages.clone());
                end = pages.end;
            }
            assert!(end <= range.end as usize);
            assert!(are_zero(&numbers));
        }
    }

    #[test]
    fn too_much_memory_is_an_error() {
        let error = numbers::<Td>((), usize::MAX).expect_err("more than there is");
        assert!(matches!(error, Error::OutOfHostMemory { asked: u64::MAX }), "{error}");
    }
}
