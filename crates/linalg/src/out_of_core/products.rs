//! Products, of which the device computes piece by piece.

use core::cmp::Ordering;
use core::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{OutOfCore, lines, pieces};
use crate::backend::{Gemm, Memory, Schedule, Share, Syrk};
use crate::dense::gemm::{Report, Way, Whole};
use crate::dense::{Transpose, Triangle};
use crate::{Error, MatMut, MatRef, Number};

/// A device that computes pieces.
pub trait Device<T: Number>: Share<T> + Memory<T, Matrix: Send + Sync> + Schedule {}

impl<T: Number, B: Share<T> + Memory<T, Matrix: Send + Sync> + Schedule> Device<T> for B {}

/// A product but for its operands.
#[derive(Clone, Copy)]
pub(super) struct Product<T> {
    pub(super) way: Way,
    pub(super) transposes: [Transpose; 2],
    pub(super) alpha: T,
    pub(super) beta: T,
}

/// Some rows of `op(A)`.
fn rows_of<T: Number>(op: Transpose, a: MatRef<'_, T>, rows: Range<usize>) -> MatRef<'_, T> {
    let (start, count) = (rows.start, rows.len());
    match op {
        Transpose::No => a.block(start, 0, count, a.cols()),
        Transpose::Yes => a.block(0, start, a.rows(), count),
    }
}

/// Some columns of `op(B)`.
fn cols_of<T: Number>(op: Transpose, b: MatRef<'_, T>, cols: Range<usize>) -> MatRef<'_, T> {
    rows_of(op.flipped(), b, cols)
}

/// Rows and columns of the pieces of an `m × n` product with `k` terms, where there is room for so
/// many numbers: columns on the right that stay on the device, two pieces of rows on the left, and
/// three of the result.
fn sizes(room: usize, [m, n, k]: [usize; 3]) -> (usize, usize) {
    let k = k.max(1);
    let width = lines(room / 2 / k, n);
    (lines(room / 2 / (2 * k + 3 * width), m), width)
}

impl<B> OutOfCore<B> {
    /// `C ← α·op(A)·op(B) + β·C`
    pub(super) fn multiply<T: Number>(
        &self,
        product: Product<T>,
        a: MatRef<'_, T>,
        b: MatRef<'_, T>,
        mut c: MatMut<'_, T>,
    ) -> Result<Report, Error>
    where
        B: Device<T>,
    {
        let ((m, n), [op_a, op_b]) = (c.shape(), product.transposes);
        let (_, k) = op_a.shape(a.shape());
        let (height, width) = sizes(self.room::<T>(c.format()), [m, n, k]);
        let mut report = Report::direct();
        for cols in pieces(n, width) {
            let right = self.device.upload(cols_of(op_b, b, cols.clone()));
            let c = c.reborrow().block_mut(0, cols.start, m, cols.len());
            report = self.multiply_rows(product, height, a, self.device.view(&right), c)?;
        }
        Ok(report)
    }

    /// The same, `height` rows at a time, where `op(B)` is on the device.
    fn multiply_rows<T: Number>(
        &self,
        product: Product<T>,
        height: usize,
        a: MatRef<'_, T>,
        b: B::Ref<'_>,
        c: MatMut<'_, T>,
    ) -> Result<Report, Error>
    where
        B: Device<T>,
    {
        let (device, Product { way, transposes, alpha, beta }) = (&self.device, product);
        let [op_a, op_b] = transposes;
        let load = |rows: &Range<usize>, c: MatRef<'_, T>| {
            let left = device.upload(rows_of(op_a, a, rows.clone()));
            let here = match beta == T::ZERO {
                true => device.room(c.format(), rows.len(), c.cols()),
                false => device.upload(rows_of(Transpose::No, c, rows.clone())),
            };
            (left, here, Report::direct())
        };
        let work = |(left, here, report): &mut (B::Matrix, B::Matrix, Report)| {
            let (a, to) = (device.view(left), device.view_mut(here));
            *report = device.gemm_by(way, op_a, op_b, alpha, a, b, beta, to);
        };
        let mut report = Report::direct();
        let store =
            |rows: &Range<usize>, (_, here, how): (_, B::Matrix, Report), c: MatMut<'_, T>| {
                let cols = c.cols();
                let mut to = c.block_mut(rows.start, 0, rows.len(), cols);
                to.copy_from(device.download(device.view(&here))?.view());
                report = how;
                Ok(())
            };
        let rows = pieces(c.rows(), height);
        self.stream(rows, c, load, work, store)?;
        Ok(report)
    }

    /// One triangle of `C ← α·op(A)·op(A)ᵀ + β·C`: for some columns the square on the diagonal, and
    /// the rows beside it.
    fn multiply_triangle<T: Number>(
        &self,
        triangle: Triangle,
        product: Product<T>,
        a: MatRef<'_, T>,
        mut c: MatMut<'_, T>,
    ) -> Result<(), Error>
    where
        B: Device<T>,
    {
        let ((m, n), device) = (c.shape(), &self.device);
        let Product { way, transposes: [op, _], alpha, beta } = product;
        let (_, k) = op.shape(a.shape());
        let (height, width) = sizes(self.room::<T>(c.format()), [m, n, k]);
        for cols in pieces(n, width) {
            let (start, end, count) = (cols.start, cols.end, cols.len());
            let right = device.upload(rows_of(op, a, cols));
            let right = device.view(&right);
            let mut c = c.reborrow().block_mut(0, start, m, count);
            let mut square = device.upload(c.as_ref().block(start, 0, count, count));
            let to = device.view_mut(&mut square);
            device.syrk_by(way, triangle, op, alpha, right, beta, to);
            let found = device.download(device.view(&square))?;
            c.reborrow().block_mut(start, 0, count, count).copy_from(found.view());
            let beside = match triangle {
                Triangle::Lower => end..m,
                Triangle::Upper => 0..start,
            };
            let left = rows_of(op, a, beside.clone());
            let c = c.block_mut(beside.start, 0, beside.len(), count);
            self.multiply_rows(product, height, left, right, c)?;
        }
        Ok(())
    }

    /// How a product is computed: what the device asks of whole operands, one question after the
    /// other, is found from all pieces.
    fn choose<T: Number>(
        &self,
        whole: &Whole<'_>,
        (op_a, a): (Transpose, MatRef<'_, T>),
        (op_b, b): (Transpose, MatRef<'_, T>),
    ) -> Way
    where
        B: Device<T>,
    {
        let ((m, k), (_, n)) = (op_a.shape(a.shape()), op_b.shape(b.shape()));
        let size = self.room::<T>(a.format()) / 2 / k.max(1);
        let cut = |count: usize| -> Vec<Range<usize>> {
            // The device is asked of no lines too, where other devices have some.
            let none = core::iter::once(0..0).filter(|_| count == 0);
            none.chain(pieces(count, lines(size, count))).collect()
        };
        let [rows, cols] = [m, n].map(cut);
        let ask =
            |rows: &Range<usize>, cols: &Range<usize>, greatest: &(dyn Fn(&mut [f64]) + Sync)| {
                let left = self.device.upload(rows_of(op_a, a, rows.clone()));
                let right = self.device.upload(cols_of(op_b, b, cols.clone()));
                let (left, right) = (self.device.view(&left), self.device.view(&right));
                self.device.way(&Whole { greatest, ..*whole }, (op_a, left), (op_b, right))
            };
        let mut answers: Vec<Vec<f64>> = Vec::new();
        loop {
            // The first question is about lines, the others are about pairs of them.
            let last = |all: &[Range<usize>], i: usize| all[i.min(all.len() - 1)].clone();
            let pairs: Vec<_> = match answers.len() {
                0 => (0..rows.len().max(cols.len()))
                    .map(|i| (last(&rows, i), last(&cols, i)))
                    .collect(),
                _ => cols
                    .iter()
                    .flat_map(|cols| rows.iter().map(|rows| (rows.clone(), cols.clone())))
                    .collect(),
            };
            let next: Mutex<Option<Vec<f64>>> = Mutex::new(None);
            for (rows, cols) in &pairs {
                let asked = Mutex::new(0);
                let way = ask(rows, cols, &|numbers| answer(&answers, &asked, &next, numbers));
                if value(&next).is_none() {
                    return way;
                }
            }
            let mut answer = value(&next).take().unwrap_or_default();
            (whole.greatest)(&mut answer);
            answers.push(answer);
        }
    }
}

/// What a mutex holds.
fn value<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers a question where the answer is known, and joins the numbers of the next one.
fn answer(
    known: &[Vec<f64>],
    asked: &Mutex<usize>,
    next: &Mutex<Option<Vec<f64>>>,
    numbers: &mut [f64],
) {
    let question = core::mem::replace(&mut *value(asked), known.len() + 1);
    match question.cmp(&known.len()) {
        Ordering::Less => {
            numbers.copy_from_slice(&known[question]);
            *value(asked) = question + 1;
        }
        Ordering::Equal => {
            let mut next = value(next);
            let greatest = next.get_or_insert_with(|| numbers.to_vec());
            for (most, &x) in greatest.iter_mut().zip(&*numbers) {
                // NaN where one is.
                if !most.is_nan() && (x.is_nan() || x > *most) {
                    *most = x;
                }
            }
        }
        Ordering::Greater => {}
    }
}

impl<T: Number, B: Device<T>> Share<T> for OutOfCore<B> {
    fn way(
        &self,
        whole: &Whole<'_>,
        a: (Transpose, MatRef<'_, T>),
        b: (Transpose, MatRef<'_, T>),
    ) -> Way {
        self.choose(whole, a, b)
    }

    fn gemm_by(
        &self,
        way: Way,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: MatRef<'_, T>,
        b: MatRef<'_, T>,
        beta: T,
        c: MatMut<'_, T>,
    ) -> Report {
        let product = Product { way, transposes: [transpose_a, transpose_b], alpha, beta };
        let report = self.attempt(|| self.multiply(product, a, b, c));
        report.unwrap_or_else(|_| Report::direct())
    }

    fn syrk_by(
        &self,
        way: Way,
        triangle: Triangle,
        transpose: Transpose,
        alpha: T,
        a: MatRef<'_, T>,
        beta: T,
        c: MatMut<'_, T>,
    ) {
        let product = Product { way, transposes: [transpose, transpose.flipped()], alpha, beta };
        self.queue(|| self.multiply_triangle(triangle, product, a, c));
    }
}

impl<B> OutOfCore<B> {
    #[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
    fn product<T: Number>(
        &self,
        queued: bool,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: MatRef<'_, T>,
        b: MatRef<'_, T>,
        beta: T,
        c: MatMut<'_, T>,
    ) -> Report
    where
        B: Device<T>,
    {
        let sizes = [c.rows(), c.cols(), transpose_a.shape(a.shape()).1];
        let whole = Whole { queued, ..Whole::alone(sizes, false) };
        let way = self.choose(&whole, (transpose_a, a), (transpose_b, b));
        self.gemm_by(way, transpose_a, transpose_b, alpha, a, b, beta, c)
    }
}

impl<T: Number, B: Device<T>> Gemm<T> for OutOfCore<B> {
    fn check_products(&self) -> Result<(), Error> {
        self.device.check_products()
    }

    fn gemm(
        &self,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: MatRef<'_, T>,
        b: MatRef<'_, T>,
        beta: T,
        c: MatMut<'_, T>,
    ) -> Report {
        self.product(false, transpose_a, transpose_b, alpha, a, b, beta, c)
    }

    fn queue_gemm(
        &self,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: MatRef<'_, T>,
        b: MatRef<'_, T>,
        beta: T,
        c: MatMut<'_, T>,
    ) {
        self.product(true, transpose_a, transpose_b, alpha, a, b, beta, c);
    }
}

impl<T: Number, B: Device<T>> Syrk<T> for OutOfCore<B> {
    fn syrk(
        &self,
        triangle: Triangle,
        transpose: Transpose,
        alpha: T,
        a: MatRef<'_, T>,
        beta: T,
        c: MatMut<'_, T>,
    ) {
        let sizes = [c.rows(), c.cols(), transpose.shape(a.shape()).1];
        let whole = Whole { queued: true, ..Whole::alone(sizes, true) };
        let first = rows_of(transpose, a, 0..c.cols());
        let way = self.choose(&whole, (transpose, a), (transpose.flipped(), first));
        self.syrk_by(way, triangle, transpose, alpha, a, beta, c);
    }
}
