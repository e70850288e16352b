//! The jobs of a determinant: at a fixed precision, and with the number of digits that is asked
//! for.

use std::time::Instant;

use nonius_linalg::backend::Reading;
use nonius_linalg::certified::{self, Data, Failure, Options, Prover, Refusal};
use nonius_linalg::dense::gemm::{Arithmetic, Products};
use nonius_linalg::dense::{Algorithms, Determinant, FoundDeterminant};
use nonius_linalg::{Error, Matrix};
use nonius_num::Element;
use nonius_num::mp::{Bits, Head};

use crate::backend::{Backend, DeviceJob};
use crate::digits::{as_integers, few_bits, first_bits, or_refused, proved, too_short};
use crate::work::Work;
use crate::{Device, Number, Place, Precision, room};

/// What a determinant took and how good it is.
#[derive(Clone, Debug, PartialEq)]
pub struct DeterminantReport {
    /// The determinant in decimal, also beyond the range of `f64`.
    pub text: String,
    /// Time for factors and condition.
    pub seconds: f64,
    /// Billions of additions and multiplications a second: `2/3·n³`.
    pub gflops: f64,
    /// Estimate of the condition number of `A` in the 1-norm; infinite where elimination met a
    /// zero.
    pub condition_estimate: Reading,
    /// Decimal digits that should be right, by what rounding errors of the factors and of the
    /// entries amount to.
    pub correct_digits: f64,
    /// The number type.
    pub precision: Precision,
    /// The arithmetic of the sums in products of matrices.
    pub arithmetic: Arithmetic,
    /// Where it was computed.
    pub place: Place,
}

/// The determinant of a square matrix by LU factors, with the products of matrices on the way
/// computed as `products` says. It is zero where elimination meets no other pivot.
///
/// ```
/// use nonius::linalg::dense::gemm::Products;
/// use nonius::{Device, Matrix, Qd, determinant};
///
/// // 2^1400 for rows exchanged: beyond the range of f64.
/// let entry = |i, j| if i == j { Qd::ZERO } else { Qd::from(2.0_f64.powi(700)) };
/// let a = Matrix::from_fn(2, 2, entry);
/// let (value, report) = determinant(&a, Products::default(), Device::Auto)?;
/// assert_eq!(value.sign(), -1);
/// assert!(report.text.starts_with("-2.76") && report.text.ends_with("e421"));
/// # Ok::<(), nonius::linalg::Error>(())
/// ```
///
/// # Errors
/// [`Error::NotSquare`], [`Error::NotFinite`]; [`Error::OutOfRange`] where no number holds the
/// determinant; [`Error::Device`] where the device asked for cannot be had or fails.
pub fn determinant<T: Number>(
    a: &Matrix<T>,
    products: Products,
    device: Device,
) -> Result<(Determinant<T>, DeterminantReport), Error> {
    products.check::<T>()?;
    let precision = T::precision(a.format());
    Error::check_square(a.shape())?;
    Error::check_finite("a", a.view())?;
    room::check::<T>(a.format(), "the factors", &[a.shape()])?;
    let n = a.rows() as f64;
    let work = Work::new(precision, 2.0 / 3.0 * n * n * n, 2.0 * n * n);
    let ((found, seconds), place) = device.run(work, Elimination { a, products })?;
    let most_digits = f64::from(precision.digits());
    let report = DeterminantReport {
        text: text(found.value, precision)?,
        seconds,
        gflops: work.operations / seconds / 1e9,
        condition_estimate: found.condition_estimate,
        correct_digits: (-found.error_estimate.log10()).clamp(0.0, most_digits),
        precision,
        arithmetic: products.arithmetic,
        place,
    };
    Ok((found.value, report))
}

/// Finds a determinant and its condition, in so many seconds.
struct Elimination<'a, T: Element> {
    a: &'a Matrix<T>,
    products: Products,
}

impl<T: Number + Algorithms<B>, B: Backend> DeviceJob<B> for Elimination<'_, T> {
    type Output = (FoundDeterminant<T>, f64);

    fn run(&mut self, backend: &B) -> Result<Self::Output, Error> {
        let start = Instant::now();
        let found = T::determinant(backend.multiplying(self.products), self.a.view())?;
        Ok((found, start.elapsed().as_secs_f64()))
    }
}

/// Exponents for which limbs of a number are normal.
const ORDINARY: core::ops::Range<i64> = -700..1000;

