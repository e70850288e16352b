//! A system whose rows and columns are scaled by powers of two.

use nonius_num::Real;
use nonius_num::mp::{Bits, Head, MpRef};

use super::data::Data;
use super::datum::in_range;
use super::magnitude::{Magnitude, leading};
use crate::threads::{Grain, all, for_each, map};
use crate::{Error, mp};

/// `A′·Y = B′` for `A′ = D₁·A·D₂`, `B′ = D₁·B`, `X = D₂·Y`. The diagonal matrices hold powers of
/// two, so that nothing is rounded. The largest magnitude of each row and each column of `A′` lies
/// between 1/2 and 1, but for rows that columns' scales made smaller than that, and for symmetric
/// matrices with equal scales, where 1/4 is the least.
pub(super) struct System {
    /// `A′ᵀ`: its columns are the rows of `A′`.
    pub(super) rows: mp::Matrix,
    /// `B′`
    pub(super) rights: mp::Matrix,
    /// Exponents of `D₁` and `D₂`.
    pub(super) row_scales: Vec<i64>,
    pub(super) column_scales: Vec<i64>,
    /// Whether `A′` is symmetric, with a diagonal between 1/4 and 1 and no entry above that, as
    /// where `A` is positive definite; the scales are equal then.
    pub(super) symmetric: bool,
    /// `‖A‖_∞`
    pub(super) norm: Magnitude,
    /// `|A_given − A| <= ε|A|` and the same for `B`.
    pub(super) matrix_error: Magnitude,
    pub(super) rights_error: Magnitude,
    /// Bounds of further errors of `B′`, row by row; empty where there are none.
    pub(super) radii: Vec<Magnitude>,
}

/// Columns that one thread looks at, and numbers, at a time.
const COLUMNS: usize = 32;
const NUMBERS: usize = 4096;

/// A row or column without entries other than zero.
pub(super) enum Zero {
    Row(usize),
    Column(usize),
}

