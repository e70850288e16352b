//! Matrices as they are given: numbers, and how far rounding may have taken them from what was
//! written.

use nonius_num::ParseDecimalError;
use nonius_num::mp::{Bits, FromDecimal, Mp};

use super::datum::{Datum, UNBOUNDED, sum, two_sum};
use super::list::DatumList;
use super::magnitude::Magnitude;
use crate::sparse::matrix_market::{Dense, Entry};
use crate::threads::{Grain, for_each, map};
use crate::{Error, MatRef, Number, mp};

/// Entries that approximate those given: `|given − held| <= 2^e·|held|` for each, or no difference.
///
/// Decimals that a matrix does not hold exactly are known with a bound of their rounding:
///
/// ```
/// use nonius_linalg::certified::{Data, Datum, Reading};
/// use nonius_linalg::sparse::matrix_market::read_as;
/// use nonius_num::mp::Bits;
///
/// let text = "%%MatrixMarket matrix array real general\n1 1\n0.1\n";
/// let read = |shift| read_as::<Datum>(Reading { bits: Bits::FEWEST, shift }, text.as_bytes());
/// let tenth: Data = read(0)?.into_dense()?;
/// assert!(!tenth.is_exact() && tenth.places() == 1);
/// // Times ten it is an integer.
/// assert!(read(1)?.into_dense()?.is_exact());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    pub(super) values: mp::Matrix,
    pub(super) error: Option<i32>,
    /// Of sums: bounds of `|given − held|`, row by row; empty where they are zero.
    pub(super) radii: Vec<Magnitude>,
    places: u32,
}

/// How decimals are read: times `10^shift`, rounded to `bits` bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The bits.
    pub bits: Bits,
    /// The power of ten. With as much as [`Data::places`] numbers become integers, which enough
    /// bits hold exactly.
    pub shift: u32,
}

impl From<Bits> for Reading {
    fn from(bits: Bits) -> Self {
        Self { bits, shift: 0 }
    }
}

impl Data {
    /// These entries, exactly.
    pub fn exact(values: mp::Matrix) -> Self {
        Self { values, error: None, radii: Vec::new(), places: 0 }
    }

    /// The entries of a matrix of any numbers, exactly; those that are not finite are kept as such.
    pub fn from_matrix<T: Number>(a: MatRef<'_, T>) -> Self {
        let of_column = |j: usize| a.column(j).iter().map(T::span).max();
        let most = map(a.cols(), Grain::ANY, of_column).into_iter().flatten().max();
        let most = most.unwrap_or(Bits::LEAST).max(Bits::LEAST);
        let bits = Bits::new(most.next_multiple_of(64).min(Bits::MOST));
        let bits = bits.unwrap_or(const { most_bits() });
        let mut exact = mp::Matrix::zeros_in(bits, a.rows(), a.cols());
        let columns = &mut exact.numbers_mut().pieces(a.rows().max(1))[..];
        for_each(columns, Grain::ANY, |j, column| {
            for (i, x) in a.column(j).iter().enumerate() {
                column.put(i, x.in_bits(bits).view());
            }
        });
        Self::exact(exact)
    }

    /// `A·e`: the sums of the rows, with a bound of the error of each.
    pub fn row_sums(&self) -> Self {
        let values = &self.values;
        let bits =
            Bits::new((2 * values.bits().get() + 64).min(Bits::MOST)).unwrap_or(values.bits());
        let row = |i: usize| {
            let (mut total, mut radius) = (Mp::zero(bits), Magnitude::ZERO);
            let entries = (0..values.cols()).map(|j| values.entry(i, j));
            for x in entries.filter(|x| !x.head().is_zero()) {
                let (s, rest) = two_sum(total.view(), x);
                let of_x = self.error.map(|e| Magnitude::above(x).shifted(e.into()));
                radius = radius
                    .plus(Magnitude::above(rest.view()))
                    .plus(of_x.unwrap_or(Magnitude::ZERO));
                total = s;
            }
            let unbounded = self.error == Some(UNBOUNDED);
            (total, if unbounded { Magnitude::INFINITE } else { radius })
        };
        let rows: Vec<(Mp, Magnitude)> = map(values.rows(), Grain::ANY, row);
        let mut sums = mp::Matrix::zeros_in(bits, values.rows(), 1);
        let mut radii = Vec::with_capacity(values.rows());
        for (i, (sum, radius)) in rows.into_iter().enumerate() {
            sums.put(i, 0, sum.view());
            radii.push(radius);
        }
        if radii.iter().all(|radius| radius.is_zero()) {
            radii.clear();
        }
        Self { values: sums, error: None, radii, places: self.places }
    }

    /// The numbers held.
    pub fn values(&self) -> &mp::Matrix {
        &self.values
    }