fn text<T: Number>(value: Determinant<T>, precision: Precision) -> Result<String, Error> {
    // What numbers of any precision hold; limbs are written by way of these.
    const RANGE: core::ops::RangeInclusive<i64> =
        Head::LEAST_EXPONENT as i64 + 2..=Head::GREATEST_EXPONENT as i64 - 2;
    let is_number = value.sign() != 0 && value.mantissa.is_finite();
    if is_number && !RANGE.contains(&value.exponent) {
        let (result, exponent) = ("the determinant", value.exponent);
        return Err(Error::OutOfRange { result, exponent });
    }
    let mut out = Vec::new();
    let k = value.exponent.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    match precision {
        Precision::F64 | Precision::Dd | Precision::Td | Precision::Qd
            if !ORDINARY.contains(&value.exponent) && is_number =>
        {
            let bits = |bits| Bits::new(bits).expect("a precision");
            // The sum of the limbs, however far apart they are, rounded once.
            let exact = value.mantissa.in_bits(bits(Bits::MOST));
            let rounded = exact.view().to_mp(bits(precision.bits().max(Bits::LEAST)));
            rounded.ldexp(k).append_decimal(&mut out);
        }
        _ => value.mantissa.ldexp(k).append_decimal(&mut out),
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// A determinant with proved digits, of a matrix of decimals.
///
/// ```
/// use nonius::certified::{Data, Datum, DigitsIn, Options, Reading};
/// use nonius::linalg::sparse::matrix_market::read_as;
/// use nonius::num::mp::Bits;
/// use nonius::{Device, determinant_decimals};
///
/// // 0.1·0.3 − 0.2·0.2
/// let text = "%%MatrixMarket matrix array real general\n2 2\n0.1\n0.2\n0.2\n0.3\n";
/// let read = |reading: Reading| -> Result<Data, Box<dyn std::error::Error>> {
///     Ok(read_as::<Datum>(reading, text.as_bytes())?.into_dense()?)
/// };
/// let options = Options { digits: 30, digits_in: DigitsIn::Entry, most_bits: Bits::new(4096)? };
/// let (found, _) = determinant_decimals(read, options, Device::Cpu, &mut |_| {})??;
/// assert_eq!((found.text().as_str(), found.sign()), ("-0.01", -1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DecimalDeterminant {
    /// That of the matrix times a power of ten.
    pub scaled: certified::Determinant,
    /// The determinant is that of the scaled matrix times `10^-shift`.
    pub shift: i64,
}

impl DecimalDeterminant {
    /// The determinant in decimal, with the digits promised; all of its digits where it is exact.
    pub fn text(&self) -> String {
        let mut out = Vec::new();
        self.scaled.value.view().append_decimal_shifted(-self.shift, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    }

    /// −1, 0 or 1.
    pub fn sign(&self) -> i32 {
        match self.scaled.value.head() {
            head if head.is_zero() => 0,
            head if head.is_negative() => -1,
            _ => 1,
        }
    }
}

/// The determinant of a square matrix, proved to have the digits asked for:
/// [`certified::determinant`].
///
/// ```
/// use nonius::certified::{Data, DigitsIn, Options};
/// use nonius::num::mp::Bits;
/// use nonius::{Device, Matrix, determinant_digits};
///
/// let a = Matrix::from_fn(3, 3, |i, j| (2 + i * i + 7 * j * j * j + i * j) as f64);
/// let options = Options { digits: 20, digits_in: DigitsIn::Entry, most_bits: Bits::new(4096)? };
/// let a = Data::from_limbs(a.view());
/// let (found, _) = determinant_digits(&a, options, Device::Auto, &mut |_| {})?;
/// assert!(found.value.to_f64() == -84.0 && found.digits.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Refusal`]: why not, and what is known.
pub fn determinant_digits(
    a: &Data,
    options: Options,
    device: Device,
    report: &mut (dyn FnMut(Bits) + Send),
) -> Result<(certified::Determinant, Place), Refusal> {
    let n = a.values().rows() as f64;
    // Four products of as many bits as twice the digits need, which a matrix that is not the worst
    // takes.
    let bits =
        (options.digits.min(certified::MOST_DIGITS) * 20 / 3 + 64).clamp(Bits::LEAST, Bits::MOST);
    let precision = Bits::new(bits).map_or(Precision::Qd, Precision::Mp);
    let work = Work::new(precision, 8.0 * n * n * n, n * n);
    proved(device.run(work, Digits { a, options, report }))
}

/// Finds a determinant with proved digits.
struct Digits<'a> {
    a: &'a Data,
    options: Options,
    report: &'a mut (dyn FnMut(Bits) + Send),
}

impl<B: Backend> DeviceJob<B> for Digits<'_> {
    type Output = Result<certified::Determinant, Refusal>;

    fn run(&mut self, backend: &B) -> Result<Self::Output, Error> {
        let Self { a, options, report } = self;
        or_refused(backend.prover().determinant(a, *options, report))
    }
}

/// [`determinant_digits`] for decimals, which `read` reads, with more bits or as integers where
/// that is of use: as [`solve_decimals`](crate::solve_decimals) does.
///
/// # Errors
/// What `read` fails with; within, [`Refusal`].
pub fn determinant_decimals<E>(
    mut read: impl FnMut(certified::Reading) -> Result<Data, E>,
    options: Options,
    device: Device,
    report: &mut (dyn FnMut(Bits) + Send),
) -> Result<Result<(DecimalDeterminant, Place), Refusal>, E> {
    let of = |(scaled, place), shift| (DecimalDeterminant { scaled, shift }, place);
    let mut bits = first_bits(options);
    let mut integer_bits = few_bits(options);
    loop {
        let Ok(precision) = Bits::new(bits) else { return Ok(Err(too_short(options))) };
        let a = read(precision.into())?;
        if let Some(reading) = as_integers(&[&a], integer_bits) {
            let a = read(reading)?;
            if a.is_exact() {
                let shift = i64::from(reading.shift) * a.values().rows() as i64;
                return Ok(
                    determinant_digits(&a, options, device, report).map(|found| of(found, shift))
                );
            }
        }
        match determinant_digits(&a, options, device, report) {
            Err(Refusal { failure: Failure::Data { .. }, .. })
                if bits < options.most_bits.get() =>
            {
                bits = (2 * bits).min(options.most_bits.get());
            }
            // What no rounded numbers decide, integers may.
            Err(Refusal { failure: Failure::Data { .. }, .. })
                if integer_bits < options.most_bits
                    && as_integers(&[&a], options.most_bits).is_some() =>
            {
                integer_bits = options.most_bits;
            }
            other => return Ok(other.map(|found| of(found, 0))),
        }
    }
}
