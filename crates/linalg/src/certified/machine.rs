//! What the solvers ask of the machine they run on, beside products and factorisations in `f64`.

use core::ops::Range;

use nonius_num::mp::{Bits, Mp};

use super::judged::{Bounds, Judged};
use super::magnitude::Magnitude;
use crate::backend::{Dense, Memory, View};
use crate::dense::{Lu, Transpose};
use crate::{Error, mp};

/// A machine that holds matrices of numbers of any precision.
///
/// Sums of magnitudes are in `f64`, in any order. Numbers are finite.
pub trait Machine: Dense<f64> {
    /// A matrix of numbers of any precision in the machine's memory.
    type Numbers: Held;

    /// Right-hand sides from which on all are refined together, by products of matrices; fewer are
    /// refined one after the other, on the host.
    const TOGETHER: usize;

    /// Whether right-hand sides that are not many are solved on the host without an inverse, where
    /// the matrix allows it, before one in `f64` is tried; else that comes first.
    const DIRECT: bool = false;

    /// Bits of an inverse from which on it is worth to look, on the host, whether the matrix is
    /// singular.
    const SUSPICIOUS: u32;

    /// About the time of an elimination with numbers of some bits, which the host does, in products
    /// of matrices of as many on this machine.
    const ELIMINATION: f64;

    /// Copies a matrix to this memory.
    ///
    /// # Errors
    /// [`Error::Device`], as all that follow.
    fn hold(&self, a: &mp::Matrix) -> Result<Self::Numbers, Error>;

    /// Copies a matrix to the host.
    ///
    /// # Errors
    /// As [`hold`](Self::hold); [`Error::TooLarge`].
    fn fetch(&self, a: &Self::Numbers) -> Result<mp::Matrix, Error>;

    /// The same entries with `bits` bits, each within `2^-bits` of itself.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    fn rounded(&self, a: &Self::Numbers, bits: Bits) -> Result<Self::Numbers, Error>;

    /// The transpose of a matrix of finite entries, exactly.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    fn widened(
        &self,
        a: <Self as Memory<f64>>::Ref<'_>,
        bits: Bits,
    ) -> Result<Self::Numbers, Error>;

    /// The transpose with entries in `f64`: each within `2^-52` of itself, or 0 where it is less
    /// than [`FLUSHED`](super::FLUSHED).
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    fn nearest(&self, a: &Self::Numbers) -> Result<<Self as Memory<f64>>::Matrix, Error>;

    /// `op(A)·B` with the bits of `B`, of which `A` has not more: entry `(i, j)` is within
    /// `3·k·2^(e + f − bits)` for `k` terms, where row `i` of `op(A)` is below `2^e` in magnitude
    /// and column `j` of `B` below `2^f`.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    fn product(
        &self,
        transposed: bool,
        a: &Self::Numbers,
        b: &Self::Numbers,
    ) -> Result<Self::Numbers, Error>;

    /// This machine with products of matrices that are the ones of [`product`](Self::product).
    #[must_use]
    fn for_products(&self) -> Self;

    /// Whether [`product`](Self::product) of matrices with these bits and so many columns on the
    /// right finds each row by itself, with bits that do not depend on the others; else it
    /// multiplies as [`for_products`](Self::for_products) does.
    fn by_rows(&self, _transposed: bool, _bits: [Bits; 2], _columns: usize) -> bool {
        false
    }

    /// `A − B` of matrices with the same bits, within `2^-bits·(|A − B| + |B|)`.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    fn difference(&self, a: &Self::Numbers, b: &Self::Numbers) -> Result<Self::Numbers, Error>;

    /// For each column `j` an upper bound of `Σ_i |a_ij|·w_i`.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    fn column_sums(&self, a: &Self::Numbers, weights: &[f64]) -> Result<Vec<Magnitude>, Error>;

    /// For each column `j` an upper bound of `Σ_i |δ_(i, first + j) − a_ij|`: what `I` differs by
    /// from a square matrix of which `a` is the columns from `first` on.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    fn column_defects(&self, a: &Self::Numbers, first: usize) -> Result<Vec<Magnitude>, Error>;

    /// For each column the least `e` with entries below `2^e` in magnitude; `None` for zeros.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    fn column_exponents(&self, a: &Self::Numbers) -> Result<Vec<Option<i64>>, Error>;

    /// Entries of column `j` times `2^-e_j` in `f64`, for `e` not below the column's exponent: each
    /// within `2^-52` of itself, or 0 where it is less than [`FLUSHED`](super::FLUSHED).
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    fn scaled(
        &self,
        a: &Self::Numbers,
        exponents: &[i64],
    ) -> Result<<Self as Memory<f64>>::Matrix, Error>;

    /// For each row `i` the sum `Σ_j |a_ij|·w_j`.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    fn row_sums(
        &self,
        a: <Self as Memory<f64>>::Ref<'_>,
        weights: &[f64],
    ) -> Result<Vec<f64>, Error>;

    /// For each row `i` the sum `Σ_j |δ_(first + i, j) − a_ij|`: what `I` differs by from a square
    /// matrix of which `a` is the rows from `first` on.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    fn row_defects(
        &self,
        a: <Self as Memory<f64>>::Ref<'_>,
        first: usize,
    ) -> Result<Vec<f64>, Error>;

    /// `A·X`, within the bound of sums of products in `f64`, in any order.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    fn times(
        &self,
        a: <Self as Memory<f64>>::Ref<'_>,
        x: <Self as Memory<f64>>::Ref<'_>,
    ) -> Result<<Self as Memory<f64>>::Matrix, Error> {
        self.check_products()?;
        let mut y = self.room((), a.shape().0, x.shape().1);
        self.queue_gemm(Transpose::No, Transpose::No, 1.0, a, x, 0.0, self.view_mut(&mut y));
        Ok(y)
    }

    /// For each column the largest magnitude.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    fn column_maxima(&self, a: <Self as Memory<f64>>::Ref<'_>) -> Result<Vec<f64>, Error>;

    /// Whether [`inverted`](Self::inverted) and [`inverse_triangles`](Self::inverse_triangles) of a
    /// matrix of order `_order` are this machine's own, so that [`Lu`] on its products has other
    /// bits.
    fn inverts(&self, _order: usize) -> bool {
        false
    }

    /// An approximate inverse, whose entries may not be finite.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch); [`Error::Singular`].
    fn inverted(
        &self,
        a: <Self as Memory<f64>>::Ref<'_>,
    ) -> Result<<Self as Memory<f64>>::Matrix, Error> {
        inverse_by_factors(self, a)
    }

    /// Approximate inverses of the factors `P·A = L·U`, whose entries may not be finite.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch); [`Error::Singular`].
    fn inverse_triangles(
        &self,
        a: <Self as Memory<f64>>::Ref<'_>,
    ) -> Result<Triangles<<Self as Memory<f64>>::Matrix>, Error> {
        triangles_by_factors(self, a)
    }

    /// Corrects `Y` and judges what is known of it.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    fn correct(
        &self,
        y: &mut Self::Numbers,
        correction: Correction<'_, Self>,
        bounds: &Bounds<'_>,
    ) -> Result<Vec<Judged>, Error>;

    /// What the host finds for each of `count` rows, of which `work` finds some.
    ///
    /// # Errors
    /// Those of the work; [`Error::Device`].
    fn on_hosts(
        &self,
        count: usize,
        work: &mut dyn FnMut(Range<usize>) -> Result<HostRows, Error>,
    ) -> Result<HostRows, Error> {
        work(0..count)
    }
}

