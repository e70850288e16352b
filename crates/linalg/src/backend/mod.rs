//! What the algorithms ask of the machine they run on.
//!
//! An algorithm is written once, generic over a backend. It names the traits that it uses, and owns
//! the loops over blocks and what follows from pivots. A backend owns memory and kernels.
//! [`Reference`] and [`Cpu`] compute in the host's memory. A device brings its own matrices and
//! views: no trait here lets an algorithm touch an entry.
//!
//! Shapes are the algorithm's duty, and so is [`Gemm::check_products`]; a backend may panic where
//! they do not fit. Operations are not fallible, so that they can be queued: a device keeps its
//! first failure, does nothing from then on, and reports the failure to whoever fetches a result.
//!
//! An algorithm of one's own runs on any of them:
//!
//! ```
//! use nonius_linalg::backend::{Cpu, Gemm, Memory, Reference};
//! use nonius_linalg::dense::Transpose::No;
//! use nonius_linalg::{Error, MatRef, Matrix, Number};
//! use nonius_num::Qd;
//!
//! /// `A³`
//! fn cube<T: Number, B: Gemm<T>>(backend: &B, a: MatRef<'_, T>) -> Result<Matrix<T>, Error> {
//!     let a = backend.upload(a);
//!     let [mut square, mut cube] = [(); 2].map(|()| backend.copy_of(backend.view(&a)));
//!     let (one, zero, a) = (T::ONE, T::ZERO, backend.view(&a));
//!     backend.gemm(No, No, one, a, a, zero, backend.view_mut(&mut square));
//!     backend.gemm(No, No, one, a, backend.view(&square), zero, backend.view_mut(&mut cube));
//!     backend.download(backend.view(&cube))
//! }
//! let a = Matrix::from_fn(2, 2, |i, j| Qd::from([[1.0, 1.0], [0.0, 1.0]][i][j]));
//! assert_eq!(cube(&Reference, a.view())?[(0, 1)], 3.0);
//! assert_eq!(cube(&Reference, a.view())?, cube(&Cpu::default(), a.view())?);
//! # Ok::<(), Error>(())
//! ```

mod breakdown;
mod diagonalize;
mod host;
mod reading;
mod round;
mod segment;
mod space;

pub use breakdown::Breakdown;
pub use diagonalize::{Corrections, Diagonalize, Spectrum};
pub use host::{Cpu, Reference};
pub use reading::Reading;
pub use round::Round;
pub use segment::{SEGMENT, Segments, Words};
pub use space::{NumberOp, Sign, Space};

use crate::dense::gemm::{Places, Report, Way, Whole};
use crate::dense::{Diagonal, Operand, Side, Transpose, Triangle};
use crate::operation::Operations;
use crate::{Error, MatRef, Matrix, Number};

/// Matrices in a backend's memory, and rectangles of them.
pub trait Memory<T: Number>: Clone {
    /// A matrix.
    type Matrix;
    /// A rectangle that is only read.
    type Ref<'a>: View<T>;
    /// A rectangle that is written.
    type Mut<'a>: ViewMut<T, Self>;

