//! A system whose rows and columns are scaled by powers of two.

use nonius_num::Real;
use nonius_num::mp::{Bits, Head, Mp, MpRef};

use super::data::{Data, in_range};
use super::magnitude::{Magnitude, leading};
use crate::{Error, Matrix, mp};

/// `A′·Y = B′` for `A′ = D₁·A·D₂`, `B′ = D₁·B`, `X = D₂·Y`. The diagonal matrices hold powers of two, so that nothing is rounded. The largest magnitude of each
/// row and each column of `A′` lies between 1/2 and 1, but for rows that columns' scales made smaller than that.
pub(super) struct System {
    /// `A′ᵀ`: its columns are the rows of `A′`.
    pub(super) rows: mp::Matrix,
    /// `B′`
    pub(super) rights: mp::Matrix,
    /// Exponents of `D₁` and `D₂`.
    pub(super) row_scales: Vec<i64>,
    pub(super) column_scales: Vec<i64>,
    /// `|A_given − A| <= ε|A|` and the same for `B`.
    pub(super) matrix_error: Magnitude,
    pub(super) rights_error: Magnitude,
    /// Bounds of further errors of `B′`, row by row; empty where there are none.
    pub(super) radii: Vec<Magnitude>,
}

/// A matrix in `f64` with `|A′ − F| <= relative·|F| + absolute` for every entry.
pub(super) struct Nearest {
    pub(super) matrix: Matrix<f64>,
    pub(super) relative: f64,
    pub(super) absolute: f64,
}

/// A row or column without entries other than zero.
pub(super) enum Zero {
    Row(usize),
    Column(usize),
}

impl System {
    /// Checks the shapes and the entries, and scales. A row or column of zeros is found instead of a system.
    pub(super) fn new(a: &Data, b: &Data) -> Result<Result<Self, Zero>, Error> {
        let (given, rights) = (&a.values, &b.values);
        Error::check_square(given.shape())?;
        Error::check_shape("b", (given.rows(), rights.cols()), rights.shape())?;
        check_entries("a", given)?;
        check_entries("b", rights)?;
        let n = given.rows();
        let largest = |line: &mut dyn Iterator<Item = Option<i64>>| line.flatten().max();
        let exponent = |i, j| given.at(i, j).head().exponent().map(i64::from);
        let mut row_scales = Vec::with_capacity(n);
        for i in 0..n {
            match largest(&mut (0..n).map(|j| exponent(i, j))) {
                Some(e) => row_scales.push(-e),
                None => return Ok(Err(Zero::Row(i))),
            }
        }
        let mut column_scales = Vec::with_capacity(n);
        for j in 0..n {
            match largest(&mut (0..n).map(|i| Some(exponent(i, j)? + row_scales[i]))) {
                Some(e) => column_scales.push(-e),
                None => return Ok(Err(Zero::Column(j))),
            }
        }
        let bits = needed_bits(given);
        let mut rows = mp::Matrix::try_zeros(bits, n, n)?;
        for (i, row) in row_scales.iter().enumerate() {
            for (j, column) in column_scales.iter().enumerate() {
                rows.set(j, i, shifted(given.at(i, j), row + column));
            }
        }
        let mut scaled = mp::Matrix::try_zeros(needed_bits(rights), n, rights.cols())?;
        for j in 0..rights.cols() {
            (0..n).for_each(|i| scaled.set(i, j, shifted(rights.at(i, j), row_scales[i])));
        }
        let error =
            |data: &Data| data.error.map_or(Magnitude::ZERO, |e| Magnitude::power(e.into()));
        let radii = b.radii.iter().zip(&row_scales).map(|(radius, scale)| radius.shifted(*scale));
        Ok(Ok(Self {
            radii: radii.collect(),
            rows,
            rights: scaled,
            row_scales,
            column_scales,
            matrix_error: error(a),
            rights_error: error(b),
        }))
    }

    /// Number of equations.
    pub(super) fn order(&self) -> usize {
        self.rows.rows()
    }

    /// Number of right-hand sides.
    pub(super) fn rights(&self) -> usize {
        self.rights.cols()
    }

    /// Whether the numbers held are those given.
    pub(super) fn is_exact(&self) -> bool {
        self.matrix_error.is_zero() && self.rights_error.is_zero() && self.radii.is_empty()
    }

    /// The `f64` matrix next to `A′`.
    pub(super) fn nearest(&self) -> Nearest {
        let n = self.order();
        let (mut exact, mut whole) = (true, true);
        let matrix = Matrix::from_fn(n, n, |i, j| {
            let x = self.rows.at(j, i);
            exact &= fits(x);
            let (value, kept) = to_f64(x, 0);
            whole &= kept;
            value
        });
        Nearest {
            matrix,
            relative: if exact { 0.0 } else { 2.0 * f64::UNIT_ROUNDOFF },
            absolute: if whole { 0.0 } else { FLUSHED },
        }
    }

    /// `X = D₂·Y`, of a column, rounded to a precision.
    pub(super) fn unscaled(&self, bits: Bits, y: MpRef<'_>, row: usize) -> Mp {
        shifted(y, self.column_scales[row]).to_mp(bits)
    }
}

/// Magnitudes below are taken for zero.
const FLUSHED: f64 = 1.0 / (1_u128 << 127) as f64 / (1_u128 << 127) as f64 / (1_u128 << 127) as f64;
const FLUSHED_EXPONENT: i64 = -381;

/// Whether a number has no more than 53 bits.
fn fits(x: MpRef<'_>) -> bool {
    let words = x.words();
    let (low, high) = words.split_at(words.len() - 1);
    low.iter().all(|&word| word == 0) && high[0].trailing_zeros() >= 11
}

/// `x·2^shift` within `2^-52` of itself, and true; or 0 and false where it is less than [`FLUSHED`]. Infinite beyond the range.
pub(super) fn to_f64(x: MpRef<'_>, shift: i64) -> (f64, bool) {
    let Some((m, e)) = leading(x) else {
        return (x.to_f64(), true);
    };
    match e + 64 + shift {
        below if below <= FLUSHED_EXPONENT => (0.0, false),
        above if above > 1024 => (f64::INFINITY, true),
        _ => {
            let value = m.ldexp((e + shift) as i32);
            (if x.head().is_negative() { -value } else { value }, true)
        }
    }
}

fn shifted(x: MpRef<'_>, k: i64) -> MpRef<'_> {
    let head: Head = x.head().shifted(k);
    MpRef::new(x.bits(), head, x.words())
}

/// Bits, whole words of them, that hold every entry exactly.
fn needed_bits(a: &mp::Matrix) -> Bits {
    let words = a.bits().words();
    let all = a.numbers().as_slice().words();
    let least = |number: &[u64]| number.iter().position(|&word| word != 0).unwrap_or(words - 1);
    let unused = all.chunks_exact(words).map(least).min().unwrap_or(words - 1);
    Bits::new(64 * (words - unused) as u32).unwrap_or(a.bits())
}

fn check_entries(operand: &'static str, a: &mp::Matrix) -> Result<(), Error> {
    for col in 0..a.cols() {
        for row in 0..a.rows() {
            let x = a.at(row, col);
            if !x.head().is_finite() {
                return Err(Error::NotFinite { operand, row, col });
            }
            if !in_range(x) {
                return Err(Error::Overflow { operand, column: col });
            }
        }
    }
    Ok(())
}