/// [`Machine::inverted`] by [`Lu`] on a machine's products.
///
/// # Errors
/// As there.
pub fn inverse_by_factors<M: Machine>(
    machine: &M,
    a: <M as Memory<f64>>::Ref<'_>,
) -> Result<<M as Memory<f64>>::Matrix, Error> {
    Lu::new(machine.clone(), machine.copy_of(a)).and_then(|lu| lu.inverse_on())
}

/// [`Machine::inverse_triangles`] by [`Lu`] on a machine's products.
///
/// # Errors
/// As there.
pub fn triangles_by_factors<M: Machine>(
    machine: &M,
    a: <M as Memory<f64>>::Ref<'_>,
) -> Result<Triangles<<M as Memory<f64>>::Matrix>, Error> {
    let lu = Lu::new(machine.clone(), machine.copy_of(a))?;
    let [lower, upper] = lu.inverse_triangles_on()?;
    let found = machine.download(machine.view(&upper))?;
    let diagonal = (0..lu.order()).map(|i| found[(i, i)]).collect();
    Ok(Triangles { lower, upper, diagonal, odd: lu.is_odd() })
}

/// What is found for rows of a column, on the host.
#[derive(Clone, Debug)]
pub struct HostRows {
    /// A column with a number for each row.
    pub values: mp::Matrix,
    /// Two bounds for each row.
    pub bounds: Vec<[Magnitude; 2]>,
}

impl HostRows {
    /// The numbers, of so many bits, and their bounds.
    pub(super) fn of(bits: Bits, rows: Vec<(Mp, [Magnitude; 2])>) -> Self {
        let mut values = mp::Matrix::zeros_in(bits, rows.len(), 1);
        let mut bounds = Vec::with_capacity(rows.len());
        for (i, (value, of_row)) in rows.into_iter().enumerate() {
            values.put(i, 0, value.view());
            bounds.push(of_row);
        }
        Self { values, bounds }
    }
}

/// What [`Machine::inverse_triangles`] finds. Both matrices are exactly triangular but for `P`
/// where all entries are finite: numbers on the other side of the diagonal are zeros, as sums of
/// products with zeros are.
#[derive(Clone, Debug)]
pub struct Triangles<X> {
    /// `X_L·P`, where `X_L` is lower triangular with ones on its diagonal.
    pub lower: X,
    /// `X_U`, upper triangular.
    pub upper: X,
    /// The diagonal of `X_U`.
    pub diagonal: Vec<f64>,
    /// Whether `P` is an odd permutation.
    pub odd: bool,
}

/// A matrix of numbers of any precision in some memory.
pub trait Held {
    /// The precision.
    fn bits(&self) -> Bits;
    /// Number of rows and columns.
    fn shape(&self) -> (usize, usize);
}

/// What is added to `Y`.
#[expect(missing_debug_implementations, reason = "views have none")]
pub enum Correction<'a, M: Machine> {
    /// A matrix whose column `j` is to be multiplied by `2^e_j`.
    F64(<M as Memory<f64>>::Ref<'a>, Vec<i64>),
    /// A matrix.
    Mp(&'a M::Numbers),
}
