//! What the solvers ask of the machine they run on, beside products and factorisations in `f64`.

use nonius_num::mp::{Bits, MpRef};

use super::magnitude::Magnitude;
use crate::backend::{Dense, Memory};
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

    /// For each column `j` an upper bound of `Σ_i |δ_ij − a_ij|`.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    fn column_defects(&self, a: &Self::Numbers) -> Result<Vec<Magnitude>, Error>;

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

    /// For each row `i` the sum `Σ_j |δ_ij − a_ij|`.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    fn row_defects(&self, a: <Self as Memory<f64>>::Ref<'_>) -> Result<Vec<f64>, Error>;

    /// `A·X` for a square `A`, within the bound of sums of products in `f64`, in any order.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    fn times(
        &self,
        a: <Self as Memory<f64>>::Ref<'_>,
        x: <Self as Memory<f64>>::Ref<'_>,
    ) -> Result<<Self as Memory<f64>>::Matrix, Error> {
        self.check_products()?;
        let mut y = self.copy_of(x);
        self.queue_gemm(Transpose::No, Transpose::No, 1.0, a, x, 0.0, self.view_mut(&mut y));
        Ok(y)
    }

    /// For each column the largest magnitude.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    fn column_maxima(&self, a: <Self as Memory<f64>>::Ref<'_>) -> Result<Vec<f64>, Error>;

    /// An approximate inverse, whose entries may not be finite.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch); [`Error::Singular`].
    fn inverted(
        &self,
        a: <Self as Memory<f64>>::Ref<'_>,
    ) -> Result<<Self as Memory<f64>>::Matrix, Error> {
        Lu::new(self.clone(), self.copy_of(a)).and_then(|lu| lu.inverse_on())
    }

    /// Approximate inverses of the factors `P·A = L·U`, whose entries may not be finite.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch); [`Error::Singular`].
    fn inverse_triangles(
        &self,
        a: <Self as Memory<f64>>::Ref<'_>,
    ) -> Result<Triangles<<Self as Memory<f64>>::Matrix>, Error> {
        let lu = Lu::new(self.clone(), self.copy_of(a))?;
        let [lower, upper] = lu.inverse_triangles_on()?;
        let found = self.download(self.view(&upper))?;
        let diagonal = (0..lu.order()).map(|i| found[(i, i)]).collect();
        Ok(Triangles { lower, upper, diagonal, odd: lu.is_odd() })
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
    F64(<M as Memory<f64>>::Ref<'a>, &'a [i64]),
    /// A matrix.
    Mp(&'a M::Numbers),
}

/// What bounds the errors of a corrected `Y`: that of entry `(i, j)` is at most
/// `row_sums[i]·noise[j] + shares[i]·reach[j] + floors[j] + 2^-bits·(|y_ij| + |z_ij|)`, where `z`
/// is what was added.
#[derive(Clone, Copy, Debug)]
pub struct Bounds<'a> {
    /// `Σ_j |R_ij|`
    pub row_sums: &'a [Magnitude],
    /// `γ_i/(1 − γ)`
    pub shares: &'a [f64],
    /// Column by column.
    pub noise: &'a [Magnitude],
    /// Bounds of `‖R·r‖_∞`, column by column.
    pub reach: &'a [Magnitude],
    /// Column by column.
    pub floors: &'a [Magnitude],
    /// `X = D₂·Y`: exponents, row by row.
    pub scales: &'a [i64],
    /// Bits that results are rounded to: `|x|·2^(2 − bits)` is added to their errors.
    pub result_bits: Bits,
    /// What the relative errors of entries may be.
    pub tolerance: Magnitude,
}

/// What is known of a column of `Y`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// The largest relative error of an entry of `X`.
    pub worst: Magnitude,
    /// The largest absolute error of an entry of `X`.
    pub error: Magnitude,
    /// Of entries with larger relative errors than allowed: the largest absolute error; 0 where
    /// there are none.
    pub open: Magnitude,
    /// Whether the relative error of one of these is bounded.
    pub bounded: bool,
    /// A lower bound of the largest magnitude of an entry of `X`.
    pub least: Magnitude,
    /// An upper bound of the largest magnitude of an entry of `Y`.
    pub largest: Magnitude,
}

impl Judged {
    /// A column without entries.
    pub const NOTHING: Self = Self {
        worst: Magnitude::ZERO,
        error: Magnitude::ZERO,
        open: Magnitude::ZERO,
        bounded: false,
        least: Magnitude::ZERO,
        largest: Magnitude::ZERO,
    };

    /// What is known of two parts of a column.
    #[must_use]
    pub fn joined(self, other: Self) -> Self {
        Self {
            worst: self.worst.max(other.worst),
            error: self.error.max(other.error),
            open: self.open.max(other.open),
            bounded: self.bounded | other.bounded,
            least: self.least.max(other.least),
            largest: self.largest.max(other.largest),
        }
    }

    /// Takes in entry `(i, j)` of `Y`, to which a number below `added` in magnitude was added.
    pub(super) fn add(
        &mut self,
        bounds: &Bounds<'_>,
        (i, j): (usize, usize),
        added: Magnitude,
        y: MpRef<'_>,
    ) {
        let (size, least) = (Magnitude::above(y), Magnitude::below(y));
        let error = bounds.error((i, j), y.bits(), size.plus(added));
        let written = error.plus(size.shifted(2 - i64::from(bounds.result_bits.get())));
        // A zero that is known has no error.
        let relative =
            if written.is_zero() { Magnitude::ZERO } else { written.over_difference(least, error) };
        let scaled = written.shifted(bounds.scales[i]);
        self.worst = self.worst.max(relative);
        self.error = self.error.max(scaled);
        if bounds.tolerance.less(relative) {
            self.open = self.open.max(scaled);
            self.bounded |= relative.is_finite();
        }
        self.least = self.least.max(least.above_by(error).shifted(bounds.scales[i]));
        self.largest = self.largest.max(size.plus(error));
    }
}

impl Bounds<'_> {
    /// A bound of the error of entry `(i, j)` of `Y` with `bits` bits, where `size` bounds
    /// `|y_ij| + |z_ij|`.
    pub(super) fn error(&self, (i, j): (usize, usize), bits: Bits, size: Magnitude) -> Magnitude {
        let noise = self.row_sums[i].times(self.noise[j]).plus(self.floors[j]);
        let share = Magnitude::new(self.shares[i], 0).times(self.reach[j]);
        noise.plus(share).plus(size.shifted(-i64::from(bits.get())))
    }
}