    /// Whether these are the entries given.
    pub fn is_exact(&self) -> bool {
        self.error.is_none() && self.radii.is_empty()
    }

    /// The least `s` with which all decimals are multiples of `10^-s`; 0 for numbers that were not
    /// read.
    pub fn places(&self) -> u32 {
        self.places
    }

    /// The `e` with `|given − held| <= 2^e·|held|` for all entries; `None` where they are equal, or
    /// bounded otherwise. `i32::MAX` where nothing is known.
    pub fn relative_error(&self) -> Option<i32> {
        self.error
    }
}

const fn most_bits() -> Bits {
    match Bits::new(Bits::MOST) {
        Ok(bits) => bits,
        Err(_) => panic!("the highest precision is one"),
    }
}

/// How many decimals a double has: those of the place of its last bit.
fn decimals(x: f64) -> usize {
    const FRACTION: u32 = 52;
    let biased = (x.to_bits() >> FRACTION & 0x7ff) as i32;
    let fraction = x.to_bits() & ((1 << FRACTION) - 1);
    let significand = if biased == 0 { fraction } else { fraction | 1 << FRACTION };
    match significand {
        0 => 0,
        _ => (1075 - biased.max(1) - significand.trailing_zeros() as i32).max(0) as usize,
    }
}

impl Entry for Datum {
    type ReadAs = Reading;
    type List = DatumList;
    type Matrix = Data;

    fn spelling(reading: Reading) -> String {
        Mp::spelling(reading.bits)
    }

    fn bytes(reading: Reading) -> usize {
        Mp::bytes(reading.bits)
    }

    fn zero(reading: Reading) -> Self {
        Self { value: Mp::zero(reading.bits), error: None, places: 0 }
    }

    fn one(reading: Reading) -> Self {
        // The decimal, which is no malformed one.
        Self::parse(b"1", reading).unwrap_or_else(|_| Self::zero(reading))
    }

    fn parse(text: &[u8], reading: Reading) -> Result<Self, ParseDecimalError> {
        let FromDecimal { value, exact, places } =
            Mp::from_decimal_shifted(reading.bits, text, reading.shift)?;
        let error = match () {
            () if exact => None,
            () if value.is_zero() => Some(UNBOUNDED),
            // Half a unit in the last place.
            () => Some(-(reading.bits.get() as i32)),
        };
        Ok(Self { value, error, places })
    }

    fn from_f64(x: f64, reading: Reading) -> Self {
        let text = format!("{x:.*}", decimals(x));
        Self::parse(text.as_bytes(), reading).unwrap_or_else(|_| Self::zero(reading))
    }

    fn list(reading: Reading) -> DatumList {
        DatumList { values: mp::Numbers::new(reading.bits), known: Vec::new() }
    }

    fn print(&self, out: &mut Vec<u8>) {
        self.value.append_decimal(out);
    }

    fn is_finite(&self) -> bool {
        self.value.is_finite()
    }

    fn is_zero(&self) -> bool {
        self.value.is_zero() && self.error.is_none()
    }

    fn zeros(reading: Reading, rows: usize, cols: usize) -> Result<Data, Error> {
        mp::Matrix::try_zeros_in(reading.bits, rows, cols).map(Data::exact)
    }

    fn matrix(rows: usize, cols: usize, entries: Self::List) -> Result<Data, Error> {
        let DatumList { values, known } = entries;
        let error = known.iter().filter_map(|x| x.error).max();
        let places = known.iter().map(|x| x.places).max().unwrap_or(0);
        let values = mp::Matrix::from_numbers(rows, cols, values);
        let values = values.ok_or(Error::TooLarge { rows, cols })?;
        Ok(Data { values, error, radii: Vec::new(), places })
    }

    fn add_to(self, a: &mut Data, i: usize, j: usize) {
        let held = a.values.entry(i, j).to_mp(a.values.bits());
        // A zero that nothing was added to is exact.
        let error = if held.is_zero() && a.error != Some(UNBOUNDED) { None } else { a.error };
        let s = sum(&Datum { value: held, error, places: a.places }, &self);
        a.values.put(i, j, s.value.view());
        a.error = a.error.max(s.error);
        a.places = a.places.max(s.places);
    }
}

impl Dense for Data {
    fn shape(&self) -> (usize, usize) {
        self.values.shape()
    }

    fn is_finite(&self, i: usize, j: usize) -> bool {
        Dense::is_finite(&self.values, i, j)
    }

    fn mirrors(&self, i: usize, j: usize, negative: bool) -> bool {
        self.values.mirrors(i, j, negative)
    }

    fn print(&self, i: usize, j: usize, out: &mut Vec<u8>) {
        Dense::print(&self.values, i, j, out);
    }

    fn double(&self, i: usize, j: usize) -> Option<f64> {
        Dense::double(&self.values, i, j)
    }
}
