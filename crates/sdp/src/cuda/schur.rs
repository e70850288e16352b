//! The Schur complement `B_ij = Fᵢ•(U·Fⱼ·V)`, for each column by the [formula](super::formula) that
//! is fastest.
//!
//! Of `U·Fⱼ·V` the transpose `(V·Fⱼ)·U` is computed, for many columns at once: `V·Fⱼ` one below the
//! other are one factor of a product of matrices. With these sums take entries and their mirror
//! images alike, so that neither transposes nor symmetric parts are needed. A pair of constraints
//! of few entries has a thread, one of many a warp.

use nonius_comm::dense::Cargo;
use nonius_cuda::{DeviceMatrix, DeviceMut, DeviceRef, Layout};
use nonius_gpu::Error;
use nonius_linalg::BinaryOp;
use nonius_linalg::backend::{Elementwise, Gemm, ViewMut};
use nonius_linalg::dense::{Operand, Transpose};

use super::arguments::{Left, SCHUR_DIAGONAL, SCHUR_LEFT, SCHUR_SPARSE};
use super::blocks::{CudaBlocks, zeros};
use super::columns::Columns;
use super::cone::CudaCone;
use super::filled::{Factors, Images, sparse};
use super::full::Full;
use super::launch::{MOST_BLOCKS, shape};
use super::part::Part;
use super::sources::schur_source;

/// Bytes that the factors and products of many columns take at the most.
const MOST_COLUMN_BYTES: u64 = 1 << 30;
/// The part of all memory that they take at the most.
const SHARE_OF_MEMORY: u64 = 64;

impl<T: Cargo> CudaCone<T> {
    /// Forms the lower triangle.
    pub(super) fn launch_schur(
        &self,
        u: &CudaBlocks<T>,
        v: &CudaBlocks<T>,
        b: &mut DeviceMatrix<T>,
    ) -> Result<(), Error> {
        b.clear()?;
        let b = b.as_mut().layout();
        self.schur_of_diagonal(u.diagonal.as_ref(), v.diagonal.as_ref(), b)?;
        let blocks = self.positions.iter().zip(&self.orders);
        for ((part, columns), (&position, &order)) in
            self.squares.iter().zip(&self.columns).zip(blocks)
        {
            let (u, v) = (u.square(position, order), v.square(position, order));
            self.sparse_columns(part, columns, (u, v), b)?;
            self.full_columns(part, &columns.full, (u, v), b)?;
        }
        Ok(())
    }

    fn schur_of_diagonal(
        &self,
        u: DeviceRef<'_, T>,
        v: DeviceRef<'_, T>,
        b: Layout,
    ) -> Result<(), Error> {
        let Part { pattern, entries, .. } = &self.diagonal;
        if pattern.count == 0 {
            return Ok(());
        }
        let mut weights: DeviceMatrix<T> = zeros(&self.gpu, self.format, self.order, 1)?;
        self.gpu.elementwise(
            BinaryOp::Mul,
            [Operand::Entries(u), Operand::Entries(v)],
            weights.as_mut(),
        );
        self.weights_of_cones(u, v, weights.as_mut())?;
        let matrices = [weights.as_ref().layout(), b];
        let (shape, of_diagonal) = pattern.of_diagonal(*entries, self.numbers.pointer(), matrices);
        // SAFETY: the diagonal's lists have the rows of the weights and the constraints that are
        // the columns of `B`.
        unsafe { self.launch(&schur_source(self.kind()), SCHUR_DIAGONAL, shape, &of_diagonal)? };
        self.schur_of_cones(u, v, b)
    }

    fn sparse_columns(
        &self,
        part: &Part<T>,
        columns: &Columns,
        (u, v): (DeviceRef<'_, T>, DeviceRef<'_, T>),
        b: Layout,
    ) -> Result<(), Error> {
        let list = (columns.sparse, columns.sparse_count);
        let matrices = [u.layout(), v.layout(), b];
        let (shape, sparse) = sparse(part.entries, part.count, list, columns.is_long, matrices);
        // SAFETY: the columns are matrices of the part, whose entries lie in `U` and `V` and
        // whose constraints are rows of `B`.
        unsafe { self.launch(&schur_source(self.kind()), SCHUR_SPARSE, shape, &sparse) }
    }

    fn full_columns(
        &self,
        part: &Part<T>,
        full: &Full,
        (u, v): (DeviceRef<'_, T>, DeviceRef<'_, T>),
        b: Layout,
    ) -> Result<(), Error> {
        let (count, order) = (full.of_all.len(), u.layout().shape().0);
        if count == 0 {
            return Ok(());
        }
        let together = self.together(order).min(count);
        let rows = together * order;
        let [mut left, mut product]: [DeviceMatrix<T>; 2] = [
            DeviceMatrix::new_in(self.gpu.stream(), self.format, rows, order)?,
            DeviceMatrix::new_in(self.gpu.stream(), self.format, rows, order)?,
        ];
        for first in (0..count).step_by(together) {
            let of_all = first..count.min(first + together);
            let own = full.own(of_all.clone());
            left.clear()?;
            let height = own.len() * order;
            let mut factor = left.as_mut().block_mut(0, 0, height, order);
            let to = product.as_mut().block_mut(0, 0, height, order);
            let a = to.layout();
            let lines = full.starts[own.start]..full.starts[own.end];
            let arguments = Left {
                lines: full.lines.add(lines.start),
                count: lines.len() as i64,
                rows: full.rows,
                entries: full.entries,
                values: part.values.as_ref().layout(),
                v: v.layout(),
                to: factor.reborrow().layout(),
                first: own.start as i64,
            };
            let (source, shape) = (schur_source(self.kind()), shape(order, lines.len()));
            // SAFETY: lines are columns of the part's matrices from the first on, for each of
            // which the factor has as many rows as `V`.
            unsafe { self.launch(&source, SCHUR_LEFT, shape, &arguments)? };
            self.multiply_columns(of_all.len() * order, factor.as_ref(), u, to);
            if own.is_empty() {
                continue;
            }
            let list = full.columns.add(own.start);
            let columns = Some((list, own.len()));
            let factors = Factors { a, order, images: Images::Other, columns, to: b };
            self.launch_products(part, &factors, full.matrices[own.start] as usize)?;
        }
        Ok(())
    }

    /// The product of some rows of a factor that has `height` rows on all ranks together.
    fn multiply_columns(
        &self,
        height: usize,
        factor: DeviceRef<'_, T>,
        u: DeviceRef<'_, T>,
        to: DeviceMut<'_, T>,
    ) {
        let no = Transpose::No;
        match &self.together_with {
            None => self.gpu.queue_gemm(no, no, T::ONE, factor, u, T::ZERO, to),
            Some(ranks) => ranks.queue_rows::<T>(height, factor, u, to),
        }
    }

    /// How many matrices of that order are multiplied at once.
    fn together(&self, order: usize) -> usize {
        let room = MOST_COLUMN_BYTES.min(self.gpu.device().info().memory / SHARE_OF_MEMORY);
        let bytes = 2 * (order * order * self.kind().lanes() * size_of::<f64>()) as u64;
        usize::try_from(room / bytes.max(1)).unwrap_or(usize::MAX).clamp(1, MOST_BLOCKS)
    }
}
