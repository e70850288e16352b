//! Matrices that are larger than a device's memory.
//!
//! [`OutOfCore`] is a backend whose matrices lie in the host's memory. An operation brings pieces
//! of its operands to the device, which computes with them, and the results back. While the device
//! works at one piece, the next comes and the last one goes: they are the two parts of a
//! [`Schedule::join`](crate::backend::Schedule::join). The algorithms of [`dense`](crate::dense)
//! run on it unchanged. An entry is the sum of the terms that it is on the device alone, in their
//! order, and how products are computed is chosen by whole operands; so results have the bits of
//! the device.
//!
//! **Traffic.** With room for `M` numbers of pieces, a product of `m × k` and `k × n` matrices that
//! is added to `C` keeps `w ≈ M/2k` columns on the device and moves `2mn + kn + mkn/w` numbers for
//! `mkn` multiply-adds: `2/k + 1/m + 2k/M` for each. Where the choice of a method looks at entries,
//! the operands travel once before. Factorisations by halves have products with up to `n/2` terms,
//! so that `C` goes there and back once for each of `log₂(n/SPAN)` halvings, and not once for each
//! block of columns. For example, a matrix of double-doubles of order 100 000 takes 160 GB. With
//! 128 GB on the device (`M = 4·10⁹`) its Cholesky factorisation moves about 0.8 TB of entries of
//! `C`, and 0.7 TB of factors, for 1.7·10¹⁴ multiply-adds: a byte for 110 of these. Numbers that a
//! device factors by [blocks](crate::backend::Panel::COLUMNS) of `c` columns move `2n³/3c` numbers
//! of `C` instead.
//!
//! A product needs room for some rows and columns of its operands with all terms, a panel of a
//! factorisation for all of its rows: for a few hundred lines of the matrix.

mod memory;
mod panels;
mod products;
mod stream;
mod triangles;

pub use products::Device;

use core::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use nonius_num::Element;

use crate::{Error, Number};

/// A device that computes with matrices of the host's memory: see the [module](self).
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::backend::Cpu;
/// use nonius_linalg::dense::{Method, solve_on};
/// use nonius_linalg::out_of_core::OutOfCore;
///
/// let a = Matrix::from_fn(60, 60, |i, j| 1.0 / (1 + i + 2 * j) as f64 + (i / 59 * j) as f64);
/// let b = Matrix::from_fn(60, 2, |i, j| (i + j) as f64);
/// // As if the processor had 4 KiB for matrices.
/// let small = OutOfCore::new(Cpu::default(), 4096);
/// let found = solve_on(small, a.view(), b.view(), Method::Lu)?;
/// let expected = solve_on(Cpu::default(), a.view(), b.view(), Method::Lu)?;
/// assert_eq!(found.x, expected.x);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct OutOfCore<B> {
    device: B,
    /// What the device has for matrices.
    bytes: usize,
    /// The first thing that failed: nothing is done from then on.
    failure: Arc<Mutex<Option<Error>>>,
}

/// Bytes of a number in memory.
pub fn bytes_of<T: Element>(format: T::Format) -> usize {
    size_of::<T::Cell>() + size_of::<u64>() * T::words(format)
}

/// Bytes of a device that solves a system of some order with so many right-hand sides in its own
/// memory: for the matrix, for right-hand sides and solution, for copies that factorisations make,
/// and as much again for what products make of their operands. Where a device has less, it is for
/// [`OutOfCore`].
pub fn system_bytes_in_core<T: Number>(format: T::Format, order: usize, columns: usize) -> usize {
    let square = order.saturating_mul(order);
    let numbers = square.saturating_add(square / 4);
    let numbers = numbers.saturating_add(order.saturating_mul(columns).saturating_mul(2));
    numbers.saturating_mul(2).saturating_mul(bytes_of::<T>(format))
}

/// Bytes of a device that multiplies `m × k` and `k × n` matrices, of sizes `[m, n, k]`, in its own
/// memory: for operands and product, and as much again for what it makes of them. Where a device
/// has less, they are for [`OutOfCore`].
pub fn product_bytes_in_core<T: Element>(format: T::Format, [m, n, k]: [usize; 3]) -> usize {
    let numbers = [(m, k), (k, n), (m, n)]
        .into_iter()
        .fold(0_usize, |numbers, (rows, cols)| numbers.saturating_add(rows.saturating_mul(cols)));
    numbers.saturating_mul(2).saturating_mul(bytes_of::<T>(format))
}

impl<B> OutOfCore<B> {
    /// The device, of whose memory matrices take so many bytes at most: but a line of each operand
    /// has to fit.
    pub fn new(device: B, bytes: usize) -> Self {
        Self { device, bytes, failure: Arc::default() }
    }

    /// What computes.
    pub fn device(&self) -> &B {
        &self.device
    }

    /// `Ok` where nothing has failed: for whoever has a result in the host's memory.
    ///
    /// # Errors
    /// What failed first.
    pub fn check(&self) -> Result<(), Error> {
        self.attempt(|| Ok(()))
    }

    /// Numbers that all pieces on the device have together. The other half of its memory is for
    /// what products make of them.
    fn room<T: Number>(&self, format: T::Format) -> usize {
        self.bytes / 2 / bytes_of::<T>(format)
    }

    /// Does something, unless something has failed; keeps a failure.
    fn attempt<R>(&self, work: impl FnOnce() -> Result<R, Error>) -> Result<R, Error> {
        let failure = || self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(failure) = &*failure() {
            return Err(failure.clone());
        }
        work().inspect_err(|error| {
            failure().get_or_insert_with(|| error.clone());
        })
    }

    /// [`attempt`](Self::attempt) of what has no result: whoever fetches one learns of a failure.
    fn queue(&self, work: impl FnOnce() -> Result<(), Error>) {
        // It is kept.
        let _ = self.attempt(work);
    }
}

/// Cuts `count` lines into pieces of so many.
fn pieces(count: usize, size: usize) -> impl Iterator<Item = Range<usize>> {
    (0..count).step_by(size).map(move |start| start..count.min(start + size))
}

/// Lines of a piece, at least one and at most `count`; a multiple of 64 where they are many.
fn lines(most: usize, count: usize) -> usize {
    let most = most.clamp(1, count.max(1));
    if most < count && most >= 64 { most / 64 * 64 } else { most }
}
