//! Determinants in one precision.

use std::time::{Duration, Instant};

use nonius_linalg::backend::Reading;
use nonius_linalg::certified::Data;
use nonius_linalg::dense::gemm::{Arithmetic, Products};
use nonius_linalg::dense::{self, Algorithms, FoundDeterminant};
use nonius_linalg::{Error, MatRef};
use nonius_num::Element;
use nonius_num::mp::{Bits, Head};

use crate::backend::{Backend, DeviceJob};
use crate::device::{Device, Place};
use crate::setters::setters;
use crate::work::Work;
use crate::{Number, Precision, certified, room};

/// The determinant of a square matrix by LU factors. It is zero where elimination meets no other
/// pivot.
///
/// ```
/// use nonius::prelude::*;
/// use nonius::dense::decimal_determinant;
///
/// // 2^1400 for rows exchanged: beyond the range of f64.
/// let x = Qd::from(2.0_f64.powi(700));
/// let a = matrix![[Qd::ZERO, x], [x, Qd::ZERO]];
/// let (value, report) = Determinant::new(&a).run()?;
/// assert_eq!(value.sign(), -1);
/// let text = decimal_determinant(&value, report.precision)?;
/// assert!(text.starts_with("-2.76") && text.ends_with("e421"));
/// # Ok::<(), nonius::dense::Error>(())
/// ```
#[must_use = "a determinant is found by `run`"]
#[derive(Clone, Copy, Debug)]
pub struct Determinant<'a, T: Element> {
    a: MatRef<'a, T>,
    products: Products,
    device: Device,
}

/// How good a determinant is, and where it was found.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct DeterminantReport {
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
    /// Additions and multiplications, to leading order: `2/3·n³`.
    pub operations: f64,
    /// Time for factors and condition, without a GPU's start.
    pub time: Duration,
}

impl<'a, T: Number> Determinant<'a, T> {
    /// Of the matrix `A`, `n × n`.
    pub fn new(a: impl Into<MatRef<'a, T>>) -> Self {
        Self { a: a.into(), products: Products::default(), device: Device::Auto }
    }

    setters!(products);
    setters!(device);

    /// Asks for proved digits, in place of one precision: the entries of `A` count as exact. The
    /// proof chooses products itself.
    pub fn digits(self, digits: u32) -> certified::Determinant<'a> {
        certified::Determinant::owning(Data::from_matrix(self.a), digits).device(self.device)
    }

    /// Finds the determinant. Returns it with the report.
    ///
    /// # Errors
    /// [`Error::NotSquare`], [`Error::NotFinite`]; [`Error::NoRoom`] where memory does not do;
    /// [`Error::Device`] where the device asked for cannot be had or fails.
    pub fn run(self) -> Result<(dense::Determinant<T>, DeterminantReport), Error> {
        let Self { a, products, device } = self;
        products.check::<T>()?;
        let precision = T::precision(a.format());
        Error::check_square(a.shape())?;
        Error::check_finite("a", a)?;
        room::check::<T>(a.format(), "the factors", &[a.shape()])?;
        let n = a.rows() as f64;
        let work = Work::new(precision, 2.0 / 3.0 * n * n * n, 2.0 * n * n);
        let ((found, time), place) = device.run(work, Elimination { a, products })?;
        let most_digits = f64::from(precision.digits());
        let report = DeterminantReport {
            condition_estimate: found.condition_estimate,
            correct_digits: (-found.error_estimate.log10()).clamp(0.0, most_digits),
            precision,
            arithmetic: products.arithmetic,
            place,
            operations: work.operations,
            time,
        };
        Ok((found.value, report))
    }
}

/// Finds a determinant and its condition, and measures the time.
struct Elimination<'a, T: Element> {
    a: MatRef<'a, T>,
    products: Products,
}

impl<T: Number + Algorithms<B>, B: Backend> DeviceJob<B> for Elimination<'_, T> {
    type Output = (FoundDeterminant<T>, Duration);

    fn run(&mut self, backend: &B) -> Result<Self::Output, Error> {
        let start = Instant::now();
        let found = T::determinant(backend.multiplying(self.products), self.a)?;
        Ok((found, start.elapsed()))
    }
}

/// Exponents for which limbs of a number are normal.
const ORDINARY: core::ops::Range<i64> = -700..1000;

/// A determinant in decimal, which reads back as the same number in its precision, also beyond the
/// range of `f64`.
///
/// # Errors
/// [`Error::OutOfRange`] where no number of any precision holds the determinant.
pub fn decimal_determinant<T: Number>(
    value: &dense::Determinant<T>,
    precision: Precision,
) -> Result<String, Error> {
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