    /// A matrix of zeros.
    fn zeros(&self, format: T::Format, rows: usize, cols: usize) -> Self::Matrix;
    /// A matrix with anything in it, for whoever writes all of it.
    fn room(&self, format: T::Format, rows: usize, cols: usize) -> Self::Matrix {
        self.zeros(format, rows, cols)
    }
    /// Ones on the diagonal, zeros elsewhere.
    fn identity(&self, format: T::Format, rows: usize, cols: usize) -> Self::Matrix;
    /// Copies a host matrix to this memory.
    fn upload(&self, a: MatRef<'_, T>) -> Self::Matrix;
    /// Copies a rectangle to the host, when all that was queued before is done.
    ///
    /// # Errors
    /// [`Error::Device`]: the first failure of anything that this backend was asked to do.
    fn download(&self, a: Self::Ref<'_>) -> Result<Matrix<T>, Error>;
    /// [`download`](Self::download) of what is on and below the diagonal; above it may be anything.
    ///
    /// # Errors
    /// As [`download`](Self::download).
    fn download_lower(&self, a: Self::Ref<'_>) -> Result<Matrix<T>, Error> {
        self.download(a)
    }
    /// Copies a rectangle to a matrix of its own.
    fn copy_of(&self, a: Self::Ref<'_>) -> Self::Matrix;
    /// Copies a rectangle over another of the same shape.
    fn copy(&self, from: Self::Ref<'_>, to: Self::Mut<'_>);
    /// The whole matrix, to be read.
    fn view<'a>(&self, a: &'a Self::Matrix) -> Self::Ref<'a>;
    /// The whole matrix, to be written.
    fn view_mut<'a>(&self, a: &'a mut Self::Matrix) -> Self::Mut<'a>;
}

/// A rectangle of a backend's memory that is only read.
pub trait View<T: Number>: Copy + Send + Sync {
    /// Number of rows and columns.
    fn shape(&self) -> (usize, usize);
    /// The format of the entries.
    fn format(&self) -> T::Format;
    /// The rectangle of `rows × cols` entries whose first is `(row, col)`.
    #[must_use]
    fn block(self, row: usize, col: usize, rows: usize, cols: usize) -> Self;
}

/// A rectangle of a backend's memory that is written.
pub trait ViewMut<T: Number, M: Memory<T>>: Sized + Send {
    /// Number of rows and columns.
    fn shape(&self) -> (usize, usize);
    /// The format of the entries.
    fn format(&self) -> T::Format;
    /// The same entries, only to be read.
    fn as_ref(&self) -> M::Ref<'_>;
    /// The same rectangle for a shorter time.
    fn reborrow(&mut self) -> M::Mut<'_>;
    /// The rectangle of `rows × cols` entries whose first is `(row, col)`.
    #[must_use]
    fn block_mut(self, row: usize, col: usize, rows: usize, cols: usize) -> Self;
    /// Columns before `col` and from `col` on.
    fn split_cols(self, col: usize) -> (Self, Self);
}

/// Operations entry by entry, with the bits of the scalar operations.
pub trait Elementwise<T: Number>: Memory<T> {
    /// `output ← operation(operands)`.
    fn elementwise<const K: usize>(
        &self,
        operation: impl Operations<K>,
        operands: [Operand<T, Self::Ref<'_>>; K],
        output: Self::Mut<'_>,
    );
    /// `output ← x^n`.
    fn powi(&self, x: Self::Ref<'_>, n: i32, output: Self::Mut<'_>);
    /// `sin ← sin x` and `cos ← cos x`; arguments are reduced once for both.
    fn sin_cos(&self, x: Self::Ref<'_>, sin: Self::Mut<'_>, cos: Self::Mut<'_>);
}

/// Sums over vectors, which are matrices of one column. A result goes to the only entry of a 1 × 1
/// matrix, so that a device need not wait for it.
pub trait Reduce<T: Number>: Memory<T> {
    /// `result ← Σ x[i]·y[i]`.
    fn dot(&self, x: Self::Ref<'_>, y: Self::Ref<'_>, result: Self::Mut<'_>);
    /// `result ← Σ x[i]`.
    fn sum(&self, x: Self::Ref<'_>, result: Self::Mut<'_>);
    /// `result ← Σ |x[i]|`.
    fn asum(&self, x: Self::Ref<'_>, result: Self::Mut<'_>);
    /// `result ← √Σ x[i]²` without spurious overflow or underflow.
    fn nrm2(&self, x: Self::Ref<'_>, result: Self::Mut<'_>);
    /// The first index of an entry of greatest magnitude, with numbers < NaN < ∞; `None` for an
    /// empty vector.
    ///
    /// # Errors
    /// As [`Memory::download`].
    fn iamax(&self, x: Self::Ref<'_>) -> Result<Option<usize>, Error>;
}

/// `y ← α·op(A)·x + β·y` for vectors, which are matrices of one column.
pub trait Gemv<T: Number>: Memory<T> {
    /// See the trait. `y` is not read where `β = 0`; `A` and `x` are not where `α = 0` or there is
    /// no term.
    fn gemv(
        &self,
        transpose: Transpose,
        alpha: T,
        a: Self::Ref<'_>,
        x: Self::Ref<'_>,
        beta: T,
        y: Self::Mut<'_>,
    );
}

/// `C ← α·op(A)·op(B) + β·C`.
pub trait Gemm<T: Number>: Memory<T> {
    /// `Ok` where this backend has the arithmetic that it was asked to use for products of such
    /// numbers. Whoever multiplies asks first.
    ///
    /// # Errors
    /// [`Error::NoArithmetic`] where it has not.
    fn check_products(&self) -> Result<(), Error> {
        Ok(())
    }

    /// See the trait. `C` is not read where `β = 0`. Returns how it is computed.
    #[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
    fn gemm(
        &self,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: Self::Ref<'_>,
        b: Self::Ref<'_>,
        beta: T,
        c: Self::Mut<'_>,
    ) -> Report;

    /// [`gemm`](Self::gemm) for whoever does not ask how it is computed: with a device that need
    /// not be waited for.
    #[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
    fn queue_gemm(
        &self,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: Self::Ref<'_>,
        b: Self::Ref<'_>,
        beta: T,
        c: Self::Mut<'_>,
    ) {
        self.gemm(transpose_a, transpose_b, alpha, a, b, beta, c);
    }
}

/// Products of which a backend computes some rows and columns, and others the rest: every entry has
/// the bits that it has where one computes all of them.
pub trait Share<T: Number>: Gemm<T> + Syrk<T> {
    /// How a product is computed of which this backend has some rows of `op(A)` and some columns of
    /// `op(B)`, or none. All that have some ask for it together.
    fn way(
        &self,
        whole: &Whole<'_>,
        a: (Transpose, Self::Ref<'_>),
        b: (Transpose, Self::Ref<'_>),
    ) -> Way;

    /// [`gemm`](Gemm::gemm) of some rows and columns in the way of the whole.
    #[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
    fn gemm_by(
        &self,
        way: Way,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: Self::Ref<'_>,
        b: Self::Ref<'_>,
        beta: T,
        c: Self::Mut<'_>,
    ) -> Report;

    /// [`syrk`](Syrk::syrk) of some rows and as many columns in the way of the whole.
    #[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
    fn syrk_by(
        &self,
        way: Way,
        triangle: Triangle,
        transpose: Transpose,
        alpha: T,
        a: Self::Ref<'_>,
        beta: T,
        c: Self::Mut<'_>,
    );

    /// [`syrk`](Syrk::syrk) of the rows and columns at some places, whose lines of `A` are `left`
    /// and `right`, in the way of the whole. False where the backend has no such product: then
    /// nothing is done.
    #[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
    fn triangle_by(
        &self,
        way: Way,
        triangle: Triangle,
        places: Places<'_>,
        transpose: Transpose,
        alpha: T,
        left: Self::Ref<'_>,
        right: Self::Ref<'_>,
        beta: T,
        c: Self::Mut<'_>,
    ) -> bool {
        let _ = (way, triangle, places, transpose, alpha, left, right, beta, c);
        false
    }
}

/// One triangle of `C ← α·op(A)·op(A)ᵀ + β·C`.
pub trait Syrk<T: Number>: Memory<T> {
    /// See the trait. The other triangle of `C` is neither read nor written. `C` may have fewer
    /// columns than rows; then these are the first columns of the product.
    fn syrk(
        &self,
        triangle: Triangle,
        transpose: Transpose,
        alpha: T,
        a: Self::Ref<'_>,
        beta: T,
        c: Self::Mut<'_>,
    );
}

/// `B ← α·op(A)⁻¹·B` or `α·B·op(A)⁻¹` for triangular `A`.
pub trait Trsm<T: Number>: Memory<T> {
    /// Order up to which it does this well by itself; larger systems are
    /// [halved](crate::dense::trsm_on), for the sake of long products of matrices.
    const ORDER: usize;

    /// See the trait. The other triangle of `A` is not read.
    #[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
    fn trsm(
        &self,
        side: Side,
        triangle: Triangle,
        transpose: Transpose,
        diagonal: Diagonal,
        alpha: T,
        a: Self::Ref<'_>,
        b: Self::Mut<'_>,
    );
}

/// The factorisation of a few columns, where products of matrices cannot do the work, and exchanges
/// of rows.
pub trait Panel<T: Number>: Memory<T> {
    /// Columns that a panel has at most: wider ones are halved.
    const WIDTH: usize;
    /// Columns after which a factorisation turns to products with all columns on the right.
    const BLOCK: usize;
    /// Columns that are factored by such blocks, where more are halved first: for products with as
    /// many terms as half the columns.
    const SPAN: usize;

    /// Factors `P·A = L·U` in place for an `m × w` panel, `w <= m`, by partial pivoting: of the
    /// rows not yet used the one whose entry is [largest](Number::leading) in magnitude, the first
    /// of equals. `pivots[j]` is the row that was exchanged with row `j`, after rows `0..j`.
    ///
    /// A failure at column `j` leaves the panel unspecified.
    fn lu_panel(&self, a: Self::Mut<'_>, pivots: &mut [usize]) -> Result<(), Breakdown>;

    /// Factors the `w × w` top of an `m × w` panel, of which only the lower triangle is read and
    /// written, as `L·Lᵀ` and multiplies the rows below by `L⁻ᵀ`.
    ///
    /// A failure at column `j` leaves the panel unspecified, and is that of `column + j`, where the
    /// panel begins at `column`. It is returned, or kept in `watch` and whatever follows is of no
    /// use.
    fn cholesky_panel(
        &self,
        a: Self::Mut<'_>,
        column: usize,
        watch: &Self::Watch,
    ) -> Result<(), Breakdown>;

    /// Where failures of the panels of one factorisation are kept, for a device that need not be
    /// waited for at each.
    type Watch: Sync;
    /// A watch without failure.
    fn watch(&self) -> Self::Watch;
    /// The first failure that was kept.
    fn breakdown(&self, watch: Self::Watch) -> Result<(), Breakdown>;

    /// Factors columns as [`cholesky_in_place`](crate::dense::cholesky_in_place) does, up to a span
    /// of them, where that is done better than in steps of the algorithm; `None`, with `a` as it
    /// was, where it is not. Failures are those of [`cholesky_panel`](Self::cholesky_panel).
    fn cholesky_columns(
        &self,
        _a: Self::Mut<'_>,
        _column: usize,
        _watch: &Self::Watch,
    ) -> Option<Result<(), Breakdown>> {
        None
    }

    /// The same of [`lu_in_place`](crate::dense::lu_in_place).
    fn lu_columns(
        &self,
        _a: Self::Mut<'_>,
        _pivots: &mut [usize],
    ) -> Option<Result<(), Breakdown>> {
        None
    }

    /// A copy of factored columns, with at least as many rows, for systems with the triangle on
    /// their top and products with the rows below: where one copy is better than a part of it for
    /// each.
    fn gathered(&self, _columns: Self::Ref<'_>) -> Option<Self::Matrix> {
        None
    }

    /// Columns of a block that is factored by products alone; 0 where none is.
    const COLUMNS: usize;
    /// What solves systems with the triangles on top of such a block.
    type Inverse: Send + Sync;

    /// Factors a block of columns as [`lu_panel`](Self::lu_panel) does, by products of matrices
    /// alone. A pivot may be smaller than the largest entry by a relative `2^-60`. `None`, with `a`
    /// as it was, where panels have to do it.
    fn lu_block(&self, a: Self::Mut<'_>, pivots: &mut [usize]) -> Option<Self::Inverse>;

    /// `B ← op(L)⁻¹·B` for the unit lower triangle on top of a block, or `op(U)⁻¹·B` for the upper.
    fn solve_block(
        &self,
        inverse: &Self::Inverse,
        triangle: Triangle,
        op: Transpose,
        b: Self::Mut<'_>,
    );

    /// Factors a block of columns as [`cholesky_panel`](Self::cholesky_panel) does, by products of
    /// matrices alone. `false`, with `a` as it was, where panels have to do it.
    fn cholesky_block(&self, a: Self::Mut<'_>) -> bool;

    /// Exchanges row `i` with row `pivots[i]`, for each `i` from the first to the last or from the
    /// last to the first.
    fn swap_rows(&self, a: Self::Mut<'_>, pivots: &[usize], order: Order);
}

/// Householder reflections of a few columns, where products of matrices cannot do the work.
pub trait Reflect<T: Number>: Memory<T, Matrix: Send + Sync> {
    /// Columns that a panel has at most: wider ones are halved.
    const REFLECTORS: usize;
    /// Columns whose reflections are applied to all columns on their right as one product.
    const TOGETHER: usize;

    /// Factors an `m × w` panel as `Q·R` in place, `w <= m`: `R` on and above the diagonal, and
    /// below it, in column `j`, the vector `v` of the reflection `I − 2·v·vᵀ/vᵀv` whose entry on
    /// the diagonal is 1 and not stored. `Q` is the product of the reflections in the order of the
    /// columns.
    fn qr_panel(&self, a: Self::Mut<'_>);

    /// A copy of an `m × w` rectangle, `w <= m`, with ones on its diagonal and zeros above.
    fn unit_lower(&self, a: Self::Ref<'_>) -> Self::Matrix;

    /// Halves the diagonal of a square matrix.
    fn halve_diagonal(&self, a: Self::Mut<'_>);
}

/// What comes next, for a device that gets ready for all of it at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Factors by elimination, and solutions with them.
    Eliminate,
    /// Factors by reflections, and solutions with them.
    Reflect,
    /// Eigenvalues, singular values and their vectors.
    Diagonalize,
    /// Digits proved with an inverse in `f64` and numbers of any precision.
    Prove,
    /// Sums and products entry by entry, and sums of entries.
    Combine,
}

/// Getting ready. Nothing depends on it but the time of the first use on a machine.
pub trait Prepare<T: Number> {
    /// See the trait. `_order` is the lesser of rows and columns of the matrices, `_columns` is the
    /// number of right-hand sides.
    fn prepare(&self, _task: Task, _format: T::Format, _order: usize, _columns: usize) {}
}

/// What is left to do about solutions, where they are.
pub trait Judge<T: Number>: Memory<T> {
    /// Whether it finds [`largest_residuals`](Self::largest_residuals) of `_columns` columns for a
    /// matrix of order `_order`. Whoever solves then leaves matrix and solution in its memory.
    fn judges(&self, _format: T::Format, _order: usize, _columns: usize) -> bool {
        false
    }

    /// `max_i |B − A·X|_ij` for each `j`, with the identity for `B` where none is given; `None`
    /// where it has to be done on the host.
    ///
    /// Within `n·2^-24·u·max|a|·max|x|` of the exact ones (maxima over a row of `A` and a column of
    /// `X`) and a relative error of a few `2^-53`, for `n` columns of `A` and unit roundoff `u`.
    /// Entries are finite, the largest of each operand between `2^-260` and `2^260`.
    ///
    /// # Errors
    /// As [`Memory::download`].
    fn largest_residuals(
        &self,
        _a: Self::Ref<'_>,
        _x: Self::Ref<'_>,
        _b: Option<Self::Ref<'_>>,
    ) -> Result<Option<Vec<Reading>>, Error> {
        Ok(None)
    }

    /// Copies the triangle below the diagonal of a square matrix over the one above.
    fn mirror_lower(&self, a: Self::Mut<'_>);
}

/// Copies whose entries stand elsewhere, for algorithms whose matrices stay where they are.
pub trait Rearrange<T: Number>: Memory<T> {
    /// The transpose.
    fn transpose_of(&self, a: Self::Ref<'_>) -> Self::Matrix;
    /// One triangle of a square matrix, with its diagonal, and zeros in the place of the other,
    /// which is not read.
    fn triangle_of(&self, triangle: Triangle, a: Self::Ref<'_>) -> Self::Matrix;
    /// The diagonal of a square matrix, as a column.
    fn diagonal_of(&self, a: Self::Ref<'_>) -> Self::Matrix;
}

/// In which order to exchange rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// First to last: the permutation `P` of a factorisation.
    Forward,
    /// Last to first: its inverse.
    Backward,
}

/// How the steps of an algorithm share the machine. The results do not depend on it.
pub trait Schedule: Sync {
    /// Runs an algorithm of many steps: where threads have to be entered, once for all of them.
    fn run<R: Send>(&self, algorithm: impl FnOnce() -> R + Send) -> R {
        algorithm()
    }

    /// Runs two parts of an algorithm of which neither reads what the other writes: one after the
    /// other, or at the same time.
    fn join<R: Send, S: Send>(
        &self,
        first: impl FnOnce() -> R + Send,
        second: impl FnOnce() -> S + Send,
    ) -> (R, S) {
        (first(), second())
    }

    /// The host, where that solves systems with few right-hand sides, with factors that are brought
    /// there once.
    fn for_few(&self) -> Option<Cpu> {
        None
    }

    /// The same machine, shared as Cholesky's factorisation wants it, and not LU.
    fn for_cholesky(&self) -> Self
    where
        Self: Clone,
    {
        self.clone()
    }
}

/// All that the dense factorisations and solvers use.
pub trait Dense<T: Number>:
    Gemm<T> + Syrk<T> + Trsm<T> + Panel<T> + Judge<T> + Prepare<T> + Schedule
{
}

impl<T: Number, B> Dense<T> for B where
    B: Gemm<T> + Syrk<T> + Trsm<T> + Panel<T> + Judge<T> + Prepare<T> + Schedule
{
}

/// All that factorisations by reflections use.
pub trait Reflecting<T: Number>: Dense<T> + Reflect<T> {}

impl<T: Number, B: Dense<T> + Reflect<T>> Reflecting<T> for B {}

/// All that algorithms use whose matrices come from a backend's memory and stay there.
pub trait Resident<T: Number>: Reflecting<T> + Elementwise<T> + Gemv<T> + Rearrange<T> {}

impl<T: Number, B: Reflecting<T> + Elementwise<T> + Gemv<T> + Rearrange<T>> Resident<T> for B {}