impl System {
    /// Checks the shapes and the entries, and scales. A row or column of zeros is found instead of
    /// a system.
    pub(super) fn new(a: &Data, b: &Data) -> Result<Result<Self, Zero>, Error> {
        let (given, rights) = (&a.values, &b.values);
        Error::check_square(given.shape())?;
        Error::check_shape("b", (given.rows(), rights.cols()), rights.shape())?;
        check_entries("a", given)?;
        check_entries("b", rights)?;
        let n = given.rows();
        let both = symmetric_scales(given);
        let symmetric = both.is_some();
        let row_scales = match both.clone().map_or_else(|| row_scales(given), Ok) {
            Ok(scales) => scales,
            Err(row) => return Ok(Err(Zero::Row(row))),
        };
        let column_scales = match both.map_or_else(|| column_scales(given, &row_scales), Ok) {
            Ok(scales) => scales,
            Err(column) => return Ok(Err(Zero::Column(column))),
        };
        let mut rows = mp::Matrix::try_zeros_in(needed_bits(given), n, n)?;
        for_each(&mut rows.numbers_mut().pieces(n.max(1))[..], Grain::ANY, |i, row| {
            for (j, column) in column_scales.iter().enumerate() {
                row.put(j, shifted(given.entry(i, j), row_scales[i] + column));
            }
        });
        let mut scaled = mp::Matrix::try_zeros_in(needed_bits(rights), n, rights.cols())?;
        for_each(&mut scaled.numbers_mut().pieces(n.max(1))[..], Grain::ANY, |j, column| {
            (0..n).for_each(|i| column.put(i, shifted(rights.entry(i, j), row_scales[i])));
        });
        let norms = map(n, Grain::ANY, |i| {
            let entry = |j: usize| {
                let scale = row_scales[i] + column_scales[j];
                Magnitude::above(rows.entry(j, i)).shifted(-scale)
            };
            (0..n).map(entry).fold(Magnitude::ZERO, Magnitude::plus)
        });
        let norm = norms.into_iter().fold(Magnitude::ZERO, Magnitude::max);
        let error =
            |data: &Data| data.error.map_or(Magnitude::ZERO, |e| Magnitude::power(e.into()));
        let radii = b.radii.iter().zip(&row_scales).map(|(radius, scale)| radius.shifted(*scale));
        Ok(Ok(Self {
            radii: radii.collect(),
            symmetric,
            norm,
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

    /// `X = D₂·Y`, in the place of `Y`.
    pub(super) fn unscale(&self, y: &mut mp::Matrix) {
        let n = self.order().max(1);
        let (heads, _) = y.numbers_mut().into_parts();
        for column in heads.chunks_exact_mut(n) {
            for (head, scale) in column.iter_mut().zip(&self.column_scales) {
                *head = head.shifted(*scale);
            }
        }
    }
}

/// Magnitudes below are taken for zero, in `f64`.
pub const FLUSHED: f64 =
    1.0 / (1_u128 << 127) as f64 / (1_u128 << 127) as f64 / (1_u128 << 127) as f64;
const FLUSHED_EXPONENT: i64 = -381;

/// `x·2^shift` within `2^-52` of itself, or 0 where it is less than [`FLUSHED`]. Infinite beyond
/// the range.
pub(super) fn to_f64(x: MpRef<'_>, shift: i64) -> f64 {
    let Some((m, e)) = leading(x) else {
        return x.to_f64();
    };
    match e + 64 + shift {
        below if below <= FLUSHED_EXPONENT => 0.0,
        above if above > 1024 => f64::INFINITY,
        _ => {
            let value = m.ldexp((e + shift) as i32);
            if x.head().is_negative() { -value } else { value }
        }
    }
}

fn shifted(x: MpRef<'_>, k: i64) -> MpRef<'_> {
    let head: Head = x.head().shifted(k);
    MpRef::new(x.bits(), head, x.words())
}

/// For a symmetric matrix with a positive diagonal, exponents that take its diagonal to between 1/4
/// and 1; `None` for others, and where another entry would not be below 1, as it is in a definite
/// matrix.
fn symmetric_scales(a: &mp::Matrix) -> Option<Vec<i64>> {
    let n = a.rows();
    let half = |i: usize| {
        let head = a.entry(i, i).head();
        let exponent = head.exponent().filter(|_| !head.is_negative())?;
        Some(-(i64::from(exponent) + 1).div_euclid(2))
    };
    let scales: Vec<i64> = (0..n).map(half).collect::<Option<_>>()?;
    let mirrored = |i: usize, j: usize| {
        let (x, y) = (a.entry(i, j), a.entry(j, i));
        let below_one = |e: i32| i64::from(e) + scales[i] + scales[j] <= 0;
        x.head() == y.head() && x == y && x.head().exponent().is_none_or(below_one)
    };
    let symmetric = all(n, Grain::ANY, |j| (j + 1..n).all(|i| mirrored(i, j)));
    symmetric.then_some(scales)
}

/// For each row the exponent of the power that takes its entries below 1, or the first row of
/// zeros.
fn row_scales(a: &mp::Matrix) -> Result<Vec<i64>, usize> {
    let exponents = |j| a.column(j).heads().iter().map(|head| head.exponent().map(i64::from));
    // Runs of columns, each with the largest exponents of its own.
    let runs = map(a.cols().div_ceil(COLUMNS), Grain::ANY, |run| {
        let columns = run * COLUMNS..a.cols().min((run + 1) * COLUMNS);
        largest(a.rows(), columns.map(exponents))
    });
    found(largest(a.rows(), runs))
}

/// The largest of each row.
fn largest(
    rows: usize,
    columns: impl IntoIterator<Item = impl IntoIterator<Item = Option<i64>>>,
) -> Vec<Option<i64>> {
    let mut largest = vec![None; rows];
    for column in columns {
        largest.iter_mut().zip(column).for_each(|(x, y)| *x = (*x).max(y));
    }
    largest
}

/// The same for columns of the matrix with scaled rows.
fn column_scales(a: &mp::Matrix, row_scales: &[i64]) -> Result<Vec<i64>, usize> {
    found(map(a.cols(), Grain::ANY, |j| {
        let heads = a.column(j).heads().iter().zip(row_scales);
        heads.filter_map(|(head, scale)| Some(i64::from(head.exponent()?) + scale)).max()
    }))
}

fn found(exponents: Vec<Option<i64>>) -> Result<Vec<i64>, usize> {
    exponents.into_iter().enumerate().map(|(i, e)| e.map(|e| -e).ok_or(i)).collect()
}

/// Bits, whole words of them, that hold every entry exactly.
fn needed_bits(a: &mp::Matrix) -> Bits {
    let words = a.bits().words();
    let held = a.numbers().as_slice().words();
    let least = |number: &[u64]| number.iter().position(|&word| word != 0).unwrap_or(words - 1);
    let count = held.len() / words;
    let unused = map(count.div_ceil(NUMBERS), Grain::ANY, |run| {
        let numbers = run * NUMBERS..count.min((run + 1) * NUMBERS);
        numbers.map(|i| least(&held[i * words..(i + 1) * words])).min()
    });
    let unused = unused.into_iter().flatten().min().unwrap_or(words - 1);
    Bits::new(64 * (words - unused) as u32).unwrap_or(a.bits())
}

/// `Ok` where all entries are finite and in range.
pub(super) fn check_entries(operand: &'static str, a: &mp::Matrix) -> Result<(), Error> {
    let check = |col: usize| {
        for row in 0..a.rows() {
            let x = a.entry(row, col);
            if !x.head().is_finite() {
                return Some(Error::NotFinite { operand, row, col });
            }
            if !in_range(x) {
                return Some(Error::Overflow { operand, column: col });
            }
        }
        None
    };
    map(a.cols(), Grain::ANY, check).into_iter().flatten().next().map_or(Ok(()), Err)
}
